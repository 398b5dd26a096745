import type { Immutable } from "#shared/immutable.ts";
import type { HandOverVehicleListMessage } from "#worker/api/office/hand-over-vehicle-messages.ts";

/** Vehicles for a reservation's hand-over with their current availability. */
export type HandOverVehicles = Immutable<HandOverVehicleListMessage>;

import type { Immutable } from "#shared/immutable.ts";
import type { HandOverVehicleListMessage } from "#worker/api/office/hand-over-vehicle-messages.ts";

/** Vehicles of a reservation's hand-over, with what is true of them now. */
export type HandOverVehicles = Immutable<HandOverVehicleListMessage>;

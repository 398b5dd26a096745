import type { Immutable } from "#shared/immutable.ts";
import type { PlanningMessage } from "#worker/api/office/vehicle-messages.ts";

/** A unit of a contract on the board. Dates and times are local. */
export type PlannedContract = PlannedVehicle["contracts"][number];

/** A period when a vehicle isn't rented. `from` and `to` are `yyyy-mm-ddThh:mm`. */
export type PlannedBlock = PlannedVehicle["blocks"][number];

export type PlannedVehicle = Planning["vehicles"][number];

export type SoldDay = Planning["sold"][number];

/** Data of the board, in a single response. */
export type Planning = Immutable<PlanningMessage>;

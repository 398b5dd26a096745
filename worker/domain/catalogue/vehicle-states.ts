/** Where a vehicle is: with a customer, not in the fleet any more, blocked, or none of these. */
export const VEHICLE_STATES = ["free", "out", "blocked", "retired"] as const;
export type VehicleState = (typeof VEHICLE_STATES)[number];

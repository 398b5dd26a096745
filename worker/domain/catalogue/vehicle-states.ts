/** State of a vehicle: with a customer, no longer in the fleet, blocked, or free. */
export const VEHICLE_STATES = ["free", "out", "blocked", "retired"] as const;
export type VehicleState = (typeof VEHICLE_STATES)[number];

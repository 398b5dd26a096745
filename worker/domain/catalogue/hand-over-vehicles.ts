/** States of a vehicle that could leave with a reservation, the strongest reason against it first. */
export const HAND_OVER_VEHICLE_STATES = ["out", "blocked", "reserved", "wrong_branch", "dirty", "free"] as const;
export type HandOverVehicleState = (typeof HAND_OVER_VEHICLE_STATES)[number];

/** States of a vehicle that can't be handed over. */
const PREVENTING: readonly HandOverVehicleState[] = ["out", "blocked", "reserved"];

/** Circumstances that decide whether a vehicle can be handed over. */
export interface HandOverConditions {
  /** Whether the vehicle is out with another reservation now. */
  readonly isOut: boolean;
  readonly isBlocked: boolean;
  /** Whether the vehicle is assigned to another reservation of the same time. */
  readonly isReserved: boolean;
  readonly isElsewhere: boolean;
  readonly needsCleaning: boolean;
}

/** Returns all states of a vehicle, the strongest first. `free` only without another one. */
export function listHandOverStates(
  facts: HandOverConditions,
): readonly [HandOverVehicleState, ...HandOverVehicleState[]] {
  const { isOut, isBlocked, isReserved, isElsewhere, needsCleaning } = facts;
  const isIn = {
    out: isOut,
    blocked: isBlocked,
    reserved: isReserved,
    wrong_branch: isElsewhere,
    dirty: needsCleaning,
  };
  const [first, ...others] = HAND_OVER_VEHICLE_STATES.filter((state) => state !== "free" && isIn[state]);
  return first ? [first, ...others] : ["free"];
}

/** Whether a vehicle in these states can leave now. */
export const canBeHandedOver = (states: readonly HandOverVehicleState[]) =>
  !states.some((state) => PREVENTING.includes(state));

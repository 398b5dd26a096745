/** Parts of the damage diagram. Vans and boats use the same names if they have the part. */
export const VEHICLE_PARTS = [
  "bonnet",
  "front_bumper",
  "windscreen",
  "roof",
  "rear_window",
  "boot",
  "rear_bumper",
  "front_left_wing",
  "front_left_door",
  "rear_left_door",
  "rear_left_wing",
  "front_right_wing",
  "front_right_door",
  "rear_right_door",
  "rear_right_wing",
  "left_sill",
  "right_sill",
  "front_left_wheel",
  "front_right_wheel",
  "rear_left_wheel",
  "rear_right_wheel",
  "left_mirror",
  "right_mirror",
  "interior",
  "other",
] as const;
export const DAMAGE_KINDS = ["scratch", "dent", "crack", "broken", "missing", "stain", "other"] as const;
export const DAMAGE_SEVERITIES = ["light", "medium", "severe"] as const;

/** Damage found on a vehicle, located on its outline in percent of width and height. */
export interface Damage {
  readonly damageId: string;
  readonly part: (typeof VEHICLE_PARTS)[number];
  readonly kind: (typeof DAMAGE_KINDS)[number];
  readonly severity: (typeof DAMAGE_SEVERITIES)[number];
  readonly x: number;
  readonly y: number;
  readonly note: string | undefined;
  readonly photos: readonly string[];
}

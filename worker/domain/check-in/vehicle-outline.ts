import type { VEHICLE_PARTS } from "#domain/contracts/damage.ts";

type Part = (typeof VEHICLE_PARTS)[number];

/** Car from above, front at the top, in a box of 500 × 1000. Each part as x, y, width, height. */
export const VEHICLE_OUTLINE_PARTS: readonly (readonly [Part, number, number, number, number])[] = [
  ["front_bumper", 110, 20, 280, 60],
  ["bonnet", 120, 88, 260, 150],
  ["windscreen", 130, 246, 240, 84],
  ["roof", 140, 338, 220, 290],
  ["rear_window", 130, 636, 240, 84],
  ["boot", 120, 728, 260, 150],
  ["rear_bumper", 110, 886, 280, 60],
  ["front_left_wing", 40, 88, 72, 150],
  ["front_left_door", 40, 338, 72, 140],
  ["rear_left_door", 40, 486, 72, 142],
  ["rear_left_wing", 40, 728, 72, 150],
  ["front_right_wing", 388, 88, 72, 150],
  ["front_right_door", 388, 338, 72, 140],
  ["rear_right_door", 388, 486, 72, 142],
  ["rear_right_wing", 388, 728, 72, 150],
];

/** Positions of its wheels. Each is 26 × 100. */
export const VEHICLE_OUTLINE_WHEELS = [
  [8, 130],
  [466, 130],
  [8, 750],
  [466, 750],
] as const;

export const isGlassPart = (part: Part): boolean => part === "windscreen" || part === "rear_window";

/** Returns the centre of a part in thousandths of the diagram. Parts not shown use the diagram's centre. */
export function getVehiclePartCentre(part: Part): readonly [number, number] {
  const outlinePart = VEHICLE_OUTLINE_PARTS.find(([name]) => name === part);
  if (!outlinePart) return [500, 500];
  const [, x, y, width, height] = outlinePart;
  return [Math.round((x + width / 2) * 2), Math.round(y + height / 2)];
}

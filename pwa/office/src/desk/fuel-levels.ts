/** Eighths of a full tank. */
export const FULL_TANK = 8;

/** Choices of a fuel level in eighths, from full to empty. */
export const FUEL_LEVELS = Array.from({ length: FULL_TANK + 1 }, (_, index) => FULL_TANK - index).map(
  (eighths) => [eighths, `${eighths}/${FULL_TANK}`] as const,
);

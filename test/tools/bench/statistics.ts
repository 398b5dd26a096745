/** Returns the value that a share (0 to 1) of the values doesn't exceed, by nearest rank. 0 if empty. */
export function calculatePercentile(values: readonly number[], share: number): number {
  return values.toSorted((value, other) => value - other)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
}

/** Returns the median of a value of several measurements. */
export function getMedian<T>(measurements: readonly T[], getValue: (measurement: T) => number): number {
  return calculatePercentile(measurements.map(getValue), 0.5);
}

/** The value that so great a share of the others (0 to 1) does not exceed, by nearest rank; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((value, other) => value - other)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
}

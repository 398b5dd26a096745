const LONGEST_SECONDS = 300;

/** How long to wait after the nth failure in a row: min(2^n, 300) seconds, half more or less by `random` (0 to 1). */
export function backoffMs(failures: number, random: number): number {
  return Math.min(2 ** failures, LONGEST_SECONDS) * 1000 * (0.5 + random);
}

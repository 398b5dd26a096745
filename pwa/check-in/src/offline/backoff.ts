const MAX_BACKOFF_SECONDS = 300;
const MAX_JITTER_FACTOR = 1.5;

/** How long to wait after the nth failure in a row: min(2^n, 300) seconds, half more or less by `random` (0 to 1). */
export function backoffMs(failures: number, random: number): number {
  return Math.min(2 ** failures, MAX_BACKOFF_SECONDS) * 1000 * (MAX_JITTER_FACTOR - 1 + random);
}

/**
 * When a wait is over by the phone's clock: one that is longer than any was begun before the clock went back, and is
 * over now.
 */
export const dueAt = (nextAt: number, now: number): number =>
  nextAt > now + MAX_BACKOFF_SECONDS * 1000 * MAX_JITTER_FACTOR ? now : nextAt;

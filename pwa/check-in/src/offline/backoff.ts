const MAX_BACKOFF_SECONDS = 300;
const MAX_JITTER_FACTOR = 1.5;

/** Returns the delay after the nth failure in a row: min(2^n, 300) seconds, plus or minus half by `random` (0 to 1). */
export function getBackoffMs(failures: number, random: number): number {
  return Math.min(2 ** failures, MAX_BACKOFF_SECONDS) * 1000 * (MAX_JITTER_FACTOR - 1 + random);
}

/**
 * Returns when to retry, by the device's clock. If the wait is longer than the longest possible one, the
 * clock was set back after the wait started, so the retry is due now.
 */
export const resetImplausibleRetryTime = (retryAt: number, now: number): number =>
  retryAt > now + MAX_BACKOFF_SECONDS * 1000 * MAX_JITTER_FACTOR ? now : retryAt;

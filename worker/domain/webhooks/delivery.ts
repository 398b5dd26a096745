const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When a delivery is tried, since it was tried first: ten times in a day. */
export const ATTEMPTS_AFTER: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  DAY,
];
/** An address that has taken nothing for so long is told nothing more. */
export const FAILING_TOO_LONG = 5 * DAY;
/** One that could not be reached, or is out of breath, is left alone for so long. */
const PAUSE = MINUTE;

/** What came of an attempt. */
export interface Attempt {
  /** Nothing where no answer came. */
  readonly status: number | undefined;
  /** Why none came; `undefined` where one did. */
  readonly problem: string | undefined;
  /** Of `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
}

interface Before {
  /** Those before this one. */
  readonly attempts: number;
  readonly firstAt: number;
  /** Since when the address takes nothing. */
  readonly failingSince: number | undefined;
}

/** What becomes of a delivery and of the address after an attempt; moments in epoch ms. */
export interface Decision {
  readonly state: "delivered" | "waiting" | "failed";
  readonly nextAt: number;
  readonly failingSince: number | undefined;
  readonly pausedUntil: number | undefined;
  /** Why the address is told nothing more. */
  readonly disable: "gone" | "failing" | undefined;
}

/** Decides on an attempt: 2xx is heard, 410 ends the address, everything else is tried again for a day. */
export function decideDelivery(attempt: Attempt, before: Before, now: number): Decision {
  const { status } = attempt;
  if (status !== undefined && status >= 200 && status < 300)
    return { state: "delivered", nextAt: now, failingSince: undefined, pausedUntil: undefined, disable: undefined };
  const failingSince = before.failingSince ?? now;
  const attempts = before.attempts + 1;
  const after = ATTEMPTS_AFTER[attempts];
  const wait = Math.min((attempt.retryAfterSeconds ?? 0) * SECOND, DAY);
  const isTooLong = now - failingSince >= FAILING_TOO_LONG;
  return {
    state: after === undefined ? "failed" : "waiting",
    nextAt: Math.max(before.firstAt + (after ?? 0), now + Math.max(wait, 5 * SECOND)),
    failingSince,
    pausedUntil: shouldPauseEndpoint(status) ? now + Math.max(wait, PAUSE) : undefined,
    disable: status === 410 ? "gone" : isTooLong ? "failing" : undefined,
  };
}

// Others of the same address would fare alike; a refusal of this one alone is no reason to keep others back.
function shouldPauseEndpoint(status: number | undefined): boolean {
  return status === undefined || status === 429 || status >= 500;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Times of all ten attempts since the first one, which is at 0. The last attempt follows after a day. */
export const WEBHOOK_ATTEMPT_OFFSETS_MS: readonly number[] = [
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
/** A webhook without any successful delivery for this long is disabled. */
export const MAX_WEBHOOK_FAILING_MS = 5 * DAY;
/** Pause after a webhook was unreachable or overloaded. */
const PAUSE = MINUTE;

/** Result of one attempt to deliver an event. */
export interface WebhookAttemptResult {
  /** HTTP status of the receiver. Undefined without an answer. */
  readonly status: number | undefined;
  /** Reason for a missing answer. Undefined if there was an answer. */
  readonly problem: string | undefined;
  /** Delay that the receiver requests in the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined;
}

interface Before {
  /** Number of earlier attempts. */
  readonly attempts: number;
  readonly firstAt: number;
  /** Time of the first failed attempt after the webhook's last successful delivery. Undefined if it isn't failing. */
  readonly failingSince: number | undefined;
}

/** Effects of an attempt on the delivery and its webhook. Times in epoch ms. */
export interface WebhookDeliveryDecision {
  readonly state: "delivered" | "waiting" | "failed";
  readonly nextAt: number;
  readonly failingSince: number | undefined;
  readonly pausedUntil: number | undefined;
  /** Reason to disable the webhook. */
  readonly disable: "gone" | "failing" | undefined;
}

/**
 * Decides on an attempt's result. 2xx counts as delivered, 410 disables the webhook, and everything else is retried for
 * a day.
 */
export function decideWebhookDelivery(
  attempt: WebhookAttemptResult,
  before: Before,
  now: number,
): WebhookDeliveryDecision {
  const { status } = attempt;
  if (status !== undefined && status >= 200 && status < 300)
    return { state: "delivered", nextAt: now, failingSince: undefined, pausedUntil: undefined, disable: undefined };
  const failingSince = before.failingSince ?? now;
  const attempts = before.attempts + 1;
  const after = WEBHOOK_ATTEMPT_OFFSETS_MS[attempts];
  const wait = Math.min((attempt.retryAfterSeconds ?? 0) * SECOND, DAY);
  const isTooLong = now - failingSince >= MAX_WEBHOOK_FAILING_MS;
  return {
    state: after === undefined ? "failed" : "waiting",
    nextAt: Math.max(before.firstAt + (after ?? 0), now + Math.max(wait, 5 * SECOND)),
    failingSince,
    pausedUntil: shouldPauseEndpoint(status) ? now + Math.max(wait, PAUSE) : undefined,
    disable: status === 410 ? "gone" : isTooLong ? "failing" : undefined,
  };
}

// Whether other deliveries to the same endpoint would fail too. A rejection of a single event doesn't delay others.
function shouldPauseEndpoint(status: number | undefined): boolean {
  return status === undefined || status === 429 || status >= 500;
}

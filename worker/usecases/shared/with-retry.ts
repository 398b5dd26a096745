import { DatabaseOverloadedError, isTaxChainMoved, isTransientDatabaseError } from "#worker/store/failures.ts";

export interface RetryOptions<T> {
  /** Maximum number of attempts. */
  readonly attempts?: number;
  /** Whether a failure may be temporary. Other failures end the work immediately. */
  readonly isWorthRetrying?: (error: unknown) => boolean;
  /** Result if concurrent changes always came first. Without it, an overload error is thrown. */
  readonly whenExhausted?: () => T;
}

const ATTEMPTS = 4;
/**
 * Attempts of a change that other changes of the same row come before. One of them succeeds each time, so as many
 * parallel changes all succeed.
 */
export const CONFLICT_ATTEMPTS = 120;
const PASSING_FAULTS = 3;
const FIRST_WAIT_MILLISECONDS = 40;
const MAX_DOUBLINGS = 3;

/**
 * Repeats work. Retries immediately if it returns undefined because of a concurrent change. Waits a random, growing
 * time after a temporary failure. The work must be safe to repeat, even if it succeeded and only its answer was lost.
 */
export async function withRetry<T>(
  work: () => Promise<T | undefined>,
  { attempts = ATTEMPTS, isWorthRetrying = () => false, whenExhausted }: RetryOptions<T> = {},
): Promise<T> {
  let last: unknown;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (last !== undefined) await waitAfter(attempt - 1);
    try {
      const workResult = await work();
      if (workResult !== undefined) return workResult;
      last = undefined;
    } catch (error) {
      if (!canRepeat(error, isWorthRetrying)) throw error;
      last = error;
    }
  }
  if (last === undefined && whenExhausted) return whenExhausted();
  throw toExhausted(last);
}

/**
 * Returns which failures to retry, for one operation: conflicts with other changes always, temporary faults only a few
 * times.
 */
export function createPatience(
  isPassing: (error: unknown) => boolean,
  isConflict: (error: unknown) => boolean,
): (error: unknown) => boolean {
  let remainingFaults = PASSING_FAULTS;
  return (error) => (isPassing(error) ? remainingFaults-- > 0 : isConflict(error));
}

// Doesn't repeat work that failed because an inner `withRetry` has already used all its attempts.
function canRepeat(error: unknown, isWorthRetrying: (error: unknown) => boolean): boolean {
  return !(error instanceof RetriesExhausted) && isWorthRetrying(error);
}

// Temporary errors are rethrown unchanged. Constant concurrent changes become an overload error.
function toExhausted(last: unknown): unknown {
  const message = "what is to be changed changes faster than it can be saved";
  return isTransientDatabaseError(last) && !isTaxChainMoved(last)
    ? last
    : new RetriesExhausted(message, { cause: last });
}

/** Error if concurrent changes always came first. Outer retries don't repeat it. */
class RetriesExhausted extends DatabaseOverloadedError {}

function waitAfter(attempt: number): Promise<void> {
  const maxDelayMs = FIRST_WAIT_MILLISECONDS * 2 ** Math.min(attempt - 1, MAX_DOUBLINGS);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * maxDelayMs));
}

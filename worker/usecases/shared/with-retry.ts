import { DatabaseOverloaded, isTransient } from "#worker/store/failures.ts";

export interface RetryOptions<T> {
  /** How often the work is done at most. */
  readonly attempts?: number;
  /** Which failures may pass; every other one ends the work at once. */
  readonly isWorthRetrying?: (error: unknown) => boolean;
  /** What is answered where others always came first; without it that is a database that sheds load. */
  readonly whenExhausted?: () => T;
}

const ATTEMPTS = 4;
const FIRST_WAIT_MILLISECONDS = 40;
const MAX_DOUBLINGS = 3;

/**
 * Does a piece of work again: at once where it answers undefined, because others changed meanwhile what it was decided
 * on; after a random and growing wait where it failed in a way that may pass. For work that is harmless to repeat even
 * when it was done and only its answer was lost.
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
      if (!isWorthRetrying(error)) throw error;
      last = error;
    }
  }
  if (last === undefined && whenExhausted) return whenExhausted();
  throw toExhausted(last);
}

// What passes by itself says so; what others always came before sheds load.
function toExhausted(last: unknown): unknown {
  const message = "what is to be changed changes faster than it can be saved";
  return isTransient(last) ? last : new DatabaseOverloaded(message, { cause: last });
}

function waitAfter(attempt: number): Promise<void> {
  const maxDelayMs = FIRST_WAIT_MILLISECONDS * 2 ** Math.min(attempt - 1, MAX_DOUBLINGS);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * maxDelayMs));
}

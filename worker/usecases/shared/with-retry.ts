import { DatabaseOverloaded } from "#worker/store/failures.ts";

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
const MOST_DOUBLINGS = 3;

/**
 * Does a piece of work again: at once where it answers undefined, because others changed meanwhile what it was decided
 * on; after a random and growing wait where it failed in a way that may pass. For work that is harmless to repeat even
 * when it was done and only its answer was lost.
 */
export async function withRetry<T>(
  work: () => Promise<T | undefined>,
  { attempts = ATTEMPTS, isWorthRetrying = () => false, whenExhausted }: RetryOptions<T> = {},
): Promise<T> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      const done = await work();
      if (done !== undefined) return done;
    } catch (error) {
      if (attempt === attempts || !isWorthRetrying(error)) throw error;
      await new Promise((resolve) =>
        setTimeout(resolve, Math.random() * FIRST_WAIT_MILLISECONDS * 2 ** Math.min(attempt - 1, MOST_DOUBLINGS)),
      );
    }
  }
  if (whenExhausted) return whenExhausted();
  throw new DatabaseOverloaded("what is to be changed changes faster than it can be saved");
}

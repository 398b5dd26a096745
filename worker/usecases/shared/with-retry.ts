const ATTEMPTS = 4;
const FIRST_WAIT_MILLISECONDS = 40;

/**
 * Does a piece of work again when it failed in a way that may pass, after a random and growing wait. For work that is harmless to
 * repeat even when it was done and only its answer was lost.
 */
export async function withRetry<T>(work: () => Promise<T>, isWorthRetrying: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isWorthRetrying(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * FIRST_WAIT_MILLISECONDS * 2 ** (attempt - 1)));
    }
  }
}

/**
 * Lets waiting requests use the thread, which several accounts share. Call it between steps of a few
 * milliseconds. It uses a timer, because code after a resolved promise runs before any waiting request.
 */
export function yieldToOtherRequests(milliseconds = 0): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/**
 * Lets waiting requests use the thread between two pieces of a long file. It pauses five times as long as a
 * piece takes. Without a longer pause, a request would wait for a piece after each of its many short steps.
 */
export const yieldDuringLargeFile = (): Promise<void> => yieldToOtherRequests(5);

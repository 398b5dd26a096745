/**
 * Lets waiting requests use the thread, which several accounts share. Call it between steps of a few milliseconds. A
 * timer, because a resolved promise continues before anything else.
 */
export function pauseWorker(milliseconds = 0): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/**
 * Lets waiting requests use the thread between the pieces of a long file, about five times as long as a piece takes. A
 * request consists of many short steps, and a piece would otherwise follow each of them.
 */
export const pauseUpload = (): Promise<void> => pauseWorker(5);

/**
 * Lets waiting requests use the thread, which several accounts share. Call it between steps of a few milliseconds. A
 * timer, because a resolved promise continues before anything else.
 */
export function pauseWorker(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

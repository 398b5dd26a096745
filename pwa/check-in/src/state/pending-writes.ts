// Queue of writes, so that a later change is never overwritten by an earlier one.
let writing: Promise<unknown> = Promise.resolve();

/** Runs a write after all earlier ones. */
export function runWriteInOrder<T>(write: () => Promise<T>): Promise<T> {
  const queuedWrite = writing.then(write);
  writing = queuedWrite.catch(() => undefined);
  return queuedWrite;
}

const captures = new Set<Promise<unknown>>();

/** Registers a picture that is being saved. Its work can't be finished before. */
export function trackCapture<T>(capture: Promise<T>): Promise<T> {
  captures.add(capture);
  const removeCapture = () => void captures.delete(capture);
  capture.then(removeCapture, removeCapture);
  return capture;
}

/** Resolves once all pictures and changes are on disk. */
export async function waitForPendingWrites(): Promise<void> {
  while (captures.size > 0) await Promise.allSettled(captures);
  await runWriteInOrder(async () => undefined);
}

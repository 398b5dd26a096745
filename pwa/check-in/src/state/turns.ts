// One write after the other: a later change must not be overtaken by an earlier one.
let writing: Promise<unknown> = Promise.resolve();

/** Runs a write after those before it. */
export function runInOrder<T>(write: () => Promise<T>): Promise<T> {
  const queuedWrite = writing.then(write);
  writing = queuedWrite.catch(() => undefined);
  return queuedWrite;
}

const captures = new Set<Promise<unknown>>();

/** A picture on its way to the disk: the work that it belongs to is not finished before. */
export function capturing<T>(capture: Promise<T>): Promise<T> {
  captures.add(capture);
  const removeCapture = () => void captures.delete(capture);
  capture.then(removeCapture, removeCapture);
  return capture;
}

/** Resolves when every picture is with its work and every change is on the disk. */
export async function settled(): Promise<void> {
  while (captures.size > 0) await Promise.allSettled(captures);
  await runInOrder(async () => undefined);
}

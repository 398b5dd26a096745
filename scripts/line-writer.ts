import type { Writable } from "node:stream";

/** Writes lines to a stream and drops them while it's blocked, so that the writer never waits. */
export function createDroppingLineWriter(stream: Writable): (line: string) => void {
  let isFull = false;
  let dropped = 0;
  return (line) => {
    if (isFull) {
      dropped += 1;
      return;
    }
    const dropNotice = dropped > 0 ? `(${dropped} lines were dropped: nobody read them)\n` : "";
    dropped = 0;
    isFull = !stream.write(`${dropNotice}${line}\n`);
    if (!isFull) return;
    stream.once("drain", () => {
      isFull = false;
    });
  };
}

/** Returns a line writer for this process's output that never blocks on a full pipe. */
export function createOutputLineWriter(): (line: string) => void {
  const { stdout } = process;
  // Node writes to pipes synchronously, so a paused pager would block the server.
  const handle: { setBlocking?(isBlocking: boolean): void } | null | undefined = Reflect.get(stdout, "_handle");
  if (!stdout.isTTY) handle?.setBlocking?.(false);
  return createDroppingLineWriter(stdout);
}

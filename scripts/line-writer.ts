import type { Writable } from "node:stream";

/** Writes lines to a stream and drops them while nobody reads: what writes them never waits for their reader. */
export function lineWriter(stream: Writable): (line: string) => void {
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

/** The lines of this process, which a pipe that is full does not keep waiting. */
export function ownLines(): (line: string) => void {
  const { stdout } = process;
  // Node writes to pipes synchronously: a pager that is held would hold the whole server.
  const handle: { setBlocking?(isBlocking: boolean): void } | null | undefined = Reflect.get(stdout, "_handle");
  if (!stdout.isTTY) handle?.setBlocking?.(false);
  return lineWriter(stdout);
}

import { createGunzip, createInflate, createInflateRaw } from "node:zlib";

const DECOMPRESSORS = { deflate: createInflate, "deflate-raw": createInflateRaw, gzip: createGunzip } as const;

/**
 * Decompression for Node. Node 24's own stream throws an uncaught error if it's cancelled while more data
 * is decompressed. The runtime of Workers has another implementation (test/api/check-in/files.test.ts).
 */
class CancellableDecompressionStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;

  constructor(format: keyof typeof DECOMPRESSORS) {
    const inflate = DECOMPRESSORS[format]();
    let isCancelled = false;
    this.readable = new ReadableStream({
      start: (controller) => {
        inflate.on("data", (chunk: Uint8Array) => {
          if (isCancelled) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) inflate.pause();
        });
        inflate.on("end", () => isCancelled || controller.close());
        inflate.on("error", (error) => isCancelled || controller.error(error));
        inflate.pause();
      },
      pull: () => void inflate.resume(),
      cancel: () => {
        isCancelled = true;
        inflate.destroy();
      },
    });
    this.writable = new WritableStream({
      write: (chunk) =>
        new Promise((resolve, reject) => inflate.write(chunk, (error) => (error ? reject(error) : resolve()))),
      close: () => void inflate.end(),
      abort: () => void inflate.destroy(),
    });
  }
}

/** Replaces Node's decompression stream in this thread. */
export function installDecompressionStream(): void {
  Object.assign(globalThis, { DecompressionStream: CancellableDecompressionStream });
}

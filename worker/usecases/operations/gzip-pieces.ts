import { constants, crc32, deflateRawSync } from "node:zlib";

/** Totals of the packed data so far, as needed for the end of a gzip file. */
export interface GzipTotals {
  /** Bytes before they were packed. */
  readonly length: number;
  readonly crc: number;
}

export const NO_GZIP_TOTALS: GzipTotals = { length: 0, crc: 0 };

/** Piece of a gzip file, and the totals including it. */
export interface GzipPiece {
  readonly bytes: Uint8Array;
  readonly addToTotals: (before: GzipTotals) => GzipTotals;
}

/**
 * Deflates a text into a separate piece that ends on a byte boundary and leaves the stream open. Concatenated pieces
 * form one stream, even if created in different invocations.
 */
export function deflateToPiece(text: string): GzipPiece {
  const plain = new TextEncoder().encode(text);
  return {
    bytes: deflateRawSync(plain, { finishFlush: constants.Z_FULL_FLUSH }),
    addToTotals: ({ length, crc }) => ({ length: length + plain.length, crc: crc32(plain, crc) }),
  };
}

// gzip header without name, time and operating system.
const HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
/** Empty final block that ends a stream of pieces. */
export const LAST_DEFLATE_BLOCK = Uint8Array.of(3, 0);
const TAIL_BYTES = 8;

/** Combines pieces into a gzip file. Reads the totals after the last piece. */
export function joinToGzip(pieces: AsyncIterable<Uint8Array>, packed: () => GzipTotals): ReadableStream<Uint8Array> {
  async function* file() {
    yield HEAD;
    yield* pieces;
    yield LAST_DEFLATE_BLOCK;
    const tail = new DataView(new ArrayBuffer(TAIL_BYTES));
    const { crc, length } = packed();
    tail.setUint32(0, crc, true);
    tail.setUint32(TAIL_BYTES / 2, length % 2 ** 32, true);
    yield new Uint8Array(tail.buffer);
  }
  return toReadableStream(file());
}

/** Converts chunks to a stream that requests the next chunk when read. */
export function toReadableStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await chunks.return(undefined);
    },
  });
}

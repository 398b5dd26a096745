import { constants, crc32, deflateRawSync } from "node:zlib";

/** How much is packed so far: what the end of a gzip file says of all of it. */
export interface Packed {
  /** Bytes before they were packed. */
  readonly length: number;
  readonly crc: number;
}

export const NOTHING_PACKED: Packed = { length: 0, crc: 0 };

/** A piece of a gzip file, and what is packed with it after some that was packed before. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly after: (before: Packed) => Packed;
}

/**
 * A text deflated in a piece of its own, which ends on a byte and leaves the stream open: pieces behind each other are
 * one stream, in whichever invocation each was made.
 */
export function deflated(text: string): Piece {
  const plain = new TextEncoder().encode(text);
  return {
    bytes: deflateRawSync(plain, { finishFlush: constants.Z_FULL_FLUSH }),
    after: ({ length, crc }) => ({ length: length + plain.length, crc: crc32(plain, crc) }),
  };
}

// No name, no time, of no system in particular.
const HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
/** A last block with nothing in it: what ends a stream of pieces. */
export const LAST_BLOCK = Uint8Array.of(3, 0);
const TAIL_BYTES = 8;

/** Pieces as a gzip file; what they are in all is asked when they are through. */
export function asGzip(pieces: AsyncIterable<Uint8Array>, packed: () => Packed): ReadableStream<Uint8Array> {
  async function* file() {
    yield HEAD;
    yield* pieces;
    yield LAST_BLOCK;
    const tail = new DataView(new ArrayBuffer(TAIL_BYTES));
    const { crc, length } = packed();
    tail.setUint32(0, crc, true);
    tail.setUint32(TAIL_BYTES / 2, length % 2 ** 32, true);
    yield new Uint8Array(tail.buffer);
  }
  return toReadableStream(file());
}

/** Chunks as a stream that asks for the next one when it is read. */
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

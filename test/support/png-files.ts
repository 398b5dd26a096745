import { crc32, deflateSync } from "node:zlib";
import { joinBytes } from "./images.ts";

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitDepth?: number;
  readonly colorType?: number;
  readonly interlace?: number;
}

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

const bigEndian = (value: number) => Uint8Array.of(value >>> 24, value >> 16, value >> 8, value);

export function createPngChunk(name: string, content: Uint8Array = new Uint8Array()): Uint8Array {
  const checked = joinBytes(new TextEncoder().encode(name), content);
  return joinBytes(bigEndian(content.length), checked, bigEndian(crc32(checked)));
}

export function createPngHeader({ width, height, bitDepth = 8, colorType = 2, interlace = 0 }: Header): Uint8Array {
  return createPngChunk(
    "IHDR",
    joinBytes(bigEndian(width), bigEndian(height), Uint8Array.of(bitDepth, colorType, 0, 0, interlace)),
  );
}

/** Creates the pixel data of an RGB image: black, with a filter byte for each row. */
export function createBlackPixels({ width, height }: Header): Uint8Array {
  return new Uint8Array(deflateSync(new Uint8Array((1 + width * 3) * height)));
}

/** Creates a black RGB image that decoders accept, with more chunks before its data. */
export function createBlackPng(header: Header, ...others: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joinBytes(
    PNG_SIGNATURE,
    createPngHeader(header),
    ...others,
    createPngChunk("IDAT", createBlackPixels(header)),
    createPngChunk("IEND"),
  );
}

/** Creates a PNG whose text has no terminating zero byte. Decoders search for it beyond the end of the file. */
export function createPngWithUnterminatedText(): Uint8Array<ArrayBuffer> {
  const size = { width: 8, height: 8 };
  const text = createPngChunk("iTXt", new Uint8Array(60).fill(0x41));
  return joinBytes(
    PNG_SIGNATURE,
    createPngHeader(size),
    createPngChunk("IDAT", createBlackPixels(size)),
    text,
    createPngChunk("IEND"),
  );
}

/** Creates a small image with animation frames of another size. */
export function createAnimatedPng(size: Header, frame: Header, frames: number): Uint8Array<ArrayBuffer> {
  const control = joinBytes(new Uint8Array(4), bigEndian(frame.width), bigEndian(frame.height), new Uint8Array(14));
  const data = joinBytes(new Uint8Array(4), createBlackPixels(frame));
  const animation = Array.from({ length: frames }, () => [
    createPngChunk("fcTL", control),
    createPngChunk("fdAT", data),
  ]).flat();
  return createBlackPng(size, createPngChunk("acTL", joinBytes(bigEndian(frames), new Uint8Array(4))), ...animation);
}

/** Creates a gray image of 20,000 × 153 pixels with ten times as many pixels in its data. */
export function createPngWithExcessPixels(): Uint8Array<ArrayBuffer> {
  const header = createPngHeader({ width: 20_000, height: 153, colorType: 0 });
  const data = createPngChunk("IDAT", deflateSync(new Uint8Array(30_000_000)));
  return joinBytes(PNG_SIGNATURE, header, data, createPngChunk("IEND"));
}

/** Creates an image with fewer pixels than its header declares. */
export function createPngWithMissingPixels(size = { width: 60, height: 20 }): Uint8Array<ArrayBuffer> {
  const data = createPngChunk("IDAT", createBlackPixels({ width: 6, height: 2 }));
  return joinBytes(PNG_SIGNATURE, createPngHeader(size), data, createPngChunk("IEND"));
}

import { deflateSync } from "node:zlib";

interface Size {
  readonly width: number;
  readonly height: number;
}

const JFIF = [0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0];

/** Creates a structurally valid JPEG: a frame header with the size, and a scan of noise. */
export function createJpeg({
  width,
  height,
  seed,
  bytes = 200,
}: Size & { readonly seed: number; readonly bytes?: number }): Uint8Array<ArrayBuffer> {
  const frame = [0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0];
  const scan = Array.from({ length: bytes }, (_, index) => (seed * 31 + index * 7) % 251);
  return Uint8Array.from([0xff, 0xd8, ...JFIF, ...frame, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, ...scan, 0xff, 0xd9]);
}

/** Pixels of an image that isn't worth its memory in a test. */
const MAX_PIXELS = 1_000_000;

/** Creates a PNG: a header with the size, black pixels unless there are too many, and an end. */
export function createPng({ width, height }: Size): Uint8Array<ArrayBuffer> {
  const number = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
  const text = (letters: string) => [...letters].map((letter) => letter.charCodeAt(0));
  const chunk = (name: string, data: readonly number[]) => [...number(data.length), ...text(name), ...data, 0, 0, 0, 0];
  const header = chunk("IHDR", [...number(width), ...number(height), 8, 2, 0, 0, 0]);
  return Uint8Array.from([
    0x89,
    ...text("PNG"),
    13,
    10,
    26,
    10,
    ...header,
    ...chunk(
      "IDAT",
      width * height > MAX_PIXELS ? [1, 2, 3] : [...deflateSync(new Uint8Array((1 + width * 3) * height))],
    ),
    ...chunk("IEND", []),
  ]);
}

const toBytes = (letters: string) => new TextEncoder().encode(letters);
const toLittleEndian = (value: number, bytes: number) =>
  Uint8Array.from({ length: bytes }, (_, index) => (value >> (8 * index)) & 255);

/** Creates a chunk of a WebP. */
export function createWebpChunk(name: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  return joinBytes(toBytes(name), toLittleEndian(content.length, 4), content, new Uint8Array(content.length % 2));
}

/** Creates a file of WebP chunks. */
export function createWebpFile(...chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = joinBytes(toBytes("WEBP"), ...chunks);
  return joinBytes(toBytes("RIFF"), toLittleEndian(body.length, 4), body);
}

/** Creates the canvas of a WebP in extended format. */
export function createWebpCanvas({ width, height }: Size, flags = 0): Uint8Array<ArrayBuffer> {
  return createWebpChunk(
    "VP8X",
    joinBytes(toLittleEndian(flags, 4), toLittleEndian(width - 1, 3), toLittleEndian(height - 1, 3)),
  );
}

/** Creates a lossy image of a WebP: a key frame whose pixels are missing. */
export function createWebpFrame({ width, height }: Size): Uint8Array<ArrayBuffer> {
  return createWebpChunk(
    "VP8 ",
    joinBytes(
      toLittleEndian(0x10, 3),
      Uint8Array.of(0x9d, 1, 0x2a),
      toLittleEndian(width, 2),
      toLittleEndian(height, 2),
      Uint8Array.of(1, 2),
    ),
  );
}

/** Creates a structurally valid WebP in extended format. */
export function createWebp(size: Size): Uint8Array<ArrayBuffer> {
  return createWebpFile(createWebpCanvas(size), createWebpFrame(size));
}

/**
 * Creates a structurally valid HEIC: a brand, the size in its item properties, and data that only Apple's browser
 * decodes.
 */
export function createHeic({
  width,
  height,
  brand = "heic",
  bytes = 64,
}: Size & { readonly brand?: string; readonly bytes?: number }): Uint8Array<ArrayBuffer> {
  const box = (name: string, content: Uint8Array) => {
    const boxBytes = new Uint8Array(8 + content.length);
    new DataView(boxBytes.buffer).setUint32(0, boxBytes.length);
    boxBytes.set(new TextEncoder().encode(name), 4);
    boxBytes.set(content, 8);
    return boxBytes;
  };
  const size = new Uint8Array(12);
  new DataView(size.buffer).setUint32(4, width);
  new DataView(size.buffer).setUint32(8, height);
  const meta = box("meta", joinBytes(Uint8Array.of(0, 0, 0, 0), box("iprp", box("ipco", box("ispe", size)))));
  const type = box("ftyp", new TextEncoder().encode(`${brand}\0\0\0\0mif1heic`));
  return joinBytes(type, meta, box("mdat", new Uint8Array(bytes)));
}

/** Images of other formats, which the platform can't rebuild. */
export const OTHER_IMAGES: [format: string, bytes: Uint8Array][] = [
  [
    "GIF",
    joinBytes(
      toBytes("GIF89a"),
      Uint8Array.of(1, 0, 1, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 68, 1, 0, 59),
    ),
  ],
  ["BMP", joinBytes(toBytes("BM"), new Uint8Array(60))],
  ["TIFF", joinBytes(toBytes("II*\0"), new Uint8Array(60))],
  ["AVIF", createHeic({ width: 640, height: 480, brand: "avif" })],
  ["SVG", toBytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>')],
  [
    "moving WebP",
    createWebpFile(createWebpCanvas({ width: 9, height: 9 }, 2), createWebpFrame({ width: 9, height: 9 })),
  ],
];

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

import { concatenateBytes, encodeLatin1, readFourCharacterCode, toDataView } from "#domain/bytes.ts";

const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const MAX_CHUNKS = 1_000;
const ANIMATION_FLAG = 0x02;
const ALPHA_FLAG = 0x10;
const FRAME_HEADER_BYTES = 10;
const LOSSLESS_HEADER_BYTES = 5;
const LOSSLESS_SIGNATURE = 0x2f;
const START_CODE = 0x9d012a;

interface Chunk {
  readonly name: string;
  readonly content: Uint8Array;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** WebP that contains nothing but one still image. Its bytes are copied when they're read. */
export interface WebpWithoutMetadata extends Size {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Rebuilds a WebP from its image and its transparency, with the size of the image itself. Undefined for an animation,
 * for several images, and for a canvas of another size. Color profiles, texts and places are left out.
 */
export function removeWebpMetadata(bytes: Uint8Array): WebpWithoutMetadata | undefined {
  const chunks = listChunks(bytes);
  const images = chunks?.filter(({ name }) => name === "VP8 " || name === "VP8L") ?? [];
  const [image, ...others] = images;
  if (!chunks || !image || others.length > 0) return undefined;
  const size = readImageSize(image);
  if (!size || !hasCanvasSize(size, chunks)) return undefined;
  const alphas = chunks.filter(({ name }) => name === "ALPH");
  const hasAlpha = alphas.length === 1 && image.name === "VP8 " && chunks[0]?.name === "VP8X";
  const parts = hasAlpha ? [createCanvas(size), ...alphas, image] : [image];
  return {
    ...size,
    get bytes() {
      return join(parts);
    },
  };
}

// Undefined unless the chunks fill the file. Some programs leave out the last byte that makes a chunk's length even.
function listChunks(bytes: Uint8Array): readonly Chunk[] | undefined {
  const view = toDataView(bytes);
  if (
    bytes.length < RIFF_HEADER_BYTES ||
    readFourCharacterCode(view, 0) !== "RIFF" ||
    readFourCharacterCode(view, 8) !== "WEBP"
  )
    return undefined;
  const length = view.getUint32(4, true) + CHUNK_HEADER_BYTES;
  if (length !== bytes.length && length + 1 !== bytes.length) return undefined;
  const chunks: Chunk[] = [];
  for (let at = RIFF_HEADER_BYTES; at < length; ) {
    if (at + CHUNK_HEADER_BYTES > length || chunks.length === MAX_CHUNKS) return undefined;
    const start = at + CHUNK_HEADER_BYTES;
    const end = start + view.getUint32(at + 4, true);
    if (end > length) return undefined;
    chunks.push({ name: readFourCharacterCode(view, at), content: bytes.subarray(start, end) });
    at = end + (end % 2);
  }
  return chunks;
}

function readImageSize({ name, content }: Chunk): Size | undefined {
  const view = toDataView(content);
  return name === "VP8L" ? readLosslessSize(view) : readFrameSize(view);
}

// RFC 9649. A key frame starts with its first partition's length.
function readFrameSize(view: DataView): Size | undefined {
  if (view.byteLength <= FRAME_HEADER_BYTES) return undefined;
  const tag = view.getUint8(0) | (view.getUint8(1) << 8) | (view.getUint8(2) << 16);
  const isKeyFrame = (tag & 1) === 0 && view.getUint32(2) % 0x1000000 === START_CODE;
  if (!isKeyFrame || tag >> 5 > view.byteLength - FRAME_HEADER_BYTES) return undefined;
  return toSize(view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff);
}

function readLosslessSize(view: DataView): Size | undefined {
  if (view.byteLength <= LOSSLESS_HEADER_BYTES || view.getUint8(0) !== LOSSLESS_SIGNATURE) return undefined;
  const bits = view.getUint32(1, true);
  return bits >>> 29 === 0 ? toSize((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1) : undefined;
}

const toSize = (width: number, height: number) => (width > 0 && height > 0 ? { width, height } : undefined);

function hasCanvasSize({ width, height }: Size, chunks: readonly Chunk[]): boolean {
  const canvases = chunks.filter(({ name }) => name === "VP8X");
  const [canvas] = canvases;
  if (!canvas) return true;
  const { content } = canvas;
  if (canvases.length > 1 || chunks[0] !== canvas || content.length !== 10) return false;
  const view = toDataView(content);
  const isStill = (view.getUint8(0) & ANIMATION_FLAG) === 0 && !chunks.some(({ name }) => name.startsWith("AN"));
  const isWide = view.getUint16(4, true) + (view.getUint8(6) << 16) + 1 === width;
  return isStill && isWide && view.getUint16(7, true) + (view.getUint8(9) << 16) + 1 === height;
}

function createCanvas({ width, height }: Size): Chunk {
  const content = new Uint8Array(10);
  const view = new DataView(content.buffer);
  view.setUint8(0, ALPHA_FLAG);
  view.setUint16(4, width - 1, true);
  view.setUint16(7, height - 1, true);
  return { name: "VP8X", content };
}

function join(chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> {
  const parts = chunks.flatMap(({ name, content }) => [
    toHeader(name, content.length),
    content,
    new Uint8Array(content.length % 2),
  ]);
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return concatenateBytes([toHeader("RIFF", length), encodeLatin1("WEBP"), ...parts]);
}

function toHeader(name: string, length: number): Uint8Array {
  const header = new Uint8Array(CHUNK_HEADER_BYTES);
  header.set(encodeLatin1(name));
  new DataView(header.buffer).setUint32(4, length, true);
  return header;
}

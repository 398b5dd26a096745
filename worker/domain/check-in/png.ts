import { concatenateBytes, readFourCharacterCode, toDataView } from "#domain/bytes.ts";

/** Checked PNG. Its bytes contain only the chunks that a decoder needs. They're copied when they're read. */
export interface PngWithoutMetadata {
  readonly width: number;
  readonly height: number;
  /** File with the chunks IHDR, PLTE, tRNS, IDAT and IEND. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Compressed pixel data: the content of all IDAT chunks. */
  readonly compressed: Uint8Array<ArrayBuffer>;
  /** Length of the pixel data after decompression, with the filter byte of each row. */
  readonly decompressedLength: number;
}

/** Size and colour format from the header of a PNG image. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colorType: number;
  readonly isInterlaced: boolean;
}

interface Chunk {
  readonly name: string;
  /** Positions of the chunk in the file, and of its content. */
  readonly start: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly end: number;
}

interface PngChunks {
  readonly header: PngHeader;
  /** Chunks of the first image. Text, animation frames and other optional chunks are omitted. */
  readonly needed: readonly Chunk[];
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Number of bytes of a chunk's length, name and checksum. */
const CHUNK_FRAME_BYTES = 12;
/** Encoders write chunks of at least 8 KiB, so that a file of 10 MiB has about 1,300. */
const MAX_CHUNKS = 20_000;
const MAX_SIDE = 0x7fff_ffff;
const MAX_PALETTE_BYTES = 768;
const NEEDED_CHUNKS = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"];

/** Valid bit depths and channels by color type (PNG specification, 11.2.1). */
const COLOR_TYPES: Readonly<Record<number, { readonly bitDepths: readonly number[]; readonly channels: number }>> = {
  0: { bitDepths: [1, 2, 4, 8, 16], channels: 1 },
  2: { bitDepths: [8, 16], channels: 3 },
  3: { bitDepths: [1, 2, 4, 8], channels: 1 },
  4: { bitDepths: [8, 16], channels: 2 },
  6: { bitDepths: [8, 16], channels: 4 },
};

/** Parses the header of a PNG and checks the order and lengths of its chunks. Undefined for an invalid file. */
export function readPngHeader(bytes: Uint8Array): PngHeader | undefined {
  return readChunks(bytes)?.header;
}

/**
 * Rebuilds a PNG from the chunks that a decoder needs. Undefined for an invalid file. Decoders of the other chunks can
 * loop, and animation frames can be larger than the header's size. Checksums are copied unchecked.
 */
export function removePngMetadata(bytes: Uint8Array): PngWithoutMetadata | undefined {
  const chunks = readChunks(bytes);
  if (!chunks) return undefined;
  const { header, needed } = chunks;
  const parts = needed.map(({ start, end }) => bytes.subarray(start, end));
  const data = needed.filter(({ name }) => name === "IDAT");
  return {
    width: header.width,
    height: header.height,
    decompressedLength: decompressedLength(header),
    get bytes() {
      return concatenateBytes([Uint8Array.from(SIGNATURE), ...parts]);
    },
    get compressed() {
      return concatenateBytes(data.map(({ contentStart, contentEnd }) => bytes.subarray(contentStart, contentEnd)));
    },
  };
}

function readChunks(bytes: Uint8Array): PngChunks | undefined {
  const chunks = listChunks(bytes);
  const [first] = chunks ?? [];
  const header = first && readHeader(toDataView(bytes), first);
  if (!chunks || !header) return undefined;
  const needed: Chunk[] = [];
  const counts: Record<string, number> = {};
  for (const chunk of chunks) {
    if (!isInPlace(chunk, header, counts)) return undefined;
    if (!NEEDED_CHUNKS.includes(chunk.name)) continue;
    needed.push(chunk);
    counts[chunk.name] = (counts[chunk.name] ?? 0) + 1;
  }
  return { header, needed };
}

// The last chunk is IEND and ends with the file.
function listChunks(bytes: Uint8Array): readonly Chunk[] | undefined {
  if (SIGNATURE.some((byte, index) => bytes[index] !== byte)) return undefined;
  const view = toDataView(bytes);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; chunks.length < MAX_CHUNKS; ) {
    const chunk = readChunk(view, at);
    if (!chunk) return undefined;
    chunks.push(chunk);
    at = chunk.end;
    if (chunk.name === "IEND") return at === bytes.byteLength ? chunks : undefined;
  }
  return undefined;
}

function readChunk(view: DataView, start: number): Chunk | undefined {
  if (start + CHUNK_FRAME_BYTES > view.byteLength) return undefined;
  const end = start + CHUNK_FRAME_BYTES + view.getUint32(start);
  if (end > view.byteLength) return undefined;
  return { name: readFourCharacterCode(view, start + 4), start, contentStart: start + 8, contentEnd: end - 4, end };
}

function readHeader(view: DataView, { name, contentStart, contentEnd }: Chunk): PngHeader | undefined {
  if (name !== "IHDR" || contentEnd - contentStart !== 13) return undefined;
  const [width, height] = [view.getUint32(contentStart), view.getUint32(contentStart + 4)];
  const [bitDepth, colorType, compression, filter, interlace] = [8, 9, 10, 11, 12].map((offset) =>
    view.getUint8(contentStart + offset),
  ) as [number, number, number, number, number];
  const isValid =
    [width, height].every((side) => side > 0 && side <= MAX_SIDE) &&
    COLOR_TYPES[colorType]?.bitDepths.includes(bitDepth) &&
    compression === 0 &&
    filter === 0 &&
    interlace <= 1;
  return isValid ? { width, height, bitDepth, colorType, isInterlaced: interlace === 1 } : undefined;
}

// `counts` contains the number of needed chunks before this one.
function isInPlace(chunk: Chunk, header: PngHeader, counts: Readonly<Record<string, number>>): boolean {
  const length = chunk.contentEnd - chunk.contentStart;
  switch (chunk.name) {
    case "IHDR":
      return !counts["IHDR"];
    case "PLTE":
      return !counts["PLTE"] && !counts["IDAT"] && length > 0 && length <= MAX_PALETTE_BYTES && length % 3 === 0;
    case "tRNS":
      return !counts["tRNS"] && !counts["IDAT"] && isTransparencyLength(length, header);
    case "IDAT":
      return header.colorType !== 3 || counts["PLTE"] === 1;
    case "IEND":
      return length === 0 && (counts["IDAT"] ?? 0) > 0;
    default:
      // Names of optional chunks start with a lowercase letter.
      return /^[a-z][A-Za-z]{3}$/.test(chunk.name);
  }
}

function isTransparencyLength(length: number, { colorType }: PngHeader): boolean {
  if (colorType === 3) return length <= MAX_PALETTE_BYTES / 3;
  return (colorType === 0 && length === 2) || (colorType === 2 && length === 6);
}

/** Start and step of each pass of an interlaced image: x, y, step of x, step of y. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function decompressedLength({ width, height, bitDepth, colorType, isInterlaced }: PngHeader): number {
  const bitsPerPixel = bitDepth * (COLOR_TYPES[colorType]?.channels ?? 4);
  const passes = isInterlaced ? ADAM7 : ([[0, 0, 1, 1]] as const);
  return passes.reduce((total, [x, y, stepX, stepY]) => {
    const [columns, rows] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)];
    return columns > 0 && rows > 0 ? total + (1 + Math.ceil((columns * bitsPerPixel) / 8)) * rows : total;
  }, 0);
}

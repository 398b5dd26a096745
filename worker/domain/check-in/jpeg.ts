import { concatenateBytes, toDataView } from "#domain/bytes.ts";
import { runWithoutPauses, type SlicedWork } from "#domain/run-in-slices.ts";

const START = 0xffd8;
const END = 0xd9;
const SCAN = 0xda;
const MIN_MARKER = 0xff01;
/** Huffman and quantization tables, and the restart interval. */
const NEEDED_SEGMENTS: ReadonlySet<number> = new Set([0xc4, 0xdb, 0xdd]);
/** Segments that describe the colors, by their code: JFIF without a thumbnail, and Adobe. */
const COLOR_SEGMENTS: ReadonlyMap<number, { readonly name: readonly number[]; readonly bytes: number }> = new Map([
  [0xe0, { name: [0x4a, 0x46, 0x49, 0x46, 0], bytes: 18 }],
  [0xee, { name: [0x41, 0x64, 0x6f, 0x62, 0x65], bytes: 16 }],
]);
const FIRST_OPTIONAL = 0xe0;
const EXIF = 0xe1;
const EXIF_NAME = [0x45, 0x78, 0x69, 0x66, 0, 0];
const ORIENTATION_TAG = 0x0112;
const UPRIGHT = 1;
const MAX_ORIENTATION = 8;
const COMMENT = 0xfe;
/**
 * Maximum number of scans of a progressive image. Encoders write about ten, and each takes as long to decode as the
 * image.
 */
const MAX_SCANS = 40;
const MAX_SEGMENTS = 10_000;

interface Segment {
  readonly code: number;
  readonly start: number;
  readonly end: number;
}

/** Whether a marker starts a frame, which contains the size of the image. */
export function isJpegFrameMarker(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
}

/** Coding of frames that browsers and PDF readers decode: baseline, extended and progressive with Huffman codes. */
const DISPLAYABLE_FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const BITS_PER_SAMPLE = 8;
/** Number of color components: gray, color, or CMYK. */
const COMPONENT_COUNTS: ReadonlySet<number> = new Set([1, 3, 4]);
const FRAME_HEADER_BYTES = 8;
const COMPONENT_BYTES = 3;

/**
 * Returns the size in the frame header that starts here. Undefined for an image that browsers and PDF readers don't
 * show: with arithmetic coding, lossless, or with 12 bits per color. A photo that nobody can see proves nothing.
 */
export function readJpegFrameSize(
  view: DataView,
  start: number,
): { readonly width: number; readonly height: number } | undefined {
  const components = view.getUint8(start + 9);
  const isDisplayable =
    DISPLAYABLE_FRAMES.has(view.getUint8(start + 1)) &&
    view.getUint16(start + 2) === FRAME_HEADER_BYTES + COMPONENT_BYTES * components &&
    view.getUint8(start + 4) === BITS_PER_SAMPLE &&
    COMPONENT_COUNTS.has(components);
  return isDisplayable ? { height: view.getUint16(start + 5), width: view.getUint16(start + 7) } : undefined;
}

/**
 * Rebuilds a JPEG from its tables, its frame and its scans. Undefined for an invalid file, or one with several frames.
 * Texts, thumbnails, places of photos and bytes after the image are left out. The orientation stays.
 */
export function removeJpegMetadata(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const parts = runWithoutPauses(listJpegPartsWithoutMetadata(bytes));
  return parts && concatenateBytes(parts);
}

/** Lists the parts of a JPEG that `removeJpegMetadata` joins. A file without anything else is one part. */
export function* listJpegPartsWithoutMetadata(bytes: Uint8Array): SlicedWork<readonly Uint8Array[] | undefined> {
  const view = toDataView(bytes);
  const segments = bytes.length >= 4 && view.getUint16(0) === START ? yield* listSegments(bytes) : undefined;
  if (!segments || !isOneImage(segments)) return undefined;
  const orientation = segments.map((segment) => readOrientation(view, segment)).find((value) => value !== undefined);
  const parts = segments.filter((segment) => isNeeded(segment) || isColorSegment(view, segment));
  if (parts.length === segments.length && segments.at(-1)?.end === bytes.length) return [bytes];
  // Exif follows JFIF.
  const isJfif = parts[0]?.code === 0xe0;
  const [first, ...others] = parts.map(({ start, end }) => bytes.subarray(start, end));
  const turned = orientation === undefined || orientation === UPRIGHT ? [] : [orientationSegment(orientation)];
  const head = [bytes.subarray(0, 2), ...(isJfif && first ? [first] : []), ...turned];
  return [...head, ...(isJfif || !first ? [] : [first]), ...others];
}

/** Returns the orientation of an Exif segment, from 1 to 8. Undefined for other segments and invalid ones. */
function readOrientation(view: DataView, { code, start, end }: Segment): number | undefined {
  const name = start + 4;
  const tiff = name + EXIF_NAME.length;
  if (code !== EXIF || end < tiff + 8 || !startsWith(view, name, EXIF_NAME)) return undefined;
  const isLittle = view.getUint16(tiff) === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, isLittle);
  if (directory + 2 > end) return undefined;
  const entries = view.getUint16(directory, isLittle);
  for (let index = 0; index < entries; index++) {
    const at = directory + 2 + index * 12;
    if (at + 12 > end) return undefined;
    if (view.getUint16(at, isLittle) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(at + 8, isLittle);
    return value >= UPRIGHT && value <= MAX_ORIENTATION ? value : undefined;
  }
  return undefined;
}

/** Returns an Exif segment with the orientation alone. */
function orientationSegment(orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const content = [...EXIF_NAME, ...tiff];
  return Uint8Array.from([0xff, EXIF, 0, content.length + 2, ...content]);
}

// Lists the segments up to the first marker for the end of the image. Undefined if the file is invalid.
function* listSegments(bytes: Uint8Array): SlicedWork<readonly Segment[] | undefined> {
  const view = toDataView(bytes);
  const segments: Segment[] = [];
  for (let at = 2; at + 2 <= view.byteLength && segments.length < MAX_SEGMENTS; ) {
    const segment = readSegment(view, at);
    if (!segment) return undefined;
    const end = segment.code === SCAN ? yield* findScanEnd(bytes, segment.end) : segment.end;
    segments.push({ ...segment, end });
    if (segment.code === END) return segments;
    at = end;
  }
  return undefined;
}

function isOneImage(segments: readonly Segment[]): boolean {
  const frame = segments.findIndex(({ code }) => isJpegFrameMarker(code));
  const scan = segments.findIndex(({ code }) => code === SCAN);
  const isKnown = ({ code }: Segment) => isNeeded({ code }) || (code >= FIRST_OPTIONAL && code <= COMMENT);
  return (
    frame >= 0 &&
    scan > frame &&
    !segments.slice(frame + 1).some(({ code }) => isJpegFrameMarker(code)) &&
    segments.filter(({ code }) => code === SCAN).length <= MAX_SCANS &&
    segments.every(isKnown)
  );
}

function isNeeded({ code }: Pick<Segment, "code">): boolean {
  return code === END || code === SCAN || isJpegFrameMarker(code) || NEEDED_SEGMENTS.has(code);
}

// A longer segment contains a thumbnail or a text.
function isColorSegment(view: DataView, { code, start, end }: Segment): boolean {
  const expected = COLOR_SEGMENTS.get(code);
  return end - start === expected?.bytes && startsWith(view, start + 4, expected.name);
}

function startsWith(view: DataView, start: number, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => view.getUint8(start + at) === byte);
}

function readSegment(view: DataView, start: number): Segment | undefined {
  const marker = view.getUint16(start);
  if (marker < MIN_MARKER) return undefined;
  const code = marker & 0xff;
  if (code === END) return { code, start, end: start + 2 };
  const end = start + 4 <= view.byteLength ? start + 2 + view.getUint16(start + 2) : Number.POSITIVE_INFINITY;
  if (end > view.byteLength || end < start + 4) return undefined;
  return { code, start, end };
}

/** Bytes 0xFF in compressed data that are checked in a millisecond. */
const CHECKS_PER_SLICE = 4_096;

// Compressed data ends at a marker. 0xFF00 is a byte of the data, 0xFFD0 to 0xFFD7 restart the decoder.
function* findScanEnd(bytes: Uint8Array, from: number): SlicedWork<number> {
  let checks = 0;
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
    if (++checks % CHECKS_PER_SLICE === 0) yield;
  }
  return Math.max(from, bytes.length - 1);
}

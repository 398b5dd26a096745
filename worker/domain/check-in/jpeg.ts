const START = 0xffd8;
const END = 0xd9;
const SCAN = 0xda;
const MIN_MARKER = 0xff01;
/** Huffman and quantization tables, restart interval, and the segments that tell the colors: JFIF and Adobe. */
const NEEDED_SEGMENTS: ReadonlySet<number> = new Set([0xc4, 0xdb, 0xdd, 0xe0, 0xee]);
const FIRST_OPTIONAL = 0xe1;
const COMMENT = 0xfe;
/** Scans of a progressive image. Encoders write about ten, and each is as much work as the image. */
const MAX_SCANS = 40;
const MAX_SEGMENTS = 10_000;

interface Segment {
  readonly code: number;
  readonly start: number;
  readonly end: number;
}

/** Whether a marker starts a frame, which contains the size of the image. */
export function isFrameMarker(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
}

/**
 * Rebuilds a JPEG from its tables, its frame and its scans. Undefined for an invalid file, or one with several frames.
 * Texts, thumbnails, places of photos and bytes after the image are left out.
 */
export function cleanJpeg(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments = bytes.length >= 4 && view.getUint16(0) === START ? listSegments(view) : undefined;
  return segments && isOneImage(segments) ? join(bytes, segments.filter(isNeeded)) : undefined;
}

// Ends at the first end of an image.
function listSegments(view: DataView): readonly Segment[] | undefined {
  const segments: Segment[] = [];
  for (let at = 2; at + 2 <= view.byteLength && segments.length < MAX_SEGMENTS; ) {
    const segment = readSegment(view, at);
    if (!segment) return undefined;
    segments.push(segment);
    if (segment.code === END) return segments;
    at = segment.end;
  }
  return undefined;
}

function isOneImage(segments: readonly Segment[]): boolean {
  const frame = segments.findIndex(({ code }) => isFrameMarker(code));
  const scan = segments.findIndex(({ code }) => code === SCAN);
  const isKnown = ({ code }: Segment) => isNeeded({ code }) || (code >= FIRST_OPTIONAL && code <= COMMENT);
  return (
    frame >= 0 &&
    scan > frame &&
    !segments.slice(frame + 1).some(({ code }) => isFrameMarker(code)) &&
    segments.filter(({ code }) => code === SCAN).length <= MAX_SCANS &&
    segments.every(isKnown)
  );
}

function isNeeded({ code }: Pick<Segment, "code">): boolean {
  return code === END || code === SCAN || isFrameMarker(code) || NEEDED_SEGMENTS.has(code);
}

function readSegment(view: DataView, start: number): Segment | undefined {
  const marker = view.getUint16(start);
  if (marker < MIN_MARKER) return undefined;
  const code = marker & 0xff;
  if (code === END) return { code, start, end: start + 2 };
  const end = start + 4 <= view.byteLength ? start + 2 + view.getUint16(start + 2) : Number.POSITIVE_INFINITY;
  if (end > view.byteLength || end < start + 4) return undefined;
  return { code, start, end: code === SCAN ? findScanEnd(view, end) : end };
}

// Compressed data ends at a marker. 0xFF00 is a byte of the data, 0xFFD0 to 0xFFD7 restart the decoder.
function findScanEnd(view: DataView, from: number): number {
  let at = from;
  for (; at + 1 < view.byteLength; at++) {
    if (view.getUint8(at) !== 0xff) continue;
    const next = view.getUint8(at + 1);
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return at;
}

function join(bytes: Uint8Array, segments: readonly Segment[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(2 + segments.reduce((total, { start, end }) => total + end - start, 0));
  all.set(bytes.subarray(0, 2));
  let at = 2;
  for (const { start, end } of segments) {
    all.set(bytes.subarray(start, end), at);
    at += end - start;
  }
  return all;
}

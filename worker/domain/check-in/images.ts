import { readFourCharacterCode, toDataView } from "#domain/bytes.ts";
import { isJpegFrameMarker, readJpegFrameSize } from "./jpeg.ts";
import { readPngHeader } from "./png.ts";
import { removeWebpMetadata } from "./webp.ts";

/** Image type, and width and height in pixels, detected from the bytes regardless of the sender's type. */
export interface ImageInfo {
  readonly contentType: "image/jpeg" | "image/png" | "image/webp" | "image/heic";
  readonly width: number;
  readonly height: number;
}

/**
 * Detects an image by its structure. Undefined for anything else, including a file that contains more than the image,
 * because a page or archive can hide behind a photo. HEIC is accepted from phones that can't create a JPEG. Only its
 * boxes and its header are read, and it's only served as a download.
 */
export function readImageInfo(bytes: Uint8Array): ImageInfo | undefined {
  const view = toDataView(bytes);
  try {
    const facts = readJpeg(view) ?? readPng(bytes) ?? readWebp(bytes) ?? readHeic(view);
    return facts && facts.width > 0 && facts.height > 0 ? facts : undefined;
  } catch (error) {
    // The file is truncated.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const SCAN_MARKER = 0xffda;

// Undefined for an image with two frames, because programs would disagree on its size.
function readJpeg(view: DataView): ImageInfo | undefined {
  if (view.getUint16(0) !== 0xffd8 || view.getUint16(view.byteLength - 2) !== 0xffd9) return undefined;
  const frame = findFrameOrScan(view, 2);
  const size = frame === undefined ? undefined : readJpegFrameSize(view, frame);
  if (frame === undefined || !size) return undefined;
  const next = findFrameOrScan(view, skipSegment(view, frame));
  return next !== undefined && view.getUint16(next) === SCAN_MARKER
    ? { contentType: "image/jpeg", ...size }
    : undefined;
}

function findFrameOrScan(view: DataView, start: number): number | undefined {
  for (let at = start; ; at = skipSegment(view, at)) {
    const marker = view.getUint16(at);
    if (marker < 0xff01) return undefined;
    // After the start of the scan, compressed data lasts until the end.
    if (marker === SCAN_MARKER || isJpegFrameMarker(marker & 0xff)) return at;
  }
}

const skipSegment = (view: DataView, start: number) => start + 2 + view.getUint16(start + 2);

function readPng(bytes: Uint8Array): ImageInfo | undefined {
  const header = readPngHeader(bytes);
  return header && { contentType: "image/png", width: header.width, height: header.height };
}

function readWebp(bytes: Uint8Array): ImageInfo | undefined {
  const webp = removeWebpMetadata(bytes);
  return webp && { contentType: "image/webp", width: webp.width, height: webp.height };
}

const HEIC_BRANDS = ["heic", "heix", "hevc", "mif1", "msf1"];
const HEIC_HEADER_BYTES = 65_536;

function readHeic(view: DataView): ImageInfo | undefined {
  if (
    readFourCharacterCode(view, 4) !== "ftyp" ||
    !HEIC_BRANDS.includes(readFourCharacterCode(view, 8)) ||
    !hasOnlyBoxes(view)
  )
    return undefined;
  // The largest listed size is the image's. The others belong to tiles and the thumbnail.
  let facts: ImageInfo | undefined;
  const end = Math.min(view.byteLength - 16, HEIC_HEADER_BYTES);
  for (let at = 12; at < end; at++) {
    if (view.getUint32(at) !== 0x69737065) continue;
    const [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (width * height > (facts ? facts.width * facts.height : 0)) facts = { contentType: "image/heic", width, height };
  }
  return facts;
}

/** Maximum number of boxes. A photo with thumbnail and depth data has fewer. */
const MAX_BOXES = 100;

// Whether the boxes fill the file, and one of them describes the image.
function hasOnlyBoxes(view: DataView): boolean {
  let isDescribed = false;
  let at = 0;
  for (let boxes = 0; at < view.byteLength && boxes < MAX_BOXES; boxes++) {
    const [size, name] = [view.getUint32(at), readFourCharacterCode(view, at + 4)];
    if (!/^[a-zA-Z0-9 ]{4}$/.test(name)) return false;
    if (name === "meta" || name === "moov") isDescribed = true;
    // A size of 1 is followed by one of eight bytes, for files larger than 4 GB.
    if (size < 8) return false;
    at += size;
  }
  return isDescribed && at === view.byteLength;
}

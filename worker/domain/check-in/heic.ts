import { readFourCharacterCode, toDataView } from "#domain/bytes.ts";

const BOX_HEADER_BYTES = 8;
/** Version and flags, in boxes that have them. */
const VERSION_BYTES = 4;
/** Types of items that contain texts or GPS positions: Exif, XMP, and links. */
const TEXT_ITEMS: ReadonlySet<string> = new Set(["Exif", "mime", "uri "]);
/** Boxes without a part of the image. Videos store GPS positions in `udta` and in the `meta` of `moov`. */
const FILLING_BOXES: ReadonlySet<string> = new Set(["free", "skip", "uuid", "udta"]);
const FILM_TEXT_BOXES: ReadonlySet<string> = new Set([...FILLING_BOXES, "meta"]);

/** Boxes with the image or a film. */
const IMAGE_BOXES: ReadonlySet<string> = new Set(["meta", "moov"]);

/** Maximum number of boxes within one. */
const MAX_BOXES = 65_536;
/** Maximum size of the list of items, and of the list of their byte positions. A photo of 500 tiles needs 20 kB. */
const MAX_TABLE_BYTES = 500_000;

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Box extends Range {
  readonly name: string;
  readonly content: number;
}

/**
 * Overwrites the texts and GPS data of a HEIC with zeros, so that nothing else moves in the file. The
 * orientation is stored elsewhere and stays. Undefined if the list of items is invalid or names more bytes
 * than the file has.
 */
export function removeHeicMetadata(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  try {
    const view = toDataView(bytes);
    const ranges = listTextRanges(view);
    const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
    const isInside = ranges.every(({ start, end }) => start >= BOX_HEADER_BYTES && end <= bytes.length);
    if (!isInside || length > bytes.length) return undefined;
    if (ranges.every(({ start, end }) => isZero(bytes, start, end))) return bytes;
    const cleaned = bytes.slice();
    for (const { start, end } of ranges) cleaned.fill(0, start, end);
    return cleaned;
  } catch (error) {
    // A box is cut off.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const isZero = (bytes: Uint8Array, start: number, end: number) =>
  bytes.subarray(start, end).every((byte) => byte === 0);

function listTextRanges(view: DataView): readonly Range[] {
  return listBoxes(view, { start: 0, end: view.byteLength }, true).flatMap((box) => {
    if (FILLING_BOXES.has(box.name)) return [toContent(box)];
    if (box.name === "meta") return listItemRanges(view, box);
    const parts = box.name === "moov" ? listBoxes(view, toContent(box)) : [];
    return parts.filter(({ name }) => FILM_TEXT_BOXES.has(name)).map(toContent);
  });
}

const toContent = ({ content, end }: Box): Range => ({ start: content, end });

// Some phones append bytes after the last box of a file, which are kept, because a photo mustn't be lost.
function listBoxes(view: DataView, { start, end }: Range, isFile = false): readonly Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + BOX_HEADER_BYTES <= end; at = boxes.at(-1)?.end ?? end) {
    const box = readBox(view, { start: at, end });
    if (!box && isFile && boxes.some(({ name }) => IMAGE_BOXES.has(name))) return boxes;
    if (!box || boxes.length === MAX_BOXES) throw new RangeError("invalid box");
    boxes.push(box);
  }
  return boxes;
}

// ISO/IEC 14496-12, 4.2: a size of 1 is followed by one of 64 bits, and a size of 0 means the rest.
function readBox(view: DataView, { start, end }: Range): Box | undefined {
  const shortSize = view.getUint32(start);
  const headerBytes = shortSize === 1 ? 2 * BOX_HEADER_BYTES : BOX_HEADER_BYTES;
  if (start + headerBytes > end) return undefined;
  const size = shortSize === 1 ? readNumber(view, start + BOX_HEADER_BYTES, 8) : shortSize || end - start;
  if (size < headerBytes || start + size > end) return undefined;
  return { name: readFourCharacterCode(view, start + 4), start, content: start + headerBytes, end: start + size };
}

function listItemRanges(view: DataView, meta: Box): readonly Range[] {
  const boxes = listBoxes(view, { start: meta.content + VERSION_BYTES, end: meta.end });
  const find = (name: string) => boxes.find((box) => box.name === name);
  const [list, places, data] = [find("iinf"), find("iloc"), find("idat")];
  if ([list, places].some((box) => box && box.end - box.start > MAX_TABLE_BYTES))
    throw new RangeError("too many items");
  const ids = list ? listTextItems(view, list) : new Set<number>();
  if (ids.size === 0) return [];
  if (!places) throw new RangeError("no places of items");
  return listExtents(view, places, ids, data?.content);
}

// Returns the ids of items with texts (ISO/IEC 14496-12, 8.11.6). Entries before version 2 have no type.
function listTextItems(view: DataView, list: Box): ReadonlySet<number> {
  const countBytes = view.getUint8(list.content) === 0 ? 2 : 4;
  const entries = listBoxes(view, { start: list.content + VERSION_BYTES + countBytes, end: list.end });
  const ids = new Set<number>();
  for (const { name, content } of entries) {
    const version = view.getUint8(content);
    if (name !== "infe" || version < 2) continue;
    const idBytes = version === 2 ? 2 : 4;
    const id = readNumber(view, content + VERSION_BYTES, idBytes);
    if (TEXT_ITEMS.has(readFourCharacterCode(view, content + VERSION_BYTES + idBytes + 2))) ids.add(id);
  }
  return ids;
}

function readNumber(view: DataView, at: number, bytes: number): number {
  if (bytes === 8) return view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4);
  if (bytes === 4) return view.getUint32(at);
  return bytes === 2 ? view.getUint16(at) : 0;
}

/** Maximum number of pieces of texts. A photo has one Exif and one XMP item, in one piece each. */
const MAX_EXTENTS = 100;

function listExtents(view: DataView, places: Box, ids: ReadonlySet<number>, data: number | undefined): Range[] {
  const ranges: Range[] = [];
  for (const { id, method, start, length } of readExtents(view, places)) {
    if (!ids.has(id)) continue;
    // Method 0 counts from the file's start, method 1 from the box `idat`. Other methods refer to other
    // items.
    const origin = method === 0 ? 0 : method === 1 ? data : undefined;
    if (origin === undefined || ranges.length === MAX_EXTENTS) throw new RangeError("invalid place of a text");
    ranges.push({ start: origin + start, end: origin + start + length });
  }
  return ranges;
}

interface Extent {
  readonly id: number;
  readonly method: number;
  readonly start: number;
  readonly length: number;
}

// ISO/IEC 14496-12, 8.11.3.
function* readExtents(view: DataView, { content, end }: Box): Generator<Extent> {
  const version = view.getUint8(content);
  let at = content + VERSION_BYTES;
  const take = (bytes: number) => {
    at += bytes;
    if (at > end) throw new RangeError("invalid list of places");
    return readNumber(view, at - bytes, bytes);
  };
  const sizes = take(2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15] as const;
  const [idBytes, methodBytes, indexBytes] = [version < 2 ? 2 : 4, version > 0 ? 2 : 0, version > 0 ? sizes & 15 : 0];
  // Extents without a length field take no bytes, so a short file could claim millions of them.
  if (lengthBytes === 0) throw new RangeError("no lengths");
  for (let items = take(idBytes); items > 0; items--) {
    const [id, method] = [take(idBytes), take(methodBytes) & 15];
    // Skips the reference to another file.
    take(2);
    const base = take(baseBytes);
    for (let extents = take(2); extents > 0; extents--) {
      take(indexBytes);
      yield { id, method, start: base + take(offsetBytes), length: take(lengthBytes) };
    }
  }
}

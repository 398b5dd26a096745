import { Inflate } from "fflate";
import { concatenateBytes } from "#domain/bytes.ts";
import type { SlicedWork } from "#domain/run-in-slices.ts";
import type { FileBudget } from "./file-budget.ts";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_ENTRIES = 1_000;
/** Packed bytes that are unpacked at once. Unpacked, they are at most 1,000 times as long. */
const SLICE_BYTES = 2_048;
/** Unpacked bytes that take a few milliseconds. */
const BYTES_PER_PAUSE = 500_000;

/** Unpacks one file of an archive in slices. Undefined if it has none of that name. */
export type UnpackFile = (name: string) => SlicedWork<Uint8Array<ArrayBuffer> | undefined>;

/** Opens a ZIP archive. Undefined if the bytes aren't one. */
export function openZip(bytes: Uint8Array, budget: Pick<FileBudget, "takeBytes">): UnpackFile | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === undefined) return undefined;
  const entries = new Map<string, number>();
  const count = Math.min(view.getUint16(end + 10, true), MAX_ENTRIES);
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) return undefined;
    const nameBytes = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes));
    entries.set(name, at);
    at += ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return function* unpackFile(name) {
    const entry = entries.get(name);
    return entry === undefined ? undefined : yield* unpack(bytes, view, entry, budget);
  };
}

function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--)
    if (view.getUint32(at, true) === END) return at;
  return undefined;
}

// Counts the real bytes, because the size in the directory may be wrong on purpose.
function* unpack(
  bytes: Uint8Array,
  view: DataView,
  entry: number,
  budget: Pick<FileBudget, "takeBytes">,
): SlicedWork<Uint8Array<ArrayBuffer>> {
  const method = view.getUint16(entry + 10, true);
  const packedBytes = view.getUint32(entry + 20, true);
  const local = view.getUint32(entry + 42, true);
  if (local + LOCAL_BYTES > bytes.length || view.getUint32(local, true) !== LOCAL) throw new Error("no such entry");
  const start = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const packed = bytes.subarray(start, start + packedBytes);
  if (method === 0) {
    budget.takeBytes(packed.length);
    return packed.slice();
  }
  if (method !== 8) throw new Error("unknown method");
  const parts: Uint8Array[] = [];
  let [isComplete, untilPause] = [false, BYTES_PER_PAUSE];
  const inflate = new Inflate((part, isLast) => {
    budget.takeBytes(part.length);
    parts.push(part);
    untilPause -= part.length;
    isComplete = isLast;
  });
  for (let from = 0; from < packed.length && !isComplete; from += SLICE_BYTES) {
    inflate.push(packed.subarray(from, from + SLICE_BYTES), from + SLICE_BYTES >= packed.length);
    if (untilPause > 0) continue;
    untilPause = BYTES_PER_PAUSE;
    yield;
  }
  return concatenateBytes(parts);
}

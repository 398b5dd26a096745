import { deflateToPiece, type GzipTotals, LAST_DEFLATE_BLOCK, NO_GZIP_TOTALS } from "./gzip-pieces.ts";

/** File of an archive, as written so far. */
interface ArchivedFile {
  readonly name: string;
  readonly offset: number;
  readonly packed: GzipTotals;
  /** Bytes in the archive. */
  readonly size: number;
}

/** State of an archive that later pieces and the directory need. */
export interface ZipArchiveState {
  readonly length: number;
  /** Completed files. */
  readonly files: readonly ArchivedFile[];
  readonly open: ArchivedFile | undefined;
}

export const EMPTY_ZIP_ARCHIVE: ZipArchiveState = { length: 0, files: [], open: undefined };

const VERSION = 20;
// Flags of a file: its sizes follow its bytes, and names are UTF-8.
const FLAGS = 0x0808;
const DEFLATED = 8;
/** First date that ZIP supports. The real time of writing isn't disclosed. */
const DAY = 0x21;

/**
 * Builds a ZIP archive in pieces, across invocations. Neither a file nor the archive is ever fully in memory. Files and
 * offsets are limited to 4 GB.
 */
export class ZipArchive {
  state: ZipArchiveState;

  constructor(state: ZipArchiveState) {
    this.state = state;
  }

  /** Begins a file. */
  open(name: string): Uint8Array {
    const file = { name, offset: this.state.length, packed: NO_GZIP_TOTALS, size: 0 };
    const head = record([4, 0x04034b50], [2, VERSION], ...getFileFields(file, true), [2, 0]);
    this.state = { ...this.state, open: file };
    return this.#count(joined(head, new TextEncoder().encode(name)));
  }

  /** Adds text to the open file. */
  add(text: string): Uint8Array {
    const { bytes, addToTotals: after } = deflateToPiece(text);
    const file = this.#opened();
    this.state = { ...this.state, open: { ...file, packed: after(file.packed), size: file.size + bytes.length } };
    return this.#count(bytes);
  }

  /** Closes the open file. */
  close(): Uint8Array {
    const opened = this.#opened();
    const file = { ...opened, size: opened.size + LAST_DEFLATE_BLOCK.length };
    this.state = { ...this.state, files: [...this.state.files, file], open: undefined };
    return this.#count(joined(LAST_DEFLATE_BLOCK, record([4, 0x08074b50], ...getSizeFields(file))));
  }

  /** Returns the central directory that ends the archive. */
  directory(): Uint8Array {
    const { files, length } = this.state;
    const entries = files.map((file) =>
      joined(
        record([4, 0x02014b50], [2, VERSION], [2, VERSION], ...getFileFields(file, false), ...NO_MORE, [
          4,
          file.offset,
        ]),
        new TextEncoder().encode(file.name),
      ),
    );
    const size = entries.reduce((sum, entry) => sum + entry.length, 0);
    const count = files.length;
    const end = record([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, length], [2, 0]);
    return joined(...entries, end);
  }

  #opened(): ArchivedFile {
    if (!this.state.open) throw new Error("no file of the archive is open");
    return this.state.open;
  }

  #count(bytes: Uint8Array): Uint8Array {
    this.state = { ...this.state, length: this.state.length + bytes.length };
    return bytes;
  }
}

type Field = readonly [bytes: 2 | 4, value: number];

// Directory entry without extra field, comment, further disks and attributes.
const NO_MORE: readonly Field[] = [
  [2, 0],
  [2, 0],
  [2, 0],
  [2, 0],
  [4, 0],
];

// Fields shared by a file's header and its directory entry. The header is written before the sizes are known.
function getFileFields(file: ArchivedFile, isHead: boolean): readonly Field[] {
  const name = new TextEncoder().encode(file.name);
  const sums = isHead ? getSizeFields({ packed: NO_GZIP_TOTALS, size: 0 }) : getSizeFields(file);
  return [[2, FLAGS], [2, DEFLATED], [2, 0], [2, DAY], ...sums, [2, name.length]];
}

function getSizeFields({ packed, size }: Pick<ArchivedFile, "packed" | "size">): readonly Field[] {
  return [
    [4, packed.crc],
    [4, size],
    [4, packed.length],
  ];
}

function record(...fields: readonly Field[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of fields) {
    if (length === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += length;
  }
  return bytes;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

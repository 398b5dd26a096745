import { unzipSync } from "fflate";
import readWorkbook from "read-excel-file/universal";
import type { ImportProblem } from "#domain/operations/import-problems.ts";
import type { KnownStyle } from "#domain/operations/imports.ts";
import { decode } from "./decode.ts";
import { detectSeparator, parseSheet, type SheetRow } from "./parse-csv.ts";
import type { Style } from "./style.ts";

/** File, or sheet of a workbook, as cells. */
export interface Sheet {
  readonly file: string;
  /** Name used to find its table. */
  readonly name: string;
  readonly rows: readonly SheetRow[];
  readonly written: Pick<Style, "encoding" | "doubts" | "separator">;
  /** User's format settings for this file. */
  readonly known?: KnownStyle;
}

/** File that can't be read, and the reason. */
export type UnreadableFile = ImportProblem & { readonly file: string };

export type Opened = Sheet | UnreadableFile;

export const FILE_KINDS = /\.(csv|tsv|txt|json|jsonl|xlsx)$/i;

/** Opens a file as sheets of cells, or returns why it can't be read. */
export async function openFile(
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
  known: KnownStyle,
): Promise<readonly Opened[]> {
  if (/\.xlsx$/i.test(file)) return openWorkbook(file, bytes);
  const name = file.replace(FILE_KINDS, "");
  const { text, encoding, doubts } = decode(bytes, known.encoding);
  if (/\.jsonl?$/i.test(file)) return [openJson(file, name, text)];
  if (text.trim() === "") return [{ file, code: "file_empty" }];
  const separator = known.separator ?? detectSeparator(text);
  const rows = parseSheet(text, separator);
  if (!rows || rows.length === 0) return [{ file, code: "csv_invalid", remedy: { code: "double_quote" } }];
  return [{ file, name, rows: rows.map(trimmed), written: { encoding, doubts, separator } }];
}

function trimmed({ line, cells }: SheetRow): SheetRow {
  return { line, cells: cells.map((cell) => cell.trim()) };
}

async function openWorkbook(file: string, bytes: Uint8Array<ArrayBuffer>): Promise<readonly Opened[]> {
  try {
    if (unpackedSize(bytes) > MAX_WORKBOOK_BYTES) return [{ file, code: "workbook_too_large" }];
    const sheets = await readWorkbook(exactly(bytes));
    const filled = sheets.filter(({ data }) => data.length > 0);
    return filled.map(({ sheet, data }) => ({
      file: filled.length > 1 ? `${file} [${sheet}]` : file,
      // A workbook with one sheet is named after its file, because the sheet is usually called Sheet1.
      name: filled.length > 1 ? sheet : file.replace(FILE_KINDS, ""),
      rows: data.map((cells, index) => trimmed({ line: index + 1, cells: cells.map(cellText) })),
      written: { encoding: "workbook" as const, separator: undefined },
    }));
  } catch {
    return [{ file, code: "workbook_invalid", remedy: { code: "save_as_xlsx" } }];
  }
}

const MAX_WORKBOOK_BYTES = 100_000_000;

// Size stated in the ZIP directory, which the reader also trusts.
function unpackedSize(bytes: Uint8Array): number {
  let size = 0;
  unzipSync(bytes, {
    filter: ({ originalSize }) => {
      size += originalSize;
      return false;
    },
  });
  return size;
}

// The bytes may be part of a larger buffer.
function exactly({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (!(cell instanceof Date)) return typeof cell === "boolean" ? (cell ? "yes" : "no") : String(cell);
  const text = cell.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function jsonCell(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}

function openJson(file: string, name: string, text: string): Opened {
  try {
    const isLines = /\.jsonl$/i.test(file);
    const lines = isLines ? text.split("\n").filter((line) => line.trim() !== "") : [];
    const objects = isLines ? lines.map((line) => JSON.parse(line) as unknown) : (JSON.parse(text) as unknown);
    if (!Array.isArray(objects) || !objects.every(isObject)) return { file, code: "json_not_list" };
    const fields = [...new Set(objects.flatMap((item) => Object.keys(item)))];
    const rows = objects.map((item, index) => ({
      line: index + 1,
      cells: fields.map((field) => jsonCell(item[field])),
    }));
    return {
      file,
      name,
      rows: [{ line: 1, cells: fields }, ...rows],
      written: { encoding: "json", separator: undefined },
    };
  } catch {
    return { file, code: "json_invalid" };
  }
}

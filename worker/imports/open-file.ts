import type { ImportProblem } from "#domain/operations/import-problems.ts";
import type { FileFormatSettings } from "#domain/operations/imports.ts";
import { runWithoutPauses, type SlicedWork } from "#domain/run-in-slices.ts";
import { decodeImportFile } from "./decode.ts";
import { type FileBudget, FileTooLargeError } from "./file-budget.ts";
import type { FileFormat } from "./file-format.ts";
import {
  detectSeparator,
  parseCsvSheet,
  type SheetRow,
  splitSeparatorDirective,
  UnclosedQuoteError,
} from "./parse-csv.ts";
import { parseJsonRows } from "./parse-json.ts";
import { readWorkbook } from "./read-workbook.ts";
import { isKnownHeading } from "./synonyms.ts";

/** File, or sheet of a workbook, as cells. */
export interface ImportSheet {
  readonly file: string;
  /** Name from which the table is recognized. */
  readonly name: string;
  /** Name of a workbook's only sheet, for a file whose name matches no table. */
  readonly otherName?: string;
  readonly rows: readonly SheetRow[];
  readonly style: Pick<FileFormat, "encoding" | "doubts" | "separator">;
  /** User's format settings for this file. */
  readonly known?: FileFormatSettings;
  /** Warnings about rows and cells that were ignored. */
  readonly warnings?: readonly ImportProblem[];
}

/** File that can't be read, and the reason. */
export type UnreadableFile = ImportProblem & { readonly file: string; readonly line?: number };

/** Sheet of a file, or the reason why the file can't be read. */
export type OpenedSheet = ImportSheet | UnreadableFile;

export const IMPORT_FILE_NAME_PATTERN = /\.(csv|tsv|txt|json|jsonl|xlsx)$/i;

type FileParameters = Readonly<
  [file: string, bytes: Uint8Array<ArrayBuffer>, known: FileFormatSettings, budget: FileBudget]
>;

/**
 * Opens a file as sheets of cells, or returns why it can't be read. Stops when the budget of rows, cells and bytes is
 * used.
 */
export function openImportFile(...parameters: FileParameters): readonly OpenedSheet[] {
  return runWithoutPauses(openImportFileInSlices(...parameters));
}

/** Opens a file like `openImportFile`, in slices of a few milliseconds. */
export function* openImportFileInSlices(...parameters: FileParameters): SlicedWork<readonly OpenedSheet[]> {
  const [file, , , budget] = parameters;
  try {
    return yield* readSheets(...parameters);
  } catch (error) {
    if (error instanceof UnclosedQuoteError)
      return [{ file, line: error.line, code: "csv_invalid", remedy: { code: "double_quote" } }];
    if (error instanceof FileTooLargeError) return [{ file, ...tooLarge(error, budget) }];
    return [{ file, code: "workbook_invalid", remedy: { code: "save_as_xlsx" } }];
  }
}

function tooLarge({ limit }: FileTooLargeError, { columns }: FileBudget): ImportProblem {
  switch (limit) {
    case "rows_too_many":
      return { code: "rows_too_many" };
    case "columns_too_many":
      return { code: "columns_too_many", params: { columns } };
    case "cells_too_many":
      return { code: "cells_too_many" };
    case "workbook_too_large":
      return { code: "workbook_too_large" };
  }
}

function* readSheets(...[file, bytes, known, budget]: FileParameters): SlicedWork<readonly OpenedSheet[]> {
  if (/\.xlsx$/i.test(file)) return yield* openWorkbook(file, bytes, budget);
  const name = file.replace(IMPORT_FILE_NAME_PATTERN, "");
  const { text, encoding, doubts } = decodeImportFile(bytes, known.encoding);
  yield;
  if (/\.jsonl?$/i.test(file)) return [yield* openJson(file, name, text, budget)];
  if (text.trim() === "") return [{ file, code: "file_empty" }];
  const directive = splitSeparatorDirective(text);
  const separator = known.separator ?? directive.separator ?? detectSeparator(directive.body);
  // The line with the separator counts, so that lines have the same number as in a text editor.
  const before = directive.separator === undefined ? 0 : 1;
  const parsed = yield* parseCsvSheet(directive.body, separator, budget);
  const rows = parsed.map(({ line, cells }) => ({ line: line + before, cells }));
  if (rows.length === 0) return [{ file, code: "file_empty" }];
  return [{ file, name, ...cropToTable(rows.map(trimmed)), style: { encoding, doubts, separator } }];
}

const TOTALS =
  /^(?:sub|sous[- ]|gran |grand )?(?:total|totale|totali|totales|totals|totaux|totaal|suma|sum|summe|zwischensumme|gesamt|gesamtsumme|somma|somme)\b/i;

/** Maximum number of rows from a file's start in which the headings are searched. */
const MAX_ROWS_BEFORE_HEADINGS = 30;

const countFilled = ({ cells }: SheetRow) => cells.filter((cell) => cell !== "").length;
const countHeadings = ({ cells }: SheetRow) => new Set(cells.filter(isKnownHeading)).size;

const isFieldName = (cell: string) => /^[a-z][a-z0-9_]*$/.test(cell);

// Returns the index of the row with the headings: the first with several cells. A later row is preferred if it has more
// known headings and the first has none or is narrow. Without any known headings, narrow rows count as titles.
function findHeadings(rows: readonly SheetRow[]): number {
  const first = Math.max(
    0,
    rows.findIndex((row) => countFilled(row) > 1),
  );
  const firstRow = rows[first];
  if (!firstRow || firstRow.cells.every(isFieldName)) return first;
  const candidates = rows.slice(0, MAX_ROWS_BEFORE_HEADINGS);
  const best = findKnownHeadings(candidates, firstRow);
  if (best !== undefined) return best;
  return countHeadings(firstRow) > 0 ? first : Math.max(first, findWideRow(candidates));
}

// Returns the row with the most known words, if the first row with several cells doesn't look like headings.
function findKnownHeadings(candidates: readonly SheetRow[], firstRow: SheetRow): number | undefined {
  const known = candidates.map(countHeadings);
  const most = Math.max(...known);
  const best = known.indexOf(most);
  const firstKnown = countHeadings(firstRow);
  const isNarrow = 2 * countFilled(firstRow) < countFilled(candidates[best] ?? firstRow);
  const isBetter = firstKnown === 0 || (isNarrow && most > 2 * firstKnown);
  return most > 1 && isBetter ? best : undefined;
}

function findWideRow(candidates: readonly SheetRow[]): number {
  const widest = Math.max(...candidates.map(countFilled));
  return candidates.findIndex((row) => countFilled(row) > 1 && 2 * countFilled(row) >= widest);
}

const getFirstText = ({ cells }: SheetRow) => cells.find((cell) => cell !== "");

// Removes title rows above the headings, rows of totals at the end, which fill fewer cells than the headings, subtotals
// between the data, and the headings that printed lists repeat on each page.
function cropToTable(rows: readonly SheetRow[]): Pick<ImportSheet, "rows" | "warnings"> {
  const start = findHeadings(rows);
  const headings = rows[start] ? countFilled(rows[start]) : 0;
  const isTotals = (row: SheetRow) => countFilled(row) < headings && TOTALS.test(getFirstText(row) ?? "");
  // Between the data, `Total` must stand alone, because a name may begin with it. `Subtotal` needn't.
  const isSubtotal = (row: SheetRow) => {
    const label = getFirstText(row) ?? "";
    return isTotals(row) && (/^(?:sub|sous|zwischen)/i.test(label) || !/\p{L}/u.test(label.replace(TOTALS, "")));
  };
  const last = rows.findLastIndex((row) => countFilled(row) > 0 && !isTotals(row));
  const end = Math.max(start, last) + 1;
  const table = rows.slice(start, end);
  const isRepeated = (row: SheetRow) => row !== table[0] && headings > 1 && isSameRow(row, table[0]);
  const ignoredInTable = new Set(table.filter((row) => isRepeated(row) || isSubtotal(row)));
  const around = [...rows.slice(0, start), ...rows.slice(end)].filter((row) => countFilled(row) > 0);
  const ignored = [...around, ...ignoredInTable];
  const example = ignored[0] && getFirstText(ignored[0]);
  if (example === undefined) return { rows };
  const warning = { code: "rows_ignored" as const, params: { count: ignored.length, example } };
  return { rows: table.filter((row) => !ignoredInTable.has(row)), warnings: [warning] };
}

const isSameRow = (row: SheetRow, other: SheetRow | undefined) =>
  row.cells.length === other?.cells.length && row.cells.every((cell, at) => cell === other.cells[at]);

function trimmed({ line, cells, numbers }: SheetRow): SheetRow {
  return { line, cells: cells.map((cell) => cell.trim()), numbers };
}

function* openWorkbook(
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
  budget: FileBudget,
): SlicedWork<readonly OpenedSheet[]> {
  const sheets = (yield* readWorkbook(bytes, budget))?.filter(({ rows }) => rows.length > 0);
  if (!sheets) return [{ file, code: "workbook_invalid", remedy: { code: "save_as_xlsx" } }];
  return sheets.map(({ name, rows: all, farCells }): ImportSheet => {
    const { rows, warnings = [] } = cropToTable(all.map(trimmed));
    const sheetFile = sheets.length > 1 ? `${file} [${name}]` : file;
    return {
      file: sheetFile,
      // A workbook with one sheet is named after its file, because the sheet is usually called Sheet1.
      name: sheets.length > 1 ? name : file.replace(IMPORT_FILE_NAME_PATTERN, ""),
      ...(sheets.length === 1 && { otherName: name }),
      rows,
      style: { encoding: "workbook" as const, separator: undefined },
      warnings: [...(farCells ? [{ code: "cells_far" as const, params: { ...farCells } }] : []), ...warnings],
    };
  });
}

function* openJson(file: string, name: string, text: string, budget: FileBudget): SlicedWork<OpenedSheet> {
  const rows = yield* parseJsonRows(text, /\.jsonl$/i.test(file), budget);
  if (typeof rows === "string") return { file, code: rows };
  return { file, name, rows, style: { encoding: "json", separator: undefined } };
}

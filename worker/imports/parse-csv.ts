import { CsvError, parse } from "csv-parse/sync";
import { CSV_SEPARATORS, type CsvSeparator } from "#domain/operations/imports.ts";
import type { SlicedWork } from "#domain/run-in-slices.ts";
import { type FileBudget, FileTooLargeError } from "./file-budget.ts";

/** Row of a sheet and its first line number, starting at 1. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Indexes of cells that the file stores as numbers. They have a decimal point in any language. */
  readonly numbers?: ReadonlySet<number> | undefined;
}

/** Error with the line of a sheet where a quote opens that is never closed. */
export class UnclosedQuoteError extends Error {
  override readonly name = "OpenQuote";
  readonly line: number;
  constructor(line: number) {
    super(`line ${line} opens a quote`);
    this.line = line;
  }
}

/**
 * Splits off a first line like `sep=;`, which Excel reads as the separator. Programs that save such a file again write
 * it as a row: in quotes, or with the separators of empty cells.
 */
export function splitSeparatorDirective(text: string): {
  readonly separator: CsvSeparator | undefined;
  readonly body: string;
} {
  const [line = "", , mark, rowMark] = /^\ufeff?("?)sep=(.)\1([;,\t|])*(?:\r\n|\n|\r)/i.exec(text) ?? [];
  const separator = CSV_SEPARATORS.find((item) => item === (rowMark ?? mark));
  return separator ? { separator, body: text.slice(line.length) } : { separator: undefined, body: text };
}

/** Maximum characters and lines at a file's start that are used to detect the separator. */
const MAX_HEADING_CHARACTERS = 100_000;
const MAX_HEADING_LINES = 30;

/**
 * Returns the most frequent separator in the headings, outside of quotes. If the first line is a title, returns the one
 * with the same number in most of the next lines.
 */
export function detectSeparator(text: string): CsvSeparator {
  const lines = countByLine(text.slice(0, MAX_HEADING_CHARACTERS));
  const count = (line: Counts | undefined, separator: CsvSeparator) => line?.get(separator) ?? 0;
  const best = CSV_SEPARATORS.reduce((item, other) => (count(lines[0], other) > count(lines[0], item) ? other : item));
  const usual = CSV_SEPARATORS.map((separator) => ({
    separator,
    ...findUsualCount(lines.map((line) => count(line, separator))),
  })).reduce((item, other) => (isMoreUsual(other, item) ? other : item));
  return usual.count > 2 * count(lines[0], best) ? usual.separator : best;
}

type Counts = ReadonlyMap<string, number>;

function countByLine(text: string): readonly Counts[] {
  const lines = text
    .replaceAll(/"[^"]*"?/g, "")
    .split(/[\r\n]+/)
    .filter((line) => line !== "");
  return lines.slice(0, MAX_HEADING_LINES).map(countSeparators);
}

function countSeparators(line: string): Counts {
  return new Map(CSV_SEPARATORS.map((separator) => [separator, line.split(separator).length - 1]));
}

interface UsualCount {
  readonly count: number;
  readonly lines: number;
}

// The number of separators that most lines have.
function findUsualCount(counts: readonly number[]): UsualCount {
  const lines = new Map<number, number>();
  for (const count of counts) if (count > 0) lines.set(count, (lines.get(count) ?? 0) + 1);
  const [count = 0, most = 0] = [...lines].reduce((item, other) => (other[1] > item[1] ? other : item), [0, 0]);
  return { count, lines: most };
}

const isMoreUsual = (usualCount: UsualCount, other: UsualCount) =>
  usualCount.lines > other.lines || (usualCount.lines === other.lines && usualCount.count > other.count);

/** Characters that are parsed in a few milliseconds. */
const SLICE_CHARACTERS = 16_384;

/**
 * Parses CSV into rows with line numbers. A quote inside of a cell is a character of it, as in spreadsheets. Lines end
 * with LF, CR LF, or CR alone as in old Macintosh spreadsheets. Throws `UnclosedQuoteError`, and `FileTooLargeError` at
 * the first row above the budget.
 */
export function* parseCsvSheet(text: string, separator: CsvSeparator, budget?: FileBudget): SlicedWork<SheetRow[]> {
  const sheet = text.includes("\n") ? text : text.replaceAll("\r", "\n");
  const rows: SheetRow[] = [];
  let [from, lines, size] = [0, 0, SLICE_CHARACTERS];
  while (from < sheet.length) {
    const end = findLineEnd(sheet, from + size);
    const part = parsePart(Buffer.from(sheet.slice(from, end)), { rows, linesBefore: lines, separator, budget });
    if (part.isCut && end === sheet.length) throw new UnclosedQuoteError(lines + part.lines + 1);
    [from, lines] = [part.isCut ? from + part.length : end, lines + part.lines];
    // The slice may end inside quotes, so the next one is doubled. This keeps the time of a long cell linear.
    size = part.length > 0 ? SLICE_CHARACTERS : size * 2;
    yield;
  }
  return rows;
}

function findLineEnd(text: string, after: number): number {
  const end = text.indexOf("\n", after);
  return end < 0 ? text.length : end + 1;
}

interface PartTerms {
  /** List to which the parsed rows are appended. */
  readonly rows: SheetRow[];
  readonly linesBefore: number;
  readonly separator: CsvSeparator;
  readonly budget: FileBudget | undefined;
}

interface ParsedPart {
  /** Characters and lines of the part's complete records. */
  readonly length: number;
  readonly lines: number;
  /** Whether the part ends inside quotes. */
  readonly isCut: boolean;
}

function parsePart(part: Buffer, { rows, linesBefore, separator, budget }: PartTerms): ParsedPart {
  let [bytes, lines] = [0, 0];
  let limit: FileTooLargeError | undefined;
  const keep = (record: string[], info: { readonly lines: number; readonly bytes: number }) => {
    try {
      if (rows.length > 0) budget?.takeRow();
      const cells = withoutEmptyEnd(record, budget?.columns ?? record.length);
      budget?.takeCells(cells.length);
      const source = part.subarray(bytes, info.bytes);
      rows.push({ line: linesBefore + lines + 1, cells: cells.map((cell) => withoutQuotes(cell, source)) });
      [bytes, lines] = [info.bytes, info.lines];
      return null;
    } catch (error) {
      if (error instanceof FileTooLargeError) limit = error;
      throw error;
    }
  };
  if (budget && hasLongRecord(part, separator)) throw new FileTooLargeError("columns_too_many");
  try {
    parse(part, {
      bom: linesBefore === 0,
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ["\r\n", "\n"],
      delimiter: separator,
      on_record: keep,
    });
    return { length: part.length, lines, isCut: false };
  } catch (error) {
    if (limit) throw limit;
    if (error instanceof CsvError && error.code === "CSV_QUOTE_NOT_CLOSED")
      return { length: part.toString("utf8", 0, bytes).length, lines, isCut: true };
    throw error;
  }
}

// Removes the quotes around a cell, also without doubled quotes inside, as in old programs, and the form ="0034", which
// exports use to keep a number as it is.
function withoutQuotes(cell: string, record: Buffer): string {
  const formula = /^="([^"]*)"$/.exec(cell)?.[1];
  if (formula !== undefined) return formula;
  if (!hasQuotesInQuotes(cell) || record.includes(`"${cell.replaceAll('"', '""')}"`)) return cell;
  return cell.slice(1, -1);
}

// A regular expression would take cubic time for a cell of quotes.
function hasQuotesInQuotes(cell: string): boolean {
  if (!cell.startsWith('"') || !cell.endsWith('"')) return false;
  const first = cell.indexOf('"', 1);
  const second = cell.indexOf('"', first + 1);
  return first > 0 && second > 0 && second < cell.length - 1;
}

/** Maximum number of separators in a row. Programs may add empty cells up to a spreadsheet's last column. */
const MAX_SEPARATORS = 20_000;

// Checks for rows with too many separators first, because the parser splits a whole row before its cells can be
// counted.
function hasLongRecord(part: Uint8Array, separator: CsvSeparator): boolean {
  const [quote, lineFeed, carriageReturn, wanted] = ['"', "\n", "\r", separator].map((sign) => sign.charCodeAt(0));
  let [count, isQuoted] = [0, false];
  for (let at = 0; at < part.length; at++) {
    const code = part[at];
    if (code === quote) isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (code === lineFeed || code === carriageReturn) count = 0;
    if (code === wanted && ++count > MAX_SEPARATORS) return true;
  }
  return false;
}

// Removes empty cells at the end of a row, beyond the allowed number of columns. Programs may fill rows with
// separators.
function withoutEmptyEnd(cells: readonly string[], columns: number): readonly string[] {
  let end = cells.length;
  while (end > columns && cells[end - 1] === "") end--;
  return end === cells.length ? cells : cells.slice(0, end);
}

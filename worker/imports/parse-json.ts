import type { SlicedWork } from "#domain/run-in-slices.ts";
import { type FileBudget, FileTooLargeError } from "./file-budget.ts";
import type { SheetRow } from "./parse-csv.ts";

/** Reason why a text isn't a list of records. */
export type JsonListProblem = "json_invalid" | "json_not_list";

type JsonRecord = Readonly<Record<string, unknown>>;

/** Ends the reading of a text that isn't a list of records. */
class InvalidList extends Error {
  readonly problem: JsonListProblem;

  constructor(problem: JsonListProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Work of a few milliseconds, counted in characters. Creating a cell takes as long as parsing 50 characters. */
const WORK_PER_SLICE = 100_000;
const WORK_PER_CELL = 50;
/** Values of a record per column, because a cell may contain a short list. */
const VALUES_PER_COLUMN = 10;

const [QUOTE, BACKSLASH, COMMA, LIST, LIST_END, RECORD, RECORD_END] = [...'"\\,[]{}'].map((sign) => sign.charCodeAt(0));

/**
 * Parses a list of JSON records, or one record per line, into rows below their fields. Parses one record at a time,
 * because a whole list takes too long, and one with thousands of different fields most of all. Throws
 * `FileTooLargeError` at the first value, row or field above the budget.
 */
export function* parseJsonRows(
  text: string,
  isByLine: boolean,
  budget: FileBudget,
): SlicedWork<readonly SheetRow[] | JsonListProblem> {
  const fields = new Map<string, number>();
  const rows: SheetRow[] = [];
  let work = 0;
  try {
    for (const part of isByLine ? splitLines(text, budget) : splitList(text, budget)) {
      const cells = part.record === undefined ? 0 : addRow(part.record, { fields, rows, budget });
      work += part.scanned + WORK_PER_CELL * cells;
      if (work < WORK_PER_SLICE) continue;
      work = 0;
      yield;
    }
  } catch (error) {
    if (error instanceof InvalidList) return error.problem;
    throw error;
  }
  return [{ line: 1, cells: [...fields.keys()] }, ...rows];
}

interface Terms {
  /** Column number of each member name. */
  readonly fields: Map<string, number>;
  readonly rows: SheetRow[];
  readonly budget: FileBudget;
}

// Each row only gets cells for the fields found so far. Otherwise a new field in every record would take quadratic
// time.
function addRow(text: string, { fields, rows, budget }: Terms): number {
  const members = Object.entries(parseRecord(text));
  budget.takeRow();
  for (const [field] of members) if (!fields.has(field)) fields.set(field, fields.size);
  budget.takeCells(fields.size);
  const cells: string[] = new Array(fields.size).fill("");
  const numbers = new Set<number>();
  for (const [field, value] of members) {
    const at = fields.get(field) ?? 0;
    cells[at] = toCell(value);
    if (typeof value === "number") numbers.add(at);
  }
  rows.push({ line: rows.length + 1, cells, numbers });
  return cells.length;
}

function parseRecord(text: string): JsonRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidList("json_invalid");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new InvalidList("json_not_list");
  return value as JsonRecord;
}

function toCell(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}

/** Scanned characters, with the record that ends there. A long record comes in several parts. */
interface Part {
  readonly scanned: number;
  readonly record?: string;
}

// Counts the values before they're created. Millions of empty objects would use all memory.
class Scanner {
  readonly #text: string;
  readonly #budget: FileBudget;
  readonly #recordDepth: number;
  #isQuoted = false;
  #values = 0;
  #fields = 0;
  depth = 0;

  constructor(text: string, budget: FileBudget, recordDepth: number) {
    this.#text = text;
    this.#budget = budget;
    this.#recordDepth = recordDepth;
  }

  startRecord(): void {
    [this.#isQuoted, this.#values, this.#fields] = [false, 0, 0];
  }

  /** Whether a record of a list ends at a position. */
  isRecordEnd(at: number): boolean {
    if (this.depth !== 1 || this.#isQuoted) return false;
    const code = this.#text.charCodeAt(at);
    return code === COMMA || code === LIST_END;
  }

  /** Reads the sign at a position of the text and returns the next position. */
  read(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (this.#isQuoted) {
      this.#isQuoted = code !== QUOTE;
      return code === BACKSLASH ? at + 2 : at + 1;
    }
    switch (code) {
      case QUOTE:
        this.#isQuoted = true;
        break;
      case LIST:
      case RECORD:
        this.depth++;
        this.#count(false);
        break;
      case LIST_END:
      case RECORD_END:
        this.depth--;
        break;
      case COMMA:
        this.#count(this.depth === this.#recordDepth);
        break;
    }
    return at + 1;
  }

  #count(isField: boolean): void {
    this.#budget.takeValue();
    if (isField && ++this.#fields >= this.#budget.columns) throw new FileTooLargeError("columns_too_many");
    if (++this.#values > VALUES_PER_COLUMN * this.#budget.columns) throw new FileTooLargeError("cells_too_many");
  }
}

function* splitLines(text: string, budget: FileBudget): Generator<Part> {
  for (let start = 0; start < text.length; ) {
    const scanner = new Scanner(text, budget, 1);
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    let from = start;
    for (let at = start; at < end; ) {
      at = scanner.read(at);
      if (at - from < WORK_PER_SLICE) continue;
      yield { scanned: at - from };
      from = at;
    }
    const line = text.slice(start, end);
    yield { scanned: end - from + 1, ...(line.trim() !== "" && { record: line }) };
    start = end + 1;
  }
}

const EMPTY_LIST = /^\s*\[\s*\]\s*$/;

function* splitList(text: string, budget: FileBudget): Generator<Part> {
  if (EMPTY_LIST.test(text)) return;
  const scanner = new Scanner(text, budget, 2);
  let at = scanner.read(findListStart(text));
  let [start, from] = [at, at];
  while (at < text.length && scanner.depth > 0) {
    const isRecordEnd = scanner.isRecordEnd(at);
    at = scanner.read(at);
    if (!isRecordEnd && at - from < WORK_PER_SLICE) continue;
    yield { scanned: at - from, ...(isRecordEnd && { record: text.slice(start, at - 1) }) };
    from = at;
    if (!isRecordEnd) continue;
    start = at;
    scanner.startRecord();
  }
  const isComplete = scanner.depth === 0 && text.charCodeAt(at - 1) === LIST_END && text.slice(at).trim() === "";
  if (!isComplete) throw new InvalidList("json_invalid");
}

function findListStart(text: string): number {
  const start = text.search(/\S/);
  const code = text.charCodeAt(start);
  if (code === LIST) return start;
  throw new InvalidList(code === RECORD ? "json_not_list" : "json_invalid");
}

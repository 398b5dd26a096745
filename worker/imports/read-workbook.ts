import type { SlicedWork } from "#domain/run-in-slices.ts";
import { walkXmlInSlices, type XmlVisitor } from "#domain/xml.ts";
import type { FileBudget } from "./file-budget.ts";
import { FileTooLargeError } from "./file-budget.ts";
import type { SheetRow } from "./parse-csv.ts";
import { openZip } from "./unzip.ts";

/** Sheet of a workbook. Empty rows and cells far from the table are left out. */
export interface WorkbookSheet {
  readonly name: string;
  readonly rows: readonly SheetRow[];
  readonly farCells: { readonly count: number; readonly example: string } | undefined;
}

/** Excel stores at most 32,767 characters in a cell, each written as up to nine. */
const MAX_CELL_LENGTH = 300_000;
/** Limits for a workbook's XML. A cell has five tokens. */
const WORKBOOK_XML = { maxTokens: 4_000_000, isLenient: true, maxTextLength: MAX_CELL_LENGTH };
/** Empty rows after which a cell no longer belongs to the table. */
const MAX_EMPTY_ROWS = 1_000;
/** Maximum number of stray cells outside the table that are ignored. */
const MAX_FAR_CELLS = 100;
const MAX_SHEETS = 100;

type Attributes = Readonly<Record<string, string>>;

/** Reads the sheets of an Excel workbook in one pass. Undefined if it isn't one. Throws `FileTooLargeError`. */
export function* readWorkbook(bytes: Uint8Array, budget: FileBudget): SlicedWork<readonly WorkbookSheet[] | undefined> {
  const unpack = openZip(bytes, budget);
  const read: ReadPart = function* readPart(path, visitor) {
    const part = unpack && (yield* unpack(path));
    if (!part) return false;
    const read = yield* walkXmlInSlices(yield* decodeText(part), WORKBOOK_XML, { ...IGNORE, ...visitor });
    if (read === "invalid") throw new Error("not XML");
    return true;
  };
  const listed: { readonly name: string; readonly relation: string }[] = [];
  let is1904 = false;
  const isWorkbook = yield* read("xl/workbook.xml", {
    open: (name, attributes) => {
      if (name === "sheet") listed.push({ name: attributes["name"] ?? "", relation: attributes["id"] ?? "" });
      if (name === "workbookPr") is1904 = isTrue(attributes["date1904"]);
      return listed.length <= MAX_SHEETS;
    },
  });
  if (!isWorkbook) return undefined;
  const parts = new Map<string, string>();
  yield* read("xl/_rels/workbook.xml.rels", {
    open: (name, { Id = "", Type = "", Target = "" }) => {
      if (name === "Relationship" && Type.endsWith("/worksheet")) parts.set(Id, toPath(Target));
      return true;
    },
  });
  const texts = yield* readTexts(read, budget);
  const styles = yield* readStyles(read);
  const sheets: WorkbookSheet[] = [];
  for (const { name, relation } of listed) {
    const path = parts.get(relation);
    if (path === undefined) continue;
    const sheet = new SheetReader({ texts, styles, is1904 }, budget);
    if (!(yield* read(path, sheet))) throw new Error("no such sheet");
    sheets.push({ name, rows: sheet.rows, farCells: sheet.farCells });
  }
  return sheets;
}

/** Bytes that are decoded in about a millisecond. */
const BYTES_PER_SLICE = 1_000_000;

function* decodeText(bytes: Uint8Array): SlicedWork<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let at = 0; at < bytes.length; at += BYTES_PER_SLICE) {
    text += decoder.decode(bytes.subarray(at, at + BYTES_PER_SLICE), { stream: true });
    yield;
  }
  return text + decoder.decode();
}

type ReadPart = (path: string, visitor: Partial<XmlVisitor>) => SlicedWork<boolean>;

const IGNORE: XmlVisitor = { open: () => true, close: () => undefined, text: () => undefined };

const isTrue = (flag: string | undefined) => flag === "1" || flag === "true";

const toPath = (target: string) => (target.startsWith("/") ? target.slice(1) : `xl/${target}`);

// Reads the texts that cells share, without the pronunciation guides of Japanese names.
function* readTexts(read: ReadPart, budget: FileBudget): SlicedWork<readonly string[]> {
  const texts: string[] = [];
  let [text, isText, isPronunciation] = ["", false, false];
  yield* read("xl/sharedStrings.xml", {
    open: (name) => {
      if (name === "si") text = "";
      if (name === "rPh") isPronunciation = true;
      isText = name === "t";
      return true;
    },
    text: (part) => {
      if (isText && !isPronunciation) text = appendText(text, part);
    },
    close: (name) => {
      isText = false;
      if (name === "rPh") isPronunciation = false;
      if (name !== "si") return;
      budget.takeCells(1);
      texts.push(decodeEscapes(text));
    },
  });
  return texts;
}

// Appends a part of a cell's text. A cell has several parts if its letters have different formats.
function appendText(text: string, part: string): string {
  if (text.length + part.length > MAX_CELL_LENGTH) throw new FileTooLargeError("workbook_too_large");
  return text + part;
}

// Characters that XML can't contain are written as _x000D_.
function decodeEscapes(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const DATE_FORMATS: ReadonlySet<number> = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
const PERCENT_FORMATS: ReadonlySet<number> = new Set([9, 10]);
const FIRST_OWN_FORMAT = 100;
/** Excel's limit of a number format's length. A longer text of brackets would take minutes to parse. */
const MAX_FORMAT_LENGTH = 255;

/** Meaning of a style's numbers: a date, a percentage stored as fraction, or digits of a minimum length. */
type NumberStyle = "date" | "percent" | { readonly minDigits: number };

// Returns the meaning of each style's numbers, undefined if they're plain.
function* readStyles(read: ReadPart): SlicedWork<readonly (NumberStyle | undefined)[]> {
  const own = new Map<number, NumberStyle | undefined>();
  const styles: (NumberStyle | undefined)[] = [];
  let isCellStyle = false;
  yield* read("xl/styles.xml", {
    open: (name, { numFmtId = "0", formatCode = "" }) => {
      const id = Number(numFmtId);
      if (name === "numFmt" && id >= FIRST_OWN_FORMAT) own.set(id, parseNumberFormat(formatCode));
      if (name === "cellXfs") isCellStyle = true;
      if (name === "xf" && isCellStyle) styles.push(own.has(id) ? own.get(id) : getBuiltInStyle(id));
      return true;
    },
    close: (name) => {
      if (name === "cellXfs") isCellStyle = false;
    },
  });
  return styles;
}

function getBuiltInStyle(id: number): NumberStyle | undefined {
  if (PERCENT_FORMATS.has(id)) return "percent";
  return DATE_FORMATS.has(id) ? "date" : undefined;
}

// Returns the meaning of numbers in a format. Ignores quoted and escaped text, colors and currencies.
function parseNumberFormat(format: string): NumberStyle | undefined {
  if (format.length > MAX_FORMAT_LENGTH) return undefined;
  if (/^0{2,}$/.test(format)) return { minDigits: format.length };
  const tokens = format.replaceAll(/\\.|"[^"]*"|\[[^\]]*\]/g, "");
  if (tokens.includes("%")) return "percent";
  return /[ymdhs]/i.test(tokens) && !/[#?]/.test(tokens) ? "date" : undefined;
}

interface CellContext {
  readonly texts: readonly string[];
  readonly styles: readonly (NumberStyle | undefined)[];
  readonly is1904: boolean;
}

class SheetReader implements XmlVisitor {
  readonly rows: SheetRow[] = [];
  farCells: { count: number; readonly example: string } | undefined;
  #line = 0;
  #lastLine = 0;
  #column = 0;
  #cells: string[] = [];
  #numbers = new Set<number>();
  #cell: Attributes = {};
  #value = "";
  #isValue = false;
  #isPronunciation = false;
  readonly #context: CellContext;
  readonly #budget: FileBudget;

  constructor(context: CellContext, budget: FileBudget) {
    this.#context = context;
    this.#budget = budget;
  }

  readonly open = (name: string, attributes: Attributes): boolean => {
    if (name === "row") {
      this.#line = toNumber(attributes["r"]) ?? this.#line + 1;
      this.#column = 0;
      this.#cells = [];
      this.#numbers = new Set();
    }
    if (name === "c") {
      this.#cell = attributes;
      this.#column = toColumn(attributes["r"]) ?? this.#column + 1;
      this.#value = "";
    }
    if (name === "rPh") this.#isPronunciation = true;
    this.#isValue = name === "v" || (name === "t" && this.#cell["t"] === "inlineStr");
    return true;
  };

  readonly text = (text: string): void => {
    if (this.#isValue && !this.#isPronunciation) this.#value = appendText(this.#value, text);
  };

  readonly close = (name: string): void => {
    this.#isValue = false;
    if (name === "rPh") this.#isPronunciation = false;
    if (name === "c") this.#endCell();
    if (name === "row") this.#endRow();
  };

  #endCell(): void {
    const text = toText(this.#value, this.#cell, this.#context);
    this.#value = "";
    if (text === "") return;
    if (this.#isFar()) {
      this.#skipFarCell();
      return;
    }
    this.#budget.takeText(text.length);
    while (this.#cells.length < this.#column - 1) this.#cells.push("");
    this.#cells[this.#column - 1] = text;
    if ((this.#cell["t"] ?? "n") === "n") this.#numbers.add(this.#column - 1);
  }

  #isFar(): boolean {
    const isBelow = this.rows.length > 0 && this.#line > this.#lastLine + MAX_EMPTY_ROWS;
    return this.#column > this.#budget.columns || isBelow;
  }

  #skipFarCell(): void {
    this.farCells ??= { count: 0, example: this.#cell["r"]?.slice(0, 12) ?? "" };
    if (++this.farCells.count <= MAX_FAR_CELLS) return;
    throw new FileTooLargeError(this.#column > this.#budget.columns ? "columns_too_many" : "rows_too_many");
  }

  #endRow(): void {
    if (this.#cells.length === 0) return;
    if (this.rows.length > 0) this.#budget.takeRow();
    this.#budget.takeCells(this.#cells.length);
    this.rows.push({ line: this.#line, cells: this.#cells, numbers: this.#numbers });
    this.#lastLine = this.#line;
    this.#cells = [];
  }
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}

const LETTERS = 26;
const BEFORE_A = 64;

function toColumn(address: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d+$/i.exec(address ?? "")?.[1]?.toUpperCase();
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * LETTERS + letter.charCodeAt(0) - BEFORE_A, 0);
}

function toText(
  value: string,
  { t: type = "n", s: style }: Attributes,
  { texts, styles, is1904 }: CellContext,
): string {
  switch (type) {
    case "s":
      return texts[Number(value)] ?? "";
    case "b":
      return value === "" ? "" : isTrue(value) ? "yes" : "no";
    case "n":
      return toNumberText(value, styles[Number(style ?? 0)], is1904);
    case "d":
      return toDateText(Date.parse(value)) ?? value;
    default:
      return decodeEscapes(value);
  }
}

function toNumberText(value: string, style: NumberStyle | undefined, is1904: boolean): string {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) return value;
  if (style === "date") return toDateText(toMilliseconds(number, is1904)) ?? String(number);
  if (style === "percent") return `${Number((number * 100).toPrecision(MAX_SIGNIFICANT_DIGITS))}%`;
  return style && /^\d+$/.test(String(number)) ? String(number).padStart(style.minDigits, "0") : String(number);
}

/** Digits of a number in a workbook. Further ones come from binary fractions. */
const MAX_SIGNIFICANT_DIGITS = 15;

const DAY_MILLISECONDS = 86_400_000;
/** Days from Excel's day 0 to 1 January 1970, and from day 0 to that of old Macintosh workbooks. */
const DAYS_BEFORE_1970 = 25_569;
const DAYS_BEFORE_1904 = 1_462;

function toMilliseconds(days: number, is1904: boolean): number {
  return Math.round((days - DAYS_BEFORE_1970 + (is1904 ? DAYS_BEFORE_1904 : 0)) * DAY_MILLISECONDS);
}

function toDateText(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

import { type CivilMinute, parseCivilDate, parseTimeText, toCivilMinute } from "#domain/dates.ts";
import {
  cleanPastedText,
  normalizeDocumentId,
  normalizeOrCleanEmail,
  wasRoundedBySpreadsheet,
} from "#domain/identity.ts";
import { parseAmount } from "#domain/money.ts";
import type { ImportProblem, ImportRemedy } from "#domain/operations/import-problems.ts";
import { isPrintableText, normalizeName, removeInvisibleCharacters, toPrintableLine } from "#domain/plain-text.ts";
import type { StoredValue } from "#worker/store/operations/file-rows.ts";
import { getColumnKindByUnit, type ImportExportColumn } from "#worker/store/operations/file-tables.ts";
import { toEpochInstant } from "#worker/tenancy/clock.ts";
import { findCountryCodeByName } from "./country-names.ts";
import { findGarbledLetters } from "./decode.ts";
import type { FileFormat } from "./file-format.ts";
import { rebuildImportedLogo } from "./imported-logo.ts";
import { parseJsonObjectCell, parseListCell } from "./list-cells.ts";
import {
  convertSpreadsheetDayFraction,
  convertSpreadsheetDaySerial,
  MAX_PARSED_CELL_LENGTH,
  normalizeDate,
  normalizeNumber,
  normalizeTime,
  removeUnit,
  splitDateAndTime,
} from "./numbers.ts";
import { findStandardValueProblem } from "./standard-values.ts";
import { findAllowedValue, normalizeHeading } from "./synonyms.ts";

export type { StoredValue };

/** Parsed value of a cell, or its problem. */
export type CellResult = { readonly value: StoredValue | undefined } | ImportProblem;

/** File and account settings required to read a cell. */
export interface CellFormatContext extends Pick<FileFormat, "decimal" | "dates"> {
  readonly currencyDecimals: number;
  /** Time zone of timestamps without an offset. */
  readonly timezone: string;
}

/** Parses a cell. Undefined if the database default applies. `otherValues` contains the row's values parsed so far. */
export function parseImportCell(
  column: ImportExportColumn,
  typedCell: string,
  terms: CellFormatContext,
  otherValues: Readonly<Record<string, StoredValue>> = {},
): CellResult {
  // Normalizing would remove the decimal comma by which a rounded number is recognised.
  const cell = wasRoundedBySpreadsheet(typedCell) ? typedCell : normalizeIdentity(column.column, typedCell);
  if (cell === "") return emptyCell(column);
  if (column.kind === "measured") return measured(column, cell, terms, otherValues[column.by ?? ""]);
  const known = findStandardValueProblem(column.column, cell);
  if (known) return known;
  if (column.column === "logo") return parseLogo(cell);
  if (column.shape) return parseJsonCell(column, cell, terms);
  if (column.allowed && column.kind !== "yesNo") return parseAllowedValue(column.allowed, cell);
  if (column.kind === "text") return fromText(column, cell, cell);
  const value = parse(column.kind, cell, terms);
  if (value === undefined) return INVALID[column.kind];
  return typeof value === "string" ? fromText(column, value, cell) : { value };
}

function parseJsonCell({ column, shape }: ImportExportColumn, cell: string, terms: CellFormatContext): CellResult {
  if (shape === "list") return parseListCell(column, cell, terms.dates);
  return column === "contract_data" ? parseContractData(cell, terms) : parseJsonObjectCell(cell);
}

// Parses contract data. Its members have the same rules as columns of these names.
function parseContractData(cell: string, terms: CellFormatContext): CellResult {
  const record = parseJsonObjectCell(cell);
  if ("code" in record) return record;
  const members: Record<string, unknown> = { ...(JSON.parse(record.value) as object) };
  const before = JSON.stringify(members);
  for (const [name, text] of Object.entries(members)) {
    if (typeof text !== "string") return { code: "object_invalid", remedy: example('{"name": "text"}') };
    const parsed = text === "" ? { value: text } : parseImportCell(toMemberColumn(name, text), text, terms);
    if ("code" in parsed) return parsed;
    members[name] = parsed.value;
  }
  const after = JSON.stringify(members);
  return { value: after === before ? cell : after };
}

function toMemberColumn(name: string, text: string): ImportExportColumn {
  const kind = /(^|_)date(_of_birth)?$/.test(name) ? "date" : "text";
  return { column: toRuleName(name, text), field: name, kind, isRequired: false, hasDefault: false };
}

// Customers may type the name of a country in an address or licence.
function toRuleName(name: string, text: string): string {
  if (/(address|license)_country$/.test(name) && !/^[A-Za-z]{2}$/.test(text)) return "country_name_typed";
  return name.replace(/_nacionality$/, "_country"); // sic
}

function parseLogo(cell: string): CellResult {
  const value = rebuildImportedLogo(cell);
  if (value !== undefined) return { value };
  return { code: "image_invalid", remedy: { code: "base64_image", params: { command: "base64 -w0 logo.png" } } };
}

// Normalizes countries, documents, emails, phones and plates as every other interface does: without invisible
// characters, and Spanish documents without the prefix ES.
function normalizeIdentity(column: string, cell: string): string {
  if (/country(_code)?$/.test(column)) return findCountryCodeByName(cell) ?? cell;
  if (/(^|_)document_id$/.test(column)) return normalizeDocumentId(removeZeroFraction(cell));
  if (/(^|_)email$/.test(column)) return normalizeOrCleanEmail(cell);
  if (PASTED.test(column)) return removeZeroFraction(cleanPastedText(cell));
  if (NAME.test(column)) return normalizeName(cell);
  return /(^|_)code$/.test(column) ? removeInvisibleCharacters(cell).trim() : cell;
}

// Programs that read a column of digits as numbers write 600112233 as 600112233.0.
const removeZeroFraction = (cell: string) => cell.replace(/^(\+?\d{4,})[.,]0$/, "$1");

const PASTED = /(^|_)(phone|(phone|whatsapp|emergency|licen[cs]e)_number|phone(_number)?_prefix|plate|vin|zip)$/;
const NAME = /(^|_)(full_?|sur|first_|last_)?name$/;

function fromText({ column }: ImportExportColumn, value: string, cell: string): CellResult {
  if (/(^|_)date_of_birth$/.test(column)) return parseBirthDate(value, cell);
  const garbled = findGarbledLetters(value);
  if (garbled) return garbled;
  if (TURNS_LETTERS.test(value)) return { code: "plain", remedy: toPlainText(value) };
  if (ON_ONE_LINE.test(column) && LINE_BREAK.test(value)) return { code: "line_break", remedy: toPlainText(value) };
  if (!NAME.test(column) || (isPrintableText(value) && removeInvisibleCharacters(value) === value)) return { value };
  return { code: isPrintableText(value) ? "person_name" : "plain", remedy: toPlainText(value) };
}

// Columns whose values must be on one line. Every other interface also refuses line breaks there, and text that is
// displayed reversed, because it can mislead. Names appear in mail subjects, addresses in their links.
const ON_ONE_LINE = /(^|_)((full|sur|first_|last_)?name|email|phone|phone_number|plate|reference|document_id|web)$/;
const LINE_BREAK = /[\r\n\u2028\u2029]/;
const TURNS_LETTERS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const toPlainText = (text: string): ImportRemedy => ({
  code: "plain_text",
  params: { text: removeInvisibleCharacters(toPrintableLine(text)) },
});

// Parses a birth date. It can't be in the future, so a two-digit year is moved to the previous century.
function parseBirthDate(date: string, cell: string): CellResult {
  if (date <= new Date().toISOString().slice(0, 10)) return { value: date };
  if (/\d{4}/.test(cell)) return { code: "date_in_future", remedy: example("31/12/1980") };
  return { value: `${Number(date.slice(0, 4)) - 100}${date.slice(4)}` };
}

// Parses a value with the unit in another column. Without the unit it's ambiguous: 15 percent or 15.00 in currency.
function measured(
  { by = "", ...column }: ImportExportColumn,
  cell: string,
  terms: CellFormatContext,
  word: StoredValue | undefined,
): CellResult {
  if (word === undefined || word === null)
    return {
      code: "missing_unit",
      params: { field: by },
      remedy: { code: "one_of", params: { values: "percentage, amount" } },
    };
  const read = parseImportCell({ ...column, kind: getColumnKindByUnit(word) }, cell, terms);
  const isTooMuch = word === "percentage" && "value" in read && Number(read.value) > 100_00;
  return isTooMuch ? { code: "percentage_invalid", remedy: { code: "between", params: { min: 0, max: 100 } } } : read;
}

// Returns the value of an empty cell: an empty text for required texts, null for optional columns, otherwise undefined,
// because a default or derived value may apply.
function emptyCell({ isRequired, hasDefault, kind, allowed, names }: ImportExportColumn): CellResult {
  if (hasDefault) return { value: undefined };
  if (!isRequired) return { value: null };
  return { value: kind === "text" && !allowed && !names ? "" : undefined };
}

function parseAllowedValue(allowed: readonly string[], cell: string): CellResult {
  const value = findAllowedValue(allowed, cell);
  return value === undefined
    ? { code: "value_unknown", remedy: { code: "one_of", params: { values: allowed.join(", ") } } }
    : { value };
}

const example = (text: string): ImportRemedy => ({ code: "example", params: { example: text } });
const examples = (text: string, other: string): ImportRemedy => ({
  code: "two_examples",
  params: { example: text, other },
});

/** Kinds of values that are parsed from their text alone. */
type ParsedKind = Exclude<ImportExportColumn["kind"], "text" | "measured">;

const INVALID: Readonly<Record<ParsedKind, ImportProblem>> = {
  date: { code: "date_invalid", remedy: examples("2027-05-03", "03/05/2027") },
  time: { code: "time_invalid", remedy: example("09:30") },
  number: { code: "number_invalid", remedy: example("12") },
  yesNo: { code: "flag_invalid", remedy: { code: "yes_or_no" } },
  money: { code: "amount_invalid", remedy: { code: "decimal_examples", params: { point: "120.00", comma: "120,00" } } },
  percent: { code: "percentage_invalid", remedy: example("21.00") },
  hundredths: { code: "decimals_invalid", remedy: example("45.50") },
  moment: { code: "moment_invalid", remedy: examples("2027-05-03T10:00:00Z", "03/05/2027 10:00") },
  civilMinute: { code: "moment_invalid", remedy: example("2027-05-03 10:00") },
};

const toFlags = (words: string, flag: 0 | 1) => Object.fromEntries(words.split(" ").map((word) => [word, flag]));

// Words without accents. They include the booleans of spreadsheet programs in each language.
const YES_NO: Readonly<Record<string, number>> = {
  ...toFlags("yes y true 1 si s ja oui sim verdadero vero vrai wahr cert verdadeiro waar x", 1),
  ...toFlags("no n false 0 nein non nao nee falso faux falsch fals onwaar -", 0),
};

function parse(kind: ParsedKind, cell: string, terms: CellFormatContext): StoredValue | undefined {
  if (cell.length > MAX_PARSED_CELL_LENGTH) return undefined;
  const number = () => normalizeNumber(cell, terms.decimal);
  switch (kind) {
    case "date":
      return parseDay(cell, terms);
    case "time":
      return normalizeTime(cell) ?? convertSpreadsheetDayFraction(cell);
    case "number": {
      const text = normalizeNumber(removeUnit(cell), terms.decimal);
      return text === undefined || !Number.isFinite(Number(text)) ? undefined : Number(text);
    }
    case "yesNo":
      return YES_NO[cell.toLowerCase()] ?? YES_NO[normalizeHeading(cell)];
    case "money":
      return signed(number(), terms.currencyDecimals);
    case "percent":
    case "hundredths":
      return signed(number(), 2);
    case "moment":
      return moment(cell, terms);
    case "civilMinute":
      return civilMinute(cell, terms);
  }
}

// Parses an amount that may be negative, as in credit notes.
function signed(text: string | undefined, decimals: number): number | undefined {
  const amount = text === undefined ? undefined : parseAmount(text.replace(/^-/, ""), decimals);
  return amount !== undefined && text?.startsWith("-") ? -amount : amount;
}

// A timestamp without an offset is in the account's time zone. An ISO date without time starts at midnight UTC, as in
// exports.
function moment(cell: string, terms: CellFormatContext): number | undefined {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(cell)) {
    const at = Date.parse(cell);
    return Number.isNaN(at) ? undefined : at;
  }
  const minute = civilMinute(cell, terms);
  return minute === undefined ? undefined : toEpochInstant(terms.timezone, minute);
}

// Parses a date. Ignores a time after it, as other systems write it, because the time's own column is filled
// separately.
function parseDay(cell: string, { dates }: CellFormatContext): string | undefined {
  const [date, time] = splitDateAndTime(convertSpreadsheetDaySerial(cell) ?? cell);
  return time === "" || normalizeTime(time.replace(/Z$/, "")) ? normalizeDate(date, dates) : undefined;
}

function civilMinute(typedCell: string, { dates }: CellFormatContext): CivilMinute | undefined {
  const cell = convertSpreadsheetDaySerial(typedCell) ?? typedCell;
  const [date, time] = splitDateAndTime(cell);
  const [day, clock] = [
    parseCivilDate(normalizeDate(date, dates) ?? ""),
    parseTimeText(normalizeTime(time || "00:00") ?? ""),
  ];
  return day && clock ? toCivilMinute(day, clock) : undefined;
}

import { type CivilMinute, parseCivilDate, parseTimeOfDay, toCivilMinute } from "#domain/dates.ts";
import { parseAmount } from "#domain/money.ts";
import type { Stored } from "#worker/store/operations/file-rows.ts";
import type { FileColumn } from "#worker/store/operations/file-tables.ts";
import { toMoment } from "#worker/tenancy/clock.ts";
import { findGarbled } from "./decode.ts";
import { findKnownProblem } from "./known-words.ts";
import { plainDate, plainNumber, plainTime } from "./numbers.ts";
import type { Problem } from "./problem.ts";
import type { Style } from "./style.ts";
import { allowedWord } from "./words.ts";

export type { Stored };

export type Read = { readonly value: Stored | undefined } | Problem;

/** What there is to know of a file and its account to read a cell. */
export interface CellTerms extends Pick<Style, "decimal" | "dates"> {
  readonly currencyDecimals: number;
  /** Of moments that are written without their offset. */
  readonly timezone: string;
}

/** What a cell of a file says; undefined where the database's own default holds. */
export function fromCell(column: FileColumn, cell: string, terms: CellTerms): Read {
  if (cell === "") return emptyCell(column);
  const known = findKnownProblem(column.column, cell);
  if (known) return known;
  if (column.allowed && column.kind !== "yesNo") return oneOf(column.allowed, cell);
  const value = parse(column.kind, cell, terms);
  if (value === undefined) return { problem: `is not ${EXPECTED[column.kind]}`, remedy: EXAMPLES[column.kind] };
  const garbled = typeof value === "string" ? findGarbled(value) : undefined;
  return garbled ? { problem: garbled, remedy: "save the file again as UTF-8, or say --encoding" } : { value };
}

// An empty text where there must be one is a text; anything else that is empty may follow from the rest of the row.
function emptyCell({ isRequired, hasDefault, kind, allowed, names }: FileColumn): Read {
  if (hasDefault) return { value: undefined };
  if (!isRequired) return { value: null };
  return { value: kind === "text" && !allowed && !names ? "" : undefined };
}

function oneOf(allowed: readonly string[], cell: string): Read {
  const value = allowedWord(allowed, cell);
  return value === undefined
    ? { problem: "is none of the words that are known", remedy: `one of ${allowed.join(", ")}` }
    : { value };
}

const EXPECTED: Readonly<Record<FileColumn["kind"], string>> = {
  text: "a text",
  date: "a date that exists",
  time: "a time of the day",
  number: "a number",
  yesNo: "yes or no",
  money: "an amount of the account's currency",
  percent: "a percentage",
  hundredths: "a number of two decimals",
  moment: "a moment",
  civilMinute: "a date and a time",
};

const EXAMPLES: Readonly<Record<FileColumn["kind"], string>> = {
  text: "a text",
  date: "2027-05-03 or 03/05/2027",
  time: "09:30",
  number: "12",
  yesNo: "yes or no",
  money: "120.00, or 120,00 in all of the file",
  percent: "21.00",
  hundredths: "45.50",
  moment: "2027-05-03T10:00:00Z or 03/05/2027 10:00",
  civilMinute: "2027-05-03 10:00",
};

const YES_NO: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ["yes", "y", "true", "1", "si", "sí", "s", "ja", "oui", "verdadero", "x"].map((word) => [word, 1]),
  ),
  ...Object.fromEntries(["no", "n", "false", "0", "nein", "non", "falso", "-"].map((word) => [word, 0])),
};

function parse(kind: FileColumn["kind"], cell: string, terms: CellTerms): Stored | undefined {
  const number = () => plainNumber(cell, terms.decimal);
  switch (kind) {
    case "text":
      return cell;
    case "date":
      return plainDate(cell.replace(/[ T]00:00(:00)?(\.0+)?Z?$/, ""), terms.dates);
    case "time":
      return plainTime(cell);
    case "number": {
      const text = number();
      return text === undefined || !Number.isFinite(Number(text)) ? undefined : Number(text);
    }
    case "yesNo":
      return YES_NO[cell.toLowerCase()];
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

// Credit notes have amounts below zero.
function signed(text: string | undefined, decimals: number): number | undefined {
  const amount = text === undefined ? undefined : parseAmount(text.replace(/^-/, ""), decimals);
  return amount !== undefined && text?.startsWith("-") ? -amount : amount;
}

// Without its offset a moment is one of the account's clock; a day of ISO without a time begins at midnight UTC, as
// exports have it.
function moment(cell: string, terms: CellTerms): number | undefined {
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(cell)) {
    const at = Date.parse(cell);
    return Number.isNaN(at) ? undefined : at;
  }
  const minute = civilMinute(cell, terms);
  return minute === undefined ? undefined : toMoment(terms.timezone, minute);
}

function civilMinute(cell: string, { dates }: CellTerms): CivilMinute | undefined {
  const [date = "", time = "00:00"] = cell.split(/[ T]+/);
  const [day, clock] = [parseCivilDate(plainDate(date, dates) ?? ""), parseTimeOfDay(plainTime(time) ?? "")];
  return day && clock ? toCivilMinute(day, clock) : undefined;
}

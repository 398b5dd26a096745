import { type CivilMinute, fromCivilMinute, parseCivilDate, parseTimeOfDay, toCivilMinute } from "#domain/dates.ts";
import { parseAmount, toAmount } from "#domain/money.ts";
import type { FileColumn } from "./tables.ts";

export type Stored = string | number | null;

/** A value of the database as a file shows it; nothing is an empty cell. */
export function toCell({ kind }: FileColumn, value: Stored, currencyDecimals: number): string {
  if (value === null) return "";
  if (kind === "text" || typeof value === "string") return String(value);
  switch (kind) {
    case "money":
      return toAmount(value, currencyDecimals);
    case "percent":
    case "hundredths":
      return toAmount(value, 2);
    case "yesNo":
      return value === 1 ? "yes" : "no";
    case "moment":
      return new Date(value).toISOString();
    case "civilMinute": {
      const { date, time } = fromCivilMinute(value);
      return `${date} ${time}`;
    }
    case "number":
      return String(value);
  }
}

export type Read = { readonly value: Stored | undefined } | { readonly problem: string };

/** What a cell of a file says; undefined where the database's own default holds. */
export function fromCell(column: FileColumn, cell: string, currencyDecimals: number): Read {
  if (cell === "") return emptyCell(column);
  const value = parse(column.kind, cell, currencyDecimals);
  return value === undefined ? { problem: `must be ${EXPECTED[column.kind]}, not "${cell.slice(0, 40)}"` } : { value };
}

// An empty text where there must be one is a text; an empty number is missing.
function emptyCell({ isRequired, hasDefault, kind }: FileColumn): Read {
  if (hasDefault) return { value: undefined };
  if (!isRequired) return { value: null };
  return kind === "text" ? { value: "" } : { problem: "is required" };
}

const EXPECTED: Readonly<Record<FileColumn["kind"], string>> = {
  text: "a text",
  number: "a number",
  yesNo: "yes or no",
  money: "an amount of the account's currency, 120.00",
  percent: "a percentage, 21.00",
  hundredths: "a number of two decimals",
  moment: "a moment, 2027-05-03T10:00:00Z",
  civilMinute: "a date and a time, 2027-05-03 10:00",
};

function parse(kind: FileColumn["kind"], cell: string, currencyDecimals: number): Stored | undefined {
  switch (kind) {
    case "text":
      return cell;
    case "number":
      return /^-?\d+(\.\d+)?$/.test(cell) && Number.isFinite(Number(cell)) ? Number(cell) : undefined;
    case "yesNo":
      return { yes: 1, no: 0, true: 1, false: 0, "1": 1, "0": 0 }[cell.toLowerCase()];
    case "money":
      return signed(cell, currencyDecimals);
    case "percent":
    case "hundredths":
      return signed(cell, 2);
    case "moment": {
      const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(cell)
        ? Date.parse(cell)
        : Number.NaN;
      return Number.isNaN(at) ? undefined : at;
    }
    case "civilMinute":
      return civilMinute(cell);
  }
}

// Credit notes have amounts below zero.
function signed(cell: string, decimals: number): number | undefined {
  const amount = parseAmount(cell.replace(/^-/, ""), decimals);
  return amount !== undefined && cell.startsWith("-") ? -amount : amount;
}

function civilMinute(cell: string): CivilMinute | undefined {
  const [date = "", time = ""] = cell.split(/[ T]/);
  const [day, clock] = [parseCivilDate(date), parseTimeOfDay(time.slice(0, 5))];
  return day && clock ? toCivilMinute(day, clock) : undefined;
}

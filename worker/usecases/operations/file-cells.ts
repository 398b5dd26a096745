import { fromCivilMinute } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import { toCsv } from "#domain/reporting/csv.ts";
import type { StoredRow } from "#worker/store/operations/file-rows.ts";
import {
  getColumnKindByUnit,
  type ImportExportColumn,
  type ImportExportTable,
} from "#worker/store/operations/file-tables.ts";

/** Formats a row's value for a file. Null becomes an empty cell. */
export function formatFileCell(column: ImportExportColumn, row: StoredRow, currencyDecimals: number): string {
  const value = row[column.column] ?? null;
  const kind = column.kind === "measured" ? getColumnKindByUnit(row[column.by ?? ""]) : column.kind;
  if (value === null) return "";
  if (typeof value === "string") return value;
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
    case "text":
    case "date":
    case "time":
      return String(value);
  }
}

/** Formats a row as a line of JSON with the values as in files. Omits empty values. */
export function formatJsonLine({ columns }: ImportExportTable, row: StoredRow, currencyDecimals: number): string {
  const cells = columns.map((column) => [column.field, formatFileCell(column, row, currencyDecimals)]);
  return `${JSON.stringify(Object.fromEntries(cells.filter(([, cell]) => cell !== "")))}\n`;
}

interface Language {
  readonly yesNo: readonly [yes: string, no: string];
  /** Formats a date. */
  readonly date: (year: string, month: string, day: string) => string;
}

const slashes: Language["date"] = (year, month, day) => `${day}/${month}/${year}`;

/** Spreadsheet formats by language. All of them use a decimal comma. */
const LANGUAGES = {
  es: { yesNo: ["sí", "no"], date: slashes },
  ca: { yesNo: ["sí", "no"], date: slashes },
  fr: { yesNo: ["oui", "non"], date: slashes },
  de: { yesNo: ["ja", "nein"], date: (year, month, day) => `${day}.${month}.${year}` },
} as const satisfies Readonly<Record<string, Language>>;

export type FileLanguage = "en" | keyof typeof LANGUAGES;
export const FILE_LANGUAGES: readonly FileLanguage[] = ["en", "es", "ca", "fr", "de"];

/**
 * Formats rows as CSV. English follows RFC 4180. Other languages use their spreadsheets' format: semicolons, decimal
 * commas, localized dates and values, and a UTF-8 mark. Headings and timestamps stay unchanged.
 */
export function toCsvText(
  { columns }: ImportExportTable,
  rows: readonly StoredRow[],
  { currencyDecimals, language }: { readonly currencyDecimals: number; readonly language: FileLanguage },
): string {
  const fields = columns.map(({ field }) => field);
  const cells = rows.map((row) => columns.map((column) => formatFileCell(column, row, currencyDecimals)));
  if (language === "en") return toCsv([fields, ...cells]);
  const cellLanguage: Language = LANGUAGES[language];
  const inLanguage = cells.map((row) => row.map((cell, at) => translateCell(columns[at], cell, cellLanguage)));
  const numbers = columns.map(({ kind }) => ["money", "percent", "hundredths", "measured", "number"].includes(kind));
  return `\uFEFF${toCsv([fields, ...inLanguage], ",", numbers)}`;
}

function translateCell(column: ImportExportColumn | undefined, cell: string, { yesNo, date }: Language): string {
  if (column?.kind === "yesNo" && cell !== "") return yesNo[cell === "yes" ? 0 : 1];
  if (column?.kind === "date")
    return cell.replace(/^(\d{4})-(\d\d)-(\d\d)$/, (_, year, month, day) => date(year, month, day));
  return cell;
}

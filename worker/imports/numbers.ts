/** Maximum characters of a number or a date. The patterns would take minutes for a long cell of spaces. */
export const MAX_PARSED_CELL_LENGTH = 100;

/**
 * Normalizes a formatted number to digits with a decimal point, without thousands separators and currency sign.
 * Undefined if it isn't a number or has a different decimal mark than the file.
 */
export function normalizeNumber(cell: string, decimalMark: "." | ","): string | undefined {
  if (cell.length > MAX_PARSED_CELL_LENGTH) return undefined;
  const thousands = decimalMark === "," ? "." : ",";
  const bare = cell
    .replace(/^(-?)\s*(?:\p{Sc}|[A-Z]{3}\b)\s*/u, "$1")
    .replace(/\s*(?:[\p{Sc}%]|[A-Z]{3})$/u, "")
    .replaceAll(/(?<=\d)[\s'’](?=\d{3}(?:\D|$))/g, "");
  const [fullYear = "", fraction, ...more] = bare.split(decimalMark);
  const digits = fullYear.replace(/^-/, "");
  const isGrouped = new RegExp(`^\\d{1,3}(\\${thousands}\\d{3})+$`).test(digits);
  if (more.length > 0 || !(isGrouped || /^\d+$/.test(digits)) || !/^\d*$/.test(fraction ?? "")) return undefined;
  const sign = fullYear.startsWith("-") ? "-" : "";
  return `${sign}${digits.replaceAll(thousands, "")}${fraction ? `.${fraction}` : ""}`;
}

// Distances and counts as lists print them.
const UNIT = /(?<=\d)\s*(?:kms?|mi|miles|d[ií]as?|tage?|jours?|giorn[oi]|dies|days?|uds?\.|stk\.|pcs)$/i;

/** Removes the unit after a count or distance, such as `12.345 km` or `3 Tage`. */
export function removeUnit(cell: string): string {
  return cell.length > MAX_PARSED_CELL_LENGTH ? cell : cell.replace(UNIT, "");
}

/** Normalizes a date to the schema's format, 2026-12-31. Undefined if it isn't a date. */
export function normalizeDate(cell: string, dateOrder: "day" | "month"): string | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(cell)) return existing(cell);
  const yearFirst = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(cell);
  if (yearFirst) return toDateText(yearFirst[1], yearFirst[2], yearFirst[3]);
  const [, text, other, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d\d)$/.exec(cell) ?? [];
  // Two-digit years start at 1970.
  const fullYear = year?.length === 2 ? `${Number(year) < 70 ? 20 : 19}${year}` : year;
  return dateOrder === "day" ? toDateText(fullYear, other, text) : toDateText(fullYear, text, other);
}

const DAY_MS = 86_400_000;
/** Days from the first day of spreadsheets to 1970. */
const DAYS_BEFORE_1970 = 25_569;
const MAX_SERIAL = 80_000;

/**
 * Converts the serial number of a day, which spreadsheets show for a date without a format, to 2026-12-31 or 2026-12-31
 * 10:00. Undefined if it isn't one. Numbers of five digits, from 1927 to 2119, can't be anything else in a date.
 */
export function convertSpreadsheetDaySerial(cell: string): string | undefined {
  if (!/^[1-9]\d{4}(?:[.,]\d+)?$/.test(cell)) return undefined;
  const days = Number(cell.replace(",", "."));
  if (days > MAX_SERIAL) return undefined;
  const MINUTES_A_DAY = 1440;
  const minutes = Math.round((days - DAYS_BEFORE_1970) * MINUTES_A_DAY);
  const text = new Date((minutes * DAY_MS) / MINUTES_A_DAY).toISOString();
  return text.slice(11, 16) === "00:00" ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

/**
 * Converts a fraction of a day, such as 0.5, to a time. Spreadsheets show it for times without a format. Undefined for
 * other text.
 */
export function convertSpreadsheetDayFraction(cell: string): string | undefined {
  if (!/^0[.,]\d+$/.test(cell)) return undefined;
  return convertSpreadsheetDaySerial(`40000.${cell.slice(2)}`)?.slice(11) || "00:00";
}

/** Splits a cell into its date and its time. The time is empty if there's none. */
export function splitDateAndTime(cell: string): readonly [date: string, time: string] {
  if (cell.length > MAX_PARSED_CELL_LENGTH) return [cell, ""];
  const [, date = cell, time = ""] =
    /^(\S+?)(?:,\s*|\s+(?:(?:à|a las|alle|ore|um|at)\s+)?|T)(\d{1,2}[:.h].*)$/.exec(cell) ?? [];
  return [date, time];
}

/** Normalizes a time to the format 09:30. Undefined if it isn't a time. */
export function normalizeTime(cell: string): string | undefined {
  const [, text = "", minute = "00", half = ""] =
    /^(\d{1,2})[:.h](\d\d)?(?::\d\d(?:\.\d+)?)?\s*(?:h|hrs?|hs|uhr|([ap])\.?\s?m\.?)?$/i.exec(cell) ?? [];
  if (half !== "" && (Number(text) === 0 || Number(text) > 12)) return undefined;
  const hour = half === "" ? text : String((Number(text) % 12) + (half.toLowerCase() === "p" ? 12 : 0));
  return hour !== "" && Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, "0")}:${minute}` : undefined;
}

function toDateText(year: string | undefined, month: string | undefined, day: string | undefined): string | undefined {
  return year && month && day ? existing(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`) : undefined;
}

function existing(date: string): string | undefined {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date) ? date : undefined;
}

// Tables for spreadsheets: RFC 4180, and no cell that a spreadsheet would run as a formula.

/** A table as CSV text, its lines ended by CR LF. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map((cell) => toCell(cell)).join(",")}\r\n`).join("");
}

const STARTS_FORMULA = /^[=+\-@\t\r]/;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

// A text that begins like a formula is shown as text: the apostrophe is the spreadsheets' own mark for it. A plain
// number is none.
function toCell(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  const safe = STARTS_FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

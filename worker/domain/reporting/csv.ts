// Tables for spreadsheets: RFC 4180, and no cell that a spreadsheet would run as a formula.

/**
 * A table as CSV text, its lines ended by CR LF. Where the decimal mark is a comma, as spreadsheets expect it in much
 * of Europe, cells are parted by semicolons; where `numbers` says which columns are numbers, the others keep their
 * points.
 */
export function toCsv(
  rows: readonly (readonly (string | number | null)[])[],
  decimalMark: "." | "," = ".",
  numbers?: readonly boolean[],
): string {
  const separator = decimalMark === "," ? ";" : ",";
  const getDecimalMark = (column: number) => (numbers?.[column] === false ? "." : decimalMark);
  return rows.map((row) => `${row.map((cell, at) => toCell(cell, getDecimalMark(at))).join(separator)}\r\n`).join("");
}

// With marks before it, too: one is put before them, and one is taken off. Spreadsheets of East Asia take the signs of
// full width for the others.
const STARTS_FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/** A text as it was before `toCsv` marked it: the mark before what looks like a formula is taken off. */
export const withoutMark = (cell: string) => (cell.startsWith("'") && STARTS_FORMULA.test(cell) ? cell.slice(1) : cell);

// A text that begins like a formula is shown as text: the apostrophe is the spreadsheets' own mark for it. A plain
// number is none.
function toCell(value: string | number | null, decimalMark: "." | ","): string {
  const text = value === null ? "" : String(value);
  if (PLAIN_NUMBER.test(text)) return text.replace(".", decimalMark);
  const safe = STARTS_FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

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
  const markOf = (column: number) => (numbers?.[column] === false ? "." : decimalMark);
  return rows.map((row) => `${row.map((cell, at) => toCell(cell, markOf(at))).join(separator)}\r\n`).join("");
}

// With marks before it, too: one is put before them, and one is taken off.
const STARTS_FORMULA = /^'*[=+\-@\t\r]/;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

// A text that begins like a formula is shown as text: the apostrophe is the spreadsheets' own mark for it. A plain
// number is none.
function toCell(value: string | number | null, decimalMark: "." | ","): string {
  const text = value === null ? "" : String(value);
  if (PLAIN_NUMBER.test(text)) return text.replace(".", decimalMark);
  const safe = STARTS_FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// Spreadsheet tables: RFC 4180, without cells that a spreadsheet would run as a formula.

/**
 * Formats a table as CSV with CR LF line ends. With a decimal comma, as common in Europe, cells are separated
 * by semicolons. `numbers` marks the number columns. Other columns keep decimal points.
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

// Also matches text that already starts with apostrophes, so that `removeFormulaMark` restores exactly what `toCsv`
// received. East Asian spreadsheets treat full-width signs like the others.
const STARTS_FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/** Removes the prefix that `toCsv` adds to text that looks like a formula. */
export const removeFormulaMark = (cell: string) =>
  cell.startsWith("'") && STARTS_FORMULA.test(cell) ? cell.slice(1) : cell;

// Text that starts like a formula gets an apostrophe, which spreadsheets treat as a text marker. Plain numbers are
// unchanged.
function toCell(value: string | number | null, decimalMark: "." | ","): string {
  const text = value === null ? "" : String(value);
  if (PLAIN_NUMBER.test(text)) return text.replace(".", decimalMark);
  const safe = STARTS_FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

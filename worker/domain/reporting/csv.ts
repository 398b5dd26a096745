// Tables for spreadsheets: RFC 4180, and no cell that a spreadsheet would run as a formula.

/** A table as CSV text, its lines ended by CR LF. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map((cell) => toCell(cell)).join(",")}\r\n`).join("");
}

const STARTS_FORMULA = /^[=+\-@\t\r]/;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

// A text that begins like a formula is shown as text: the apostrophe is the spreadsheets' own mark for it. A plain number is none.
function toCell(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  const safe = STARTS_FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The rows of CSV text; undefined where a quote is not closed or stands where none may. Lines end by LF or CR LF. */
export function parseCsv(text: string): string[][] | undefined {
  const rows: string[][] = [];
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; ) {
    const row = readRow(text, at);
    if (!row) return undefined;
    rows.push(row.cells);
    at = row.end + (text.startsWith("\r\n", row.end) ? 2 : 1);
  }
  return rows;
}

function readRow(text: string, start: number): { readonly cells: string[]; readonly end: number } | undefined {
  const cells: string[] = [];
  for (let at = start; ; at++) {
    const cell = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
    if (!cell) return undefined;
    cells.push(cell.value);
    at = cell.end;
    if (text[at] !== ",") return { cells, end: at };
  }
}

interface Cell {
  readonly value: string;
  /** Where the comma or the end of the line is. */
  readonly end: number;
}

function readPlain(text: string, start: number): Cell | undefined {
  const plain = /[^,\r\n"]*/y;
  plain.lastIndex = start;
  const value = plain.exec(text)?.[0] ?? "";
  const end = start + value.length;
  return isCellEnd(text, end) ? { value, end } : undefined;
}

function readQuoted(text: string, start: number): Cell | undefined {
  let end = start + 1;
  for (;;) {
    const quote = text.indexOf('"', end);
    if (quote === -1) return undefined;
    if (text[quote + 1] !== '"') {
      const value = text.slice(start + 1, quote).replaceAll('""', '"');
      return isCellEnd(text, quote + 1) ? { value, end: quote + 1 } : undefined;
    }
    end = quote + 2;
  }
}

function isCellEnd(text: string, at: number): boolean {
  return at === text.length || text[at] === "," || text[at] === "\n" || text.startsWith("\r\n", at);
}

import { parse } from "csv-parse/sync";
import { SEPARATORS, type Separator } from "#domain/operations/imports.ts";

/** Row of a sheet and its first line number, starting at 1. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Returns the most frequent separator in the headings, outside of quotes. */
export function detectSeparator(text: string): Separator {
  const headings = (/^(?:"(?:[^"]|"")*"|[^\r\n"])*/.exec(text)?.[0] ?? "").replaceAll(/"(?:[^"]|"")*"/g, "");
  const counts = SEPARATORS.map((separator) => ({ separator, count: headings.split(separator).length }));
  return counts.reduce((best, item) => (item.count > best.count ? item : best)).separator;
}

/**
 * Parses CSV into rows with line numbers. Undefined if a quote is unclosed or misplaced. Lines end with LF, CR LF, or
 * CR alone as in old Macintosh spreadsheets.
 */
export function parseSheet(text: string, separator: Separator): SheetRow[] | undefined {
  try {
    const records = parse(text.includes("\n") ? text : text.replaceAll("\r", "\n"), {
      bom: true,
      relax_column_count: true,
      record_delimiter: ["\r\n", "\n"],
      delimiter: separator,
      info: true,
    }) as unknown as readonly { readonly record: string[]; readonly info: { readonly lines: number } }[];
    let line = 1;
    return records.map(({ record, info }) => {
      const row = { line, cells: record };
      line = info.lines + 1;
      return row;
    });
  } catch {
    return undefined;
  }
}

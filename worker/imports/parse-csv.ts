import { parse } from "csv-parse/sync";
import { SEPARATORS, type Separator } from "#domain/operations/imports.ts";

/** A row of a sheet and the line it begins at, the first being 1. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The separator that the headings have most of, outside of quotes. */
export function detectSeparator(text: string): Separator {
  const headings = (/^(?:"(?:[^"]|"")*"|[^\r\n"])*/.exec(text)?.[0] ?? "").replaceAll(/"(?:[^"]|"")*"/g, "");
  const counts = SEPARATORS.map((separator) => ({ separator, count: headings.split(separator).length }));
  return counts.reduce((best, item) => (item.count > best.count ? item : best)).separator;
}

/**
 * The rows of CSV text with their lines; undefined where a quote is not closed or stands where none may. Lines end by
 * LF or CR LF, or by CR alone as old spreadsheets of the Macintosh have them.
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

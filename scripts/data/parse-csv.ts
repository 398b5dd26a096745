import { parse } from "csv-parse/sync";

/** The rows of CSV text; undefined where a quote is not closed or stands where none may. Lines end by LF or CR LF. */
export function parseCsv(text: string): string[][] | undefined {
  try {
    return parse(text, { bom: true, relax_column_count: true, record_delimiter: ["\r\n", "\n"] });
  } catch {
    return undefined;
  }
}

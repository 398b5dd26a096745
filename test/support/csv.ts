import { parseSheet } from "#worker/imports/parse-csv.ts";

/** The cells of CSV text that is separated by commas; undefined where it is none. */
export function parseCsv(text: string): string[][] | undefined {
  return parseSheet(text, ",")?.map(({ cells }) => [...cells]);
}

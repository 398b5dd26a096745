import { parseSheet } from "#worker/imports/parse-csv.ts";

/** Parses comma-separated text. Throws `OpenQuote`. */
export function parseCsv(text: string): string[][] {
  return parseSheet(text, ",").map(({ cells }) => [...cells]);
}

import { parseSheet } from "#worker/imports/parse-csv.ts";
import { runAtOnce } from "#worker/imports/slices.ts";

/** Parses comma-separated text. Throws `UnclosedQuote`. */
export function parseCsv(text: string): string[][] {
  return runAtOnce(parseSheet(text, ",")).map(({ cells }) => [...cells]);
}

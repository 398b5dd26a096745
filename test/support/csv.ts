import { runAtOnce } from "#domain/slices.ts";
import { parseSheet } from "#worker/imports/parse-csv.ts";

/** Parses comma-separated text. Throws `UnclosedQuote`. */
export function parseCsv(text: string): string[][] {
  return runAtOnce(parseSheet(text, ",")).map(({ cells }) => [...cells]);
}

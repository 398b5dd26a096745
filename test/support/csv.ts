import { runWithoutPauses } from "#domain/run-in-slices.ts";
import { parseSheet } from "#worker/imports/parse-csv.ts";

/** Parses comma-separated text. Throws `UnclosedQuoteError`. */
export function parseCsv(text: string): string[][] {
  return runWithoutPauses(parseSheet(text, ",")).map(({ cells }) => [...cells]);
}

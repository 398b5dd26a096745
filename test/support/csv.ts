import { runWithoutPauses } from "#domain/run-in-slices.ts";
import { parseCsvSheet } from "#worker/imports/parse-csv.ts";

/** Parses comma-separated text. Throws `UnclosedQuoteError`. */
export function parseCsv(text: string): string[][] {
  return runWithoutPauses(parseCsvSheet(text, ",")).map(({ cells }) => [...cells]);
}

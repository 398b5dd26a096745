import { parseSheet } from "#worker/imports/parse-csv.ts";

/** Parses comma-separated text. Returns undefined if invalid. */
export function parseCsv(text: string): string[][] | undefined {
  return parseSheet(text, ",")?.map(({ cells }) => [...cells]);
}

import { z } from "zod";
import { toCsv } from "#domain/reporting/csv.ts";
import type { Writing } from "#worker/api/integration/messages.ts";

/** Query parameters of a table in addition to its filters. */
export const tableQueryFields = {
  decimal_mark: z
    .enum([".", ","], "must be . or ,")
    .default(".")
    .meta({ description: "With a comma cells are parted by semicolons, as spreadsheets of much of Europe open them" }),
};

type Cell = string | number | null;
export type Columns<Row> = readonly (readonly [
  name: string,
  cell: (row: Row, writing: Writing) => Cell,
  isNumber?: true,
])[];

/** Creates a table of rows for spreadsheets, starting with the column names. */
export function toTable<Row>(columns: Columns<Row>, rows: readonly Row[], writing: Writing, mark: "." | ","): string {
  const head = columns.map(([name]) => name);
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row, writing)));
  const numbers = columns.map(([, , isNumber]) => isNumber === true);
  // Spreadsheets recognise UTF-8 by this byte order mark.
  return `\uFEFF${toCsv([head, ...cells], mark, numbers)}`;
}

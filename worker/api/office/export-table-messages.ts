import { z } from "zod";
import { toCsv } from "#domain/reporting/csv.ts";
import type { ColumnKind, TableData } from "#domain/reporting/workbook.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";

/** Query parameters of a table in addition to its filters. */
export const tableQueryFields = {
  decimal_mark: z
    .enum([".", ","], "must be . or ,")
    .default(".")
    .meta({ description: "With a comma, semicolons separate the cells" }),
};

type Cell = string | number | null;
export type TableColumns<Row> = readonly (readonly [
  name: string,
  cell: (row: Row, messageFormat: MessageFormat) => Cell,
  kind?: ColumnKind,
])[];
export type ExportTable = TableData;

/** Creates a table of rows. */
export function toExportTable<Row>(
  columns: TableColumns<Row>,
  rows: readonly Row[],
  messageFormat: MessageFormat,
): ExportTable {
  return {
    names: columns.map(([name]) => name),
    kinds: columns.map(([, , kind]) => kind),
    rows: rows.map((row) => columns.map(([, cell]) => cell(row, messageFormat))),
  };
}

/** Formats a table for spreadsheets, starting with the column names. */
export function writeExportTableCsv({ names, kinds, rows }: ExportTable, decimalMark: "." | ","): string {
  const numbers = kinds.map((kind) => kind === "number");
  // Spreadsheets recognise UTF-8 by this byte order mark.
  return `\uFEFF${toCsv([names, ...rows], decimalMark, numbers)}`;
}

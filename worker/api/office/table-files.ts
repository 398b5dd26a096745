import type { Context } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { writeWorkbook } from "#worker/usecases/operations/write-workbook.ts";
import { type ExportTable, writeExportTableCsv } from "./export-table-messages.ts";
import { officeFailureResponses } from "./office-api.ts";

/** Formats of a table. */
export const TABLE_FORMATS = ["csv", "xlsx"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];
/** Ends of operation ids, by format. */
export const OPERATION_ID_SUFFIXES = { csv: "", xlsx: "Workbook" } as const;

const TYPES = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const;

const [CSV_TYPE, WORKBOOK_TYPE] = ["text/csv", TYPES.xlsx] as const;

/** Content types of a table by format, for a route that returns the table in each format. */
export const TABLE_CONTENT_SCHEMAS: Readonly<Record<string, { schema: { type: "string"; format?: string } }>> = {
  [CSV_TYPE]: { schema: { type: "string" } },
  [WORKBOOK_TYPE]: { schema: { type: "string", format: "binary" } },
};

/** Responses of the route of a table. */
export function createTableResponses<Own extends 404 = never>(format: TableFormat, ...own: readonly Own[]) {
  const schema: { type: "string"; format?: string } =
    format === "csv" ? { type: "string" } : { type: "string", format: "binary" };
  const description = format === "csv" ? "CSV by RFC 4180" : "Excel workbook";
  const content = { [format === "csv" ? CSV_TYPE : WORKBOOK_TYPE]: { schema } };
  return { 200: { description, content }, ...officeFailureResponses.reading(...own) } as const;
}

/** Returns a table as a file in the format. */
export function answerTableFile(
  c: Context<AppEnvironment>,
  name: string,
  format: TableFormat,
  { table, mark: decimalMark }: { readonly table: ExportTable; readonly mark: "." | "," },
) {
  c.header("Content-Disposition", `attachment; filename="${name}.${format}"`);
  const headers = { "Content-Type": TYPES[format] };
  return format === "csv"
    ? c.body(writeExportTableCsv(table, decimalMark), 200, headers)
    : c.body(writeWorkbook(name, table), 200, headers);
}

import type { ResourceField } from "#domain/catalogue/resources/fields.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import type { ColumnKind } from "#domain/reporting/workbook.ts";
import { type TableColumns, tableQueryFields } from "#worker/api/office/export-table-messages.ts";
import type { createResourceSchemas, ResourceListMessage } from "./resource-messages.ts";

/** Returns the query schema of a resource's table: the filters of its list, and the options of the format. */
export function createResourceTableQuery({ query }: Pick<ReturnType<typeof createResourceSchemas>, "query">) {
  return query.omit({ page_size: true, after: true, options: true }).extend(tableQueryFields);
}

type Row = ResourceListMessage["data"][number] & Readonly<Record<string, unknown>>;

const KINDS: Readonly<Partial<Record<ResourceField["kind"], ColumnKind>>> = {
  ...{ whole: "number", coordinate: "number", money: "number", percent: "number", measured: "number" },
  date: "date",
};

function toCell(value: unknown): string | number | null {
  if (typeof value === "number" || value === null || value === undefined) return value ?? null;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Returns the columns of a resource's table: its id and the fields of its list. A secret's column contains
 * only whether the secret is set. Omits links that give access, because users pass files on.
 */
export function createResourceColumns({
  fields,
  isCounted,
}: Pick<Resource, "fields" | "isCounted">): TableColumns<Row> {
  const columns = fields
    .filter(({ name, grantsAccess }) => name !== "id" && !grantsAccess)
    .map((field) => {
      const name = field.kind === "secret" ? `has_${field.name}` : field.name;
      return createColumn(name, KINDS[field.kind]);
    });
  return [createColumn("id", isCounted && "number"), ...columns];
}

function createColumn(name: string, kind: ColumnKind | undefined): TableColumns<Row>[number] {
  const cell = (row: Row) => toCell(row[name]);
  return kind ? [name, cell, kind] : [name, cell];
}

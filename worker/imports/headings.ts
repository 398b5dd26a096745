import type { ImportMapping } from "#domain/operations/imports.ts";
import type { ImportExportColumn, ImportExportTable } from "#worker/store/operations/file-tables.ts";
import { isFamilyNameHeading, isReducedSynonym, isSynonym, normalizeHeading } from "./synonyms.ts";

/** Id of a row in the other system, for tables with numeric keys. */
export const IMPORT_KEY_COLUMN: ImportExportColumn = {
  column: "import key",
  field: "key",
  kind: "text",
  isRequired: false,
  hasDefault: false,
};

const from = (column: string, field: string, more: Partial<ImportExportColumn> = {}): ImportExportColumn => ({
  column,
  field,
  kind: "text",
  isRequired: false,
  hasDefault: true,
  ...more,
});

/** Additional fields of a table's file that define rows of related tables. */
const MORE: Readonly<Record<string, readonly ImportExportColumn[]>> = {
  bookings: [
    from("line.category_code", "category_code", { names: { table: "categories", column: "code" } }),
    from("line.quantity", "quantity", { kind: "number" }),
    from("line.vat_basis_points", "vat_percent", { kind: "percent" }),
    from("unit.vehicle_reference", "vehicle_reference", { names: { table: "vehicles", column: "reference" } }),
    from("unit.delivered_at", "delivered_at", { kind: "moment" }),
    from("unit.collected_at", "collected_at", { kind: "moment" }),
    from("unit.delivery_usage_units", "delivery_usage_units", { kind: "number" }),
  ],
  documents: [from("item.vat_basis_points", "vat_percent", { kind: "percent" })],
  tariff_brackets: [
    from("tariff.category_code", "category_code", { names: { table: "categories", column: "code" } }),
    from("tariff.season_id", "season_id", { kind: "number", names: { table: "seasons", column: "id" } }),
    from("tariff.sales_channel_code", "sales_channel_code", { names: { table: "sales_channels", column: "code" } }),
  ],
};

/** Returns every field allowed in a table's file. */
export function listFileFields(table: ImportExportTable): readonly ImportExportColumn[] {
  const isNumbered = table.key.length === 1 && table.key[0] === "id" && table.name !== "settings";
  return [...table.columns, ...(MORE[table.name] ?? []), ...(isNumbered ? [IMPORT_KEY_COLUMN] : [])];
}

/**
 * System whose ids the numbers of a column with references are. Exported files contain ours, and files with translated
 * headings those of the other system. A file with our field names may contain both.
 */
export type IdSystem = "ours" | "theirs" | "both";

/** Heading of a file's column, and the field that it stands for. */
export interface ColumnHeading {
  readonly heading: string;
  readonly column: ImportExportColumn | undefined;
  /** Whether the user excluded this column. */
  readonly isLeftOut: boolean;
  readonly idSystem: IdSystem;
}

/** Maximum length of a heading that is compared with field names, because each comparison normalizes the text. */
const MAX_HEADING_LENGTH = 200;

/** Returns the table columns that a file's headings mean. */
export function readHeadings(
  table: ImportExportTable,
  headings: readonly string[],
  mapping: ImportMapping,
): readonly ColumnHeading[] {
  const fields = listFileFields(table);
  const columnMappings = new Map(
    Object.entries(mapping.columns?.[table.name] ?? {})
      .map(([theirs, ours]) => [normalizeHeading(theirs), ours] as const)
      .reverse(),
  );
  const usedColumns = new Set<ImportExportColumn>();
  const hasSurname = fields.some(({ field }) => field === "surname") && !headings.includes("surname");
  // Exported rows have their id, unless they belong to another row.
  const isExported = headings.includes("id") || !fields.includes(IMPORT_KEY_COLUMN);
  const idSystem = isExported ? "ours" : "both";
  const readOne = (heading: string): ColumnHeading => {
    if (heading.length > MAX_HEADING_LENGTH) return { heading, column: undefined, isLeftOut: false, idSystem };
    const own = columnMappings.get(normalizeHeading(heading));
    if (own === null) return { heading, column: undefined, isLeftOut: true, idSystem };
    const meant = isFamilyNameHeading(heading, headings) && hasSurname ? "surname" : heading;
    const column = fieldFor(fields, own ?? meant, usedColumns);
    if (column) usedColumns.add(column);
    return { heading, column, isLeftOut: false, idSystem: column?.field === heading ? idSystem : "theirs" };
  };
  // Headings that equal a field name take that field first. Synonyms share the remaining fields.
  const exact = new Map(
    [...new Set(headings)]
      .filter((text) => fields.some(({ field }) => field === text))
      .map((text) => [text, readOne(text)]),
  );
  return headings.map((heading, at) =>
    headings.indexOf(heading) < at ? readOne(heading) : (exact.get(heading) ?? readOne(heading)),
  );
}

function fieldFor(
  fields: readonly ImportExportColumn[],
  name: string,
  usedColumns: ReadonlySet<ImportExportColumn>,
): ImportExportColumn | undefined {
  const normalizedName = normalizeHeading(name);
  const free = fields.filter((column) => !usedColumns.has(column));
  return (
    free.find(({ field }) => field === name) ??
    free.find(({ field }) => field === normalizedName) ??
    free.find(({ field, names }) => names && field.replace(/_(id|code|reference)$/, "") === normalizedName) ??
    free.find(({ field }) => isSynonym(field, normalizedName)) ??
    free.find(({ field }) => isReducedSynonym(field, normalizedName))
  );
}

import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { FieldValue, ResourceField, ResourceValues, TextsByLanguage } from "#domain/catalogue/resources/fields.ts";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { officeHistory } from "#worker/store/schema/office-history.ts";
import { translations } from "#worker/store/schema/organization.ts";
import { RESOURCE_BINDINGS, type ResourceListBinding } from "./bindings.ts";
import {
  touchAcrissDependentsStatements,
  touchBranchOrChannelDependentsStatements,
} from "./dependent-notifications.ts";
import { getColumn, isResourceWithIdSql } from "./resource-queries.ts";

/** History entry of a resource. Its version becomes the resource's version. */
export interface ResourceHistoryEntry {
  readonly id: string;
  readonly version: number;
  readonly at: number;
  readonly actor: string;
  readonly event: "created" | "changed" | "removed" | "renamed";
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
  /** Id of the original, if it was created as a copy. */
  readonly copyOf?: string;
}

/** Values of columns that aren't fields of the resource, such as encrypted secrets and timestamps. */
export type ColumnsWithoutField = Readonly<Record<string, unknown>>;

/**
 * Returns the statements that create a resource with its lists and texts. Refused if the key or history version exists.
 */
export function insertResourceStatements(
  db: Database,
  resource: Resource,
  values: ResourceValues,
  {
    id,
    entry,
    more,
  }: { readonly id: number | undefined; readonly entry: ResourceHistoryEntry; readonly more: ColumnsWithoutField },
): readonly Query[] {
  const { table, only } = RESOURCE_BINDINGS[resource.name];
  const row = {
    ...toColumns(resource, values),
    ...moments(table, entry.at, true),
    ...(id !== undefined && { id }),
    ...(only && { [only.column]: only.is }),
    ...more,
  };
  return [
    db.insert(table).values(row as never),
    ...listStatements(db, resource, values, entry.id),
    ...touchBranchOrChannelDependentsStatements(db, resource.name, { countAfterChange: 2, at: entry.at }),
    resourceHistoryEntryStatement(db, resource, entry),
  ];
}

/**
 * Returns the statements that change a resource. After a concurrent change, the entry's version already exists and the
 * batch is refused.
 */
export function updateResourceStatements(
  db: Database,
  resource: Resource,
  values: ResourceValues,
  {
    id,
    entries,
    more,
  }: { readonly id: string; readonly entries: readonly ResourceHistoryEntry[]; readonly more: ColumnsWithoutField },
): readonly Query[] {
  const { table } = RESOURCE_BINDINGS[resource.name];
  const [{ at, id: newId } = { at: 0, id }] = entries;
  const row = {
    ...toColumns(resource, values),
    ...moments(table, at, false),
    ...more,
    ...secretBefore(table, more, at),
  };
  const isChanged = Object.keys(row).length > 0;
  return [
    ...touchAcrissDependentsStatements(db, resource.name, values, { id, at }),
    ...(isChanged
      ? [
          db
            .update(table)
            .set(row as never)
            .where(isResourceWithIdSql(resource, id)),
        ]
      : []),
    ...listStatements(db, resource, values, newId),
    ...entries.map((entry) => resourceHistoryEntryStatement(db, resource, entry)),
  ];
}

/** Returns the statements that remove a resource with its lists and texts. */
export function deleteResourceStatements(
  db: Database,
  resource: Resource,
  entry: ResourceHistoryEntry,
): readonly Query[] {
  const { table } = RESOURCE_BINDINGS[resource.name];
  const nothing = Object.fromEntries(
    resource.fields.flatMap(({ name, kind }) =>
      kind === "texts" ? [[name, {}]] : kind === "rows" || kind === "references" ? [[name, []]] : [],
    ),
  );
  return [
    ...listStatements(db, resource, nothing, entry.id),
    db.delete(table).where(isResourceWithIdSql(resource, entry.id)),
    ...touchBranchOrChannelDependentsStatements(db, resource.name, { countAfterChange: 1, at: entry.at }),
    resourceHistoryEntryStatement(db, resource, entry),
  ];
}

/** Returns the statement that adds an entry to a resource's history. */
export function resourceHistoryEntryStatement(
  db: Database,
  { name }: { readonly name: string },
  entry: ResourceHistoryEntry,
): Query {
  return db.insert(officeHistory).values(toHistoryRow(name, entry));
}

function toHistoryRow(resource: string, { id, before, after, copyOf, ...entry }: ResourceHistoryEntry) {
  return { ...entry, resource, resourceId: id, detail: JSON.stringify({ before, after, copyOf }) };
}

/**
 * Returns the statements that create numbered resources without texts, with their lists, in a statement for each table.
 */
export function insertNumberedResourcesStatements(
  db: Database,
  resource: Resource,
  all: readonly { readonly id: number; readonly values: ResourceValues; readonly entry: ResourceHistoryEntry }[],
): readonly Query[] {
  if (all.length === 0) return [];
  const { table, lists = {} } = RESOURCE_BINDINGS[resource.name];
  const rows = all.map(({ id, values }) => ({ ...toColumns(resource, values), id }));
  return [
    db.insert(table).select(selectRowsToInsert(table, rows)),
    ...Object.entries(lists).map(([name, list]) => {
      const field = resource.fields.find((item) => item.name === name);
      const items = all.flatMap(({ id, values }) =>
        field?.kind === "rows"
          ? (values[name] as readonly ResourceValues[]).map((row) => ({
              ...toColumns(field, row),
              [list.referencingColumn]: id,
            }))
          : [],
      );
      return db.insert(list.table).select(selectRowsToInsert(list.table, items));
    }),
    entriesStatement(
      db,
      resource,
      all.map(({ entry }) => entry),
    ),
  ];
}

/** Returns the statements that remove numbered resources without texts, with their lists. */
export function deleteNumberedResourcesStatements(
  db: Database,
  resource: Resource,
  entries: readonly ResourceHistoryEntry[],
): readonly Query[] {
  if (entries.length === 0) return [];
  const { table, lists = {} } = RESOURCE_BINDINGS[resource.name];
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(entries.map(({ id }) => Number(id)))}))`;
  return [
    ...Object.values(lists).map((list) =>
      db.delete(list.table).where(sql`${getColumn(list.table, list.referencingColumn)} IN ${ids}`),
    ),
    db.delete(table).where(sql`${getColumn(table, "id")} IN ${ids}`),
    entriesStatement(db, resource, entries),
  ];
}

function entriesStatement(db: Database, { name }: Resource, entries: readonly ResourceHistoryEntry[]): Query {
  const rows = entries.map((entry) => toHistoryRow(name, entry));
  return db.insert(officeHistory).select(selectRowsToInsert(officeHistory, rows));
}

function toColumns({ fields }: Pick<Resource, "fields">, values: ResourceValues): Record<string, FieldValue> {
  const own = fields.filter((field) => values[field.name] !== undefined && !isInOtherTable(field));
  return Object.fromEntries(own.map((field) => [field.column, values[field.name] ?? null]));
}

const OVERLAP_MILLISECONDS = 7 * 86_400_000;

// Returns the columns that keep the previous secret valid for a while after a change, if the table stores it.
function secretBefore(
  table: SQLiteTable,
  { secretSealed }: ColumnsWithoutField,
  at: number,
): Readonly<Record<string, unknown>> {
  const columns = getTableColumns(table);
  if (secretSealed === undefined || !("previousSecretSealed" in columns)) return {};
  return {
    previousSecretSealed: sql`secret_sealed`,
    ...("previousValidUntil" in columns && { previousValidUntil: at + OVERLAP_MILLISECONDS }),
  };
}

// Whether the field is stored elsewhere. Secrets are passed encrypted, separate from the fields.
function isInOtherTable({ kind }: ResourceField): boolean {
  return kind === "rows" || kind === "references" || kind === "texts" || kind === "secret";
}

function moments(table: SQLiteTable, at: number, isNew: boolean): Readonly<Record<string, number>> {
  const columns = getTableColumns(table);
  return {
    ...(isNew && "createdAt" in columns && { createdAt: at }),
    ...("lastUpdate" in columns && { lastUpdate: at }),
  };
}

function listStatements(db: Database, resource: Resource, values: ResourceValues, id: string): readonly Query[] {
  const { lists = {} } = RESOURCE_BINDINGS[resource.name];
  return resource.fields.flatMap((field) => {
    const value = values[field.name];
    if (value === undefined) return [];
    if (field.kind === "texts") return textStatements(db, resource, value as TextsByLanguage, id);
    const list = lists[field.name];
    if (!list) return [];
    if (field.kind === "rows")
      return rowStatements(
        db,
        resource,
        list,
        id,
        (value as readonly ResourceValues[]).map((row) => toColumns(field, row)),
      );
    return rowStatements(
      db,
      resource,
      list,
      id,
      (value as readonly (string | number)[]).map((item) => ({ [field.column]: item })),
    );
  });
}

// Recreates the rows of a resource's list. Therefore other tables reference the resource, not its list rows.
function rowStatements(
  db: Database,
  resource: Resource,
  list: ResourceListBinding,
  id: string,
  rows: readonly Readonly<Record<string, FieldValue>>[],
): readonly Query[] {
  const { table } = RESOURCE_BINDINGS[resource.name];
  const parent = getColumn(list.table, list.referencingColumn);
  const owner = sql`(SELECT ${getColumn(table, list.referencedColumn)} FROM ${table} WHERE ${isResourceWithIdSql(resource, id)})`;
  return [
    db.delete(list.table).where(sql`${parent} = ${owner}`),
    db.insert(list.table).select(selectRowsToInsert(list.table, rows, { [list.referencingColumn]: owner })),
  ];
}

function textStatements(db: Database, resource: Resource, texts: TextsByLanguage, id: string): readonly Query[] {
  const { table, entity, entityKey } = RESOURCE_BINDINGS[resource.name];
  if (!entity) return [];
  const filed: SQL | string = entityKey
    ? sql`(SELECT CAST(${getColumn(table, entityKey)} AS TEXT) FROM ${table} WHERE ${isResourceWithIdSql(resource, id)})`
    : id;
  const rows = Object.entries(texts).flatMap(([field, byLanguage]) =>
    Object.entries(byLanguage).map(([language, text]) => ({ field, language, text })),
  );
  return [
    db.delete(translations).where(sql`${translations.entity} = ${entity} AND ${translations.entityId} = ${filed}`),
    db
      .insert(translations)
      .select(selectRowsToInsert(translations, rows, { entity: sql`${entity}`, entityId: sql`${filed}` })),
  ];
}

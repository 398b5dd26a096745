import { and, type Column, getTableColumns, max, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { FieldValue, FieldWithKind, ResourceField, ResourceValues } from "#domain/catalogue/resources/fields.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { findResourceField, type Resource } from "#domain/catalogue/resources/resource.ts";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { foldText } from "#domain/search-text.ts";
import type { Database, QueryResults } from "#worker/store/database.ts";
import { createFoldedTextSql } from "#worker/store/folded-text.ts";
import { officeHistory } from "#worker/store/schema/office-history.ts";
import { settings, translations } from "#worker/store/schema/organization.ts";
import { users } from "#worker/store/schema/people.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";
import { RESOURCE_BINDINGS, type ResourceReference } from "./bindings.ts";

/** Office resource with its version. */
export interface StoredResource {
  readonly id: string;
  readonly version: number;
  readonly values: ResourceValues;
  /** Encrypted secret that signs links, if this kind of resource has signed links and the account has a secret. */
  readonly signedBySealed?: string;
  /** Current branch of the related vehicle. */
  readonly vehicleBranch?: string;
}

/** Filters for resources. Absent filters don't apply. */
export interface ResourceSearch {
  readonly text: string | undefined;
  /** Values that fields of the resource must have, by field name. */
  readonly filters: Readonly<Record<string, string>>;
  readonly userId: number;
  readonly after: string | undefined;
  readonly pageSize: number;
}

const HISTORY_ENTRIES = 200;

/** Returns a table's column by its name in the code. */
export function getColumn(table: SQLiteTable, name: string): Column {
  const column = getTableColumns(table)[name];
  if (!column) throw new Error(`no column ${name}`);
  return column;
}

// Returns the text that identifies a row in URLs.
function idText(resource: Resource): SQL<string> {
  const { table, key } = RESOURCE_BINDINGS[resource.name];
  const parts = key.map((name) => sql`CAST(${getColumn(table, name)} AS TEXT)`);
  return sql<string>`${sql.join(parts, sql` || '~' || `)}`;
}

/** Returns the condition for the row with an id. */
export function isResourceWithIdSql(resource: Resource, id: string): SQL {
  const { table, key, only } = RESOURCE_BINDINGS[resource.name];
  const parts = id.split("~");
  const keyConditions = key.map((name, index) => {
    const column = getColumn(table, name);
    const part = parts[index] ?? "";
    const isInteger = column.dataType === "number";
    if (isInteger && !/^\d{1,15}$/.test(part)) return sql`0`;
    return sql`${column} = ${isInteger ? Number(part) : part}`;
  });
  if (parts.length !== key.length) return sql`0`;
  const kind = only ? [sql`${getColumn(table, only.column)} = ${only.is}`] : [];
  return sql.join([...keyConditions, ...kind], sql` AND `);
}

function getVersionSql(resource: Resource): SQL<number> {
  return sql<number>`coalesce((SELECT max(entry.version) FROM office_history AS entry
    WHERE entry.resource = ${resource.name} AND entry.resource_id = ${idText(resource)}), 1)`;
}

/**
 * Returns the queries for the price table of a season and channel, and for the number of changes of any price. Null
 * selects prices without a season or channel.
 */
export function priceTableQueries(
  db: Database,
  { seasonId, channel }: { readonly seasonId: number | null; readonly channel: string | null },
) {
  const isInPriceTable = sql`tariffs.season_id IS ${seasonId} AND tariffs.sales_channel_code IS ${channel}`;
  return [
    db
      .select({ changes: sql<number>`count(*)`.as("changes") })
      .from(officeHistory)
      .where(sql`${officeHistory.resource} = 'prices'`),
    ...selectResourceQueries(db, getResource("prices"), isInPriceTable, sql``),
  ];
}

/** Returns the queries for the prices and selling rules of a season. */
export function seasonPricesAndRulesQueries(db: Database, id: string) {
  const seasonId = Number(id);
  return [
    ...selectResourceQueries(db, getResource("prices"), sql`tariffs.season_id = ${seasonId}`, sql``),
    ...selectResourceQueries(db, getResource("selling-rules"), sql`selling_rules.season_id = ${seasonId}`, sql``),
  ];
}

/**
 * Returns the queries for the original of a copied season, and the number of changes since the copy: of the season, and
 * of prices and selling rules that were changed or added.
 */
export function seasonCopyChangesQueries(db: Database, id: string) {
  const seasonId = Number(id);
  const isUnchanged = (resource: string, partId: SQL) =>
    sql`(SELECT count(*) = 1 AND max(entry.at) = ${officeHistory.at} FROM office_history AS entry
      WHERE entry.resource = ${resource} AND entry.resource_id = CAST(${partId} AS TEXT))`;
  return [
    db
      .select({
        copyOf: sql<string | null>`json_extract(${officeHistory.detail}, '$.copyOf')`.as("copy_of"),
        changes: sql<number>`(SELECT count(*) FROM office_history AS entry
            WHERE entry.resource = 'seasons' AND entry.resource_id = ${id} AND entry.version > 1)
          + (SELECT count(*) FROM tariffs AS part
            WHERE part.season_id = ${seasonId} AND NOT ${isUnchanged("prices", sql`part.id`)})
          + (SELECT count(*) FROM selling_rules AS part
            WHERE part.season_id = ${seasonId} AND NOT ${isUnchanged("selling-rules", sql`part.id`)})`.as("changes"),
      })
      .from(officeHistory)
      .where(
        sql`${officeHistory.resource} = 'seasons' AND ${officeHistory.resourceId} = ${id} AND ${officeHistory.version} = 1`,
      ),
  ];
}

/**
 * Returns the queries for a branch's opening hours, and the last version and number of changes of each that it has or
 * had.
 */
export function openingWeekQueries(db: Database, branchCode: string) {
  const prefix = `${branchCode}~`;
  return [
    db
      .select({
        id: sql<string>`${officeHistory.resourceId}`.as("hours_id"),
        last: sql<number>`max(${officeHistory.version})`.as("last_version"),
        changes: sql<number>`count(*)`.as("changes"),
      })
      .from(officeHistory)
      .where(
        sql`${officeHistory.resource} = 'opening-hours' AND substr(${officeHistory.resourceId}, 1, ${prefix.length}) = ${prefix}`,
      )
      .groupBy(officeHistory.resourceId),
    ...selectResourceQueries(
      db,
      getResource("opening-hours"),
      sql`opening_hours.branch_code = ${branchCode}`,
      sql`ORDER BY opening_hours.weekday, opening_hours.opens`,
    ),
  ];
}

/** Returns matching rows of a resource, with lists, translations and versions. */
function selectResourceQueries(db: Database, resource: Resource, where: SQL, page: SQL) {
  const binding = RESOURCE_BINDINGS[resource.name];
  const { table, lists = {}, entity, entityKey, signedBy } = binding;
  const keyed = (name: string) => sql`(SELECT ${getColumn(table, name)} FROM ${table} WHERE ${where} ${page})`;
  const filed = sql`(SELECT ${entityKey ? getColumn(table, entityKey) : idText(resource)} FROM ${table} WHERE ${where} ${page})`;
  return [
    db
      .select({
        ...getTableColumns(table),
        thingId: idText(resource).as("thing_id"),
        thingVersion: getVersionSql(resource).as("thing_version"),
        ...(signedBy && {
          signedBySealed: sql<string | null>`(SELECT sealed FROM account_secrets WHERE name = ${signedBy})`.as(
            "signed_by",
          ),
        }),
        ...(resource.vehicleField && {
          vehicleBranch: getVehicleBranchSql(resource, resource.vehicleField).as("vehicle_branch"),
        }),
      })
      .from(table)
      .where(sql`${where} ${page}`),
    ...Object.entries(lists).map(([name, list]) =>
      db
        .select()
        .from(list.table)
        .where(sql`${getColumn(list.table, list.referencingColumn)} IN ${keyed(list.referencedColumn)}`)
        .orderBy(sql`${getColumn(list.table, firstColumn(resource, name))}`),
    ),
    ...(entity
      ? [
          db
            .select()
            .from(translations)
            .where(sql`${translations.entity} = ${entity} AND ${translations.entityId} IN ${filed}`),
        ]
      : []),
  ];
}

function getVehicleBranchSql(resource: Resource, name: string): SQL<string | null> {
  const reference = getColumn(
    RESOURCE_BINDINGS[resource.name].table,
    findResourceField(resource, name)?.column ?? name,
  );
  return sql<string | null>`(SELECT at.branch_code FROM vehicles AS at WHERE at.reference = ${reference})`;
}

// Returns the column by which rows of a list are sorted: their first field, such as a length, date or place.
function firstColumn(resource: Resource, name: string): string {
  const field = findResourceField(resource, name);
  return (field?.kind === "rows" ? field.fields[0]?.column : field?.column) ?? "";
}

/** Returns the queries for one resource. */
export function resourceQueries(db: Database, resource: Resource, id: string) {
  return selectResourceQueries(db, resource, isResourceWithIdSql(resource, id), sql``);
}

type Rows = QueryResults<ReturnType<typeof selectResourceQueries>>;

type Row = Readonly<Record<string, FieldValue>>;
type TextRow = typeof translations.$inferSelect;

/** Converts the results of the reads of one or several resources. */
export function toResources(resource: Resource, rows: readonly unknown[]): readonly StoredResource[] {
  const { lists = {}, entity } = RESOURCE_BINDINGS[resource.name];
  const [item, ...more] = rows as Rows;
  const names = Object.keys(lists);
  const relatedRows = {
    lists: Object.fromEntries(names.map((name, index) => [name, (more[index] ?? []) as unknown as readonly Row[]])),
    texts: entity ? ((more[names.length] ?? []) as unknown as readonly TextRow[]) : [],
  };
  return (item as unknown as readonly Row[]).map((row) => ({
    id: String(row["thingId"]),
    version: Number(row["thingVersion"]),
    ...(row["signedBySealed"] && { signedBySealed: String(row["signedBySealed"]) }),
    ...(row["vehicleBranch"] && { vehicleBranch: String(row["vehicleBranch"]) }),
    values: {
      ...(resource.isCounted && { id: row["id"] ?? null }),
      ...Object.fromEntries(resource.fields.map((field) => [field.name, valueIn(resource, field, row, relatedRows)])),
    },
  }));
}

interface RelatedRows {
  readonly lists: Readonly<Record<string, readonly Row[]>>;
  readonly texts: readonly TextRow[];
}

function valueIn(resource: Resource, field: ResourceField, row: Row, { lists, texts }: RelatedRows): FieldValue {
  const { lists: bindings = {}, entityKey } = RESOURCE_BINDINGS[resource.name];
  const list = bindings[field.name];
  const own = list
    ? (lists[field.name] ?? []).filter((item) => item[list.referencingColumn] === row[list.referencedColumn])
    : [];
  switch (field.kind) {
    case "rows":
      return own.map((item) => toRow(field, item));
    case "references":
      return own.map((item) => item[field.column] as string | number);
    case "texts": {
      const filed = String(row[entityKey ?? "thingId"]);
      return toTexts(texts.filter(({ entityId }) => entityId === filed));
    }
    case "secret":
      return isThere(row[field.column]);
    default:
      return row[field.column] ?? null;
  }
}

function toRow({ fields }: FieldWithKind<"rows">, row: Readonly<Record<string, FieldValue>>): ResourceValues {
  return Object.fromEntries(fields.map((field) => [field.name, row[field.column] ?? null]));
}

function toTexts(
  rows: readonly (typeof translations.$inferSelect)[],
): Readonly<Record<string, Record<string, string>>> {
  const texts: Record<string, Record<string, string>> = {};
  for (const { field, language, text } of rows) texts[field] = { ...texts[field], [language]: text };
  return texts;
}

function isThere(value: FieldValue | undefined): boolean {
  return value !== null && value !== undefined;
}

/** Returns the queries for a page of resources in key order, and their number. */
export function resourcesPageQueries(db: Database, resource: Resource, search: ResourceSearch) {
  const { table, key } = RESOURCE_BINDINGS[resource.name];
  const [first = ""] = key;
  const isInteger = key.length === 1 && getColumn(table, first).dataType === "number";
  const order = isInteger ? sql`${getColumn(table, first)}` : idText(resource);
  const after = isInteger ? Number(search.after ?? -1) : (search.after ?? "");
  const where = sql.join([sql`1`, ...conditions(resource, search)], sql` AND `);
  const page = sql`AND ${order} > ${after} ORDER BY ${order} LIMIT ${search.pageSize + 1}`;
  return [
    db
      .select({ total: sql<number>`count(*)`.as("total") })
      .from(table)
      .where(where),
    ...selectResourceQueries(db, resource, where, page),
  ];
}

function conditions(resource: Resource, { text, filters, userId }: ResourceSearch): readonly SQL[] {
  const { table, only } = RESOURCE_BINDINGS[resource.name];
  const branch = resource.fields.find(({ name }) => name === resource.branch);
  const isOwn = (column: Column) => sql`(${column} IS NULL OR ${isInUserBranchesSql(userId, sql`${column}`)})`;
  const texts = resource.fields.filter(
    (field) => field.kind === "text" || field.kind === "reference" || field.kind === "choice",
  );
  const filtered = resource.fields.filter(({ name }) => filters[name] !== undefined);
  return [
    ...(only ? [sql`${getColumn(table, only.column)} = ${only.is}`] : []),
    ...(branch ? [isOwn(getColumn(table, branch.column))] : []),
    ...(resource.vehicleField
      ? [isInUserBranchesSql(userId, getVehicleBranchSql(resource, resource.vehicleField))]
      : []),
    ...filtered.map((field) => sql`CAST(${getColumn(table, field.column)} AS TEXT) = ${filters[field.name]}`),
    ...(text === undefined
      ? []
      : [
          includesFoldedText(
            texts.map(({ column }) => getColumn(table, column)),
            text,
          ),
        ]),
  ];
}

// Folds all columns at once, because D1 allows 100 kB per statement.
function includesFoldedText(columns: readonly Column[], text: string): SQL {
  const texts = columns.map((column) => sql`coalesce(${column}, '')`);
  const folded = sql`SELECT ${sql.raw(createFoldedTextSql("line"))} FROM (SELECT ${sql.join(texts, sql` || '|' || `)} AS line)`;
  return sql`instr((${folded}), ${foldText(text)}) > 0`;
}

/** Returns the query for a resource's history, newest first. */
export function resourceHistoryQuery(db: Database, resource: { readonly name: string }, id: string) {
  return db
    .select({
      version: officeHistory.version,
      at: officeHistory.at,
      actor: officeHistory.actor,
      event: officeHistory.event,
      detail: officeHistory.detail,
      staffName: sql<string | null>`${users.fullName}`.as("staff_name"),
    })
    .from(officeHistory)
    .leftJoin(users, sql`office_history.actor = 'staff:' || users.id`)
    .where(sql`${officeHistory.resource} = ${resource.name} AND ${officeHistory.resourceId} = ${id}`)
    .orderBy(sql`${officeHistory.version} DESC`)
    .limit(HISTORY_ENTRIES);
}

/** Returns the query for the version of the last history entry of an id, even after its removal. */
export function lastResourceVersionQuery(db: Database, { name }: Pick<Resource, "name">, id: SQL | string) {
  return db
    .select({ version: max(officeHistory.version) })
    .from(officeHistory)
    .where(sql`${officeHistory.resource} = ${name} AND ${officeHistory.resourceId} = ${id}`);
}

/** Returns the query for the next id. */
export function nextResourceIdQuery(db: Database, resource: Resource) {
  const { table } = RESOURCE_BINDINGS[resource.name];
  const column = getColumn(table, "id");
  // Ids of removed resources aren't reused, because their history remains.
  const used = sql`(SELECT max(CAST(resource_id AS INTEGER)) FROM office_history WHERE resource = ${resource.name})`;
  return db
    .select({ id: sql<number>`max(coalesce(max(${column}), 0), coalesce(${used}, 0)) + 1`.as("next_id") })
    .from(table);
}

/** Returns the query that reads which of the ids exist, to check references. */
export function existingResourceIdsQuery(db: Database, resourceName: ResourceName, ids: readonly (string | number)[]) {
  const { table, key } = RESOURCE_BINDINGS[resourceName];
  const column = getColumn(table, key[0] ?? "");
  return db
    .select({ id: sql<string>`CAST(${column} AS TEXT)`.as("known_id") })
    .from(table)
    .where(sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** Returns the query for other resources with one of these names in any of the fields. */
export function resourcesWithSameNameQuery(
  db: Database,
  resource: Resource,
  { fields, names, id }: { readonly fields: readonly string[]; readonly names: readonly string[]; readonly id: string },
) {
  const { table } = RESOURCE_BINDINGS[resource.name];
  const columns = fields.map((name) => getColumn(table, findResourceField(resource, name)?.column ?? name));
  const list = JSON.stringify(names);
  const called = columns.map((column) => sql`${column} IN (SELECT value FROM json_each(${list}))`);
  const name = sql`json_array(${sql.join(columns, sql`, `)})`;
  return db
    .select({ names: sql<string>`${name}`.as("names") })
    .from(table)
    .where(sql`(${sql.join(called, sql` OR `)}) AND NOT (${isResourceWithIdSql(resource, id)})`);
}

/** Returns the query that reads which of these vehicles exist, and their current branch. */
export function existingVehiclesQuery(db: Database, references: readonly (string | number)[]) {
  return db
    .select({ id: sql<string>`${vehicles.reference}`.as("known_id"), branchCode: vehicles.branchCode })
    .from(vehicles)
    .where(sql`${vehicles.reference} IN (SELECT value FROM json_each(${JSON.stringify(references)}))`);
}

/** Maximum number of counted uses of a resource. */
export const MAX_COUNTED_REFERENCES = 100;

/** Returns the queries that count each kind of reference to a resource, up to `MAX_COUNTED_REFERENCES`. */
export function countReferencesQueries(db: Database, resource: Resource, id: string) {
  return countUses(db, resource, id, RESOURCE_BINDINGS[resource.name].uses ?? []);
}

/** Returns the queries that count the references that depend on a field. Empty for other fields. */
export function countFieldDependentsQueries(db: Database, resource: Resource, id: string, field: string) {
  return countUses(db, resource, id, RESOURCE_BINDINGS[resource.name].blockingReferences?.[field] ?? []);
}

function countUses(db: Database, resource: Resource, id: string, uses: readonly ResourceReference[]) {
  const { table, key } = RESOURCE_BINDINGS[resource.name];
  return uses.map((use) => {
    const column = getColumn(use.table, use.column);
    // A reference by code uses the code column, even if the resource's key is the id.
    const referencedColumn = column.dataType === "number" || key[0] !== "id" ? (key[0] ?? "") : "code";
    const keyConditions = sql`(SELECT ${getColumn(table, referencedColumn)} FROM ${table} WHERE ${isResourceWithIdSql(resource, id)})`;
    const where = and(use.names?.(keyConditions) ?? sql`${column} = ${keyConditions}`, use.where);
    const times = sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${use.table} WHERE ${where} LIMIT ${MAX_COUNTED_REFERENCES}))`;
    // Always one row, because every account has settings.
    return db.select({ by: sql<string>`${use.displayName}`.as("used_by"), times: times.as("times") }).from(settings);
  });
}

/** Returns the query for the selectable values of a reference: ids with names. */
export function referenceOptionsQuery(db: Database, resourceName: ResourceName) {
  const { table, key } = RESOURCE_BINDINGS[resourceName];
  const { fields } = getResource(resourceName);
  const nameField = fields.find(({ name }) => name === "name" || name === "full_name");
  const id = getColumn(table, key[0] ?? "");
  return db
    .select({
      id: sql<string | number>`${id}`.as("option_id"),
      name: nameField
        ? sql<string>`${getColumn(table, nameField.column)}`.as("option_name")
        : sql<string>`CAST(${id} AS TEXT)`.as("option_name"),
    })
    .from(table)
    .orderBy(sql`${id}`)
    .limit(1000);
}

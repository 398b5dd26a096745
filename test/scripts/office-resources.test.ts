import { getTableColumns } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { createSqliteD1 } from "#support/sqlite-d1.ts";
import { RESOURCE_BINDINGS } from "#worker/store/catalogue/resources/bindings.ts";

const hasColumn = (table: SQLiteTable, name: string) => name in getTableColumns(table);
const getColumnName = (table: SQLiteTable, column: string) =>
  `${getTableConfig(table).name}.${getTableColumns(table)[column]?.name}`;

// Exist only with their reservations or webhooks.
const RESERVATION_COLUMNS = /^(stock_allocations|ledger_entries|webhook_states|webhook_deliveries)\./;
const database = createSqliteD1();

// Proves "office.md: lists and forms": Every field has a column, everything that names a thing is known
test.each(RESOURCES.map((resource) => [resource.name, resource] as const))(
  "has a column for every field of %s, and knows every column with a reference to it",
  (name, resource) => {
    const { table, key, lists = {}, uses = [] } = RESOURCE_BINDINGS[name];
    const missing = resource.fields.flatMap((field) => {
      if (field.kind === "texts") return [];
      const list = lists[field.name];
      if (field.kind === "rows") return field.fields.filter(({ column }) => !list || !hasColumn(list.table, column));
      return hasColumn(list?.table ?? table, field.column) ? [] : [field];
    });
    expect([...missing.map((field) => field.name), ...key.filter((column) => !hasColumn(table, column))]).toEqual([]);
    expect(uses.filter((use) => !hasColumn(use.table, use.column)).map(({ displayName }) => displayName)).toEqual([]);

    const known = new Set([
      ...uses.map((use) => getColumnName(use.table, use.column)),
      ...Object.values(lists).map((list) => getColumnName(list.table, list.referencingColumn)),
    ]);
    const namings = database.rows<{ naming: string }>(
      `SELECT master.name || '.' || list."from" AS naming FROM sqlite_master AS master, pragma_foreign_key_list(master.name) AS list
        WHERE master.type = 'table' AND list."table" = '${getTableConfig(table).name}'`,
    );
    const unknown = namings
      .map(({ naming }) => naming)
      .filter((naming) => !known.has(naming) && !RESERVATION_COLUMNS.test(naming));
    // Staff users are never removed, and customers' users aren't staff.
    expect(resource.isRemovable ? unknown : []).toEqual([]);
  },
);

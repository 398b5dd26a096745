import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { createInsertStatement, splitRowsIntoJson } from "#worker/imports/write-rows.ts";
import * as bookings from "#worker/store/schema/bookings.ts";
import * as checkIn from "#worker/store/schema/check-in.ts";
import * as documents from "#worker/store/schema/documents.ts";
import * as notes from "#worker/store/schema/notes.ts";
import * as organization from "#worker/store/schema/organization.ts";
import { messageTemplates } from "#worker/store/schema/outgoing-mails.ts";
import * as payments from "#worker/store/schema/payments.ts";
import * as people from "#worker/store/schema/people.ts";
import * as prices from "#worker/store/schema/prices.ts";
import * as printing from "#worker/store/schema/printing.ts";
import * as quotes from "#worker/store/schema/quotes.ts";
import * as taxRecords from "#worker/store/schema/tax-records.ts";
import * as transfers from "#worker/store/schema/transfers.ts";
import * as vehicles from "#worker/store/schema/vehicles.ts";

/** Tables of a company's rows. */
export const DEMO_TABLES = {
  ...{ ...organization, ...prices, ...printing, ...transfers, ...vehicles, ...people, ...payments },
  ...{ ...bookings, ...documents, ...checkIn, ...taxRecords, ...quotes, ...notes, messageTemplates },
};
export type DemoTables = typeof DEMO_TABLES;
export type DemoTableName = keyof DemoTables;

/** New rows by table in writing order, referenced tables first. */
export type NewDemoRows = { readonly [Name in DemoTableName]?: readonly DemoTables[Name]["$inferInsert"][] };

// D1 accepts parameters up to 2 MB. Half a megabyte keeps each statement short.
const PARAMETER_CHARACTERS = 500_000;

/**
 * Creates statements that insert rows, using only columns of their tables. Thousands of rows are one JSON parameter,
 * which is much faster than literals and not subject to the parameter limit.
 */
export function createInsertStatements(db: D1Database, rows: NewDemoRows): D1PreparedStatement[] {
  return Object.entries(rows).flatMap(([name, ofTable]) => {
    const { into, values } = toRowValues(DEMO_TABLES[name as DemoTableName], ofTable);
    return [...splitRowsIntoJson(values, PARAMETER_CHARACTERS)].map((text) => createInsertStatement(db, into, text));
  });
}

function toRowValues(table: SQLiteTable, rows: readonly Readonly<Record<string, unknown>>[]) {
  const usedColumns = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = Object.entries(getTableColumns(table)).filter(
    ([name, { generated }]) => usedColumns.has(name) && !generated,
  );
  return {
    into: { name: getTableName(table), columns: columns.map(([, { name }]) => name) },
    values: rows.map((row) => columns.map(([name, column]) => (row[name] === undefined ? column.default : row[name]))),
  };
}

/** Creates statements that update rows. Their only parameter is a JSON array. */
export function createUpdateStatements(db: D1Database, sql: string, rows: readonly object[]): D1PreparedStatement[] {
  return [...splitRowsIntoJson(rows, PARAMETER_CHARACTERS)].map(({ json }) => db.prepare(sql).bind(json));
}

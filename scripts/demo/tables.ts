import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { insertStatement, splitIntoJson } from "#worker/imports/write-rows.ts";
import * as bookings from "#worker/store/schema/bookings.ts";
import * as checkIn from "#worker/store/schema/check-in.ts";
import * as documents from "#worker/store/schema/documents.ts";
import * as organization from "#worker/store/schema/organization.ts";
import * as payments from "#worker/store/schema/payments.ts";
import * as people from "#worker/store/schema/people.ts";
import * as prices from "#worker/store/schema/prices.ts";
import * as printing from "#worker/store/schema/printing.ts";
import * as taxRecords from "#worker/store/schema/tax-records.ts";
import * as transfers from "#worker/store/schema/transfers.ts";
import * as vehicles from "#worker/store/schema/vehicles.ts";

/** The tables that a company has rows of. */
export const TABLES = {
  ...{ ...organization, ...prices, ...printing, ...transfers, ...vehicles, ...people, ...payments },
  ...{ ...bookings, ...documents, ...checkIn, ...taxRecords },
};
export type Tables = typeof TABLES;
export type TableName = keyof Tables;

/** New rows by their tables, in the order in which they are written: each comes after those it names. */
export type NewRows = { readonly [Name in TableName]?: readonly Tables[Name]["$inferInsert"][] };

// D1 takes a text of up to 2 MB as one parameter; half a megabyte keeps each statement short.
const PARAMETER_CHARACTERS = 500_000;

/**
 * The statements that insert rows; of what they have, the columns of their tables. Thousands of rows travel as one JSON
 * parameter: far quicker than literals, and free of the limit on parameters.
 */
export function insertStatements(db: D1Database, rows: NewRows): D1PreparedStatement[] {
  return Object.entries(rows).flatMap(([name, ofTable]) => {
    const { into, values } = toRowValues(TABLES[name as TableName], ofTable);
    return [...splitIntoJson(values, PARAMETER_CHARACTERS)].map((text) => insertStatement(db, into, text));
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

/** The statements of one text that change rows by the rows of its only parameter, a JSON array. */
export function changeStatements(db: D1Database, sql: string, rows: readonly object[]): D1PreparedStatement[] {
  return [...splitIntoJson(rows, PARAMETER_CHARACTERS)].map(({ json }) => db.prepare(sql).bind(json));
}

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0001_catalogue.sql and 0003_bookings.sql, which define the constraints and indexes. A test
// compares them.

export const catalogueVersion = sqliteTable("catalogue_version", {
  id: integer("id").primaryKey(),
  version: integer("version").notNull(),
});

// Changes with all stock data that a search counts. `transfers` changes with the use of transfer vehicles.
export const stockVersion = sqliteTable("stock_version", {
  id: integer("id").primaryKey(),
  version: integer("version").notNull(),
  transfers: integer("transfers").notNull(),
});

// Catalogue version on which a batch was decided. Never stored.
export const catalogueVersionGuards = sqliteTable("catalogue_version_guards", {
  version: integer("version").notNull(),
});

// Clock changes of the account's time zone, for the stock guard.
export const accountUtcOffsets = sqliteTable("account_clock", {
  fromAt: integer("from_at").primaryKey(),
  timezone: text("timezone").notNull(),
  offsetMinutes: integer("offset_minutes").notNull(),
});

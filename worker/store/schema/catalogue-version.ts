import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The columns of migrations/0001_catalogue.sql, 0011_stock.sql, 0024_expected_catalogue.sql, 0065_stock_version.sql and
// 0074_vehicles_of_trips.sql, where constraints and indexes live; a test compares the two.

export const catalogueVersion = sqliteTable("catalogue_version", {
  id: integer("id").primaryKey(),
  version: integer("version").notNull(),
});

// Moves with whatever a search counts of the stock, and `transfers` with what is taken of the vehicles of transfers.
export const stockVersion = sqliteTable("stock_version", {
  id: integer("id").primaryKey(),
  version: integer("version").notNull(),
  transfers: integer("transfers").notNull(),
});

// What a batch says of the catalogue that it was decided on; never kept.
export const expectedCatalogue = sqliteTable("catalogue_version_guards", {
  version: integer("version").notNull(),
});

// What the guard of the stock knows of the settings' time zone.
export const accountClock = sqliteTable("account_clock", {
  fromAt: integer("from_at").primaryKey(),
  timezone: text("timezone").notNull(),
  offsetMinutes: integer("offset_minutes").notNull(),
});

import { integer, sqliteTable } from "drizzle-orm/sqlite-core";

// The columns of migrations/0001_catalogue.sql, where constraints and indexes live; a test compares the two.

export const catalogueVersion = sqliteTable("catalogue_version", {
  id: integer("id").primaryKey(),
  version: integer("version").notNull(),
});

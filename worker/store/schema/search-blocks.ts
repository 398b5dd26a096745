import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0011_reporting.sql, which defines the constraints and indexes. A test compares them.

export const searchBlocks = sqliteTable("search_blocks", {
  firstPlace: integer("first_place").primaryKey(),
  width: integer("width").notNull(),
  lines: text("lines").notNull(),
});

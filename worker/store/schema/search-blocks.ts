import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0011_reporting.sql, which defines the constraints and indexes. A test compares them.

/** Search texts of up to 8,192 neighbouring rows of a list each. */
export const searchBlocks = sqliteTable("search_blocks", {
  firstPlace: integer("first_place").primaryKey(),
  width: integer("width").notNull(),
  lines: text("lines").notNull(),
});

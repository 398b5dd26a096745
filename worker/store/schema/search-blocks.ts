import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The columns of migrations/0066_places_of_lines.sql, where constraints live; a test compares the two.

export const searchBlocks = sqliteTable("search_blocks", {
  firstPlace: integer("first_place").primaryKey(),
  width: integer("width").notNull(),
  lines: text("lines").notNull(),
});

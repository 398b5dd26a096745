import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The columns of migrations/0063_one_hit_a_line.sql, where constraints live; a test compares the two.

export const searchBlocks = sqliteTable(
  "search_blocks",
  {
    list: text("list", { enum: ["bookings", "customers", "vehicles", "documents", "charges"] }).notNull(),
    firstId: integer("first_id").notNull(),
    width: integer("width").notNull(),
    lines: text("lines").notNull(),
  },
  (table) => [primaryKey({ columns: [table.list, table.firstId] })],
);

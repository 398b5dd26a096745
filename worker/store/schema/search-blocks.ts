import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The columns of migrations/0031_search.sql, where constraints live; a test compares the two.

export const searchBlocks = sqliteTable(
  "search_blocks",
  {
    list: text("list", { enum: ["bookings", "customers", "vehicles", "documents", "charges"] }).notNull(),
    block: integer("block").notNull(),
    texts: text("texts").notNull(),
  },
  (table) => [primaryKey({ columns: [table.list, table.block] })],
);

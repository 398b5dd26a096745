import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The columns of migrations/0022_office_history.sql, where constraints live; a test compares the two.

export const officeHistory = sqliteTable(
  "office_history",
  {
    resource: text("resource").notNull(),
    resourceId: text("resource_id").notNull(),
    version: integer("version").notNull(),
    at: integer("at").notNull(),
    actor: text("actor").notNull(),
    move: text("move", { enum: ["created", "changed", "removed", "renamed"] }).notNull(),
    detail: text("detail").notNull().default("{}"),
  },
  (table) => [primaryKey({ columns: [table.resource, table.resourceId, table.version] })],
);

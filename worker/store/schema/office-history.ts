import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0003_bookings.sql, which defines the constraints and indexes. A test compares them.

/** Changes of office resources: user, time, old and new values. The last entry has the resource's version. */
export const officeHistory = sqliteTable(
  "office_history",
  {
    resource: text("resource").notNull(),
    resourceId: text("resource_id").notNull(),
    version: integer("version").notNull(),
    at: integer("at").notNull(),
    actor: text("actor").notNull(),
    event: text("event", { enum: ["created", "changed", "removed", "renamed"] }).notNull(),
    detail: text("detail").notNull().default("{}"),
  },
  (table) => [primaryKey({ columns: [table.resource, table.resourceId, table.version] })],
);

import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The columns of migrations/0036_calendars.sql, where constraints and indexes live; a test compares the two.

export const calendars = sqliteTable("calendars", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  vehicleReference: text("vehicle_reference"),
  categoryCode: text("category_code"),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  link: text("link").notNull().default(sql`('/calendars/' || lower(hex(randomblob(20))) || '.ics')`),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
});

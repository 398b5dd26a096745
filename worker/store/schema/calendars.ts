import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0001_catalogue.sql, which defines the constraints and indexes. A test compares them.

/** iCal calendars of a vehicle or category. Their links contain a random text, because they give access. */
export const calendars = sqliteTable("calendars", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  vehicleReference: text("vehicle_reference"),
  categoryCode: text("category_code"),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  linkVersion: integer("link_version").notNull().default(1),
  link: text("link")
    .notNull()
    .generatedAlwaysAs(sql`(id || '/' || link_version || '/' || created_at)`, { mode: "virtual" }),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
});

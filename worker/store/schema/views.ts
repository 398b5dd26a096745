import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0002_access.sql, which defines the constraints. A test compares them.

export const userViews = sqliteTable("user_views", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  userId: integer("user_id").notNull(),
  list: text("list").notNull(),
  name: text("name").notNull(),
  query: text("query").notNull(),
  shared: integer("shared").notNull().default(0),
  createdAt: integer("created_at").notNull(),
});

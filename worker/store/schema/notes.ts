import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0014_operations.sql, which defines the constraints and indexes. A test compares them.

export const notes = sqliteTable("notes", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id"),
  customerId: integer("customer_id"),
  text: text("text").notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const officeTasks = sqliteTable("office_tasks", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id"),
  customerId: integer("customer_id"),
  text: text("text").notNull(),
  dueDate: text("due_date"),
  assigneeId: integer("assignee_id"),
  createdBy: text("created_by").notNull(),
  createdAt: integer("created_at").notNull(),
  doneAt: integer("done_at"),
  doneBy: text("done_by"),
  version: integer("version").notNull().default(1),
  lastUpdate: integer("last_update").notNull(),
});

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The columns of migrations/0009_operations.sql, where constraints and indexes live; a test compares the two.

export const outgoingMails = sqliteTable("outgoing_mails", {
  id: integer("id").primaryKey(),
  sealed: text("sealed").notNull(),
  subject: text("subject").notNull(),
  attempts: integer("attempts").notNull().default(1),
  nextAt: integer("next_at").notNull(),
  uselessAt: integer("useless_at").notNull(),
  lastError: text("last_error").notNull(),
  createdAt: integer("created_at").notNull(),
});

import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0003_bookings.sql and 0014_operations.sql, which define the constraints and indexes. A test
// compares them.

/** One row: id of the last booking history entry whose mails were planned. */
export const mailCursor = sqliteTable("mail_cursor", {
  id: integer("id").primaryKey(),
  lastHistoryId: integer("last_history_id").notNull(),
});

export const bookingMails = sqliteTable("booking_mails", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id"),
  documentId: integer("document_id"),
  kind: text("kind", {
    enum: [
      "request_received",
      "confirmed",
      "changed",
      "cancelled",
      "payment_received",
      "refunded",
      "deposit_returned",
      "reminder",
      "hold_ending",
      "delivered",
      "collected",
      "invoiced",
      "payment_link",
      "message",
    ],
  }).notNull(),
  historyId: integer("history_id").notNull(),
  recipient: text("recipient", { enum: ["customer", "branch", "payer"] }).notNull(),
  at: integer("at").notNull(),
  address: text("address"),
  uselessAt: integer("expires_at"),
  sentAt: integer("sent_at"),
  lastError: text("last_error"),
  subject: text("subject"),
  body: text("body"),
});

export const outgoingMails = sqliteTable("outgoing_mails", {
  id: integer("id").primaryKey(),
  sealed: text("sealed").notNull(),
  subject: text("subject").notNull(),
  attempts: integer("attempts").notNull().default(1),
  nextAt: integer("next_at").notNull(),
  uselessAt: integer("expires_at").notNull(),
  lastError: text("last_error").notNull(),
  createdAt: integer("created_at").notNull(),
});

/** Texts of messages that the company wrote itself. */
export const messageTemplates = sqliteTable(
  "message_templates",
  {
    template: text("template").notNull(),
    language: text("language").notNull(),
    subject: text("subject").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.template, table.language] })],
);

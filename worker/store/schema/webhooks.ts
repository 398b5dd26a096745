import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0012_webhooks.sql, which defines the constraints and indexes. A test compares them.

export const webhooks = sqliteTable("webhooks", {
  id: integer("id").primaryKey(),
  url: text("url").notNull(),
  description: text("description"),
  events: text("events", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
  agencyId: integer("agency_id"),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  disabledAt: text("disabled_at"),
  disabledReason: text("disabled_reason", { enum: ["gone", "failing"] }),
  secretSealed: text("secret_sealed").notNull(),
  previousSecretSealed: text("previous_secret_sealed"),
  previousValidUntil: integer("previous_valid_until"),
  publicKey: text("public_key").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
});

/** State of the deliveries to a webhook: start of its failures, and end of a pause. */
export const webhookStates = sqliteTable("webhook_states", {
  webhookId: integer("webhook_id").primaryKey(),
  failingSince: integer("failing_since"),
  pausedUntil: integer("paused_until"),
});

export const webhookEvents = sqliteTable("webhook_events", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  uid: text("uid").notNull(),
  type: text("type").notNull(),
  subject: text("subject").notNull(),
  resource: text("resource"),
  bookingId: integer("booking_id"),
  at: integer("at").notNull(),
  agencyId: integer("agency_id"),
  body: text("body"),
});

export const webhookDeliveries = sqliteTable("webhook_deliveries", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  webhookId: integer("webhook_id").notNull(),
  eventId: integer("event_id").notNull(),
  subject: text("subject").notNull(),
  state: text("state", { enum: ["waiting", "delivered", "failed"] }).notNull(),
  attempts: integer("attempts").notNull().default(0),
  firstAt: integer("first_at"),
  nextAt: integer("next_at").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const webhookAttempts = sqliteTable("webhook_attempts", {
  id: integer("id").primaryKey(),
  deliveryId: integer("delivery_id").notNull(),
  at: integer("at").notNull(),
  url: text("url").notNull(),
  timestamp: integer("timestamp").notNull(),
  signature: text("signature").notNull(),
  status: integer("status"),
  problem: text("problem"),
  answer: text("answer"),
  milliseconds: integer("milliseconds").notNull(),
});

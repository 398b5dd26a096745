import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { GatewayReportedState } from "#domain/payments/gateway-events.ts";

// Columns of migrations/0005_payments.sql, which defines the constraints and indexes. A test compares them.

const METHODS = ["tpvA256", "tpvB", "tpvC", "wallet_standard", "stripe"] as const;

export const paymentGateways = sqliteTable("payment_gateways", {
  method: text("method", { enum: METHODS }).primaryKey(),
  environment: text("environment", { enum: ["live", "test", "stand_in"] }).notNull(),
  merchant: text("merchant", { mode: "json" }).$type<unknown>().notNull(),
  secretSealed: text("secret_sealed"),
  webhookSecretSealed: text("webhook_secret_sealed"),
  previousSecretSealed: text("previous_secret_sealed"),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
  holdDays: integer("hold_days").notNull().default(7),
});

export const paymentLinks = sqliteTable("payment_links", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  token: text("token").notNull(),
  purpose: text("purpose", { enum: ["payment", "hold"] }).notNull(),
  amountCents: integer("amount_cents").notNull(),
  status: text("status", { enum: ["open", "paid", "authorised", "cancelled"] })
    .notNull()
    .default("open"),
  expiresAt: integer("expires_at").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
});

export const paymentHolds = sqliteTable("payment_holds", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  linkId: integer("link_id").notNull(),
  intentId: text("intent_id"),
  amountCents: integer("amount_cents").notNull(),
  status: text("status", { enum: ["requested", "failed", "authorised", "released", "captured"] })
    .notNull()
    .default("requested"),
  capturedCents: integer("captured_cents").notNull().default(0),
  expiresAt: integer("expires_at"),
  action: text("action", { enum: ["capture", "release"] }),
  actionState: text("action_state", { enum: ["waiting", "sent", "refused"] }),
  actionCents: integer("action_cents"),
  actionReason: text("action_reason"),
  actionBy: integer("action_by"),
  actionAt: integer("action_at"),
  problem: text("problem"),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
});

/** Payment attempts of visitors, stored before they leave for the gateway. The amount never changes. */
export const paymentIntents = sqliteTable("payment_intents", {
  id: text("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  method: text("method", { enum: METHODS }).notNull(),
  part: text("part", { enum: ["deposit", "total", "pending"] }).notNull(),
  orderReference: text("order_reference").notNull(),
  amountCents: integer("amount_cents").notNull(),
  refundedCents: integer("refunded_cents").notNull().default(0),
  currency: text("currency").notNull(),
  state: text("state", { enum: ["pending", "held", "paid", "denied", "expired"] })
    .notNull()
    .default("pending"),
  summaryUrl: text("summary_url"),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  paidAt: integer("paid_at"),
  paidCode: text("paid_code"),
  linkId: integer("link_id"),
  transactionCode: text("transaction_code"),
});

/** Genuine messages of gateways, once each, also those that had no effect. */
export const paymentNotifications = sqliteTable("payment_notifications", {
  id: integer("id").primaryKey(),
  method: text("method", { enum: METHODS }).notNull(),
  orderReference: text("order_reference").notNull(),
  kind: text("kind", {
    enum: ["authorised", "denied", "refunded", "reinstated", "pending", "held", "captured", "released", "other"],
  }).notNull(),
  authCode: text("auth_code").notNull().default(""),
  paymentCode: text("payment_code"),
  intentId: text("intent_id"),
  amountCents: integer("amount_cents"),
  currency: text("currency"),
  outcome: text("outcome", {
    enum: [
      ...(["paid", "second_payment", "denied", "refunded", "refund_exceeds_paid"] as const),
      ...(["waiting", "noted", "mismatch", "unknown_order"] as const),
    ],
  }).notNull(),
  receivedAt: integer("received_at").notNull(),
  answer: text("answer").notNull().default(""),
  enteredChargeId: integer("entered_charge_id"),
});

/** Events of gateways that send their objects, once each. All together give the state of a payment. */
export const paymentEvents = sqliteTable("payment_events", {
  eventId: text("event_id").primaryKey(),
  method: text("method", { enum: METHODS }).notNull(),
  type: text("type").notNull(),
  transactionCode: text("transaction_code"),
  orderReference: text("order_reference"),
  fact: text("fact", { mode: "json" }).$type<GatewayReportedState>().notNull(),
  currency: text("currency"),
  receivedAt: integer("received_at").notNull(),
});

export const gatewayRefunds = sqliteTable("gateway_refunds", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  intentId: text("intent_id").notNull(),
  requestId: integer("request_id"),
  amountCents: integer("amount_cents").notNull(),
  reason: text("reason").notNull(),
  state: text("state", { enum: ["waiting", "sent", "done", "refused", "by_hand", "dropped"] })
    .notNull()
    .default("waiting"),
  refusals: integer("refusals").notNull().default(0),
  problem: text("problem"),
  requestedBy: integer("requested_by").notNull(),
  requestedAt: integer("requested_at").notNull(),
  sentAt: integer("sent_at"),
  endedAt: integer("ended_at"),
});

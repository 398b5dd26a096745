import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0003_bookings.sql, which defines the constraints and indexes. A test compares them.

export const quotes = sqliteTable("quotes", {
  id: integer("id").primaryKey(),
  freeAccessId: text("free_access_id").notNull(),
  year: integer("year").notNull(),
  sequence: integer("sequence").notNull(),
  status: text("status", { enum: ["draft", "sent", "accepted", "declined"] })
    .notNull()
    .default("draft"),
  version: integer("version").notNull().default(1),
  validUntil: integer("valid_until").notNull(),
  holds: integer("holds", { mode: "boolean" }).notNull().default(false),
  request: text("request").notNull(),
  offer: text("offer").notNull(),
  customerId: integer("customer_id"),
  customerName: text("customer_name").notNull(),
  customerSurname: text("customer_surname").notNull().default(""),
  customerEmail: text("customer_email"),
  customerPhone: text("customer_phone"),
  customerDocumentId: text("customer_document_id"),
  customerLanguage: text("customer_language").notNull(),
  searchText: text("search_text").notNull().default(""),
  branchCode: text("branch_code").notNull(),
  returnBranchCode: text("return_branch_code").notNull(),
  branchGroupId: integer("branch_group_id").notNull(),
  categoryCode: text("category_code"),
  pickupPlaceId: integer("pickup_place_id"),
  returnPlaceId: integer("return_place_id"),
  dateFrom: text("date_from").notNull(),
  timeFrom: text("time_from").notNull(),
  dateTo: text("date_to").notNull(),
  timeTo: text("time_to").notNull(),
  pickupAt: integer("pickup_at").notNull(),
  totalCents: integer("total_cents").notNull(),
  bookingId: integer("booking_id"),
  sentAt: integer("sent_at"),
  sentTo: text("sent_to"),
  decidedAt: integer("decided_at"),
  declineReason: text("decline_reason"),
  soldOutAt: integer("sold_out_at"),
  createdBy: text("created_by").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
});

export const quoteHistory = sqliteTable("quote_history", {
  id: integer("id").primaryKey(),
  quoteId: integer("quote_id").notNull(),
  at: integer("at").notNull(),
  actor: text("actor").notNull(),
  event: text("event", {
    enum: ["created", "changed", "sent", "duplicated", "accepted", "declined", "sold_out", "expired"],
  }).notNull(),
  detail: text("detail").notNull().default("{}"),
});

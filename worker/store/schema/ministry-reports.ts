import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0002_access.sql and 0009_ministry_reports.sql, which define the constraints and indexes. A test
// compares them.

export const ministryReports = sqliteTable("ministry_reports", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  kind: text("kind", { enum: ["RV", "AV"] }).notNull(),
  unitId: integer("unit_id"),
  part: integer("part").notNull().default(1),
  vehicleNumber: integer("vehicle_number").notNull().default(1),
  state: text("state", {
    enum: ["waiting", "dry", "sent", "accepted", "refused", "annulling", "annulled"],
  }).notNull(),
  xml: text("xml").notNull(),
  fingerprint: text("fingerprint").notNull(),
  lot: text("lot"),
  code: text("code"),
  annulmentLot: text("annulment_lot"),
  error: text("error"),
  attempts: integer("attempts").notNull().default(0),
  nextAt: integer("next_at").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  answeredAt: integer("answered_at"),
});

/** One row: start of the reports to the ministry, and last change that was checked. */
export const ministryReportCursor = sqliteTable("ministry_report_cursor", {
  id: integer("id").primaryKey(),
  since: integer("since").notNull(),
  lastUpdate: integer("last_update").notNull(),
  lookedAt: integer("reviewed_at").notNull().default(0),
});

/** The ministry's codes of makes, colours, vehicle kinds and municipalities (docs/interfaces/ses.md#lists). */
export const ministryReportLists = sqliteTable(
  "ministry_report_lists",
  {
    name: text("name").notNull(),
    environment: text("environment", { enum: ["test", "production"] }).notNull(),
    entries: text("entries", { mode: "json" }).$type<readonly (readonly [code: string, word: string])[]>().notNull(),
    fetchedAt: integer("fetched_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.environment] })],
);

/** Paths of files that are still to be deleted from the object store. */
export const erasureFiles = sqliteTable("erasure_files", { path: text("path").primaryKey() });

/** Erasures of personal data with time, user and reason, without the person's name. */
export const erasures = sqliteTable("erasures", {
  id: integer("id").primaryKey(),
  customerId: integer("customer_id").notNull(),
  at: integer("at").notNull(),
  actor: text("actor").notNull(),
  reason: text("reason").notNull(),
  kept: text("kept").notNull().default("{}"),
});

import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TaxRecordContent } from "#domain/tax-records/records.ts";

// Columns of migrations/0008_tax_records.sql, which defines the constraints and indexes. A test compares them.

/** One row: number of this installation of the billing software, created with the database. */
export const taxInstallation = sqliteTable("tax_installation", {
  id: integer("id").primaryKey(),
  number: text("number").notNull(),
});

export const taxRecords = sqliteTable("tax_records", {
  id: integer("id").primaryKey(),
  chain: text("chain").notNull(),
  position: integer("position").notNull(),
  kind: text("kind", { enum: ["registration", "annulment"] }).notNull(),
  documentId: integer("document_id").notNull(),
  issuer: text("issuer").notNull(),
  number: text("number").notNull(),
  date: text("date").notNull(),
  hashed: text("hashed").notNull(),
  previousHash: text("previous_hash").notNull(),
  hash: text("hash").notNull(),
  content: text("content", { mode: "json" }).$type<TaxRecordContent>().notNull(),
  generatedAt: integer("generated_at").notNull(),
});

export const taxRecordStates = sqliteTable("tax_record_states", {
  recordId: integer("record_id").primaryKey(),
  state: text("state", { enum: ["waiting", "accepted", "accepted_with_errors", "refused"] })
    .notNull()
    .default("waiting"),
  code: text("code"),
  description: text("description"),
  csv: text("csv"),
  attempts: integer("attempts").notNull().default(0),
  sentAt: integer("sent_at"),
  answeredAt: integer("answered_at"),
});

/** End of each chain of tax records, time of the next submission, and start of an outage. */
export const taxChains = sqliteTable("tax_chains", {
  chain: text("chain").primaryKey(),
  issuer: text("issuer").notNull(),
  lastRecordId: integer("last_record_id").notNull(),
  nextAt: integer("next_at").notNull().default(0),
  waitSeconds: integer("wait_seconds").notNull().default(60),
  leasedUntil: integer("leased_until").notNull().default(0),
  failedSince: integer("failed_since"),
  problem: text("problem"),
});

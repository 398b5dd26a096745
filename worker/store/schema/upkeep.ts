import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChainFault } from "#domain/tax-records/audit.ts";

// Columns of migrations/0014_operations.sql, which defines the constraints and indexes. A test compares them.

/** One row: last run and current lease of each maintenance job, in epoch ms. */
export const maintenanceState = sqliteTable("upkeep", {
  id: integer("id").primaryKey(),
  since: integer("since").notNull(),
  backedUpAt: integer("backed_up_at"),
  backupRows: integer("backup_rows"),
  backupProblem: text("backup_problem"),
  backupLeasedUntil: integer("backup_leased_until").notNull().default(0),
  backupCheckedAt: integer("backup_verified_at"),
  filesCopiedUntil: integer("photos_until").notNull().default(0),
  purgedAt: integer("purged_at"),
  fileSweepAfter: text("file_sweep_after"),
  fileSweepFrom: integer("file_sweep_from").notNull().default(0),
  sizeBytes: integer("size_bytes").notNull().default(0),
  taxRecordFaults: integer("tax_record_faults").notNull().default(0),
  /** Progress of an incomplete backup. The backup code defines its content. */
  backupProgress: text("backup_progress", { mode: "json" }).$type<unknown>(),
  /** Progress of an incomplete export. The export code defines its content. */
  exportProgress: text("export_progress", { mode: "json" }).$type<unknown>(),
  taxRecordFault: text("tax_record_fault", { mode: "json" }).$type<ChainFault>(),
});

/** Deletions of expired data: kind, time and number of rows. */
export const purgeLog = sqliteTable("deletions", {
  id: integer("id").primaryKey(),
  kind: text("kind").notNull(),
  at: integer("at").notNull(),
  count: integer("count").notNull(),
});

import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DeviceWorkReport } from "#domain/check-in/device-report.ts";
import type { CheckInWarning, OperationFlag } from "#domain/check-in/operations.ts";
import type { OutcomeCode } from "#domain/check-in/outcome.ts";

// Columns of migrations/0006_check_in.sql, which defines the constraints and indexes. A test compares them.

export const checkInOperations = sqliteTable("check_in_operations", {
  opId: text("op_id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  unitId: integer("unit_id"),
  kind: text("kind", { enum: ["delivery", "collection", "exchange", "evidence", "correction"] }).notNull(),
  state: text("state", { enum: ["applied", "held", "conflict", "accepted", "dismissed"] }).notNull(),
  code: text("code").$type<OutcomeCode>().notNull(),
  message: text("message").notNull(),
  flags: text("flags", { mode: "json" }).$type<readonly OperationFlag[]>().notNull(),
  warnings: text("warnings", { mode: "json" }).$type<readonly CheckInWarning[]>().notNull(),
  needsLook: integer("needs_review", { mode: "boolean" }).notNull().default(false),
  fingerprint: text("fingerprint").notNull(),
  operation: text("operation", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
  byName: text("by_name"),
  byAt: integer("by_at"),
  version: integer("version").notNull(),
  author: text("author").notNull(),
  userId: integer("user_id").notNull(),
  deviceId: text("device_id").notNull(),
  seq: integer("seq").notNull(),
  recordedAt: integer("recorded_at").notNull(),
  receivedAt: integer("received_at").notNull(),
  heldUntil: integer("held_until"),
  resolvedBy: integer("resolved_by"),
  resolvedAt: integer("resolved_at"),
  resolutionNote: text("resolution_note"),
});

/** Photos and signatures of a check-in operation, in order. */
export const checkInOperationFiles = sqliteTable(
  "check_in_operation_files",
  {
    opId: text("op_id").notNull(),
    position: integer("position").notNull(),
    bookingId: integer("booking_id").notNull(),
    hash: text("hash").notNull(),
    view: text("view").notNull(),
    arrived: integer("arrived", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.opId, table.position] })],
);

/** Uploaded photos and signatures by their hash. The object store has the contents. Never deleted. */
export const checkInFiles = sqliteTable(
  "check_in_files",
  {
    bookingId: integer("booking_id").notNull(),
    hash: text("hash").notNull(),
    contentType: text("content_type", { enum: ["image/jpeg", "image/png", "image/webp", "image/heic"] }).notNull(),
    sizeBytes: integer("bytes").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    uploadedBy: integer("uploaded_by").notNull(),
    uploadedAt: integer("uploaded_at").notNull(),
    removedAt: integer("removed_at"),
  },
  (table) => [primaryKey({ columns: [table.bookingId, table.hash] })],
);

export const checkInDevices = sqliteTable("check_in_devices", {
  deviceId: text("device_id").primaryKey(),
  userId: integer("user_id").notNull(),
  lastSeq: integer("last_seq").notNull(),
  received: integer("received").notNull().default(0),
  /** Number of operations that reused an earlier sequence number. */
  repeated: integer("repeated").notNull().default(0),
  lastSeenAt: integer("last_seen_at").notNull(),
  /** Last report of the device about its work. */
  report: text("report", { mode: "json" }).$type<DeviceWorkReport>(),
  reportedAt: integer("reported_at"),
});

export const vehicleDamages = sqliteTable("vehicle_damages", {
  id: integer("id").primaryKey(),
  damageId: text("damage_id").notNull(),
  vehicleReference: text("vehicle_reference").notNull(),
  part: text("part").notNull(),
  kind: text("kind").notNull(),
  severity: text("severity", { enum: ["light", "medium", "severe"] }).notNull(),
  x: integer("x").notNull(),
  y: integer("y").notNull(),
  note: text("note"),
  photos: text("photos", { mode: "json" }).$type<readonly string[]>().notNull(),
  bookingId: integer("booking_id"),
  opId: text("op_id"),
  since: text("since").notNull(),
  repairedAt: integer("repaired_at"),
});

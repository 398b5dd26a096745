import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The columns of migrations/0017_printing.sql, where constraints live; a test compares the two.

export const letterhead = sqliteTable("letterhead", {
  id: integer("id").primaryKey(),
  color: text("color").notNull().default("#1f4e79"),
  logo: text("logo"),
  foot: text("foot").notNull().default(""),
});

export const contractTerms = sqliteTable("contract_terms", {
  language: text("language", { enum: ["es", "ca", "en", "de"] }).primaryKey(),
  terms: text("terms").notNull(),
});

export const checkInContracts = sqliteTable(
  "check_in_contracts",
  {
    bookingId: integer("booking_id").notNull(),
    hash: text("hash").notNull(),
    bytes: integer("bytes").notNull(),
    uploadedBy: integer("uploaded_by").notNull(),
    uploadedAt: integer("uploaded_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.bookingId, table.hash] })],
);

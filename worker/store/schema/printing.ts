import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0001_catalogue.sql, 0006_check_in.sql and 0010_printing.sql, which define the constraints and
// indexes. A test compares them.

export const letterhead = sqliteTable("letterhead", {
  id: integer("id").primaryKey(),
  color: text("color").notNull().default("#1f4e79"),
  logo: text("logo"),
  foot: text("foot").notNull().default(""),
});

export const contractTerms = sqliteTable("contract_terms", {
  language: text("language", { enum: ["es", "ca", "en", "de", "fr", "it", "pt", "nl"] }).primaryKey(),
  terms: text("terms").notNull(),
});

/** Signed contract texts by their hash. The object store has the contents. Never deleted. */
export const checkInContracts = sqliteTable(
  "check_in_contracts",
  {
    bookingId: integer("booking_id").notNull(),
    hash: text("hash").notNull(),
    sizeBytes: integer("bytes").notNull(),
    uploadedBy: integer("uploaded_by").notNull(),
    uploadedAt: integer("uploaded_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.bookingId, table.hash] })],
);

/** Issuers of a branch's documents before its company changed. Written by a trigger. */
export const earlierIssuers = sqliteTable("earlier_issuers", {
  id: integer("id").primaryKey(),
  branchCode: text("branch_code").notNull(),
  companyName: text("company_name"),
  documentId: text("document_id"),
  commercialRegister: text("commercial_register"),
  street: text("street"),
  zip: text("zip"),
  city: text("city"),
  state: text("state"),
  taxTerritory: text("tax_territory").notNull(),
  lastNumbers: text("last_numbers").notNull(),
  until: integer("until").notNull(),
});

import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0011_reporting.sql, which defines the constraints and indexes. A test compares them.

export const ledgerEntries = sqliteTable("ledger_entries", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  kind: text("kind", { enum: ["product", "extra", "supplement"] }).notNull(),
  code: text("code").notNull(),
  year: integer("year").notNull(),
  month: integer("month").notNull(),
  branchCode: text("branch_code").notNull(),
  customerClass: text("customer_class", { enum: ["individual", "legal_entity", "other"] }).notNull(),
  cents: integer("cents").notNull(),
  centsWithoutTaxes: integer("cents_without_taxes").notNull(),
  days: integer("days").notNull().default(0),
  firstDay: integer("first_day").notNull().default(0),
  lastDay: integer("last_day").notNull().default(0),
  contracts: integer("contracts").notNull().default(0),
  usageUnits: integer("usage_units").notNull().default(0),
  rentedA: integer("rented_a").notNull().generatedAlwaysAs(sql``, { mode: "virtual" }),
  rentedB: integer("rented_b").notNull().generatedAlwaysAs(sql``, { mode: "virtual" }),
  rentedC: integer("rented_c").notNull().generatedAlwaysAs(sql``, { mode: "virtual" }),
  rentedD: integer("rented_d").notNull().generatedAlwaysAs(sql``, { mode: "virtual" }),
});

/** Monthly figures of a vehicle in all branches, by class of customer. */
export const ledgerProducts = sqliteTable(
  "ledger_products",
  {
    year: integer("year").notNull(),
    customerClass: text("customer_class", { enum: ["all", "individual", "legal_entity"] }).notNull(),
    reference: text("reference").notNull(),
    month: integer("month").notNull(),
    cents: integer("cents").notNull().default(0),
    centsWithoutTaxes: integer("cents_without_taxes").notNull().default(0),
    days: integer("days").notNull().default(0),
    rentedA: integer("rented_a").notNull().default(0),
    rentedB: integer("rented_b").notNull().default(0),
    rentedC: integer("rented_c").notNull().default(0),
    rentedD: integer("rented_d").notNull().default(0),
    occupiedDays: integer("occupied_days").notNull().generatedAlwaysAs(sql``, { mode: "stored" }),
    contracts: integer("contracts").notNull().default(0),
    usageUnits: integer("usage_units").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.year, table.customerClass, table.reference, table.month] })],
);

/** Monthly figures of a vehicle by the branch of its contracts (docs/interfaces/analytics.md#figures). */
export const ledgerBranchProducts = sqliteTable(
  "ledger_branch_products",
  {
    year: integer("year").notNull(),
    customerClass: text("customer_class", { enum: ["all", "individual", "legal_entity"] }).notNull(),
    branchCode: text("branch_code").notNull(),
    reference: text("reference").notNull(),
    month: integer("month").notNull(),
    cents: integer("cents").notNull().default(0),
    centsWithoutTaxes: integer("cents_without_taxes").notNull().default(0),
    days: integer("days").notNull().default(0),
    contracts: integer("contracts").notNull().default(0),
    usageUnits: integer("usage_units").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.year, table.customerClass, table.branchCode, table.reference, table.month] }),
  ],
);

/** Extras and supplements sold in a branch, by month of pickup. */
export const ledgerSales = sqliteTable(
  "ledger_sales",
  {
    kind: text("kind", { enum: ["extra", "supplement"] }).notNull(),
    year: integer("year").notNull(),
    code: text("code").notNull(),
    branchCode: text("branch_code").notNull(),
    month: integer("month").notNull(),
    cents: integer("cents").notNull().default(0),
    centsWithoutTaxes: integer("cents_without_taxes").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.kind, table.year, table.code, table.branchCode, table.month] })],
);

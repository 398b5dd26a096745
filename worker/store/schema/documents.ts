import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { CREDIT_REASONS } from "#domain/documents/credit-reasons.ts";
import { PAYMENT_METHODS } from "#domain/payments/charges.ts";

// Columns of migrations/0005_payments.sql, 0007_documents.sql and 0011_reporting.sql, which define the constraints and
// indexes. A test compares them.

/** Last number of each series of a branch. Unused since `numberSeries`, which numbers by company. */
export const documentSeries = sqliteTable(
  "document_series",
  {
    kind: text("kind", { enum: ["invoice", "internal_bond"] }).notNull(),
    branchCode: text("branch_code").notNull(),
    serie: text("serie").notNull(),
    year: integer("year").notNull(),
    lastNumber: integer("last_number").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.kind, table.branchCode, table.serie, table.year] })],
);

export const documents = sqliteTable("documents", {
  id: integer("id").primaryKey(),
  kind: text("kind", { enum: ["invoice", "internal_bond"] }).notNull(),
  companyId: integer("company_id").notNull().default(1),
  branchCode: text("branch_code").notNull(),
  salesChannelCode: text("sales_channel_code"),
  invoiceType: text("invoice_type", { enum: ["invoice", "payment"] })
    .notNull()
    .default("invoice"),
  invoiceMode: text("invoice_mode", {
    enum: ["default", "reservation_retainer", "reservation_breakdown", "reservation_extra"],
  }).notNull(),
  invoiceStatus: text("invoice_status", { enum: ["draft", "invoice"] })
    .notNull()
    .default("draft"),
  serie: text("serie"),
  number: integer("number"),
  year: integer("year"),
  date: text("date"),
  concept: text("concept").notNull(),
  bookingId: integer("booking_id"),
  correctsDocumentId: integer("corrects_document_id"),
  customerId: integer("customer_id"),
  customerType: text("customer_type", {
    enum: ["individual", "legal_entity", "internal_department", "legal_entity_group_company"],
  }).notNull(),
  customerFullName: text("customer_full_name").notNull(),
  customerDocumentId: text("customer_document_id"),
  customerAddressStreet: text("customer_address_street"),
  customerAddressNumber: text("customer_address_number"),
  customerAddressComplement: text("customer_address_complement"),
  customerAddressCity: text("customer_address_city"),
  customerAddressState: text("customer_address_state"),
  customerAddressCountry: text("customer_address_country"),
  customerOriginCountry: text("customer_origin_country"),
  customerAddressZip: text("customer_address_zip"),
  referenceDetail: text("reference_detail"),
  referenceDates: text("reference_dates"),
  referenceAgency: text("reference_agency"),
  currency: text("currency").notNull(),
  discountType: text("discount_type", { enum: ["none", "percentage", "amount"] })
    .notNull()
    .default("none"),
  discountBasisPoints: integer("discount_basis_points").notNull().default(0),
  totalWithoutTaxesCents: integer("total_without_taxes_cents").notNull(),
  discountCents: integer("discount_cents").notNull().default(0),
  subtotalCents: integer("subtotal_cents").notNull(),
  taxesCents: integer("taxes_cents").notNull(),
  totalCents: integer("total_cents").notNull(),
  totalPaidCents: integer("total_paid_cents").notNull().default(0),
  agentCommissionPrepaidCents: integer("agent_commission_prepaid_cents").notNull().default(0),
  accountingProcessed: integer("accounting_processed", { mode: "boolean" }).notNull().default(false),
  integrationError: text("integration_error"),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
  uid: text("uid"),
  orderReference: text("order_reference"),
  form: text("form", { enum: ["full", "simplified", "credit_note", "internal_bond"] }),
  missing: text("missing", { mode: "json" }).$type<readonly string[]>(),
  exchangesDocumentId: integer("exchanges_document_id"),
  taxRecordDue: integer("tax_record_due", { mode: "boolean" }).notNull().default(false),
  creditReason: text("credit_reason", { enum: CREDIT_REASONS }),
  replacedByDocumentId: integer("replaced_by_document_id"),
  dueDate: text("due_date"),
});

/** Issued documents whose electronic invoice lacks data or wasn't checked yet. */
export const einvoiceChecks = sqliteTable("einvoice_checks", {
  documentId: integer("document_id").primaryKey(),
  checkAt: integer("check_at").notNull(),
  missing: text("missing", { mode: "json" }).$type<readonly string[]>(),
});

/** Contracts of a collective document. */
export const documentContracts = sqliteTable(
  "document_contracts",
  {
    documentId: integer("document_id").notNull(),
    bookingId: integer("booking_id").notNull(),
    referenceDetail: text("reference_detail"),
    referenceDates: text("reference_dates"),
    totalCents: integer("total_cents").notNull(),
    agentCommissionPrepaidCents: integer("agent_commission_prepaid_cents").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.bookingId] })],
);

/** Last number of each series of a company. */
export const numberSeries = sqliteTable(
  "number_series",
  {
    companyId: integer("company_id").notNull(),
    serie: text("serie").notNull(),
    lastNumber: integer("last_number").notNull(),
    lastDate: text("last_date").notNull(),
    note: text("note"),
    lastUpdate: integer("last_update"),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.serie] })],
);

/** Part of a charge that pays a document. Negative for refunds. */
export const chargeAllocations = sqliteTable(
  "charge_allocations",
  {
    documentId: integer("document_id").notNull(),
    chargeId: integer("charge_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.chargeId] })],
);

export const cashClosings = sqliteTable("cash_closings", {
  id: integer("id").primaryKey(),
  branchCode: text("branch_code").notNull(),
  date: text("date").notNull(),
  openingCents: integer("opening_cents").notNull(),
  movedCents: integer("moved_cents").notNull(),
  countedCents: integer("counted_cents").notNull(),
  differenceCents: integer("difference_cents").notNull(),
  takenOutCents: integer("taken_out_cents").notNull().default(0),
  lastChargeId: integer("last_charge_id").notNull(),
  note: text("note"),
  actor: text("actor").notNull(),
  at: integer("at").notNull(),
});

export const refundApprovalRequests = sqliteTable("refund_requests", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  amountCents: integer("amount_cents").notNull(),
  paymentMethodId: text("payment_method_id").notNull(),
  reason: text("reason"),
  externalOperationNumber: text("external_operation_number"),
  byHand: integer("by_hand", { mode: "boolean" }).notNull().default(false),
  state: text("state", { enum: ["waiting", "approved", "declined"] })
    .notNull()
    .default("waiting"),
  requestedBy: integer("requested_by").notNull(),
  requestedAt: integer("requested_at").notNull(),
  decidedBy: integer("decided_by"),
  decidedAt: integer("decided_at"),
});

export const documentTaxes = sqliteTable(
  "document_taxes",
  {
    documentId: integer("document_id").notNull(),
    position: integer("position").notNull(),
    vatBasisPoints: integer("vat_basis_points").notNull(),
    totalWithoutTaxesCents: integer("total_without_taxes_cents").notNull(),
    discountCents: integer("discount_cents").notNull().default(0),
    subtotalCents: integer("subtotal_cents").notNull(),
    taxesCents: integer("taxes_cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.position] })],
);

export const documentItems = sqliteTable("document_items", {
  id: integer("id").primaryKey(),
  documentId: integer("document_id").notNull(),
  concept: text("concept").notNull(),
  quantity: integer("quantity").notNull(),
  vatBasisPoints: integer("vat_basis_points").notNull(),
  taxesIncluded: integer("taxes_included", { mode: "boolean" }).notNull().default(true),
  unitWithoutTaxesCents: integer("unit_without_taxes_cents").notNull(),
  unitTaxesCents: integer("unit_taxes_cents").notNull(),
  unitCents: integer("unit_cents").notNull(),
  totalWithoutTaxesCents: integer("total_without_taxes_cents").notNull(),
  subtotalCents: integer("subtotal_cents").notNull(),
  taxesCents: integer("taxes_cents").notNull(),
  totalCents: integer("total_cents").notNull(),
  externalCode: text("external_code"),
  /** Contract of an item of a collective document. */
  bookingId: integer("booking_id"),
  /** Concept in the customer's language, if it differs. */
  printedConcept: text("printed_concept"),
});

export const charges = sqliteTable("charges", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id"),
  documentId: integer("document_id"),
  sourceDoc: text("source_doc", {
    enum: [
      "booking",
      "order",
      "customer_invoice",
      "customer_simplified_invoice",
      "internal_bond_invoice",
      "deposit_received",
      "deposit_returned",
    ],
  }).notNull(),
  virtual: integer("virtual", { mode: "boolean" }).generatedAlwaysAs(
    sql`(source_doc IN ('deposit_received', 'deposit_returned'))`,
    { mode: "stored" },
  ),
  paymentType: text("payment_type", { enum: ["charge", "payment"] }).notNull(),
  paymentMethodId: text("payment_method_id", { enum: PAYMENT_METHODS }).notNull(),
  date: integer("date").notNull(),
  amountCents: integer("amount_cents").notNull(),
  currency: text("currency").notNull(),
  status: text("status").notNull().default("done"),
  branchCode: text("branch_code").notNull(),
  salesChannelCode: text("sales_channel_code"),
  externalOperationNumber: text("external_operation_number"),
  origin: text("origin"),
  depositKept: integer("deposit_kept", { mode: "boolean" }).notNull().default(false),
  offlinePhysicalDeviceId: text("offline_physical_device_id"),
  exceptional: integer("exceptional", { mode: "boolean" }).notNull().default(false),
  chargeAccountingProcessed: integer("charge_accounting_processed", { mode: "boolean" }).notNull().default(false),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
  uid: text("uid"),
});

/** Staff requests by their id, which returns the same result. A different content is refused. */
export const documentRequests = sqliteTable("document_requests", {
  requestId: text("request_id").primaryKey(),
  fingerprint: text("fingerprint").notNull(),
  at: integer("at").notNull(),
});

/** Paid amount of a document on which a batch was decided. A trigger aborts the batch if it changed. Stores no rows. */
export const paidVersionGuards = sqliteTable("paid_version_guards", {
  documentId: integer("document_id").notNull(),
  totalPaidCents: integer("total_paid_cents").notNull(),
});

/** Row count of each list, so that a total without filters reads one row. */
export const listTotals = sqliteTable("list_totals", {
  list: text("list").primaryKey(),
  total: integer("total").notNull(),
});

export const expenseAccounts = sqliteTable("expense_accounts", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
});

export const expenseConcepts = sqliteTable("expense_concepts", {
  id: integer("id").primaryKey(),
  expenseAccountId: integer("expense_account_id").notNull(),
  name: text("name").notNull(),
});

export const expenses = sqliteTable("expenses", {
  id: integer("id").primaryKey(),
  vehicleReference: text("vehicle_reference").notNull(),
  expenseConceptId: integer("expense_concept_id").notNull(),
  date: text("date").notNull(),
  description: text("description").notNull().default(""),
  reference: text("reference"),
  branchCode: text("branch_code").notNull(),
  branchGroupId: integer("branch_group_id").notNull(),
  totalWithoutTaxesCents: integer("total_without_taxes_cents").notNull(),
  discountCents: integer("discount_cents").notNull().default(0),
  subtotalCents: integer("subtotal_cents").notNull(),
  taxesCents: integer("taxes_cents").notNull(),
  totalCents: integer("total_cents").notNull(),
  supplier: text("supplier"),
  supplierDocumentId: text("supplier_document_id"),
  lastUpdate: integer("last_update").notNull().default(sql`(CAST(unixepoch('subsec') * 1000 AS INTEGER))`),
});

/**
 * Register of the rules that triggers of the migrations enforce. A trigger aborts the full batch with the rule's code.
 * `test/scripts/sql-rules.test.ts` compares the register with the migrations.
 */

/** Code of the rule: a booking stays a rental or a transfer. */
export const BOOKING_KIND = "booking_kind";
/** Code of the rule: a booking's status changes only along its life. */
export const BOOKING_TRANSITION = "booking_transition";
/** Code of the rule: a rental length has only one price in a tariff. */
export const BRACKET_OVERLAP = "bracket_overlap";
/** Code of the rule: a batch isn't based on an outdated catalogue. */
export const CATALOGUE_CHANGED = "catalogue_changed";
/** Code of the rule: tax records form one chain per issuer, without a fork or a gap. */
export const CHAIN_MOVED = "chain_moved";
/** Code of the rule: a change of a task is based on its current version. */
export const CHANGED_MEANWHILE = "changed_meanwhile";
/** Code of the rule: recorded money is never changed or deleted. */
export const CHARGE_IMMUTABLE = "charge_immutable";
/** Code of the rule: a simplified invoice is either credited or replaced once by a full invoice. */
export const CREDIT_EXCEEDS = "credit_exceeds";
/** Code of the rule: a document is checked when it is issued, so it starts as a draft. */
export const DOCUMENT_BEGINS_AS_DRAFT = "document_begins_as_draft";
/** Code of the rule: dates of a series rise with its numbers. */
export const DOCUMENT_DATE = "document_date";
/** Code of the rule: an issued document never changes. */
export const DOCUMENT_FIRM = "document_firm";
/** Code of the rule: a document is never deleted. */
export const DOCUMENT_NOT_DELETABLE = "document_not_deletable";
/** Code of the rule: an issued document adds up: items, tax rates and totals. */
export const DOCUMENT_SUMS = "document_sums";
/** Code of the rule: a driver's age has only one rule. */
export const DRIVER_AGE_OVERLAP = "driver_age_overlap";
/** Code of the rule: sums of the ledger stay correct, because its entries are only inserted and deleted. */
export const LEDGER_ENTRY_IMMUTABLE = "ledger_entries_update_prevent";
/** Code of the rule: a started payment keeps its booking, order and amount. */
export const PAYMENT_IMMUTABLE = "payment_immutable";
/** Code of the rule: a paid payment stays paid. */
export const PAYMENT_PAID = "payment_paid";
/** Code of the rule: a decided quote stays decided. */
export const QUOTE_TRANSITION = "quote_transition";
/** Code of the rule: a refund is decided once. */
export const REFUND_DECIDED = "refund_decided";
/** Code of the rule: a refund keeps its payment and amount. */
export const REFUND_IMMUTABLE = "refund_immutable";
/** Code of the rule: a day belongs to at most one season. */
export const SEASON_OVERLAP = "season_overlap";
/** Code of the rule: a series continues after the number of its issued documents. */
export const SERIES_USED = "series_used";
/** Start of the stock guard's message. The kind of stock and the code of the sold-out product follow. */
export const SOLD_OUT = "sold_out";
/** Code of the rule: an allocation may only shrink. A larger one is a new row, which the stock guard checks. */
export const STOCK_ALLOCATION_IMMUTABLE = "stock_allocations_are_replaced";
/** Code of the rule: a tax record is never changed or deleted. */
export const TAX_RECORD_IMMUTABLE = "tax_record_immutable";
/** Code of the rule: a visitor's network can only have a limited number of unpaid bookings in 24 hours. */
export const TOO_MANY_HOLDS = "too_many_holds";
/** Code of the rule: a vehicle isn't assigned while it is blocked. */
export const VEHICLE_BLOCKED = "vehicle_blocked";
/** Code of the rule: a vehicle is on rent with one contract. */
export const VEHICLE_OUT = "vehicle_out";
/** Code of the rule: a vehicle is assigned to one contract at a time. */
export const VEHICLE_PROMISED = "vehicle_promised";

/** Code of a registered rule. */
export type SqlRuleCode =
  | typeof BOOKING_KIND
  | typeof BOOKING_TRANSITION
  | typeof BRACKET_OVERLAP
  | typeof CATALOGUE_CHANGED
  | typeof CHAIN_MOVED
  | typeof CHANGED_MEANWHILE
  | typeof CHARGE_IMMUTABLE
  | typeof CREDIT_EXCEEDS
  | typeof DOCUMENT_BEGINS_AS_DRAFT
  | typeof DOCUMENT_DATE
  | typeof DOCUMENT_FIRM
  | typeof DOCUMENT_NOT_DELETABLE
  | typeof DOCUMENT_SUMS
  | typeof DRIVER_AGE_OVERLAP
  | typeof LEDGER_ENTRY_IMMUTABLE
  | typeof PAYMENT_IMMUTABLE
  | typeof PAYMENT_PAID
  | typeof QUOTE_TRANSITION
  | typeof REFUND_DECIDED
  | typeof REFUND_IMMUTABLE
  | typeof SEASON_OVERLAP
  | typeof SERIES_USED
  | typeof SOLD_OUT
  | typeof STOCK_ALLOCATION_IMMUTABLE
  | typeof TAX_RECORD_IMMUTABLE
  | typeof TOO_MANY_HOLDS
  | typeof VEHICLE_BLOCKED
  | typeof VEHICLE_OUT
  | typeof VEHICLE_PROMISED;

/** Rule in SQL with its evidence. Tests are written as `file · title`. */
export interface SqlRule {
  readonly code: SqlRuleCode;
  readonly triggers: readonly string[];
  readonly protects: string;
  readonly test: string;
  /** Test that shows the fault if the trigger is missing. */
  readonly negativeControl: string;
  /** Same rule in TypeScript, as `file#export`. */
  readonly twin?: string;
}

// Test that tries one example of each trigger, and its negative control without the trigger.
const EXAMPLE = "test/scripts/sql-rules.test.ts · aborts a statement by the trigger $trigger with $code";
const EXAMPLE_CONTROL =
  "test/scripts/sql-rules.test.ts · accepts a statement that only $trigger rejects once that trigger is dropped";

/** All rules in SQL, by code. Only tests read it, so it isn't part of the Worker's bundle. */
export const SQL_RULES: readonly SqlRule[] = [
  {
    code: BOOKING_KIND,
    triggers: ["bookings_update_prevent_kind_change"],
    protects: "A booking stays a rental or a transfer.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: BOOKING_TRANSITION,
    triggers: ["bookings_update_check_transition"],
    protects: "A booking's status changes only along its life.",
    test: "test/store/bookings/stock-guard.test.ts · rejects a booking's status change from %s to %s",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: BRACKET_OVERLAP,
    triggers: ["tariff_brackets_insert_prevent_overlap", "tariff_brackets_update_prevent_overlap"],
    protects: "A rental length has only one price in a tariff.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
    twin: "worker/domain/catalogue/resources/price-checks.ts#checkTariffBrackets",
  },
  {
    code: CATALOGUE_CHANGED,
    triggers: ["catalogue_version_guards_insert_check_version"],
    protects: "A batch isn't based on an outdated catalogue.",
    test: "test/usecases/bookings/book-at-once.test.ts · books with one database call, or with three if the cached catalogue is outdated",
    negativeControl:
      "test/usecases/bookings/book-at-once.test.ts · sells at an outdated price without the database guard, as a negative control",
  },
  {
    code: CHAIN_MOVED,
    triggers: ["tax_records_insert_check_chain"],
    protects: "Tax records form one chain per issuer, without a fork or a gap.",
    test: "test/api/office/tax-records.test.ts · rejects two tax records with the same predecessor by a database guard",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: CHANGED_MEANWHILE,
    triggers: ["version_guards_insert_check_version"],
    protects: "A change of a booking is based on its current version.",
    test: "test/api/office/hand-over.test.ts · delivers once per idempotency key despite parallel calls, and returns 422 for another body, 409 for another version",
    negativeControl:
      "test/usecases/check-in/faults.test.ts · hands a unit over twice without the expected-version guard, as a negative control",
  },
  {
    code: CHANGED_MEANWHILE,
    triggers: ["customer_version_guards_insert_check_version"],
    protects: "A change of a customer is based on its current version.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: CHANGED_MEANWHILE,
    triggers: ["paid_version_guards_insert_check_version"],
    protects: "A payment of an invoice is based on what was paid of it before.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: CHANGED_MEANWHILE,
    triggers: ["fleet_version_guards_insert_check_version"],
    protects: "A change of a vehicle or a block is based on its current version.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: CHANGED_MEANWHILE,
    triggers: ["quotes_update_check_version"],
    protects: "A change of a quote is based on its current version.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: CHANGED_MEANWHILE,
    triggers: ["office_tasks_update_check_version"],
    protects: "A change of a task is based on its current version.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: CHARGE_IMMUTABLE,
    triggers: ["charges_update_prevent", "charges_delete_prevent"],
    protects: "Recorded money is never changed or deleted.",
    test: "test/usecases/documents/documents.test.ts · rejects changes of an issued document or a charge in the database: %s",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: CREDIT_EXCEEDS,
    triggers: ["documents_issue_limit_credit"],
    protects: "Credit notes don't exceed their invoice.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
    twin: "worker/domain/documents/credit-notes.ts#getUncreditedCents",
  },
  {
    code: CREDIT_EXCEEDS,
    triggers: ["documents_update_prevent_second_replacement", "documents_issue_prevent_credit_of_replaced"],
    protects: "A simplified invoice is either credited or replaced once by a full invoice.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
    twin: "worker/domain/documents/credit-notes.ts#isReplaceableByFullInvoice",
  },
  {
    code: DOCUMENT_BEGINS_AS_DRAFT,
    triggers: ["documents_insert_require_draft"],
    protects: "A document is checked when it is issued, so it starts as a draft.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: DOCUMENT_DATE,
    triggers: ["documents_issue_check_date_order"],
    protects: "Dates of a series rise with its numbers.",
    test: "test/api/documents/documents.test.ts · numbers documents in order, and rejects a used number or an earlier date in the database",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: DOCUMENT_FIRM,
    triggers: [
      "documents_update_prevent_issued",
      "document_items_insert_prevent_issued",
      "document_items_update_prevent_issued",
      "document_items_delete_prevent_issued",
      "document_taxes_insert_prevent_issued",
      "document_taxes_update_prevent_issued",
      "document_taxes_delete_prevent_issued",
      "document_contracts_insert_prevent_issued",
      "document_contracts_update_prevent_issued",
      "document_contracts_delete_prevent_issued",
    ],
    protects: "An issued document never changes.",
    test: "test/usecases/documents/documents.test.ts · rejects changes of an issued document or a charge in the database: %s",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: DOCUMENT_NOT_DELETABLE,
    triggers: ["documents_delete_prevent"],
    protects: "A document is never deleted.",
    test: "test/usecases/documents/documents.test.ts · rejects changes of an issued document or a charge in the database: %s",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: DOCUMENT_SUMS,
    triggers: ["documents_issue_check_sums"],
    protects: "An issued document adds up: items, tax rates and totals.",
    test: "test/usecases/documents/documents.test.ts · rejects issuing a document whose sums don't add up",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: DRIVER_AGE_OVERLAP,
    triggers: ["driver_age_rules_insert_prevent_overlap", "driver_age_rules_update_prevent_overlap"],
    protects: "A driver's age has only one rule.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
    twin: "worker/domain/catalogue/resources/rule-checks.ts#checkDriverAges",
  },
  {
    code: LEDGER_ENTRY_IMMUTABLE,
    triggers: ["ledger_entries_update_prevent"],
    protects: "Sums of the ledger stay correct, because its entries are only inserted and deleted.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: PAYMENT_IMMUTABLE,
    triggers: ["payment_intents_update_prevent_change"],
    protects: "A started payment keeps its booking, order and amount.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: PAYMENT_PAID,
    triggers: ["payment_intents_update_prevent_unpaid"],
    protects: "A paid payment stays paid.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: QUOTE_TRANSITION,
    triggers: ["quotes_update_check_transition"],
    protects: "A decided quote stays decided.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
    twin: "worker/domain/quotes/quotes.ts#decideQuoteAction",
  },
  {
    code: REFUND_DECIDED,
    triggers: ["refund_requests_update_prevent_second_decision", "gateway_refunds_update_prevent_reopen"],
    protects: "A refund is decided once.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: REFUND_IMMUTABLE,
    triggers: ["gateway_refunds_update_prevent_change"],
    protects: "A refund keeps its payment and amount.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: SEASON_OVERLAP,
    triggers: ["season_periods_insert_prevent_overlap", "season_periods_update_prevent_overlap"],
    protects: "A day belongs to at most one season.",
    test: "test/scripts/import.test.ts · reports a broken database rule in the last row of an import, also in a dry run, and writes nothing",
    negativeControl: EXAMPLE_CONTROL,
    twin: "worker/domain/catalogue/resources/price-checks.ts#checkSeasonPeriods",
  },
  {
    code: SERIES_USED,
    triggers: ["number_series_update_prevent_used", "number_series_delete_prevent_used"],
    protects: "A series continues after the number of its issued documents.",
    test: "test/api/office/resources.test.ts · issues documents with the next number of a series, and rejects lowering the number or deleting the series",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: SOLD_OUT,
    triggers: ["stock_allocations_insert_limit_stock"],
    protects: "Vehicles and extras are never sold twice.",
    test: "test/store/bookings/stock-guard.test.ts · accepts in the database exactly the bookings that the domain calculates as fitting the stock, in any order",
    negativeControl:
      "test/usecases/bookings/never-overbooked.test.ts · sells the last unit twice without the guard, as a negative control, %s",
    twin: "worker/domain/bookings/availability.ts#countFreeUnits",
  },
  {
    code: SOLD_OUT,
    triggers: ["stock_allocations_insert_limit_transfers"],
    protects: "A transfer vehicle is never sold for conflicting trips.",
    test: "test/usecases/transfers/transfers.test.ts · limits concurrent trips to the available vehicles, even if they partly overlap",
    negativeControl:
      "test/usecases/transfers/transfers.test.ts · sells a transfer vehicle twice without the database guard, as a negative control",
    twin: "worker/domain/transfers/draft.ts#countFreeVehiclesForDraft",
  },
  {
    code: STOCK_ALLOCATION_IMMUTABLE,
    triggers: ["stock_allocations_update_prevent"],
    protects: "An allocation only shrinks. All else is a new row, which the stock guard checks.",
    test: "test/store/bookings/stock-guard.test.ts · rejects updates of existing stock allocations in the database",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: TAX_RECORD_IMMUTABLE,
    triggers: ["tax_records_update_prevent", "tax_records_delete_prevent"],
    protects: "A tax record is never changed or deleted.",
    test: "test/api/office/tax-records.test.ts · rejects two tax records with the same predecessor by a database guard",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: TOO_MANY_HOLDS,
    triggers: ["bookings_insert_limit_visitor_holds"],
    protects: "A visitor's network can't hold the stock with unpaid bookings.",
    test: "test/api/visitor-limits.test.ts · limits one network to three unpaid bookings a day, parallel or sequential",
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: VEHICLE_BLOCKED,
    triggers: ["booking_units_update_prevent_double_assignment"],
    protects: "A vehicle isn't assigned while it is blocked.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: VEHICLE_OUT,
    triggers: ["booking_units_update_prevent_double_delivery"],
    protects: "A vehicle is on rent with one contract.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
  {
    code: VEHICLE_PROMISED,
    triggers: ["booking_units_update_prevent_double_assignment"],
    protects: "A vehicle is assigned to one contract at a time.",
    test: EXAMPLE,
    negativeControl: EXAMPLE_CONTROL,
  },
];

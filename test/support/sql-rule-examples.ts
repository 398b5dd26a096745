import type { SqliteD1 } from "#support/sqlite-d1.ts";
import type { SqlRuleCode } from "#worker/store/guards/sql-rules.ts";

/** A statement on the demo account that a trigger refuses. */
export interface SqlRuleExample {
  readonly trigger: string;
  readonly code: SqlRuleCode;
  /** Statements on the demo account that the rule allows. */
  readonly given?: readonly string[];
  readonly refused: string;
}

export const RENTAL_ID_SQL = "(SELECT min(id) FROM bookings WHERE kind = 'rental' AND status = 'done')";
export const ISSUED_DOCUMENT_ID_SQL =
  "(SELECT min(id) FROM documents WHERE invoice_status = 'invoice' AND form = 'full' AND total_cents > 0 AND replaced_by_document_id IS NULL)";
export const SIMPLIFIED_INVOICE_ID_SQL =
  "(SELECT min(id) FROM documents WHERE invoice_status = 'invoice' AND form = 'simplified')";
/** Units of two bookings in the same period, without a vehicle. */
export const [FIRST_UNIT = "", SECOND_UNIT = ""] = [1, 2].map(
  (position) => `(SELECT id FROM booking_units WHERE booking_id IN
  (SELECT id FROM bookings WHERE free_access_id = 'example-${position}'))`,
);

export const BOOKING_COLUMNS = `kind, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place, return_place,
    branch_code, return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update`;
export const createInsertBookingsSql = (status: string) => [
  `INSERT INTO bookings (free_access_id, ${BOOKING_COLUMNS})
    SELECT 'example-' || value, 'rental', '${status}', 'staff', '2040-01-01', '10:00', '2040-01-03', '10:00', 2, '', '', branch.code, branch.code,
      branch.branch_group_id, 'Ana', 'es', 0, 0, 0, 0
    FROM json_each('[1,2]'), (SELECT code, branch_group_id FROM branches LIMIT 1) AS branch`,
  `INSERT INTO booking_units (booking_line_id, booking_id) SELECT 0, id FROM bookings WHERE free_access_id LIKE 'example-%'
    AND NOT EXISTS (SELECT 1 FROM booking_units WHERE booking_id = bookings.id)`,
];
export const INSERT_QUOTE_SQL = `INSERT INTO quotes (free_access_id, year, sequence, status, valid_until, request, offer, customer_name, customer_language,
    branch_code, return_branch_code, branch_group_id, date_from, time_from, date_to, time_to, pickup_at, total_cents, created_by, created_at, last_update)
  SELECT 'example-quote', 2040, 1, 'declined', 0, '{}', '{}', 'Ana', 'es', code, code, branch_group_id, '2040-01-01', '10:00', '2040-01-03', '10:00',
    0, 0, 'staff:1', 0, 0 FROM branches LIMIT 1`;
export const VEHICLE_REFERENCE_SQL =
  "(SELECT min(reference) FROM vehicles WHERE reference NOT IN (SELECT vehicle_reference FROM booking_units WHERE delivered_at IS NOT NULL AND collected_at IS NULL))";

/** Draft with one item of 1,210 cents and its tax, ready to issue. */
export const createInsertDraftSql = (corrects = "NULL", cents: number | string = 1210, uid = "example") => [
  `INSERT INTO documents (uid, kind, company_id, branch_code, invoice_type, invoice_mode, concept, customer_type, customer_full_name, currency,
    total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents, corrects_document_id, created_at, last_update, form)
    VALUES ('${uid}', 'invoice', 1, 'AIR', 'invoice', 'default', 'X', 'individual', 'Ana', 'EUR', ${cents}, ${cents}, 0, ${cents}, ${corrects}, 1, 1, 'full')`,
  `INSERT INTO document_items (document_id, concept, quantity, vat_basis_points, unit_without_taxes_cents, unit_taxes_cents, unit_cents,
    total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents)
    SELECT id, 'X', 1, 0, ${cents}, 0, ${cents}, ${cents}, ${cents}, 0, ${cents} FROM documents WHERE uid = '${uid}'`,
  `INSERT INTO document_taxes (document_id, position, vat_basis_points, total_without_taxes_cents, subtotal_cents, taxes_cents)
    SELECT id, 1, 0, ${cents}, ${cents}, 0 FROM documents WHERE uid = '${uid}'`,
];
export const createIssueDraftSql = (number = 1, date = "2040-01-01", uid = "example") =>
  `UPDATE documents SET invoice_status = 'invoice', serie = 'EXAMPLE', number = ${number}, year = 2040, date = '${date}' WHERE uid = '${uid}'`;

/** Issued collective document of two contracts. */
export const createInsertCollectiveDocumentSql = () => [
  ...createInsertDraftSql(),
  ...createInsertBookingsSql("confirmed").slice(0, 1),
  `UPDATE document_items SET booking_id = (SELECT id FROM bookings WHERE free_access_id = 'example-1')
    WHERE document_id = (SELECT id FROM documents WHERE uid = 'example')`,
  `INSERT INTO document_contracts (document_id, booking_id, total_cents)
    SELECT documents.id, bookings.id, 1210 FROM documents, bookings WHERE uid = 'example' AND free_access_id = 'example-1'`,
  createIssueDraftSql(),
];

export const INSERT_SEASON_PERIOD_SQL =
  "INSERT INTO season_periods (season_id, date_from, date_to) VALUES (1, '2040-01-01', '2040-01-10'), (1, '2040-02-01', '2040-02-10')";
export const INSERT_BRACKETS_SQL =
  "INSERT INTO tariff_brackets (tariff_id, from_days, to_days, price_cents) VALUES (999, 1, 3, 1), (999, 4, 6, 1)";
export const INSERT_DRIVER_AGE_RULE_SQL =
  "INSERT INTO driver_age_rules (id, description, age_from, age_to) VALUES (998, 'X', 900, 909), (999, 'X', 910, 919)";
const copyDatabase = (table: string, columns: string, where: string) =>
  `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${table} WHERE ${where} LIMIT 1`;
export const ITEM_COLUMNS =
  "document_id, concept, quantity, vat_basis_points, unit_without_taxes_cents, unit_taxes_cents, unit_cents, total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents";
const createInsertStockSql = (
  kind: string,
  more: string,
) => `INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, quantity, allocated_at
  ${more === "" ? "" : ", origin_point_id, destination_point_id"}) VALUES (${RENTAL_ID_SQL}, '${kind}', '999999', 1, 40000000, 40001440, 1, 0${more})`;

/** Examples of each trigger and code of the register. */
export const SQL_RULE_EXAMPLES: readonly SqlRuleExample[] = [
  {
    trigger: "office_tasks_update_check_version",
    code: "changed_meanwhile",
    given: [
      `INSERT INTO office_tasks (id, booking_id, text, created_by, created_at, last_update) VALUES (9001, ${RENTAL_ID_SQL}, 'Call', 'staff:1', 0, 0)`,
    ],
    refused: "UPDATE office_tasks SET text = 'Write' WHERE id = 9001",
  },
  {
    trigger: "quotes_update_check_version",
    code: "changed_meanwhile",
    given: [INSERT_QUOTE_SQL],
    refused: "UPDATE quotes SET total_cents = 1 WHERE free_access_id = 'example-quote'",
  },
  {
    trigger: "quotes_update_check_transition",
    code: "quote_transition",
    given: [INSERT_QUOTE_SQL],
    refused: "UPDATE quotes SET status = 'sent', version = version + 1 WHERE free_access_id = 'example-quote'",
  },
  {
    trigger: "bookings_update_prevent_kind_change",
    code: "booking_kind",
    refused: `UPDATE bookings SET kind = 'transfer' WHERE id = ${RENTAL_ID_SQL}`,
  },
  {
    trigger: "bookings_update_check_transition",
    code: "booking_transition",
    refused: `UPDATE bookings SET status = 'confirmed' WHERE id = ${RENTAL_ID_SQL}`,
  },
  {
    trigger: "tariff_brackets_insert_prevent_overlap",
    code: "bracket_overlap",
    given: [INSERT_BRACKETS_SQL],
    refused: "INSERT INTO tariff_brackets (tariff_id, from_days, to_days, price_cents) VALUES (999, 2, 3, 1)",
  },
  {
    trigger: "tariff_brackets_update_prevent_overlap",
    code: "bracket_overlap",
    given: [INSERT_BRACKETS_SQL],
    refused: "UPDATE tariff_brackets SET to_days = 5 WHERE tariff_id = 999 AND from_days = 1",
  },
  {
    trigger: "catalogue_version_guards_insert_check_version",
    code: "catalogue_changed",
    refused: "INSERT INTO catalogue_version_guards (version) VALUES (-1)",
  },
  {
    trigger: "tax_records_insert_check_chain",
    code: "chain_moved",
    refused: `INSERT INTO tax_records (chain, position, kind, document_id, issuer, number, date, hashed, previous_hash, hash, content, generated_at)
      SELECT chain, position + 1000000, kind, document_id, issuer, number, date, hashed, previous_hash, hash, content, generated_at FROM tax_records LIMIT 1`,
  },
  {
    trigger: "version_guards_insert_check_version",
    code: "changed_meanwhile",
    refused: `INSERT INTO version_guards (booking_id, version) VALUES (${RENTAL_ID_SQL}, -1)`,
  },
  {
    trigger: "customer_version_guards_insert_check_version",
    code: "changed_meanwhile",
    refused: "INSERT INTO customer_version_guards (customer_id, version) SELECT id, -1 FROM customers LIMIT 1",
  },
  {
    trigger: "paid_version_guards_insert_check_version",
    code: "changed_meanwhile",
    refused: "INSERT INTO paid_version_guards (document_id, total_paid_cents) SELECT min(id), -1 FROM documents",
  },
  {
    trigger: "fleet_version_guards_insert_check_version",
    code: "changed_meanwhile",
    refused: "INSERT INTO fleet_version_guards (vehicle_reference, version) SELECT reference, -1 FROM vehicles LIMIT 1",
  },
  {
    trigger: "charges_update_prevent",
    code: "charge_immutable",
    refused: "UPDATE charges SET date = date + 1 WHERE id = (SELECT min(id) FROM charges)",
  },
  {
    trigger: "charges_delete_prevent",
    code: "charge_immutable",
    refused: "DELETE FROM charges WHERE id = (SELECT min(id) FROM charges)",
  },
  {
    trigger: "documents_issue_limit_credit",
    code: "credit_exceeds",
    given: createInsertDraftSql(ISSUED_DOCUMENT_ID_SQL, -100_000_000),
    refused: createIssueDraftSql(),
  },
  {
    trigger: "documents_update_prevent_second_replacement",
    code: "credit_exceeds",
    refused: `UPDATE documents SET replaced_by_document_id = ${ISSUED_DOCUMENT_ID_SQL} WHERE id = ${ISSUED_DOCUMENT_ID_SQL}`,
  },
  {
    trigger: "documents_issue_prevent_credit_of_replaced",
    code: "credit_exceeds",
    given: [
      "DROP TRIGGER documents_update_prevent_second_replacement",
      `UPDATE documents SET replaced_by_document_id = ${ISSUED_DOCUMENT_ID_SQL} WHERE id = ${SIMPLIFIED_INVOICE_ID_SQL}`,
      ...createInsertDraftSql(SIMPLIFIED_INVOICE_ID_SQL, -1),
    ],
    refused: createIssueDraftSql(),
  },
  {
    trigger: "documents_insert_require_draft",
    code: "document_begins_as_draft",
    refused: `INSERT INTO documents (kind, branch_code, invoice_mode, invoice_status, serie, number, year, date, concept, customer_type, customer_full_name,
      currency, total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents, created_at, last_update)
      VALUES ('invoice', 'AIR', 'default', 'invoice', 'EXAMPLE', 1, 2040, '2040-01-01', 'X', 'individual', 'Ana', 'EUR', 0, 0, 0, 0, 1, 1)`,
  },
  {
    trigger: "documents_issue_check_date_order",
    code: "document_date",
    given: [
      ...createInsertDraftSql("NULL", 1210, "earlier"),
      createIssueDraftSql(1, "2040-01-02", "earlier"),
      ...createInsertDraftSql(),
    ],
    refused: createIssueDraftSql(2, "2040-01-01"),
  },
  {
    trigger: "documents_update_prevent_issued",
    code: "document_firm",
    refused: `UPDATE documents SET concept = 'Y' WHERE id = ${ISSUED_DOCUMENT_ID_SQL}`,
  },
  {
    trigger: "document_items_insert_prevent_issued",
    code: "document_firm",
    refused: copyDatabase("document_items", ITEM_COLUMNS, `document_id = ${ISSUED_DOCUMENT_ID_SQL}`),
  },
  {
    trigger: "document_items_update_prevent_issued",
    code: "document_firm",
    refused: `UPDATE document_items SET concept = 'Y' WHERE document_id = ${ISSUED_DOCUMENT_ID_SQL}`,
  },
  {
    trigger: "document_items_delete_prevent_issued",
    code: "document_firm",
    refused: `DELETE FROM document_items WHERE document_id = ${ISSUED_DOCUMENT_ID_SQL}`,
  },
  {
    trigger: "document_taxes_insert_prevent_issued",
    code: "document_firm",
    refused: `INSERT INTO document_taxes (document_id, position, vat_basis_points, total_without_taxes_cents, subtotal_cents, taxes_cents)
      VALUES (${ISSUED_DOCUMENT_ID_SQL}, 5, 0, 0, 0, 0)`,
  },
  {
    trigger: "document_taxes_update_prevent_issued",
    code: "document_firm",
    refused: `UPDATE document_taxes SET taxes_cents = taxes_cents + 1 WHERE document_id = ${ISSUED_DOCUMENT_ID_SQL}`,
  },
  {
    trigger: "document_taxes_delete_prevent_issued",
    code: "document_firm",
    refused: `DELETE FROM document_taxes WHERE document_id = ${ISSUED_DOCUMENT_ID_SQL}`,
  },
  {
    trigger: "document_contracts_insert_prevent_issued",
    code: "document_firm",
    refused: `INSERT INTO document_contracts (document_id, booking_id, total_cents) SELECT ${ISSUED_DOCUMENT_ID_SQL}, min(id), 0 FROM bookings`,
  },
  {
    trigger: "document_contracts_update_prevent_issued",
    code: "document_firm",
    given: createInsertCollectiveDocumentSql(),
    refused: "UPDATE document_contracts SET total_cents = total_cents + 1",
  },
  {
    trigger: "document_contracts_delete_prevent_issued",
    code: "document_firm",
    given: createInsertCollectiveDocumentSql(),
    refused: "DELETE FROM document_contracts",
  },
  {
    trigger: "documents_delete_prevent",
    code: "document_not_deletable",
    refused: "DELETE FROM documents WHERE id = (SELECT min(id) FROM documents WHERE invoice_status = 'draft')",
  },
  {
    trigger: "documents_issue_check_sums",
    code: "document_sums",
    given: [
      ...createInsertDraftSql(),
      "DELETE FROM document_items WHERE document_id = (SELECT id FROM documents WHERE uid = 'example')",
    ],
    refused: createIssueDraftSql(),
  },
  {
    trigger: "driver_age_rules_insert_prevent_overlap",
    code: "driver_age_overlap",
    given: [INSERT_DRIVER_AGE_RULE_SQL],
    refused: "INSERT INTO driver_age_rules (description, age_from, age_to) VALUES ('X', 905, 906)",
  },
  {
    trigger: "driver_age_rules_update_prevent_overlap",
    code: "driver_age_overlap",
    given: [INSERT_DRIVER_AGE_RULE_SQL],
    refused: "UPDATE driver_age_rules SET age_to = 910 WHERE id = 998",
  },
  {
    trigger: "ledger_entries_update_prevent",
    code: "ledger_entries_update_prevent",
    refused: "UPDATE ledger_entries SET cents = cents + 1 WHERE id = (SELECT min(id) FROM ledger_entries)",
  },
  {
    trigger: "payment_intents_update_prevent_change",
    code: "payment_immutable",
    refused: "UPDATE payment_intents SET amount_cents = amount_cents + 1",
  },
  {
    trigger: "payment_intents_update_prevent_unpaid",
    code: "payment_paid",
    given: ["UPDATE payment_intents SET refunded_cents = 0"],
    refused: "UPDATE payment_intents SET state = 'denied', paid_at = NULL WHERE state = 'paid'",
  },
  {
    trigger: "refund_requests_update_prevent_second_decision",
    code: "refund_decided",
    given: ["UPDATE refund_requests SET state = 'declined', decided_by = 1, decided_at = 1 WHERE state = 'waiting'"],
    refused: "UPDATE refund_requests SET state = 'waiting', decided_by = NULL, decided_at = NULL",
  },
  {
    trigger: "gateway_refunds_update_prevent_reopen",
    code: "refund_decided",
    given: ["UPDATE gateway_refunds SET state = 'done', ended_at = 1 WHERE ended_at IS NULL"],
    refused: "UPDATE gateway_refunds SET state = 'waiting', ended_at = NULL",
  },
  {
    trigger: "gateway_refunds_update_prevent_change",
    code: "refund_immutable",
    refused: "UPDATE gateway_refunds SET amount_cents = amount_cents + 1",
  },
  {
    trigger: "season_periods_insert_prevent_overlap",
    code: "season_overlap",
    given: [INSERT_SEASON_PERIOD_SQL],
    refused: "INSERT INTO season_periods (season_id, date_from, date_to) VALUES (2, '2040-01-10', '2040-01-20')",
  },
  {
    trigger: "season_periods_update_prevent_overlap",
    code: "season_overlap",
    given: [INSERT_SEASON_PERIOD_SQL],
    refused: "UPDATE season_periods SET date_to = '2040-02-01' WHERE date_from = '2040-01-01'",
  },
  {
    trigger: "number_series_update_prevent_used",
    code: "series_used",
    refused: `UPDATE number_series SET last_number = last_number + 1, last_update = last_update + 1
      WHERE serie = (SELECT serie FROM documents WHERE id = ${ISSUED_DOCUMENT_ID_SQL})`,
  },
  {
    trigger: "number_series_delete_prevent_used",
    code: "series_used",
    refused: `DELETE FROM number_series WHERE serie = (SELECT serie FROM documents WHERE id = ${ISSUED_DOCUMENT_ID_SQL})`,
  },
  { trigger: "stock_allocations_insert_limit_stock", code: "sold_out", refused: createInsertStockSql("category", "") },
  {
    trigger: "stock_allocations_insert_limit_transfers",
    code: "sold_out",
    refused: createInsertStockSql("transfer", ", 1, 2"),
  },
  {
    trigger: "stock_allocations_update_prevent",
    code: "stock_allocations_are_replaced",
    refused: "UPDATE stock_allocations SET code = 'other' WHERE id = (SELECT min(id) FROM stock_allocations)",
  },
  {
    trigger: "tax_records_update_prevent",
    code: "tax_record_immutable",
    refused: "UPDATE tax_records SET generated_at = 0 WHERE id = (SELECT min(id) FROM tax_records)",
  },
  {
    trigger: "tax_records_delete_prevent",
    code: "tax_record_immutable",
    refused: "DELETE FROM tax_records WHERE id = (SELECT max(id) FROM tax_records)",
  },
  {
    trigger: "bookings_insert_limit_visitor_holds",
    code: "too_many_holds",
    given: [
      ...createInsertBookingsSql("confirmed"),
      "UPDATE settings SET visitor_holds = 1",
      "UPDATE bookings SET visitor_network = 'network' WHERE free_access_id = 'example-1'",
    ],
    refused: `INSERT INTO bookings (visitor_network, free_access_id, ${BOOKING_COLUMNS})
      SELECT visitor_network, 'example', ${BOOKING_COLUMNS} FROM bookings WHERE free_access_id = 'example-1'`,
  },
  {
    trigger: "booking_units_update_prevent_double_assignment",
    code: "vehicle_blocked",
    given: [
      ...createInsertBookingsSql("confirmed"),
      `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES (${VEHICLE_REFERENCE_SQL}, 'workshop', unixepoch('2040-01-02') / 60, unixepoch('2040-01-05') / 60)`,
    ],
    refused: `UPDATE booking_units SET vehicle_reference = ${VEHICLE_REFERENCE_SQL} WHERE id = ${FIRST_UNIT}`,
  },
  {
    trigger: "booking_units_update_prevent_double_delivery",
    code: "vehicle_out",
    given: [
      ...createInsertBookingsSql("in_progress"),
      `UPDATE booking_units SET vehicle_reference = ${VEHICLE_REFERENCE_SQL}, delivered_at = 1 WHERE id = ${FIRST_UNIT}`,
    ],
    refused: `UPDATE booking_units SET delivered_at = 1,
      vehicle_reference = (SELECT vehicle_reference FROM booking_units WHERE id = ${FIRST_UNIT}) WHERE id = ${SECOND_UNIT}`,
  },
  {
    trigger: "booking_units_update_prevent_double_assignment",
    code: "vehicle_promised",
    given: [
      ...createInsertBookingsSql("confirmed"),
      `UPDATE booking_units SET vehicle_reference = ${VEHICLE_REFERENCE_SQL} WHERE id = ${FIRST_UNIT}`,
    ],
    refused: `UPDATE booking_units SET vehicle_reference = ${VEHICLE_REFERENCE_SQL} WHERE id = ${SECOND_UNIT}`,
  },
];

/** Runs statements and rolls everything back, including dropped triggers. Returns the error, or `accepted`. */
export function tryAndRollBackStatements(demo: SqliteD1, statements: readonly string[]): string {
  demo.rows("SAVEPOINT example");
  try {
    for (const sql of statements) demo.rows(sql);
    return "accepted";
  } catch (error) {
    return (error as Error).message;
  } finally {
    demo.rows("ROLLBACK TO example");
    demo.rows("RELEASE example");
  }
}

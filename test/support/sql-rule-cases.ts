import {
  BOOKING_COLUMNS,
  createInsertBookingsSql,
  createInsertCollectiveDocumentSql,
  createInsertDraftSql,
  createIssueDraftSql,
  FIRST_UNIT,
  INSERT_BRACKETS_SQL,
  INSERT_DRIVER_AGE_RULE_SQL,
  INSERT_QUOTE_SQL,
  INSERT_SEASON_PERIOD_SQL,
  ISSUED_DOCUMENT_ID_SQL,
  ITEM_COLUMNS,
  RENTAL_ID_SQL,
  SECOND_UNIT,
  SIMPLIFIED_INVOICE_ID_SQL,
  VEHICLE_REFERENCE_SQL,
} from "./sql-rule-examples.ts";

/** A statement on the demo account with the outcome of a trigger: its code, or `accepted`. */
export interface SqlRuleCase {
  readonly trigger: string;
  readonly given?: readonly string[];
  readonly run: string;
  readonly outcome: string;
}

/** Creates cases of one trigger: statements that are accepted, and statements that are refused with its code. */
function listCases(
  trigger: string,
  code: string,
  {
    given = [],
    accepted = [],
    refused = [],
  }: Readonly<Partial<Record<"given" | "accepted" | "refused", readonly string[]>>>,
): readonly SqlRuleCase[] {
  return [
    ...accepted.map((run) => ({ trigger, given, run, outcome: "accepted" })),
    ...refused.map((run) => ({ trigger, given, run, outcome: code })),
  ];
}

const insertQuote = (status: string) => INSERT_QUOTE_SQL.replace("'declined'", `'${status}'`);
const setQuote = (status: string) =>
  `UPDATE quotes SET status = '${status}', version = version + 1 WHERE free_access_id = 'example-quote'`;

const STATUSES = ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"] as const;
const NEXT: Readonly<Record<string, readonly string[]>> = {
  pending_confirmation: ["confirmed", "cancelled"],
  confirmed: ["in_progress", "cancelled"],
  in_progress: ["done"],
  done: ["in_progress"],
};
const addEvent = (event: string, position = 1) =>
  `INSERT INTO booking_history (booking_id, at, actor, event) SELECT id, 0, 'staff:1', '${event}' FROM bookings WHERE free_access_id = 'example-${position}'`;
const setStatus = (status: string) => `UPDATE bookings SET status = '${status}' WHERE free_access_id = 'example-1'`;
const TRANSITION = "bookings_update_check_transition";
const transitions: readonly SqlRuleCase[] = STATUSES.flatMap((from) =>
  STATUSES.map((to) => ({
    trigger: TRANSITION,
    given: createInsertBookingsSql(from).slice(0, 1),
    run: setStatus(to),
    outcome: from === to || NEXT[from]?.includes(to) ? "accepted" : "booking_transition",
  })),
);
const createCancelledBooking = (...events: readonly string[]) => [
  ...createInsertBookingsSql("cancelled").slice(0, 1),
  ...events,
];

const bracket = (from: number, to: number | "NULL", tariff = 999) =>
  `INSERT INTO tariff_brackets (tariff_id, from_days, to_days, price_cents) VALUES (${tariff}, ${from}, ${to}, 1)`;
const createInsertPeriodSql = (from: string, to: string) =>
  `INSERT INTO season_periods (season_id, date_from, date_to) VALUES (2, '2040-${from}', '2040-${to}')`;
const createInsertAgesSql = (from: number, to: number) =>
  `INSERT INTO driver_age_rules (description, age_from, age_to) VALUES ('X', ${from}, ${to})`;

const LAST_RECORD = "position = (SELECT max(position) FROM tax_records AS other WHERE other.chain = tax_records.chain)";
const addRecord = (changes: Readonly<Record<string, string>> = {}) => {
  const values: Readonly<Record<string, string>> = {
    ...{ chain: "chain", position: "position + 1", kind: "kind", document_id: "document_id", issuer: "issuer" },
    ...{ number: "number", date: "date", hashed: "hashed", previous_hash: "hash", hash: "printf('%064d', 1)" },
    ...{ content: "content", generated_at: "generated_at" },
    ...changes,
  };
  return `INSERT INTO tax_records (${Object.keys(values).join(", ")}) SELECT ${Object.values(values).join(", ")}
    FROM tax_records WHERE ${LAST_RECORD} LIMIT 1`;
};

// Ignores credit notes that a case creates, because the case refers to the same documents afterwards.
const NOT_HERE = "coalesce(uid, '') NOT IN ('example', 'other', 'draft', 'note')";
/** Issued documents without credit notes, the first and another. */
const [UNCREDITED, OTHER_UNCREDITED] = ["min", "max"].map(
  (
    which,
  ) => `(SELECT ${which}(id) FROM documents AS firm WHERE invoice_status = 'invoice' AND form = 'full' AND total_cents > 0
    AND replaced_by_document_id IS NULL AND NOT EXISTS (SELECT 1 FROM documents WHERE corrects_document_id = firm.id AND ${NOT_HERE}))`,
);
const selectFullCredit = (document: string, more = 0) =>
  `(SELECT -total_cents - ${more} FROM documents WHERE id = ${document})`;

/** Simplified invoice of a contract without credit notes, and a full one of the same contract. */
const UNEXCHANGED_INVOICE = `(SELECT min(id) FROM documents AS firm WHERE invoice_status = 'invoice' AND form = 'simplified'
  AND NOT EXISTS (SELECT 1 FROM documents WHERE corrects_document_id = firm.id AND ${NOT_HERE}))`;
const addFull = (change = "", isIssued = true) => [
  ...createInsertDraftSql(),
  `UPDATE documents SET booking_id = (SELECT booking_id FROM documents WHERE id = ${UNEXCHANGED_INVOICE}),
    company_id = (SELECT company_id FROM documents WHERE id = ${UNEXCHANGED_INVOICE}) WHERE uid = 'example'`,
  ...(change === "" ? [] : [`UPDATE documents SET ${change} WHERE uid = 'example'`]),
  ...(isIssued ? [createIssueDraftSql()] : []),
];
const EXAMPLE_ID = "(SELECT id FROM documents WHERE uid = 'example')";
const replaceBy = (document = EXAMPLE_ID, replaced = UNEXCHANGED_INVOICE) =>
  `UPDATE documents SET replaced_by_document_id = ${document} WHERE id = ${replaced}`;
const REPLACEMENT = "documents_update_prevent_second_replacement";
const createReplacementCase = (setup: readonly string[], run: string, outcome = "credit_exceeds"): SqlRuleCase => ({
  trigger: REPLACEMENT,
  given: setup,
  run,
  outcome,
});

const DATES = "documents_issue_check_date_order";
/** Issues a document with a number and a date, and then the example with others. */
const inSeries = (
  [number, date]: readonly [number, string],
  [nextNumber, nextDate]: readonly [number, string],
  outcome: string,
  change = "",
): SqlRuleCase => ({
  trigger: DATES,
  given: [
    ...createInsertDraftSql("NULL", 1210, "other"),
    ...(change === "" ? [] : [`UPDATE documents SET ${change} WHERE uid = 'other'`]),
    createIssueDraftSql(number, date, "other"),
    ...createInsertDraftSql(),
  ],
  run: createIssueDraftSql(nextNumber, nextDate),
  outcome,
});

const SUMS = "documents_issue_check_sums";
const createUpdateSql = (table: "document_items" | "document_taxes" | "documents", change: string) =>
  `UPDATE ${table} SET ${change} WHERE ${table === "documents" ? "uid = 'example'" : `document_id = ${EXAMPLE_ID}`}`;
const createSumsCase = (outcome: string, ...changes: readonly string[]): SqlRuleCase => ({
  trigger: SUMS,
  given: [...createInsertDraftSql(), ...changes],
  run: createIssueDraftSql(),
  outcome,
});
const WITH_TAX = [
  createUpdateSql(
    "document_items",
    "subtotal_cents = 1000, total_without_taxes_cents = 1000, taxes_cents = 210, vat_basis_points = 2100",
  ),
  createUpdateSql(
    "document_taxes",
    "subtotal_cents = 1000, total_without_taxes_cents = 1000, taxes_cents = 210, vat_basis_points = 2100",
  ),
  createUpdateSql("documents", "subtotal_cents = 1000, total_without_taxes_cents = 1000, taxes_cents = 210"),
];
const addPart = (cents: number | string, itemCents = 1210) => [
  ...createInsertBookingsSql("confirmed").slice(0, 1),
  createUpdateSql("document_items", "booking_id = (SELECT id FROM bookings WHERE free_access_id = 'example-1')"),
  `INSERT INTO document_contracts (document_id, booking_id, total_cents) SELECT ${EXAMPLE_ID}, id, ${cents} FROM bookings
    WHERE free_access_id = 'example-${itemCents === 1210 ? 1 : 2}'`,
];
/** Two items of two contracts, one of which another document names, too. */
const IN_TWO_PARTS = [
  ...addPart(605),
  addPart(605, 0).at(2) ?? "",
  createUpdateSql(
    "document_items",
    "unit_without_taxes_cents = 605, unit_cents = 605, total_without_taxes_cents = 605, subtotal_cents = 605, total_cents = 605",
  ),
  `INSERT INTO document_items (booking_id, ${ITEM_COLUMNS}) SELECT (SELECT id FROM bookings WHERE free_access_id = 'example-2'), ${ITEM_COLUMNS}
    FROM document_items WHERE document_id = ${EXAMPLE_ID}`,
  ...createInsertDraftSql("NULL", 1, "other"),
  `UPDATE document_items SET booking_id = (SELECT id FROM bookings WHERE free_access_id = 'example-1')
    WHERE document_id = (SELECT id FROM documents WHERE uid = 'other')`,
];
const BOND = createUpdateSql("documents", "kind = 'internal_bond', form = 'internal_bond'");
const NO_TAXES = `DELETE FROM document_taxes WHERE document_id = ${EXAMPLE_ID}`;

/** Statements on a draft's lines are accepted as long as it isn't issued. */
const LINES: Readonly<Record<string, readonly [given: readonly string[], run: string]>> = {
  document_items_insert: [[], createInsertDraftSql().at(1) ?? ""],
  document_items_update: [createInsertDraftSql(), createUpdateSql("document_items", "concept = 'Y'")],
  document_items_delete: [createInsertDraftSql(), `DELETE FROM document_items WHERE document_id = ${EXAMPLE_ID}`],
  document_taxes_insert: [[], createInsertDraftSql().at(2) ?? ""],
  document_taxes_update: [createInsertDraftSql(), createUpdateSql("document_taxes", "vat_basis_points = 1")],
  document_taxes_delete: [createInsertDraftSql(), NO_TAXES],
  document_contracts_insert: [createInsertDraftSql(), addPart(1210).at(2) ?? ""],
  document_contracts_update: [
    createInsertCollectiveDocumentSql().slice(0, -1),
    `UPDATE document_contracts SET total_cents = total_cents + 1 WHERE document_id = ${EXAMPLE_ID}`,
  ],
  document_contracts_delete: [
    createInsertCollectiveDocumentSql().slice(0, -1),
    `DELETE FROM document_contracts WHERE document_id = ${EXAMPLE_ID}`,
  ],
};
const lines = Object.entries(LINES).map(([name, [given, run]]): SqlRuleCase => {
  const before =
    name.startsWith("document_items_insert") || name.startsWith("document_taxes_insert")
      ? createInsertDraftSql().slice(0, 1)
      : given;
  const contracts = name === "document_contracts_insert" ? createInsertBookingsSql("confirmed").slice(0, 1) : [];
  return { trigger: `${name}_prevent_issued`, given: [...before, ...contracts], run, outcome: "accepted" };
});

const addSeries = (serie = "UNUSED", company = 1) =>
  `INSERT INTO number_series (company_id, serie, last_number, last_date) VALUES (${company}, '${serie}', 1, '2040-01-01')`;
const moveSeries = (serie: string, change: string) =>
  `UPDATE number_series SET ${change}, last_update = coalesce(last_update, 0) + 1 WHERE company_id = 1 AND serie = ${serie}`;
const USED_SERIE = `(SELECT serie FROM documents WHERE id = ${ISSUED_DOCUMENT_ID_SQL})`;

const HOLDS = "bookings_insert_limit_visitor_holds";
const hold = (change: string, outcome: string, limit = 1): SqlRuleCase => ({
  trigger: HOLDS,
  given: [
    ...createInsertBookingsSql("confirmed"),
    `UPDATE settings SET visitor_holds = ${limit}`,
    "UPDATE bookings SET visitor_network = 'network' WHERE free_access_id = 'example-1'",
    ...(change === "" ? [] : [`UPDATE bookings SET ${change} WHERE free_access_id = 'example-1'`]),
  ],
  run: `INSERT INTO bookings (visitor_network, free_access_id, ${BOOKING_COLUMNS})
    SELECT 'network', 'example', ${BOOKING_COLUMNS} FROM bookings WHERE free_access_id = 'example-2'`,
  outcome,
});

const SAME_VEHICLE = `(SELECT vehicle_reference FROM booking_units WHERE id = ${FIRST_UNIT})`;
const ASSIGNMENT = "booking_units_update_prevent_double_assignment";
const createAssignSql = (unit: string) =>
  `UPDATE booking_units SET vehicle_reference = ${VEHICLE_REFERENCE_SQL} WHERE id = ${unit}`;
const move = (position: 1 | 2, from: string, to: string) =>
  `UPDATE bookings SET date_from = '2040-01-${from}', date_to = '2040-01-${to}' WHERE free_access_id = 'example-${position}'`;
const createAssignmentCase = (outcome: string, ...setup: readonly string[]): SqlRuleCase => ({
  trigger: ASSIGNMENT,
  given: [...createInsertBookingsSql("confirmed"), createAssignSql(FIRST_UNIT), ...setup],
  run: createAssignSql(SECOND_UNIT),
  outcome,
});
const block = (from: string, to: string) =>
  `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at)
    VALUES (${VEHICLE_REFERENCE_SQL}, 'workshop', unixepoch('2040-01-${from}') / 60, unixepoch('2040-01-${to}') / 60)`;
const createBlockedCase = (outcome: string, ...setup: readonly string[]): SqlRuleCase => ({
  trigger: ASSIGNMENT,
  given: [...createInsertBookingsSql("confirmed"), ...setup],
  run: createAssignSql(FIRST_UNIT),
  outcome,
});

const DELIVERY = "booking_units_update_prevent_double_delivery";
const OUT = [
  ...createInsertBookingsSql("in_progress"),
  `UPDATE booking_units SET vehicle_reference = ${VEHICLE_REFERENCE_SQL}, delivered_at = 1 WHERE id = ${FIRST_UNIT}`,
];
const createDeliveryCase = (run: string, outcome: string, ...setup: readonly string[]): SqlRuleCase => ({
  trigger: DELIVERY,
  given: [...OUT, ...setup],
  run: `UPDATE booking_units SET ${run} WHERE id = ${SECOND_UNIT}`,
  outcome,
});

/** Columns that may change later, by trigger: all others of its table are fixed. */
const CHANGEABLE: readonly (readonly [trigger: string, code: string, table: string, row: string, columns: string])[] = [
  [
    ...(["charges_update_prevent", "charge_immutable", "charges", "(SELECT min(id) FROM charges)"] as const),
    "document_id status charge_accounting_processed created_at last_update",
  ],
  [
    ...(["documents_update_prevent_issued", "document_firm", "documents", ISSUED_DOCUMENT_ID_SQL] as const),
    "total_paid_cents accounting_processed integration_error last_update replaced_by_document_id",
  ],
  [
    ...(["payment_intents_update_prevent_change", "payment_immutable", "payment_intents"] as const),
    ...(["(SELECT min(id) FROM payment_intents)"] as const),
    "refunded_cents state summary_url created_at expires_at paid_at paid_code link_id transaction_code",
  ],
  [
    ...(["gateway_refunds_update_prevent_change", "refund_immutable", "gateway_refunds"] as const),
    ...(["(SELECT min(id) FROM gateway_refunds)"] as const),
    "request_id reason state problem requested_by requested_at sent_at ended_at refusals",
  ],
];

/** Creates the cases of columns that may change or not, by the columns of the database. */
export function listColumnCases(readColumns: (table: string) => readonly string[]): readonly SqlRuleCase[] {
  return CHANGEABLE.flatMap(([trigger, code, table, row, list]) => {
    const changeable = new Set(list.split(" "));
    return readColumns(table).map((column) => ({
      trigger,
      run: `UPDATE ${table} SET ${column} = ${column} WHERE id = ${row}`,
      outcome: changeable.has(column) ? "accepted" : code,
    }));
  }).filter(({ run }) => !/SET (replaced_by_document_id|state) =/.test(run));
}

const VERSIONS: readonly (readonly [guard: string, column: string, table: string, key: string, version: string])[] = [
  ["version_guards", "booking_id", "bookings", "id", "version"],
  ["customer_version_guards", "customer_id", "customers", "id", "version"],
  ["fleet_version_guards", "vehicle_reference", "vehicles", "reference", "version"],
];
const versions = VERSIONS.flatMap(([guard, column, table, key, version]) =>
  listCases(`${guard}_insert_check_version`, "changed_meanwhile", {
    accepted: [`INSERT INTO ${guard} (${column}, version) SELECT ${key}, ${version} FROM ${table} LIMIT 1`],
    refused: [`INSERT INTO ${guard} (${column}, version) SELECT '-7', ${version} FROM ${table} LIMIT 1`],
  }),
);

/** Cases of each trigger beyond its example: what it accepts next to what it refuses. */
export const SQL_RULE_CASES: readonly SqlRuleCase[] = [
  ...listCases("office_tasks_update_check_version", "changed_meanwhile", {
    given: [
      `INSERT INTO office_tasks (id, booking_id, text, created_by, created_at, last_update) VALUES (9001, ${RENTAL_ID_SQL}, 'Call', 'staff:1', 0, 0)`,
    ],
    accepted: ["UPDATE office_tasks SET text = 'Write', version = version + 1 WHERE id = 9001"],
  }),
  ...listCases("quotes_update_check_version", "changed_meanwhile", {
    given: [INSERT_QUOTE_SQL],
    accepted: ["UPDATE quotes SET total_cents = 1, version = version + 1 WHERE free_access_id = 'example-quote'"],
  }),
  ...listCases("quotes_update_check_transition", "quote_transition", {
    given: [insertQuote("draft")],
    accepted: [setQuote("sent"), setQuote("draft")],
  }),
  ...listCases("quotes_update_check_transition", "quote_transition", {
    given: [insertQuote("sent")],
    refused: [setQuote("draft")],
  }),
  ...listCases("quotes_update_check_transition", "quote_transition", {
    given: [INSERT_QUOTE_SQL],
    accepted: [setQuote("declined")],
  }),
  ...listCases("bookings_update_prevent_kind_change", "booking_kind", {
    accepted: [`UPDATE bookings SET kind = kind WHERE id = ${RENTAL_ID_SQL}`],
  }),
  ...transitions,
  ...listCases(TRANSITION, "booking_transition", {
    given: createCancelledBooking(addEvent("cancelled"), addEvent("expired"), addEvent("confirmed")),
    accepted: [setStatus("confirmed")],
    refused: [setStatus("in_progress")],
  }),
  ...listCases(TRANSITION, "booking_transition", {
    given: createCancelledBooking(addEvent("expired"), addEvent("cancelled")),
    refused: [setStatus("confirmed")],
  }),
  ...listCases(TRANSITION, "booking_transition", {
    given: createCancelledBooking(addEvent("cancelled"), addEvent("expired", 2)),
    refused: [setStatus("confirmed")],
  }),
  ...listCases(TRANSITION, "booking_transition", {
    given: [...createInsertBookingsSql("confirmed").slice(0, 1), addEvent("expired")],
    refused: [setStatus("done")],
  }),
  ...listCases(TRANSITION, "booking_transition", {
    given: [...createInsertBookingsSql("done").slice(0, 1), addEvent("expired")],
    refused: [setStatus("confirmed")],
  }),
  ...listCases("tariff_brackets_insert_prevent_overlap", "bracket_overlap", {
    given: [INSERT_BRACKETS_SQL],
    accepted: [bracket(7, 9), bracket(7, "NULL"), bracket(1, 3, 998)],
    refused: [bracket(6, 8), bracket(0, 1), bracket(2, "NULL")],
  }),
  ...listCases("tariff_brackets_insert_prevent_overlap", "bracket_overlap", {
    given: [INSERT_BRACKETS_SQL, bracket(7, "NULL")],
    refused: [bracket(10, 12)],
  }),
  ...listCases("tariff_brackets_insert_prevent_overlap", "bracket_overlap", {
    given: [bracket(5, 6, 997)],
    accepted: [bracket(1, 3, 997)],
  }),
  ...listCases("tariff_brackets_update_prevent_overlap", "bracket_overlap", {
    given: [INSERT_BRACKETS_SQL, bracket(1, 3, 998), bracket(7, 9, 998)],
    accepted: [
      "UPDATE tariff_brackets SET price_cents = 2 WHERE tariff_id = 999 AND from_days = 1",
      "UPDATE tariff_brackets SET to_days = 8 WHERE tariff_id = 999 AND from_days = 4",
      "UPDATE tariff_brackets SET tariff_id = 998 WHERE tariff_id = 999 AND from_days = 4",
    ],
    refused: [
      "UPDATE tariff_brackets SET to_days = 4 WHERE tariff_id = 999 AND from_days = 1",
      "UPDATE tariff_brackets SET from_days = 3 WHERE tariff_id = 999 AND from_days = 4",
      "UPDATE tariff_brackets SET tariff_id = 998 WHERE tariff_id = 999 AND from_days = 1",
    ],
  }),
  ...listCases("catalogue_version_guards_insert_check_version", "catalogue_changed", {
    accepted: ["INSERT INTO catalogue_version_guards (version) SELECT version FROM catalogue_version"],
  }),
  ...listCases("tax_records_insert_check_chain", "chain_moved", {
    accepted: [addRecord(), addRecord({ chain: "'other'", position: "1", previous_hash: "''" })],
    refused: [
      addRecord({ position: "position + 2" }),
      addRecord({ previous_hash: "'other'" }),
      addRecord({ previous_hash: "previous_hash" }),
      addRecord({ number: "'other'" }),
      addRecord({ date: "'2040-01-01'" }),
      addRecord({ chain: "'other'", position: "1" }),
    ],
  }),
  ...versions,
  ...listCases("fleet_version_guards_insert_check_version", "changed_meanwhile", {
    given: [block("02", "03")],
    accepted: ["INSERT INTO fleet_version_guards (block_id, version) SELECT id, version FROM vehicle_blocks LIMIT 1"],
    refused: [
      "INSERT INTO fleet_version_guards (block_id, version) SELECT -7, version FROM vehicle_blocks LIMIT 1",
      "INSERT INTO fleet_version_guards (block_id, version) SELECT id, version + 1 FROM vehicle_blocks LIMIT 1",
    ],
  }),
  ...listCases("paid_version_guards_insert_check_version", "changed_meanwhile", {
    accepted: [
      "INSERT INTO paid_version_guards (document_id, total_paid_cents) SELECT id, total_paid_cents FROM documents LIMIT 1",
    ],
    refused: [
      "INSERT INTO paid_version_guards (document_id, total_paid_cents) SELECT -7, total_paid_cents FROM documents LIMIT 1",
    ],
  }),
  ...listCases("documents_issue_limit_credit", "credit_exceeds", {
    given: createInsertDraftSql(UNCREDITED, selectFullCredit(UNCREDITED ?? "")),
    accepted: [createIssueDraftSql()],
  }),
  ...listCases("documents_issue_limit_credit", "credit_exceeds", {
    given: createInsertDraftSql(UNCREDITED, selectFullCredit(UNCREDITED ?? "", 1)),
    accepted: ["UPDATE documents SET invoice_status = 'draft' WHERE uid = 'example'"],
    refused: [createIssueDraftSql()],
  }),
  ...listCases("documents_issue_limit_credit", "credit_exceeds", {
    given: [
      ...createInsertDraftSql(UNCREDITED, selectFullCredit(UNCREDITED ?? ""), "draft"),
      ...createInsertDraftSql(OTHER_UNCREDITED, selectFullCredit(OTHER_UNCREDITED ?? ""), "other"),
      createIssueDraftSql(1, "2040-01-01", "other"),
      ...createInsertDraftSql(UNCREDITED, selectFullCredit(UNCREDITED ?? "")),
    ],
    accepted: [createIssueDraftSql(2)],
  }),
  ...listCases("documents_issue_limit_credit", "credit_exceeds", {
    given: [
      ...createInsertDraftSql(UNCREDITED, -1, "other"),
      createIssueDraftSql(1, "2040-01-01", "other"),
      ...createInsertDraftSql(UNCREDITED, selectFullCredit(UNCREDITED ?? "")),
    ],
    refused: [createIssueDraftSql(2)],
  }),
  createReplacementCase(addFull(), replaceBy(), "accepted"),
  createReplacementCase(addFull(), replaceBy(EXAMPLE_ID, UNCREDITED)),
  createReplacementCase(addFull("", false), replaceBy()),
  createReplacementCase(addFull("form = 'simplified'"), replaceBy()),
  createReplacementCase(addFull("company_id = 77"), replaceBy()),
  createReplacementCase(addFull(`booking_id = ${RENTAL_ID_SQL}`), replaceBy()),
  createReplacementCase(
    [
      ...createInsertDraftSql(UNEXCHANGED_INVOICE, -1, "note"),
      createIssueDraftSql(1, "2040-01-01", "note"),
      ...addFull("", false),
      createIssueDraftSql(2),
    ],
    replaceBy(),
  ),
  createReplacementCase(
    [...createInsertDraftSql(UNEXCHANGED_INVOICE, -1, "note"), ...addFull()],
    replaceBy(),
    "accepted",
  ),
  createReplacementCase([...addFull(), replaceBy()], replaceBy()),
  createReplacementCase(
    [
      ...addFull(),
      ...createInsertDraftSql("NULL", 1210, "draft"),
      "UPDATE documents SET form = 'simplified', company_id = (SELECT company_id FROM documents WHERE uid = 'example') WHERE uid = 'draft'",
    ],
    replaceBy(EXAMPLE_ID, "(SELECT id FROM documents WHERE uid = 'draft')"),
  ),
  ...listCases("documents_issue_prevent_credit_of_replaced", "credit_exceeds", {
    given: createInsertDraftSql(SIMPLIFIED_INVOICE_ID_SQL, -1),
    accepted: [createIssueDraftSql()],
  }),
  ...listCases("documents_issue_prevent_credit_of_replaced", "credit_exceeds", {
    given: [...addFull(), replaceBy(), ...createInsertDraftSql(ISSUED_DOCUMENT_ID_SQL, -1, "note")],
    accepted: [createIssueDraftSql(2, "2040-01-01", "note")],
  }),
  ...listCases("documents_issue_prevent_credit_of_replaced", "credit_exceeds", {
    given: [...addFull(), replaceBy(), ...createInsertDraftSql(UNEXCHANGED_INVOICE, -1, "note")],
    accepted: ["UPDATE documents SET invoice_status = 'draft' WHERE uid = 'note'"],
    refused: [createIssueDraftSql(2, "2040-01-01", "note")],
  }),
  ...listCases("documents_insert_require_draft", "document_begins_as_draft", {
    accepted: createInsertDraftSql().slice(0, 1),
  }),
  inSeries([1, "2040-01-02"], [2, "2040-01-02"], "accepted"),
  inSeries([1, "2040-01-02"], [3, "2040-01-01"], "accepted"),
  inSeries([2, "2040-01-02"], [1, "2040-01-02"], "accepted"),
  inSeries([2, "2040-01-02"], [1, "2040-01-03"], "document_date"),
  inSeries([3, "2040-01-02"], [1, "2040-01-03"], "accepted"),
  inSeries([1, "2040-01-02"], [2, "2040-01-01"], "accepted", "company_id = 77"),
  inSeries([2, "2040-01-02"], [1, "2040-01-03"], "accepted", "company_id = 77"),
  inSeries([1, "2040-01-02"], [2, "2040-01-01"], "accepted", "form = NULL"),
  inSeries([2, "2040-01-02"], [1, "2040-01-03"], "accepted", "form = NULL"),
  {
    ...inSeries([1, "2040-01-02"], [2, "2040-01-01"], "accepted"),
    run: createIssueDraftSql(2, "2040-01-01").replace("'EXAMPLE'", "'OTHER'"),
  },
  {
    ...inSeries([2, "2040-01-02"], [1, "2040-01-03"], "accepted"),
    run: createIssueDraftSql(1, "2040-01-03").replace("'EXAMPLE'", "'OTHER'"),
  },
  {
    ...inSeries([1, "2040-01-02"], [2, "2040-01-01"], "accepted"),
    run: createIssueDraftSql(2, "2040-01-01").replace("SET ", "SET form = NULL, "),
  },
  createSumsCase("accepted"),
  createSumsCase("accepted", ...WITH_TAX),
  ...[
    createUpdateSql("document_items", "total_without_taxes_cents = 999"),
    createUpdateSql("document_items", "subtotal_cents = 999, taxes_cents = 211"),
    createUpdateSql("document_taxes", "total_without_taxes_cents = 1001, discount_cents = 1"),
    createUpdateSql("document_taxes", "total_without_taxes_cents = 999, subtotal_cents = 999"),
    createUpdateSql("document_taxes", "taxes_cents = 211"),
    createUpdateSql("documents", "total_without_taxes_cents = 1001, discount_cents = 1"),
    createUpdateSql("documents", "total_without_taxes_cents = 999, subtotal_cents = 999, taxes_cents = 211"),
  ].map((change) => createSumsCase("document_sums", ...WITH_TAX, change)),
  createSumsCase("document_sums", NO_TAXES),
  createSumsCase("document_sums", createUpdateSql("document_taxes", "vat_basis_points = 100")),
  createSumsCase("accepted", ...addPart(1210)),
  createSumsCase("document_sums", ...addPart(1209)),
  createSumsCase("document_sums", ...addPart(0, 0)),
  createSumsCase("document_sums", ...addPart(1210), addPart(1, 0).at(2) ?? ""),
  createSumsCase("document_sums", ...addPart(600), addPart(610, 0).at(2) ?? ""),
  createSumsCase("accepted", ...IN_TWO_PARTS),
  createSumsCase("accepted", BOND, NO_TAXES),
  createSumsCase(
    "document_sums",
    BOND,
    NO_TAXES,
    createUpdateSql("documents", "total_without_taxes_cents = 1211, subtotal_cents = 1211, total_cents = 1211"),
  ),
  {
    ...createSumsCase("document_sums"),
    given: [...createInsertDraftSql("NULL", 0), `DELETE FROM document_items WHERE document_id = ${EXAMPLE_ID}`],
  },
  createSumsCase("document_sums", BOND),
  createSumsCase("document_sums", BOND, ...WITH_TAX),
  createSumsCase("document_sums", BOND, ...WITH_TAX, NO_TAXES),
  {
    ...createSumsCase("accepted", NO_TAXES),
    run: "UPDATE documents SET invoice_status = 'draft' WHERE uid = 'example'",
  },
  ...listCases("documents_update_prevent_issued", "document_firm", {
    given: createInsertDraftSql(),
    accepted: ["UPDATE documents SET concept = 'Y' WHERE uid = 'example'"],
  }),
  ...lines,
  ...listCases("driver_age_rules_insert_prevent_overlap", "driver_age_overlap", {
    given: [INSERT_DRIVER_AGE_RULE_SQL],
    accepted: [createInsertAgesSql(920, 925), createInsertAgesSql(890, 899)],
    refused: [createInsertAgesSql(919, 925), createInsertAgesSql(890, 900)],
  }),
  ...listCases("driver_age_rules_update_prevent_overlap", "driver_age_overlap", {
    given: [INSERT_DRIVER_AGE_RULE_SQL],
    accepted: [
      "UPDATE driver_age_rules SET age_to = 908 WHERE id = 998",
      "UPDATE driver_age_rules SET age_from = 911 WHERE id = 999",
    ],
    refused: ["UPDATE driver_age_rules SET age_from = 909 WHERE id = 999"],
  }),
  ...listCases("payment_intents_update_prevent_unpaid", "payment_paid", {
    accepted: [
      "UPDATE payment_intents SET state = 'paid' WHERE state = 'paid'",
      "UPDATE payment_intents SET state = 'denied' WHERE state NOT IN ('paid', 'denied')",
    ],
  }),
  ...listCases("refund_requests_update_prevent_second_decision", "refund_decided", {
    given: [
      `INSERT INTO refund_requests (booking_id, amount_cents, payment_method_id, requested_by, requested_at) VALUES (${RENTAL_ID_SQL}, 1, 'cash', 1, 0)`,
    ],
    accepted: ["UPDATE refund_requests SET state = 'declined', decided_by = 1, decided_at = 1 WHERE state = 'waiting'"],
  }),
  ...listCases("gateway_refunds_update_prevent_reopen", "refund_decided", {
    given: [
      `INSERT INTO gateway_refunds (booking_id, intent_id, amount_cents, reason, requested_by, requested_at) VALUES (${RENTAL_ID_SQL}, 'x', 1, 'x', 1, 0)`,
    ],
    accepted: ["UPDATE gateway_refunds SET state = 'refused' WHERE intent_id = 'x'"],
  }),
  ...listCases("season_periods_insert_prevent_overlap", "season_overlap", {
    given: [INSERT_SEASON_PERIOD_SQL],
    accepted: [createInsertPeriodSql("01-11", "01-12"), createInsertPeriodSql("03-01", "03-02")],
    refused: [createInsertPeriodSql("01-10", "01-12"), createInsertPeriodSql("01-30", "02-01")],
  }),
  ...listCases("season_periods_update_prevent_overlap", "season_overlap", {
    given: [INSERT_SEASON_PERIOD_SQL],
    accepted: [
      "UPDATE season_periods SET date_to = '2040-01-09' WHERE date_from = '2040-01-01'",
      "UPDATE season_periods SET date_from = '2040-02-02' WHERE date_from = '2040-02-01'",
    ],
    refused: ["UPDATE season_periods SET date_from = '2040-01-10' WHERE date_from = '2040-02-01'"],
  }),
  ...listCases("number_series_update_prevent_used", "series_used", {
    given: [addSeries()],
    accepted: [moveSeries("'UNUSED'", "last_number = 9"), moveSeries(USED_SERIE, "note = 'Y'")],
    refused: [moveSeries(USED_SERIE, "last_date = '2040-01-01'")],
  }),
  ...["company_id = 77", "form = NULL"].flatMap((change) =>
    listCases("number_series_update_prevent_used", "series_used", {
      given: [
        ...createInsertDraftSql(),
        createUpdateSql("documents", change),
        createIssueDraftSql(),
        "DELETE FROM number_series WHERE serie = 'EXAMPLE' AND company_id = 1",
        addSeries("EXAMPLE"),
      ],
      accepted: [moveSeries("'EXAMPLE'", "last_number = 9")],
    }),
  ),
  ...listCases("number_series_update_prevent_used", "series_used", {
    given: [addSeries(), ...createInsertDraftSql(), createUpdateSql("documents", "serie = 'UNUSED'")],
    accepted: [moveSeries("'UNUSED'", "last_number = 9")],
  }),
  ...listCases("number_series_delete_prevent_used", "series_used", {
    given: [addSeries(), ...createInsertDraftSql(), createUpdateSql("documents", "serie = 'UNUSED'")],
    accepted: ["DELETE FROM number_series WHERE serie = 'UNUSED'"],
  }),
  ...listCases("number_series_delete_prevent_used", "series_used", {
    given: [addSeries()],
    accepted: ["DELETE FROM number_series WHERE serie = 'UNUSED'"],
  }),
  ...["company_id = 77", "form = NULL"].flatMap((change) =>
    listCases("number_series_delete_prevent_used", "series_used", {
      given: [
        ...createInsertDraftSql(),
        createUpdateSql("documents", change),
        createIssueDraftSql(),
        "INSERT OR IGNORE INTO number_series (company_id, serie, last_number, last_date) VALUES (1, 'EXAMPLE', 1, '2040-01-01')",
      ],
      accepted: ["DELETE FROM number_series WHERE company_id = 1 AND serie = 'EXAMPLE'"],
    }),
  ),
  hold("", "accepted", 2),
  hold("visitor_network = 'other'", "accepted"),
  hold("created_at = -86400000", "accepted"),
  hold("created_at = -86399999", "too_many_holds"),
  hold("status = 'in_progress'", "accepted"),
  hold("total_paid_cents = 1", "accepted"),
  {
    ...hold("", "accepted"),
    run: `INSERT INTO bookings (free_access_id, ${BOOKING_COLUMNS}) SELECT 'example', ${BOOKING_COLUMNS} FROM bookings WHERE free_access_id = 'example-2'`,
  },
  createAssignmentCase("accepted", move(2, "03", "05")),
  createAssignmentCase("vehicle_promised", move(2, "02", "05")),
  createAssignmentCase("accepted", move(2, "01", "03"), move(1, "03", "05")),
  createAssignmentCase("vehicle_promised", move(2, "01", "03"), move(1, "02", "05")),
  createAssignmentCase("accepted", setStatus("cancelled")),
  createAssignmentCase(
    "accepted",
    `UPDATE booking_units SET collected_at = 2, delivered_at = 1 WHERE id = ${FIRST_UNIT}`,
  ),
  {
    ...createAssignmentCase(
      "vehicle_promised",
      `UPDATE booking_units SET delivered_at = 1 WHERE id = ${FIRST_UNIT}`,
      setStatus("in_progress"),
      move(1, "08", "09"),
    ),
    run: `UPDATE booking_units SET vehicle_reference = ${SAME_VEHICLE} WHERE id = ${SECOND_UNIT}`,
  },
  { ...createAssignmentCase("accepted"), run: createAssignSql(FIRST_UNIT) },
  {
    ...createAssignmentCase("accepted"),
    run: `UPDATE booking_units SET vehicle_reference = ${SAME_VEHICLE}, delivered_at = 1 WHERE id = ${SECOND_UNIT}`,
  },
  {
    ...createAssignmentCase("accepted", move(2, "08", "09"), createAssignSql(SECOND_UNIT), move(2, "01", "03")),
    run: `UPDATE booking_units SET vehicle_reference = vehicle_reference WHERE id = ${SECOND_UNIT}`,
  },
  {
    ...createAssignmentCase("accepted"),
    run: `UPDATE booking_units SET vehicle_reference = NULL WHERE id = ${FIRST_UNIT}`,
  },
  createBlockedCase(
    "accepted",
    block("03", "05"),
    "UPDATE bookings SET time_to = '00:00' WHERE free_access_id = 'example-1'",
  ),
  createBlockedCase("vehicle_blocked", block("03", "05")),
  createBlockedCase(
    "accepted",
    block("01", "02"),
    move(1, "02", "05"),
    "UPDATE bookings SET time_from = '00:00' WHERE free_access_id = 'example-1'",
  ),
  createBlockedCase("vehicle_blocked", block("01", "02"), move(1, "01", "05")),
  createBlockedCase("accepted", block("02", "05").replace(VEHICLE_REFERENCE_SQL, "'other'")),
  createDeliveryCase(`vehicle_reference = ${SAME_VEHICLE}, delivered_at = 1, collected_at = 2`, "accepted"),
  createDeliveryCase(`vehicle_reference = (SELECT max(reference) FROM vehicles), delivered_at = 1`, "accepted"),
  createDeliveryCase("delivered_at = 1", "accepted"),
  createDeliveryCase(
    "delivered_at = NULL, collected_at = NULL",
    "accepted",
    `UPDATE booking_units SET vehicle_reference = ${SAME_VEHICLE}, delivered_at = 1, collected_at = 2 WHERE id = ${SECOND_UNIT}`,
  ),
  createDeliveryCase(
    "delivered_at = 1",
    "vehicle_out",
    `UPDATE booking_units SET vehicle_reference = ${SAME_VEHICLE}, delivered_at = 1, collected_at = 2 WHERE id = ${SECOND_UNIT}`,
    `UPDATE booking_units SET delivered_at = NULL, collected_at = NULL WHERE id = ${SECOND_UNIT}`,
  ),
  createDeliveryCase(
    "collected_at = NULL",
    "vehicle_out",
    `UPDATE booking_units SET vehicle_reference = ${SAME_VEHICLE}, delivered_at = 1, collected_at = 2 WHERE id = ${SECOND_UNIT}`,
  ),
  createDeliveryCase(
    `vehicle_reference = ${SAME_VEHICLE}`,
    "vehicle_out",
    `UPDATE booking_units SET delivered_at = 1 WHERE id = ${SECOND_UNIT}`,
  ),
  {
    ...createDeliveryCase("", "accepted"),
    run: `UPDATE booking_units SET delivered_at = 3 WHERE id = ${FIRST_UNIT}`,
  },
  createDeliveryCase(
    `vehicle_reference = ${SAME_VEHICLE}, delivered_at = 1`,
    "accepted",
    `UPDATE booking_units SET collected_at = 2 WHERE id = ${FIRST_UNIT}`,
  ),
];

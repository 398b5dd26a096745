import { toAmount } from "#domain/money.ts";
import type { ImportProblem } from "#domain/operations/import-problems.ts";
import type { ImportLineProblem } from "#domain/operations/imports.ts";
import { createCompactSql } from "#worker/store/access/matching-customers.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { ORIGINAL_TABLE_PREFIX } from "./copy.ts";
import { createRowId, type ImportOrigin, type ImportState } from "./import-state.ts";
import { getCurrencyDecimalsOrDefault } from "./standard-values.ts";
import type { SynchronousDatabase } from "./synchronous-database.ts";
import type { StoredValue } from "./values.ts";

interface Rule {
  readonly table: string;
  readonly field: string;
  readonly problem: ImportProblem;
  /**
   * Selects the keys of violating rows (`key`, `position`, `last`) and their `value`. `:today` is the account's date.
   */
  readonly sql: string;
}

const WAS_ISSUED = `SELECT id FROM ${ORIGINAL_TABLE_PREFIX}documents WHERE invoice_status = 'invoice'`;
/** Problem of a changed row that belongs to an issued document, which must not change. */
const ISSUED_CONDITIONS = {
  field: "document_id",
  problem: { code: "document_issued", remedy: { code: "credit_note" } },
} as const;

/** Selects issued documents that the import added. */
const IMPORTED_INVOICES_SQL = `SELECT id AS key, serie AS value FROM documents AS brought WHERE invoice_status = 'invoice' AND id NOT IN (${WAS_ISSUED})`;
const ISSUED_HERE = `SELECT 1 FROM ${ORIGINAL_TABLE_PREFIX}documents AS here WHERE here.form IS NOT NULL AND here.invoice_status = 'invoice'
  AND here.company_id = brought.company_id`;

/**
 * Additional rules for imports by the office. An imported invoice must come from another system, with a separate series
 * and a date before the first invoice issued here. This prevents bypassing the rules for issuing and for reporting to
 * the tax agency.
 */
const OFFICE_RULES: readonly Rule[] = [
  {
    table: "documents",
    field: "serie",
    sql: `${IMPORTED_INVOICES_SQL} AND EXISTS (${ISSUED_HERE} AND here.serie = brought.serie)`,
    problem: { code: "series_in_use", remedy: { code: "other_system_series" } },
  },
  {
    table: "documents",
    field: "date",
    sql: `${IMPORTED_INVOICES_SQL.replace("serie AS value", "date AS value")} AND EXISTS (${ISSUED_HERE} AND here.date < brought.date)`,
    problem: { code: "document_date_too_late", remedy: { code: "issue_here" } },
  },
  {
    table: "documents",
    field: "number",
    sql: `${IMPORTED_INVOICES_SQL.replace("serie AS value", "number AS value")} AND id IN (SELECT id FROM ${ORIGINAL_TABLE_PREFIX}documents)`,
    problem: { code: "document_draft_here", remedy: { code: "issue_here" } },
  },
];

const MAX_CUSTOMER_NAME_LENGTH = 100;

/** Rules that can't be checked row by row, because they depend on later rows or on the table. */
const RULES: readonly Rule[] = [
  {
    table: "customers",
    field: "name",
    // Names of other tables may be longer.
    sql: `SELECT id AS key, name AS value FROM customers WHERE length(name) > ${MAX_CUSTOMER_NAME_LENGTH}`,
    problem: { code: "text_too_long", params: { characters: MAX_CUSTOMER_NAME_LENGTH } },
  },
  {
    table: "vehicles",
    field: "plate",
    sql: `SELECT id AS key, plate AS value FROM vehicles WHERE active = 1 AND sold_release_date IS NULL AND plate <> ''
      AND ${createCompactSql("plate")} IN (SELECT ${createCompactSql("plate")} AS spelling FROM vehicles WHERE active = 1
        AND sold_release_date IS NULL GROUP BY spelling HAVING count(*) > 1)`,
    problem: { code: "plate_duplicated", remedy: { code: "one_vehicle_per_plate" } },
  },
  {
    table: "tariff_brackets",
    field: "from_days",
    sql: `SELECT tariff_id AS key, from_days AS position, from_days AS value FROM tariff_brackets AS later
      WHERE EXISTS (SELECT 1 FROM tariff_brackets WHERE tariff_id = later.tariff_id AND from_days < later.from_days)
        AND NOT EXISTS (SELECT 1 FROM tariff_brackets WHERE tariff_id = later.tariff_id AND to_days = later.from_days - 1)`,
    problem: { code: "bracket_gap", remedy: { code: "consecutive_brackets" } },
  },
  {
    table: "opening_hours",
    field: "opens",
    sql: `SELECT branch_code AS key, weekday AS position, opens AS last, opens AS value FROM opening_hours AS later
      WHERE EXISTS (SELECT 1 FROM opening_hours WHERE branch_code = later.branch_code AND weekday = later.weekday
        AND opens < later.opens AND closes > later.opens)`,
    problem: { code: "opening_hours_overlap", remedy: { code: "consecutive_hours" } },
  },
  {
    table: "branches",
    field: "branch_group_id",
    // Vehicles that the same files move to the new branch group aren't a conflict.
    sql: `SELECT branches.code AS key, (SELECT name FROM branch_groups WHERE id = branches.branch_group_id) AS value
      FROM branches JOIN ${ORIGINAL_TABLE_PREFIX}branches AS was ON was.code = branches.code AND was.branch_group_id <> branches.branch_group_id
      WHERE EXISTS (SELECT 1 FROM vehicles WHERE branch_code = branches.code AND branch_group_id = was.branch_group_id)
        OR EXISTS (SELECT 1 FROM bookings WHERE status NOT IN ('done', 'cancelled')
          AND branches.code IN (branch_code, return_branch_code))`,
    problem: { code: "branch_group_in_use", remedy: { code: "branch_group_current" } },
  },
  {
    table: "branches",
    field: "currency",
    sql: "SELECT code AS key, currency AS value FROM branches WHERE currency <> (SELECT currency FROM settings)",
    problem: { code: "branch_currency_mismatch" },
  },
  {
    table: "families",
    field: "parent_id",
    sql: `SELECT id AS key, (SELECT code FROM families AS upper WHERE upper.id = families.parent_id) AS value FROM families WHERE id IN (
      WITH RECURSIVE above (lower, id) AS (SELECT id, parent_id FROM families
        UNION SELECT above.lower, upper.parent_id FROM above JOIN families AS upper ON upper.id = above.id)
      SELECT lower FROM above WHERE lower = id)`,
    problem: { code: "family_below_itself", remedy: { code: "other_family" } },
  },
  {
    table: "bookings",
    field: "free_access_id",
    sql: `SELECT id AS key, free_access_id AS value FROM bookings WHERE length(free_access_id) < 16
      OR free_access_id NOT GLOB '*[^0-9]*'`,
    problem: { code: "access_id_guessable", remedy: { code: "new_access_id" } },
  },
  {
    table: "bookings",
    field: "category_code",
    sql: `SELECT id AS key, NULL AS value FROM bookings WHERE kind = 'rental' AND status <> 'cancelled'
      AND NOT EXISTS (SELECT 1 FROM booking_lines WHERE booking_id = bookings.id)`,
    problem: { code: "booking_line_missing", remedy: { code: "booking_category" } },
  },
  {
    table: "bookings",
    field: "vehicle_reference",
    sql: `SELECT line.booking_id AS key, line.category_code AS value FROM booking_lines AS line JOIN bookings ON bookings.id = line.booking_id
      WHERE bookings.status <> 'cancelled' AND bookings.kind = 'rental'
        AND (SELECT count(*) FROM booking_units WHERE booking_line_id = line.id) <> line.quantity`,
    problem: { code: "booking_units_mismatch", remedy: { code: "unit_per_vehicle" } },
  },
  {
    table: "bookings",
    field: "item",
    sql: `SELECT id AS key, item_cents AS value FROM bookings WHERE kind = 'rental' AND price_difference_cents = 0 AND item_cents <>
      (SELECT total(item_cents) FROM booking_lines WHERE booking_id = bookings.id)
      AND EXISTS (SELECT 1 FROM booking_lines WHERE booking_id = bookings.id)`,
    problem: { code: "booking_lines_sum_mismatch" },
  },
  {
    table: "bookings",
    field: "vehicle_reference",
    sql: `SELECT unit.booking_id AS key, unit.vehicle_reference AS value FROM booking_units AS unit JOIN bookings ON bookings.id = unit.booking_id
      WHERE bookings.status = 'in_progress' AND unit.collected_at IS NULL AND (unit.vehicle_reference IS NULL OR EXISTS (
        SELECT 1 FROM booking_units AS other JOIN bookings AS theirs ON theirs.id = other.booking_id WHERE theirs.status = 'in_progress'
          AND other.vehicle_reference = unit.vehicle_reference AND other.collected_at IS NULL AND other.id <> unit.id))`,
    problem: { code: "booking_vehicle_required", remedy: { code: "vehicle_on_rent" } },
  },
  {
    table: "documents",
    field: "number",
    sql: `SELECT id AS key, number AS value FROM documents WHERE invoice_status = 'invoice'
      AND NOT EXISTS (SELECT 1 FROM document_items WHERE document_id = documents.id)`,
    problem: { code: "document_items_missing", remedy: { code: "document_items" } },
  },
  {
    table: "documents",
    field: "total",
    sql: `SELECT id AS key, total_cents AS value FROM documents WHERE invoice_status = 'invoice' AND (
      SELECT (count(*) = 0 OR (total(total_cents), total(taxes_cents)) = (documents.total_cents, documents.taxes_cents))
      FROM document_items WHERE document_id = documents.id) = 0`,
    problem: { code: "document_items_sum_mismatch" },
  },
  {
    table: "documents",
    field: "taxes",
    sql: `SELECT id AS key, taxes_cents AS value FROM documents WHERE invoice_status = 'invoice' AND kind = 'invoice'
      AND EXISTS (SELECT 1 FROM document_items WHERE document_id = documents.id) AND (
      SELECT (total(subtotal_cents), total(taxes_cents)) = (documents.subtotal_cents, documents.taxes_cents)
      FROM document_taxes WHERE document_id = documents.id) = 0`,
    problem: { code: "document_taxes_sum_mismatch", remedy: { code: "document_taxes" } },
  },
  {
    table: "document_items",
    ...ISSUED_CONDITIONS,
    sql: `SELECT id AS key, document_id AS value FROM document_items WHERE document_id IN (${WAS_ISSUED})
      AND id NOT IN (SELECT id FROM ${ORIGINAL_TABLE_PREFIX}document_items)`,
  },
  {
    table: "document_taxes",
    ...ISSUED_CONDITIONS,
    sql: `SELECT document_id AS key, position, document_id AS value FROM document_taxes WHERE document_id IN (${WAS_ISSUED})
      AND (document_id, position) NOT IN (SELECT document_id, position FROM ${ORIGINAL_TABLE_PREFIX}document_taxes)`,
  },
  {
    table: "documents",
    field: "date",
    sql: `SELECT id AS key, date AS value FROM documents WHERE invoice_status = 'invoice' AND date > :today`,
    problem: { code: "document_date_in_future", remedy: { code: "issue_date" } },
  },
  {
    table: "number_series",
    field: "last_date",
    sql: "SELECT company_id AS key, serie AS position, last_date AS value FROM number_series WHERE last_date > :today",
    problem: { code: "document_date_in_future", remedy: { code: "last_document_date" } },
  },
  {
    table: "bookings",
    field: "kind",
    sql: `SELECT id AS key, kind AS value FROM bookings WHERE kind = 'transfer' AND status <> 'cancelled'
      AND NOT EXISTS (SELECT 1 FROM transfer_trips WHERE booking_id = bookings.id)`,
    problem: { code: "transfer_trips_missing", remedy: { code: "transfer_rows" } },
  },
];

/** Finds problems of the imported rows once all exist. `isOffice`: issued documents must come from another system. */
export async function findImportedRowProblems(
  { sqlite, origins, now }: ImportState,
  isOfficeImport: boolean,
): Promise<readonly ImportLineProblem[]> {
  const timezone = String(sqlite.prepare("SELECT timezone FROM settings").get()?.["timezone"] ?? "UTC");
  const { date: today } = toCivilNow(timezone, now);
  const rules = isOfficeImport ? [...RULES, ...OFFICE_RULES] : RULES;
  const broken: ImportLineProblem[] = [];
  for (const { table, field, sql, problem } of rules) {
    const rows = sqlite.prepare(sql.replace(":today", "?")).all(...(sql.includes(":today") ? [today] : []));
    for (const row of rows) {
      const key = [row["key"], row["position"], row["last"]].filter((item) => item !== undefined) as StoredValue[];
      const origin = origins.get(createRowId(table, key));
      const value = String(displayValue(sqlite, table, field, row["value"] as StoredValue) ?? "");
      if (origin) broken.push({ ...origin, field, value, ...problem });
    }
    await sqlite.pause();
  }
  return [...broken, ...currencyProblems(sqlite, origins.get(createRowId("settings", [1])))];
}

const AMOUNTS = ["tariff_brackets", "extras", "bookings", "charges", "documents", "expenses"]
  .map((table) => `SELECT 1 FROM ${ORIGINAL_TABLE_PREFIX}${table}`)
  .join(" UNION ALL ");

// Returns problems of a changed currency. It can't change once there are amounts, and its decimals must match ISO 4217.
function currencyProblems(sqlite: SynchronousDatabase, origin: ImportOrigin | undefined): readonly ImportLineProblem[] {
  const COLUMNS = "SELECT currency, currency_decimals AS decimals FROM";
  const now = sqlite.prepare(`${COLUMNS} settings`).get();
  const before = sqlite.prepare(`${COLUMNS} ${ORIGINAL_TABLE_PREFIX}settings`).get();
  if (!origin || !now) return [];
  const currency = String(now["currency"]);
  const decimals = String(now["decimals"]);
  const was = { currency: String(before?.["currency"]), decimals: String(before?.["decimals"]) };
  if (was.currency === currency && was.decimals === decimals) return [];
  const right = String(getCurrencyDecimalsOrDefault(currency));
  const hasAmounts = before !== undefined && sqlite.prepare(AMOUNTS).get() !== undefined;
  return [
    ...(hasAmounts && was.currency !== currency
      ? [
          {
            ...origin,
            field: "currency",
            value: currency,
            code: "currency_fixed",
            remedy: toExactValue(was.currency),
          } as const,
        ]
      : []),
    ...(decimals === right
      ? []
      : [
          {
            ...origin,
            field: "currency_decimals",
            value: decimals,
            code: "currency_decimals_mismatch",
            params: { currency },
            remedy: toExactValue(right),
          } as const,
        ]),
  ];
}

const toExactValue = (value: string) => ({ code: "exact_value", params: { value } }) as const;

// Formats an amount in currency units, as import files contain it. Returns other values unchanged.
function displayValue(sqlite: SynchronousDatabase, table: string, field: string, value: StoredValue): StoredValue {
  const isMoney = sqlite.prepare("SELECT 1 FROM pragma_table_xinfo(?) WHERE name = ?").get(table, `${field}_cents`);
  if (!isMoney || typeof value !== "number") return value;
  const { currency_decimals: decimals } = sqlite.prepare("SELECT currency_decimals FROM settings").get() ?? {};
  return toAmount(value, Number(decimals ?? 2));
}

import { toAmount } from "#domain/money.ts";
import type { BadLine, Problem } from "#domain/operations/imports.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { BEFORE } from "./copy.ts";
import { getIsoDecimals } from "./known-words.ts";
import type { SyncDatabase } from "./sync-database.ts";
import { type Origin, type Taking, toRowName } from "./taking.ts";
import type { Stored } from "./values.ts";

interface Rule extends Problem {
  readonly table: string;
  readonly field: string;
  /**
   * Selects the keys of violating rows (`key`, `position`, `last`) and their `value`. `:today` is the account's date.
   */
  readonly sql: string;
}

const WAS_ISSUED = `SELECT id FROM ${BEFORE}documents WHERE invoice_status = 'invoice'`;
/** Rows of documents already issued, which must not change. */
const ISSUED_CONDITIONS = {
  field: "document_id",
  problem: "is of an issued document, which stays as it is",
  remedy: "a credit note",
};

/** Issued documents from an import. */
const IMPORTED_INVOICES_SQL = `SELECT id AS key, serie AS value FROM documents AS brought WHERE invoice_status = 'invoice' AND id NOT IN (${WAS_ISSUED})`;
const ISSUED_HERE = `SELECT 1 FROM ${BEFORE}documents AS here WHERE here.form IS NOT NULL AND here.invoice_status = 'invoice'
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
    problem: "is of a serie in which documents were issued here",
    remedy: "the other system's own serie",
  },
  {
    table: "documents",
    field: "date",
    sql: `${IMPORTED_INVOICES_SQL.replace("serie AS value", "date AS value")} AND EXISTS (${ISSUED_HERE} AND here.date < brought.date)`,
    problem: "is later than the first document that was issued here",
    remedy: "to issue it here",
  },
  {
    table: "documents",
    field: "number",
    sql: `${IMPORTED_INVOICES_SQL.replace("serie AS value", "number AS value")} AND id IN (SELECT id FROM ${BEFORE}documents)`,
    problem: "is a draft of here, which gets its number here",
    remedy: "to issue it here",
  },
];

/** Rules that can't be checked row by row, because they depend on later rows. */
const RULES: readonly Rule[] = [
  {
    table: "vehicles",
    field: "plate",
    sql: `SELECT id AS key, plate AS value FROM vehicles WHERE active = 1 AND sold_release_date IS NULL AND plate <> '' AND EXISTS (
      SELECT 1 FROM vehicles AS other WHERE other.plate = vehicles.plate AND other.id <> vehicles.id AND other.active = 1
        AND other.sold_release_date IS NULL)`,
    problem: "is the plate of several vehicles",
    remedy: "one vehicle for each plate; those that are sold with their sold_release_date, or not active",
  },
  {
    table: "tariff_brackets",
    field: "from_days",
    sql: `SELECT tariff_id AS key, from_days AS position, from_days AS value FROM tariff_brackets AS later
      WHERE EXISTS (SELECT 1 FROM tariff_brackets WHERE tariff_id = later.tariff_id AND from_days < later.from_days)
        AND NOT EXISTS (SELECT 1 FROM tariff_brackets WHERE tariff_id = later.tariff_id AND to_days = later.from_days - 1)`,
    problem: "leaves lengths without a price between the bracket before it and this one",
    remedy: "brackets that follow each other",
  },
  {
    table: "opening_hours",
    field: "opens",
    sql: `SELECT branch_code AS key, weekday AS position, opens AS last, opens AS value FROM opening_hours AS later
      WHERE EXISTS (SELECT 1 FROM opening_hours WHERE branch_code = later.branch_code AND weekday = later.weekday
        AND opens < later.opens AND closes > later.opens)`,
    problem: "overlaps other hours of this branch on that weekday",
    remedy: "hours that follow each other",
  },
  {
    table: "branches",
    field: "branch_group_id",
    // Home branches changed in the same files are consistent.
    sql: `SELECT branches.code AS key, (SELECT name FROM branch_groups WHERE id = branches.branch_group_id) AS value
      FROM branches JOIN ${BEFORE}branches AS was ON was.code = branches.code AND was.branch_group_id <> branches.branch_group_id
      WHERE EXISTS (SELECT 1 FROM vehicles WHERE branch_code = branches.code AND branch_group_id = was.branch_group_id)
        OR EXISTS (SELECT 1 FROM bookings WHERE status NOT IN ('done', 'cancelled')
          AND branches.code IN (branch_code, return_branch_code))`,
    problem: "is another group, and vehicles or open reservations are counted on where it is",
    remedy: "its group, until no vehicle stands there and no reservation that is open begins or ends there",
  },
  {
    table: "branches",
    field: "currency",
    sql: "SELECT code AS key, currency AS value FROM branches WHERE currency <> (SELECT currency FROM settings)",
    problem: "is not the currency of the company, in which all amounts are",
  },
  {
    table: "families",
    field: "parent_id",
    sql: `SELECT id AS key, (SELECT code FROM families AS upper WHERE upper.id = families.parent_id) AS value FROM families WHERE id IN (
      WITH RECURSIVE above (lower, id) AS (SELECT id, parent_id FROM families
        UNION SELECT above.lower, upper.parent_id FROM above JOIN families AS upper ON upper.id = above.id)
      SELECT lower FROM above WHERE lower = id)`,
    problem: "is below itself: websites would lose it with all below it",
    remedy: "a family that is not below it, or none",
  },
  {
    table: "bookings",
    field: "free_access_id",
    sql: `SELECT id AS key, free_access_id AS value FROM bookings WHERE length(free_access_id) < 16
      OR free_access_id NOT GLOB '*[^0-9]*'`,
    problem: "can be guessed, and opens the contract to whoever knows it",
    remedy: "no column free_access_id, so that one is made; else 16 random letters and digits at least",
  },
  {
    table: "bookings",
    field: "category_code",
    sql: `SELECT id AS key, NULL AS value FROM bookings WHERE kind = 'rental' AND status <> 'cancelled'
      AND NOT EXISTS (SELECT 1 FROM booking_lines WHERE booking_id = bookings.id)`,
    problem: "has no line: nothing is rented by it",
    remedy: "the column category_code (and vehicle_reference), or a row of booking_lines",
  },
  {
    table: "bookings",
    field: "vehicle_reference",
    sql: `SELECT line.booking_id AS key, line.category_code AS value FROM booking_lines AS line JOIN bookings ON bookings.id = line.booking_id
      WHERE bookings.status <> 'cancelled' AND bookings.kind = 'rental'
        AND (SELECT count(*) FROM booking_units WHERE booking_line_id = line.id) <> line.quantity`,
    problem: "has other than one unit for each of its quantity",
    remedy: "a row of booking_units for each vehicle, its vehicle_reference empty where none is assigned",
  },
  {
    table: "bookings",
    field: "item",
    sql: `SELECT id AS key, item_cents AS value FROM bookings WHERE kind = 'rental' AND price_difference_cents = 0 AND item_cents <>
      (SELECT total(item_cents) FROM booking_lines WHERE booking_id = bookings.id)
      AND EXISTS (SELECT 1 FROM booking_lines WHERE booking_id = bookings.id)`,
    problem: "is not the sum of its lines",
  },
  {
    table: "bookings",
    field: "vehicle_reference",
    sql: `SELECT unit.booking_id AS key, unit.vehicle_reference AS value FROM booking_units AS unit JOIN bookings ON bookings.id = unit.booking_id
      WHERE bookings.status = 'in_progress' AND unit.collected_at IS NULL AND (unit.vehicle_reference IS NULL OR EXISTS (
        SELECT 1 FROM booking_units AS other JOIN bookings AS theirs ON theirs.id = other.booking_id WHERE theirs.status = 'in_progress'
          AND other.vehicle_reference = unit.vehicle_reference AND other.collected_at IS NULL AND other.id <> unit.id))`,
    problem: "is out: it has a vehicle, and that one no other open contract",
    remedy: "the plate of the vehicle that is out",
  },
  {
    table: "documents",
    field: "number",
    sql: `SELECT id AS key, number AS value FROM documents WHERE invoice_status = 'invoice'
      AND NOT EXISTS (SELECT 1 FROM document_items WHERE document_id = documents.id)`,
    problem: "is issued, and has no items",
    remedy: "the column vat_percent, which makes one of its total, or rows of document_items",
  },
  {
    table: "documents",
    field: "total",
    sql: `SELECT id AS key, total_cents AS value FROM documents WHERE invoice_status = 'invoice' AND (
      SELECT (count(*) = 0 OR (total(total_cents), total(taxes_cents)) = (documents.total_cents, documents.taxes_cents))
      FROM document_items WHERE document_id = documents.id) = 0`,
    problem: "is not the sum of its items",
  },
  {
    table: "documents",
    field: "taxes",
    sql: `SELECT id AS key, taxes_cents AS value FROM documents WHERE invoice_status = 'invoice' AND kind = 'invoice'
      AND EXISTS (SELECT 1 FROM document_items WHERE document_id = documents.id) AND (
      SELECT (total(subtotal_cents), total(taxes_cents)) = (documents.subtotal_cents, documents.taxes_cents)
      FROM document_taxes WHERE document_id = documents.id) = 0`,
    problem: "is not the sum of its rates",
    remedy: "a row of document_taxes for each rate, or the column vat_percent",
  },
  {
    table: "document_items",
    ...ISSUED_CONDITIONS,
    sql: `SELECT id AS key, document_id AS value FROM document_items WHERE document_id IN (${WAS_ISSUED})
      AND id NOT IN (SELECT id FROM ${BEFORE}document_items)`,
  },
  {
    table: "document_taxes",
    ...ISSUED_CONDITIONS,
    sql: `SELECT document_id AS key, position, document_id AS value FROM document_taxes WHERE document_id IN (${WAS_ISSUED})
      AND (document_id, position) NOT IN (SELECT document_id, position FROM ${BEFORE}document_taxes)`,
  },
  {
    table: "documents",
    field: "date",
    sql: `SELECT id AS key, date AS value FROM documents WHERE invoice_status = 'invoice' AND date > :today`,
    problem: "is a day to come: none could be issued before it",
    remedy: "the day on which it was issued",
  },
  {
    table: "number_series",
    field: "last_date",
    sql: "SELECT company_id AS key, serie AS position, last_date AS value FROM number_series WHERE last_date > :today",
    problem: "is a day to come: none could be issued before it",
    remedy: "the day of its last document",
  },
  {
    table: "bookings",
    field: "kind",
    sql: `SELECT id AS key, kind AS value FROM bookings WHERE kind = 'transfer' AND status <> 'cancelled'
      AND NOT EXISTS (SELECT 1 FROM transfer_trips WHERE booking_id = bookings.id)`,
    problem: "is a transfer without its vehicle and trips",
    remedy: "a row of transfer_bookings, and one of transfer_trips for each way",
  },
];

/** Finds problems of the imported rows once all exist. `isOffice`: issued documents must come from another system. */
export function examine({ sqlite, origins, now }: Taking, isOffice: boolean): readonly BadLine[] {
  const timezone = String(sqlite.prepare("SELECT timezone FROM settings").get()?.["timezone"] ?? "UTC");
  const { date: today } = civilNow(timezone, now);
  const rules = isOffice ? [...RULES, ...OFFICE_RULES] : RULES;
  const broken = rules.flatMap(({ table, field, sql, problem, remedy }) =>
    sqlite
      .prepare(sql.replace(":today", "?"))
      .all(...(sql.includes(":today") ? [today] : []))
      .flatMap((row): readonly BadLine[] => {
        const key = [row["key"], row["position"], row["last"]].filter((item) => item !== undefined) as Stored[];
        const origin = origins.get(toRowName(table, key));
        const value = String(displayValue(sqlite, table, field, row["value"] as Stored) ?? "");
        return origin ? [{ ...origin, field, value, problem, ...(remedy && { remedy }) }] : [];
      }),
  );
  return [...broken, ...currencyProblems(sqlite, origins.get(toRowName("settings", [1])))];
}

const AMOUNTS = ["tariff_brackets", "extras", "bookings", "charges", "documents", "expenses"]
  .map((table) => `SELECT 1 FROM ${BEFORE}${table}`)
  .join(" UNION ALL ");

// The settings' currency defines the unit of all amounts, also for gateways.
function currencyProblems(sqlite: SyncDatabase, origin: Origin | undefined): readonly BadLine[] {
  const COLUMNS = "SELECT currency, currency_decimals AS decimals FROM";
  const now = sqlite.prepare(`${COLUMNS} settings`).get();
  const before = sqlite.prepare(`${COLUMNS} ${BEFORE}settings`).get();
  if (!origin || !now) return [];
  const currency = String(now["currency"]);
  const decimals = String(now["decimals"]);
  const was = { currency: String(before?.["currency"]), decimals: String(before?.["decimals"]) };
  if (was.currency === currency && was.decimals === decimals) return [];
  const right = String(getIsoDecimals(currency));
  const hasAmounts = before !== undefined && sqlite.prepare(AMOUNTS).get() !== undefined;
  const stays = "stays as it is once there are prices, contracts or documents: they are read by it";
  return [
    ...(hasAmounts && was.currency !== currency
      ? [{ ...origin, field: "currency", value: currency, problem: stays, remedy: was.currency }]
      : []),
    ...(decimals === right
      ? []
      : [
          {
            ...origin,
            field: "currency_decimals",
            value: decimals,
            problem: `is not how many decimals ${currency} has`,
            remedy: right,
          },
        ]),
  ];
}

// Amounts are formatted as in files.
function displayValue(sqlite: SyncDatabase, table: string, field: string, value: Stored): Stored {
  const isMoney = sqlite.prepare("SELECT 1 FROM pragma_table_xinfo(?) WHERE name = ?").get(table, `${field}_cents`);
  if (!isMoney || typeof value !== "number") return value;
  const { currency_decimals: decimals } = sqlite.prepare("SELECT currency_decimals FROM settings").get() ?? {};
  return toAmount(value, Number(decimals ?? 2));
}

import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { LedgerEntry } from "#domain/reporting/ledger.ts";
import type { LedgerSource } from "#domain/reporting/ledger-source.ts";
import { selectContractExtras } from "#worker/store/bookings/contract-extras.ts";
import { selectExchangedVehiclesJson } from "#worker/store/bookings/exchange.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { ledgerEntries } from "#worker/store/schema/ledger.ts";

const SOURCE =
  sql.raw(`json_object('bookingId', bookings.id, 'isCounted', json(CASE WHEN status IN ('in_progress', 'done') THEN 'true' ELSE 'false' END),
  'dateFrom', date_from, 'days', days, 'branchCode', branch_code, 'customerType', customer_type,
  'lines', (SELECT json_group_array(json_object('itemCents', line.item_cents, 'vat', line.vat_basis_points,
      'categorySupplementCents', json_array(line.category_supplement_1_unit_cents * line.quantity,
        line.category_supplement_2_unit_cents * line.quantity, line.category_supplement_3_unit_cents * line.quantity),
      'units', (SELECT json_group_array(json_object('unitId', unit.id, 'reference', unit.vehicle_reference,
          'deliveredAt', unit.delivered_at, 'collectedAt', unit.collected_at,
          'deliveryKilometres', unit.delivery_usage_units, 'collectionKilometres', unit.collection_usage_units, 'exchanged', ${selectExchangedVehiclesJson("unit.id")}) ORDER BY unit.id)
        FROM booking_units AS unit WHERE unit.booking_line_id = line.id)) ORDER BY line.id)
    FROM booking_lines AS line WHERE line.booking_id = bookings.id),
  'extras', (SELECT json_group_array(json_object('code', extra_code, 'cents', extra_cents, 'vat', vat_basis_points, 'on', charged_on) ORDER BY id)
    FROM ${selectContractExtras("bookings.id")}),
  'supplementCents', json_object('time_from_cost', time_from_cents, 'time_to_cost', time_to_cents,
    'pickup_place_cost', pickup_place_cents, 'return_place_cost', return_place_cents, 'driver_age_cost', driver_age_cents,
    'supplement_1_cost', supplement_1_cents, 'supplement_2_cost', supplement_2_cents, 'supplement_3_cost', supplement_3_cents))`);

function sourcesQuery(db: Database, condition: SQL) {
  return db
    .select({ id: bookings.id, source: sql<string>`${SOURCE}`.as("source") })
    .from(bookings)
    .where(condition)
    .orderBy(bookings.id);
}

/** Returns the query for one contract for the ledger. `parseLedgerSource` converts its row. */
export function ledgerSourceQuery(db: Database, bookingId: number) {
  return sourcesQuery(db, eq(bookings.id, bookingId));
}

export function parseLedgerSource(rows: readonly { readonly source: string }[]): LedgerSource | undefined {
  return rows[0] && (JSON.parse(rows[0].source) as LedgerSource);
}

// Columns that identify an entry. A contract has no two equal entries.
const PARTS = Object.entries(getTableColumns(ledgerEntries)).filter(
  ([name, { generated }]) => !generated && name !== "id" && name !== "bookingId",
);
const STORED_COLUMNS = sql.raw(PARTS.map(([, column]) => column.name).join());
const NEW = sql.raw(PARTS.map(([name]) => `row.value ->> '${name}'`).join());

/**
 * Returns the statements that replace a contract's entries, for the batch that changes it. Unchanged entries aren't
 * written, because each write updates the sums of vehicle, branch and customer class twice.
 */
export function replaceLedgerEntriesStatements(db: Database, bookingId: number, entries: readonly LedgerEntry[]) {
  const rows = entries.map((entry) => ({ ...entry, bookingId }));
  const json = JSON.stringify(entries);
  const isInContract = eq(ledgerEntries.bookingId, bookingId);
  return [
    db
      .delete(ledgerEntries)
      .where(sql`${isInContract} AND (${STORED_COLUMNS}) NOT IN (SELECT ${NEW} FROM json_each(${json}) AS row)`),
    db
      .insert(ledgerEntries)
      .select(
        sql`${selectRowsToInsert(ledgerEntries, rows)} WHERE (${NEW}) NOT IN (SELECT ${STORED_COLUMNS} FROM ledger_entries WHERE ${isInContract})`,
      ),
  ] as const;
}

/** Reads several contracts after an id with their stored entries, to compare and rewrite them. */
export async function readContractsForLedger(db: Database, afterId: number, limit: number) {
  const [rows, item] = await db.batch([
    sourcesQuery(db, sql`bookings.id > ${afterId}`).limit(limit),
    db
      .select()
      .from(ledgerEntries)
      .where(
        sql`booking_id > ${afterId} AND booking_id <= coalesce((SELECT max(id) FROM (SELECT id FROM bookings WHERE id > ${afterId} ORDER BY id LIMIT ${limit})), ${afterId})`,
      ),
  ]);
  return { sources: rows.map(({ source }) => JSON.parse(source) as LedgerSource), kept: item };
}

export type StoredLedgerEntry = Awaited<ReturnType<typeof readContractsForLedger>>["kept"][number];

/** Rewrites the entries of many contracts. */
export async function rewriteLedgerEntries(
  db: Database,
  entries: readonly (LedgerEntry & { readonly bookingId: number })[],
  bookingIds: readonly number[],
): Promise<void> {
  await db.batch([
    db.delete(ledgerEntries).where(sql`booking_id IN (SELECT value FROM json_each(${JSON.stringify(bookingIds)}))`),
    db.insert(ledgerEntries).select(selectRowsToInsert(ledgerEntries, entries)),
  ]);
}

/** Counts sums that differ from their entries. Always zero while the triggers exist. */
export async function countWrongLedgerSums(db: Database): Promise<number> {
  const [rows] = await db.batch([
    db
      .select({
        wrong: sql<number>`(SELECT count(*) FROM (
            SELECT year, reference, month, cents, cents_without_taxes, days, contracts, usage_units FROM ledger_products
            WHERE customer_class = 'all' AND (cents <> 0 OR days <> 0 OR contracts <> 0 OR usage_units <> 0 OR cents_without_taxes <> 0)
            EXCEPT SELECT year, code, month, sum(cents), sum(cents_without_taxes), sum(days), sum(contracts), sum(usage_units)
            FROM ledger_entries WHERE kind = 'product' GROUP BY year, code, month))
          + (SELECT count(*) FROM (
            SELECT kind, year, code, branch_code, month, cents, cents_without_taxes FROM ledger_sales WHERE cents <> 0 OR cents_without_taxes <> 0
            EXCEPT SELECT kind, year, code, branch_code, month, sum(cents), sum(cents_without_taxes)
            FROM ledger_entries WHERE kind <> 'product' GROUP BY kind, year, code, branch_code, month))
          + (SELECT count(*) FROM (
            SELECT year, branch_code, reference, month, cents, cents_without_taxes, days, contracts, usage_units FROM ledger_branch_products
            WHERE customer_class = 'all' AND (cents <> 0 OR days <> 0 OR contracts <> 0 OR usage_units <> 0 OR cents_without_taxes <> 0)
            EXCEPT SELECT year, branch_code, code, month, sum(cents), sum(cents_without_taxes), sum(days), sum(contracts), sum(usage_units)
            FROM ledger_entries WHERE kind = 'product' GROUP BY year, branch_code, code, month))
          + (SELECT count(*) FROM (
            SELECT year, branch_code, code, month, sum(cents), sum(days) FROM ledger_entries WHERE kind = 'product' GROUP BY year, branch_code, code, month
            EXCEPT SELECT year, branch_code, reference, month, cents, days FROM ledger_branch_products WHERE customer_class = 'all'))
          + (SELECT count(*) FROM (
            SELECT year, code, month, sum(cents), sum(days) FROM ledger_entries WHERE kind = 'product' GROUP BY year, code, month
            EXCEPT SELECT year, reference, month, cents, days FROM ledger_products WHERE customer_class = 'all'))`.as(
          "wrong",
        ),
      })
      .from(sql`(SELECT 1)`),
  ]);
  return rows[0]?.wrong ?? 0;
}

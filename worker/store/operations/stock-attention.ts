import { type SQL, sql } from "drizzle-orm";
import type { ShortageSources } from "#domain/operations/stock-shortages.ts";
import type { Database } from "#worker/store/database.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";

const MINUTE = 60_000;

/**
 * Returns the account's local time at an instant (epoch ms) in full civil minutes. SQLite divides bound values as they
 * are.
 */
const clockAt = (at: number) =>
  sql`(${Math.floor(at / MINUTE)} + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= ${at} ORDER BY from_at DESC LIMIT 1), 0))`;

/** Selects rentals that are overdue: `id`, `date_to`, `time_to`. */
export function selectOverdueRentals(at: number): SQL {
  return sql`SELECT id, date_to, time_to FROM bookings
    WHERE status = 'in_progress' AND unixepoch(date_to || ' ' || time_to) / 60 < ${clockAt(at)}`;
}

// Number of units of the allocation's category that got a vehicle of another category or branch group. The
// view `substitute_units` also counts them, but reads more rows.
const REPLACED = sql`(SELECT count(*) FROM booking_units AS unit JOIN vehicles AS vehicle ON vehicle.reference = unit.vehicle_reference
  WHERE unit.booking_id = allocation.booking_id AND unit.delivered_at IS NOT NULL AND unit.collected_at IS NULL
    AND (vehicle.category_code <> allocation.code OR vehicle.branch_group_id <> allocation.branch_group_id)
    AND (SELECT category_code FROM booking_lines WHERE id = unit.booking_line_id) = allocation.code)`;

/**
 * Returns the current and future stock as JSON of a `StockWithHolds`. Reads open and future rows once, and no
 * past rows. A window function over them would count each row thirty times.
 */
export function selectCurrentStock(at: number): SQL<string> {
  const rentable = sql`active = 1 AND assignable = 1 AND (sold_release_date IS NULL OR unixepoch(sold_release_date) / 60 > ${clockAt(at)})`;
  return sql<string>`json_object('now', ${clockAt(at)}, 'overdueMinutes', coalesce((SELECT overdue_minutes FROM settings WHERE id = 1), 240),
    'fleet', (SELECT json_group_array(json_object('kind', kind, 'branchGroupId', branch_group_id, 'code', code, 'units', units, 'leaving', json(leaving))) FROM (
      SELECT 'category' AS kind, branch_group_id, category_code AS code, count(*) AS units,
        json_group_array(json_object('reference', reference, 'at', unixepoch(sold_release_date) / 60)) FILTER (WHERE sold_release_date IS NOT NULL) AS leaving
      FROM vehicles WHERE ${rentable} GROUP BY branch_group_id, category_code
      UNION ALL SELECT 'extra', branch_group_id, extra_code, units, '[]' FROM extra_stocks)),
    'blocks', (SELECT json_group_array(json_object('kind', 'category', 'branchGroupId', branch_group_id, 'code', category_code, 'reference', reference,
        'startsAt', starts_at, 'endsAt', ends_at))
      FROM vehicle_blocks AS block JOIN vehicles ON reference = block.vehicle_reference WHERE block.ends_at > ${clockAt(at)} AND ${rentable}),
    'allocations', (SELECT json_group_array(json_object('kind', kind, 'branchGroupId', branch_group_id, 'code', code, 'startsAt', starts_at, 'endsAt', ends_at,
        'preparationMinutes', preparation_minutes, 'returnsAt', returns_at, 'isOut', is_out, 'quantity', quantity, 'expiresAt', expires_at,
        'replaced', CASE WHEN kind = 'category' AND is_out AND NOT substitute AND quantity > 0 THEN ${REPLACED} ELSE 0 END))
      FROM stock_allocations AS allocation WHERE kind <> 'transfer' AND (expires_at IS NULL OR expires_at > ${at})),
    'trips', (SELECT json_group_array(json(trip)) FROM (SELECT json_object('order', allocation.id, 'vehicleId', vehicle.id, 'vehicle', vehicle.name, 'startsAt', starts_at,
        'endsAt', ends_at - allocation.preparation_minutes, 'originId', coalesce(origin_point_id, 0),
        'destinationId', coalesce(destination_point_id, 0), 'expiresAt', expires_at) AS trip
      FROM stock_allocations AS allocation JOIN transfer_vehicles AS vehicle ON vehicle.id = CAST(allocation.code AS INTEGER)
      WHERE kind = 'transfer' AND ends_at > ${clockAt(at)} AND (expires_at IS NULL OR expires_at > ${at}))))`;
}

/** Stock of the account as JSON, and the version of the data that it was read from. */
export interface CachedStock {
  readonly version: string;
  readonly stockJson: string;
}

// Text that changes with vehicles, their use, extras, trips and the catalogue.
const STOCK_VERSION = sql<string>`json_array((SELECT json_array(version, transfers) FROM stock_version), version)`;

/** Returns the query that reads the stock. `stock` is null if the cached one has the current version. */
export function currentStockQuery(db: Database, at: number, cachedStock: CachedStock | undefined) {
  return db
    .select({
      state: STOCK_VERSION.as("state"),
      now: sql<number>`${clockAt(at)}`.as("now"),
      stock: sql<
        string | null
      >`CASE WHEN ${STOCK_VERSION} = ${cachedStock?.version ?? ""} THEN NULL ELSE ${selectCurrentStock(at)} END`.as(
        "stock",
      ),
    })
    .from(catalogueVersion);
}

type WithHoldExpiry<Of> = Of & { readonly expiresAt: number | null };

/** Stock as read from the database, including holds with their expiry (epoch ms). */
export interface StockWithHolds extends Omit<ShortageSources, "allocations" | "trips"> {
  readonly allocations: readonly WithHoldExpiry<ShortageSources["allocations"][number]>[];
  readonly trips: readonly WithHoldExpiry<ShortageSources["trips"][number]>[];
}

/** Returns the current stock from stock that was read now or earlier. Holds that expired since then use none. */
export function toCurrentStock(
  { stockJson }: CachedStock,
  { at, now }: { readonly at: number; readonly now: number },
): ShortageSources {
  const read = JSON.parse(stockJson) as StockWithHolds;
  const isHoldActive = ({ expiresAt }: WithHoldExpiry<unknown>) => expiresAt === null || expiresAt > at;
  return { ...read, now, allocations: read.allocations.filter(isHoldActive), trips: read.trips.filter(isHoldActive) };
}

import { type Placeholder, sql } from "drizzle-orm";
import type { RentalStock } from "#domain/bookings/availability.ts";
import type { StockRequest } from "#domain/bookings/open-stock.ts";
import type { Database } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";

/** Branch group and required stock of a rental. */
export interface StockQueryInput extends StockRequest {
  readonly branchGroupId: number;
  /** Booking to exclude, because it's being changed. */
  readonly exceptBookingId?: number;
  /** Categories to include. Absent for all of the branch group. */
  readonly categoryCodes?: readonly string[];
}

/**
 * Returns the query for the rentable units by category and their use in the period, as one row of two JSON texts. A
 * search reads a hundred rows, and transferring them separately costs more than finding them. Counts like the database
 * guard (`stock_allocations_insert_limit_stock`).
 */
export function stockQuery(db: Database, input: StockQueryInput) {
  const {
    branchGroupId,
    spans,
    preparationMinutes,
    at,
    now,
    overdueMinutes,
    categoryCodes,
    exceptBookingId = 0,
  } = input;
  const values = {
    branchGroupId,
    startsAt: spans.vehicles.startsAt,
    endsAt: spans.vehicles.endsAt,
    extrasEndAt: spans.extras.endsAt,
    returnsAt: spans.vehicles.endsAt - preparationMinutes,
    at,
    now,
    overdueMinutes,
    exceptBookingId,
  };
  return categoryCodes
    ? stockByCodesQuery(db, { ...values, codes: JSON.stringify(categoryCodes) })
    : fullStockQuery(db, values);
}

const fullStockQuery = prepareQuery((db) => buildStockQuery(db, false));
const stockByCodesQuery = prepareQuery((db) => buildStockQuery(db, true));

const VALUE = {
  branchGroupId: sql.placeholder("branchGroupId"),
  startsAt: sql.placeholder("startsAt"),
  endsAt: sql.placeholder("endsAt"),
  extrasEndAt: sql.placeholder("extrasEndAt"),
  returnsAt: sql.placeholder("returnsAt"),
  at: sql.placeholder("at"),
  now: sql.placeholder("now"),
  overdueMinutes: sql.placeholder("overdueMinutes"),
  exceptBookingId: sql.placeholder("exceptBookingId"),
} as const;

function buildStockQuery(db: Database, hasCodeFilter: boolean) {
  return db
    .select({
      units: sql<string>`(SELECT json_group_array(json_array(code, units)) FROM (${unitsQuery(hasCodeFilter)}))`.as(
        "units",
      ),
      stockAllocations: sql<string>`(SELECT json_group_array(json_array(kind, code, starts_at, ends_at, quantity))
        FROM (${selectAllocations("category", hasCodeFilter)} UNION ALL ${selectAllocations("extra", hasCodeFilter)} UNION ALL ${absencesQuery(hasCodeFilter)}))`.as(
        "stock_allocations",
      ),
    })
    .from(catalogueVersion);
}

// Passes all codes in one parameter, because D1 allows a hundred parameters per statement.
const matchesCodes = (column: string, hasCodeFilter: boolean) =>
  hasCodeFilter ? sql`AND ${sql.raw(column)} IN (SELECT value FROM json_each(${sql.placeholder("codes")}))` : sql``;

// Condition for vehicles of the branch group that can be rented at the start: active, assignable, and not sold or
// released earlier.
const IS_THERE = sql`vehicle.branch_group_id = ${VALUE.branchGroupId} AND vehicle.active = 1 AND vehicle.assignable = 1
  AND (vehicle.sold_release_date IS NULL OR unixepoch(vehicle.sold_release_date) / 60 > ${VALUE.startsAt})`;

function unitsQuery(hasCodeFilter: boolean) {
  return sql`SELECT vehicle.category_code AS code, count(*) AS units FROM vehicles AS vehicle
    WHERE ${IS_THERE} ${matchesCodes("vehicle.category_code", hasCodeFilter)} GROUP BY vehicle.category_code`;
}

type Value = number | Placeholder;
interface StockInstant {
  readonly now: Value;
  readonly overdueMinutes: Value;
}

/** Returns the effective end of a `stock_allocations` row. An overdue rental counts as used for some time from now. */
export function selectEffectiveAllocationEnd({ now, overdueMinutes }: StockInstant) {
  return sql<number>`CASE WHEN quantity > 0 AND is_out AND returns_at < ${now} THEN ${now} + ${overdueMinutes} + ends_at - returns_at ELSE ends_at END`;
}

/** Returns the effective start of a `stock_allocations` row. Units from an overdue one-way rental arrive later. */
function getEffectiveStart({ now, overdueMinutes }: StockInstant) {
  return sql<number>`CASE WHEN quantity < 0 AND is_out AND returns_at < ${now} THEN ${now} + ${overdueMinutes} + starts_at - returns_at ELSE starts_at END`;
}

function selectAllocations(kind: "category" | "extra", hasCodeFilter: boolean) {
  const isEver =
    kind === "category" ? matchesCodes("code", hasCodeFilter) : sql`AND code IN (SELECT extra_code FROM extra_stocks)`;
  const until = kind === "category" ? VALUE.endsAt : VALUE.extrasEndAt;
  return sql`SELECT kind, code, ${getEffectiveStart(VALUE)} AS starts_at, ${selectEffectiveAllocationEnd(VALUE)} AS ends_at, quantity FROM stock_allocations
    WHERE branch_group_id = ${VALUE.branchGroupId} AND kind = ${sql.raw(`'${kind}'`)} ${isEver} AND starts_at < ${until}
      AND (ends_at > ${VALUE.startsAt} OR is_out) AND booking_id <> ${VALUE.exceptBookingId} AND (expires_at IS NULL OR expires_at > ${VALUE.at})`;
}

// Selects vehicles that are blocked, absent or sold before the return, without overlaps per vehicle.
function absencesQuery(hasCodeFilter: boolean) {
  const matchesCategories = matchesCodes("vehicle.category_code", hasCodeFilter);
  return sql`SELECT 'category', code, max(starts_at, coalesce(max(ends_at) OVER (PARTITION BY reference ORDER BY starts_at, ends_at
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), starts_at)), min(ends_at, ${VALUE.returnsAt}), 1
    FROM (
      SELECT vehicle.category_code AS code, vehicle.reference, block.starts_at, block.ends_at
      FROM vehicles AS vehicle JOIN vehicle_blocks AS block ON block.vehicle_reference = vehicle.reference
      WHERE ${IS_THERE} ${matchesCategories} AND block.ends_at > ${VALUE.startsAt} AND block.starts_at < ${VALUE.returnsAt}
      UNION ALL
      SELECT vehicle.category_code, vehicle.reference, unixepoch(vehicle.sold_release_date) / 60, 9007199254740991 FROM vehicles AS vehicle
      WHERE ${IS_THERE} ${matchesCategories} AND vehicle.sold_release_date IS NOT NULL
        AND unixepoch(vehicle.sold_release_date) / 60 < ${VALUE.returnsAt}
    )`;
}

type UnitsRow = readonly [code: string, units: number];
type AllocationRow = readonly [
  kind: "category" | "extra",
  code: string,
  startsAt: number,
  endsAt: number,
  quantity: number,
];

/** Converts the result of `stockQuery` to the domain's stock. */
export function toRentalStock(
  rows: Awaited<ReturnType<typeof stockQuery>>,
  { spans }: Pick<StockQueryInput, "spans">,
): RentalStock {
  const units = JSON.parse(rows[0]?.units ?? "[]") as UnitsRow[];
  const allocationRows = JSON.parse(rows[0]?.stockAllocations ?? "[]") as AllocationRow[];
  const byCode = (kindValue: AllocationRow[0]) => {
    const allocationsByCode = new Map<string, { startsAt: number; endsAt: number; quantity: number }[]>();
    for (const [kind, code, startsAt, endsAt, quantity] of allocationRows) {
      // Skips an absence contained in another one.
      if (kind !== kindValue || startsAt >= endsAt) continue;
      const take = { startsAt, endsAt, quantity };
      const known = allocationsByCode.get(code);
      if (known) known.push(take);
      else allocationsByCode.set(code, [take]);
    }
    return allocationsByCode;
  };
  return {
    spans,
    categoryUnits: new Map(units),
    categoryAllocations: byCode("category"),
    extraAllocations: byCode("extra"),
  };
}

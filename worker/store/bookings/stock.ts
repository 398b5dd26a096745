import { and, count, eq, gt, isNull, lt, ne, notExists, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Stock } from "#domain/bookings/availability.ts";
import type { Span } from "#domain/dates.ts";
import type { Database } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";
import { stockAllocations } from "#worker/store/schema/bookings.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { vehicleBlocks, vehicles } from "#worker/store/schema/vehicles.ts";

/** Whose stock, when: a branch group, and a rental's pickup to return in civil minutes. */
export interface StockQuestion {
  readonly branchGroupId: number;
  readonly span: Span;
  readonly preparationMinutes: number;
  /** Epoch ms; holds that have ended by then are free. */
  readonly at: number;
  /** What this booking takes is not counted: it is the one that changes. */
  readonly exceptBookingId?: number;
  /** Only these categories; absent: all of the branch group. */
  readonly categoryCodes?: readonly string[];
}

/**
 * The rentable units by category and what living bookings take, as one row of two JSON texts: a search reads a hundred
 * rows, and carrying them one by one costs more than finding them.
 */
export function stockQuery(db: Database, question: StockQuestion) {
  const { branchGroupId, span, preparationMinutes, at, categoryCodes, exceptBookingId = 0 } = question;
  const values = {
    branchGroupId,
    startsAt: span.startsAt,
    endsAt: span.endsAt,
    preparedAt: span.endsAt + preparationMinutes,
    at,
    exceptBookingId,
  };
  return categoryCodes ? stockOfCodes(db, { ...values, codes: JSON.stringify(categoryCodes) }) : stockOfAll(db, values);
}

const stockOfAll = prepared((db) => buildStockQuery(db, false));
const stockOfCodes = prepared((db) => buildStockQuery(db, true));

function buildStockQuery(db: Database, isOfCodes: boolean) {
  return db
    .select({
      units: sql<string>`(SELECT json_group_array(json_array(code, units)) FROM (${unitsQuery(db, isOfCodes)}))`.as(
        "units",
      ),
      stockAllocations: sql<string>`(SELECT json_group_array(json_array(kind, code, starts_at, ends_at, quantity))
        FROM (${allocationsQuery(db, isOfCodes)}))`.as("stock_allocations"),
    })
    .from(catalogueVersion);
}

// Active, assignable, not sold before the end, not blocked meanwhile (docs/interfaces/rules.md#units).
function unitsQuery(db: Database, isOfCodes: boolean) {
  const isKept = sql`(${vehicles.soldReleaseDate} IS NULL
    OR unixepoch(${vehicles.soldReleaseDate}) / 60 >= ${sql.placeholder("endsAt")})`;
  const blocks = db
    .select({ one: sql`1` })
    .from(vehicleBlocks)
    .where(
      and(
        eq(vehicleBlocks.vehicleReference, vehicles.reference),
        gt(vehicleBlocks.endsAt, sql.placeholder("startsAt")),
        lt(vehicleBlocks.startsAt, sql.placeholder("endsAt")),
      ),
    );
  return db
    .select({ code: sql`${vehicles.categoryCode}`.as("code"), units: count().as("units") })
    .from(vehicles)
    .where(
      and(
        eq(vehicles.branchGroupId, sql.placeholder("branchGroupId")),
        isOfCodes ? isAmongCodes(vehicles.categoryCode) : undefined,
        eq(vehicles.active, true),
        eq(vehicles.assignable, true),
        isKept,
        notExists(blocks),
      ),
    )
    .groupBy(vehicles.categoryCode);
}

// While the rental and its preparation last.
function allocationsQuery(db: Database, isOfCodes: boolean) {
  return db
    .select({
      kind: stockAllocations.kind,
      code: stockAllocations.code,
      startsAt: stockAllocations.startsAt,
      endsAt: stockAllocations.endsAt,
      quantity: stockAllocations.quantity,
    })
    .from(stockAllocations)
    .where(
      and(
        eq(stockAllocations.branchGroupId, sql.placeholder("branchGroupId")),
        isOfCodes ? or(eq(stockAllocations.kind, "extra"), isAmongCodes(stockAllocations.code)) : undefined,
        lt(stockAllocations.startsAt, sql.placeholder("preparedAt")),
        gt(stockAllocations.endsAt, sql.placeholder("startsAt")),
        ne(stockAllocations.bookingId, sql.placeholder("exceptBookingId")),
        or(isNull(stockAllocations.expiresAt), gt(stockAllocations.expiresAt, sql.placeholder("at"))),
      ),
    );
}

// One parameter for any number of codes: D1 takes a hundred.
function isAmongCodes(column: SQLiteColumn) {
  return sql`${column} IN (SELECT value FROM json_each(${sql.placeholder("codes")}))`;
}

type UnitsRow = readonly [code: string, units: number];
type AllocationRow = readonly [
  kind: "category" | "extra",
  code: string,
  startsAt: number,
  endsAt: number,
  quantity: number,
];

/** The answer of `stockQuery` as the stock that the domain counts with. */
export function toStock(rows: Awaited<ReturnType<typeof stockQuery>>): Stock {
  const units = JSON.parse(rows[0]?.units ?? "[]") as UnitsRow[];
  const taken = JSON.parse(rows[0]?.stockAllocations ?? "[]") as AllocationRow[];
  const byCode = (wanted: AllocationRow[0]) => {
    const found = new Map<string, { startsAt: number; endsAt: number; quantity: number }[]>();
    for (const [kind, code, startsAt, endsAt, quantity] of taken) {
      if (kind !== wanted) continue;
      const take = { startsAt, endsAt, quantity };
      const known = found.get(code);
      if (known) known.push(take);
      else found.set(code, [take]);
    }
    return found;
  };
  return { categoryUnits: new Map(units), categoryAllocations: byCode("category"), extraAllocations: byCode("extra") };
}

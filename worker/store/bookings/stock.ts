import { and, count, eq, gt, isNull, lt, notExists, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Stock } from "#domain/bookings/availability.ts";
import type { Span } from "#domain/dates.ts";
import type { Database } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";
import { takes } from "#worker/store/schema/bookings.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { bookingItems, itemBlocks } from "#worker/store/schema/vehicles.ts";

/** Whose stock, when: a branch group, and a rental's pickup to return in civil minutes. */
export interface StockQuestion {
  readonly rentalStorageId: number;
  readonly span: Span;
  readonly preparationMinutes: number;
  /** Epoch ms; holds that have ended by then are free. */
  readonly at: number;
  /** Only these categories; absent: all of the branch group. */
  readonly categoryCodes?: readonly string[];
}

/**
 * The rentable units by category and what living bookings take, as one row of two JSON texts: a search reads a hundred rows, and
 * carrying them one by one costs more than finding them.
 */
export function stockQuery(db: Database, question: StockQuestion) {
  const { rentalStorageId, span, preparationMinutes, at, categoryCodes } = question;
  const values = {
    rentalStorageId,
    startsAt: span.startsAt,
    endsAt: span.endsAt,
    preparedAt: span.endsAt + preparationMinutes,
    at,
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
      takes: sql<string>`(SELECT json_group_array(json_array(kind, code, starts_at, ends_at, quantity))
        FROM (${takesQuery(db, isOfCodes)}))`.as("takes"),
    })
    .from(catalogueVersion);
}

// Active, assignable, not sold before the end, not blocked meanwhile (decisions, section 5).
function unitsQuery(db: Database, isOfCodes: boolean) {
  const isKept = sql`(${bookingItems.purchasableSoldReleaseDate} IS NULL
    OR unixepoch(${bookingItems.purchasableSoldReleaseDate}) / 60 >= ${sql.placeholder("endsAt")})`;
  const blocks = db
    .select({ one: sql`1` })
    .from(itemBlocks)
    .where(
      and(
        eq(itemBlocks.bookingItemReference, bookingItems.reference),
        gt(itemBlocks.endsAt, sql.placeholder("startsAt")),
        lt(itemBlocks.startsAt, sql.placeholder("endsAt")),
      ),
    );
  return db
    .select({ code: sql`${bookingItems.categoryCode}`.as("code"), units: count().as("units") })
    .from(bookingItems)
    .where(
      and(
        eq(bookingItems.rentalStorageId, sql.placeholder("rentalStorageId")),
        isOfCodes ? isAmongCodes(bookingItems.categoryCode) : undefined,
        eq(bookingItems.active, true),
        eq(bookingItems.assignable, true),
        isKept,
        notExists(blocks),
      ),
    )
    .groupBy(bookingItems.categoryCode);
}

// While the rental and its preparation last.
function takesQuery(db: Database, isOfCodes: boolean) {
  return db
    .select({
      kind: takes.kind,
      code: takes.code,
      startsAt: takes.startsAt,
      endsAt: takes.endsAt,
      quantity: takes.quantity,
    })
    .from(takes)
    .where(
      and(
        eq(takes.rentalStorageId, sql.placeholder("rentalStorageId")),
        isOfCodes ? or(eq(takes.kind, "extra"), isAmongCodes(takes.code)) : undefined,
        lt(takes.startsAt, sql.placeholder("preparedAt")),
        gt(takes.endsAt, sql.placeholder("startsAt")),
        or(isNull(takes.expiresAt), gt(takes.expiresAt, sql.placeholder("at"))),
      ),
    );
}

// One parameter for any number of codes: D1 takes a hundred.
function isAmongCodes(column: SQLiteColumn) {
  return sql`${column} IN (SELECT value FROM json_each(${sql.placeholder("codes")}))`;
}

type UnitsRow = readonly [code: string, units: number];
type TakeRow = readonly [kind: "category" | "extra", code: string, startsAt: number, endsAt: number, quantity: number];

/** The answer of `stockQuery` as the stock that the domain counts with. */
export function toStock(rows: Awaited<ReturnType<typeof stockQuery>>): Stock {
  const units = JSON.parse(rows[0]?.units ?? "[]") as UnitsRow[];
  const taken = JSON.parse(rows[0]?.takes ?? "[]") as TakeRow[];
  const byCode = (wanted: TakeRow[0]) => {
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
  return { categoryUnits: new Map(units), categoryTakes: byCode("category"), extraTakes: byCode("extra") };
}

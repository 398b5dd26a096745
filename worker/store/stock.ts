import { and, count, eq, gt, isNull, lt, notExists, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Stock } from "#domain/availability.ts";
import type { Span } from "#domain/dates.ts";
import type { Database } from "./database.ts";
import { takes } from "./schema/bookings.ts";
import { bookingItems, itemBlocks } from "./schema/fleet.ts";

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

/** Rentable units by category: active, assignable, not sold before the end, not blocked meanwhile (decisions, section 5). */
export function stockQuery(db: Database, { rentalStorageId, span, categoryCodes }: StockQuestion) {
  const isKept = sql`(${bookingItems.purchasableSoldReleaseDate} IS NULL
    OR unixepoch(${bookingItems.purchasableSoldReleaseDate}) / 60 >= ${span.endsAt})`;
  const blocks = db
    .select({ one: sql`1` })
    .from(itemBlocks)
    .where(
      and(
        eq(itemBlocks.bookingItemReference, bookingItems.reference),
        gt(itemBlocks.endsAt, span.startsAt),
        lt(itemBlocks.startsAt, span.endsAt),
      ),
    );
  return db
    .select({ code: bookingItems.categoryCode, units: count() })
    .from(bookingItems)
    .where(
      and(
        eq(bookingItems.rentalStorageId, rentalStorageId),
        categoryCodes && isAmong(bookingItems.categoryCode, categoryCodes),
        eq(bookingItems.active, true),
        eq(bookingItems.assignable, true),
        isKept,
        notExists(blocks),
      ),
    )
    .groupBy(bookingItems.categoryCode);
}

/** What living bookings take of categories and extras while the rental and its preparation last. */
export function takesQuery(db: Database, question: StockQuestion) {
  const { rentalStorageId, span, preparationMinutes, at, categoryCodes } = question;
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
        eq(takes.rentalStorageId, rentalStorageId),
        categoryCodes && or(eq(takes.kind, "extra"), isAmong(takes.code, categoryCodes)),
        lt(takes.startsAt, span.endsAt + preparationMinutes),
        gt(takes.endsAt, span.startsAt),
        or(isNull(takes.expiresAt), gt(takes.expiresAt, at)),
      ),
    );
}

// One parameter for any number of codes: D1 takes a hundred.
function isAmong(column: SQLiteColumn, codes: readonly string[]) {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(codes)}))`;
}

/** The rows of both queries as the stock that the domain counts with. */
export function toStock(
  units: Awaited<ReturnType<typeof stockQuery>>,
  taken: Awaited<ReturnType<typeof takesQuery>>,
): Stock {
  const byCode = (kind: "category" | "extra") =>
    Map.groupBy(
      taken.filter((take) => take.kind === kind),
      (take) => take.code,
    );
  return {
    categoryUnits: new Map(units.map((row) => [row.code, row.units])),
    categoryTakes: byCode("category"),
    extraTakes: byCode("extra"),
  };
}

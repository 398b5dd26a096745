import { type SQL, sql } from "drizzle-orm";
import type { StockNow } from "#domain/bookings/shortages.ts";
import type { Database } from "#worker/store/database.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";

const MINUTE = 60_000;

/** The account's own clock at a moment (epoch ms), in whole civil minutes: SQLite divides what is bound as it is. */
const clockAt = (at: number) =>
  sql`(${Math.floor(at / MINUTE)} + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= ${at} ORDER BY from_at DESC LIMIT 1), 0))`;

/** Rentals that are out after their return: `id`, `date_to`, `time_to`. */
export function overdueRentals(at: number): SQL {
  return sql`SELECT id, date_to, time_to FROM bookings
    WHERE status = 'in_progress' AND unixepoch(date_to || ' ' || time_to) / 60 < ${clockAt(at)}`;
}

/**
 * The stock from now on, as the JSON of a `StockNow`. It reads what is open and to come once, never history: a window
 * over it in SQL counts each row thirty times.
 */
export function stockNow(at: number): SQL<string> {
  const rentable = sql`active = 1 AND assignable = 1 AND (sold_release_date IS NULL OR unixepoch(sold_release_date) / 60 > ${clockAt(at)})`;
  return sql<string>`json_object('now', ${clockAt(at)}, 'overdueMinutes', coalesce((SELECT overdue_minutes FROM settings WHERE id = 1), 240),
    'fleet', (SELECT json_group_array(json_object('branchGroupId', branch_group_id, 'category', category_code, 'units', units, 'leaving', json(leaving))) FROM (
      SELECT branch_group_id, category_code, count(*) AS units, json_group_array(json_object('reference', reference, 'at', unixepoch(sold_release_date) / 60))
        FILTER (WHERE sold_release_date IS NOT NULL) AS leaving
      FROM vehicles WHERE ${rentable} GROUP BY branch_group_id, category_code)),
    'blocks', (SELECT json_group_array(json_object('branchGroupId', branch_group_id, 'category', category_code, 'reference', reference,
        'startsAt', starts_at, 'endsAt', ends_at))
      FROM vehicle_blocks AS block JOIN vehicles ON reference = block.vehicle_reference WHERE block.ends_at > ${clockAt(at)} AND ${rentable}),
    'taken', (SELECT json_group_array(json_object('branchGroupId', branch_group_id, 'category', code, 'startsAt', starts_at, 'endsAt', ends_at,
        'preparationMinutes', preparation_minutes, 'returnsAt', returns_at, 'isOut', is_out, 'quantity', quantity, 'expiresAt', expires_at))
      FROM stock_allocations WHERE kind = 'category' AND (expires_at IS NULL OR expires_at > ${at})))`;
}

/** The stock as it was read once, as JSON, and the state of the account that it is of. */
export interface KnownStock {
  readonly state: string;
  readonly stock: string;
}

// A vehicle or what is taken of it, and what the catalogue says of both.
const STATE = sql<string>`json_array((SELECT version FROM stock_version), version)`;

/** The stock from now on, where the account is not in the state any more in which it was read before. */
export function stockSinceQuery(db: Database, at: number, known: KnownStock | undefined) {
  return db
    .select({
      state: STATE.as("state"),
      now: sql<number>`${clockAt(at)}`.as("now"),
      stock: sql<string | null>`CASE WHEN ${STATE} = ${known?.state ?? ""} THEN NULL ELSE ${stockNow(at)} END`.as(
        "stock",
      ),
    })
    .from(catalogueVersion);
}

type Held = StockNow["taken"][number] & { readonly expiresAt: number | null };

/** The stock at a moment, read then or before: what was held until then is free, and the clock has gone on. */
export function toStockNow(
  { stock }: KnownStock,
  { at, now }: { readonly at: number; readonly now: number },
): StockNow {
  const read = JSON.parse(stock) as Omit<StockNow, "taken"> & { readonly taken: readonly Held[] };
  return { ...read, now, taken: read.taken.filter(({ expiresAt }) => expiresAt === null || expiresAt > at) };
}

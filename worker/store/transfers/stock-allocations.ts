import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Take } from "#domain/bookings/availability.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { toCivilMinute } from "#domain/dates.ts";
import type { TransferTakes } from "#domain/transfers/draft.ts";
import { branchOfVehicle, type TransferSearch } from "#domain/transfers/terms.ts";
import type { Database } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";
import { takes } from "#worker/store/schema/bookings.ts";

/**
 * What living reservations take of the account's transfer vehicles around the trips of a search. No trip takes its vehicle for longer than two
 * days, so that what was driven before is not read.
 */
export function transferTakesQuery(db: Database, catalogue: Catalogue, search: TransferSearch, at: number) {
  const trips = [search.outward, ...(search.back ? [search.back] : [])];
  const starts = trips.map(({ date, time }) => toCivilMinute(date, time));
  const vehicles = [...catalogue.transfers.vehicles.values()];
  const storages = new Set(vehicles.map((vehicle) => branchOfVehicle(catalogue, vehicle).rentalStorageId));
  return takesAround(db, {
    storages: JSON.stringify([...storages]),
    codes: JSON.stringify(vehicles.map(({ id }) => String(id))),
    starts: JSON.stringify(starts),
    from: Math.min(...starts) - LONGEST_MINUTES,
    until: Math.max(...starts) + LONGEST_MINUTES,
    at,
  });
}

const LONGEST_MINUTES = 2880;
const LONGEST = sql.raw(String(LONGEST_MINUTES));

const takesAround = prepared((db) =>
  db
    .select({ code: takes.code, startsAt: takes.startsAt, endsAt: takes.endsAt, quantity: takes.quantity })
    .from(takes)
    .where(
      and(
        sql`${takes.rentalStorageId} IN (SELECT value FROM json_each(${sql.placeholder("storages")}))`,
        eq(takes.kind, "transfer"),
        sql`${takes.code} IN (SELECT value FROM json_each(${sql.placeholder("codes")}))`,
        gt(takes.startsAt, sql.placeholder("from")),
        lt(takes.startsAt, sql.placeholder("until")),
        sql`EXISTS (SELECT 1 FROM json_each(${sql.placeholder("starts")}) AS trip
          WHERE abs(${takes.startsAt} - trip.value) < ${LONGEST})`,
        or(isNull(takes.expiresAt), gt(takes.expiresAt, sql.placeholder("at"))),
      ),
    ),
);

/** The answer of `transferTakesQuery` by vehicle. */
export function toTransferTakes(rows: Awaited<ReturnType<typeof transferTakesQuery>>): TransferTakes {
  const found = new Map<number, Take[]>();
  for (const { code, startsAt, endsAt, quantity } of rows) {
    const take = { startsAt, endsAt, quantity };
    const known = found.get(Number(code));
    if (known) known.push(take);
    else found.set(Number(code), [take]);
  }
  return found;
}

import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { ContractAllocation } from "#domain/contracts/shortage.ts";
import type { Database } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { stockAllocations } from "#worker/store/schema/bookings.ts";

const selectAllocations = (id: SQL | Placeholder) =>
  prepareQuery((db) =>
    db.select().from(stockAllocations).where(sql`booking_id = ${id} AND quantity > 0 AND kind <> 'transfer'`),
  );
const byId = selectAllocations(sql.placeholder("bookingId"));
const byFreeAccessId = selectAllocations(
  sql`(SELECT id FROM bookings WHERE free_access_id = ${sql.placeholder("freeAccessId")})`,
);

/** Returns the query for the stock used by a contract, identified as in `contractQueries`. */
export function contractAllocationsQuery(db: Database, identifier: number | { readonly freeAccessId: string }) {
  return typeof identifier === "number" ? byId(db, { bookingId: identifier }) : byFreeAccessId(db, identifier);
}

/** Converts the rows to the stock used at an instant (epoch ms). An expired hold uses none. */
export function toUnexpiredAllocations(
  rows: Awaited<ReturnType<typeof contractAllocationsQuery>>,
  at: number,
): readonly ContractAllocation[] {
  return rows.flatMap(({ kind, code, branchGroupId, startsAt, endsAt, quantity, isSubstitute, expiresAt }) =>
    kind === "transfer" || (expiresAt !== null && expiresAt <= at)
      ? []
      : [{ kind, code, branchGroupId, startsAt, endsAt, quantity, isSubstitute }],
  );
}

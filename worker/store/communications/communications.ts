import { and, asc, desc, eq, getTableColumns, inArray, lt, lte, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { communicationCursor, communications } from "#worker/store/schema/communications.ts";

export type CommunicationRow = typeof communications.$inferSelect;

export const cursorQuery = (db: Database) => db.select().from(communicationCursor);

/** Begins at a moment (epoch ms): what was before is not communicated. */
export function beginStatement(db: Database, now: number) {
  return db.insert(communicationCursor).values({ id: 1, since: now, lastUpdate: now }).onConflictDoNothing();
}

export function moveCursorStatement(db: Database, lastUpdate: number) {
  return db.update(communicationCursor).set({ lastUpdate }).where(eq(communicationCursor.id, 1));
}

/** Notes when what is not communicated yet was looked at (epoch ms). */
export function lookedStatement(db: Database, now: number) {
  return db.update(communicationCursor).set({ lookedAt: now }).where(eq(communicationCursor.id, 1));
}

/** A communication about to be kept. */
export type NewCommunication = Pick<
  CommunicationRow,
  "bookingId" | "kind" | "unitId" | "part" | "xml" | "fingerprint"
> & {
  readonly state: "waiting" | "dry";
};

export function newCommunicationStatement(db: Database, communication: NewCommunication, now: number) {
  return db.insert(communications).values({ ...communication, nextAt: now, createdAt: now });
}

export function changeCommunicationStatement(
  db: Database,
  id: number,
  change: Partial<Omit<CommunicationRow, "id" | "bookingId" | "kind" | "createdAt">>,
) {
  return db.update(communications).set(change).where(eq(communications.id, id));
}

/** What is to be sent or asked about now, the first first. */
export function openCommunicationsQuery(db: Database, now: number, most: number) {
  return db
    .select()
    .from(communications)
    .where(and(inArray(communications.state, ["waiting", "sent", "annulling"]), lte(communications.nextAt, now)))
    .orderBy(asc(communications.id))
    .limit(most);
}

/** Keeps the communications that are worked on from a second pair of hands, until a moment. */
export function leaseStatement(db: Database, ids: readonly number[], until: number) {
  return db
    .update(communications)
    .set({ nextAt: until })
    .where(sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

export interface CommunicationSearch {
  readonly state: CommunicationRow["state"] | undefined;
  readonly after: number | undefined;
  readonly pageSize: number;
}

/** A page of communications, the latest first, and how many there are of each state and branch. */
export function communicationListQueries(db: Database, { state, after, pageSize }: CommunicationSearch) {
  const { xml: _, fingerprint: __, ...columns } = getTableColumns(communications);
  const ofBooking = eq(bookings.id, communications.bookingId);
  return [
    db
      .select({
        ...columns,
        branchCode: bookings.branchCode,
        returnBranchCode: bookings.returnBranchCode,
        customer: sql<string>`trim(${bookings.customerName} || ' ' || ${bookings.customerSurname})`.as("customer_full"),
      })
      .from(communications)
      .innerJoin(bookings, ofBooking)
      .where(
        and(
          state === undefined ? undefined : eq(communications.state, state),
          after === undefined ? undefined : lt(communications.id, after),
        ),
      )
      .orderBy(desc(communications.id))
      .limit(pageSize + 1),
    db
      .select({
        state: communications.state,
        branchCode: bookings.branchCode,
        returnBranchCode: bookings.returnBranchCode,
        count: sql<number>`count(*)`.as("state_count"),
      })
      .from(communications)
      .innerJoin(bookings, ofBooking)
      .groupBy(communications.state, bookings.branchCode, bookings.returnBranchCode),
  ] as const;
}

/** One communication with whose branch it is of. */
export function communicationQuery(db: Database, id: number) {
  return db
    .select({
      id: communications.id,
      bookingId: communications.bookingId,
      state: communications.state,
      branchCode: bookings.branchCode,
      returnBranchCode: bookings.returnBranchCode,
    })
    .from(communications)
    .innerJoin(bookings, eq(bookings.id, communications.bookingId))
    .where(eq(communications.id, id));
}

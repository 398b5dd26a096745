import { and, asc, desc, eq, getTableColumns, inArray, isNull, lt, lte, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { ministryReportCursor, ministryReports } from "#worker/store/schema/ministry-reports.ts";

export type MinistryReportRow = typeof ministryReports.$inferSelect;

export const ministryReportCursorQuery = (db: Database) => db.select().from(ministryReportCursor);

/**
 * Returns the statement that sets the start of reporting, once: the time in the history when reporting was enabled in
 * the settings, otherwise now. Earlier rentals aren't reported. `now` is epoch ms.
 */
export function startMinistryReportingStatement(db: Database, now: number) {
  const since = sql`coalesce((SELECT max(at) FROM office_history WHERE resource = 'settings'
    AND coalesce(detail ->> '$.before.ses_mode', 'none') = 'none' AND detail ->> '$.after.ses_mode' <> 'none'), ${now})`;
  const hasNoCursor = sql`WHERE NOT EXISTS (SELECT 1 FROM ministry_report_cursor)`;
  return db
    .insert(ministryReportCursor)
    .select(selectRowToInsert(ministryReportCursor, { id: 1, since, lastUpdate: since }, hasNoCursor));
}

type Cursor = typeof ministryReportCursor.$inferSelect;

/** Returns the statement that advances the cursor. The database refuses the batch if another cron run moved it. */
export function advanceMinistryReportCursorStatement(
  db: Database,
  { lastUpdate, lookedAt }: Cursor,
  to: Pick<Cursor, "lastUpdate" | "lookedAt">,
) {
  const isAsRead = sql`last_update = ${lastUpdate} AND reviewed_at = ${lookedAt}`;
  return db
    .update(ministryReportCursor)
    .set({ lastUpdate: sql`iif(${isAsRead}, ${to.lastUpdate}, NULL)`, lookedAt: to.lookedAt })
    .where(eq(ministryReportCursor.id, 1));
}

/** MinistryReport about to be stored. */
export type NewMinistryReport = Pick<
  MinistryReportRow,
  "bookingId" | "kind" | "unitId" | "vehicleNumber" | "part" | "xml" | "fingerprint"
> & {
  readonly state: "waiting" | "dry";
};

/** Returns the statement that adds a report that is due at once. `now` is epoch ms. */
export function newMinistryReportStatement(db: Database, ministryReport: NewMinistryReport, now: number) {
  return db.insert(ministryReports).values({ ...ministryReport, nextAt: now, createdAt: now });
}

/** Changed fields of a report to the ministry. */
export type MinistryReportChange = Partial<Omit<MinistryReportRow, "id" | "bookingId" | "kind" | "createdAt">>;

/**
 * Returns the statement that changes a report to the ministry after a decision. The database refuses the batch if it
 * was sent, answered or changed since it was read.
 */
export function changeMinistryReportOrFailStatement(
  db: Database,
  read: Pick<MinistryReportRow, "id" | "state" | "attempts" | "fingerprint">,
  { state, ...change }: MinistryReportChange,
) {
  const isAsRead = sql`state = ${read.state} AND attempts = ${read.attempts} AND fingerprint = ${read.fingerprint}`;
  return db
    .update(ministryReports)
    .set({ ...change, state: sql`iif(${isAsRead}, ${state ?? read.state}, NULL)` })
    .where(eq(ministryReports.id, read.id));
}

/**
 * Returns the statement that changes a report to the ministry if its state and content are unchanged since it was read.
 */
export function changeMinistryReportIfUnchangedStatement(
  db: Database,
  { id, state, fingerprint }: Pick<MinistryReportRow, "id" | "state" | "fingerprint">,
  change: MinistryReportChange,
) {
  return db
    .update(ministryReports)
    .set(change)
    .where(
      and(eq(ministryReports.id, id), eq(ministryReports.state, state), eq(ministryReports.fingerprint, fingerprint)),
    );
}

/**
 * Returns the statement that saves the authority's batch code of a report to the ministry that was withdrawn during
 * sending, so that it can be annulled.
 */
export function saveMinistryBatchCodeStatement(db: Database, { id }: Pick<MinistryReportRow, "id">, batchCode: string) {
  return db
    .update(ministryReports)
    .set({ lot: batchCode })
    .where(and(eq(ministryReports.id, id), eq(ministryReports.state, "annulling"), isNull(ministryReports.lot)));
}

/** Returns the query for the reports to the ministry to send or check now, earliest first. */
export function dueMinistryReportsQuery(db: Database, now: number, limit: number) {
  return db
    .select()
    .from(ministryReports)
    .where(and(inArray(ministryReports.state, ["waiting", "sent", "annulling"]), lte(ministryReports.nextAt, now)))
    .orderBy(asc(ministryReports.id))
    .limit(limit);
}

/**
 * Returns the statement that claims a report to the ministry until a given time before it's sent. Returns its current
 * state, or nothing if another run has it. A pending one counts an attempt, because the authority may receive it from
 * then on.
 */
export function claimMinistryReportStatement(
  db: Database,
  { id, state, nextAt }: Pick<MinistryReportRow, "id" | "state" | "nextAt">,
  until: number,
) {
  return db
    .update(ministryReports)
    .set({ nextAt: until, attempts: sql`attempts + (state = 'waiting')` })
    .where(and(eq(ministryReports.id, id), eq(ministryReports.state, state), eq(ministryReports.nextAt, nextAt)))
    .returning();
}

/** Returns the statement that postpones reports to the ministry until the company sets its credentials. */
export function postponeMinistryReportsStatement(db: Database, ids: readonly number[], error: string, until: number) {
  return db
    .update(ministryReports)
    .set({ nextAt: until, error })
    .where(sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

export interface MinistryReportSearch {
  readonly state: MinistryReportRow["state"] | undefined;
  readonly after: number | undefined;
  readonly pageSize: number;
}

/** Returns the queries for a page of reports to the ministry, newest first, and the counts by state and branch. */
export function ministryReportListQueries(db: Database, { state, after, pageSize }: MinistryReportSearch) {
  const { xml: _, fingerprint: __, ...columns } = getTableColumns(ministryReports);
  const hasSameBooking = eq(bookings.id, ministryReports.bookingId);
  return [
    db
      .select({
        ...columns,
        branchCode: bookings.branchCode,
        returnBranchCode: bookings.returnBranchCode,
        bookingStatus: bookings.status,
        customer: sql<string>`trim(${bookings.customerName} || ' ' || ${bookings.customerSurname})`.as("customer_full"),
      })
      .from(ministryReports)
      .innerJoin(bookings, hasSameBooking)
      .where(
        and(
          state === undefined ? undefined : eq(ministryReports.state, state),
          after === undefined ? undefined : lt(ministryReports.id, after),
        ),
      )
      .orderBy(desc(ministryReports.id))
      .limit(pageSize + 1),
    db
      .select({
        state: ministryReports.state,
        branchCode: bookings.branchCode,
        returnBranchCode: bookings.returnBranchCode,
        count: sql<number>`count(*)`.as("state_count"),
      })
      .from(ministryReports)
      .innerJoin(bookings, hasSameBooking)
      .groupBy(ministryReports.state, bookings.branchCode, bookings.returnBranchCode),
  ] as const;
}

/**
 * Returns the query for a report to the ministry, with the status and the pickup and return branches of its booking.
 */
export function ministryReportQuery(db: Database, id: number) {
  return db
    .select({
      id: ministryReports.id,
      bookingId: ministryReports.bookingId,
      state: ministryReports.state,
      error: ministryReports.error,
      attempts: ministryReports.attempts,
      fingerprint: ministryReports.fingerprint,
      bookingStatus: bookings.status,
      branchCode: bookings.branchCode,
      returnBranchCode: bookings.returnBranchCode,
    })
    .from(ministryReports)
    .innerJoin(bookings, eq(bookings.id, ministryReports.bookingId))
    .where(eq(ministryReports.id, id));
}

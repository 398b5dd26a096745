import type { Settings } from "#domain/catalogue/catalogue.ts";
import {
  advanceCursorStatement,
  changeCommunicationStatement,
  type MinistryReportRow,
  newReportStatement,
  reportCursorQuery,
  startReportingStatement,
} from "#worker/store/communications/communications.ts";
import {
  type BookingToReportRows,
  bookingsToReportQueries,
  rentalsChangedSinceQuery,
  unreportedRentalsQuery,
} from "#worker/store/communications/rentals.ts";
import type { Query } from "#worker/store/database.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { type DueMinistryReport, findObsoleteReports, groupRowsByBooking, planMinistryReports } from "./plan.ts";
import { refreshMinistryLists } from "./refresh-lists.ts";
import { processMinistryReports } from "./send.ts";

const CHANGED_BATCH_SIZE = 40;
const UNREPORTED_BATCH_SIZE = 40;
/**
 * Interval of rechecks. Data that completes a report to the ministry, such as a vehicle's number or a code, may change
 * without a change of the contract.
 */
const RECHECK_INTERVAL_MS = 10 * 60_000;

/**
 * Reports changes of the account's rentals to the ministry. Creates required communications, withdraws obsolete ones,
 * and sends and checks open ones. Returns the number created or answered.
 */
export async function reportRentals(tenant: Tenant, now: number): Promise<number> {
  const { settings } = (await tenant.snapshot()).catalogue;
  if (settings.sesMode === "none") return 0;
  await refreshMinistryLists({ tenant, settings }, now);
  const plannedCount = await planChanged(tenant, settings, now);
  const sentCount = settings.sesMode === "ses" ? await processMinistryReports(tenant, settings, now) : 0;
  return plannedCount + sentCount;
}

async function planChanged({ db }: Tenant, settings: Settings, now: number): Promise<number> {
  const [, [cursor]] = await db.batch([startReportingStatement(db, now), reportCursorQuery(db)]);
  if (!cursor) return 0;
  const isRecheckDue = now - cursor.lookedAt >= RECHECK_INTERVAL_MS;
  const [changed, untold] = await db.batch([
    rentalsChangedSinceQuery(db, cursor.lastUpdate, CHANGED_BATCH_SIZE),
    unreportedRentalsQuery(db, now, isRecheckDue ? UNREPORTED_BATCH_SIZE : 0),
  ]);
  const last = changed.at(-1);
  const ids = [...new Set([...changed, ...untold].map(({ id }) => id))];
  if (ids.length === 0) return 0;
  const rows = await db.batch(bookingsToReportQueries(db, ids));
  const statements = await Promise.all(
    groupRowsByBooking(rows).map((communicatedRows) => reconcile(db, communicatedRows, settings, now)),
  );
  const flat = statements.flat();
  await db.batch([
    advanceCursorStatement(db, cursor, {
      lastUpdate: last?.lastUpdate ?? cursor.lastUpdate,
      lookedAt: isRecheckDue ? now : cursor.lookedAt,
    }),
    ...flat,
  ]);
  return flat.length;
}

async function reconcile(
  db: Tenant["db"],
  rows: BookingToReportRows,
  settings: Settings,
  now: number,
): Promise<readonly Query[]> {
  const state = settings.sesMode === "dry_run" ? ("dry" as const) : ("waiting" as const);
  const [{ id: bookingId, status }] = rows;
  const dueCommunications = planMinistryReports(rows, settings);
  const withdrawals = findObsoleteReports(rows, dueCommunications).flatMap((item) => takeBack(db, item, now));
  if (status === "cancelled")
    return [
      ...withdrawals,
      ...dueCommunications.flatMap(({ storedReport }) => (storedReport ? takeBack(db, storedReport, now) : [])),
    ];
  const statements = dueCommunications.map((dueCommunication) =>
    writesFor(db, dueCommunication, { bookingId, state, now }),
  );
  return [...withdrawals, ...(await Promise.all(statements)).flat()];
}

async function writesFor(
  db: Tenant["db"],
  { kind, unitId, part, storedReport, xml, isDue }: DueMinistryReport,
  { bookingId, state, now }: { readonly bookingId: number; readonly state: "waiting" | "dry"; readonly now: number },
): Promise<readonly Query[]> {
  if (!isDue || xml === undefined) return [];
  const content = { xml, fingerprint: await computeFingerprint(xml), state };
  if (storedReport?.fingerprint === content.fingerprint) return [];
  const resetFields = { lot: null, error: null, attempts: 0, answeredAt: null, nextAt: now };
  if (storedReport && !mayHave(storedReport))
    return [changeCommunicationStatement(db, storedReport, { ...content, ...resetFields })];
  const newCommunication = newReportStatement(db, { bookingId, kind, unitId, part, ...content }, now);
  return [...(storedReport ? takeBack(db, storedReport, now) : []), newCommunication];
}

// Whether the ministry may have a report. One that was sent without an answer may have arrived.
const mayHave = ({ state, attempts }: MinistryReportRow) =>
  state === "accepted" || state === "sent" || (state === "waiting" && attempts > 0);

// Withdraws a report. If the ministry may have it, it's annulled there. Otherwise it just isn't sent.
function takeBack(db: Tenant["db"], communication: MinistryReportRow, now: number): readonly Query[] {
  const state = mayHave(communication) ? ("annulling" as const) : ("annulled" as const);
  // A cron run that has claimed the report may still receive a batch code for it, so the annulment waits until
  // the claim ends. An earlier batch code is removed, because the ministry refused that batch.
  const pendingFields = communication.state === "waiting" && { nextAt: Math.max(communication.nextAt, now), lot: null };
  return [changeCommunicationStatement(db, communication, { state, nextAt: now, ...pendingFields })];
}

import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { Query } from "#worker/store/database.ts";
import {
  advanceMinistryReportCursorStatement,
  changeMinistryReportOrFailStatement,
  type MinistryReportRow,
  ministryReportCursorQuery,
  newMinistryReportStatement,
  startMinistryReportingStatement,
} from "#worker/store/ministry-reports/ministry-reports.ts";
import {
  type BookingToReportRows,
  bookingsToReportQueries,
  rentalsChangedSinceQuery,
  unreportedRentalsQuery,
} from "#worker/store/ministry-reports/rentals.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import {
  findObsoleteMinistryReports,
  groupReportRowsByBooking,
  listRequiredMinistryReports,
  type RequiredMinistryReport,
} from "./plan.ts";
import { refreshMinistryCodeLists } from "./refresh-lists.ts";
import { sendAndCheckMinistryReports } from "./send.ts";

const CHANGED_BATCH_SIZE = 40;
const UNREPORTED_BATCH_SIZE = 40;
/**
 * Interval of rechecks. Data that completes a report to the ministry, such as a vehicle's number or a code, may change
 * without a change of the contract.
 */
const RECHECK_INTERVAL_MS = 10 * 60_000;

/**
 * Reports changes of the account's rentals to the ministry. Creates required reports, withdraws obsolete ones,
 * and sends and checks open ones. Returns the number created or answered.
 */
export async function reportRentalsToMinistry(tenant: Tenant, now: number): Promise<number> {
  const { settings } = (await tenant.snapshot()).catalogue;
  if (settings.sesMode === "none") return 0;
  await refreshMinistryCodeLists({ tenant, settings }, now);
  const plannedCount = await planChanged(tenant, settings, now);
  const sentCount = settings.sesMode === "ses" ? await sendAndCheckMinistryReports(tenant, settings, now) : 0;
  return plannedCount + sentCount;
}

async function planChanged({ db }: Tenant, settings: Settings, now: number): Promise<number> {
  const [, [cursor]] = await db.batch([startMinistryReportingStatement(db, now), ministryReportCursorQuery(db)]);
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
    groupReportRowsByBooking(rows).map((reportRows) => reconcile(db, reportRows, settings, now)),
  );
  const flat = statements.flat();
  await db.batch([
    advanceMinistryReportCursorStatement(db, cursor, {
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
  const dueMinistryReports = listRequiredMinistryReports(rows, settings);
  const withdrawals = findObsoleteMinistryReports(rows, dueMinistryReports).flatMap((item) => takeBack(db, item, now));
  if (status === "cancelled")
    return [
      ...withdrawals,
      ...dueMinistryReports.flatMap(({ storedReport }) => (storedReport ? takeBack(db, storedReport, now) : [])),
    ];
  const statements = dueMinistryReports.map((dueMinistryReport) =>
    writesFor(db, dueMinistryReport, { bookingId, state, now }),
  );
  return [...withdrawals, ...(await Promise.all(statements)).flat()];
}

async function writesFor(
  db: Tenant["db"],
  { kind, unitId, vehicleNumber, part, storedReport, xml, isDue }: RequiredMinistryReport,
  { bookingId, state, now }: { readonly bookingId: number; readonly state: "waiting" | "dry"; readonly now: number },
): Promise<readonly Query[]> {
  if (!isDue || xml === undefined) return [];
  const content = { xml, fingerprint: await computeFingerprint(xml), state };
  if (storedReport?.fingerprint === content.fingerprint) return [];
  const resetFields = { lot: null, error: null, attempts: 0, answeredAt: null, nextAt: now };
  if (storedReport && !mayHave(storedReport))
    return [changeMinistryReportOrFailStatement(db, storedReport, { ...content, ...resetFields })];
  const key = { bookingId, kind, unitId, vehicleNumber, part };
  const newMinistryReport = newMinistryReportStatement(db, { ...key, ...content }, now);
  return [...(storedReport ? takeBack(db, storedReport, now) : []), newMinistryReport];
}

// Whether the ministry may have a report. One that was sent without an answer may have arrived.
const mayHave = ({ state, attempts }: MinistryReportRow) =>
  state === "accepted" || state === "sent" || (state === "waiting" && attempts > 0);

// Withdraws a report. If the ministry may have it, it's annulled there. Otherwise it just isn't sent.
function takeBack(db: Tenant["db"], ministryReport: MinistryReportRow, now: number): readonly Query[] {
  const state = mayHave(ministryReport) ? ("annulling" as const) : ("annulled" as const);
  // A cron run that has claimed the report may still receive a batch code for it, so the annulment waits until
  // the claim ends. An earlier batch code is removed, because the ministry refused that batch.
  const pendingFields = ministryReport.state === "waiting" && {
    nextAt: Math.max(ministryReport.nextAt, now),
    lot: null,
  };
  return [changeMinistryReportOrFailStatement(db, ministryReport, { state, nextAt: now, ...pendingFields })];
}

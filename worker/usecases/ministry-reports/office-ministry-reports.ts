import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { needsManualAnnulment } from "#domain/ministry-reports/manual-annulment.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { QueryResults } from "#worker/store/database.ts";
import {
  changeMinistryReportIfUnchangedStatement,
  type MinistryReportChange,
  type MinistryReportSearch,
  ministryReportListQueries,
  ministryReportQuery,
} from "#worker/store/ministry-reports/ministry-reports.ts";
import { type BookingToReportRows, bookingsToReportQueries } from "#worker/store/ministry-reports/rentals.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { type OfficeReadBackContext, runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { type Page, toPage } from "#worker/usecases/shared/page.ts";
import {
  groupReportRowsByBooking,
  isSameReport,
  listRequiredMinistryReports,
  type RequiredMinistryReport,
} from "./plan.ts";
import { testSesConnection } from "./send.ts";

/** Reports to the ministry that a reservation requires now or later. */
export type MinistryReportsAnswer = readonly RequiredMinistryReport[];

/**
 * Returns the reports to the ministry of a reservation and their missing data. Empty for a transfer. One round trip.
 */
export async function readMinistryReports(
  request: StaffRequest,
  bookingId: number,
): Promise<Result<StaffAnswer<MinistryReportsAnswer>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => bookingsToReportQueries(request.tenant.db, [bookingId]));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const ministryReports = findMinistryReports(rows, { staff, catalogue });
  return ministryReports.ok ? ok({ value: ministryReports.value, freshToken }) : ministryReports;
}

/**
 * Returns the queries that read a reservation's reports to the ministry in the batch of a write, and the function that
 * builds the answer.
 */
export function createMinistryReportsReadBack({ tenant }: StaffRequest) {
  return { readBack: (id: string) => bookingsToReportQueries(tenant.db, [Number(id)]), answer: findMinistryReports };
}

function findMinistryReports(
  rows: QueryResults<ReturnType<typeof bookingsToReportQueries>>,
  { staff, catalogue }: Omit<OfficeReadBackContext, "resource">,
): Result<MinistryReportsAnswer, OfficeRefusal> {
  const [ministryReports] = groupReportRowsByBooking(rows);
  if (!ministryReports || !canAccessBranch(staff, ministryReports[0].branchCode, ministryReports[0].returnBranchCode))
    return err({ kind: "reservationNotFound" });
  const isReportable = catalogue.settings.sesMode !== "none" && ministryReports[0].kind === "rental";
  if (!isReportable) return ok([]);
  const dueMinistryReports = listRequiredMinistryReports(ministryReports, catalogue.settings);
  return ok(
    ministryReports[0].status === "cancelled"
      ? dueMinistryReports.flatMap((dueMinistryReport) =>
          toCancelledMinistryReports(dueMinistryReport, ministryReports),
        )
      : dueMinistryReports,
  );
}

// A cancelled reservation needs no further data. Only past reports and their results are shown.
function toCancelledMinistryReports(
  dueMinistryReports: RequiredMinistryReport,
  [, , item]: BookingToReportRows,
): MinistryReportsAnswer {
  const last = item.findLast((item) => isSameReport(item, dueMinistryReports));
  return last ? [{ ...dueMinistryReports, missing: [], optional: [], storedReport: last }] : [];
}

type ReportListRow = Awaited<ReturnType<typeof ministryReportListQueries>[0]>[number];

/** Page of an account's reports to the ministry, with counts by state. */
export interface MinistryReportPage extends Page<ReportListRow & { readonly isToSendAgain: boolean }> {
  readonly counts: Readonly<Record<string, number>>;
  /** How rentals are reported to the ministry: not at all, as a dry run, or through SES. */
  readonly mode: Catalogue["settings"]["sesMode"];
}

/** Lists the reports to the ministry of the user's branches, newest first. One round trip. */
export async function listMinistryReports(
  request: StaffRequest,
  search: MinistryReportSearch,
): Promise<Result<StaffAnswer<MinistryReportPage>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => ministryReportListQueries(request.tenant.db, search));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [ministryReports, counted] = rows;
  const isOwn = (item: { readonly branchCode: string; readonly returnBranchCode: string }) =>
    canAccessBranch(staff, item.branchCode, item.returnBranchCode);
  const own = counted.filter(isOwn);
  const counts: Record<string, number> = {};
  for (const { state, count } of own) counts[state] = (counts[state] ?? 0) + count;
  const total =
    search.state === undefined ? own.reduce((sum, { count }) => sum + count, 0) : (counts[search.state] ?? 0);
  const page = toPage(ministryReports, { total }, search.pageSize, ({ id }) => id);
  const ownRows = page.rows.filter(isOwn).map((row) => ({ ...row, isToSendAgain: isToSendAgain(row) }));
  return ok({ value: { ...page, rows: ownRows, counts, mode: catalogue.settings.sesMode }, freshToken });
}

/**
 * Resends a refused report unchanged, after the problem was fixed on the ministry's site. Doesn't send
 * reports of cancelled reservations.
 */
export function resendRefusedReport(write: OfficeWrite, id: number) {
  return resolveTask(write, id, {
    content: { sendAgain: id },
    refusal: (ministryReports) => (isToSendAgain(ministryReports) ? undefined : { kind: "ministryReportNotRefused" }),
    change: { state: "waiting", error: null, attempts: 0, answeredAt: null, nextAt: write.now },
  });
}

/** Records that a user annulled a report without a known code on the ministry's site. */
export function recordManualAnnulment(write: OfficeWrite, id: number) {
  return resolveTask(write, id, {
    content: { annulled: id },
    refusal: (ministryReports) =>
      needsManualAnnulment(ministryReports) ? undefined : { kind: "ministryReportNotByHand" },
    change: { state: "annulled", error: null, answeredAt: write.now },
  });
}

type MinistryReportState = Pick<ReportListRow, "state" | "error" | "bookingStatus">;

const isToSendAgain = (item: MinistryReportState): boolean =>
  item.state === "refused" && !needsManualAnnulment(item) && item.bookingStatus !== "cancelled";

interface TaskResolution {
  readonly content: object;
  readonly refusal: (ministryReports: MinistryReportState) => OfficeRefusal | undefined;
  readonly change: MinistryReportChange;
}

function resolveTask(
  write: OfficeWrite,
  id: number,
  { content, refusal, change }: TaskResolution,
): Promise<Result<StaffAnswer<MinistryReportsAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    ...createMinistryReportsReadBack(write),
    right: "manage",
    content,
    read: () => [ministryReportQuery(db, id)] as const,
    decide: ({ rows: [[ministryReports]], staff }) => {
      if (!ministryReports || !canAccessBranch(staff, ministryReports.branchCode, ministryReports.returnBranchCode))
        return err({ kind: "ministryReportNotFound" });
      const refused = refusal(ministryReports);
      if (refused) return err(refused);
      return ok({
        resource: String(ministryReports.bookingId),
        statements: [changeMinistryReportIfUnchangedStatement(db, ministryReports, change)],
      });
    },
  });
}

/** Tests the connection to the ministry with a query that registers nothing. Returns the problem, if any. */
export async function testMinistryConnectionAsStaff(
  request: StaffRequest,
): Promise<Result<StaffAnswer<string | undefined>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => bookingsToReportQueries(request.tenant.db, [-1]));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue } = read.value;
  const missing = findMissingRightRefusal(staff, "administer");
  if (missing) return missing;
  return ok({ value: await testSesConnection(request.tenant, catalogue.settings), freshToken });
}

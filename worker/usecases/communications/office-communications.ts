import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { needsManualAnnulment } from "#domain/communications/manual-annulment.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  changeReportIfUnchangedStatement,
  type MinistryReportChange,
  type MinistryReportSearch,
  reportListQueries,
  reportQuery,
} from "#worker/store/communications/communications.ts";
import { type BookingToReportRows, bookingsToReportQueries } from "#worker/store/communications/rentals.ts";
import type { QueryResults } from "#worker/store/database.ts";
import {
  type OfficeAnswer,
  type OfficeRefusal,
  type OfficeWrite,
  refuseMissingRight,
} from "#worker/usecases/office/office-context.ts";
import { type OfficeAnswerContext, writeOfficeOnce } from "#worker/usecases/office/office-write.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { type Page, toPage } from "#worker/usecases/shared/page.ts";
import { type DueMinistryReport, groupRowsByBooking, listDueMinistryReports } from "./plan.ts";
import { testSesConnection } from "./send.ts";

/** Communications of a reservation. */
export type MinistryReportsAnswer = readonly DueMinistryReport[];

/**
 * Returns the reports to the ministry of a reservation and their missing data. Empty for a transfer. One round trip.
 */
export async function readMinistryReports(
  request: StaffRequest,
  bookingId: number,
): Promise<Result<OfficeAnswer<MinistryReportsAnswer>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => bookingsToReportQueries(request.tenant.db, [bookingId]));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = refuseMissingRight(staff, "see");
  if (missing) return missing;
  const communications = findCommunications(rows, { staff, catalogue });
  return communications.ok ? ok({ value: communications.value, freshToken }) : communications;
}

/**
 * Returns the queries that read a reservation's reports to the ministry in the batch of a write, and the function that
 * builds the answer.
 */
export function createMinistryReportsReadBack({ tenant }: StaffRequest) {
  return { readBack: (id: string) => bookingsToReportQueries(tenant.db, [Number(id)]), answer: findCommunications };
}

function findCommunications(
  rows: QueryResults<ReturnType<typeof bookingsToReportQueries>>,
  { staff, catalogue }: Omit<OfficeAnswerContext, "resource">,
): Result<MinistryReportsAnswer, OfficeRefusal> {
  const [communications] = groupRowsByBooking(rows);
  if (!communications || !canAccessBranch(staff, communications[0].branchCode, communications[0].returnBranchCode))
    return err({ kind: "reservationNotFound" });
  const isReportable = catalogue.settings.sesMode !== "none" && communications[0].kind === "rental";
  if (!isReportable) return ok([]);
  const dueCommunications = listDueMinistryReports(communications, catalogue.settings);
  return ok(
    communications[0].status === "cancelled"
      ? dueCommunications.flatMap((dueCommunication) => toCancelledCommunications(dueCommunication, communications))
      : dueCommunications,
  );
}

// A cancelled reservation needs no further data. Only past reports and their results are shown.
function toCancelledCommunications(
  dueCommunications: DueMinistryReport,
  [, , item]: BookingToReportRows,
): MinistryReportsAnswer {
  const { kind, unitId, part } = dueCommunications;
  const last = item.findLast((item) => item.kind === kind && item.unitId === unitId && item.part === part);
  return last ? [{ ...dueCommunications, missing: [], optional: [], storedReport: last }] : [];
}

type ReportListRow = Awaited<ReturnType<typeof reportListQueries>[0]>[number];

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
): Promise<Result<OfficeAnswer<MinistryReportPage>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => reportListQueries(request.tenant.db, search));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = refuseMissingRight(staff, "see");
  if (missing) return missing;
  const [communications, counted] = rows;
  const isOwn = (item: { readonly branchCode: string; readonly returnBranchCode: string }) =>
    canAccessBranch(staff, item.branchCode, item.returnBranchCode);
  const own = counted.filter(isOwn);
  const counts: Record<string, number> = {};
  for (const { state, count } of own) counts[state] = (counts[state] ?? 0) + count;
  const total =
    search.state === undefined ? own.reduce((sum, { count }) => sum + count, 0) : (counts[search.state] ?? 0);
  const page = toPage(communications, { total }, search.pageSize, ({ id }) => id);
  const ownRows = page.rows.filter(isOwn).map((row) => ({ ...row, isToSendAgain: isToSendAgain(row) }));
  return ok({ value: { ...page, rows: ownRows, counts, mode: catalogue.settings.sesMode }, freshToken });
}

/**
 * Resends a refused communication unchanged, after the problem was fixed on the ministry's site. Doesn't send
 * communications of cancelled reservations.
 */
export function resendRefusedReport(write: OfficeWrite, id: number) {
  return resolveTask(write, id, {
    content: { sendAgain: id },
    refusal: (communications) => (isToSendAgain(communications) ? undefined : { kind: "communicationNotRefused" }),
    change: { state: "waiting", error: null, attempts: 0, answeredAt: null, nextAt: write.now },
  });
}

/** Records that a user annulled a communication without a known code on the ministry's site. */
export function recordManualAnnulment(write: OfficeWrite, id: number) {
  return resolveTask(write, id, {
    content: { annulled: id },
    refusal: (communications) =>
      needsManualAnnulment(communications) ? undefined : { kind: "communicationNotByHand" },
    change: { state: "annulled", error: null, answeredAt: write.now },
  });
}

type CommunicationState = Pick<ReportListRow, "state" | "error" | "bookingStatus">;

const isToSendAgain = (item: CommunicationState): boolean =>
  item.state === "refused" && !needsManualAnnulment(item) && item.bookingStatus !== "cancelled";

interface TaskResolution {
  readonly content: object;
  readonly refusal: (communications: CommunicationState) => OfficeRefusal | undefined;
  readonly change: MinistryReportChange;
}

function resolveTask(
  write: OfficeWrite,
  id: number,
  { content, refusal, change }: TaskResolution,
): Promise<Result<OfficeAnswer<MinistryReportsAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  return writeOfficeOnce(write, {
    ...createMinistryReportsReadBack(write),
    right: "manage",
    content,
    read: () => [reportQuery(db, id)] as const,
    decide: ({ rows: [[communications]], staff }) => {
      if (!communications || !canAccessBranch(staff, communications.branchCode, communications.returnBranchCode))
        return err({ kind: "communicationNotFound" });
      const refused = refusal(communications);
      if (refused) return err(refused);
      return ok({
        resource: String(communications.bookingId),
        statements: [changeReportIfUnchangedStatement(db, communications, change)],
      });
    },
  });
}

/** Tests the connection to the ministry with a query that registers nothing. Returns the problem, if any. */
export async function testMinistryAccess(
  request: StaffRequest,
): Promise<Result<OfficeAnswer<string | undefined>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => bookingsToReportQueries(request.tenant.db, [-1]));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue } = read.value;
  const missing = refuseMissingRight(staff, "administer");
  if (missing) return missing;
  return ok({ value: await testSesConnection(request.tenant, catalogue.settings), freshToken });
}

import {
  type AgencyStatementAmounts,
  sumAgencyStatement,
  toAgencyStatementLine,
} from "#domain/bookings/agency-statement.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type AgencyStatementRow,
  type AgencyStatementSearch,
  agencyCommissionPaymentStatements,
  agencyReservationsQuery,
  agencyStatementQueries,
  MAX_AGENCY_STATEMENT_LINES,
} from "#worker/store/bookings/agency-statements.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

/** Reservation of an agency with its amounts. */
export type AgencyStatementLine = AgencyStatementRow & AgencyStatementAmounts;

/** An agency's reservations of a period. The totals are the sums of the lines. */
export interface AgencyStatement {
  readonly agency: { readonly id: number; readonly name: string };
  readonly lines: readonly AgencyStatementLine[];
  readonly sums: AgencyStatementAmounts;
}

type Period = Omit<AgencyStatementSearch, "userId">;

/** Returns the statement of an agency and a period of returns. One round trip. */
export async function readAgencyStatement(
  request: StaffRequest,
  period: Period,
): Promise<Result<StaffAnswer<AgencyStatement>, OfficeRefusal>> {
  const search = { ...period, userId: await getTokenUserId(request) };
  const read = await readAsStaff(request, () => agencyStatementQueries(request.tenant.db, search));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [[agency], reservations] = rows;
  if (!agency) return err({ kind: "agencyNotFound" });
  if (reservations.length > MAX_AGENCY_STATEMENT_LINES)
    return err({
      kind: "invalid",
      field: "date_from",
      reason: createReason("too_many_rows", MAX_AGENCY_STATEMENT_LINES),
    });
  const lines = reservations.map(toLine);
  return ok({ value: { agency, lines, sums: sumAgencyStatement(lines) }, freshToken });
}

const toLine = (row: AgencyStatementRow): AgencyStatementLine => ({ ...row, ...toAgencyStatementLine(row) });

/** Commissions of an agency to mark as paid, or as unpaid (`date` null). */
export interface CommissionPayment {
  readonly agencyId: number;
  readonly bookingIds: readonly number[];
  /** Day of the payment. Undefined means today. Null removes a payment recorded by mistake. */
  readonly date: string | null | undefined;
}

/** Records that the present commissions of reservations were paid, or reverts it. All or none. Two round trips. */
export async function payAgencyCommissions(
  write: OfficeWrite,
  { agencyId, bookingIds, date }: CommissionPayment,
): Promise<
  Result<
    StaffAnswer<{ readonly lines: readonly AgencyStatementLine[]; readonly sums: AgencyStatementAmounts }>,
    OfficeRefusal
  >
> {
  const { db } = write.tenant;
  const search = { agencyId, bookingIds, userId: await getTokenUserId(write) };
  return runOfficeWriteOnce(write, {
    right: "manage",
    requiresRecentFactor: true,
    content: { payAgency: agencyId, bookingIds, date },
    read: () => [agencyReservationsQuery(db, search)],
    readBack: () => [agencyReservationsQuery(db, search)],
    answer: ([rows]) => {
      const lines = rows.map(toLine);
      return ok({ lines, sums: sumAgencyStatement(lines) });
    },
    decide: ({ rows: [rows], catalogue, actor }) => {
      const today = toCivilNow(catalogue.settings.timezone, write.now).date;
      if ((date ?? today) > today) return err({ kind: "invalid", field: "date", reason: createReason("in_future") });
      const refuse = (reasonCode: "commission_no_agent" | "commission_not_done", id: number) =>
        err({ kind: "invalid" as const, field: "reservation_ids", reason: createReason(reasonCode, id) });
      const idWithoutAgent = bookingIds.find(
        (id) => !rows.some(({ bookingId, basisPoints }) => bookingId === id && basisPoints > 0),
      );
      if (idWithoutAgent !== undefined) return refuse("commission_no_agent", idWithoutAgent);
      const open = rows.find(({ status }) => status !== "done" && status !== "cancelled");
      if (open) return refuse("commission_not_done", open.bookingId);
      const payments = rows.map((row) => ({
        bookingId: row.bookingId,
        paidCents: date === null ? 0 : toAgencyStatementLine(row).commissionCents,
      }));
      const paidOn = date === undefined ? today : date;
      const statements = agencyCommissionPaymentStatements(db, payments, { date: paidOn, at: write.now, actor });
      return ok({ resource: String(agencyId), statements });
    },
  });
}

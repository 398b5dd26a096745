import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { calculateCancellationFee } from "#domain/contracts/cancellation.ts";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { decideTransferCancellation } from "#domain/transfers/reservations.ts";
import { saveBookingCancellation } from "#worker/store/bookings/bookings.ts";
import { contractToInvoiceQueries } from "#worker/store/documents/contract-to-invoice.ts";
import { dayTripsQuery, type TripRow, transferToCancelQuery } from "#worker/store/transfers/trips.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { createCancellationDocuments } from "#worker/usecases/issuing/cancellation-documents.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import {
  isOfficeStaff,
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

export interface DayTransferTrips {
  readonly trips: readonly TripRow[];
  readonly catalogue: Catalogue;
}

/** Returns a day's transfer trips at the caller's branches or at the named branch. One round trip. */
export async function readTransferTrips(
  request: StaffRequest,
  branchCode: string | undefined,
  date: CivilDate,
): Promise<Result<StaffAnswer<DayTransferTrips>, StaffRefusal | { readonly kind: "unknownBranch" }>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, () => [dayTripsQuery(tenant.db, { date, branchCode, now })]);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  if (branchCode !== undefined && !(catalogue.branches.has(branchCode) && canAccessBranch(staff, branchCode))) {
    return err({ kind: "unknownBranch" });
  }
  const trips = rows[0].filter(({ booking }) => canAccessBranch(staff, booking.branchCode));
  return ok({ value: { trips, catalogue }, freshToken });
}

export interface CancelledTransfer {
  readonly bookingId: number;
  /** Time of the cancellation, epoch ms. */
  readonly cancelledAt: number | undefined;
  readonly totalPaidCents: Cents;
  readonly currencyDecimals: number;
}

export type TransferCancellationRefusal =
  | StaffRefusal
  | { readonly kind: "unknownBooking" }
  | { readonly kind: "notCancellable" };

/**
 * Cancels a transfer that hasn't started, by the account's terms, and releases its vehicle. Repeating it changes
 * nothing and returns the same result. Payments stay until they are refunded.
 */
export async function cancelTransfer(
  request: StaffRequest,
  bookingId: number,
  reason: string,
): Promise<Result<StaffAnswer<CancelledTransfer>, TransferCancellationRefusal>> {
  return withRetry(
    async (): Promise<Result<StaffAnswer<CancelledTransfer>, TransferCancellationRefusal> | undefined> => {
      const transferToCancel = await findToCancel(request, bookingId);
      if (!transferToCancel.ok) return transferToCancel;
      const { transfer, decision, feeCents, beside, staff, freshToken, currencyDecimals } = transferToCancel.value;
      if (decision === "tooLate") return err({ kind: "notCancellable" });
      const transferSummary = { bookingId, totalPaidCents: transfer.totalPaidCents, currencyDecimals };
      if (decision === "alreadyCancelled") {
        return ok({ value: { ...transferSummary, cancelledAt: transfer.cancelledAt ?? undefined }, freshToken });
      }
      const cancellation = { at: request.now, actor: `staff:${staff.userId}`, reason, feeCents };
      const { documents, after, settings } = beside;
      const isSaved = await issueDocuments({ tenant: request.tenant, settings }, documents, ({ statements }) =>
        saveBookingCancellation(request.tenant.db, transfer, {
          ...cancellation,
          relatedStatements: [...statements, ...after],
        }),
      );
      if (isSaved) {
        return ok({ value: { ...transferSummary, cancelledAt: request.now }, freshToken });
      }
      return undefined;
    },
  );
}

async function findToCancel(request: StaffRequest, bookingId: number) {
  const { tenant, now } = request;
  const read = await readAsStaff(
    request,
    () => [transferToCancelQuery(tenant.db, bookingId), ...contractToInvoiceQueries(tenant.db, { bookingId })] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  if (!isOfficeStaff(staff)) return err({ kind: "otherRole" } as const);
  const [[transfer], ...toInvoice] = rows;
  if (!transfer || !canAccessBranch(staff, transfer.branchCode)) return err({ kind: "unknownBooking" } as const);
  const { currencyDecimals, timezone } = catalogue.settings;
  const clock = toCivilNow(timezone, now);
  const startsAt = toCivilMinute(transfer.dateFrom as CivilDate, transfer.timeFrom as TimeText);
  const civil = toCivilMinute(clock.date, clock.time);
  const decision = decideTransferCancellation(transfer.status, startsAt, civil);
  const feeCents = calculateCancellationFee(catalogue.cancellationTerms, "cancellation", toCancellable(transfer), {
    civil,
  });
  const cancellation = { rows: toInvoice, feeCents, settings: catalogue.settings, at: now, date: clock.date };
  const documentContext = { ...createCancellationDocuments(tenant.db, cancellation), settings: catalogue.settings };
  return ok({ transfer, decision, feeCents, beside: documentContext, staff, freshToken, currencyDecimals });
}

function toCancellable(
  transfer: Awaited<ReturnType<typeof transferToCancelQuery>>[number],
): Parameters<typeof calculateCancellationFee>[2] {
  return {
    ...transfer,
    salesChannel: transfer.salesChannel ?? undefined,
    period: { dateFrom: transfer.dateFrom as CivilDate, timeFrom: transfer.timeFrom as TimeText },
    totals: transfer,
  };
}

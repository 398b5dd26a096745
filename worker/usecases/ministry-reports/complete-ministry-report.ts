import { canAccessBranch } from "#domain/access/sessions.ts";
import { type ReportCompletion, toStoredCompletion } from "#domain/ministry-reports/completion-fields.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { bookingActionStatements } from "#worker/store/contracts/write-action.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import { bookingsToReportQueries } from "#worker/store/ministry-reports/rentals.ts";
import { createVersionConflictRefusal } from "#worker/usecases/contracts/read-reservation.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { createMinistryReportsReadBack, type MinistryReportsAnswer } from "./office-ministry-reports.ts";

/**
 * Adds data of a reservation's people that the authorities require, before or after delivery, once per key. Unspecified
 * fields stay unchanged. The cron job then sends complete reports to the ministry.
 */
export function addMinistryReportData(
  write: OfficeWrite,
  bookingId: number,
  { expectedVersion, completion }: { readonly expectedVersion: number; readonly completion: ReportCompletion },
): Promise<Result<StaffAnswer<MinistryReportsAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  return runOfficeWriteOnce(write, {
    ...createMinistryReportsReadBack(write),
    right: "hand_over",
    content: { complete: bookingId, expectedVersion, said: completion },
    read: () => bookingsToReportQueries(db, [bookingId]),
    decide: async ({ rows: [[booking]], staff, actor }) => {
      if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode))
        return err({ kind: "reservationNotFound" });
      if (booking.version !== expectedVersion) return createVersionConflictRefusal(write, bookingId);
      const { customer, contractData } = toStoredCompletion(completion);
      const fields = Object.keys(completion);
      if (fields.length === 0) return err({ kind: "invalid", field: "body", reason: createReason("no_content") });
      const change = {
        ...(customer.name !== undefined && { customerName: customer.name }),
        ...(customer.surname !== undefined && { customerSurname: customer.surname }),
        ...(customer.documentId !== undefined && { customerDocumentId: customer.documentId }),
        ...(customer.phone !== undefined && { customerPhone: customer.phone }),
        ...(customer.email !== undefined && { customerEmail: customer.email }),
        contractData: JSON.stringify({ ...(JSON.parse(booking.contractData) as object), ...contractData }),
      };
      const entry = { at: write.now, actor, event: "changed" as const, after: { fields } };
      return ok({
        resource: String(bookingId),
        statements: [
          expectBookingVersionStatement(db, booking),
          ...bookingActionStatements(db, booking, change, entry),
        ],
      });
    },
  });
}

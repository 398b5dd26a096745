import { canAccessBranch } from "#domain/access/sessions.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { endVisitorHoldsStatements, sameVisitorHoldsQuery } from "#worker/store/bookings/visitor-holds.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import { expireUnpaidHoldsStatements } from "#worker/store/payments/payments.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";

/**
 * Ends a website's unpaid hold and all others of the same visitor, except at branches of other users. Returns the ended
 * bookings. If one is paid in the meantime, reads them again.
 */
export function endUnpaidVisitorHolds(
  write: OfficeWrite,
  content: { readonly bookingId: number; readonly reason: string },
): Promise<Result<StaffAnswer<readonly number[]>, OfficeRefusal>> {
  const { tenant, now } = write;
  return runOfficeWriteOnce(write, {
    right: "sell",
    content,
    read: () => [sameVisitorHoldsQuery(tenant.db, content.bookingId)] as const,
    decide: ({ staff, rows, actor }) => {
      const holds = rows[0].filter((item) => canAccessBranch(staff, item.branchCode, item.returnBranchCode));
      const ids = holds.map(({ id }) => id);
      if (!ids.includes(content.bookingId)) return err({ kind: "reservationNotFound" });
      const asRead = holds.map((hold) => expectBookingVersionStatement(tenant.db, hold));
      const ended = endVisitorHoldsStatements(tenant.db, ids, { at: now, actor, reason: content.reason });
      const statements = [...asRead, ...ended, ...expireUnpaidHoldsStatements(tenant.db, now)];
      return ok({ statements, resource: JSON.stringify(ids) });
    },
    readBack: () => [],
    answer: (_, { resource }) => ok(JSON.parse(resource) as readonly number[]),
  });
}

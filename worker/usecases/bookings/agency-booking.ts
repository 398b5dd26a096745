import type { Agency } from "#domain/access/credentials.ts";
import { decideCancellation } from "#domain/bookings/bookings.ts";
import type { BookingRefusal } from "#domain/bookings/refusals.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { bookingQueries, fromBookingRows, saveCancellation } from "#worker/store/bookings/bookings.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import type { BookingAnswer } from "./book-for-agency.ts";

/** One of the agency's own bookings, by its own reference. */
export async function readAgencyBooking(
  tenant: Tenant,
  agency: Agency,
  reference: string,
): Promise<Result<BookingAnswer, BookingRefusal>> {
  const rows = await tenant.db.batch(bookingQueries(tenant.db, { agencyId: agency.id, reference }));
  const booking = fromBookingRows(...rows);
  const { catalogue } = await tenant.snapshot();
  return booking ? ok({ booking, catalogue }) : refuse({ kind: "bookingNotFound" });
}

/**
 * Cancels one of the agency's own bookings and gives its units back. Cancelling again changes nothing and answers the
 * same.
 */
export async function cancelAgencyBooking(
  tenant: Tenant,
  agency: Agency,
  reference: string,
  now: number,
): Promise<Result<"cancelled", BookingRefusal>> {
  return withRetry(async (): Promise<Result<"cancelled", BookingRefusal> | undefined> => {
    const found = await readAgencyBooking(tenant, agency, reference);
    if (!found.ok) return found;
    const { booking } = found.value;
    const decision = decideCancellation(booking.status);
    if (decision === "tooLate")
      return refuse({ kind: "notCancellable", status: booking.status === "done" ? "done" : "in_progress" });
    if (decision === "alreadyCancelled") return ok("cancelled");
    if (await saveCancellation(tenant.db, booking, { at: now, actor: `agency:${agency.id}` })) return ok("cancelled");
    return undefined;
  });
}

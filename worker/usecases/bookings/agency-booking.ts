import type { Agency } from "#domain/access/credentials.ts";
import { decideCancellation } from "#domain/bookings/bookings.ts";
import type { BookingRefusal } from "#domain/bookings/refusals.ts";
import type { ActionRefusal } from "#domain/contracts/actions.ts";
import { calculateCancellationFee } from "#domain/contracts/cancellation.ts";
import { toCivilMinute, toSpan } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { toBookingAgreedWithAgency } from "#worker/store/bookings/agreed-with-agency.ts";
import { bookingQueries, fromBookingRows, saveBookingCancellation } from "#worker/store/bookings/bookings.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { contractToInvoiceQueries, hasTaxRecoveredAsBadDebt } from "#worker/store/documents/contract-to-invoice.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { createCancellationDocuments } from "#worker/usecases/issuing/cancellation-documents.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import type { BookingWithCatalogue } from "./book-for-agency.ts";

/** Returns one of the agency's bookings by its reference. */
export async function readAgencyBooking(
  tenant: Tenant,
  agency: Agency,
  reference: string,
): Promise<Result<BookingWithCatalogue, BookingRefusal>> {
  const rows = await tenant.db.batch(bookingQueries(tenant.db, { agencyId: agency.id, reference }));
  const booking = fromBookingRows(...toBookingAgreedWithAgency(rows));
  const { catalogue } = await tenant.snapshot();
  return booking ? ok({ booking, catalogue }) : err({ kind: "bookingNotFound" });
}

/**
 * Cancels one of the agency's bookings before its pickup time, by the account's terms, and releases its units.
 * Repeating it changes nothing and returns the same result.
 */
export async function cancelAgencyBooking(
  tenant: Tenant,
  agency: Agency,
  reference: string,
  now: number,
): Promise<Result<"cancelled", BookingRefusal | ActionRefusal>> {
  return withRetry(async (): Promise<Result<"cancelled", BookingRefusal | ActionRefusal> | undefined> => {
    const { db } = tenant;
    const name = { agencyId: agency.id, reference };
    const { catalogue, rows: read } = await readWithFreshCatalogue(
      tenant,
      () => [...bookingQueries(db, name), ...contractToInvoiceQueries(db, name)] as const,
    );
    const [rows, lines, extras, ...toInvoice] = read;
    const booking = fromBookingRows(rows, lines, extras);
    if (!booking) return err({ kind: "bookingNotFound" });
    const { settings } = catalogue;
    const decision = decideCancellation(booking.status);
    if (decision === "alreadyCancelled") return ok("cancelled");
    const clock = toCivilNow(settings.timezone, now);
    const civil = toCivilMinute(clock.date, clock.time);
    const { status } = booking;
    if (decision === "tooLate" || civil > toSpan(booking.period).startsAt)
      return err({ kind: "notCancellable", isOver: status === "done", hasBegun: status === "in_progress" });
    if (hasTaxRecoveredAsBadDebt(toInvoice))
      return err({ kind: "actionNotAllowed", action: "cancel", rule: "tax_recovered", status });
    const feeCents = calculateCancellationFee(catalogue.cancellationTerms, "cancellation", booking, { civil });
    const cancellation = { rows: toInvoice, feeCents, settings, at: now, date: clock.date };
    const { documents, after } = createCancellationDocuments(db, cancellation);
    const isSaved = await issueDocuments({ tenant, settings }, documents, ({ statements }) => {
      const relatedStatements = [...statements, ...after];
      return saveBookingCancellation(tenant.db, booking, {
        at: now,
        actor: `agency:${agency.id}`,
        feeCents,
        relatedStatements,
      });
    });
    return isSaved ? ok("cancelled") : undefined;
  });
}

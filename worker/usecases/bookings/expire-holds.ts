import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { contractToInvoiceQueries, hasTaxRecoveredAsBadDebt } from "#worker/store/documents/contract-to-invoice.ts";
import { isTransientDatabaseError } from "#worker/store/failures.ts";
import { expectBookingVersionStatement, isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import {
  expireBookingHoldStatements,
  expiredUnpaidBookingQuery,
  expireUnpaidHolds,
} from "#worker/store/payments/payments.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { createCancellationDocuments } from "#worker/usecases/issuing/cancellation-documents.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

/**
 * Cancels pending bookings with an expired unpaid hold, releases their units, credits their invoices, and ends
 * unfinished payments. Returns the number of bookings. A later payment is still accepted and creates a task.
 */
export async function expireUnpaidStockHolds(tenant: Tenant, now: number): Promise<number> {
  const { count, withDocuments } = await withRetry(() => expireUnpaidHolds(tenant.db, now), {
    isWorthRetrying: isTransientDatabaseError,
  });
  let usedQuantity = 0;
  for (const id of withDocuments) {
    const isWorthRetrying = (error: unknown) => isTransientDatabaseError(error) || isBookingVersionConflict(error);
    if (await withRetry(() => expireInvoiced(tenant, id, now), { isWorthRetrying })) usedQuantity += 1;
  }
  return count + usedQuantity;
}

async function expireInvoiced(tenant: Tenant, bookingId: number, now: number): Promise<boolean> {
  const { db } = tenant;
  const { catalogue, rows: read } = await readWithFreshCatalogue(
    tenant,
    () => [expiredUnpaidBookingQuery(db, bookingId, now), ...contractToInvoiceQueries(db, { bookingId })] as const,
  );
  const [[ended], ...rows] = read;
  const booking = rows[0][0]?.booking;
  // Skips a booking that was paid or extended concurrently, or whose invoice had its tax recovered as bad
  // debt.
  if (!ended || !booking || hasTaxRecoveredAsBadDebt(rows)) return false;
  const { settings } = catalogue;
  const { date } = toCivilNow(settings.timezone, now);
  const { documents, after } = createCancellationDocuments(db, { rows, feeCents: 0, settings, at: now, date });
  const expire = expireBookingHoldStatements(db, bookingId, now);
  return issueDocuments({ tenant, settings }, documents, async ({ statements }) => {
    await db.batch([expectBookingVersionStatement(db, booking), ...expire, ...statements, ...after]);
    return true;
  });
}

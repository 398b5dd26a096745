import type { CivilDate } from "#domain/dates.ts";
import { countMonthsToInvoice, draftMonthlyInvoice } from "#domain/documents/monthly.ts";
import {
  bookingPayerAndInvoicingQuery,
  markMonthsInvoicedStatement,
  monthsToInvoiceQuery,
} from "#worker/store/bookings/billing.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { allocateMoneyStatements } from "#worker/store/documents/allocation.ts";
import { contractToInvoiceQueries, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import { recordBookingChangeStatements } from "#worker/store/documents/document-requests.ts";
import { isTransientDatabaseError } from "#worker/store/failures.ts";
import { expectBookingVersionStatement, isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { isDocumentToIssue } from "#worker/usecases/issuing/documents-to-write.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import { runWithJobLogIgnoringErrors } from "#worker/usecases/shared/job-log.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

/**
 * Invoices the completed months of rentals with monthly invoicing. A rental that can't be invoiced is logged and delays
 * no other. Returns the number of invoices.
 */
export async function invoiceCompletedRentalMonths(tenant: Tenant, now: number): Promise<number> {
  const [due] = await tenant.db.batch([monthsToInvoiceQuery(tenant.db, now)]);
  const isWorthRetrying = (error: unknown) => isTransientDatabaseError(error) || isBookingVersionConflict(error);
  let count = 0;
  for (const { bookingId } of due) {
    const invoice = async () => {
      while (await withRetry(() => invoiceMonth(tenant, bookingId, now), { isWorthRetrying })) count += 1;
      return 0;
    };
    await runWithJobLogIgnoringErrors(tenant, "invoice_month", invoice);
  }
  return count;
}

// Returns whether a month was invoiced. Each month is written with the number of months before it, so that two runs
// can't invoice the same.
async function invoiceMonth(tenant: Tenant, bookingId: number, now: number): Promise<boolean> {
  const { db } = tenant;
  const { catalogue, rows: read } = await readWithFreshCatalogue(
    tenant,
    () => [bookingPayerAndInvoicingQuery(db, { bookingId }), ...contractToInvoiceQueries(db, { bookingId })] as const,
  );
  const [[billing], ...rows] = read;
  const booking = rows[0][0]?.booking;
  const contract = toContractToInvoice(rows);
  if (billing?.period !== "month" || booking?.status !== "in_progress" || !contract) return false;
  const { settings } = catalogue;
  const { date } = toCivilNow(settings.timezone, now);
  const month = billing.invoicedMonths + 1;
  if (month > countMonthsToInvoice(contract.period, date as CivilDate)) return false;
  const draft = draftMonthlyInvoice(contract, month, settings.countryCode);
  const writing = { at: now, date, bookingId, uid: `month:${bookingId}:${month}`, issued: true, series: settings };
  return issueDocuments({ tenant, settings }, draft ? [{ draft, writing }] : [], async ({ statements, documents }) => {
    const issued = documents.some(isDocumentToIssue);
    await db.batch([
      expectBookingVersionStatement(db, booking),
      markMonthsInvoicedStatement(db, bookingId, month),
      ...statements,
      ...allocateMoneyStatements(db, { bookingId }, now),
      ...recordBookingChangeStatements(db, bookingId, {
        at: now,
        actor: "system",
        detail: { document: "month", month, issued },
      }),
    ]);
    return true;
  });
}

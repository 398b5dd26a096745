import { type CustomerPaymentStatus, getCustomerPaymentStatus } from "#domain/payments/customer-payment-status.ts";
import { findReturningVisitorPayment } from "#worker/store/payments/payments.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { findReservationUrl } from "./reservation-url.ts";
import { addBookingIdToUrl, findAllowedSummaryUrl } from "./summary-url.ts";

/** Payment state for a visitor who returns from the gateway. */
export interface ReturningVisitorPaymentState {
  readonly state: CustomerPaymentStatus;
  readonly accountName: string;
  readonly reservation: number;
  readonly amountCents: number;
  /** Total amount paid for the reservation, and the amount still to pay. */
  readonly bookingPaidCents: number;
  readonly bookingPendingCents: number;
  /** Refunded amount, and the day of the last refund. */
  readonly givenBack: { readonly cents: number; readonly date: string } | undefined;
  /** Amount of refunds that the gateway hasn't completed. */
  readonly onItsWayCents: number;
  readonly currency: string;
  readonly decimals: number;
  readonly language: string;
  /** Country of the company, for date formats. */
  readonly country: string;
  /** Link back to the website if it belongs to the account, otherwise to the company's own page. */
  readonly summaryUrl: string | undefined;
}

/** Reads a payment's state from the database. The return from a gateway proves nothing. */
export async function readReturningVisitorPaymentState(
  tenant: Tenant,
  paymentId: string,
): Promise<ReturningVisitorPaymentState | undefined> {
  const payment = await findReturningVisitorPayment(tenant.db, paymentId);
  if (!payment) return undefined;
  const snapshot = await tenant.snapshot();
  const summaryUrl = findAllowedSummaryUrl(tenant, snapshot, payment.summaryUrl);
  const { settings } = snapshot.catalogue;
  const { refundedCents, refundedAt, bookingPaidCents, bookingPendingCents } = payment;
  return {
    state: getCustomerPaymentStatus(payment),
    accountName: settings.accountName,
    reservation: payment.bookingId,
    amountCents: payment.amountCents,
    bookingPaidCents,
    bookingPendingCents,
    givenBack:
      refundedCents > 0 && refundedAt !== undefined
        ? { cents: refundedCents, date: toCivilNow(settings.timezone, refundedAt).date }
        : undefined,
    onItsWayCents: payment.refundingCents,
    currency: payment.currency,
    decimals: settings.currencyDecimals,
    language: payment.language,
    country: settings.countryCode,
    summaryUrl: summaryUrl
      ? addBookingIdToUrl(summaryUrl, payment.freeAccessId)
      : await findReservationUrl(tenant, payment),
  };
}

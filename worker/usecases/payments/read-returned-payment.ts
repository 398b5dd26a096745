import { type CustomerPaymentStatus, customerPaymentStatus } from "#domain/payments/told-state.ts";
import { findReturnedPayment } from "#worker/store/payments/payments.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { allowedSummaryUrl, withBookingId } from "./summary-url.ts";

/** What a visitor who comes back from the gateway is shown. */
export interface PaymentState {
  readonly state: CustomerPaymentStatus;
  readonly accountName: string;
  readonly amountCents: number;
  /** What was given back of it, and on which day the last of it; what the gateway is asked to. */
  readonly givenBack: { readonly cents: number; readonly date: string } | undefined;
  readonly onItsWayCents: number;
  readonly currency: string;
  readonly decimals: number;
  readonly language: string;
  /** Of the company, for how days are written. */
  readonly country: string;
  /** Back to the website, where it is one of the account's. */
  readonly summaryUrl: string | undefined;
}

/** What the database knows of a payment: the return from a gateway itself says nothing. */
export async function readReturnedPayment(tenant: Tenant, paymentId: string): Promise<PaymentState | undefined> {
  const payment = await findReturnedPayment(tenant.db, paymentId);
  if (!payment) return undefined;
  const snapshot = await tenant.snapshot();
  const summaryUrl = allowedSummaryUrl(tenant, snapshot, payment.summaryUrl);
  const { settings } = snapshot.catalogue;
  const { givenBackCents, givenBackAt } = payment;
  return {
    state: customerPaymentStatus(payment),
    accountName: settings.accountName,
    amountCents: payment.amountCents,
    givenBack:
      givenBackCents > 0 && givenBackAt !== undefined
        ? { cents: givenBackCents, date: civilNow(settings.timezone, givenBackAt).date }
        : undefined,
    onItsWayCents: payment.onItsWayCents,
    currency: payment.currency,
    decimals: settings.currencyDecimals,
    language: payment.language,
    country: settings.countryCode,
    summaryUrl: summaryUrl && withBookingId(summaryUrl, payment.freeAccessId),
  };
}

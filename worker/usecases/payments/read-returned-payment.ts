import type { PaymentIntent } from "#domain/payments/settlement.ts";
import { findReturnedPayment } from "#worker/store/payments/payments.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { allowedSummaryUrl, withBookingId } from "./summary-url.ts";

/** What a visitor who comes back from the gateway is shown. */
export interface PaymentState {
  /** `review`: money or a message came, and a person has to look at it. */
  readonly state: PaymentIntent["state"] | "review";
  readonly accountName: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly decimals: number;
  readonly language: string;
  /** Back to the website, where it is one of the account's. */
  readonly summaryUrl: string | undefined;
}

/** What the database knows of a payment: the return from a gateway itself says nothing. */
export async function readReturnedPayment(tenant: Tenant, paymentId: string): Promise<PaymentState | undefined> {
  const payment = await findReturnedPayment(tenant.db, paymentId);
  if (!payment) return undefined;
  const snapshot = await tenant.snapshot();
  const summaryUrl = allowedSummaryUrl(tenant, snapshot, payment.summaryUrl);
  const isOdd = payment.state === "paid" ? payment.needsPerson : payment.isRefused;
  // What a bank takes days to decide is not over after the hour of its attempt.
  const state = payment.state === "expired" && payment.isUnderWay ? "pending" : payment.state;
  return {
    state: isOdd ? "review" : state,
    accountName: snapshot.catalogue.settings.accountName,
    amountCents: payment.amountCents,
    currency: payment.currency,
    decimals: snapshot.catalogue.settings.currencyDecimals,
    language: payment.language,
    summaryUrl: summaryUrl && withBookingId(summaryUrl, payment.freeAccessId),
  };
}

import { MILLISECONDS_PER_MINUTE } from "#domain/dates.ts";
import type { DemoCompany } from "./describe-company.ts";
import type { SettledContract } from "./settlement.ts";
import type { NewDemoRows } from "./tables.ts";

/** Number of refunds per state, so that each test can use one. */
const REFUNDS_PER_STATE = 3;
/** Amounts that the gateway simulator rejects, as the bank's own test system does. */
const REFUSED_CENTS = 1096;
const PENDING_REFUND_CENTS = 1500;

/**
 * Creates refunds that need attention: rejected by the gateway for upcoming rentals, or requested by desk staff. None
 * if the company lacks such a gateway.
 */
export function createRefundRows(
  { rows, settings, toEpochMs }: DemoCompany,
  contracts: readonly SettledContract[],
): NewDemoRows {
  const desk = rows.users.find(({ role }) => role === "agent");
  if (!desk || !settings.paymentMethods.includes("tpvA256")) return {};
  const paid = contracts.flatMap(({ id, status, payments: [payment, ...more] }) => {
    const isRefundable = payment?.method === "tpvA_256" && payment.cents > REFUSED_CENTS + PENDING_REFUND_CENTS;
    if (!isRefundable || more.length > 0 || status !== "confirmed") return [];
    const refundRequest = { bookingId: id, requestedBy: desk.id, requestedAt: toEpochMs(payment.at) };
    return [{ id, cents: payment.cents, request: refundRequest, intentId: id.toString(16).padStart(32, "0") }];
  });
  const refused = paid.slice(0, REFUNDS_PER_STATE);
  return {
    paymentIntents: refused.map(({ id, cents, intentId, request: { requestedAt: paidAt } }) => ({
      id: intentId,
      bookingId: id,
      method: "tpvA256",
      part: "deposit",
      orderReference: String(id).padStart(12, "0"),
      amountCents: cents,
      currency: settings.currency,
      state: "paid",
      createdAt: paidAt - MILLISECONDS_PER_MINUTE,
      expiresAt: paidAt + 60 * MILLISECONDS_PER_MINUTE,
      paidAt,
    })),
    gatewayRefunds: refused.map(({ intentId, request }, index) => ({
      id: index + 1,
      intentId,
      amountCents: REFUSED_CENTS,
      reason: "The child seat was not needed",
      state: "refused",
      problem: "0190",
      ...request,
    })),
    refundApprovalRequests: paid.slice(REFUNDS_PER_STATE, 2 * REFUNDS_PER_STATE).map(({ request }, index) => ({
      id: index + 1,
      amountCents: PENDING_REFUND_CENTS,
      paymentMethodId: "cash",
      reason: "Promised on the phone",
      byHand: true,
      ...request,
    })),
  };
}

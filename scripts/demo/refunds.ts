import { refundRequests } from "#worker/store/schema/documents.ts";
import { gatewayRefunds, paymentIntents } from "#worker/store/schema/payments.ts";
import type { Company } from "./company.ts";
import { rowsOf, type TableRows } from "./insert.ts";
import type { Payment } from "./payments.ts";
import type { SettledContract } from "./settlement.ts";

/** So many of each: whoever tries what may be done with them takes one. */
const OF_EACH = 3;
/** The stand-in of the gateway refuses such amounts, as the bank's own test system does. */
const REFUSED_CENTS = 1096;
const WAITING_CENTS = 1500;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/**
 * Refunds that wait for a person: what a gateway refused to give back of rentals to come, and what somebody of the
 * desk asked for. None where the company has no such gateway.
 */
export function refundRows(company: Company, settled: readonly SettledContract[]): TableRows[] {
  const desk = company.rows.users.find(({ role }) => role === "agent");
  if (!desk || !company.settings.paymentMethods.includes("tpvA256")) return [];
  const paid = settled.flatMap(({ contract, settlement: { payments } }) => {
    const [payment] = payments;
    const isWhole =
      payments.length === 1 && payment?.method === "tpvA_256" && payment.cents > REFUSED_CENTS + WAITING_CENTS;
    return isWhole && contract.status === "confirmed" ? [{ id: contract.id, payment }] : [];
  });
  const [refused, waiting] = [paid.slice(0, OF_EACH), paid.slice(OF_EACH, 2 * OF_EACH)];
  const asked = ({ payment }: { readonly payment: Payment }) => ({
    askedBy: desk.id,
    askedAt: company.toEpochMs(payment.at),
  });
  return [
    rowsOf(
      paymentIntents,
      refused.map(({ id, payment }) => {
        const paidAt = company.toEpochMs(payment.at);
        return {
          id: intentOf(id),
          bookingId: id,
          method: "tpvA256" as const,
          part: "deposit" as const,
          orderReference: String(id).padStart(12, "0"),
          amountCents: payment.cents,
          currency: company.settings.currency,
          state: "paid" as const,
          createdAt: paidAt - MINUTE,
          expiresAt: paidAt + HOUR,
          paidAt,
        };
      }),
    ),
    rowsOf(
      gatewayRefunds,
      refused.map((one, index) => ({
        id: index + 1,
        bookingId: one.id,
        intentId: intentOf(one.id),
        amountCents: REFUSED_CENTS,
        reason: "The child seat was not needed",
        state: "refused" as const,
        problem: "0190",
        ...asked(one),
      })),
    ),
    rowsOf(
      refundRequests,
      waiting.map((one, index) => ({
        id: index + 1,
        bookingId: one.id,
        amountCents: WAITING_CENTS,
        paymentMethodId: "cash",
        reason: "Promised on the phone",
        byHand: true,
        ...asked(one),
      })),
    ),
  ];
}

const intentOf = (bookingId: number) => bookingId.toString(16).padStart(32, "0");

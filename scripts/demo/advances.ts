import type { Cents } from "#domain/money.ts";
import { advancePaper, creditNote } from "./contract-papers.ts";
import { type Ledger, type Payment, pay } from "./ledger.ts";
import type { Paper } from "./papers.ts";
import { onlineMethod } from "./payment-methods.ts";

/** What was paid before the rental, and its invoice where there was one. */
export interface Advance {
  readonly payment: Payment;
  readonly paper: Paper | undefined;
}

const MINUTES_PER_DAY = 1440;
const REQUEST_SHARE = 0.15;
const PAID_AT_ONCE_SHARE = 0.25;
const RETAINER_SHARE = 0.14;
const REFUND_SHARE = 0.75;

/** Pays when booking: the account's share or all of it on the web, all of it to a portal, nothing for a request. */
export function payAdvance(ledger: Ledger): Advance | undefined {
  const { contract, till } = ledger;
  const cents = advanceCents(ledger);
  if (cents === 0) return undefined;
  const at = contract.createdAt + till.random.between(1, 6);
  const method = contract.origin === "agency" ? "booking_portal" : onlineMethod(till, at);
  const isRetained = contract.origin === "engine" && till.random.chance(RETAINER_SHARE);
  const paper = isRetained ? advancePaper(till, contract, at, cents) : undefined;
  if (paper) ledger.papers.push(paper);
  return { payment: pay(ledger, { at, cents, method, source: "booking", paper }), paper };
}

function advanceCents({ contract, till }: Ledger): Cents {
  const { draft, origin, status, isExpired, agency } = contract;
  const { totalCents, bookingAmountCents } = draft.totals;
  if (status === "pending_confirmation" || isExpired) return 0;
  if (origin === "agency") return agency?.prepaid ? totalCents : 0;
  if (origin === "staff" || till.random.chance(REQUEST_SHARE)) return 0;
  return till.random.chance(PAID_AT_ONCE_SHARE) ? totalCents : bookingAmountCents;
}

/** Gives an advance back after a cancellation, mostly. */
export function refundAdvance(ledger: Ledger, advance: Advance | undefined): void {
  const { contract, till } = ledger;
  const cancelledAt = contract.cancelledAt ?? contract.createdAt;
  if (!advance || advance.payment.at >= cancelledAt || !till.random.chance(REFUND_SHARE)) return;
  const at = Math.min(till.now, cancelledAt + till.random.between(10, 2 * MINUTES_PER_DAY));
  const note = advance.paper && creditNote(till, advance.paper, at);
  if (note) ledger.papers.push(note);
  const { cents, method } = advance.payment;
  pay(ledger, { at, cents, method, type: "payment", source: note ? "customer_invoice" : "booking", paper: note });
}

import { type CivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { Company } from "./company.ts";
import { addContractDocument } from "./contract-documents.ts";
import { onlineMethod } from "./payment-methods.ts";
import { type ContractAccount, type Payment, pay } from "./payments.ts";
import { creditNoteOf, type PlannedDocument } from "./planned-document.ts";

/** What was paid before the rental, and its invoice where there was one. */
export interface Advance {
  readonly payment: Payment;
  readonly document: PlannedDocument | undefined;
}

const REQUEST_SHARE = 0.15;
const PAID_AT_ONCE_SHARE = 0.25;
const RETAINER_SHARE = 0.14;
const REFUND_SHARE = 0.75;
const DAYS_TO_GIVE_BACK = 14;

/** Pays when booking: the account's share or all of it on the web, all of it to a portal, nothing for a request. */
export function payAdvance(account: ContractAccount): Advance | undefined {
  const { contract, context } = account;
  const cents = advanceCentsOf(account);
  if (cents === 0) return undefined;
  const at = contract.createdAt + context.random.between(1, 6);
  const method = contract.origin === "agency" ? "booking_portal" : onlineMethod(context, at);
  const isRetained = contract.origin === "engine" && context.random.chance(RETAINER_SHARE);
  const document = isRetained ? addContractDocument(account, at, { advanceCents: cents }) : undefined;
  return { payment: pay(account, { at, cents, method, source: "booking", document }), document };
}

function advanceCentsOf({ contract, context: { random } }: ContractAccount): Cents {
  const { draft, origin, status, isExpired, agency } = contract;
  const { totalCents, bookingAmountCents } = draft.totals;
  if (status === "pending_confirmation" || isExpired) return 0;
  if (origin === "agency") return agency?.prepaid ? totalCents : 0;
  if (origin === "staff" || random.chance(REQUEST_SHARE)) return 0;
  return random.chance(PAID_AT_ONCE_SHARE) ? totalCents : bookingAmountCents;
}

/** Whether what was paid of a contract is still to be given back: it was cancelled a few days ago. */
export function isToGiveBack({ now }: Company, cancelledAt: CivilMinute): boolean {
  return cancelledAt >= now - DAYS_TO_GIVE_BACK * MINUTES_PER_DAY;
}

/**
 * Gives an advance back after a cancellation, mostly; what was not given back within days was kept by the terms. What
 * is not kept is no invoice any more.
 */
export function refundAdvance(account: ContractAccount, advance: Advance | undefined): void {
  const { company, random } = account.context;
  const cancelledAt = account.contract.cancelledAt ?? account.contract.createdAt;
  if (!advance) return;
  const { cents, method, at: paidAt } = advance.payment;
  const isRefunded = paidAt < cancelledAt && random.chance(REFUND_SHARE);
  if (!isRefunded && !isToGiveBack(company, cancelledAt)) return;
  const at = isRefunded
    ? Math.min(company.now, cancelledAt + random.between(10, 2 * MINUTES_PER_DAY))
    : Math.max(cancelledAt, paidAt);
  const note = advance.document && creditNoteOf(company, advance.document, at);
  if (note) account.documents.push(note);
  if (!isRefunded) return;
  const source = note ? "customer_invoice" : "booking";
  pay(account, { at, cents, method, type: "payment", source, document: note });
}

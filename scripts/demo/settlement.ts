import type { CivilMinute } from "#domain/dates.ts";
import { type Cents, partOf } from "#domain/money.ts";
import type { Company } from "./company.ts";
import type { Contract } from "./contracts.ts";
import { advancePaper, afterRentalPaper, creditNote, finalPaper } from "./contract-papers.ts";
import { type Paper, totalOf } from "./papers.ts";
import { deskMethod, invoiceMethod, onlineMethod, type PaymentMethod } from "./payment-methods.ts";
import type { Random } from "./random.ts";

/** Money that moved, or a deposit that was held or given back. */
export interface Payment {
  readonly at: CivilMinute;
  readonly cents: Cents;
  /** `payment` goes back to the customer. */
  readonly type: "charge" | "payment";
  readonly method: PaymentMethod;
  readonly source: "booking" | "order" | "customer_invoice" | "customer_simplified_invoice" | "internal_bond_invoice" | "deposit_received" | "deposit_returned";
  readonly paper: Paper | undefined;
  readonly isDepositKept: boolean;
  readonly branchCode: string;
  readonly contract: Contract | undefined;
}

/** What a contract has brought in so far, on paper and in cash. */
export interface Settlement {
  readonly papers: readonly Paper[];
  readonly payments: readonly Payment[];
  readonly commission: Commission | undefined;
  readonly depositReductionCents: Cents;
}

export interface Commission {
  readonly baseCents: Cents;
  readonly totalCents: Cents;
  /** Kept by the agent from what the customer paid there. */
  readonly prepaidCents: Cents;
}

export interface Till {
  readonly company: Company;
  readonly now: CivilMinute;
  readonly random: Random;
}

const MINUTES_PER_DAY = 1440;
const REQUEST_SHARE = 0.15;
const PAID_AT_ONCE_SHARE = 0.25;
const RETAINER_SHARE = 0.14;
const REFUND_SHARE = 0.75;
const COMPLAINT_SHARE = 0.004;
const NEVER_PAID_SHARE = 0.02;
const COMMISSION_PREPAID_SHARE = 0.3;
const FULL_INSURANCE = "FULL";

/** Plays the payments and invoices of a contract up to now. */
export function settle(till: Till, contract: Contract): Settlement {
  const { now } = till;
  const commission = commissionOf(till, contract);
  const depositReductionCents = contract.draft.extras.some(({ extra }) => extra.code === FULL_INSURANCE) ? contract.draft.totals.productDepositCents : 0;
  const ledger: Ledger = { till, contract, papers: [], payments: [], prepaidCents: commission?.prepaidCents ?? 0, depositReductionCents };
  const advance = payAdvance(ledger);
  if (contract.status === "cancelled") refundAdvance(ledger, advance);
  else if (contract.units.some(({ delivery }) => delivery)) settleDelivered(ledger, advance);
  return {
    papers: ledger.papers.filter(({ createdAt }) => createdAt <= now),
    payments: ledger.payments.filter(({ at }) => at <= now),
    commission,
    depositReductionCents,
  };
}

interface Ledger {
  readonly till: Till;
  readonly contract: Contract;
  readonly papers: Paper[];
  readonly payments: Payment[];
  readonly prepaidCents: Cents;
  readonly depositReductionCents: Cents;
}

interface Advance {
  readonly payment: Payment;
  readonly paper: Paper | undefined;
}

function commissionOf({ random }: Till, { agent, draft }: Contract): Commission | undefined {
  if (!agent) return undefined;
  const baseCents = draft.totals.itemCents;
  const totalCents = agent.calculation === "percentage" ? partOf(baseCents, agent.share) : agent.fixedCents;
  return { baseCents, totalCents, prepaidCents: random.chance(COMMISSION_PREPAID_SHARE) ? totalCents : 0 };
}

function pay(ledger: Ledger, payment: Omit<Payment, "branchCode" | "contract" | "isDepositKept" | "type"> & Partial<Payment>): Payment {
  const { contract } = ledger;
  const whole: Payment = { type: "charge", isDepositKept: false, branchCode: contract.rental.pickupPlace.branchCode, contract, ...payment };
  if (whole.cents > 0) ledger.payments.push(whole);
  return whole;
}

// Paid when booking: the account's share or all of it on the web, all of it to a portal, nothing for a request.
function payAdvance(ledger: Ledger): Advance | undefined {
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

function refundAdvance(ledger: Ledger, advance: Advance | undefined): void {
  const { contract, till } = ledger;
  const cancelledAt = contract.cancelledAt ?? contract.createdAt;
  if (!advance || advance.payment.at >= cancelledAt || !till.random.chance(REFUND_SHARE)) return;
  const at = Math.min(till.now, cancelledAt + till.random.between(10, 2 * MINUTES_PER_DAY));
  const note = advance.paper && creditNote(till, advance.paper, at);
  if (note) ledger.papers.push(note);
  const { cents, method } = advance.payment;
  pay(ledger, { at, cents, method, type: "payment", source: note ? "customer_invoice" : "booking", paper: note });
}

// The rest is paid at the counter, or by transfer once the invoice has come; the deposit is held while the car is out.
function settleDelivered(ledger: Ledger, advance: Advance | undefined): void {
  const { contract, till } = ledger;
  const { deliveredAt, collectedAt } = contract.rental;
  const isDone = contract.status === "done";
  const paper = isDone ? finalPaper(till, contract, collectedAt, advance?.paper, ledger.prepaidCents) : undefined;
  if (paper) ledger.papers.push(paper);
  const target = paper?.isDraft ? undefined : paper;
  if (advance && !advance.paper) linkTo(ledger, advance.payment, target);
  const restCents = contract.draft.totals.totalCents - (advance?.payment.cents ?? 0) - ledger.prepaidCents;
  if (isPaidAtDesk(contract)) pay(ledger, { at: deliveredAt, cents: restCents, method: deskMethod(till, restCents), source: "booking", paper: target });
  else if (target && !till.random.chance(NEVER_PAID_SHARE)) payInvoice(ledger, target, restCents);
  holdDeposit(ledger, isDone);
  if (isDone) chargeAfterRental(ledger);
  if (target && !advance?.paper && isPaidAtDesk(contract) && till.random.chance(COMPLAINT_SHARE)) giveAllBack(ledger, target);
}

function isPaidAtDesk({ customer, agency }: Contract): boolean {
  return customer.type === "individual" && (agency === undefined || agency.prepaid);
}

function linkTo(ledger: Ledger, payment: Payment, paper: Paper | undefined): void {
  const index = ledger.payments.indexOf(payment);
  if (index >= 0) ledger.payments[index] = { ...payment, paper };
}

function payInvoice(ledger: Ledger, paper: Paper, cents: Cents): void {
  const { till } = ledger;
  const at = paper.createdAt + till.random.between(8, 45) * MINUTES_PER_DAY;
  const source = paper.kind === "internal_bond" ? "internal_bond_invoice" : "customer_invoice";
  pay(ledger, { at, cents, method: invoiceMethod(till, paper.customer), source, paper });
}

function holdDeposit(ledger: Ledger, isDone: boolean): void {
  const { deliveredAt, collectedAt } = ledger.contract.rental;
  const cents = heldCents(ledger);
  const method = deskMethod(ledger.till, cents);
  pay(ledger, { at: deliveredAt, cents, method, source: "deposit_received", paper: undefined });
  if (isDone) pay(ledger, { at: collectedAt, cents: cents - keptCents(ledger), method, type: "payment", source: "deposit_returned", paper: undefined });
}

function heldCents({ contract, depositReductionCents }: Ledger): Cents {
  return contract.draft.totals.totalDepositCents - depositReductionCents;
}

/** What the deposit pays of the damage: all of it, or nothing where too little is held. */
function keptCents(ledger: Ledger): Cents {
  const { afterRental } = ledger.contract;
  return afterRental?.charge.keptFromDeposit && heldCents(ledger) >= afterRental.cents ? afterRental.cents : 0;
}

function chargeAfterRental(ledger: Ledger): void {
  const { contract, till } = ledger;
  if (!contract.afterRental) return;
  const paper = afterRentalPaper(till, contract, Math.min(till.now, contract.rental.collectedAt + till.random.between(20, 2 * MINUTES_PER_DAY)));
  ledger.papers.push(paper);
  if (paper.isDraft) return;
  const source = paper.kind === "internal_bond" ? "internal_bond_invoice" : "customer_invoice";
  pay(ledger, { at: paper.createdAt, cents: totalOf(paper), method: "credit_card", source, paper, isDepositKept: keptCents(ledger) > 0 });
}

function giveAllBack(ledger: Ledger, paper: Paper): void {
  const { till, contract } = ledger;
  const at = paper.createdAt + till.random.between(3, 20) * MINUTES_PER_DAY;
  const note = creditNote(till, paper, at);
  if (at > till.now || contract.afterRental || ledger.prepaidCents > 0) return;
  const cents = totalOf(paper);
  ledger.papers.push(note);
  pay(ledger, { at, cents, method: "bank_transfer", type: "payment", source: "customer_invoice", paper: note });
}

import { type Cents, partOf } from "#domain/money.ts";
import { type Advance, payAdvance, refundAdvance } from "./advances.ts";
import { creditNote, finalPaper } from "./contract-papers.ts";
import type { Contract } from "./contracts.ts";
import { chargeAfterRental, holdDeposit } from "./deposits.ts";
import { type Ledger, linkTo, type Payment, pay, sourceOf, type Till } from "./ledger.ts";
import { type Paper, totalOf } from "./papers.ts";
import { deskMethod, invoiceMethod } from "./payment-methods.ts";

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

const MINUTES_PER_DAY = 1440;
const COMPLAINT_SHARE = 0.004;
const NEVER_PAID_SHARE = 0.02;
const COMMISSION_PREPAID_SHARE = 0.3;
const FULL_INSURANCE = "FULL";

/** Plays the payments and invoices of a contract up to now. */
export function settle(till: Till, contract: Contract): Settlement {
  const { now } = till;
  const commission = commissionOf(till, contract);
  const depositReductionCents = contract.draft.extras.some(({ extra }) => extra.code === FULL_INSURANCE)
    ? contract.draft.totals.productDepositCents
    : 0;
  const ledger: Ledger = {
    till,
    contract,
    papers: [],
    payments: [],
    prepaidCents: commission?.prepaidCents ?? 0,
    depositReductionCents,
  };
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

function commissionOf({ random }: Till, { agent, draft }: Contract): Commission | undefined {
  if (!agent) return undefined;
  const baseCents = draft.totals.itemCents;
  const totalCents = agent.calculation === "percentage" ? partOf(baseCents, agent.share) : agent.fixedCents;
  return { baseCents, totalCents, prepaidCents: random.chance(COMMISSION_PREPAID_SHARE) ? totalCents : 0 };
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
  if (isPaidAtDesk(contract))
    pay(ledger, {
      at: deliveredAt,
      cents: restCents,
      method: deskMethod(till, restCents),
      source: "booking",
      paper: target,
    });
  else if (target && !till.random.chance(NEVER_PAID_SHARE)) payInvoice(ledger, target, restCents);
  holdDeposit(ledger, isDone);
  if (isDone) chargeAfterRental(ledger);
  if (target && !advance?.paper && isPaidAtDesk(contract) && till.random.chance(COMPLAINT_SHARE))
    giveAllBack(ledger, target);
}

function isPaidAtDesk({ customer, agency }: Contract): boolean {
  return customer.type === "individual" && (agency === undefined || agency.prepaid);
}

function payInvoice(ledger: Ledger, paper: Paper, cents: Cents): void {
  const { till } = ledger;
  const at = paper.createdAt + till.random.between(8, 45) * MINUTES_PER_DAY;
  pay(ledger, { at, cents, method: invoiceMethod(till, paper.customer), source: sourceOf(paper), paper });
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

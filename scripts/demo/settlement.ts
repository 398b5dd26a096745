import { MINUTES_PER_DAY } from "#domain/dates.ts";
import { type Cents, partOf } from "#domain/money.ts";
import { type Advance, payAdvance, refundAdvance } from "./advances.ts";
import { addContractDocument } from "./contract-documents.ts";
import type { Contract } from "./contracts.ts";
import { chargeClosing, holdDeposit } from "./deposits.ts";
import { deskMethod, invoiceMethod, type SettlementContext } from "./payment-methods.ts";
import { type ContractAccount, linkTo, type Payment, pay, sourceOf } from "./payments.ts";
import { creditNoteOf, type PlannedDocument } from "./planned-document.ts";

/** What a contract has brought in so far, on paper and in cash. */
export interface Settlement {
  readonly documents: readonly PlannedDocument[];
  readonly payments: readonly Payment[];
  readonly commission: Commission | undefined;
  readonly depositReductionCents: Cents;
}

export interface SettledContract {
  readonly contract: Contract;
  readonly settlement: Settlement;
}

export interface Commission {
  readonly baseCents: Cents;
  readonly totalCents: Cents;
  /** Kept by the agent from what the customer paid there. */
  readonly prepaidCents: Cents;
}

const COMPLAINT_SHARE = 0.004;
const NEVER_PAID_SHARE = 0.02;
const RECENT_DRAFT_SHARE = 0.25;
const COMMISSION_PREPAID_SHARE = 0.3;
const FULL_INSURANCE = "FULL";

/** Plays the payments and invoices of a contract up to now. */
export function settle(context: SettlementContext, contract: Contract): Settlement {
  const commission = commissionOf(context, contract);
  const isInsured = contract.draft.extras.some(({ extra }) => extra.code === FULL_INSURANCE);
  const account: ContractAccount = {
    context,
    contract,
    documents: [],
    payments: [],
    prepaidCents: commission?.prepaidCents ?? 0,
    depositReductionCents: isInsured ? contract.draft.totals.productDepositCents : 0,
  };
  const advance = payAdvance(account);
  if (contract.status === "cancelled") refundAdvance(account, advance);
  else if (contract.units.some(({ delivery }) => delivery)) settleDelivered(account, advance);
  return {
    documents: account.documents.filter(({ createdAt }) => createdAt <= context.company.now),
    payments: account.payments.filter(({ at }) => at <= context.company.now),
    commission,
    depositReductionCents: account.depositReductionCents,
  };
}

function commissionOf({ random }: SettlementContext, { agent, draft }: Contract): Commission | undefined {
  if (!agent) return undefined;
  const baseCents = draft.totals.itemCents;
  const totalCents =
    agent.commissionCalculation === "percentage"
      ? partOf(baseCents, agent.commissionBasisPoints)
      : agent.commissionFixedCents;
  return { baseCents, totalCents, prepaidCents: random.chance(COMMISSION_PREPAID_SHARE) ? totalCents : 0 };
}

// The rest is paid at the counter, or by transfer once the invoice has come; the deposit is held while the car is out.
function settleDelivered(account: ContractAccount, advance: Advance | undefined): void {
  const { contract, context } = account;
  const { random, company } = context;
  const { deliveredAt, collectedAt } = contract.rental;
  const isDone = contract.status === "done";
  const isDraft = isDone && collectedAt > company.now - MINUTES_PER_DAY && random.chance(RECENT_DRAFT_SHARE);
  const final = isDone ? addContractDocument(account, collectedAt, { isDraft }) : undefined;
  const document = final?.isDraft ? undefined : final;
  if (advance && !advance.document) linkTo(account, advance.payment, document);
  const cents = contract.draft.totals.totalCents - (advance?.payment.cents ?? 0) - account.prepaidCents;
  const isAtDesk = isPaidAtDesk(contract);
  if (isAtDesk)
    pay(account, { at: deliveredAt, cents, method: deskMethod(context, cents), source: "booking", document });
  else payInvoice(account, document, cents);
  holdDeposit(account, isDone);
  if (isDone) chargeClosing(account);
  if (document && !advance?.document && isAtDesk && random.chance(COMPLAINT_SHARE)) giveAllBack(account, document);
}

function isPaidAtDesk({ customer, agency }: Contract): boolean {
  return customer.customerType === "individual" && (agency === undefined || agency.prepaid);
}

function payInvoice(account: ContractAccount, document: PlannedDocument | undefined, cents: Cents): void {
  const { context, contract } = account;
  if (!document || context.random.chance(NEVER_PAID_SHARE)) return;
  const at = document.createdAt + context.random.between(8, 45) * MINUTES_PER_DAY;
  const method = invoiceMethod(context, contract.customer.customerType);
  pay(account, { at, cents, method, source: sourceOf(document), document });
}

function giveAllBack(account: ContractAccount, document: PlannedDocument): void {
  const { context, contract } = account;
  const at = document.createdAt + context.random.between(3, 20) * MINUTES_PER_DAY;
  if (at > context.company.now || contract.closing.totalCents > 0 || account.prepaidCents > 0) return;
  const note = creditNoteOf(context.company, document, at);
  account.documents.push(note);
  const cents = document.draft.sums.totalCents;
  pay(account, { at, cents, method: "bank_transfer", type: "payment", source: "customer_invoice", document: note });
}

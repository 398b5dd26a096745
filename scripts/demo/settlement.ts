import type { CustomerType } from "#domain/bookings/bookings.ts";
import { type CivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import { applyRate, type Cents } from "#domain/money.ts";
import {
  addContractDocument,
  addContractPayment,
  type ContractPaymentsAndDocuments,
  getDocumentPaymentSource,
} from "./contract-payments.ts";
import type { DemoContract } from "./contracts.ts";
import type { DemoCompany, RandomContext } from "./describe-company.ts";
import { createCreditNote, type PlannedDocument } from "./documents.ts";
import habits from "./habits.json" with { type: "json" };
import {
  chooseDeskPaymentMethod,
  chooseInvoicePaymentMethod,
  chooseOnlinePaymentMethod,
  type DemoPayment,
} from "./payments.ts";
import type { Random } from "./random.ts";

/** A contract with its documents and payments so far. */
export interface SettledContract extends DemoContract {
  readonly documents: readonly PlannedDocument[];
  readonly payments: readonly DemoPayment[];
  readonly commission: ReturnType<typeof calculateCommission>;
}

const DAYS_TO_GIVE_BACK = 14;
const FULL_INSURANCE = "FULL";
const WITHOUT_DEPOSIT: readonly CustomerType[] = ["group_company", "internal_department"];

/** Simulates a contract's payments and invoices until now. */
export function settleContract({ company, random }: RandomContext, contract: DemoContract): SettledContract {
  const commission = calculateCommission(contract, random);
  const account: ContractPaymentsAndDocuments = {
    company,
    random,
    contract,
    documents: [],
    payments: [],
    prepaidCents: commission?.prepaidCents ?? 0,
  };
  const advance = payAdvance(account);
  if (contract.status === "cancelled") refundAdvance(account, advance);
  else if (contract.units.some(({ delivery }) => delivery)) settleDelivered(account, advance);
  return {
    ...contract,
    commission,
    documents: account.documents.filter(({ createdAt }) => createdAt <= company.now),
    payments: account.payments.filter(({ at }) => at <= company.now),
  };
}

// Calculates the agent's commission and the retained part of the customer's payment.
function calculateCommission({ agent, draft, status }: DemoContract, random: Random) {
  if (!agent) return undefined;
  const baseCents = draft.totals.itemCents;
  const isShare = agent.commissionCalculation === "percentage";
  const totalCents = isShare ? applyRate(baseCents, agent.commissionBasisPoints) : agent.commissionFixedCents;
  const prepaidCents = random.chance(habits.shares.commissionPrepaid) ? totalCents : 0;
  // A cancelled contract earns no commission, but what the agent retained remains to be settled.
  return status === "cancelled"
    ? { baseCents: 0, totalCents: 0, prepaidCents }
    : { baseCents, totalCents, prepaidCents };
}

// Creates the payment at booking. Some online bookings get an advance invoice.
function payAdvance(account: ContractPaymentsAndDocuments): DemoPayment | undefined {
  const { contract, company, random } = account;
  const cents = calculateAdvanceCents(contract, random);
  if (cents === 0) return undefined;
  const at = contract.createdAt + random.between(1, 6);
  const method = contract.origin === "agency" ? "booking_portal" : chooseOnlinePaymentMethod(company, random, at);
  const isRetained = contract.origin === "engine" && random.chance(habits.shares.advanceInvoiced);
  const document = isRetained ? addContractDocument(account, at, { advanceCents: cents }) : undefined;
  return addContractPayment(account, { at, cents, method, source: "booking", document });
}

// Calculates the advance: a part or all online, all through a portal, nothing for a request.
function calculateAdvanceCents({ draft, origin, status, isExpired, agency }: DemoContract, random: Random): Cents {
  const { totalCents, bookingAmountCents } = draft.totals;
  if (status === "pending_confirmation" || isExpired) return 0;
  if (origin === "agency") return agency?.prepaid ? totalCents : 0;
  if (origin === "staff" || random.chance(habits.shares.onRequest)) return 0;
  return random.chance(habits.shares.paidAtOnce) ? totalCents : bookingAmountCents;
}

/** Whether a contract's payments are still to be refunded because it was cancelled a few days ago. */
export function isRefundPending({ now }: DemoCompany, cancelledAt: CivilMinute): boolean {
  return cancelledAt >= now - DAYS_TO_GIVE_BACK * MINUTES_PER_DAY;
}

/** Ensures one contract cancelled yesterday with a pending refund, so that the office always has one. */
export function ensureContractWithPendingRefund(
  { now }: DemoCompany,
  contracts: readonly SettledContract[],
): readonly SettledContract[] {
  const yesterday = now - MINUTES_PER_DAY;
  const isFit = ({ status, isExpired, createdAt, span, documents }: SettledContract) =>
    status === "cancelled" &&
    !isExpired &&
    documents.length === 0 &&
    createdAt < yesterday - MINUTES_PER_DAY &&
    span.startsAt > now;
  const fit = contracts.filter(isFit);
  const chosen = fit.find(({ payments }) => payments.length > 0) ?? fit[0];
  if (!chosen) return contracts;
  const paid = chosen.payments[0] ?? createImmediatePayment(chosen);
  const pendingCancellation = { ...chosen, cancelledAt: yesterday, payments: [paid] };
  return contracts.map((contract) => (contract === chosen ? pendingCancellation : contract));
}

const createImmediatePayment = (contract: SettledContract): DemoPayment => ({
  ...{
    at: contract.createdAt + 1,
    cents: contract.draft.totals.totalCents,
    type: "charge",
    method: "credit_card",
    source: "booking",
  },
  branchCode: contract.pickupPlace.branchCode,
  contract,
});

// After a cancellation, payments are mostly refunded within days. Otherwise they were retained by the terms. Amounts
// not retained aren't invoiced.
function refundAdvance(account: ContractPaymentsAndDocuments, advance: DemoPayment | undefined): void {
  const { company, contract, documents, random } = account;
  const cancelledAt = contract.cancelledAt ?? contract.createdAt;
  if (!advance) return;
  const { cents, method, at: paidAt } = advance;
  const isRefunded = paidAt < cancelledAt && random.chance(habits.shares.advanceRefunded);
  if (!isRefunded && !isRefundPending(company, cancelledAt)) {
    invoiceCancellationFee(account, advance, cancelledAt);
    return;
  }
  const at = isRefunded
    ? Math.min(company.now, cancelledAt + random.between(10, 2 * MINUTES_PER_DAY))
    : Math.max(cancelledAt, paidAt);
  const document = advance.document && createCreditNote(advance.document, at);
  if (document) documents.push(document);
  if (!isRefunded) return;
  addContractPayment(account, {
    at,
    cents,
    method,
    type: "payment",
    source: document ? "customer_invoice" : "booking",
    document,
  });
}

// Invoices the retained payment of a cancelled contract. Does nothing if an advance invoice exists, which remains.
function invoiceCancellationFee(
  account: ContractPaymentsAndDocuments,
  advance: DemoPayment,
  cancelledAt: CivilMinute,
): void {
  if (advance.document) return;
  const at = Math.max(cancelledAt, advance.at);
  const document = addContractDocument(account, at, { retainedFeeCents: advance.cents });
  if (!document.isDraft) account.payments[0] = { ...advance, document };
}

// Creates the final payment, at the counter or by transfer after the invoice.
function settleDelivered(account: ContractPaymentsAndDocuments, advance: DemoPayment | undefined): void {
  const { contract, random, company } = account;
  const { deliveredAt, collectedAt } = contract;
  const isFinished = contract.status === "done";
  const isDraft =
    isFinished && collectedAt > company.now - MINUTES_PER_DAY && random.chance(habits.shares.invoiceStillDrafted);
  const final = isFinished ? addContractDocument(account, collectedAt, { isDraft }) : undefined;
  const document = final?.isDraft ? undefined : final;
  // Earlier payments count towards the invoice.
  if (advance && !advance.document) account.payments[0] = { ...advance, document };
  const cents = contract.draft.totals.totalCents - (advance?.cents ?? 0) - account.prepaidCents;
  const isAtDesk = contract.customer.customerType === "individual" && (contract.agency?.prepaid ?? true);
  if (isAtDesk)
    addContractPayment(account, {
      at: deliveredAt,
      cents,
      method: chooseDeskPaymentMethod(random, cents),
      source: "booking",
      document,
    });
  else payInvoice(account, document, cents);
  settleDeposit(account, isFinished);
  if (document && !advance?.document && isAtDesk && random.chance(habits.shares.allGivenBack))
    giveAllBack(account, document);
}

function payInvoice(account: ContractPaymentsAndDocuments, document: PlannedDocument | undefined, cents: Cents): void {
  const { random, contract } = account;
  if (!document || random.chance(habits.shares.neverPaid)) return;
  const at = document.createdAt + random.between(8, 45) * MINUTES_PER_DAY;
  const method = chooseInvoicePaymentMethod(random, contract.customer.customerType);
  addContractPayment(account, { at, cents, method, source: getDocumentPaymentSource(document), document });
}

// Creates the deposit: held while the vehicle is out plus some days for fines, then returned, less closing costs. It
// pays them fully, or not at all if too low.
function settleDeposit(account: ContractPaymentsAndDocuments, isFinished: boolean): void {
  const { contract, company, random } = account;
  const { closing, isKeptFromDeposit, draft, customer, deliveredAt, collectedAt } = contract;
  const { totalDepositCents, productDepositCents } = draft.totals;
  const isInsured = draft.extras.some(({ extra }) => extra.code === FULL_INSURANCE);
  const requiredCents = isInsured ? totalDepositCents - productDepositCents : totalDepositCents;
  const heldCents = WITHOUT_DEPOSIT.includes(customer.customerType) ? 0 : requiredCents;
  const retainedCents = isKeptFromDeposit && heldCents >= closing.totalCents ? closing.totalCents : 0;
  const method = chooseDeskPaymentMethod(random, heldCents);
  const leave = { method, type: "payment", source: "deposit_returned" } as const;
  addContractPayment(account, { at: deliveredAt, cents: heldCents, method, source: "deposit_received" });
  const returnedAt = collectedAt + company.volume.daysDepositHeld * MINUTES_PER_DAY;
  if (isFinished && returnedAt <= company.now)
    addContractPayment(account, { ...leave, at: returnedAt, cents: heldCents - retainedCents });
  if (!isFinished || closing.totalCents === 0) return;
  const chargedAt = collectedAt + random.between(20, 2 * MINUTES_PER_DAY);
  const at = Math.min(company.now, chargedAt);
  const document = addContractDocument(account, at, { isClosed: true, isDraft: chargedAt >= company.now });
  if (document.isDraft) return;
  const isDepositRetained = retainedCents > 0;
  const charge = {
    at,
    cents: closing.totalCents,
    source: getDocumentPaymentSource(document),
    document,
    isDepositKept: isDepositRetained,
  };
  addContractPayment(account, { ...charge, method: isDepositRetained ? method : "credit_card" });
  // The retained part is paid out of the deposit by the method with which the deposit was received.
  addContractPayment(account, { ...leave, at, cents: retainedCents, isDepositKept: isDepositRetained });
}

function giveAllBack(account: ContractPaymentsAndDocuments, document: PlannedDocument): void {
  const { company, contract, random } = account;
  const at = document.createdAt + random.between(3, 20) * MINUTES_PER_DAY;
  if (at > company.now || contract.closing.totalCents > 0 || account.prepaidCents > 0) return;
  const note = createCreditNote(document, at);
  account.documents.push(note);
  const cents = document.draft.sums.totalCents;
  addContractPayment(account, {
    at,
    cents,
    method: "bank_transfer",
    type: "payment",
    source: "customer_invoice",
    document: note,
  });
}

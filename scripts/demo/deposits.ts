import { type CivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { addContractDocument } from "./contract-documents.ts";
import type { CustomerType } from "./customers.ts";
import { deskMethod } from "./payment-methods.ts";
import { type ContractAccount, pay, sourceOf } from "./payments.ts";

const WITHOUT_DEPOSIT: readonly CustomerType[] = ["group_company", "internal_department"];

/** Holds the deposit while the vehicle is out, and gives it back but for what it pays. */
export function holdDeposit(account: ContractAccount, isDone: boolean): void {
  const { deliveredAt, collectedAt } = account.contract.rental;
  const held = heldCents(account);
  const method = deskMethod(account.context, held);
  pay(account, { at: deliveredAt, cents: held, method, source: "deposit_received" });
  const cents = held - keptCents(account);
  if (isDone) pay(account, { at: collectedAt, cents, method, type: "payment", source: "deposit_returned" });
}

// What is kept leaves the deposit as it is charged, by the method by which it is held.
function leaveDeposit(account: ContractAccount, at: CivilMinute, cents: Cents): void {
  const held = account.payments.find(({ source }) => source === "deposit_received");
  if (!held) return;
  const { method } = held;
  pay(account, { at, cents, method, type: "payment", source: "deposit_returned", isDepositKept: true });
}

function heldCents({ contract, depositReductionCents }: ContractAccount): Cents {
  if (WITHOUT_DEPOSIT.includes(contract.customer.customerType)) return 0;
  return contract.draft.totals.totalDepositCents - depositReductionCents;
}

// What the deposit pays of what was found at collection: all of it, or nothing where too little is held.
function keptCents(account: ContractAccount): Cents {
  const { isKeptFromDeposit, totalCents } = account.contract.closing;
  return isKeptFromDeposit && heldCents(account) >= totalCents ? totalCents : 0;
}

/** Charges what was found at collection. */
export function chargeClosing(account: ContractAccount): void {
  const { contract, context } = account;
  if (contract.closing.totalCents === 0) return;
  const at = contract.rental.collectedAt + context.random.between(20, 2 * MINUTES_PER_DAY);
  const createdAt = Math.min(context.company.now, at);
  const document = addContractDocument(account, createdAt, { isClosed: true, isDraft: at >= context.company.now });
  if (document.isDraft) return;
  const kept = keptCents(account);
  pay(account, {
    at: createdAt,
    cents: contract.closing.totalCents,
    method: account.payments.find((one) => kept > 0 && one.source === "deposit_received")?.method ?? "credit_card",
    source: sourceOf(document),
    document,
    isDepositKept: kept > 0,
  });
  leaveDeposit(account, createdAt, kept);
}

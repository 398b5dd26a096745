import type { Cents } from "#domain/money.ts";
import type { DeskCharge } from "./operations.ts";

/** What the desk knows of a contract's money before its work; in minor units. */
export interface Account {
  /** Of the contract as it stands. */
  readonly totalCents: Cents;
  readonly paidCents: Cents;
  /** The deposit that was agreed, and how much of it is held. */
  readonly depositCents: Cents;
  readonly heldCents: Cents;
  /** What this work adds to the contract: extras that are sold, what closing it charges. */
  readonly addedCents: Cents;
  /** The vehicle comes back: no deposit is taken any more, what is held is kept or given back. */
  readonly isReturn: boolean;
}

export type DeskMoney = Pick<DeskCharge, "kind" | "amountCents">;

/** Where a contract's money stands once some has changed hands. */
export interface Settlement {
  /** What the customer owes with this work, before it changes hands; below zero: paid too much. */
  readonly owedCents: Cents;
  /** What is still owed after it. */
  readonly openCents: Cents;
  readonly heldCents: Cents;
  readonly depositOpenCents: Cents;
  /** More of the deposit is kept and given back than is held: so much the office would not book. */
  readonly excessCents: Cents;
}

/** Where the money stands after the charges of this work. */
export function settle(account: Account, charges: readonly DeskMoney[]): Settlement {
  const sum = (kind: DeskMoney["kind"]) =>
    charges.reduce((total, deskMoney) => (deskMoney.kind === kind ? total + deskMoney.amountCents : total), 0);
  const owedCents = account.totalCents + account.addedCents - account.paidCents;
  const heldDepositCents = account.heldCents + sum("deposit_taken") - sum("deposit_kept") - sum("deposit_returned");
  return {
    owedCents,
    openCents: owedCents - sum("payment") - sum("deposit_kept"),
    heldCents: Math.max(0, heldDepositCents),
    depositOpenCents: account.isReturn ? 0 : Math.max(0, account.depositCents - heldDepositCents),
    excessCents: Math.max(0, -heldDepositCents),
  };
}

/** What pays for what is still owed: the deposit as far as it reaches, or the customer now. */
export type PaidFrom = "deposit" | "customer";

/**
 * What is still to change hands so that nothing is owed and no deposit is left over. Each cent of the debt and of the
 * deposit is in one of them only; charges of nothing are left out.
 */
export function suggestCharges(
  { isReturn }: Pick<Account, "isReturn">,
  { openCents, heldCents, depositOpenCents }: Settlement,
  paidFrom: PaidFrom,
): readonly DeskMoney[] {
  const open = Math.max(0, openCents);
  const retainedCents = isReturn && paidFrom === "deposit" ? Math.min(open, heldCents) : 0;
  const suggested: readonly DeskMoney[] = [
    { kind: "payment", amountCents: open - retainedCents },
    { kind: "deposit_taken", amountCents: depositOpenCents },
    { kind: "deposit_kept", amountCents: retainedCents },
    { kind: "deposit_returned", amountCents: isReturn ? heldCents - retainedCents : 0 },
  ];
  return suggested.filter(({ amountCents }) => amountCents > 0);
}

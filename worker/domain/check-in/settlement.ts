import type { Cents } from "#domain/money.ts";
import type { DeskCharge } from "./operations.ts";

/** Contract amounts before the work, in minor units. */
export interface ContractAmounts {
  /** Total of the current contract. */
  readonly totalCents: Cents;
  readonly paidCents: Cents;
  /** Agreed deposit, and its held amount. */
  readonly depositCents: Cents;
  readonly heldCents: Cents;
  /** Amount added by this operation: extras sold and closing costs. */
  readonly addedCents: Cents;
  /** Whether the vehicle is returned. Then no deposit is taken, and the held one is retained or returned. */
  readonly isReturn: boolean;
}

/** Kind and amount of a payment or deposit movement. */
export type DeskChargeAmount = Pick<DeskCharge, "kind" | "amountCents">;

/** Owed amount and deposit of a contract after payments and deposit movements. */
export interface HandOverSettlement {
  /** Amount owed including this operation, before its payments. Negative for an overpayment. */
  readonly owedCents: Cents;
  /** Amount still owed after the operation's payments. */
  readonly openCents: Cents;
  readonly heldCents: Cents;
  readonly depositOpenCents: Cents;
  /**
   * Amount by which the retained and returned deposit exceeds the deposit held. The server wouldn't record these
   * movements.
   */
  readonly excessCents: Cents;
}

/** Returns the owed amount and the deposit after this operation's payments and deposit movements. */
export function calculateHandOverSettlement(
  account: ContractAmounts,
  charges: readonly DeskChargeAmount[],
): HandOverSettlement {
  const sum = (kind: DeskChargeAmount["kind"]) =>
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

/** Source for amounts still owed: the deposit as far as it suffices, or the customer. */
export type PaymentSource = "deposit" | "customer";

/** Suggests payments and deposit movements that leave no debt and no deposit. Omits those of zero. */
export function suggestDeskCharges(
  { isReturn }: Pick<ContractAmounts, "isReturn">,
  { openCents, heldCents, depositOpenCents }: HandOverSettlement,
  paidFrom: PaymentSource,
): readonly DeskChargeAmount[] {
  const open = Math.max(0, openCents);
  const retainedCents = isReturn && paidFrom === "deposit" ? Math.min(open, heldCents) : 0;
  const suggested: readonly DeskChargeAmount[] = [
    { kind: "payment", amountCents: open - retainedCents },
    { kind: "deposit_taken", amountCents: depositOpenCents },
    { kind: "deposit_kept", amountCents: retainedCents },
    { kind: "deposit_returned", amountCents: isReturn ? heldCents - retainedCents : 0 },
  ];
  return suggested.filter(({ amountCents }) => amountCents > 0);
}

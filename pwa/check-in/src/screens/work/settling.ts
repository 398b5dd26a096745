import { type Account, type PaidFrom, type Settlement, settle, suggestCharges } from "#domain/check-in/settlement.ts";
import { newId } from "../../offline/ids.ts";
import type { Draft } from "../../offline/items.ts";
import { findBookingOfDay } from "../../state/day.ts";
import { getBookingAccount, getRemainingDeposit, soldCents, toDeskMoney } from "../../state/desk.ts";
import { isBack } from "../../state/entries.ts";
import { fromCents, toCents } from "../../state/money.ts";
import { calculateDraftClosing, closingCents } from "./closing.ts";

type Charge = Draft["charges"][number];

/** What the open work adds to its contract, in minor units. */
export function addedCents(draft: Draft): number {
  return soldCents(draft) + (draft.kind === "collection" ? closingCents(calculateDraftClosing(draft)) : 0);
}

/** The contract's money before the open work, and with all that it records; undefined where no booking is known. */
export function calculateDraftSettlement(
  draft: Draft,
): { readonly account: Account; readonly settlement: Settlement } | undefined {
  const booking = findBookingOfDay(draft.booking_id);
  if (!booking || draft.kind === "evidence") return undefined;
  const comesBack = (unitId: number) => draft.kind === "collection" && unitId === draft.resource_id;
  // The deposit is the contract's: it goes back with the last of its vehicles.
  const isReturn =
    draft.kind !== "delivery" &&
    booking.resources.every((unit) => comesBack(unit.resource_id) || isBack(unit, booking.booking_id));
  const account = getBookingAccount(booking, isReturn, {
    addedCents: addedCents(draft),
    depositCents: getRemainingDeposit(draft),
  });
  return { account, settlement: settle(account, toDeskMoney(draft.charges)) };
}

/** What is not as it should be with the money of the open work, in minor units. */
export function calculateOpenMoney(draft: Draft) {
  const known = calculateDraftSettlement(draft);
  if (!known || draft.kind === "correction" || draft.kind === "exchange")
    return { openCents: 0, depositCents: 0, heldCents: 0, sum: 0 };
  const { account, settlement } = known;
  const openCents = Math.max(0, settlement.openCents);
  const depositCents = settlement.depositOpenCents;
  const heldCents = account.isReturn ? settlement.heldCents : 0;
  return { openCents, depositCents, heldCents, sum: openCents + depositCents + heldCents };
}

/** Whether somebody still has to say that the work goes on with money left open. */
export const needsOpenBalanceConfirmation = (draft: Draft) => {
  const { sum } = calculateOpenMoney(draft);
  return sum > 0 && draft.open_confirmed !== sum;
};

/** Whether something was typed as an amount that is none: it would be left out of what is recorded. */
export const isAmountWrong = ({ charges }: Pick<Draft, "charges">) =>
  charges.some(({ amount }) => amount.trim() !== "" && toCents(amount) === undefined);

/** Charges that settle what is still open, ready to be recorded. */
export function suggestedCharges(draft: Draft, paidFrom: PaidFrom): readonly Charge[] {
  const known = calculateDraftSettlement(draft);
  if (!known) return [];
  const method = draft.charges.at(-1)?.payment_method_id ?? "credit_card";
  return suggestCharges(known.account, known.settlement, paidFrom).map(({ kind, amountCents }) => ({
    charge_id: newId(Date.now()),
    kind,
    amount: fromCents(amountCents),
    payment_method_id: method,
  }));
}

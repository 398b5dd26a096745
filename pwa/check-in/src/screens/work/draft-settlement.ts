import {
  type ContractAmounts,
  calculateHandOverSettlement,
  type HandOverSettlement,
  type PaymentSource,
  suggestDeskCharges,
} from "#domain/check-in/settlement.ts";
import { createUuidV7 } from "../../offline/ids.ts";
import type { WorkDraft } from "../../offline/items.ts";
import {
  calculateSoldExtrasCents,
  getContractAmounts,
  getDepositCentsAfterExtras,
  toDeskChargeAmounts,
} from "../../state/booking-settlement.ts";
import { getDamagePriceCents, sumDamagePrices } from "../../state/damage-prices.ts";
import { findLoadedBooking } from "../../state/day.ts";
import { isUnitReturned } from "../../state/day-entries.ts";
import { calculateUpgradeCents } from "../../state/exchange.ts";
import { fromCents, toCents } from "../../state/money.ts";
import { calculateDraftClosingCosts, sumClosingCosts } from "./closing-costs.ts";

type Charge = WorkDraft["charges"][number];

/** Returns the amount that the open work adds to its contract, in minor units. */
export function calculateDraftAddedCents(draft: WorkDraft): number {
  return (
    calculateSoldExtrasCents(draft) +
    calculateUpgradeCents(draft) +
    sumDamagePrices(draft) +
    (draft.kind === "collection" ? sumClosingCosts(calculateDraftClosingCosts(draft)) : 0)
  );
}

/** Calculates the contract's balance before and after the open work. Returns undefined if the booking is unknown. */
export function calculateDraftSettlement(
  draft: WorkDraft,
): { readonly account: ContractAmounts; readonly settlement: HandOverSettlement } | undefined {
  const booking = findLoadedBooking(draft.booking_id);
  if (!booking || draft.kind === "evidence") return undefined;
  const comesBack = (unitId: number) => draft.kind === "collection" && unitId === draft.resource_id;
  // The deposit belongs to the contract and is refunded with its last vehicle.
  const isReturn =
    draft.kind !== "delivery" &&
    booking.resources.every((unit) => comesBack(unit.resource_id) || isUnitReturned(unit, booking.booking_id));
  const account = getContractAmounts(booking, isReturn, {
    addedCents: calculateDraftAddedCents(draft),
    depositCents: getDepositCentsAfterExtras(draft),
  });
  return { account, settlement: calculateHandOverSettlement(account, toDeskChargeAmounts(draft.charges)) };
}

/** Amount that a card holds for a deposit, and the part of it that the return leaves to pay, in minor units. */
export interface ProposedCardHoldAction {
  readonly heldCents: number;
  readonly captureCents: number;
}

/** Proposes whether the office captures or releases a card hold after the last return. Undefined without a hold. */
export function proposeCardHoldAction(draft: WorkDraft): ProposedCardHoldAction | undefined {
  const booking = findLoadedBooking(draft.booking_id);
  const known = calculateDraftSettlement(draft);
  // After the last return, the server sends no pending deposit, so the amount held on a card can't be
  // computed.
  if (!booking || !known?.account.isReturn || booking.resources.every(({ state }) => state === "collected"))
    return undefined;
  const { total, held, pending } = booking.deposit;
  const heldCents = (toCents(total) ?? 0) - (toCents(held) ?? 0) - (toCents(pending) ?? 0);
  if (heldCents <= 0) return undefined;
  return { heldCents, captureCents: Math.min(heldCents, Math.max(0, known.settlement.openCents)) };
}

/**
 * Calculates the unpaid balance, the missing deposit and the deposit still to return of the open work, in minor units.
 */
export function calculateUnsettledAmounts(draft: WorkDraft) {
  const known = calculateDraftSettlement(draft);
  // An exchange has an open amount only if it charges an upgrade.
  if (!known || draft.kind === "correction" || (draft.kind === "exchange" && calculateUpgradeCents(draft) === 0))
    return { openCents: 0, depositCents: 0, heldCents: 0, sum: 0 };
  const { account, settlement } = known;
  const openCents = Math.max(0, settlement.openCents);
  const depositCents = draft.kind === "exchange" ? 0 : settlement.depositOpenCents;
  const heldCents = account.isReturn ? settlement.heldCents : 0;
  return { openCents, depositCents, heldCents, sum: openCents + depositCents + heldCents };
}

/** Whether the open balance still needs confirmation. */
export const needsOpenBalanceConfirmation = (draft: WorkDraft) => {
  const { sum } = calculateUnsettledAmounts(draft);
  return sum > 0 && draft.open_confirmed !== sum;
};

/** Whether an invalid amount was typed, which would otherwise be ignored. */
export const hasInvalidAmount = ({ charges, surcharges = [] }: Pick<WorkDraft, "charges" | "surcharges">) =>
  charges.some(({ amount }) => amount.trim() !== "" && toCents(amount) === undefined) ||
  surcharges.some((price) => getDamagePriceCents(price) === undefined);

/** Returns payments and deposit movements that settle the open balance. */
export function suggestDraftCharges(draft: WorkDraft, paidFrom: PaymentSource): readonly Charge[] {
  const known = calculateDraftSettlement(draft);
  if (!known) return [];
  const method = draft.charges.at(-1)?.payment_method_id ?? "credit_card";
  return suggestDeskCharges(known.account, known.settlement, paidFrom).map(({ kind, amountCents }) => ({
    charge_id: createUuidV7(Date.now()),
    kind,
    amount: fromCents(amountCents),
    payment_method_id: method,
  }));
}

import { parseAmount, toAmount } from "#domain/amount-text.ts";
import { account, hasUserRight } from "../../account.ts";
import { getActionRight } from "../../desk/action-rights.ts";
import type { Reservation, ReservationDetail } from "../../desk/reservation.ts";

export type PaymentLink = ReservationDetail["payment_links"][number];
export type CardHold = ReservationDetail["holds"][number];

const toCents = (amount: string): number => parseAmount(amount.replace(/^-/, ""), account.value.currency_decimals) ?? 0;
const toText = (cents: number): string => (cents > 0 ? toAmount(cents, account.value.currency_decimals) : "");

/** Whether an amount is higher than another one. False if the amount can't be parsed. */
export const isHigherAmount = (amount: string, limit: string): boolean => toCents(amount) > toCents(limit);

/** Holds that secure the deposit now. */
export const listAuthorisedHolds = (holds: readonly CardHold[]): readonly CardHold[] =>
  holds.filter(({ status, action }) => status === "authorised" && action === null);

type Owing = Pick<Reservation, "status" | "kind" | "total_pending" | "total_deposit" | "deposit_held">;

/** Returns the amount to propose for a payment link, or an empty text if nothing is due. */
export const proposePaymentLinkAmount = ({ total_pending: pending }: Pick<Owing, "total_pending">): string =>
  pending.startsWith("-") ? "" : toText(toCents(pending));

const OPEN: ReadonlySet<string> = new Set(["pending_confirmation", "confirmed", "in_progress"]);

/** Returns the deposit that no money and no card secures, or an empty text. */
export function proposeCardHoldAmount(of: Owing, holds: readonly CardHold[]): string {
  if (of.kind !== "rental" || !OPEN.has(of.status)) return "";
  const held = holds.filter(({ status }) => status === "authorised").map(({ amount }) => toCents(amount));
  const secured = held.reduce((sum, cents) => sum + cents, toCents(of.deposit_held));
  return toText(toCents(of.total_deposit) - secured);
}

/** Returns how much of a hold to capture: the amount due for damage, fuel and kilometres, at most the hold. */
export function proposeCaptureAmount(of: Pick<Owing, "total_pending">, { amount }: Pick<CardHold, "amount">): string {
  return toText(Math.min(toCents(proposePaymentLinkAmount(of) || "0"), toCents(amount)));
}

/** Returns the captured amount that no charge uses, which is owed to the customer. Empty if there's none. */
export function getUnchargedCapture(of: Pick<Reservation, "to_refund">, holds: readonly CardHold[]): string {
  const captured = holds.reduce((sum, { captured_amount: amount }) => sum + toCents(amount), 0);
  return toText(Math.min(toCents(of.to_refund), captured));
}

/** Returns the action that adds what a capture pays, or undefined if none is possible. */
export const findActionToChargeCapture = ({ allowed }: Pick<Reservation, "allowed">) =>
  (["surcharge", "collect"] as const).find(
    (action) => allowed.includes(action) && hasUserRight(getActionRight(action)),
  );

/** Lists the payment links that aren't shown with a card hold. */
export const listPaymentLinksWithoutHold = (links: readonly PaymentLink[]): readonly PaymentLink[] =>
  links.filter(({ purpose }) => purpose === "payment");

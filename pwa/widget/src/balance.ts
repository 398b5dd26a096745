import type { Reservation } from "./model.ts";
import type { Texts } from "./texts.ts";

/** Returns label and amount of the balance. A negative one is a refund. */
export function getBalanceLabelAndAmount(pending: string, texts: Texts): readonly [name: string, amount: string] {
  return pending.startsWith("-") ? [texts.refund, pending.slice(1)] : [texts.pending, pending];
}

/** Returns the security deposit of a reservation. A cancelled or expired one has none. */
export const getSecurityDepositDue = ({
  status,
  reason,
  trip,
}: Pick<Reservation, "status" | "reason" | "trip">): string =>
  status === "cancelled" || reason === "expired" ? "0" : trip.securityDeposit;

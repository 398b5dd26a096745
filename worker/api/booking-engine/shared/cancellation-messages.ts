import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  type CancellableContract,
  calculateCancellationFee,
  getFreeCancellationEnd,
} from "#domain/contracts/cancellation.ts";
import { formatCivilMinute, toCivilMinute } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import { type FieldsMessage, nullableText } from "./messages.ts";

/** Conditions under which the reservation of a cart can be cancelled. */
export const cancellationFields = {
  free_cancellation_until: nullableText.meta({
    description: "Local time until which a cancellation is free, null if it no longer is",
    example: "2030-04-29T10:00",
  }),
  cancellation_fee: decimalAmountSchema.meta({
    description: "Fee of a cancellation now, once the reservation is confirmed or paid",
  }),
};

/** Converts the conditions of a cancellation. */
export function toCancellationMessage(
  { cancellationTerms, settings }: Pick<Catalogue, "cancellationTerms" | "settings">,
  cart: Omit<CancellableContract, "status" | "totalPaidCents">,
  now: CivilNow,
): FieldsMessage<typeof cancellationFields> {
  const civil = toCivilMinute(now.date, now.time);
  const end = getFreeCancellationEnd(cancellationTerms, cart);
  const contract = { ...cart, status: "confirmed", totalPaidCents: 0 } as const;
  const feeCents = calculateCancellationFee(cancellationTerms, "cancellation", contract, { civil });
  return {
    free_cancellation_until: end === undefined || end <= civil ? null : formatCivilMinute(end),
    cancellation_fee: toAmount(feeCents, settings.currencyDecimals),
  };
}

import { z } from "zod";
import type { AppliedDiscount } from "#domain/bookings/discounts.ts";
import { type Cents, formatRateAsPercent, toAmount } from "#domain/money.ts";
import { nullableText } from "#worker/api/integration/messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";

/** Fields of a reservation's discount, with the total without it. */
export const discountShape = {
  list_total_cost: decimalAmountSchema.meta({ description: "Total without the discount" }),
  discount: z
    .object({
      kind: z.enum(["percentage", "amount"]),
      value: z.string().meta({ description: "Percentage or amount" }),
      amount: decimalAmountSchema.meta({ description: "Amount of the discount on products and extras" }),
      reason: nullableText,
      by: nullableText.meta({ description: "Staff name, or `customer` for the customer's own discount" }),
    })
    .nullable(),
};

type DiscountMessage = z.output<z.ZodObject<typeof discountShape>>;

/** Converts a discount, and the total without it. */
export function toDiscountMessage(
  totalCents: Cents,
  discount: AppliedDiscount | null | undefined,
  decimals: number,
): DiscountMessage {
  if (!discount) return { list_total_cost: toAmount(totalCents, decimals), discount: null };
  const { kind, value, amountCents, reason, by, byName } = discount;
  return {
    list_total_cost: toAmount(totalCents + amountCents, decimals),
    discount: {
      kind,
      value: kind === "percentage" ? formatRateAsPercent(value) : toAmount(value, decimals),
      amount: toAmount(amountCents, decimals),
      reason: reason === "" ? null : reason,
      by: byName ?? by,
    },
  };
}

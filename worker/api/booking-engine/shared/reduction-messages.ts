import { z } from "zod";
import type { AppliedDiscount } from "#domain/bookings/discounts.ts";
import { type Cents, formatRateAsPercent, sumCents, toAmount } from "#domain/money.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import type { FieldsMessage } from "./messages.ts";

/** Discount of a cart or booking, for its customer. */
export const reductionFields = {
  discount: z
    .object({
      kind: z.enum(["percentage", "amount"]).meta({ description: "Percentage of the price or an amount" }),
      value: z.string().meta({ description: "Percentage or amount as agreed" }),
      amount: decimalAmountSchema.meta({
        description: "Amount of the discount, included in item_cost and extras_cost",
      }),
      item_amount: decimalAmountSchema.meta({ description: "Part of the amount in item_cost" }),
      extras_amount: decimalAmountSchema.meta({ description: "Part of the amount in extras_cost" }),
      list_total: decimalAmountSchema.meta({ description: "Total without the discount" }),
    })
    .nullable()
    .meta({ description: "Discount given by the company. null: none" }),
};

interface Reduced {
  readonly totals: { readonly totalCents: Cents };
  readonly discount?: AppliedDiscount | undefined;
  readonly extras: readonly { readonly discountCents?: Cents | undefined }[];
}

/** Converts the discount of a cart or booking for its customer, without its author and reason. */
export function toReductionMessage(
  { totals, discount, extras }: Reduced,
  decimals: number,
): FieldsMessage<typeof reductionFields> {
  const money = (cents: Cents) => toAmount(cents, decimals);
  if (!discount) return { discount: null };
  const { kind, value, amountCents } = discount;
  const extrasCents = sumCents(extras.map(({ discountCents = 0 }) => discountCents));
  return {
    discount: {
      kind,
      value: kind === "percentage" ? formatRateAsPercent(value) : money(value),
      amount: money(amountCents),
      item_amount: money(amountCents - extrasCents),
      extras_amount: money(extrasCents),
      list_total: money(totals.totalCents + amountCents),
    },
  };
}

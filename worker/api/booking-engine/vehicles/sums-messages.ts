import { z } from "zod";
import type { AppliedDiscount } from "#domain/bookings/discounts.ts";
import type { Totals } from "#domain/bookings/draft.ts";
import { type Cents, sumCents, toAmount, toPercent } from "#domain/money.ts";
import { createFieldsOfSchema, type FieldsMessage } from "#worker/api/booking-engine/shared/messages.ts";
import { costFields, toCosts } from "#worker/api/cost-messages.ts";
import { amount } from "#worker/api/primitives.ts";

/** Sums of a cart or booking. */
export const sumFields = {
  ...costFields(amount),
  ...createFieldsOfSchema(
    amount,
    "supplement_1_cost",
    "supplement_2_cost",
    "supplement_3_cost",
    "total_cost",
    "booking_amount",
    "product_deposit_cost",
    "product_deposit_total",
    "product_guarantee_total",
    "driver_age_deposit",
    "total_deposit",
  ),
  count_deposit: z.int(),
  deposit_hold_product_deposit_cost: z.string(),
};

/** Discount of a cart or booking, for its customer. */
export const reductionFields = {
  discount: z
    .object({
      kind: z.enum(["percentage", "amount"]).meta({ description: "Percentage of the price or an amount" }),
      value: z.string().meta({ description: "Percentage or amount as agreed" }),
      amount: amount.meta({ description: "Amount of the discount, included in item_cost and extras_cost" }),
      item_amount: amount.meta({ description: "Part of the amount in item_cost" }),
      extras_amount: amount.meta({ description: "Part of the amount in extras_cost" }),
      list_total: amount.meta({ description: "Total without the discount" }),
    })
    .nullable()
    .meta({ description: "Discount given by the company. null: none" }),
};

interface Reduced {
  readonly totals: Pick<Totals, "totalCents">;
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
      value: kind === "percentage" ? toPercent(value) : money(value),
      amount: money(amountCents),
      item_amount: money(amountCents - extrasCents),
      extras_amount: money(extrasCents),
      list_total: money(totals.totalCents + amountCents),
    },
  };
}

/** Converts the sums of a cart or booking for websites. */
export function toTotalsMessage(
  totals: Totals,
  money: (cents: Cents) => string,
  [days, fuel, kilometres]: readonly [Cents, Cents, Cents] = [0, 0, 0],
): FieldsMessage<typeof sumFields> {
  return {
    ...toCosts(totals, totals.categorySupplementCents, money),
    supplement_1_cost: money(days),
    supplement_2_cost: money(fuel),
    supplement_3_cost: money(kilometres),
    total_cost: money(totals.totalCents),
    booking_amount: money(totals.bookingAmountCents),
    product_deposit_cost: money(totals.productDepositCents),
    product_deposit_total: money(totals.productDepositCents),
    product_guarantee_total: money(totals.productGuaranteeCents),
    driver_age_deposit: money(totals.driverAgeDepositCents),
    total_deposit: money(totals.totalDepositCents),
    count_deposit: totals.totalDepositCents > 0 ? 1 : 0,
    deposit_hold_product_deposit_cost: "not_hold",
  };
}

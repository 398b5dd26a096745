import { z } from "zod";
import type { RentalTotals } from "#domain/bookings/draft.ts";
import type { Cents } from "#domain/money.ts";
import { createSchemaFields, type FieldsMessage } from "#worker/api/booking-engine/shared/messages.ts";
import { createCostFields, toCosts } from "#worker/api/cost-messages.ts";
import { decimalAmount } from "#worker/api/primitives.ts";

/** Sums of a cart or booking. */
export const sumFields = {
  ...createCostFields(decimalAmount),
  ...createSchemaFields(
    decimalAmount,
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

/** Converts the sums of a cart or booking for websites. */
export function toTotalsMessage(
  totals: RentalTotals,
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

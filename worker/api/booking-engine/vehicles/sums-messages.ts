import { z } from "zod";
import type { RentalTotals } from "#domain/bookings/draft.ts";
import type { Cents } from "#domain/money.ts";
import { createSchemaFields, type FieldsMessage } from "#worker/api/booking-engine/shared/messages.ts";
import { createCostFields, toCostFieldValues } from "#worker/api/cost-messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";

/** Sums of a cart or booking. */
export const sumFields = {
  ...createCostFields(decimalAmountSchema),
  ...createSchemaFields(
    decimalAmountSchema,
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
  formatCents: (cents: Cents) => string,
  [days, fuel, kilometres]: readonly [Cents, Cents, Cents] = [0, 0, 0],
): FieldsMessage<typeof sumFields> {
  return {
    ...toCostFieldValues(totals, totals.categorySupplementCents, formatCents),
    supplement_1_cost: formatCents(days),
    supplement_2_cost: formatCents(fuel),
    supplement_3_cost: formatCents(kilometres),
    total_cost: formatCents(totals.totalCents),
    booking_amount: formatCents(totals.bookingAmountCents),
    product_deposit_cost: formatCents(totals.productDepositCents),
    product_deposit_total: formatCents(totals.productDepositCents),
    product_guarantee_total: formatCents(totals.productGuaranteeCents),
    driver_age_deposit: formatCents(totals.driverAgeDepositCents),
    total_deposit: formatCents(totals.totalDepositCents),
    count_deposit: totals.totalDepositCents > 0 ? 1 : 0,
    deposit_hold_product_deposit_cost: "not_hold",
  };
}

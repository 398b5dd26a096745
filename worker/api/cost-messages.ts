import type { z } from "zod";
import type { RentalTotals } from "#domain/bookings/draft.ts";
import type { Cents } from "#domain/money.ts";

type TimePlaceAndDriverCosts = Pick<
  RentalTotals,
  "timeFromCents" | "timeToCents" | "pickupPlaceCents" | "returnPlaceCents" | "driverAgeCents"
>;
type Costs = TimePlaceAndDriverCosts & Pick<RentalTotals, "itemCents" | "extrasCents">;

/** Fields of the costs that depend on times, places and the driver. */
export function createTimePlaceAndDriverCostFields<Amount extends z.ZodType>(amount: Amount) {
  return {
    time_from_cost: amount,
    time_to_cost: amount,
    pickup_place_cost: amount,
    return_place_cost: amount,
    driver_age_cost: amount,
  };
}

/** Converts the costs that depend on times, places and the driver. */
export function toTimePlaceAndDriverCostValues<Amount>(
  terms: TimePlaceAndDriverCosts,
  toAmount: (cents: Cents) => Amount,
) {
  return {
    time_from_cost: toAmount(terms.timeFromCents),
    time_to_cost: toAmount(terms.timeToCents),
    pickup_place_cost: toAmount(terms.pickupPlaceCents),
    return_place_cost: toAmount(terms.returnPlaceCents),
    driver_age_cost: toAmount(terms.driverAgeCents),
  };
}

/** Fields of the parts of a rental's price. All interfaces use these names in this order. */
export function createCostFields<Amount extends z.ZodType>(amount: Amount) {
  return {
    item_cost: amount,
    extras_cost: amount,
    ...createTimePlaceAndDriverCostFields(amount),
    category_supplement_1_cost: amount,
    category_supplement_2_cost: amount,
    category_supplement_3_cost: amount,
  };
}

/** Converts the parts of a rental's price. */
export function toCostFieldValues<Amount>(
  costs: Costs,
  [first, second, third]: RentalTotals["categorySupplementCents"],
  toAmount: (cents: Cents) => Amount,
) {
  return {
    item_cost: toAmount(costs.itemCents),
    extras_cost: toAmount(costs.extrasCents),
    ...toTimePlaceAndDriverCostValues(costs, toAmount),
    category_supplement_1_cost: toAmount(first),
    category_supplement_2_cost: toAmount(second),
    category_supplement_3_cost: toAmount(third),
  };
}

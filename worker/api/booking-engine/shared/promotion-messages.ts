import { z } from "zod";
import { isDiscountValidFor } from "#domain/bookings/pricing.ts";
import { cleanPromotionCode } from "#domain/bookings/promotion-code.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { countRentalDays, type TimeText } from "#domain/dates.ts";
import { civilDateSchema, pastedCodeSchema } from "#worker/api/primitives.ts";

// Dates may be empty, because form validators ask before they're selected.
const chosenDate = z.union([z.literal("").transform(() => undefined), civilDateSchema], "must be a date, yyyy-mm-dd");

/** Form fields of a promotion code check, as form validators of websites send them. */
export const promotionCodeCheckBody = z.object({
  code: pastedCodeSchema(40),
  from: chosenDate.optional(),
  to: chosenDate.optional(),
});

export const promotionCodeValidAnswer = z.boolean();

/** Whether a code is valid for the known dates. A rental's length is counted in days, ignoring hours. */
export function isPromotionCodeValid(
  { promotionCodes, settings }: Catalogue,
  { code, from, to }: z.output<typeof promotionCodeCheckBody>,
  now: CivilNow,
): z.output<typeof promotionCodeValidAnswer> {
  const promotion = promotionCodes.get(cleanPromotionCode(code));
  const midnight = "00:00" as TimeText;
  const days =
    from && to
      ? countRentalDays({ dateFrom: from, timeFrom: midnight, dateTo: to, timeTo: midnight }, settings.graceMinutes)
      : undefined;
  return promotion !== undefined && isDiscountValidFor(promotion, { bookedOn: now.date, dateFrom: from, days });
}

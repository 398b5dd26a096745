import { z } from "zod";
import type { CartSearch } from "#domain/bookings/carts.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import { findOnlyPickupPlace } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import {
  callQuery,
  flag,
  placeId,
  toVisit,
  visitFields,
  websiteDate,
  websiteTime,
  wholeNumber,
} from "#worker/api/booking-engine/shared/messages.ts";
import { textLine } from "#worker/api/primitives.ts";

const LARGEST_ID = 999_999_999;

export const cartQuery = callQuery.extend({
  include_products: flag.optional(),
  include_extras: flag.optional(),
  include_coverage: flag.optional(),
  offset: wholeNumber(0, 100_000).optional(),
  limit: wholeNumber(1, 500).optional(),
});

export type CartQuery = z.output<typeof cartQuery>;

export const searchBody = z.object({
  date_from: websiteDate,
  date_to: websiteDate,
  time_from: websiteTime.default("10:00" as never),
  time_to: websiteTime.default("10:00" as never),
  include_products: flag.optional(),
  pickup_place: placeId.optional(),
  return_place: placeId.optional(),
  driver_age_rule: wholeNumber(1, LARGEST_ID).optional(),
  sales_channel_code: textLine(30).optional(),
  promotion_code: textLine(40).optional(),
  family_id: wholeNumber(1, LARGEST_ID).optional(),
  engine_fixed_family: flag.optional(),
  engine_fixed_rental_location: flag.optional(),
  category_code: textLine(30).optional(),
  number_of_adults: wholeNumber(0, 99).optional(),
  number_of_children: wholeNumber(0, 99).optional(),
  ...visitFields,
});

/**
 * What a body asks for. A place has to be given only where there are several
 * (docs/interfaces/booking-engine-vehicles.md#search).
 */
export function toSearch(
  body: z.output<typeof searchBody>,
  keyChannel: string | undefined,
  catalogue: Catalogue,
): Result<CartSearch, InvalidInput> {
  const pickupPlaceId = body.pickup_place ?? findOnlyPickupPlace(catalogue)?.id;
  if (pickupPlaceId === undefined)
    return refuse({ kind: "invalid", field: "pickupPlace", reason: "is required: there are several" });
  return ok({
    rental: {
      period: { dateFrom: body.date_from, timeFrom: body.time_from, dateTo: body.date_to, timeTo: body.time_to },
      pickupPlaceId,
      returnPlaceId: body.return_place ?? pickupPlaceId,
      driverAgeRuleId: body.driver_age_rule,
      salesChannel: body.sales_channel_code ?? keyChannel,
      promotionCode: body.promotion_code,
    },
    familyId: body.family_id,
    isFamilyFixed: body.engine_fixed_family,
    isBranchFixed: body.engine_fixed_rental_location,
    categoryCode: body.category_code,
    ownChannel: keyChannel,
    numberOfAdults: body.number_of_adults,
    numberOfChildren: body.number_of_children,
    visit: toVisit(body),
  });
}

const LARGEST_QUANTITY = 99;

export const productBody = z.object({ product: textLine(30), quantity: wholeNumber(0, LARGEST_QUANTITY).optional() });
export const extraBody = z.object({ extra: textLine(30), quantity: wholeNumber(0, LARGEST_QUANTITY).optional() });
/** Without a code: none any more. */
export const promotionBody = z.object({ promotion_code: textLine(40).optional() });

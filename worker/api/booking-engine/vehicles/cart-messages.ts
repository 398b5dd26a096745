import { z } from "zod";
import type { CartSearch } from "#domain/bookings/carts.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import { findDefaultPickupPlace } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { addDays, type TimeText } from "#domain/dates.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  booleanOrText,
  engineQuery,
  expectedCartVersionSchema,
  idOrIdTextSchema,
  integerBetweenSchema,
  toVisitSource,
  visitSourceFields,
  websiteDateSchema,
  websiteTimeSchema,
} from "#worker/api/booking-engine/shared/messages.ts";
import { promotionCode, textLineSchema } from "#worker/api/primitives.ts";

const MAX_ID = 999_999_999;
const DEFAULT_TIME = "10:00";
const MAX_DURATION = 9999;

export const rentalCartQuery = engineQuery.extend({
  include_products: booleanOrText.optional(),
  include_extras: booleanOrText.optional(),
  include_coverage: booleanOrText.optional(),
  offset: integerBetweenSchema(0, 100_000).optional(),
  limit: integerBetweenSchema(1, 500).optional(),
});

export type RentalCartQuery = z.output<typeof rentalCartQuery>;

const promotion = promotionCode(40).optional().meta({ description: "An empty text removes the cart's code" });

export const rentalSearchBody = z.object({
  date_from: websiteDateSchema,
  date_to: websiteDateSchema.optional(),
  time_from: websiteTimeSchema.default(DEFAULT_TIME as never),
  time_to: websiteTimeSchema
    .optional()
    .meta({ description: "Defaults to 10:00, or to the pickup time if a number of days is sent" }),
  renting_duration: integerBetweenSchema(1, MAX_DURATION).optional().meta({
    description: "Number of days instead of date_to, if rent_dates_selector is date_from_duration",
  }),
  include_products: booleanOrText.optional(),
  pickup_place: idOrIdTextSchema.optional(),
  return_place: idOrIdTextSchema.optional(),
  driver_age_rule: integerBetweenSchema(1, MAX_ID).optional(),
  sales_channel_code: textLineSchema(30).optional(),
  promotion_code: promotion,
  family_id: integerBetweenSchema(1, MAX_ID).optional(),
  engine_fixed_family: booleanOrText.optional(),
  rental_location_code: textLineSchema(30)
    .optional()
    .meta({ description: "Branch instead of a pickup place. Selects its first pickup place" }),
  engine_fixed_rental_location: booleanOrText.optional(),
  category_code: textLineSchema(30).optional(),
  number_of_adults: integerBetweenSchema(0, 99).optional(),
  number_of_children: integerBetweenSchema(0, 99).optional(),
  number_of_products: integerBetweenSchema(0, 99).optional(),
  ...visitSourceFields,
});
export type RentalSearchRequest = z.input<typeof rentalSearchBody>;

/**
 * Converts a body to a search. The place is only required if there are several
 * (docs/interfaces/booking-engine-vehicles.md#search).
 */
export function toCartSearch(
  body: z.output<typeof rentalSearchBody>,
  keySalesChannel: string | undefined,
  catalogue: Catalogue,
): Result<CartSearch, InvalidInput> {
  const pickupPlaceId = body.pickup_place ?? findDefaultPickupPlace(catalogue, body.rental_location_code)?.id;
  if (pickupPlaceId === undefined)
    return err({ kind: "invalid", field: "pickupPlace", reason: whyNoPlace(catalogue, body.rental_location_code) });
  const returnRequest = resolveReturn(body, catalogue);
  if (returnRequest.dateTo === undefined)
    return err({ kind: "invalid", field: "dateTo", reason: createReason("missing") });
  return ok({
    rental: {
      period: {
        dateFrom: body.date_from,
        timeFrom: body.time_from,
        dateTo: returnRequest.dateTo,
        timeTo: returnRequest.timeTo,
      },
      pickupPlaceId,
      returnPlaceId: body.return_place ?? pickupPlaceId,
      driverAgeRuleId: body.driver_age_rule,
      salesChannel: body.sales_channel_code ?? keySalesChannel,
      promotionCode: body.promotion_code || undefined,
    },
    familyId: body.family_id,
    isFamilyFixed: body.engine_fixed_family,
    isBranchFixed: body.engine_fixed_rental_location,
    categoryCode: body.category_code,
    durationDays: returnRequest.days,
    ownChannel: keySalesChannel,
    numberOfAdults: body.number_of_adults,
    numberOfChildren: body.number_of_children,
    numberOfProducts: body.number_of_products,
    agentId: body.agent_id,
    visit: toVisitSource(body),
  });
}

function whyNoPlace({ places }: Catalogue, branchCode: string | undefined): Reason {
  const isAnyOffered = [...places.values()].some((place) => place.isPickup && place.webPublic);
  if (!isAnyOffered) return createReason("no_places");
  return branchCode === undefined ? createReason("several_places") : createReason("no_place_at_branch", branchCode);
}

// Returns the return date. A duration takes precedence over a date that the form may still contain.
function resolveReturn(
  { date_from: from, time_from, date_to: dateTo, time_to, renting_duration: days }: z.output<typeof rentalSearchBody>,
  { settings }: Catalogue,
) {
  const isByDays = days !== undefined && (settings.rentDatesSelector === "date_from_duration" || dateTo === undefined);
  return isByDays
    ? { dateTo: addDays(from, days), timeTo: time_to ?? time_from, days }
    : { dateTo, timeTo: time_to ?? (DEFAULT_TIME as TimeText), days: undefined };
}

const MAX_QUANTITY = 99;

const choice = {
  quantity: integerBetweenSchema(0, MAX_QUANTITY).optional(),
  expected_version: expectedCartVersionSchema,
};

export const rentalProductBody = z.object({ product: textLineSchema(30), ...choice });
export type RentalProductRequest = z.input<typeof rentalProductBody>;
export const rentalExtraBody = z.object({ extra: textLineSchema(30), ...choice });
export type RentalExtraRequest = z.input<typeof rentalExtraBody>;
/** Body that applies a promotion code. Without a code, the cart's current code is removed. */
export const promotionCodeBody = z.object({ promotion_code: promotion });

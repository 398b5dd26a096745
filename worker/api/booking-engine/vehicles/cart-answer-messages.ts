import { z } from "zod";
import type { WithCartVersion } from "#domain/bookings/carts.ts";
import { type CartView, findPromotionCodeRefusal } from "#domain/bookings/carts.ts";
import { listRentalFees } from "#domain/bookings/pricing.ts";
import { getTranslatedReason } from "#domain/bookings/refusals.ts";
import { getRentalLengthLimits } from "#domain/bookings/selling-rules.ts";
import type { Place } from "#domain/catalogue/catalogue.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { cancellationFields, toCancellationMessage } from "#worker/api/booking-engine/shared/cancellation-messages.ts";
import {
  addPrefixToNames,
  createSchemaFields,
  createValueFields,
  nullableText,
  type RequestMoment,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { reductionFields, toReductionMessage } from "#worker/api/booking-engine/shared/reduction-messages.ts";
import {
  getRentalWebsiteOptions,
  salesProcessAnswer,
  toCartSalesProcessMessage,
} from "#worker/api/booking-engine/shared/sales-process-messages.ts";
import { cartItemSchema, chosenExtraSchema, toCartItemMessage } from "./cart-item-messages.ts";
import type { RentalCartQuery } from "./cart-messages.ts";
import { rentalExtraOfferAnswer, toRentalExtraOfferMessage } from "./extra-messages.ts";
import { productAnswer, toProductOfferMessage } from "./offer-messages.ts";
import { formatDayCount, periodFields, toPeriodMessage } from "./period-messages.ts";
import { bookingSettingsAnswer, toBookingSettingsMessage } from "./settings-messages.ts";
import { sumFields, toTotalsMessage } from "./sums-messages.ts";

// spec: docs/interfaces/booking-engine-vehicles.md, cart.

// Fields that websites read, but that a cart doesn't have yet or the platform doesn't support.
const UNUSED_CART_FIELDS = [
  "turn_description",
  "simple_location_id",
  "simple_location_name",
  "driver_age",
  "driver_driving_license_years",
  "comments",
  "destination_accommodation",
  "item_driving_license_type_name",
  "customer_name",
  "customer_surname",
  "customer_email",
  "customer_phone",
  "customer_mobile_phone",
  "customer_document_id",
  "optional_external_driver",
] as const;
const placeFields = createSchemaFields(z.string(), "place", "place_name", "place_customer_translation", "place_type");

const shoppingCart = z
  .object({
    free_access_id: z.string(),
    version: z.int(),
    ...periodFields,
    ...createSchemaFields(z.int(), "days", "hours", "minutes", "total_minutes", "total_days", "number_of_products"),
    ...addPrefixToNames("pickup_", placeFields),
    ...addPrefixToNames("return_", placeFields),
    renting_duration: z.int().nullable(),
    renting_duration_literal: nullableText,
    ...createSchemaFields(z.boolean(), "half_day", "custom_pickup_place", "custom_return_place"),
    ...createSchemaFields(
      z.boolean(),
      "engine_fixed_family",
      "engine_fixed_rental_location",
      "apply_optional_external_driver",
    ),
    rental_location_code: z.string(),
    ...createSchemaFields(
      z.int().nullable(),
      "family_id",
      "number_of_adults",
      "number_of_children",
      "driver_age_rule_id",
    ),
    ...createSchemaFields(
      nullableText,
      "driver_age_rule_description",
      "driver_age_rule_description_customer_translation",
    ),
    ...createSchemaFields(z.boolean(), "driver_under_age", "driver_age_allowed"),
    ...sumFields,
    ...reductionFields,
    ...createSchemaFields(nullableText, "sales_channel_code", "promotion_code", "promotion_code_message"),
    customer_language: z.string(),
    ...createSchemaFields(z.null(), ...UNUSED_CART_FIELDS),
    items: z.array(cartItemSchema),
    extras: z.array(chosenExtraSchema),
    ...cancellationFields,
  })
  .meta({ id: "ShoppingCart" });

export const rentalCartAnswer = z.object({
  shopping_cart: shoppingCart,
  products: z.array(productAnswer).optional(),
  total: z.int().optional().meta({ description: "Products there are in all" }),
  extras: z.array(rentalExtraOfferAnswer).optional(),
  coverages: z.array(z.null()).max(0).optional(),
  sales_process: salesProcessAnswer,
  settings: bookingSettingsAnswer,
});
export type RentalCartMessage = z.output<typeof rentalCartAnswer>;

/** Converts a cart, with the content requested by the query (docs/interfaces/booking-engine-vehicles.md#cart). */
export function toRentalCartMessage(
  view: WithCartVersion<CartView>,
  query: RentalCartQuery,
  { civil: now, origin }: RequestMoment,
): z.output<typeof rentalCartAnswer> {
  const { settings } = view.catalogue;
  const visitor = { language: query.lang ?? settings.defaultLanguage, origin };
  return {
    shopping_cart: toShoppingCartMessage(view, visitor, now),
    ...(query.include_products && toProductsMessage(view, query, visitor)),
    ...(query.include_extras && {
      extras: (view.availability?.extras ?? []).map((extra) =>
        toRentalExtraOfferMessage(
          extra,
          { days: view.draft.terms.days, lines: view.draft.lines },
          visitor,
          settings.currencyDecimals,
        ),
      ),
    }),
    ...(query.include_coverage && { coverages: [] }),
    sales_process: { ...toCartSalesProcessMessage(view, now), ...getRentalWebsiteOptions(settings) },
    settings: toBookingSettingsMessage(view.catalogue, now),
  };
}

function toProductsMessage(
  { availability, cart, catalogue, draft }: CartView,
  query: RentalCartQuery,
  visitor: Visitor,
) {
  const { settings } = catalogue;
  const { pickupBranch, period, salesChannel, days } = draft.terms;
  const { familyId, categoryCode } = cart.search;
  const matchingProducts = (availability?.products ?? []).filter(
    ({ category }) =>
      (familyId === undefined || category.familyId === familyId) &&
      (categoryCode === undefined || category.code === categoryCode),
  );
  const from = query.offset ?? 0;
  const pageProducts = matchingProducts.slice(from, query.limit === undefined ? undefined : from + query.limit);
  const sale = { branchCode: pickupBranch.code, date: period.dateFrom, salesChannel };
  const fees = listRentalFees(draft.terms);
  return {
    products: pageProducts.map((product) => {
      const lengths = getRentalLengthLimits(catalogue, { ...sale, categoryCode: product.category.code });
      const terms = { ...lengths, days, fees, discount: draft.discount };
      return toProductOfferMessage(product, visitor, settings.currencyDecimals, terms);
    }),
    total: matchingProducts.length,
  };
}

function toShoppingCartMessage(
  view: WithCartVersion<CartView>,
  visitor: Visitor,
  now: RequestMoment["civil"],
): z.output<typeof shoppingCart> {
  const { cart, draft, catalogue } = view;
  const { terms, totals } = draft;
  const money = (cents: Cents) => toAmount(cents, catalogue.settings.currencyDecimals);
  const minutes = terms.span.endsAt - terms.span.startsAt;
  const idleCode = findPromotionCodeRefusal(view);
  return {
    free_access_id: cart.freeAccessId,
    version: view.version,
    ...toPeriodMessage(terms.period, visitor, catalogue.settings.frontendDateFormat),
    days: terms.days,
    hours: 0,
    minutes: 0,
    total_minutes: minutes,
    total_days: terms.days,
    half_day: false,
    ...toDurationMessage(cart.search.durationDays, visitor),
    ...addPrefixToNames("pickup_", toPlaceMessage(terms.pickupPlace, visitor)),
    custom_pickup_place: false,
    ...addPrefixToNames("return_", toPlaceMessage(terms.returnPlace, visitor)),
    custom_return_place: false,
    rental_location_code: terms.pickupBranch.code,
    sales_channel_code: terms.salesChannel ?? null,
    family_id: cart.search.familyId ?? null,
    engine_fixed_family: cart.search.isFamilyFixed ?? false,
    engine_fixed_rental_location: cart.search.isBranchFixed ?? false,
    number_of_products: cart.search.numberOfProducts ?? 1,
    number_of_adults: cart.search.numberOfAdults ?? null,
    number_of_children: cart.search.numberOfChildren ?? null,
    driver_age_rule_id: terms.driverAgeRule?.id ?? null,
    driver_age_rule_description: terms.driverAgeRule?.description ?? null,
    driver_age_rule_description_customer_translation: terms.driverAgeRule
      ? translateText(visitor, terms.driverAgeRule.descriptions, terms.driverAgeRule.description)
      : null,
    driver_under_age: false,
    driver_age_allowed: true,
    ...toTotalsMessage(totals, money),
    ...toReductionMessage(draft, catalogue.settings.currencyDecimals),
    promotion_code: terms.promotionCode ?? null,
    promotion_code_message: idleCode ? getTranslatedReason(idleCode, visitor.language) : null,
    customer_language: visitor.language,
    ...createValueFields(null, ...UNUSED_CART_FIELDS),
    apply_optional_external_driver: false,
    items: draft.lines.map((line, index) => toCartItemMessage(line, index + 1, visitor, catalogue.settings)),
    extras: draft.extras.map(({ extra, unitCents, extraCents, quantity }) => ({
      id: extra.id,
      extra_id: extra.code,
      extra_description: extra.name,
      extra_description_customer_translation: translateText(visitor, extra.names, extra.name),
      extra_unit_cost: money(unitCents),
      extra_cost: money(extraCents),
      quantity,
    })),
    ...toCancellationMessage(catalogue, { ...terms, totals }, now),
  };
}

function toDurationMessage(days: number | undefined, { language }: Visitor) {
  return days === undefined
    ? { renting_duration: null, renting_duration_literal: null }
    : { renting_duration: days, renting_duration_literal: formatDayCount(days, language) };
}

function toPlaceMessage(place: Place, visitor: Visitor) {
  return {
    place: String(place.id),
    place_name: place.name,
    place_customer_translation: translateText(visitor, place.names, place.name),
    place_type: place.placeType,
  };
}

import { z } from "zod";
import type { CartSearch, CartView } from "#domain/bookings/carts.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import { type CivilNow, findOnlyPickupPlace } from "#domain/bookings/rental-terms.ts";
import type { Catalogue, Place, Settings } from "#domain/catalogue/catalogue.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { decidePaymentOptions } from "#domain/payments/payments.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { imageAddress, textLine } from "#worker/api/primitives.ts";
import { RESOURCE_USER_FIELD_NAMES } from "./contract-messages.ts";
import {
  callQuery,
  costs,
  flag,
  fromPeriod,
  fromSalesProcess,
  fromSettings,
  type Moment,
  nullableText,
  placeId,
  salesProcessAnswer,
  settingsAnswer,
  textIn,
  type Visitor,
  websiteDate,
  websiteTime,
  wholeNumber,
} from "./messages.ts";
import {
  allAs,
  extraOfferAnswer,
  fromDiscounts,
  fromExtraOffer,
  fromProduct,
  productAnswer,
} from "./offer-messages.ts";
import { fromTotals } from "./sums-messages.ts";

const LARGEST_ID = 999_999_999;

export const cartQuery = callQuery.extend({
  include_products: flag.optional(),
  include_extras: flag.optional(),
  include_coverage: flag.optional(),
  offset: wholeNumber(0, 100_000).optional(),
  limit: wholeNumber(1, 500).optional(),
});

export type CartQuery = z.output<typeof cartQuery>;

const visited = z.string().max(500, "must have at most 500 characters").optional();
export const visitFields = { web_referrer: visited, web_search: visited, web_landing_page: visited };

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

/** Where the visitor came from, of what the website says. */
export function toVisit({
  web_referrer,
  web_search,
  web_landing_page,
}: Partial<Record<keyof typeof visitFields, string | undefined>>) {
  return {
    ...(web_referrer && { web_referrer }),
    ...(web_search && { web_search }),
    ...(web_landing_page && { web_landing_page }),
  };
}

/** What a body asks for. A place has to be given only where there are several (document 2, PUT shopping-cart). */
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
    numberOfAdults: body.number_of_adults,
    numberOfChildren: body.number_of_children,
    visit: toVisit(body),
  });
}

const LARGEST_QUANTITY = 99;

export const productBody = z.object({ product: textLine(30), quantity: wholeNumber(0, LARGEST_QUANTITY).optional() });
export const extraBody = z.object({ extra: textLine(30), quantity: wholeNumber(0, LARGEST_QUANTITY).optional() });
export const promotionBody = z.object({ promotion_code: textLine(40) });

const cartItem = z.looseObject({ id: z.number(), item_id: z.string(), item_cost: z.string(), quantity: z.number() });
const cartExtra = z.looseObject({ id: z.number(), extra_id: z.string(), extra_cost: z.string(), quantity: z.number() });

export const cartAnswer = z.object({
  shopping_cart: z
    .looseObject({
      free_access_id: z.string(),
      ...costs,
      pickup_place: nullableText,
      return_place: nullableText,
      days: z.number(),
      items: z.array(cartItem),
      extras: z.array(cartExtra),
    })
    .meta({ id: "ShoppingCart" }),
  products: z.array(productAnswer).optional(),
  total: z.number().optional(),
  extras: z.array(extraOfferAnswer).optional(),
  coverages: z.array(z.unknown()).optional(),
  sales_process: salesProcessAnswer,
  settings: settingsAnswer,
});

/** A cart with what the query asks for beside it (client contract, 2.6). */
export function fromCart(view: CartView, query: CartQuery, { civil: now, origin }: Moment) {
  const { settings } = view.catalogue;
  const visitor = { language: query.lang ?? settings.defaultLanguage, origin };
  return {
    shopping_cart: fromShoppingCart(view, visitor),
    ...(query.include_products && fromProducts(view, query, visitor)),
    ...(query.include_extras && {
      extras: (view.availability?.extras ?? []).map((extra) =>
        fromExtraOffer(extra, view.draft.terms.days, visitor, settings.currencyDecimals),
      ),
    }),
    ...(query.include_coverage && { coverages: [] }),
    sales_process: cartSalesProcess(view, now),
    settings: fromSettings(view.catalogue, now),
  };
}

/** How a visitor may go on from a cart of either engine: as its booking would be, pending and nothing paid. */
export function cartSalesProcess(
  {
    catalogue,
    draft,
  }: {
    readonly catalogue: Pick<CartView["catalogue"], "settings">;
    readonly draft: { readonly totals: { readonly totalCents: Cents; readonly bookingAmountCents: Cents } };
  },
  now: CivilNow,
) {
  const { totalCents, bookingAmountCents } = draft.totals;
  const booking = {
    status: "pending_confirmation",
    totalCents,
    bookingAmountCents,
    totalPaidCents: 0,
    expiresAt: undefined,
  } as const;
  return fromSalesProcess(
    catalogue.settings,
    decidePaymentOptions(catalogue.settings, booking, 0),
    catalogue.settings.requestAllowed,
    now,
  );
}

function fromProducts({ availability, cart, catalogue }: CartView, query: CartQuery, visitor: Visitor) {
  const { settings } = catalogue;
  const { familyId, categoryCode } = cart.search;
  const wanted = (availability?.products ?? []).filter(
    ({ category }) =>
      (familyId === undefined || category.familyId === familyId) &&
      (categoryCode === undefined || category.code === categoryCode),
  );
  const from = query.offset ?? 0;
  const shown = wanted.slice(from, query.limit === undefined ? undefined : from + query.limit);
  const limits = [settings.minimumDays, settings.maximumDays] as const;
  return {
    products: shown.map((product) => fromProduct(product, visitor, settings.currencyDecimals, limits)),
    total: wanted.length,
  };
}

function fromShoppingCart(view: CartView, visitor: Visitor) {
  const { cart, draft, catalogue } = view;
  const { terms, totals } = draft;
  const money = (cents: Cents) => toAmount(cents, catalogue.settings.currencyDecimals);
  const minutes = terms.span.endsAt - terms.span.startsAt;
  return {
    free_access_id: cart.freeAccessId,
    ...fromPeriod(terms.period, visitor),
    days: terms.days,
    hours: 0,
    minutes: 0,
    total_minutes: minutes,
    total_days: terms.days,
    half_day: false,
    ...fromPlace("pickup", terms.pickupPlace, visitor),
    ...fromPlace("return", terms.returnPlace, visitor),
    rental_location_code: terms.pickupBranch.code,
    sales_channel_code: terms.salesChannel ?? null,
    family_id: cart.search.familyId ?? null,
    engine_fixed_family: cart.search.isFamilyFixed ?? false,
    engine_fixed_rental_location: cart.search.isBranchFixed ?? false,
    number_of_products: 1,
    number_of_adults: cart.search.numberOfAdults ?? null,
    number_of_children: cart.search.numberOfChildren ?? null,
    driver_age_rule_id: terms.driverAgeRule?.id ?? null,
    driver_age_rule_description: terms.driverAgeRule?.description ?? null,
    driver_age_rule_description_customer_translation: terms.driverAgeRule
      ? textIn(visitor, terms.driverAgeRule.descriptions, terms.driverAgeRule.description)
      : null,
    driver_under_age: false,
    driver_age_allowed: true,
    ...fromTotals(totals, money),
    promotion_code: terms.promotionCode ?? null,
    customer_language: visitor.language,
    ...allAs(
      null,
      "renting_duration",
      "renting_duration_literal",
      "turn_description",
      "simple_location_id",
      "simple_location_name",
    ),
    ...allAs(
      null,
      "driver_age",
      "driver_driving_license_years",
      "comments",
      "destination_accommodation",
      "item_driving_license_type_name",
    ),
    ...allAs(
      null,
      "customer_name",
      "customer_surname",
      "customer_email",
      "customer_phone",
      "customer_mobile_phone",
      "customer_document_id",
    ),
    optional_external_driver: null,
    apply_optional_external_driver: false,
    items: draft.lines.map((line, index) => fromVehicle(line, index + 1, visitor, catalogue.settings)),
    extras: draft.extras.map(({ extra, unitCents, extraCents, quantity }) => ({
      id: extra.id,
      extra_id: extra.code,
      extra_description: extra.name,
      extra_description_customer_translation: textIn(visitor, extra.names, extra.name),
      extra_unit_cost: money(unitCents),
      extra_cost: money(extraCents),
      quantity,
    })),
  };
}

function fromPlace<Role extends "pickup" | "return">(role: Role, place: Place, visitor: Visitor) {
  return {
    [`${role}_place`]: String(place.id),
    [`${role}_place_name`]: place.name,
    [`${role}_place_customer_translation`]: textIn(visitor, place.names, place.name),
    [`${role}_place_type`]: place.placeType,
    [`custom_${role}_place`]: false,
  } as Record<`${Role}_place${"" | "_name" | "_customer_translation" | "_type"}`, string>;
}

function fromVehicle(line: CartView["draft"]["lines"][number], id: number, visitor: Visitor, settings: Settings) {
  const { category } = line;
  const money = (cents: Cents) => toAmount(cents, settings.currencyDecimals);
  return {
    id,
    item_id: category.code,
    item_description: category.name,
    item_description_customer_translation: textIn(visitor, category.names, category.name),
    item_full_description_customer_translation: textIn(visitor, category.descriptions, category.description),
    item_unit_cost_base: money(line.unitBaseCents),
    item_unit_cost: money(line.unitCents),
    item_cost: money(line.itemCents),
    quantity: line.quantity,
    product_deposit_unit_cost: money(category.depositCents),
    product_deposit_cost: money(category.depositCents * line.quantity),
    product_guarantee_cost: money(category.guaranteeCents * line.quantity),
    product_deposit_reduction_amount: money(0),
    product_guarantee_reduction_amount: money(0),
    photo_medium: imageAddress(category.photos[0]?.photoPath, visitor.origin),
    photo_full: imageAddress(category.photos[0]?.fullPhotoPath, visitor.origin),
    ...allAs(
      null,
      "item_performance_id",
      "item_performance_description_customer_translation",
      "item_rate_type_name",
      "parent_variant_item_id",
    ),
    ...fromDiscounts(line, visitor, settings.currencyDecimals),
    promotion_code: line.promotionCode?.code ?? null,
    item_resources: Array.from({ length: line.quantity }, (_, index) => ({
      id: index + 1,
      pax: 1,
      ...allAs(null, ...RESOURCE_USER_FIELD_NAMES),
    })),
  };
}

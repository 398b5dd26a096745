import { z } from "zod";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue, Settings } from "#domain/catalogue/catalogue.ts";
import {
  getLegalTextsVersion,
  getTermsAcceptanceMethod,
  type LegalDocument,
  pickLegalText,
} from "#domain/catalogue/legal-texts.ts";
import { toAmount } from "#domain/money.ts";
import { createSchemaFields, nullableText } from "#worker/api/booking-engine/shared/messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";

/** Settings in each cart and booking response (docs/interfaces/booking-engine-vehicles.md#settings). */
export const bookingSettingsAnswer = z
  .object({
    ...createSchemaFields(z.string(), "server_date", "server_time", "country_code", "timezone", "product_type"),
    ...createSchemaFields(
      z.string(),
      "currency",
      "currency_symbol",
      "currency_decimal_mark",
      "currency_thousands_separator",
    ),
    currency_symbol_position: z.enum(["first", "last"]),
    currency_decimals: z.int(),
    ...createSchemaFields(
      z.string(),
      "frontend_date_format",
      "frontend_datetime_format",
      "frontend_short_date_format",
      "default_time_start",
      "default_time_end",
      "rent_times_selector",
      "rent_dates_selector",
      "literal_deposit_franchise",
      "deposit_literal",
      "deposit_reduction_literal",
      "guarantee_literal",
      "guarantee_reduction_literal",
      "driver_deposit_literal",
      "deposit_total_literal",
      "transfer_origin_destination_detailed_info_mode",
    ),
    custom_pickup_return_place_price: decimalAmountSchema,
    ...createSchemaFields(
      z.int(),
      "min_days",
      "assignation_time_return_pickup",
      "selector_date_to_days",
      "multiple_products_replicate_booking_max",
    ),
    ...createSchemaFields(
      z.boolean(),
      "pickup_return_place",
      "pickup_return_places_same_rental_location",
      "custom_pickup_return_places",
      "time_to_from",
      "time_to_from_in_one_day",
      "cycle_of_24_hours",
      "half_day",
      "same_pickup_return_time",
      "prefill_selector",
      "use_driver_age_rules",
      "promotion_code",
      "use_renting_families",
      "select_family",
      "select_destination",
      "multiple_destinations",
      "selector_rental_location",
      "select_rental_location",
      "multiple_rental_locations",
      "simple_location",
      "multiple_products_selection",
      "multiple_products_replicate_booking",
      "choose_product_multiple_rate_types",
      "choose_product_search_show_filter",
      "calendar_show_availability_not_selectable",
      "calendar_show_daily_prices",
      "renting_product_one_journal",
      "renting_product_multiple_journals",
      "optional_external_driver",
      "delivery_slots",
      "guests",
      "use_customer_classifier",
      "ses_hospedajes",
      "renting_form_fill_data_address",
      "renting_form_fill_data_driver_detail",
      "renting_form_fill_data_flight",
      "renting_form_fill_data_named_resources",
      "renting_form_fill_data_named_resources_height",
      "renting_form_fill_data_named_resources_weight",
      "renting_form_fill_data_additional_driver_1",
      "renting_form_fill_data_additional_driver_2",
      "hide_price_if_zero",
      "hide_price_if_not_available",
      "hold_product_deposit_cost",
      "transfer_allow_select_return_origin_destination",
      "transfer_form_fill_billing_address",
    ),
    engine_customer_access: z
      .literal(true)
      .optional()
      .meta({ description: "Present if customers can sign in on websites, otherwise absent" }),
    customer_changes_allowed: z
      .boolean()
      .meta({ description: "Whether customers cancel and change their own bookings online" }),
    turnstile_site_key: z
      .string()
      .optional()
      .meta({ description: "Site key of the Turnstile widget, if a checkout needs cf-turnstile-response" }),
  })
  .meta({ id: "Settings" });
export type BookingSettingsMessage = z.output<typeof bookingSettingsAnswer>;

/** Settings of a website, with links to the terms and privacy notice that visitors accept before they order. */
export const websiteSettingsAnswer = bookingSettingsAnswer
  .extend({
    terms_url: nullableText.meta({ description: "Terms in the visitor's language, null if the company has none" }),
    privacy_url: nullableText.meta({ description: "Privacy notice in the visitor's language" }),
    terms_version: nullableText.meta({ description: "Version of both, for `accepted_terms` of the checkout" }),
    terms_acceptance: z
      .enum(["checkbox", "notice"])
      .meta({ description: "How visitors accept the terms by the law of the company's country" }),
    fuel_policy: z
      .literal("same_to_same")
      .meta({ description: "Return with the fuel or charge level of the pickup. What is missing is charged" }),
  })
  .meta({ id: "EngineSettings" });
export type WebsiteSettingsMessage = z.output<typeof websiteSettingsAnswer>;

/**
 * Returns the settings with links to the legal texts in the visitor's language. `ownUrl` is the base URL of the
 * company's own pages.
 */
export function toWebsiteSettingsMessage(
  catalogue: Catalogue,
  now: CivilNow,
  { language, ownUrl }: { readonly language: string; readonly ownUrl: string },
): WebsiteSettingsMessage {
  const { settings, legalTexts } = catalogue;
  const languages = [language, settings.defaultLanguage];
  const address = (document: LegalDocument) => {
    const text = pickLegalText(legalTexts, document, languages);
    return text ? (text.url ?? `${ownUrl}/${document}?lang=${text.language}`) : null;
  };
  return {
    ...toBookingSettingsMessage(catalogue, now),
    terms_url: address("terms"),
    privacy_url: address("privacy"),
    terms_version: getLegalTextsVersion(legalTexts, languages) ?? null,
    terms_acceptance: getTermsAcceptanceMethod(settings.countryCode),
    fuel_policy: "same_to_same",
  };
}

type Lasting = Omit<BookingSettingsMessage, "server_date" | "server_time">;

const lasting = new WeakMap<Catalogue, Lasting>();

/** Returns the settings that a website needs. Fixed values are the same for all accounts. */
export function toBookingSettingsMessage(catalogue: Catalogue, now: CivilNow): BookingSettingsMessage {
  const known = lasting.get(catalogue) ?? toLasting(catalogue);
  lasting.set(catalogue, known);
  return { server_date: now.date, server_time: now.time, ...known };
}

// Cached, because every cart response contains it.
function toLasting(catalogue: Catalogue): Lasting {
  const { settings } = catalogue;
  const dates = settings.frontendDateFormat;
  return {
    country_code: settings.countryCode,
    timezone: settings.timezone,
    ...toCurrencyMessage(settings),
    frontend_date_format: dates,
    frontend_datetime_format: `${dates} HH:mm`,
    frontend_short_date_format: dates.replace(/[./-]?YYYY[./-]?/, ""),
    product_type: settings.productType,
    pickup_return_place: true,
    pickup_return_places_same_rental_location: settings.pickupReturnPlacesSameRentalLocation,
    custom_pickup_return_places: false,
    custom_pickup_return_place_price: toAmount(0, settings.currencyDecimals),
    time_to_from: true,
    time_to_from_in_one_day: false,
    rent_times_selector: "hours",
    rent_dates_selector: settings.rentDatesSelector,
    cycle_of_24_hours: true,
    half_day: false,
    min_days: settings.minimumDays,
    default_time_start: settings.defaultTimeStart,
    default_time_end: settings.defaultTimeEnd,
    same_pickup_return_time: settings.samePickupReturnTime,
    assignation_time_return_pickup: Math.ceil(settings.preparationMinutes / 60),
    prefill_selector: settings.prefillSelector,
    selector_date_to_days: Math.max(settings.selectorDateToDays, settings.minimumDays),
    use_driver_age_rules: catalogue.driverAgeRules.length > 0,
    promotion_code: catalogue.promotionCodes.size > 0,
    use_renting_families: settings.selectFamily,
    select_family: settings.selectFamily,
    select_destination: false,
    multiple_destinations: false,
    selector_rental_location: settings.selectorRentalLocation,
    select_rental_location: false,
    multiple_rental_locations: catalogue.branches.size > 1,
    simple_location: false,
    multiple_products_selection: settings.multipleProductsSelection,
    multiple_products_replicate_booking: false,
    multiple_products_replicate_booking_max: 1,
    choose_product_multiple_rate_types: false,
    choose_product_search_show_filter: false,
    calendar_show_availability_not_selectable: settings.calendarShowAvailabilityNotSelectable,
    calendar_show_daily_prices: false,
    renting_product_one_journal: false,
    renting_product_multiple_journals: true,
    optional_external_driver: false,
    delivery_slots: false,
    guests: false,
    use_customer_classifier: false,
    ses_hospedajes: false,
    renting_form_fill_data_address: settings.rentingFormFillDataAddress,
    renting_form_fill_data_driver_detail: settings.rentingFormFillDataDriverDetail,
    renting_form_fill_data_flight: settings.rentingFormFillDataFlight,
    renting_form_fill_data_named_resources: false,
    renting_form_fill_data_named_resources_height: false,
    renting_form_fill_data_named_resources_weight: false,
    renting_form_fill_data_additional_driver_1: settings.rentingFormFillDataAdditionalDriver1,
    renting_form_fill_data_additional_driver_2: settings.rentingFormFillDataAdditionalDriver2,
    hide_price_if_zero: settings.hidePriceIfZero,
    hide_price_if_not_available: settings.hidePriceIfNotAvailable,
    literal_deposit_franchise: settings.literalDepositFranchise,
    hold_product_deposit_cost: false,
    deposit_literal: settings.depositLiteral ?? "Deposit",
    deposit_reduction_literal: settings.depositReductionLiteral ?? "Deposit reduction",
    guarantee_literal: settings.guaranteeLiteral ?? "Guarantee",
    guarantee_reduction_literal: settings.guaranteeReductionLiteral ?? "Guarantee reduction",
    driver_deposit_literal: settings.driverDepositLiteral ?? "Driver deposit",
    deposit_total_literal: settings.depositTotalLiteral ?? "Total deposit",
    transfer_allow_select_return_origin_destination: settings.transferAllowSelectReturnOriginDestination,
    transfer_origin_destination_detailed_info_mode: settings.transferOriginDestinationDetailedInfoMode,
    transfer_form_fill_billing_address: settings.transferFormFillBillingAddress,
    customer_changes_allowed: settings.customerChangesAllowed,
    // The presence of this member enables a website's sign-in.
    ...(settings.engineCustomerAccess && { engine_customer_access: true as const }),
    ...(settings.turnstileSiteKey !== undefined && { turnstile_site_key: settings.turnstileSiteKey }),
  };
}

type CurrencyForm = ReturnType<typeof toCurrencyForm>;

// Cached, because creating a formatter costs more than the rest of a response.
const currencyForms = new Map<string, CurrencyForm>();

function toCurrencyMessage({ currency, currencyDecimals, defaultLanguage, countryCode }: Settings) {
  const key = `${defaultLanguage}-${countryCode} ${currency}`;
  const form = currencyForms.get(key) ?? toCurrencyForm(`${defaultLanguage}-${countryCode}`, currency);
  currencyForms.set(key, form);
  return { currency, ...form, currency_decimals: currencyDecimals };
}

function toCurrencyForm(locale: string, currency: string) {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency, useGrouping: "always" });
  const parts = format.formatToParts(1_234_567.5);
  const part = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value;
  return {
    currency_symbol: part("currency") ?? currency,
    currency_symbol_position: parts[0]?.type === "currency" ? ("first" as const) : ("last" as const),
    currency_decimal_mark: part("decimal") ?? ".",
    currency_thousands_separator: part("group") ?? "",
  };
}

import { z } from "zod";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue, Settings } from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import { type CivilDate, parseCivilDate, parseTimeOfDay, type TimeOfDay } from "#domain/dates.ts";
import type { PaymentOptions } from "#domain/payments/payments.ts";
import { amount, language, textIn as textInLanguage } from "#worker/api/primitives.ts";

// spec: document 2, vehicle-rental engine; client contract, sections 1 and 2. What websites send and read, spelt as they spell it.

/** When and where an answer is given. */
export interface Moment {
  /** Epoch ms. */
  readonly now: number;
  readonly civil: CivilNow;
  readonly origin: string;
}

/** Who reads an answer: in which language, and at which address the account was asked. */
export interface Visitor {
  readonly language: string;
  readonly origin: string;
}

/** The text in the visitor's language; in the account's own where there is no translation. */
export function textIn(visitor: Visitor, translations: Translations, text: string): string {
  return textInLanguage(visitor.language, translations, text);
}

/** What every engine call may carry in its query. */
export const callQuery = z.object({ lang: language.optional(), api_key: z.string().optional() });

/** One schema under many names. */
export function fields<const Name extends string, Schema extends z.ZodType>(schema: Schema, ...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

export const nullableText = z.string().nullable();

/** `true`, or the text of it. */
export const flag = z.union(
  [z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")],
  "must be true or false",
);

/** A whole number, or the text of one. */
export function wholeNumber(smallest: number, largest: number) {
  const message = `must be a whole number from ${smallest} to ${largest}`;
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^-?\d{1,9}$/, message)
          .transform(Number),
      ],
      message,
    )
    .refine((value) => Number.isInteger(value) && value >= smallest && value <= largest, message);
}

/** A place's id, which websites carry as text. */
export const placeId = wholeNumber(1, 999_999_999);

/** dd/mm/yyyy, as search forms send it, or yyyy-mm-dd. */
export const websiteDate = z
  .string("must be a date, dd/mm/yyyy")
  .transform((text) => text.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, "$3-$2-$1"))
  .refine((text) => parseCivilDate(text) !== undefined, "must be a date that exists, dd/mm/yyyy")
  .transform((text) => text as CivilDate)
  .meta({ type: "string", example: "10/12/2030" });

export const websiteTime = z
  .string("must be a time, hh:mm")
  .refine((text) => parseTimeOfDay(text) !== undefined, "must be a time of day, hh:mm")
  .transform((text) => text as TimeOfDay)
  .meta({ type: "string", example: "10:00" });

/** The settings object of every cart and booking answer (client contract, 2.3). */
export const settingsAnswer = z
  .looseObject({
    server_date: z.string(),
    server_time: z.string(),
    currency: z.string(),
    currency_symbol: z.string(),
    currency_symbol_position: z.enum(["first", "last"]),
    frontend_date_format: z.string(),
  })
  .meta({ id: "Settings" });

export function fromSettings(catalogue: Catalogue, now: CivilNow) {
  const { settings } = catalogue;
  return {
    server_date: now.date,
    server_time: now.time,
    country_code: settings.countryCode,
    timezone: settings.timezone,
    ...fromCurrency(settings),
    frontend_date_format: "DD/MM/YYYY",
    frontend_datetime_format: "DD/MM/YYYY HH:mm",
    frontend_short_date_format: "DD/MM",
    product_type: settings.productType,
    pickup_return_place: true,
    pickup_return_places_same_rental_location: false,
    custom_pickup_return_places: false,
    custom_pickup_return_place_price: "0.00",
    time_to_from: true,
    time_to_from_in_one_day: false,
    rent_times_selector: "hours",
    rent_dates_selector: "date_from_date_to",
    cycle_of_24_hours: true,
    half_day: false,
    min_days: settings.minimumDays,
    default_time_start: "10:00",
    default_time_end: "10:00",
    same_pickup_return_time: false,
    assignation_time_return_pickup: Math.ceil(settings.preparationMinutes / 60),
    prefill_selector: true,
    selector_date_to_days: Math.max(7, settings.minimumDays),
    use_driver_age_rules: catalogue.driverAgeRules.length > 0,
    promotion_code: catalogue.promotionCodes.size > 0,
    use_renting_families: false,
    select_family: false,
    select_destination: false,
    multiple_destinations: false,
    selector_rental_location: false,
    select_rental_location: false,
    multiple_rental_locations: catalogue.branches.size > 1,
    simple_location: false,
    multiple_products_selection: false,
    multiple_products_replicate_booking: false,
    multiple_products_replicate_booking_max: 1,
    choose_product_multiple_rate_types: false,
    choose_product_search_show_filter: false,
    calendar_show_availability_not_selectable: true,
    calendar_show_daily_prices: false,
    renting_product_one_journal: false,
    renting_product_multiple_journals: true,
    optional_external_driver: false,
    delivery_slots: false,
    guests: false,
    use_customer_classifier: false,
    ses_hospedajes: false,
    renting_form_fill_data_address: true,
    renting_form_fill_data_driver_detail: true,
    renting_form_fill_data_flight: true,
    renting_form_fill_data_named_resources: false,
    renting_form_fill_data_named_resources_height: false,
    renting_form_fill_data_named_resources_weight: false,
    renting_form_fill_data_additional_driver_1: true,
    renting_form_fill_data_additional_driver_2: true,
    hide_price_if_zero: false,
    hide_price_if_not_available: false,
    literal_deposit_franchise: "deposit",
    hold_product_deposit_cost: false,
    deposit_literal: "Deposit",
    deposit_reduction_literal: "Deposit reduction",
    guarantee_literal: "Guarantee",
    guarantee_reduction_literal: "Guarantee reduction",
    driver_deposit_literal: "Driver deposit",
    deposit_total_literal: "Total deposit",
    transfer_allow_select_return_origin_destination: true,
    transfer_origin_destination_detailed_info_mode: "trip",
    transfer_form_fill_billing_address: false,
  };
}

type CurrencyForm = ReturnType<typeof toCurrencyForm>;

// Making a formatter costs more than the rest of an answer: they are made once.
const currencyForms = new Map<string, CurrencyForm>();

function fromCurrency({ currency, currencyDecimals, defaultLanguage, countryCode }: Settings) {
  const key = `${defaultLanguage}-${countryCode} ${currency}`;
  const form = currencyForms.get(key) ?? toCurrencyForm(`${defaultLanguage}-${countryCode}`, currency);
  currencyForms.set(key, form);
  return { currency, ...form, currency_decimals: currencyDecimals };
}

function toCurrencyForm(locale: string, currency: string) {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency, useGrouping: "always" });
  const parts = format.formatToParts(1_234_567.5);
  const part = (type: Intl.NumberFormatPartTypes) => parts.find((one) => one.type === type)?.value;
  return {
    currency_symbol: part("currency") ?? currency,
    currency_symbol_position: parts[0]?.type === "currency" ? ("first" as const) : ("last" as const),
    currency_decimal_mark: part("decimal") ?? ".",
    currency_thousands_separator: part("group") ?? "",
  };
}

/** How the visitor may go on from a cart or a booking. */
export const salesProcessAnswer = z
  .looseObject({
    ...fields(
      z.boolean(),
      "can_request",
      "can_pay",
      "can_pay_deposit",
      "can_pay_total",
      "can_pay_pending",
      "multiple_products",
    ),
    payment_methods: z.object({ paypal_standard: z.boolean(), tpv_virtual: nullableText }),
  })
  .meta({ id: "SalesProcess" });

export function fromSalesProcess(settings: Settings, options: PaymentOptions, canRequest: boolean, now: CivilNow) {
  return {
    can_request: canRequest,
    can_pay: options.canPayDeposit || options.canPayTotal || options.canPayPending,
    can_pay_on_delivery: false,
    can_pay_deposit: options.canPayDeposit,
    can_pay_total: options.canPayTotal,
    can_pay_pending: options.canPayPending,
    multiple_products: false,
    pickup_return_places_same_rental_location: false,
    payment_methods: {
      paypal_standard: settings.paymentMethods.includes("wallet_standard"),
      tpv_virtual: settings.paymentMethods.find((method) => method !== "wallet_standard") ?? null,
    },
    server_date: now.date,
    server_time: now.time,
  };
}

/** The period in every form that websites show. */
export function fromPeriod(
  period: { readonly dateFrom: string; readonly timeFrom: string; readonly dateTo: string; readonly timeTo: string },
  visitor: Visitor,
) {
  return {
    date_from: period.dateFrom,
    time_from: period.timeFrom,
    date_to: period.dateTo,
    time_to: period.timeTo,
    ...dateForms("date_from", period.dateFrom, visitor.language),
    ...dateForms("date_to", period.dateTo, visitor.language),
  };
}

interface DateWords {
  readonly month: Intl.DateTimeFormat;
  readonly weekday: Intl.DateTimeFormat;
}

const dateWords = new Map<string, DateWords>();

function dateWordsIn(spoken: string): DateWords {
  const known = dateWords.get(spoken);
  if (known) return known;
  const words = {
    month: new Intl.DateTimeFormat(spoken, { month: "long", timeZone: "UTC" }),
    weekday: new Intl.DateTimeFormat(spoken, { weekday: "long", timeZone: "UTC" }),
  };
  dateWords.set(spoken, words);
  return words;
}

function dateForms(name: string, date: string, spoken: string) {
  const [year, month, day] = date.split("-");
  const moment = Date.parse(`${date}T00:00:00Z`);
  const words = dateWordsIn(spoken);
  const extended = `${Number(day)} ${words.month.format(moment)} ${year}`;
  return {
    [`${name}_short_format`]: `${day}/${month}`,
    [`${name}_default_format`]: `${day}/${month}/${year}`,
    [`${name}_extended_format`]: extended,
    [`${name}_full_format`]: `${words.weekday.format(moment)} ${extended}`,
  };
}

export const costs = fields(
  amount,
  "item_cost",
  "extras_cost",
  "time_from_cost",
  "time_to_cost",
  "pickup_place_cost",
  "return_place_cost",
  "driver_age_cost",
  "category_supplement_1_cost",
  "category_supplement_2_cost",
  "category_supplement_3_cost",
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
);

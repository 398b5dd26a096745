import { z } from "zod";
import { addCategorySupplements } from "#domain/bookings/pricing.ts";
import type { RentalRequest } from "#domain/bookings/rental-terms.ts";
import type { Availability } from "#domain/bookings/search.ts";
import type { CancellationTerm, Catalogue, Place } from "#domain/catalogue/catalogue.ts";
import { getFreeCancellationEnd, listApplicableCancellationTerms } from "#domain/contracts/cancellation.ts";
import { fromCivilMinute } from "#domain/dates.ts";
import { type Cents, formatRateAsPercent, toAmount } from "#domain/money.ts";
import { acrissFields, toAcrissFields } from "#worker/api/acriss-messages.ts";
import { createTimePlaceAndDriverCostFields, toTimePlaceAndDriverCostValues } from "#worker/api/cost-messages.ts";
import {
  civilDateSchema,
  decimalAmountSchema,
  integerTextSchema,
  languageCode,
  pastedCodeSchema,
  pickTranslation,
  textLineSchema,
  timeTextSchema,
  toImageUrl,
  toKeyCharacteristicsMessage,
} from "#worker/api/primitives.ts";
import {
  agencyPeriodFields,
  createSuccessSchema,
  MAX_AGE_YEARS,
  MAX_PLACE_ID,
  MAX_PROMOTION_CODE_LENGTH,
  rentalPlaceFields,
} from "./messages.ts";

export const agencyAvailabilityQuery = z.object({
  "date-from": civilDateSchema.meta({ example: "2030-06-10" }),
  "time-from": timeTextSchema,
  "pickup-place": integerTextSchema(MAX_PLACE_ID).meta({ example: 1 }),
  "date-to": civilDateSchema.meta({ example: "2030-06-13" }),
  "time-to": timeTextSchema,
  "return-place": integerTextSchema(MAX_PLACE_ID).meta({ example: 1 }),
  "customer-language": languageCode.optional(),
  "sales-chanel-code": textLineSchema(30).optional(), // sic
  "driver-age": integerTextSchema(MAX_AGE_YEARS).optional(),
  // The specification doesn't have this field, neither in availability nor in bookings.
  "promotion-code": pastedCodeSchema(MAX_PROMOTION_CODE_LENGTH).optional(),
});

/** Converts an availability query to a rental request. An agency sells on its own channel unless it names another. */
export function toRentalRequest(
  query: z.output<typeof agencyAvailabilityQuery>,
  agencyChannel: string | undefined,
): RentalRequest {
  return {
    period: {
      dateFrom: query["date-from"],
      timeFrom: query["time-from"],
      dateTo: query["date-to"],
      timeTo: query["time-to"],
    },
    pickupPlaceId: query["pickup-place"],
    returnPlaceId: query["return-place"],
    salesChannel: query["sales-chanel-code"] ?? agencyChannel,
    driverAge: query["driver-age"],
    promotionCode: query["promotion-code"],
  };
}

const product = z
  .object({
    code: z.string(),
    name: z.string(),
    photos: z.array(z.object({ photo_path: z.string(), full_photo_path: z.string() })),
    vat_type: decimalAmountSchema,
    days: z.number(),
    price: decimalAmountSchema,
    price_without_taxes: decimalAmountSchema,
    available: z.boolean(),
    ...acrissFields,
    short_description: z.string().meta({ description: "Addition: short text for lists" }),
    description: z.string().meta({ description: "Addition: text for the details page" }),
    product_deposit_unit_cost: decimalAmountSchema.meta({ description: "Addition: excess of one unit" }),
    product_guarantee_unit_cost: decimalAmountSchema.meta({ description: "Addition: deposit of one unit" }),
    promotion_code: z.string().nullable().meta({ description: "Addition: code that lowers the price. null: none" }),
    kilometres_per_day: z.number().nullable().meta({ description: "Addition: included in the price. null: unlimited" }),
    key_characteristics: z.object({
      doors: z.number().nullable(),
      seats: z.number().nullable(),
      suitcases: z.number().nullable(),
      transmission: z.string().nullable(),
      fuel: z.string().nullable(),
      air_conditioner: z.string(),
    }),
  })
  .meta({ id: "Product" });

const extra = z
  .object({
    code: z.string(),
    name: z.string(),
    photo_path: z.string().meta({ description: "Empty if the extra has no image" }),
    photo_full_path: z.string(),
    days: z.number(),
    unit_price: decimalAmountSchema,
    price_without_taxes: decimalAmountSchema,
    max_quantity: z.number(),
    available: z.boolean(),
  })
  .meta({ id: "Extra" });

const CIVIL = "2030-06-09 10:00";

const term = z
  .object({
    occasion: z.enum(["cancellation", "no_show"]),
    hours_before: z.number().nullable().meta({ description: "Applies to later cancellations. null: to all" }),
    fee_type: z.enum(["percentage", "days", "amount"]),
    fee: z.string().meta({ description: "Percentage of the total, number of days, or an amount" }),
  })
  .meta({ id: "CancellationTerm" });

const availability = z
  .object({
    ...agencyPeriodFields,
    ...rentalPlaceFields,
    customer_language: z.string(),
    days: z.number(),
    ...createTimePlaceAndDriverCostFields(decimalAmountSchema),
    driver_age_deposit: decimalAmountSchema,
    currency: z.string().meta({ description: "Addition: ISO 4217" }),
    free_cancellation_until: z
      .string()
      .nullable()
      .meta({ description: "Addition: local date and time. null: a cancellation always has a fee", example: CIVIL }),
    cancellation_terms: z.array(term).meta({ description: "Addition: fees of cancellations and no-shows" }),
    products: z.array(product),
    extras: z.array(extra),
  })
  .meta({ id: "Availability" });
export const agencyAvailabilityAnswer = createSuccessSchema(availability);

/** Converts the available products to the language requested by the agency. */
export function toAvailabilityMessage(
  { terms, products, extras, catalogue }: Availability & { readonly catalogue: Catalogue },
  requestedLanguage: string | undefined,
  origin: string,
): z.output<typeof availability> {
  const { defaultLanguage, currencyDecimals } = catalogue.settings;
  const customerLanguage = requestedLanguage ?? defaultLanguage;
  const money = (cents: Cents) => toAmount(cents, currencyDecimals);
  return {
    date_from: terms.period.dateFrom,
    time_from: terms.period.timeFrom,
    date_to: terms.period.dateTo,
    time_to: terms.period.timeTo,
    ...toPlaceMessage("pickup", terms.pickupPlace, customerLanguage),
    ...toPlaceMessage("return", terms.returnPlace, customerLanguage),
    customer_language: customerLanguage,
    days: terms.days,
    ...toTimePlaceAndDriverCostValues(terms, money),
    driver_age_deposit: money(terms.driverAgeDepositCents),
    currency: catalogue.settings.currency,
    ...toConditions(terms, catalogue),
    products: products.map((offered) => toProductMessage(offered, terms, catalogue, { customerLanguage, origin })),
    extras: extras.map(({ extra: offered, unitCents, unitWithoutTaxesCents, freeUnits }) => ({
      code: offered.code,
      name: pickTranslation(customerLanguage, offered.names, offered.name),
      photo_path: toImageUrl(offered.photoPath, origin) ?? "",
      photo_full_path: toImageUrl(offered.photoFullPath, origin) ?? "",
      days: terms.days,
      unit_price: money(unitCents),
      price_without_taxes: money(unitWithoutTaxesCents),
      max_quantity: Math.min(offered.maxQuantity, freeUnits),
      available: freeUnits >= 1,
    })),
  };
}

// The price includes all mandatory fees (docs/interfaces/agency.md#availability).
function toProductMessage(
  offered: Availability["products"][number],
  { days }: Availability["terms"],
  { settings }: Catalogue,
  { customerLanguage, origin }: { readonly customerLanguage: string; readonly origin: string },
): z.output<typeof product> {
  const { category } = offered;
  const quoted = addCategorySupplements(offered);
  return {
    code: category.code,
    name: pickTranslation(customerLanguage, category.names, category.name),
    photos: category.photos.map((photo) => ({
      photo_path: toImageUrl(photo.photoPath, origin),
      full_photo_path: toImageUrl(photo.fullPhotoPath, origin),
    })),
    vat_type: formatRateAsPercent(category.vat),
    days,
    price: toAmount(quoted.cents, settings.currencyDecimals),
    price_without_taxes: toAmount(quoted.withoutTaxesCents, settings.currencyDecimals),
    available: offered.freeUnits >= 1,
    key_characteristics: toKeyCharacteristicsMessage(category),
    ...toAcrissFields(category),
    short_description: pickTranslation(customerLanguage, category.shortDescriptions, category.shortDescription),
    description: pickTranslation(customerLanguage, category.descriptions, category.description),
    product_deposit_unit_cost: toAmount(category.depositCents, settings.currencyDecimals),
    product_guarantee_unit_cost: toAmount(category.guaranteeCents, settings.currencyDecimals),
    promotion_code: offered.promotionCode?.code ?? null,
    kilometres_per_day: category.kilometresPerDay ?? null,
  };
}

/** Converts the conditions of a cancellation and of a no-show. */
function toConditions({ salesChannel, period }: Availability["terms"], catalogue: Catalogue) {
  const { cancellationTerms, settings } = catalogue;
  const end = getFreeCancellationEnd(cancellationTerms, { salesChannel, period });
  const until = end === undefined ? undefined : fromCivilMinute(end);
  const terms = (["cancellation", "no_show"] as const).flatMap((occasion) =>
    listApplicableCancellationTerms(cancellationTerms, occasion, salesChannel),
  );
  return {
    free_cancellation_until: until ? `${until.date} ${until.time}` : null,
    cancellation_terms: terms.map(({ occasion, hoursBefore, feeType, feeValue }) => ({
      occasion,
      hours_before: hoursBefore ?? null,
      fee_type: feeType,
      fee: toFee(feeType, feeValue, settings.currencyDecimals),
    })),
  };
}

function toFee(type: CancellationTerm["feeType"], value: number, decimals: number): string {
  if (type === "days") return String(value);
  return type === "percentage" ? formatRateAsPercent(value) : toAmount(value, decimals);
}

function toPlaceMessage<const Role extends "pickup" | "return">(role: Role, place: Place, customerLanguage: string) {
  return {
    [`${role}_place_id`]: place.id,
    [`${role}_place`]: place.name,
    [`${role}_place_customer_translation`]: pickTranslation(customerLanguage, place.names, place.name),
  } as {
    [Key in `${Role}_place_id`]: number;
  } & { [Key in `${Role}_place` | `${Role}_place_customer_translation`]: string };
}

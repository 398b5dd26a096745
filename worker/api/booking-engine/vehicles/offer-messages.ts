import { z } from "zod";
import { type GrantedDiscount, getDiscountAmount } from "#domain/bookings/discounts.ts";
import { addCategorySupplements, FEE_PARTS, type RentalFee, type TariffDiscounts } from "#domain/bookings/pricing.ts";
import type { Availability } from "#domain/bookings/search.ts";
import type { RentalLengthLimits } from "#domain/bookings/selling-rules.ts";
import type { CatalogueDiscount, Category } from "#domain/catalogue/catalogue.ts";
import { type Cents, sumCents, toAmount } from "#domain/money.ts";
import {
  createSchemaFields,
  createValueFields,
  type FieldsMessage,
  nullableText,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { decimalAmountSchema, toImageUrl, toKeyCharacteristicsMessage } from "#worker/api/primitives.ts";
import { photosAnswer } from "./extra-messages.ts";

type Product = Availability["products"][number];

const FEW_UNITS = 2;

const characteristics = z.object({
  ...createSchemaFields(z.number().nullable(), "doors", "seats", "suitcases"),
  ...createSchemaFields(nullableText, "transmission", "fuel"),
  air_conditioner: z.string(),
});

// A category as returned by `toCategoryMessage`.
const categoryFields = {
  ...createSchemaFields(z.string(), "code", "name", "short_description", "description"),
  ...createSchemaFields(nullableText, "photo", "full_photo", "photo_path", "full_photo_path", "acriss_code"),
  photos: photosAnswer,
};

/** A product of the catalogue without a period. */
export const catalogueProductAnswer = z
  .object({
    ...categoryFields,
    key_characteristics: characteristics,
    from_price: decimalAmountSchema.nullable(),
    from_price_offer: z.null(),
  })
  .meta({ id: "CatalogueProduct" });

/** Offer and promotion code of a price. */
export const discountFields = {
  ...createSchemaFields(nullableText, "offer_name", "offer_discount_type", "promotion_code_discount_type"),
  ...createSchemaFields(z.number().nullable(), "offer_value", "promotion_code_value"),
};
// Fields that websites read but the platform doesn't have.
const UNUSED_SIZE_FIELDS = ["characteristic_length", "characteristic_width", "characteristic_height"] as const;
const UNUSED_TRAILING_FIELDS = [
  "optional_external_driver",
  "optional_external_driver_name",
  "driving_license_type_name",
  "usage_included",
  "usage_extra_unit_cost",
  "video_source",
  "video_url",
  "external_detail_url",
] as const;
const NULL_SIZE_FIELDS = createValueFields(null, ...UNUSED_SIZE_FIELDS);
const NULL_TRAILING_FIELDS = createValueFields(null, ...UNUSED_TRAILING_FIELDS);
const none = z.array(z.null()).max(0);

/** A product offered in a cart. */
export const productAnswer = z
  .object({
    ...categoryFields,
    ...createSchemaFields(decimalAmountSchema, "base_price", "price", "unit_price", "deposit", "guarantee"),
    ...createSchemaFields(
      z.boolean(),
      "availability",
      "few_available_units",
      "be_less_than_min",
      "exceeds_max",
      "variants_enabled",
    ),
    ...createSchemaFields(z.int(), "available", "stock", "busy"),
    payment_availibility: z.boolean(), // sic
    min_value: z.int(),
    max_value: z.int(),
    price_units: z.literal("days"),
    ...discountFields,
    key_characteristics: characteristics,
    ...createSchemaFields(z.null(), "highlight_message", "rate_type", ...UNUSED_SIZE_FIELDS, ...UNUSED_TRAILING_FIELDS),
    ...createSchemaFields(
      decimalAmountSchema,
      "category_supplement_1_cost",
      "category_supplement_2_cost",
      "category_supplement_3_cost",
    ),
    ...createSchemaFields(none, "variants", "coverage", "detailed_prices"),
    total_cost: decimalAmountSchema.meta({ description: "Total of one unit with all mandatory fees" }),
    discounted_total_cost: decimalAmountSchema
      .optional()
      .meta({ description: "total_cost with a signed-in customer's own discount. Absent without one" }),
    fees: z
      .array(z.object({ code: z.enum(FEE_PARTS), amount: decimalAmountSchema }))
      .meta({ description: "Mandatory fees besides the price" }),
    kilometres_per_day: z
      .int()
      .nullable()
      .meta({ description: "Kilometres included in the price of a day, null if unlimited" }),
  })
  .meta({ id: "Product" });

/** Converts a product for the selection page (docs/interfaces/booking-engine-vehicles.md#cart). */
export function toProductOfferMessage(
  product: Product,
  visitor: Visitor,
  decimals: number,
  {
    days,
    minimumDays,
    maximumDays,
    fees,
    discount,
  }: RentalLengthLimits & {
    readonly days: number;
    readonly fees: readonly RentalFee[];
    /** Own discount of a signed-in customer. */
    readonly discount: GrantedDiscount | undefined;
  },
): z.output<typeof productAnswer> {
  const { category, freeUnits } = product;
  const quoted = addCategorySupplements(product);
  const money = (cents: Cents) => toAmount(cents, decimals);
  const feeCents = sumCents(fees.map((fee) => fee.cents));
  return {
    ...toCategoryMessage(category, visitor),
    base_price: money(quoted.baseCents),
    price: money(quoted.cents),
    unit_price: money(quoted.cents),
    deposit: money(category.depositCents),
    guarantee: money(category.guaranteeCents),
    availability: freeUnits > 0,
    available: freeUnits,
    few_available_units: freeUnits > 0 && freeUnits <= FEW_UNITS,
    payment_availibility: true, // sic
    stock: product.stockUnits,
    busy: product.takenUnits,
    be_less_than_min: days < minimumDays,
    min_value: minimumDays,
    exceeds_max: days > maximumDays,
    max_value: maximumDays,
    price_units: "days" as const,
    ...toDiscountsMessage(product, visitor, decimals),
    highlight_message: null,
    key_characteristics: toKeyCharacteristicsMessage(category),
    ...NULL_SIZE_FIELDS,
    category_supplement_1_cost: money(category.supplementCents[0]),
    category_supplement_2_cost: money(category.supplementCents[1]),
    category_supplement_3_cost: money(category.supplementCents[2]),
    variants_enabled: false,
    variants: [],
    coverage: [],
    rate_type: null,
    detailed_prices: [],
    ...NULL_TRAILING_FIELDS,
    total_cost: money(quoted.cents + feeCents),
    ...(discount && {
      discounted_total_cost: money(quoted.cents + feeCents - getDiscountAmount(discount, product.unitCents)),
    }),
    fees: fees.map((fee) => ({ code: fee.part, amount: money(fee.cents) })),
    kilometres_per_day: category.kilometresPerDay ?? null,
  };
}

/** Converts the offer and promotion code of a price. */
export function toDiscountsMessage(
  { offer, promotionCode }: TariffDiscounts,
  visitor: Visitor,
  decimals: number,
): FieldsMessage<typeof discountFields> {
  return {
    offer_name: offer ? translateText(visitor, offer.names, offer.name) : null,
    offer_discount_type: offer?.discountType ?? null,
    offer_value: offer ? discountValue(offer, decimals) : null,
    promotion_code_discount_type: promotionCode?.discountType ?? null,
    promotion_code_value: promotionCode ? discountValue(promotionCode, decimals) : null,
  };
}

// Percent, or an amount.
function discountValue({ discountType, value }: CatalogueDiscount, decimals: number): number {
  return Number(toAmount(value, discountType === "percentage" ? 2 : decimals));
}

type CategoryMessage = FieldsMessage<typeof categoryFields>;

/** Number of languages cached per category. A reloaded catalogue has new categories. */
const MAX_LANGUAGES = 10;
const described = new WeakMap<Category, Map<string, CategoryMessage>>();

/** Describes a category without its price. */
export function toCategoryMessage(category: Category, visitor: Visitor): CategoryMessage {
  const known = described.get(category) ?? new Map<string, CategoryMessage>();
  described.set(category, known);
  const key = `${visitor.language} ${visitor.origin}`;
  const description = known.get(key) ?? describe(category, visitor);
  if (known.size < MAX_LANGUAGES) known.set(key, description);
  return description;
}

function describe(category: Category, visitor: Visitor): CategoryMessage {
  const [photo] = category.photos;
  return {
    code: category.code,
    acriss_code: category.acrissCode ?? null,
    name: translateText(visitor, category.names, category.name),
    short_description: translateText(visitor, category.shortDescriptions, category.shortDescription),
    description: translateText(visitor, category.descriptions, category.description),
    photo: toImageUrl(photo?.photoPath, visitor.origin),
    full_photo: toImageUrl(photo?.fullPhotoPath, visitor.origin),
    photo_path: toImageUrl(photo?.photoPath, visitor.origin),
    full_photo_path: toImageUrl(photo?.fullPhotoPath, visitor.origin),
    photos: category.photos.map((photo) => ({
      photo_path: toImageUrl(photo.photoPath, visitor.origin),
      full_photo_path: toImageUrl(photo.fullPhotoPath, visitor.origin),
    })),
  };
}

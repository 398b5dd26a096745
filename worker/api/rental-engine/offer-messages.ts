import { z } from "zod";
import type { Discounts } from "#domain/bookings/pricing.ts";
import type { Availability } from "#domain/bookings/search.ts";
import type { Category, Discount, Extra } from "#domain/catalogue/catalogue.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { amount, imageAddress, keyCharacteristics } from "#worker/api/primitives.ts";
import { fields, nullableText, textIn, type Visitor } from "./messages.ts";

type Product = Availability["products"][number];
type OfferedExtra = Availability["extras"][number];

const FEW_UNITS = 2;

export const productAnswer = z
  .looseObject({
    ...fields(z.string(), "code", "name", "short_description", "description"),
    photo: nullableText,
    full_photo: nullableText,
    ...fields(amount, "base_price", "price", "unit_price", "deposit", "guarantee"),
    availability: z.boolean(),
    available: z.number(),
    payment_availibility: z.boolean(), // sic
  })
  .meta({ id: "Product" });

/** A product as the choose page shows it (client contract, 2.6). */
export function fromProduct(
  product: Product,
  visitor: Visitor,
  decimals: number,
  [minimum, maximum]: readonly [number, number],
) {
  const { category, freeUnits } = product;
  const money = (cents: Cents) => toAmount(cents, decimals);
  return {
    ...describeCategory(category, visitor),
    base_price: money(product.unitBaseCents),
    price: money(product.unitCents),
    unit_price: money(product.unitCents),
    deposit: money(category.depositCents),
    guarantee: money(category.guaranteeCents),
    availability: freeUnits > 0,
    available: freeUnits,
    few_available_units: freeUnits > 0 && freeUnits <= FEW_UNITS,
    payment_availibility: true, // sic
    stock: product.stockUnits,
    busy: product.stockUnits - freeUnits,
    be_less_than_min: false,
    min_value: minimum,
    exceeds_max: false,
    max_value: maximum,
    price_units: "days",
    ...fromDiscounts(product, visitor, decimals),
    highlight_message: null,
    key_characteristics: keyCharacteristics(category),
    ...allAs(null, "characteristic_length", "characteristic_width", "characteristic_height"),
    category_supplement_1_cost: money(category.supplementCents[0]),
    category_supplement_2_cost: money(category.supplementCents[1]),
    category_supplement_3_cost: money(category.supplementCents[2]),
    variants_enabled: false,
    variants: [],
    coverage: [],
    rate_type: null,
    detailed_prices: [],
    ...allAs(null, "optional_external_driver", "optional_external_driver_name", "driving_license_type_name"),
    ...allAs(null, "usage_included", "usage_extra_unit_cost", "video_source", "video_url", "external_detail_url"),
  };
}

/** The same value under many names. */
export function allAs<const Name extends string, Value>(value: Value, ...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;
}

/** An offer and a promotion code as websites read them beside a price. */
export function fromDiscounts({ offer, promotionCode }: Discounts, visitor: Visitor, decimals: number) {
  return {
    offer_name: offer ? textIn(visitor, offer.names, offer.name) : null,
    offer_discount_type: offer?.discountType ?? null,
    offer_value: offer ? discountValue(offer, decimals) : null,
    promotion_code_discount_type: promotionCode?.discountType ?? null,
    promotion_code_value: promotionCode ? discountValue(promotionCode, decimals) : null,
  };
}

// Percent, or an amount.
function discountValue({ discountType, value }: Discount, decimals: number): number {
  return Number(toAmount(value, discountType === "percentage" ? 2 : decimals));
}

/** What a category is, without its price. */
export function describeCategory(category: Category, visitor: Visitor) {
  const [photo] = category.photos;
  return {
    code: category.code,
    name: textIn(visitor, category.names, category.name),
    short_description: textIn(visitor, category.shortDescriptions, category.shortDescription),
    description: textIn(visitor, category.descriptions, category.description),
    photo: imageAddress(photo?.photoPath, visitor.origin),
    full_photo: imageAddress(photo?.fullPhotoPath, visitor.origin),
    photo_path: imageAddress(photo?.photoPath, visitor.origin),
    full_photo_path: imageAddress(photo?.fullPhotoPath, visitor.origin),
    photos: category.photos.map((one) => ({
      photo_path: imageAddress(one.photoPath, visitor.origin),
      full_photo_path: imageAddress(one.fullPhotoPath, visitor.origin),
    })),
  };
}

export const extraOfferAnswer = z
  .looseObject({
    ...fields(z.string(), "code", "name", "description", "price_calculation"),
    ...fields(amount, "unit_price", "one_unit_price"),
    ...fields(z.number(), "days", "max_quantity", "max_sellable_quantity", "available", "stock"),
  })
  .meta({ id: "ExtraOffer" });

/** An extra as the complete page offers it (client contract, 2.6). */
export function fromExtraOffer(
  { extra, unitCents, freeUnits }: OfferedExtra,
  days: number,
  visitor: Visitor,
  decimals: number,
) {
  const sellable = Math.min(extra.maxQuantity, freeUnits);
  const stock = Number.isFinite(freeUnits) ? freeUnits : extra.maxQuantity;
  return {
    ...describeExtra(extra, visitor),
    days,
    hours: 0,
    unit_price: toAmount(unitCents, decimals),
    one_unit_price: toAmount(extra.priceCents, decimals),
    price_calculation: extra.pricePer === "day" ? "calculated_by_days" : "fixed",
    max_quantity: sellable,
    max_sellable_quantity: sellable,
    available: stock,
    stock,
  };
}

/** What an extra is, without its price. */
export function describeExtra(extra: Extra, visitor: Visitor) {
  return {
    code: extra.code,
    name: textIn(visitor, extra.names, extra.name),
    description: textIn(visitor, extra.descriptions, extra.description),
    photo_path: imageAddress(extra.photoPath, visitor.origin),
    photo_full_path: imageAddress(extra.photoFullPath, visitor.origin),
    photos: extra.photoPath
      ? [
          {
            photo_path: imageAddress(extra.photoPath, visitor.origin),
            full_photo_path: imageAddress(extra.photoFullPath ?? extra.photoPath, visitor.origin),
          },
        ]
      : [],
    video_source: null,
    video_url: null,
  };
}

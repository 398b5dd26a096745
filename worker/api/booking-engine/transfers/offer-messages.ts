import { z } from "zod";
import { type GrantedDiscount, getDiscountAmount } from "#domain/bookings/discounts.ts";
import type { TransferExtra, TransferVehicle } from "#domain/catalogue/transfers.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import type { TransferCartView } from "#domain/transfers/carts.ts";
import { getTransferExtraUnitPrice, type TransferOffer } from "#domain/transfers/draft.ts";
import {
  createSchemaFields,
  nullableText,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { decimalAmountSchema, toImageUrl } from "#worker/api/primitives.ts";

/** A vehicle with driver. */
export const catalogueTransferVehicleAnswer = z
  .object({
    id: z.int(),
    ...createSchemaFields(z.string(), "name", "short_description", "description"),
    ...createSchemaFields(nullableText, "photo_url", "full_photo_url"),
    ...createSchemaFields(z.int(), "max_people", "max_infants", "max_luggage"),
  })
  .meta({ id: "TransferVehicle" });

/** A vehicle offered in a cart. */
export const transferVehicleOfferAnswer = catalogueTransferVehicleAnswer
  .extend({
    price: decimalAmountSchema,
    discounted_price: decimalAmountSchema
      .optional()
      .meta({ description: "Price with a signed-in customer's own discount. Absent without one" }),
    available: z.boolean(),
  })
  .meta({ id: "TransferProduct" });

/** A transfer extra. */
export const transferExtraAnswer = z
  .object({
    id: z.int(),
    ...createSchemaFields(z.string(), "code", "name", "description", "photo_url"),
    photos: z.array(z.string()),
    ...createSchemaFields(z.int(), "max_quantity", "max_sellable_quantity"),
  })
  .meta({ id: "TransferExtra" });

/** An extra offered in a cart. */
export const transferExtraOfferAnswer = transferExtraAnswer
  .extend(createSchemaFields(decimalAmountSchema, "unit_price", "price"))
  .meta({ id: "TransferExtraOffer" });

/** Describes a vehicle in the visitor's language. */
export function toTransferVehicleMessage(
  vehicle: TransferVehicle,
  visitor: Visitor,
): z.output<typeof catalogueTransferVehicleAnswer> {
  return {
    id: vehicle.id,
    name: translateText(visitor, vehicle.names, vehicle.name),
    short_description: translateText(visitor, vehicle.shortDescriptions, vehicle.shortDescription),
    description: translateText(visitor, vehicle.descriptions, vehicle.description),
    photo_url: toImageUrl(vehicle.photoPath, visitor.origin),
    full_photo_url: toImageUrl(vehicle.photoFullPath, visitor.origin),
    max_people: vehicle.seats,
    max_infants: vehicle.infantPlaces,
    max_luggage: vehicle.luggage,
  };
}

/** Describes a vehicle with its price for a cart's trips. */
export function toTransferVehicleOfferMessage(
  { vehicle, priceCents, itemCents, isAvailable }: TransferOffer,
  visitor: Visitor,
  { decimals, discount }: { readonly decimals: number; readonly discount: GrantedDiscount | undefined },
): z.output<typeof transferVehicleOfferAnswer> {
  const discountedCents = discount && priceCents - getDiscountAmount(discount, itemCents);
  return {
    ...toTransferVehicleMessage(vehicle, visitor),
    price: toAmount(priceCents, decimals),
    ...(discountedCents !== undefined && { discounted_price: toAmount(discountedCents, decimals) }),
    available: isAvailable,
  };
}

/** Describes an extra in the visitor's language. */
export function toTransferExtraMessage(extra: TransferExtra, visitor: Visitor): z.output<typeof transferExtraAnswer> {
  const photo = toImageUrl(extra.photoPath, visitor.origin);
  return {
    id: extra.id,
    code: extra.code,
    name: translateText(visitor, extra.names, extra.name),
    description: translateText(visitor, extra.descriptions, extra.description),
    photo_url: photo ?? "",
    photos: photo === null ? [] : [photo],
    max_quantity: extra.maxQuantity,
    max_sellable_quantity: extra.maxQuantity,
  };
}

/** Lists the extras of a cart with unit prices. Some clients read `unit_price`, templates read `price`. */
export function toTransferExtraOffersMessage(
  { catalogue, draft }: TransferCartView,
  visitor: Visitor,
): z.output<typeof transferExtraOfferAnswer>[] {
  const money = (cents: Cents) => toAmount(cents, catalogue.settings.currencyDecimals);
  return [...catalogue.transfers.extras.values()].map((extra) => {
    const price = money(getTransferExtraUnitPrice(extra, draft.terms));
    return { ...toTransferExtraMessage(extra, visitor), unit_price: price, price };
  });
}

import { z } from "zod";
import { type Cents, toAmount } from "#domain/money.ts";
import type { TransferCartView } from "#domain/transfers/carts.ts";
import { type TransferOffer, unitPriceOf } from "#domain/transfers/draft.ts";
import type { TransferExtra, TransferVehicle } from "#domain/transfers/transfers.ts";
import { amount, imageAddress } from "#worker/api/primitives.ts";
import { nullableText, textIn, type Visitor } from "#worker/api/rental-engine/messages.ts";

export const vehicleOfferAnswer = z
  .looseObject({
    id: z.number(),
    name: z.string(),
    short_description: z.string(),
    description: z.string(),
    photo_url: nullableText,
    price: amount,
    available: z.boolean(),
  })
  .meta({ id: "TransferProduct" });

export const extraOfferAnswer = z
  .looseObject({
    id: z.number(),
    code: z.string(),
    name: z.string(),
    unit_price: amount,
    price: amount,
    max_quantity: z.number(),
    max_sellable_quantity: z.number(),
  })
  .meta({ id: "TransferExtra" });

/** A vehicle in the visitor's language. */
export function describeVehicle(vehicle: TransferVehicle, visitor: Visitor) {
  return {
    id: vehicle.id,
    name: textIn(visitor, vehicle.names, vehicle.name),
    short_description: textIn(visitor, vehicle.shortDescriptions, vehicle.shortDescription),
    description: textIn(visitor, vehicle.descriptions, vehicle.description),
    photo_url: imageAddress(vehicle.photoPath, visitor.origin),
    full_photo_url: imageAddress(vehicle.photoFullPath, visitor.origin),
    max_people: vehicle.seats,
    max_infants: vehicle.infantPlaces,
    max_luggage: vehicle.luggage,
  };
}

export function fromVehicleOffer(
  { vehicle, priceCents, isAvailable }: TransferOffer,
  visitor: Visitor,
  decimals: number,
) {
  return { ...describeVehicle(vehicle, visitor), price: toAmount(priceCents, decimals), available: isAvailable };
}

/** An extra in the visitor's language. */
export function describeExtra(extra: TransferExtra, visitor: Visitor) {
  const photo = imageAddress(extra.photoPath, visitor.origin);
  return {
    id: extra.id,
    code: extra.code,
    name: textIn(visitor, extra.names, extra.name),
    description: textIn(visitor, extra.descriptions, extra.description),
    photo_url: photo ?? "",
    photos: photo === null ? [] : [photo],
    max_quantity: extra.maxQuantity,
    max_sellable_quantity: extra.maxQuantity,
  };
}

/** The extras that a cart may have, with what one costs on its trips: the documents name `unit_price`, templates read `price`. */
export function fromExtraOffers({ catalogue, draft }: TransferCartView, visitor: Visitor) {
  const money = (cents: Cents) => toAmount(cents, catalogue.settings.currencyDecimals);
  return [...catalogue.transfers.extras.values()].map((extra) => {
    const price = money(unitPriceOf(extra, draft.terms));
    return { ...describeExtra(extra, visitor), unit_price: price, price };
  });
}

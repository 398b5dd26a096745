import { z } from "zod";
import { getMaxExtraQuantity } from "#domain/bookings/draft.ts";
import type { Availability } from "#domain/bookings/search.ts";
import type { Extra } from "#domain/catalogue/catalogue.ts";
import { toAmount } from "#domain/money.ts";
import { fields, nullableText, textIn, type Visitor } from "#worker/api/booking-engine/shared/messages.ts";
import { amount, imageAddress } from "#worker/api/primitives.ts";

type OfferedExtra = Availability["extras"][number];

/** Images of a product or extra. */
export const photosAnswer = z.array(z.object({ photo_path: nullableText, full_photo_path: nullableText }));

/** An extra of the catalogue. */
export const extraAnswer = z
  .object({
    ...fields(z.string(), "code", "name", "description"),
    ...fields(nullableText, "photo_path", "photo_full_path"),
    photos: photosAnswer,
    ...fields(z.null(), "video_source", "video_url"),
  })
  .meta({ id: "Extra" });

/** An extra offered in a cart. */
export const extraOfferAnswer = extraAnswer
  .extend({
    ...fields(z.int(), "days", "hours", "max_quantity", "max_sellable_quantity", "available", "stock"),
    ...fields(amount, "unit_price", "one_unit_price"),
    price_calculation: z.enum(["calculated_by_days", "fixed"]),
  })
  .meta({ id: "ExtraOffer" });

/** Converts an extra for the details page (docs/interfaces/booking-engine-vehicles.md#cart). */
export function fromExtraOffer(
  { extra, unitCents, freeUnits }: OfferedExtra,
  { days, vehicles }: { readonly days: number; readonly vehicles: number },
  visitor: Visitor,
  decimals: number,
): z.output<typeof extraOfferAnswer> {
  const maxQuantity = getMaxExtraQuantity(extra, vehicles);
  const sellable = Math.min(maxQuantity, freeUnits);
  const stock = Number.isFinite(freeUnits) ? freeUnits : maxQuantity;
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

/** Describes an extra without its price. */
export function describeExtra(extra: Extra, visitor: Visitor): z.output<typeof extraAnswer> {
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

import { z } from "zod";
import { getMaxExtraQuantity } from "#domain/bookings/draft.ts";
import { type ReducedExcess, sumExcess } from "#domain/bookings/excess.ts";
import type { Availability } from "#domain/bookings/search.ts";
import type { Extra } from "#domain/catalogue/catalogue.ts";
import { sumCents, toAmount } from "#domain/money.ts";
import {
  createSchemaFields,
  nullableText,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { decimalAmountSchema, toImageUrl } from "#worker/api/primitives.ts";

type DraftLine = ReducedExcess & { readonly quantity: number };
type OfferedExtra = Availability["extras"][number];

/** Images of a product or extra. */
export const photosAnswer = z.array(z.object({ photo_path: nullableText, full_photo_path: nullableText }));

/** An extra of the catalogue. */
export const rentalExtraAnswer = z
  .object({
    ...createSchemaFields(z.string(), "code", "name", "description"),
    ...createSchemaFields(nullableText, "photo_path", "photo_full_path"),
    photos: photosAnswer,
    ...createSchemaFields(z.null(), "video_source", "video_url"),
  })
  .meta({ id: "Extra" });

/** An extra offered in a cart. */
export const rentalExtraOfferAnswer = rentalExtraAnswer
  .extend({
    ...createSchemaFields(z.int(), "days", "hours", "max_quantity", "max_sellable_quantity", "available", "stock"),
    ...createSchemaFields(decimalAmountSchema, "unit_price", "one_unit_price"),
    price_calculation: z.enum(["calculated_by_days", "fixed"]),
    insurance: z
      .object(createSchemaFields(decimalAmountSchema, "deposit", "guarantee", "full_deposit", "full_guarantee"))
      .nullable()
      .meta({
        description: "Addition: deposits with and without this extra. Null if it doesn't lower them",
      }),
  })
  .meta({ id: "ExtraOffer" });

/** Converts an extra for the details page (docs/interfaces/booking-engine-vehicles.md#cart). */
export function toRentalExtraOfferMessage(
  { extra, unitCents, freeUnits }: OfferedExtra,
  { days, lines }: { readonly days: number; readonly lines: readonly DraftLine[] },
  visitor: Visitor,
  decimals: number,
): z.output<typeof rentalExtraOfferAnswer> {
  const maxQuantity = getMaxExtraQuantity(extra, sumCents(lines.map(({ quantity }) => quantity)));
  const sellable = Math.min(maxQuantity, freeUnits);
  const stock = Number.isFinite(freeUnits) ? freeUnits : maxQuantity;
  return {
    ...toRentalExtraMessage(extra, visitor),
    days,
    hours: 0,
    unit_price: toAmount(unitCents, decimals),
    one_unit_price: toAmount(extra.priceCents, decimals),
    price_calculation: extra.pricePer === "day" ? "calculated_by_days" : "fixed",
    max_quantity: sellable,
    max_sellable_quantity: sellable,
    available: stock,
    stock,
    insurance: toInsuranceMessage(extra, lines, decimals),
  };
}

function toInsuranceMessage({ excessReduction }: Extra, lines: readonly DraftLine[], decimals: number) {
  if (!excessReduction) return null;
  const full = sumExcess(lines, []);
  const reduced = sumExcess(lines, [excessReduction]);
  return {
    deposit: toAmount(reduced.depositCents, decimals),
    guarantee: toAmount(reduced.guaranteeCents, decimals),
    full_deposit: toAmount(full.depositCents, decimals),
    full_guarantee: toAmount(full.guaranteeCents, decimals),
  };
}

/** Describes an extra without its price. */
export function toRentalExtraMessage(extra: Extra, visitor: Visitor): z.output<typeof rentalExtraAnswer> {
  return {
    code: extra.code,
    name: translateText(visitor, extra.names, extra.name),
    description: translateText(visitor, extra.descriptions, extra.description),
    photo_path: toImageUrl(extra.photoPath, visitor.origin),
    photo_full_path: toImageUrl(extra.photoFullPath, visitor.origin),
    photos: extra.photoPath
      ? [
          {
            photo_path: toImageUrl(extra.photoPath, visitor.origin),
            full_photo_path: toImageUrl(extra.photoFullPath ?? extra.photoPath, visitor.origin),
          },
        ]
      : [],
    video_source: null,
    video_url: null,
  };
}

import { z } from "zod";
import type { Catalogue, Place, PlaceLocation } from "#domain/catalogue/catalogue.ts";
import { toAmount } from "#domain/money.ts";
import { decimalAmountSchema, integerTextSchema, languageCode, pickTranslation } from "#worker/api/primitives.ts";

// spec: docs/interfaces/agency.md. The API defines the spelling of every member in these messages.

export const MAX_PLACE_ID = 999_999_999;
export const MAX_AGE_YEARS = 120;
export const MAX_PROMOTION_CODE_LENGTH = 40;

export const agencyFailureAnswer = z
  .object({ success: z.literal(false), errors: z.object({ message: z.string() }) })
  .meta({ id: "Failure" });

/** Creates the success envelope. */
export function createSuccessSchema<T extends z.ZodType>(response: T) {
  return z.object({ success: z.literal(true), response });
}

// Fields shared by availability and bookings.

export const rentalPlaceFields = {
  pickup_place_id: z.int().nullable(),
  pickup_place: z.string(),
  pickup_place_customer_translation: z.string(),
  return_place_id: z.int().nullable(),
  return_place: z.string(),
  return_place_customer_translation: z.string(),
};

export const agencyPeriodFields = {
  date_from: z.string(),
  time_from: z.string(),
  date_to: z.string(),
  time_to: z.string(),
};

export const agencyPlacesQuery = z.object({
  "customer-language": languageCode.optional(),
  "pickup-place-id": integerTextSchema(MAX_PLACE_ID).optional(),
});

const text = z.string().nullable();

const place = z
  .object({
    id: z.int(),
    name: z.string(),
    price: decimalAmountSchema,
    place_type: z.string().meta({ description: "Addition, like all below: airport, hotel, …" }),
    iata: text,
    is_pickup: z.boolean(),
    is_return: z.boolean(),
    rental_location_code: z.string(),
    address: z.object({ street: text, zip: text, city: text, state: text, country: text }),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    opening_hours: z
      .array(z.object({ weekday: z.int(), opens: z.string(), closes: z.string() }))
      .meta({ description: "Hours of the branch, Monday is 1. Empty if it's always open" }),
  })
  .meta({ id: "Place" });
export const agencyPlacesAnswer = createSuccessSchema(z.array(place));

/** Converts places to the language requested by the agency. */
export function toAgencyPlacesMessage(
  places: readonly Place[],
  catalogue: Catalogue,
  customerLanguage: string | undefined,
): z.output<typeof place>[] {
  const { defaultLanguage, currencyDecimals } = catalogue.settings;
  return places.map((place) => {
    const { street, zip, city, state, country, latitude, longitude } = place.location ?? NO_LOCATION;
    return {
      id: place.id,
      name: pickTranslation(customerLanguage ?? defaultLanguage, place.names, place.name),
      price: toAmount(place.priceCents, currencyDecimals),
      place_type: place.placeType,
      iata: place.iata ?? null,
      is_pickup: place.isPickup,
      is_return: place.isReturn,
      rental_location_code: place.branchCode,
      address: { street, zip, city, state, country },
      latitude,
      longitude,
      opening_hours: [...(catalogue.branches.get(place.branchCode)?.openingHours ?? [])],
    };
  });
}

const NO_LOCATION: PlaceLocation = {
  ...{ street: null, zip: null, city: null, state: null, country: null, latitude: null, longitude: null },
};

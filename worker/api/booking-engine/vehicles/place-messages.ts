import { z } from "zod";
import {
  listBranchesWithPublicPlaces,
  listFutureHalfHours,
  listHandOverTimes,
  listOpenDays,
} from "#domain/bookings/calendar.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue, Place } from "#domain/catalogue/catalogue.ts";
import { addDays, toDayNumber } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import {
  engineQuery,
  idOrIdTextSchema,
  pointIdOrNullAsText,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { civilDateSchema, decimalAmountSchema, textLineSchema } from "#worker/api/primitives.ts";
import { formatDayCount } from "./period-messages.ts";

// spec: docs/interfaces/booking-engine-vehicles.md, places and times.

export const enginePlacesQuery = engineQuery.extend({
  pickup_place: idOrIdTextSchema.optional(),
  rental_location_code: textLineSchema(30).optional(),
});

const enginePlace = z
  .object({ id: z.string(), name: z.string(), price: decimalAmountSchema, rental_location_code: z.string() })
  .meta({ id: "EnginePlace" });
export const enginePlacesAnswer = z.array(enginePlace);
export type EnginePlacesMessage = z.output<typeof enginePlacesAnswer>;

/** Converts places to options of a form, with ids as strings. */
export function toEnginePlacesMessage(
  places: readonly Place[],
  catalogue: Catalogue,
  visitor: Visitor,
): z.output<typeof enginePlacesAnswer> {
  return places.map((place) => ({
    id: String(place.id),
    name: translateText(visitor, place.names, place.name),
    price: toAmount(place.priceCents, catalogue.settings.currencyDecimals),
    rental_location_code: place.branchCode,
  }));
}

const action = z
  .enum(["deliveries", "collections"], "must be deliveries or collections")
  .meta({ example: "deliveries" });
const where = { action, place: idOrIdTextSchema.optional(), rental_location_code: textLineSchema(30).optional() };

export const openDaysQuery = engineQuery.extend({ ...where, from: civilDateSchema, to: civilDateSchema });
// Transfer pages call this operation too. They send a point instead of an action, and the text «null» if no point is
// selected.
export const openTimesQuery = engineQuery.extend({
  ...where,
  action: action.optional(),
  date: civilDateSchema,
  product: textLineSchema(30).optional(),
  transfer_destination_point_id: pointIdOrNullAsText.optional(),
});

type PlaceRequest = {
  readonly action?: "deliveries" | "collections" | undefined;
  readonly place?: number | undefined;
  readonly rental_location_code?: string | undefined;
};

function resolvePlace(catalogue: Catalogue, placeRequest: PlaceRequest) {
  const action = placeRequest.action ?? "deliveries";
  const branches = listBranchesWithPublicPlaces(catalogue.places.values(), catalogue.branches, {
    action,
    placeId: placeRequest.place,
    branchCode: placeRequest.rental_location_code,
  });
  return { action, branches };
}

export const rentalDurationsQuery = engineQuery.extend({
  date: civilDateSchema,
  place: idOrIdTextSchema.optional(),
  rental_location_code: textLineSchema(30).optional(),
});
export const rentalDurationsAnswer = z.array(z.object({ value: z.int(), text: z.string() }).meta({ id: "Duration" }));

/** Maximum number of durations. */
const MAX_DURATIONS = 60;

/** Lists the possible durations from a day, depending on open days for the return. */
export function listRentalDurations(
  catalogue: Catalogue,
  { date, ...wanted }: z.output<typeof rentalDurationsQuery>,
  now: CivilNow,
  visitor: Visitor,
): z.output<typeof rentalDurationsAnswer> {
  const { minimumDays, maximumDays } = catalogue.settings;
  const maxDays = Math.min(maximumDays, minimumDays + MAX_DURATIONS - 1);
  const place = resolvePlace(catalogue, { ...wanted, action: "collections" });
  const ends = listOpenDays(catalogue, place, [addDays(date, minimumDays), addDays(date, maxDays)], now);
  return ends.map((end) => {
    const value = toDayNumber(end) - toDayNumber(date);
    return { value, text: formatDayCount(value, visitor.language) };
  });
}

/** Lists the days on which a branch is open within the queried period. */
export function listBranchOpenDays(catalogue: Catalogue, query: z.output<typeof openDaysQuery>, now: CivilNow) {
  return listOpenDays(catalogue, resolvePlace(catalogue, query), [query.from, query.to], now);
}

/** Lists the open times of a branch on a day, or for a transfer the remaining times. */
export function listOpenTimes(catalogue: Catalogue, query: z.output<typeof openTimesQuery>, now: CivilNow) {
  if ("transfer_destination_point_id" in query) return listFutureHalfHours(query.date, now);
  const { product } = query;
  const categoryCode = product !== undefined && catalogue.categories.has(product) ? product : undefined;
  return listHandOverTimes(catalogue, { ...resolvePlace(catalogue, query), categoryCode }, query.date, now);
}

import { z } from "zod";
import { holdsFor } from "#domain/bookings/pricing.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import { branchesFor, listComingSlots, listOpenDays, listTimes } from "#domain/catalogue/calendar.ts";
import type { Catalogue, DriverAgeRule, Family, Place } from "#domain/catalogue/catalogue.ts";
import { countRentalDays, type TimeOfDay } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import { amount, civilDate, keyCharacteristics, textLine } from "#worker/api/primitives.ts";
import { callQuery, placeId, textIn, type Visitor, wholeNumber } from "./messages.ts";
import { describeCategory } from "./offer-messages.ts";

// spec: document 2, places and times; client contract, 2.4, 2.5 and 2.11.

export const placesQuery = callQuery.extend({
  pickup_place: placeId.optional(),
  rental_location_code: textLine(30).optional(),
});

export const placesAnswer = z.array(
  z
    .object({ id: z.string(), name: z.string(), price: amount, rental_location_code: z.string() })
    .meta({ id: "EnginePlace" }),
);

/** Places as options of a form: their ids are text. */
export function fromPlaces(places: readonly Place[], catalogue: Catalogue, visitor: Visitor) {
  return places.map((place) => ({
    id: String(place.id),
    name: textIn(visitor, place.names, place.name),
    price: toAmount(place.priceCents, catalogue.settings.currencyDecimals),
    rental_location_code: place.branchCode,
  }));
}

const action = z.enum(["deliveries", "collections"], "must be deliveries or collections");
const where = { action, place: placeId.optional(), rental_location_code: textLine(30).optional() };

export const datesQuery = callQuery.extend({ ...where, from: civilDate, to: civilDate });
/** A point's id, or the text «null» where none is chosen yet. */
export const optionalPoint = z.union([z.literal("null").transform(() => undefined), placeId]);

// The transfer pages ask here as well, with a point instead of an action, which may read «null».
export const timesQuery = callQuery.extend({
  ...where,
  action: action.optional(),
  date: civilDate,
  product: textLine(30).optional(),
  transfer_destination_point_id: optionalPoint.optional(),
});

type Wanted = {
  readonly action?: "deliveries" | "collections" | undefined;
  readonly place?: number | undefined;
  readonly rental_location_code?: string | undefined;
};

function branches(catalogue: Catalogue, wanted: Wanted) {
  return branchesFor(catalogue.places.values(), catalogue.branches, {
    action: wanted.action ?? "deliveries",
    placeId: wanted.place,
    branchCode: wanted.rental_location_code,
  });
}

export function toDates(catalogue: Catalogue, query: z.output<typeof datesQuery>, now: CivilNow) {
  return listOpenDays(catalogue.settings, branches(catalogue, query), [query.from, query.to], now);
}

export function toTimes(catalogue: Catalogue, query: z.output<typeof timesQuery>, now: CivilNow) {
  if ("transfer_destination_point_id" in query) return listComingSlots(query.date, now);
  return listTimes(catalogue.settings, branches(catalogue, query), query.date, now);
}

export const productsQuery = callQuery.extend({
  offset: wholeNumber(0, 100_000).optional(),
  limit: wholeNumber(1, 500).optional(),
  family_id: wholeNumber(1, 999_999_999).optional(),
});

const DEFAULT_PRODUCTS = 20;

/** The account's public products, without a period and so without a price of their own but the lowest of a day. */
export function fromCatalogueProducts(catalogue: Catalogue, query: z.output<typeof productsQuery>, visitor: Visitor) {
  const all = [...catalogue.categories.values()].filter(
    (category) => category.webPublic && (query.family_id === undefined || category.familyId === query.family_id),
  );
  const { offset = 0, limit = DEFAULT_PRODUCTS } = query;
  const data = all
    .slice(offset, offset + limit)
    .map((category) => fromCatalogueProduct(catalogue, category.code, visitor));
  return { total: all.length, offset, limit, data };
}

export function fromCatalogueProduct(catalogue: Catalogue, code: string, visitor: Visitor) {
  const category = catalogue.categories.get(code);
  if (!category?.webPublic) return undefined;
  return {
    ...describeCategory(category, visitor),
    key_characteristics: keyCharacteristics(category),
    from_price: fromPrice(catalogue, code),
    from_price_offer: null,
  };
}

function fromPrice(catalogue: Catalogue, code: string): string | null {
  const prices = catalogue.tariffs
    .filter((tariff) => tariff.categoryCode === code && tariff.salesChannel === undefined)
    .flatMap((tariff) =>
      tariff.brackets.filter((bracket) => bracket.pricePer === "day").map((bracket) => bracket.priceCents),
    );
  return prices.length > 0 ? toAmount(Math.min(...prices), catalogue.settings.currencyDecimals) : null;
}

interface FamilyNode {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number | null;
  readonly children: readonly FamilyNode[];
}

/** The families as a tree. */
export function fromFamilies(families: readonly Family[], visitor: Visitor, parentId?: number): FamilyNode[] {
  return families
    .filter((family) => family.parentId === parentId)
    .map((family) => ({
      id: family.id,
      name: textIn(visitor, family.names, family.name),
      parent_id: family.parentId ?? null,
      children: fromFamilies(families, visitor, family.id),
    }));
}

export function fromDriverAgeRule(rule: DriverAgeRule, visitor: Visitor) {
  const description = textIn(visitor, rule.descriptions, rule.description);
  return { id: rule.id, description, allowed: rule.allowed, message_not_allowed: rule.allowed ? null : description };
}

export const occupationQuery = callQuery.extend({ from: civilDate, to: civilDate, place: placeId.optional() });

// A form validator asks while the visitor may still have to choose the dates.
const chosenDate = z.union([z.literal("").transform(() => undefined), civilDate], "must be a date, yyyy-mm-dd");

/** Promotion codes are asked for by a form validator, as a form. */
export const promotionCheck = z.object({
  code: textLine(40),
  from: chosenDate.optional(),
  to: chosenDate.optional(),
});

/** Whether a code holds for the dates, as far as they are known; a rental's length is that of its days, whatever the hours. */
export function isPromotion(
  { promotionCodes, settings }: Catalogue,
  { code, from, to }: z.output<typeof promotionCheck>,
  now: CivilNow,
): boolean {
  const promotion = promotionCodes.get(code.toUpperCase());
  const midnight = "00:00" as TimeOfDay;
  const days =
    from && to
      ? countRentalDays({ dateFrom: from, timeFrom: midnight, dateTo: to, timeTo: midnight }, settings.graceMinutes)
      : undefined;
  return promotion !== undefined && holdsFor(promotion, { bookedOn: now.date, dateFrom: from, days });
}

const DOCUMENT_TYPES: Readonly<Record<string, readonly [string, string, string]>> = {
  en: ["Passport", "Identity card", "Residence permit"],
  es: ["Pasaporte", "DNI", "NIE"],
  ca: ["Passaport", "DNI", "NIE"],
  de: ["Reisepass", "Personalausweis", "Aufenthaltstitel"],
};

export function toDocumentTypes(visitor: Visitor) {
  const labels = DOCUMENT_TYPES[visitor.language] ?? DOCUMENT_TYPES["en"] ?? [];
  return labels.map((label, index) => ({ id: String(index + 1), label }));
}

/** Licences as the European Union names them. */
export function toLicenseTypes() {
  return ["AM", "A1", "A2", "A", "B", "B+E", "C1", "C", "D1", "D"].map((label, index) => ({
    id: String(index + 1),
    label,
  }));
}

const COUNTRIES =
  "AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PS PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS YE ZA ZM ZW".split(
    " ",
  );

/** Countries by their two-letter code, named in the visitor's language and sorted in it. */
export function toNationalities(visitor: Visitor) {
  const names = new Intl.DisplayNames([visitor.language, "en"], { type: "region" });
  const sorted = new Intl.Collator(visitor.language);
  return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    sorted.compare(a.name, b.name),
  );
}

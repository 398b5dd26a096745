import {
  type AgreedRentalTerms,
  type CivilNow,
  type RentalRequest,
  resolveRentalTerms,
} from "#domain/bookings/rental-terms.ts";
import type {
  Branch,
  Catalogue,
  Category,
  Extra,
  Offer,
  Place,
  PromotionCode,
  Settings,
  Tariff,
} from "#domain/catalogue/catalogue.ts";
import type { CivilDate, Period, TimeText } from "#domain/dates.ts";
import { createCompanySettings } from "#scripts/demo/settings.ts";

// Builders of domain data with typical defaults. Tests specify only what matters to them.

export const CATALOGUE_NOW: CivilNow = { date: "2026-01-10" as CivilDate, time: "09:00" as TimeText };

/** Parses `2026-02-01 09:00`. The time is 10:00 if not set. */
export function createPeriod(from: string, to: string): Period {
  const [dateFrom = "", timeFrom = "10:00"] = from.split(" ");
  const [dateTo = "", timeTo = "10:00"] = to.split(" ");
  return {
    dateFrom: dateFrom as CivilDate,
    timeFrom: timeFrom as TimeText,
    dateTo: dateTo as CivilDate,
    timeTo: timeTo as TimeText,
  };
}

const SETTINGS = createCompanySettings(
  {
    accountName: "Test Rentals",
    countryCode: "ES",
    currency: "EUR",
    timezone: "Europe/Madrid",
    languages: ["es", "en"],
    defaultLanguage: "es",
    outOfHoursAllowed: true,
    outOfHoursPickupCents: 3000,
    outOfHoursReturnCents: 2000,
    depositBasisPoints: 2000,
    paymentMethods: ["tpvA256"],
  },
  2100,
);

export function createSettings(changes: Partial<Settings> = {}): Settings {
  return { ...SETTINGS, ...changes };
}

export function createBranch(changes: Partial<Branch> = {}): Branch {
  return { code: "AIR", name: "Airport", branchGroupId: 1, openingHours: [], closedDates: new Set(), ...changes };
}

export function createPlace(changes: Partial<Place> = {}): Place {
  return {
    id: 1,
    name: "Aeropuerto",
    names: {},
    branchCode: "AIR",
    placeType: "airport",
    isPickup: true,
    isReturn: true,
    webPublic: true,
    priceCents: 0,
    returnPlaceIds: new Set(),
    ...changes,
  };
}

export function createCategory(changes: Partial<Category> = {}): Category {
  return {
    code: "A",
    name: "Coche pequeño",
    names: {},
    shortDescription: "",
    shortDescriptions: {},
    description: "",
    descriptions: {},
    familyId: undefined,
    webPublic: true,
    vat: 2100,
    depositCents: 0,
    guaranteeCents: 0,
    supplementCents: [0, 0, 0],
    doors: 3,
    seats: 4,
    suitcases: 1,
    transmission: "manual",
    fuel: "petrol",
    airConditioner: true,
    photos: [],
    ...changes,
  };
}

/** Creates a tariff with a daily price for any duration. */
export function createTariff(dayCents: number, changes: Partial<Tariff> = {}): Tariff {
  return {
    categoryCode: "A",
    seasonId: undefined,
    salesChannel: undefined,
    brackets: [{ fromDays: 1, toDays: undefined, pricePer: "day", priceCents: dayCents }],
    ...changes,
  };
}

export function createExtra(changes: Partial<Extra> = {}): Extra {
  return {
    id: 1,
    code: "SEAT",
    name: "Silla",
    names: {},
    description: "",
    descriptions: {},
    photoPath: undefined,
    photoFullPath: undefined,
    pricePer: "day",
    priceCents: 400,
    maximumPriceCents: undefined,
    limitPer: "booking",
    excessReduction: undefined,
    maxQuantity: 3,
    vat: 2100,
    stockByStorage: undefined,
    ...changes,
  };
}

const ANY_TIME = {
  categoryCode: undefined,
  bookingFrom: undefined,
  bookingTo: undefined,
  rentalFrom: undefined,
  rentalTo: undefined,
  minimumDays: 1,
};

export function createOffer(changes: Partial<Offer> = {}): Offer {
  return {
    ...ANY_TIME,
    id: 1,
    name: "Oferta",
    names: {},
    salesChannel: undefined,
    discountType: "percentage",
    value: 1000,
    ...changes,
  };
}

export function createPromotionCode(changes: Partial<PromotionCode> = {}): PromotionCode {
  return { ...ANY_TIME, code: "WELCOME10", discountType: "percentage", value: 1000, ...changes };
}

export interface CatalogueParts {
  readonly settings?: Settings;
  readonly places?: readonly Place[];
  readonly branches?: readonly Branch[];
  readonly categories?: readonly Category[];
  readonly extras?: readonly Extra[];
  readonly promotionCodes?: readonly PromotionCode[];
}

export function createCatalogue(
  parts: CatalogueParts & Partial<Omit<Catalogue, keyof CatalogueParts>> = {},
): Catalogue {
  const { settings, places, branches, categories, extras, promotionCodes, ...lists } = parts;
  return {
    version: 1,
    settings: settings ?? createSettings(),
    places: new Map((places ?? [createPlace()]).map((place) => [place.id, place])),
    branches: new Map((branches ?? [createBranch()]).map((branch) => [branch.code, branch])),
    salesChannels: new Set(["WEB", "AGENCY"]),
    publicChannels: new Set(["WEB", "AGENCY"]),
    categories: new Map((categories ?? [createCategory()]).map((category) => [category.code, category])),
    families: [],
    sellingRules: [],
    oneWayFees: [],
    legalTexts: [],
    brand: { color: undefined, hasLogo: false },
    tellsPartners: false,
    seasonPeriods: [],
    tariffs: [createTariff(5000)],
    offers: [],
    promotionCodes: new Map((promotionCodes ?? []).map((code) => [code.code, code])),
    driverAgeRules: [],
    extras: new Map((extras ?? [createExtra()]).map((extra) => [extra.code, extra])),
    cancellationTerms: [],
    transfers: {
      points: new Map(),
      vehicles: new Map(),
      prices: [],
      extras: new Map(),
      supplements: [],
      stopOverMinutes: 15,
      unknownWayMinutes: 60,
    },
    repatriations: [],
    ...lists,
  };
}

export function createRentalRequest(period: Period, changes: Partial<RentalRequest> = {}): RentalRequest {
  return { period, pickupPlaceId: 1, returnPlaceId: 1, ...changes };
}

/** Creates terms accepted by the catalogue. Throws if they aren't. */
export function createResolvedRentalTerms(
  catalogue: Catalogue,
  period: Period,
  changes: Partial<RentalRequest> = {},
): AgreedRentalTerms {
  const terms = resolveRentalTerms(catalogue, createRentalRequest(period, changes), CATALOGUE_NOW);
  if (!terms.ok) throw new Error(`${terms.error.field}: ${terms.error.reason}`);
  return terms.value;
}

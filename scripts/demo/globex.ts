import type { DiscountTerms, Tariff } from "#domain/catalogue.ts";
import type { CivilDate, TimeOfDay } from "#domain/dates.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import type { Address, Company, CompanyBranch, CompanyCategory, CompanyExtra, CompanySettings } from "./company.ts";
import { keysAndUsers } from "./credentials.ts";
import { buildFleet, type FleetOrder, type Model, type Vehicle } from "./fleet.ts";
import { globexWords } from "./globex-words.ts";
import { categoryPhotos } from "./pictures.ts";
import { datesOf, dayBrackets, yearsAround } from "./prices.ts";
import { randomFrom } from "./random.ts";

const SALES_TAX = 888;
const settings: CompanySettings = {
  accountName: "Globex Vans",
  countryCode: "US",
  currency: "USD",
  currencyDecimals: 2,
  timezone: "America/New_York",
  languages: ["en"],
  defaultLanguage: "en",
  vat: SALES_TAX,
  graceMinutes: 120,
  preparationMinutes: 60,
  holdMinutes: 1440,
  cartIdleMinutes: 1440,
  minimumDays: 1,
  maximumDays: 60,
  outOfHoursAllowed: false,
  outOfHoursPickupCents: 0,
  outOfHoursReturnCents: 0,
  depositShare: 2500,
  automaticConfirmation: true,
  requestAllowed: true,
  engineRequiresApiKey: true,
  paymentOptions: ["deposit", "total"],
  paymentMethods: ["tpvC", "wallet_standard"],
};

const address: Address = { street: "42-18 Northern Boulevard", city: "Long Island City", state: "NY", zip: "11101", country: "US", lat: 40.7531, lng: -73.9237 };

function branch(years: readonly number[]): CompanyBranch {
  const closures = years.flatMap((year) => [
    { date: `${year}-01-01` as CivilDate, reason: globexWords.closures.newYear },
    { date: `${year}-12-25` as CivilDate, reason: globexWords.closures.christmas },
  ]);
  return {
    code: "LIC", rentalStorageId: 1, name: "Long Island City", classifierId: undefined, externalCode: "NY-01", placeType: "location", address,
    companyName: "Globex Vans LLC", documentId: "88-2041977", phone: "+1 718 555 0142", email: "staff@globex.test", commercialRegister: "NY DOS 6120457",
    openingHours: [1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, opens: "08:00" as TimeOfDay, closes: "18:00" as TimeOfDay })),
    closures, closedDates: new Set<string>(closures.map(({ date }) => date)),
  };
}

const categories: readonly CompanyCategory[] = [
  category("CARGO", "Cargo van", "Ford Transit or similar", "Low loading floor for moves across town.", 5, "#4b5d78", [2, 3]),
  category("HIGH", "High-roof van", "Ram ProMaster or similar", "Stand-up height for furniture and shows.", 3, "#2f7d5b", [3, 3]),
  category("CREW", "12-seat passenger van", "Mercedes-Benz Sprinter or similar", "Twelve seats and room for the bags.", 2, "#8a6d3b", [4, 12]),
];

function category(code: string, name: string, short: string, long: string, popularity: number, color: string, [doors, seats]: readonly [number, number]): CompanyCategory {
  return {
    code, name, popularity, doors, seats, familyId: 1, names: { en: name }, shortDescriptions: { en: short }, descriptions: { en: long },
    webPublic: true, vat: SALES_TAX, depositCents: 25_000, guaranteeCents: 0, supplementCents: [0, 0, 0],
    suitcases: 8, transmission: "automatic", fuel: "petrol", airConditioner: true, photos: categoryPhotos(code, color),
  };
}

const DAY_PRICES: Readonly<Record<string, number>> = { CARGO: 8900, HIGH: 10_900, CREW: 14_500 };
const MOVING_SEASON = 1;

const tariffs: readonly Tariff[] = Object.entries(DAY_PRICES).flatMap(([categoryCode, cents]) =>
  [{ seasonId: undefined, factor: 1 }, { seasonId: MOVING_SEASON, factor: 1.2 }].map(({ seasonId, factor }) => ({
    categoryCode, seasonId, salesChannel: undefined, brackets: dayBrackets(cents * factor, [[1, 1], [3, 0.9], [7, 0.78], [28, 0.6]]),
  })),
);

const always: DiscountTerms = {
  categoryCode: undefined, bookingFrom: undefined, bookingTo: undefined, rentalFrom: undefined, rentalTo: undefined, minimumDays: 1,
};

const extras: readonly CompanyExtra[] = [
  extra(1, "DOLLY", "Hand truck", "Folding, up to 300 lb", 0.3, { pricePer: "rental", priceCents: 1500, maxQuantity: 2, stockByStorage: new Map([[1, 10]]) }),
  extra(2, "PADS", "Furniture pads", "A dozen quilted pads", 0.25, { pricePer: "rental", priceCents: 1200, maxQuantity: 4 }),
  extra(3, "COVER", "Damage cover", "No deductible", 0.3, { pricePer: "day", priceCents: 1900, maximumPriceCents: 19_000, maxQuantity: 1 }),
];

type ExtraTerms = Pick<CompanyExtra, "pricePer" | "priceCents" | "maxQuantity"> & Partial<Pick<CompanyExtra, "maximumPriceCents" | "stockByStorage">>;

function extra(id: number, code: string, name: string, description: string, popularity: number, terms: ExtraTerms): CompanyExtra {
  return {
    id, code, name, popularity, names: { en: name }, descriptions: { en: description }, photoPath: undefined, photoFullPath: undefined,
    maximumPriceCents: undefined, stockByStorage: undefined, vat: SALES_TAX, ...terms,
  };
}

const model = (brand: string, name: string, tankLitres: number, priceCents: number): Model => ({
  brand, name, tankLitres, priceCents, transmission: "automatic", fuel: "petrol",
});
const MODELS: Readonly<Record<string, readonly Model[]>> = {
  CARGO: [model("Ford", "Transit 250", 95, 4_690_000), model("Chevrolet", "Express 2500", 117, 4_310_000)],
  HIGH: [model("Ram", "ProMaster 2500", 91, 4_980_000)],
  CREW: [model("Mercedes-Benz", "Sprinter 2500 Passenger", 93, 6_120_000), model("Ford", "Transit 350 XLT", 95, 5_640_000)],
};
const UNITS: Readonly<Record<string, number>> = { CARGO: 6, HIGH: 4, CREW: 3 };

function fleet(today: CivilDate, home: CompanyBranch, historyDays: number): Vehicle[] {
  return buildFleet({
    orders: Object.entries(UNITS).map(([categoryCode, units]): FleetOrder => ({ categoryCode, units, branch: home, models: MODELS[categoryCode] ?? [] })),
    today,
    random: randomFrom("globex fleet"),
    plate: (_, random) => `${random.digits(5)}-${random.letters(2, "ABCDEFGHJKLMNP")}`,
    colors: ["White", "Silver", "Graphite"],
    words: globexWords,
    dailyUnits: 42,
    historyDays,
  });
}

/** One van-rental shop in New York, as of a day. */
export function globex(today: CivilDate, historyDays: number): Company {
  const years = yearsAround(today, 2);
  const shop = branch(years);
  return {
    account: "globex",
    settings,
    classifiers: [],
    salesChannels: [],
    storages: [{ id: 1, name: "New York", classifierId: undefined, externalCode: "NY", address }],
    branches: [shop],
    places: [{
      id: 1, branchCode: shop.code, name: "Long Island City shop", names: { en: "Long Island City shop" }, placeType: "location", priceCents: 0, popularity: 1,
      isPickup: true, isReturn: true, webPublic: true, classifierId: undefined, iata: undefined, returnPlaceIds: new Set([1]), address,
    }],
    families: [{ id: 1, code: "VANS", names: { en: "Vans" } }],
    categories,
    seasons: [{ id: MOVING_SEASON, name: "Moving season", periods: years.map((year) => ({ seasonId: MOVING_SEASON, ...datesOf(year, "05-15", "09-15") })) }],
    tariffs,
    offers: [{ ...always, id: 1, name: "Week for less", names: { en: "Week for less" }, salesChannel: undefined, discountType: "percentage", value: 500, minimumDays: 7 }],
    promotionCodes: [{ ...always, code: "MOVE15", discountType: "amount", value: 1500 }],
    driverAgeRules: [
      ageRule(1, "Under 21: not accepted", [0, 20], false, 0),
      ageRule(2, "21 to 24: young driver", [21, 24], true, 1500),
      ageRule(3, "25 and over", [25, 120], true, 0),
    ],
    extras,
    agencies: [{ id: 1, name: "MoveMate", salesChannel: undefined, popularity: 1, prepaid: true }],
    agents: [{ id: 1, name: "Queens Self Storage", calculation: "percentage", fixedCents: 0, share: 800 }],
    ...keysAndUsers(demoAccounts, "globex", {
      partnerKeys: {
        "globex-agency": { name: "MoveMate", agencyId: 1, scopes: ["ota"] },
        "globex-erp": { name: "Accounting", agencyId: undefined, scopes: ["integration", "analytics"] },
      },
      engineKey: { name: "Website", salesChannel: undefined },
      users: {
        "staff@globex.test": { fullName: "Dana Whitfield", role: "administrator", branchCodes: undefined, language: "en" },
        "customer@globex.test": { fullName: "Chris Morales", role: "customer", branchCodes: undefined, language: "en" },
      },
    }),
    fleet: fleet(today, shop, historyDays),
    guests: [["US", 1]],
    words: globexWords,
  };
}

function ageRule(id: number, description: string, [ageFrom, ageTo]: readonly [number, number], allowed: boolean, costCents: number) {
  return { id, description, descriptions: { en: description }, ageFrom, ageTo, allowed, costPer: "day" as const, costCents, depositCents: 0 };
}

import type { Tariff } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import { type BasisPoints, partOf } from "#domain/money.ts";
import { acmeCategories, acmeFamilies } from "#scripts/demo/acme/categories.ts";
import { acmeDriverAgeRules, acmeExtras } from "#scripts/demo/acme/extras.ts";
import { acmeModels, spanishPlate } from "#scripts/demo/acme/fleet.ts";
import { acmeSettings } from "#scripts/demo/acme/organization.ts";
import { acmeOwnTexts } from "#scripts/demo/acme/own-texts.ts";
import { acmeOffers, acmePromotionCodes, acmeSeasons, acmeTariffs } from "#scripts/demo/acme/prices.ts";
import { acmeTransfers } from "#scripts/demo/acme/transfers.ts";
import type { Company, CompanyBranch, CompanyCategory } from "#scripts/demo/company.ts";
import { agentOf } from "#scripts/demo/company-parts.ts";
import { DEMO_CUSTOMER_ID } from "#scripts/demo/credentials.ts";
import { buildFleet, type FleetOrder, type Vehicle } from "#scripts/demo/fleet.ts";
import { yearsAround } from "#scripts/demo/prices.ts";
import { randomFrom } from "#scripts/demo/random.ts";
import { settingsOf } from "#scripts/demo/settings.ts";
import { largeBranches, largePlaces, largeStorages } from "./large-places.ts";

export const LARGE_TIMEZONE = acmeSettings.timezone;
const YEARS_AROUND = 5;
const CATEGORIES = 20;
const UNITS_OF_CATEGORY = 50;

/** Each of acme's categories in three grades, the better ones dearer. */
const GRADES: readonly { readonly suffix: string; readonly name: string; readonly price: BasisPoints }[] = [
  { suffix: "", name: "", price: 10_000 },
  { suffix: "-PLUS", name: " Plus", price: 11_500 },
  { suffix: "-TOP", name: " Premium", price: 13_500 },
];
const graded = GRADES.flatMap((grade) =>
  acmeCategories.filter(({ code }) => code !== "UNIQ").map((category) => ({ grade, category })),
).slice(0, CATEGORIES);

/** 1,000 vehicles in 20 categories, 4 branch groups, 40 places: acme many times over. */
export function large(account: string, today: CivilDate, historyDays: number): Company {
  const years = yearsAround(today, YEARS_AROUND);
  const branches = largeBranches(years);
  const random = randomFrom(`${account} fleet`);
  return {
    account,
    paperColor: "#0b6e69",
    // What is bought is spread over years, so that nothing is sold out.
    settings: settingsOf({ ...acmeSettings, accountName: "Acme Grande", horizonDays: 3650 }, 2100),
    classifiers: [{ id: 1, name: "Acme Grande" }],
    salesChannels: [
      { code: "WEB", name: "Web propia", isPublic: true },
      { code: "AGENCY", name: "Agencias", isPublic: true },
      { code: "PHONE", name: "Teléfono y mostrador", isPublic: true },
    ],
    storages: largeStorages,
    branches,
    places: branches.flatMap(largePlaces),
    families: acmeFamilies,
    categories: graded.map(({ grade, category }) => gradedCategory(category, grade)),
    seasons: acmeSeasons(years),
    tariffs: graded.flatMap(({ grade, category }) =>
      acmeTariffs
        .filter(({ categoryCode }) => categoryCode === category.code)
        .map((tariff) => gradedTariff(tariff, grade)),
    ),
    offers: acmeOffers(years),
    promotionCodes: acmePromotionCodes(Number(today.slice(0, 4)) - 1),
    cancellationTerms: [],
    sellingRules: [],
    oneWayFees: [],
    driverAgeRules: acmeDriverAgeRules,
    transfers: acmeTransfers(branches[0]?.code ?? ""),
    extras: acmeExtras.map((extra) => ({
      ...extra,
      stockByStorage: extra.stockByStorage && new Map(largeStorages.map(({ id }) => [id, 60])),
    })),
    agencies: [{ id: 1, name: "Large Agency", salesChannelCode: "AGENCY", popularity: 1, prepaid: true }],
    agents: [agentOf(1, "Hotel Bahía Blava", { share: 1000 })],
    partnerKeys: [
      { apiKey: "large-agency", secret: "large-agency-secret", name: "Large Agency", agencyId: 1, scopes: ["ota"] },
      {
        apiKey: "large-erp",
        secret: "large-erp-secret",
        name: "ERP",
        agencyId: undefined,
        scopes: ["integration", "analytics"],
      },
    ],
    engineKeys: [{ apiKey: "large-web", name: "Web", allowedOrigins: [], salesChannel: "WEB" }],
    users: [
      {
        id: 1,
        username: "staff@large.test",
        password: "Staff-large-2026!",
        fullName: "Marta Oliver Pons",
        role: "administrator",
        customerId: undefined,
        branchCodes: undefined,
        language: "es",
      },
      {
        id: 2,
        username: "customer@large.test",
        password: "Customer-large-2026!",
        fullName: "Laura Martín Gil",
        role: "customer",
        customerId: DEMO_CUSTOMER_ID,
        branchCodes: undefined,
        language: "es",
      },
    ],
    fleet: fleet(branches, today, historyDays, random),
    guests: [
      ["ES", 34],
      ["DE", 24],
      ["GB", 20],
      ["FR", 8],
      ["IT", 5],
      ["NL", 4],
      ["CT", 5],
    ],
    ownTexts: acmeOwnTexts,
  };
}

type Grade = (typeof GRADES)[number];

function gradedCategory(category: CompanyCategory, { suffix, name }: Grade): CompanyCategory {
  const names = Object.fromEntries(
    Object.entries(category.names).map(([language, text]) => [language, `${text}${name}`]),
  );
  return { ...category, code: `${category.code}${suffix}`, name: `${category.name}${name}`, names };
}

function gradedTariff(tariff: Tariff, { suffix, price }: Grade): Tariff {
  const brackets = tariff.brackets.map((bracket) => ({ ...bracket, priceCents: partOf(bracket.priceCents, price) }));
  return { ...tariff, categoryCode: `${tariff.categoryCode}${suffix}`, brackets };
}

function fleet(
  branches: readonly CompanyBranch[],
  today: CivilDate,
  historyDays: number,
  random: ReturnType<typeof randomFrom>,
): Vehicle[] {
  const units = (index: number) =>
    Math.floor(UNITS_OF_CATEGORY / branches.length) + (index < UNITS_OF_CATEGORY % branches.length ? 1 : 0);
  const orders = graded.flatMap(({ grade, category }) =>
    branches.map(
      (branch, index): FleetOrder => ({
        categoryCode: `${category.code}${grade.suffix}`,
        models: acmeModels[category.code] ?? [],
        branch,
        units: units(index),
      }),
    ),
  );
  return buildFleet({
    orders,
    today,
    random,
    plate: spanishPlate,
    colors: ["Blanco", "Gris plata", "Negro", "Azul"],
    ownTexts: acmeOwnTexts,
    dailyUnits: 95,
    historyDays,
  });
}

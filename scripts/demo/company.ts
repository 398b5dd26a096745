import type {
  Branch,
  CancellationTerm,
  Catalogue,
  Category,
  DriverAgeRule,
  Extra,
  Offer,
  Place,
  PromotionCode,
  SeasonPeriod,
  Tariff,
} from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { branches, branchGroups, pickupPlaces } from "#worker/store/schema/organization.ts";
import type { agents } from "#worker/store/schema/people.ts";
import type { oneWayFees, sellingRules } from "#worker/store/schema/prices.ts";
import type { Model, Vehicle } from "./fleet.ts";
import type { OwnTexts } from "./own-texts.ts";
import type { CompanySettings } from "./settings.ts";
import type { CompanyTransfers } from "./transfers.ts";

/**
 * A demo company, described once: the domain prices its contracts from it, and its rows are written from it. Where the
 * domain knows a thing, the description adds only what its table holds beyond that.
 */
export interface Company {
  /** The tenant's name, to which the secrets of its keys are bound. */
  readonly account: string;
  /** Of its papers, `#rrggbb`. */
  readonly paperColor: string;
  readonly settings: CompanySettings;
  readonly classifiers: readonly { readonly id: number; readonly name: string }[];
  readonly salesChannels: readonly { readonly code: string; readonly name: string; readonly isPublic: boolean }[];
  readonly storages: readonly Storage[];
  readonly branches: readonly CompanyBranch[];
  readonly places: readonly CompanyPlace[];
  readonly families: readonly Family[];
  readonly categories: readonly CompanyCategory[];
  readonly seasons: readonly {
    readonly id: number;
    readonly name: string;
    readonly periods: readonly SeasonPeriod[];
  }[];
  readonly tariffs: readonly Tariff[];
  readonly offers: readonly Offer[];
  readonly promotionCodes: readonly PromotionCode[];
  readonly cancellationTerms: readonly CancellationTerm[];
  /** From now on: the contracts of the past were sold without them. */
  readonly sellingRules: readonly Omit<typeof sellingRules.$inferInsert, "id">[];
  readonly oneWayFees: readonly Omit<typeof oneWayFees.$inferInsert, "id">[];
  readonly driverAgeRules: readonly DriverAgeRule[];
  readonly extras: readonly CompanyExtra[];
  readonly transfers: CompanyTransfers;
  readonly agencies: readonly Agency[];
  readonly agents: readonly Agent[];
  readonly partnerKeys: readonly CompanyPartnerKey[];
  readonly engineKeys: readonly CompanyEngineKey[];
  readonly users: readonly CompanyUser[];
  readonly fleet: readonly Vehicle[];
  /** Nationalities of its customers with their weights. */
  readonly guests: readonly (readonly [country: string, weight: number])[];
  readonly ownTexts: OwnTexts;
}

/** An address as its columns have it. */
export interface Address {
  readonly addressStreetAddress: string;
  readonly addressCity: string;
  readonly addressState: string;
  readonly addressZip: string;
  readonly addressCountryCode: string;
  readonly addressLat: number;
  readonly addressLng: number;
}

type BranchRow = typeof branches.$inferInsert;
type PlaceRow = typeof pickupPlaces.$inferInsert;
/** The account's own, and the same for all. */
type Common = "timezone" | "currency" | "position" | "createdAt" | "lastUpdate";

export interface Storage extends Omit<typeof branchGroups.$inferInsert, Common | keyof Address>, Address {
  readonly id: number;
}

export interface CompanyBranch extends Branch, Omit<BranchRow, Common | keyof Branch | keyof Address>, Address {
  /** The legal person that runs it, and bills its rentals. */
  readonly companyId: number;
  readonly closures: readonly { readonly date: CivilDate; readonly reason: string }[];
}

export interface CompanyPlace extends Place, Omit<PlaceRow, Common | keyof Place | keyof Address>, Address {
  readonly placeType: PlaceRow["placeType"];
  /** How often rentals begin here, against the other places. */
  readonly popularity: number;
}

export interface Family {
  readonly id: number;
  readonly code: string;
  readonly names: Translations;
}

export interface CompanyCategory extends Category {
  readonly transmission: Model["transmission"];
  readonly fuel: Model["fuel"];
  /** How often it is asked for, against the other categories. */
  readonly popularity: number;
}

export interface CompanyExtra extends Extra {
  /** The share of rentals that take it. */
  readonly popularity: number;
}

export interface Agency {
  readonly id: number;
  readonly name: string;
  readonly salesChannelCode: string | undefined;
  readonly popularity: number;
  /** Paid by the agency's portal when booked, else by transfer after the invoice. */
  readonly prepaid: boolean;
}

export type Agent = typeof agents.$inferSelect;

export interface CompanyPartnerKey {
  readonly apiKey: string;
  readonly secret: string;
  readonly name: string;
  readonly agencyId: number | undefined;
  readonly scopes: readonly ("ota" | "integration" | "analytics")[];
  /** Invoices, bonds and charges without a signature. */
  readonly keyOnly?: boolean;
}

export interface CompanyEngineKey {
  readonly apiKey: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly salesChannel: string | undefined;
}

export interface CompanyUser {
  readonly id: number;
  readonly username: string;
  readonly password: string;
  readonly fullName: string;
  readonly role: "customer" | "operator" | "agent" | "manager" | "administrator";
  readonly customerId: number | undefined;
  /** Absent: every branch. */
  readonly branchCodes: readonly string[] | undefined;
  readonly language: string;
}

/** The company as the domain sees it. */
export function toCatalogue(company: Company): Catalogue {
  return {
    version: 1,
    settings: company.settings,
    places: new Map(company.places.map((place) => [place.id, place])),
    branches: new Map(company.branches.map((branch) => [branch.code, branch])),
    salesChannels: new Set(company.salesChannels.map(({ code }) => code)),
    publicChannels: new Set(company.salesChannels.map(({ code }) => code)),
    families: [],
    sellingRules: [],
    oneWayFees: [],
    tellsPartners: false,
    categories: new Map(company.categories.map((category) => [category.code, category])),
    seasonPeriods: company.seasons.flatMap(({ periods }) => periods),
    tariffs: company.tariffs,
    offers: company.offers,
    promotionCodes: new Map(company.promotionCodes.map((promotion) => [promotion.code, promotion])),
    driverAgeRules: company.driverAgeRules,
    extras: new Map(company.extras.map((extra) => [extra.code, extra])),
    transfers: {
      points: new Map(company.transfers.points.map((point) => [point.id, point])),
      vehicles: new Map(company.transfers.vehicles.map((vehicle) => [vehicle.id, vehicle])),
      prices: company.transfers.prices,
      extras: new Map(company.transfers.extras.map((extra) => [extra.id, extra])),
      supplements: company.transfers.supplements,
      stopOverMinutes: 15,
      unknownWayMinutes: 60,
    },
    cancellationTerms: company.cancellationTerms,
    repatriations: [],
  };
}

/** The text in the account's own language. */
export function inOwnLanguage(company: Company, texts: Translations): string {
  const text = texts[company.settings.defaultLanguage];
  if (text === undefined) throw new Error(`a text has no ${company.settings.defaultLanguage} version`);
  return text;
}

export function branchNamed({ branches }: Company, code: string): CompanyBranch {
  const branch = branches.find((one) => one.code === code);
  if (!branch) throw new Error(`there is no branch ${code}`);
  return branch;
}

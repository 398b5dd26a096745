import type { Branch, Catalogue, Place } from "#domain/catalogue/catalogue.ts";
import type { CivilDate, CivilMinute, Span } from "#domain/dates.ts";
import type { BasisPoints } from "#domain/money.ts";
import type acme from "./acme.json";
import type { CompanySettings } from "./settings.ts";
import type { TableName, Tables } from "./tables.ts";

/** Tables whose rows are drawn, some more often than others. */
interface Drawn {
  readonly pickupPlaces: Weighted;
  readonly categories: Weighted;
  readonly extras: Weighted;
  /** An agency's rentals are paid by its portal when booked, else by transfer after the invoice. */
  readonly agencies: Weighted & { readonly prepaid: boolean };
}

export interface Weighted {
  /** How often it is taken, against the others; of an extra, the share of rentals that take it. */
  readonly popularity: number;
}

type TableRow<Name extends TableName> = Tables[Name]["$inferSelect"] &
  (Name extends keyof Drawn ? Drawn[Name] : unknown);
export type CompanyRows = { readonly [Name in TableName]: TableRow<Name>[] };

/** What a company writes in its own language, beside what the platform does. */
export type OwnTexts = typeof acme.ownTexts;
export type SaleKind = keyof OwnTexts["sales"];
export type ExpenseKind = keyof OwnTexts["expenses"];

/**
 * A demo company as its file describes it, each row after those it names. Rows name columns; what a row does not say
 * is the schema's own. A text in several languages becomes translations, `{year}` a row for each year around, seasons
 * hold the days of their periods, and tariffs from how many days on which price holds.
 */
export interface CompanyData {
  /** The tenant's name, to which the secrets of its keys are bound. */
  readonly account: string;
  readonly settings: Readonly<Record<string, unknown>> & { readonly timezone: string };
  /** The tax of what has no rate of its own: supplements, other sales. */
  readonly vat: BasisPoints;
  /** Of keys, users, gateways and the ministry, by their name. */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * How many rentals: in all, `active` out now or to come, `open` of these out beside those of the days around,
   * `pending` to come and not confirmed by anybody, cancelled before they came, `around`: deliveries and as many
   * collections at each branch yesterday, today and tomorrow; one-way: where none are to come, none has ever been let.
   * And how many transfers, of the last two weeks and the next four; how many days a deposit is held after the return.
   */
  readonly volume: typeof acme.volume;
  readonly customers: typeof acme.customers;
  readonly fleet: FleetData;
  /** Nationalities of its customers with their weights. */
  readonly guests: readonly (readonly (string | number)[])[];
  readonly ownTexts: OwnTexts;
  readonly rows: { readonly [Name in TableName]?: readonly FixtureRow[] };
}

export type FixtureRow = Readonly<Record<string, unknown>>;

/** What a company has beside vehicles and customers: its rows as stored, and its catalogue as the platform reads it. */
export interface CompanyFixture extends Pick<CompanyData, "account" | "secrets" | "ownTexts" | "volume"> {
  readonly settings: CompanySettings;
  readonly rows: CompanyRows;
  /** That which its contracts are sold from; selling rules and one-way fees came after all of them. */
  readonly catalogue: Catalogue;
  readonly places: readonly CompanyPlace[];
  /** In epoch ms. */
  readonly foundedAt: number;
  readonly now: CivilMinute;
  readonly today: CivilDate;
  /** The moment at which its clock shows a civil minute. */
  readonly toEpochMs: (minute: CivilMinute) => number;
}

export type CompanyPlace = Place & Weighted & { readonly branch: Branch };

type VehicleRow = Tables["vehicles"]["$inferInsert"];
type ContractDerivedColumn = "usageUnits" | "usageAvailableFuel" | "active" | "createdAt" | "lastUpdate";

/** A vehicle as its columns have it, but for those that its contracts leave behind. */
export interface Vehicle extends Omit<VehicleRow, ContractDerivedColumn> {
  readonly id: number;
  readonly acquisitionDate: CivilDate;
  /** Sold or given back. */
  readonly soldReleaseDate: CivilDate | undefined;
  /** Km or miles when the history begins, and a usual rental day's. */
  readonly unitsAtStart: number;
  readonly dailyUnits: number;
  readonly blocks: readonly Block[];
}

/** So many vehicles of a category at a branch. */
export interface FleetOrder {
  readonly categoryCode: string;
  readonly branchCode: string;
  readonly units: number;
  /** `sold`, `leaving`, `staff` or `virtual`; absent: they are for rent. */
  readonly purpose?: string;
}

/** The vehicles that a company has bought, and of what: models by category, and `virtual`. */
export interface FleetData extends Omit<typeof acme.fleet, "orders" | "models"> {
  readonly orders: readonly FleetOrder[];
  readonly models: Readonly<Record<string, typeof acme.fleet.models.MINI>>;
}

/** A stretch in which a vehicle cannot be rented. */
export interface Block extends Span {
  readonly kind: "workshop" | "transfer" | "other";
  readonly reason: string;
}

export function branchNamed({ rows }: Pick<CompanyFixture, "rows">, code: string): TableRow<"branches"> {
  const branch = rows.branches.find((branch) => branch.code === code);
  if (!branch) throw new Error(`there is no branch ${code}`);
  return branch;
}

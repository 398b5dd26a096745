import type { Branch, Catalogue, Place } from "#domain/catalogue/catalogue.ts";
import type { CivilDate, CivilMinute, Span } from "#domain/dates.ts";
import type { BasisPoints } from "#domain/money.ts";
import type acme from "./acme.json";
import type { CompanySettings } from "./settings.ts";
import type { DemoTableName, DemoTables } from "./tables.ts";

/** Tables whose rows are chosen at random, with the columns that control the choice. */
interface Drawn {
  readonly pickupPlaces: WithDrawingWeight;
  readonly categories: WithDrawingWeight;
  readonly extras: WithDrawingWeight;
  /** Whether rentals are paid through the agency's portal when booked. Otherwise by transfer after the invoice. */
  readonly agencies: WithDrawingWeight & { readonly prepaid: boolean };
}

/** Adds the weight by which rows are chosen at random. */
export interface WithDrawingWeight {
  /** Weight of the choice. For an extra, the share of rentals with it. */
  readonly popularity: number;
}

type TableRow<Name extends DemoTableName> = DemoTables[Name]["$inferSelect"] &
  (Name extends keyof Drawn ? Drawn[Name] : unknown);
export type CompanyRows = { readonly [Name in DemoTableName]: TableRow<Name>[] };

/** The company's own texts in its language. */
export type DemoCompanyTexts = typeof acme.ownTexts;
export type SaleKind = keyof DemoCompanyTexts["sales"];
export type ExpenseKind = keyof DemoCompanyTexts["expenses"];

/**
 * Description of a demo company. Referenced rows come first. Rows name columns, and missing columns get schema
 * defaults. Texts in several languages become translations, `{year}` creates a row per surrounding year, seasons
 * contain the days of their periods, special dates their times, and tariffs a price per minimum number of days.
 */
export interface CompanyData {
  /** Account name, which the encryption of its secrets is bound to. */
  readonly account: string;
  readonly settings: Readonly<Record<string, unknown>> & { readonly timezone: string };
  /** Tax rate of everything without its own: supplements and other sales. */
  readonly vat: BasisPoints;
  /** Secrets of keys, users, gateways and the ministry, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /**
   * Number of rentals. `active`: out or upcoming. `open`: active rentals that are out, without those of the
   * surrounding days. `pending`: upcoming and unconfirmed. `around`: deliveries, and as many collections, per
   * branch yesterday, today and tomorrow. Without upcoming one-way rentals, there are no past ones. Also the
   * number of cancelled rentals, of transfers in the last two weeks and the next four, and the days that a
   * deposit is held after the return.
   */
  readonly volume: typeof acme.volume;
  readonly customers: typeof acme.customers;
  readonly fleet: FleetData;
  /** Customer nationalities with weights. */
  readonly guests: readonly (readonly (string | number)[])[];
  readonly ownTexts: DemoCompanyTexts;
  readonly rows: { readonly [Name in DemoTableName]?: readonly FixtureRow[] };
}

export type FixtureRow = Readonly<Record<string, unknown>>;

/** Company data besides vehicles and customers: stored rows, and the catalogue as the platform reads it. */
export interface CompanyFixture extends Pick<CompanyData, "account" | "secrets" | "ownTexts" | "volume"> {
  readonly settings: CompanySettings;
  readonly rows: CompanyRows;
  /** Catalogue used for sales. Selling rules and one-way fees were added after all contracts. */
  readonly catalogue: Catalogue;
  readonly places: readonly CompanyPlace[];
  /** Time of the company's foundation, epoch ms. */
  readonly foundedAt: number;
  readonly now: CivilMinute;
  readonly today: CivilDate;
  /** Converts a local minute of the company to an instant in epoch ms. */
  readonly toEpochMs: (minute: CivilMinute) => number;
}

/** Pickup place with its branch and its weight in random choices. */
export type CompanyPlace = Place & WithDrawingWeight & { readonly branch: Branch };

type VehicleRow = DemoTables["vehicles"]["$inferInsert"];
type ContractDerivedColumn = "usageUnits" | "usageAvailableFuel" | "active" | "createdAt" | "lastUpdate";

/** Vehicle columns without those that depend on its contracts. */
export interface DemoVehicle extends Omit<VehicleRow, ContractDerivedColumn> {
  readonly id: number;
  readonly acquisitionDate: CivilDate;
  /** Day on which the vehicle was sold or returned to its owner. */
  readonly soldReleaseDate: CivilDate | undefined;
  /** Kilometres or miles at the start of the history, and per usual rental day. */
  readonly unitsAtStart: number;
  readonly dailyUnits: number;
  readonly blocks: readonly DemoVehicleBlock[];
}

/** Number of vehicles of a category at a branch. */
export interface FleetOrder {
  readonly categoryCode: string;
  readonly branchCode: string;
  readonly units: number;
  /** `sold`, `leaving`, `staff` or `virtual`. For rent if not set. */
  readonly purpose?: string;
}

/** Purchased vehicles, and models by category and for `virtual`. */
export interface FleetData extends Omit<typeof acme.fleet, "orders" | "models"> {
  readonly orders: readonly FleetOrder[];
  readonly models: Readonly<Record<string, typeof acme.fleet.models.MINI>>;
}

/** A period when a vehicle can't be rented. */
export interface DemoVehicleBlock extends Span {
  readonly kind: "workshop" | "transfer" | "other";
  readonly reason: string;
}

export function getBranch({ rows }: Pick<CompanyFixture, "rows">, code: string): TableRow<"branches"> {
  const branch = rows.branches.find((branch) => branch.code === code);
  if (!branch) throw new Error(`there is no branch ${code}`);
  return branch;
}

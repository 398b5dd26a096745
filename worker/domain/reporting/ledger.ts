import { addDays, type CivilDate } from "#domain/dates.ts";
import { type BasisPoints, type Cents, getNetAmount, splitAmount, sumCents } from "#domain/money.ts";

// Monthly revenue of a contract (docs/interfaces/analytics.md#figures).

/** Supplements by field name. A supplement's id is its field name. Category supplements belong to their line. */
export const SUPPLEMENT_FIELDS = [
  "time_from_cost",
  "time_to_cost",
  "pickup_place_cost",
  "return_place_cost",
  "driver_age_cost",
  "supplement_1_cost",
  "supplement_2_cost",
  "supplement_3_cost",
] as const;
export type SupplementField = (typeof SUPPLEMENT_FIELDS)[number];

/** Natural person, legal person, or a department of the company. `other` only counts under `all`. */
export type CustomerClass = "individual" | "legal_entity" | "other";

/** Contract from which ledger entries are calculated. */
export interface LedgerContract {
  readonly bookingId: number;
  readonly dateFrom: CivilDate;
  /** Billing days, starting with `dateFrom`. */
  readonly days: number;
  readonly branchCode: string;
  readonly customerType: string;
  readonly lines: readonly LedgerLine[];
  readonly extras: readonly LedgerExtra[];
  readonly supplementCents: Readonly<Record<SupplementField, Cents>>;
}

/** Extra or surcharge of a contract, for the ledger. */
export interface LedgerExtra {
  readonly code: string;
  readonly cents: Cents;
  readonly vat: BasisPoints;
  /** Date of a surcharge added after the contract's completion. */
  readonly on?: CivilDate | null | undefined;
}

/** Products of one category in a contract, with their vehicles, for the ledger. */
export interface LedgerLine {
  readonly itemCents: Cents;
  /** Sum for all units. */
  readonly categorySupplementCents: readonly Cents[];
  readonly vat: BasisPoints;
  readonly vehicles: readonly LedgerVehicle[];
}

/** Vehicle of a line, with its distance once returned. */
export interface LedgerVehicle {
  readonly reference: string;
  /** For exchanged vehicles: the first day with this vehicle, and the first day with the next one. */
  readonly from?: CivilDate | undefined;
  readonly until?: CivilDate | undefined;
  readonly driven: { readonly on: CivilDate; readonly kilometres: number } | undefined;
}

/** A contract's share of a month for a vehicle, extra or supplement. */
export interface LedgerEntry {
  readonly kind: "product" | "extra" | "supplement";
  /** Vehicle reference, extra code or supplement name. */
  readonly code: string;
  readonly year: number;
  readonly month: number;
  readonly branchCode: string;
  readonly customerClass: CustomerClass;
  readonly cents: Cents;
  readonly centsWithoutTaxes: Cents;
  readonly days: number;
  /** First and last rented day of the month, 0 if the vehicle wasn't rented. */
  readonly firstDay: number;
  readonly lastDay: number;
  readonly contracts: number;
  readonly usageUnits: number;
}

/**
 * Returns all ledger entries of a counted contract, at most one per item and days. A line counts once it has a vehicle.
 */
export function buildLedgerEntries(contract: LedgerContract): LedgerEntry[] {
  const vat = contract.lines[0]?.vat ?? 0;
  const sale = (
    kind: "extra" | "supplement",
    code: string,
    { cents, vat: rate, on }: Pick<LedgerExtra, "cents" | "vat" | "on">,
  ) => ({
    ...emptyEntry(contract, kind, code, on ?? contract.dateFrom),
    cents,
    centsWithoutTaxes: getNetAmount(cents, rate),
  });
  return together([
    ...contract.lines.flatMap((line) => buildLineEntries(contract, line)),
    ...contract.extras.map((extra) => sale("extra", extra.code, extra)),
    // Uses the first vehicle's tax rate, like the invoice (decision 0009).
    ...SUPPLEMENT_FIELDS.map((name) => sale("supplement", name, { cents: contract.supplementCents[name], vat })),
  ]).filter(isSomething);
}

// Merges items sold both at delivery and later, and vehicles returned and delivered again within a day.
function together(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const byName = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const name = [entry.kind, entry.code, entry.year, entry.month, entry.firstDay, entry.lastDay].join();
    const other = byName.get(name);
    byName.set(name, other ? added(other, entry) : entry);
  }
  return [...byName.values()];
}

function added(ledgerEntry: LedgerEntry, other: LedgerEntry): LedgerEntry {
  return {
    ...ledgerEntry,
    cents: ledgerEntry.cents + other.cents,
    centsWithoutTaxes: ledgerEntry.centsWithoutTaxes + other.centsWithoutTaxes,
    days: ledgerEntry.days + other.days,
    contracts: ledgerEntry.contracts + other.contracts,
    usageUnits: ledgerEntry.usageUnits + other.usageUnits,
  };
}

const isSomething = (entry: LedgerEntry) =>
  entry.cents !== 0 || entry.days !== 0 || entry.contracts !== 0 || entry.usageUnits !== 0;

function emptyEntry(contract: LedgerContract, kind: LedgerEntry["kind"], code: string, date: CivilDate): LedgerEntry {
  return {
    kind,
    code,
    year: Number(date.slice(0, 4)),
    month: Number(date.slice(5, 7)),
    branchCode: contract.branchCode,
    customerClass: getCustomerClass(contract.customerType),
    cents: 0,
    centsWithoutTaxes: 0,
    days: 0,
    firstDay: 0,
    lastDay: 0,
    contracts: 0,
    usageUnits: 0,
  };
}

function getCustomerClass(customerType: string): CustomerClass {
  if (customerType === "individual") return "individual";
  return customerType === "internal_department" ? "other" : "legal_entity";
}

// The ledger has product revenue by vehicle, so a line without assigned vehicles doesn't count yet.
function buildLineEntries(contract: LedgerContract, line: LedgerLine): LedgerEntry[] {
  if (line.vehicles.length === 0) return [];
  const parts = [line.itemCents, ...line.categorySupplementCents];
  const equally = line.vehicles.map(() => 1);
  const shares = splitAmount(sumCents(parts), equally);
  const sharesWithoutTaxes = splitAmount(sumCents(parts.map((part) => getNetAmount(part, line.vat))), equally);
  return line.vehicles.flatMap((asset, index) =>
    buildAssetEntries(contract, asset, shares[index] ?? 0, sharesWithoutTaxes[index] ?? 0),
  );
}

function buildAssetEntries(
  contract: LedgerContract,
  { reference, driven, from, until }: LedgerVehicle,
  cents: Cents,
  centsWithoutTaxes: Cents,
): LedgerEntry[] {
  const { days, dateFrom } = contract;
  const daily = new Array<number>(days).fill(1);
  const [amounts, bare] = [splitAmount(cents, daily), splitAmount(centsWithoutTaxes, daily)];
  const months = new Map<string, LedgerEntry>();
  const getEntry = (date: CivilDate) =>
    months.get(date.slice(0, 7)) ?? emptyEntry(contract, "product", reference, date);
  for (let day = 0; day < days; day++) {
    const date = addDays(dateFrom, day);
    const entry = getEntry(date);
    const dayInMonth = Number(date.slice(8, 10));
    const isOut = (from === undefined || date >= from) && (until === undefined || date < until);
    months.set(date.slice(0, 7), {
      ...entry,
      cents: entry.cents + (amounts[day] ?? 0),
      centsWithoutTaxes: entry.centsWithoutTaxes + (bare[day] ?? 0),
      ...(isOut && { days: entry.days + 1, firstDay: entry.firstDay || dayInMonth, lastDay: dayInMonth }),
      contracts: day === 0 ? 1 : entry.contracts,
    });
  }
  if (driven) {
    const entry = getEntry(driven.on);
    months.set(driven.on.slice(0, 7), { ...entry, usageUnits: entry.usageUnits + driven.kilometres });
  }
  return [...months.values()];
}

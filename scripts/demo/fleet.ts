import { addDays, type CivilDate, toDayNumber } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { vehicles } from "#worker/store/schema/vehicles.ts";
import { type Block, planBlocks } from "./blocks.ts";
import type { OwnTexts } from "./own-texts.ts";
import type { Random } from "./random.ts";

type VehicleRow = typeof vehicles.$inferInsert;
type LeftByContracts = "usageUnits" | "usageAvailableFuel" | "active" | "createdAt" | "lastUpdate";

/** A vehicle as its columns have it, but for those that its contracts leave behind. */
export interface Vehicle extends Omit<VehicleRow, LeftByContracts> {
  readonly id: number;
  readonly acquisitionDate: CivilDate;
  /** Sold or given back. */
  readonly soldReleaseDate: CivilDate | undefined;
  /** Km or miles when the history begins, and a usual rental day's. */
  readonly unitsAtStart: number;
  readonly dailyUnits: number;
  readonly blocks: readonly Block[];
}

export type Fuel = NonNullable<VehicleRow["fuel"]>;

export interface Model {
  readonly brand: string;
  readonly name: string;
  readonly transmission: "manual" | "automatic";
  readonly fuel: Fuel;
  readonly tankLitres: number;
  readonly priceCents: Cents;
}

/** So many vehicles of a category at a branch. */
export interface FleetOrder {
  readonly categoryCode: string;
  readonly models: readonly Model[];
  readonly branch: { readonly code: string; readonly branchGroupId: number };
  readonly units: number;
  /** Absent: they are for rent. */
  readonly purpose?: "sold" | "leaving" | "staff" | "virtual";
}

export interface FleetOptions {
  readonly orders: readonly FleetOrder[];
  readonly today: CivilDate;
  readonly random: Random;
  readonly plate: (acquiredOn: CivilDate, random: Random) => string;
  readonly colors: readonly string[];
  readonly ownTexts: OwnTexts;
  readonly dailyUnits: number;
  readonly historyDays: number;
}

const UNITS_A_DAY_BEFORE_HISTORY = 38;
const MONTHS_OF_RENTING = 36;
const DAYS_PER_YEAR = 365;

/** Buys the vehicles of the orders, each with its own past. */
export function buildFleet(options: FleetOptions): Vehicle[] {
  const numbers = new Map<string, number>();
  const plates = new Set<string>();
  const units = options.orders.flatMap((order) => Array.from({ length: order.units }, () => order));
  return units.map((order, index) => {
    const number = (numbers.get(order.categoryCode) ?? 0) + 1;
    numbers.set(order.categoryCode, number);
    return buildVehicle(options, order, { id: index + 1, number, plates });
  });
}

interface Identity {
  readonly id: number;
  readonly number: number;
  readonly plates: Set<string>;
}

function buildVehicle(options: FleetOptions, order: FleetOrder, { id, number, plates }: Identity): Vehicle {
  const { random, today, ownTexts, historyDays, dailyUnits } = options;
  const { categoryCode, branch, purpose } = order;
  const { brand, name, fuel, transmission, ...model } = random.pick(order.models);
  const isVirtual = purpose === "virtual";
  const acquisition = acquire(options, order, model.priceCents);
  const padded = String(number).padStart(2, "0");
  const plate = isVirtual ? undefined : newPlate(options, acquisition.acquisitionDate, plates);
  const color = random.pick(options.colors);
  const chassis = isVirtual ? undefined : chassisNumber(random);
  const insuranceCents = random.between(28, 62) * 100;
  return {
    ...acquisition,
    id,
    reference: `${categoryCode}-${padded}`,
    name: `${brand} ${name}`,
    categoryCode,
    branchGroupId: branch.branchGroupId,
    ownerBranchGroupId: branch.branchGroupId,
    branchCode: branch.code,
    brand,
    model: name,
    plate,
    alias: `${categoryCode.charAt(0)}${padded}`,
    color: isVirtual ? undefined : color,
    vin: chassis,
    characteristic1: fuel,
    characteristic2: transmission,
    characteristic3: chassis,
    characteristic4: isVirtual ? undefined : color,
    fuel,
    tankCapacityHundredths: model.tankLitres * 100,
    insuranceMonthlyFeeCents: isVirtual ? undefined : insuranceCents,
    unitsAtStart: acquisition.purchaseUnits + unitsBefore(acquisition.acquisitionDate, addDays(today, -historyDays)),
    dailyUnits,
    assignable: purpose !== "staff" && !isVirtual,
    blocks:
      purpose === undefined && order.units > 1
        ? planBlocks({ random, today, historyDays, acquiredOn: acquisition.acquisitionDate, number, ownTexts })
        : [],
  };
}

function newPlate(options: FleetOptions, acquiredOn: CivilDate, plates: Set<string>): string {
  const plate = options.plate(acquiredOn, options.random);
  if (plates.has(plate)) return newPlate(options, acquiredOn, plates);
  plates.add(plate);
  return plate;
}

function chassisNumber(random: Random): string {
  return `${random.pick(["VSS", "WVW", "VF1", "ZFA", "WF0", "SB1", "U5Y"])}${random.letters(6, "ABCDEFGHJKLMNPRSTUVWXYZ0123456789")}${random.digits(8)}`;
}

function acquire({ random, today, historyDays }: FleetOptions, order: FleetOrder, priceCents: Cents) {
  const acquisitionMode = order.purpose === "virtual" ? ("virtual" as const) : pickMode(random, order);
  const acquisitionDate = addDays(today, -daysSinceAcquisition(random, order, historyDays));
  const soldReleaseDate = releaseDate(random, order, today);
  const isBought = acquisitionMode === "purchase";
  const isMonthly = acquisitionMode === "renting" || acquisitionMode === "rented";
  const isSold = isBought && soldReleaseDate !== undefined && soldReleaseDate <= today;
  return {
    acquisitionMode,
    acquisitionDate,
    soldReleaseDate,
    ownProperty: isBought || acquisitionMode === "renting",
    purchasePriceCents: isBought ? roundedTo(priceCents * (0.92 + random.fraction() * 0.12), 1000) : undefined,
    purchaseUnits: isBought && random.chance(0.2) ? random.between(8_000, 30_000) : random.between(4, 30),
    salePriceCents: isSold ? roundedTo(priceCents * (0.42 + random.fraction() * 0.15), 1000) : undefined,
    rentingMonthlyFeeCents: isMonthly ? roundedTo(priceCents * 0.0155, 100) : undefined,
    rentingDuration: acquisitionMode === "renting" ? MONTHS_OF_RENTING : undefined,
  };
}

function pickMode(random: Random, { purpose }: FleetOrder): VehicleRow["acquisitionMode"] {
  if (purpose === "sold" || purpose === "staff") return "purchase";
  return random.pickWeighted([
    ["purchase", 46],
    ["renting", 34],
    ["rented", 12],
    ["supplier", 8],
  ]);
}

// Most are there since before the history begins, so that its early months have vehicles too.
function daysSinceAcquisition(random: Random, { purpose }: FleetOrder, historyDays: number): number {
  if (purpose === "sold") return historyDays + random.between(2 * DAYS_PER_YEAR, 3 * DAYS_PER_YEAR);
  return random.chance(0.75) ? historyDays + random.between(0, 2 * DAYS_PER_YEAR) : random.between(40, historyDays);
}

function releaseDate(random: Random, { purpose }: FleetOrder, today: CivilDate): CivilDate | undefined {
  if (purpose === "sold") return addDays(today, -random.between(60, 500));
  return purpose === "leaving" ? addDays(today, random.between(95, 150)) : undefined;
}

function unitsBefore(acquiredOn: CivilDate, historyFrom: CivilDate): number {
  return Math.max(0, toDayNumber(historyFrom) - toDayNumber(acquiredOn)) * UNITS_A_DAY_BEFORE_HISTORY;
}

function roundedTo(amount: number, step: number): number {
  return Math.round(amount / step) * step;
}

import { addDays, type CivilDate, toDayNumber } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { type Block, planBlocks } from "./blocks.ts";
import type { Random } from "./random.ts";
import type { Words } from "./words.ts";

export interface Vehicle {
  readonly id: number;
  readonly reference: string;
  readonly name: string;
  readonly categoryCode: string;
  readonly storageId: number;
  readonly branchCode: string;
  readonly brand: string;
  readonly model: string;
  readonly plate: string;
  readonly alias: string;
  readonly color: string;
  readonly chassis: string;
  readonly transmission: "manual" | "automatic";
  readonly fuel: Fuel;
  readonly tankHundredths: number;
  readonly acquisition: Acquisition;
  readonly insuranceMonthlyCents: Cents;
  /** Km or miles when the history begins, and a usual rental day's. */
  readonly unitsAtStart: number;
  readonly dailyUnits: number;
  readonly assignable: boolean;
  readonly blocks: readonly Block[];
}

export type Fuel = "none" | "petrol" | "diesel" | "electric" | "hybrid";

export interface Acquisition {
  readonly mode: "purchase" | "renting" | "rented" | "supplier" | "virtual";
  readonly on: CivilDate;
  /** Sold or given back. */
  readonly releasedOn: CivilDate | undefined;
  readonly purchaseCents: Cents | undefined;
  readonly purchaseUnits: number;
  readonly saleCents: Cents | undefined;
  readonly monthlyCents: Cents | undefined;
  readonly months: number | undefined;
}

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
  readonly words: Words;
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
  const { random, today, words, historyDays } = options;
  const model = random.pick(order.models);
  const acquisition = acquire(options, order, model);
  const padded = String(number).padStart(2, "0");
  return {
    id,
    reference: `${order.categoryCode}-${padded}`,
    name: `${model.brand} ${model.name}`,
    categoryCode: order.categoryCode,
    storageId: order.branch.branchGroupId,
    branchCode: order.branch.code,
    brand: model.brand,
    model: model.name,
    plate: order.purpose === "virtual" ? "" : newPlate(options, acquisition.on, plates),
    alias: `${order.categoryCode.charAt(0)}${padded}`,
    color: random.pick(options.colors),
    chassis: order.purpose === "virtual" ? "" : chassisNumber(random),
    transmission: model.transmission,
    fuel: model.fuel,
    tankHundredths: model.tankLitres * 100,
    acquisition,
    insuranceMonthlyCents: random.between(28, 62) * 100,
    unitsAtStart: acquisition.purchaseUnits + unitsBefore(acquisition.on, addDays(today, -historyDays)),
    dailyUnits: options.dailyUnits,
    assignable: order.purpose !== "staff" && order.purpose !== "virtual",
    blocks:
      order.purpose === undefined && order.units > 1
        ? planBlocks({ random, today, historyDays, acquiredOn: acquisition.on, number, words })
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

function acquire({ random, today, historyDays }: FleetOptions, order: FleetOrder, model: Model): Acquisition {
  const mode = order.purpose === "virtual" ? "virtual" : pickMode(random, order);
  const on = addDays(today, -daysSinceAcquisition(random, order, historyDays));
  const releasedOn = releaseDate(random, order, today);
  const isBought = mode === "purchase";
  const isMonthly = mode === "renting" || mode === "rented";
  return {
    mode,
    on,
    releasedOn,
    purchaseCents: isBought ? roundedTo(model.priceCents * (0.92 + random.fraction() * 0.12), 1000) : undefined,
    purchaseUnits: isBought && random.chance(0.2) ? random.between(8_000, 30_000) : random.between(4, 30),
    saleCents:
      isBought && releasedOn && releasedOn <= today
        ? roundedTo(model.priceCents * (0.42 + random.fraction() * 0.15), 1000)
        : undefined,
    monthlyCents: isMonthly ? roundedTo(model.priceCents * 0.0155, 100) : undefined,
    months: mode === "renting" ? MONTHS_OF_RENTING : undefined,
  };
}

function pickMode(random: Random, { purpose }: FleetOrder): Acquisition["mode"] {
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

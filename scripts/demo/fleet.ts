import { addDays, type CivilDate, type TimeText, toCivilMinute, toDayNumber } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { CompanyFixture, DemoVehicle, DemoVehicleBlock, FleetData, FleetOrder } from "./company.ts";
import habits from "./habits.json" with { type: "json" };
import { createDemoRandom, type Random } from "./random.ts";

type FleetOptions = CompanyFixture & FleetData & { readonly random: Random };

const UNITS_A_DAY_BEFORE_HISTORY = 38;
const RENTED_MONTHS = 36;
const DAYS_PER_YEAR = 365;
const DAYS_BETWEEN_SERVICES = 240;
/** Acquisition modes of vehicles that aren't for rent. Others vary. */
const MODES: Record<string, DemoVehicle["acquisitionMode"]> = {
  virtual: "virtual",
  sold: "purchase",
  staff: "purchase",
};
/**
 * Of each large category, one vehicle is blocked today and two later, in addition to those that scripts need to be
 * free.
 */
const BLOCKED = [
  { number: 9, kind: "workshop", inDays: -1, days: 3 },
  { number: 4, kind: "transfer", inDays: 75, days: 1 },
  { number: 5, kind: "other", inDays: 80, days: 3 },
] as const;

/** Creates the vehicles of the orders, each with its own history. */
export function createDemoFleet(companyFixture: CompanyFixture, data: FleetData): DemoVehicle[] {
  const options = { ...companyFixture, ...data, random: createDemoRandom(`${companyFixture.account} fleet`) };
  const numbers = new Map<string, number>();
  const plates = new Set<string>();
  const units = options.orders.flatMap((order) => Array.from({ length: order.units }, () => order));
  return units.map((order, index) => {
    const number = (numbers.get(order.categoryCode) ?? 0) + 1;
    numbers.set(order.categoryCode, number);
    return { id: index + 1, ...buildVehicle(options, order, number, plates) };
  });
}

/** `number` is the vehicle's number within its category. */
function buildVehicle(options: FleetOptions, order: FleetOrder, number: number, plates: Set<string>) {
  const { random, today, volume, dailyUnits } = options;
  const { categoryCode, branchCode, purpose } = order;
  const isVirtual = purpose === "virtual";
  const branchGroupId = options.rows.branches.find(({ code }) => code === branchCode)?.branchGroupId ?? 0;
  const { brand, name, fuel, transmission, ...model } = random.pick(
    options.models[isVirtual ? purpose : categoryCode] ?? [],
  );
  const acquisition = acquire(options, order, model.priceCents);
  const daysBefore = Math.max(0, toDayNumber(today) - volume.historyDays - toDayNumber(acquisition.acquisitionDate));
  const padded = String(number).padStart(2, "0");
  const plate = isVirtual ? undefined : newPlate(options, acquisition.acquisitionDate, plates);
  const color = random.pick(options.colors);
  const chassis = isVirtual ? undefined : chassisNumber(random);
  const insuranceCents = random.between(28, 62) * 100;
  return {
    ...acquisition,
    reference: `${categoryCode}-${padded}`,
    name: `${brand} ${name}`,
    categoryCode,
    branchGroupId,
    ownerBranchGroupId: branchGroupId,
    branchCode,
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
    fuel: fuel as DemoVehicle["fuel"],
    tankCapacityHundredths: model.tankLitres * 100,
    insuranceMonthlyFeeCents: isVirtual ? undefined : insuranceCents,
    unitsAtStart: acquisition.purchaseUnits + daysBefore * UNITS_A_DAY_BEFORE_HISTORY,
    dailyUnits,
    assignable: purpose !== "staff" && !isVirtual,
    blocks: purpose === undefined && order.units > 1 ? planBlocks(options, acquisition.acquisitionDate, number) : [],
  };
}

/** Plans occasional services, and for a few vehicles a block today or later. */
function planBlocks(options: FleetOptions, acquiredOn: CivilDate, number: number): DemoVehicleBlock[] {
  const { random, today, ownTexts } = options;
  const { historyDays } = options.volume;
  const blockFrom = (date: CivilDate, days: number, kind: DemoVehicleBlock["kind"]): DemoVehicleBlock => ({
    kind,
    reason: ownTexts.blockReasons[kind],
    startsAt: toCivilMinute(date, "08:00" as TimeText),
    endsAt: toCivilMinute(addDays(date, days), "18:00" as TimeText),
  });
  const blocks: DemoVehicleBlock[] = [];
  for (let day = -historyDays + random.between(0, DAYS_BETWEEN_SERVICES); day < -3; day += random.between(180, 300)) {
    const date = addDays(today, day);
    const days = random.between(1, 2);
    if (date > acquiredOn) blocks.push(blockFrom(date, days, "workshop"));
  }
  const others = BLOCKED.filter((item) => item.number === number);
  return [...blocks, ...others.map(({ kind, inDays, days }) => blockFrom(addDays(today, inDays), days, kind))];
}

function newPlate(options: FleetOptions, acquiredOn: CivilDate, plates: Set<string>): string {
  const plate = (PLATES[options.plates] ?? spanishPlate)(acquiredOn, options.random);
  if (plates.has(plate)) return newPlate(options, acquiredOn, plates);
  plates.add(plate);
  return plate;
}

const CONSONANTS = "BCDFGHJKLMNPRSTVWXYZ";
const LCB_START_DAY = 18_262;
const SERIES_PER_DAY = 0.385;

// Plate letters advance with time as in reality: LCB was issued at the start of 2020.
function spanishPlate(acquiredOn: CivilDate, random: Random): string {
  const series = 3220 + Math.round((toDayNumber(acquiredOn) - LCB_START_DAY) * SERIES_PER_DAY) + random.between(-3, 3);
  const letter = (index: number) => CONSONANTS.charAt(index % CONSONANTS.length);
  return `${random.digits(4)} ${letter(Math.floor(series / 400))}${letter(Math.floor(series / 20))}${letter(series)}`;
}

const PLATES: Readonly<Record<string, typeof spanishPlate>> = {
  spanish: spanishPlate,
  american: (_, random) => `${random.digits(5)}-${random.letters(2, "ABCDEFGHJKLMNP")}`,
};

function chassisNumber(random: Random): string {
  return `${random.pick(habits.chassisMakers)}${random.letters(6, habits.chassisLetters)}${random.digits(8)}`;
}

function acquire({ random, today, volume }: FleetOptions, order: FleetOrder, priceCents: Cents) {
  const acquisitionMode = MODES[order.purpose ?? ""] ?? random.pickKey(habits.acquisitionModes);
  const acquisitionDate = addDays(today, -daysSinceAcquisition(random, order, volume.historyDays));
  const soldReleaseDate = releaseDate(random, order, today);
  const isBought = acquisitionMode === "purchase";
  const isMonthly = acquisitionMode === "renting" || acquisitionMode === "rented";
  const isSold = isBought && soldReleaseDate !== undefined && soldReleaseDate <= today;
  return {
    acquisitionMode,
    acquisitionDate,
    soldReleaseDate,
    ownProperty: isBought || acquisitionMode === "renting",
    purchasePriceCents: isBought ? roundedTo(priceCents * (0.92 + random.nextFraction() * 0.12), 1000) : undefined,
    purchaseUnits: isBought && random.chance(0.2) ? random.between(8_000, 30_000) : random.between(4, 30),
    salePriceCents: isSold ? roundedTo(priceCents * (0.42 + random.nextFraction() * 0.15), 1000) : undefined,
    rentingMonthlyFeeCents: isMonthly ? roundedTo(priceCents * 0.0155, 100) : undefined,
    rentingDuration: acquisitionMode === "renting" ? RENTED_MONTHS : undefined,
  };
}

// Most vehicles were acquired before the history starts, so that its first months have vehicles too.
function daysSinceAcquisition(random: Random, { purpose }: FleetOrder, historyDays: number): number {
  if (purpose === "sold") return historyDays + random.between(2 * DAYS_PER_YEAR, 3 * DAYS_PER_YEAR);
  return random.chance(0.75) ? historyDays + random.between(0, 2 * DAYS_PER_YEAR) : random.between(40, historyDays);
}

function releaseDate(random: Random, { purpose }: FleetOrder, today: CivilDate): CivilDate | undefined {
  if (purpose === "sold") return addDays(today, -random.between(60, 500));
  return purpose === "leaving" ? addDays(today, random.between(95, 150)) : undefined;
}

function roundedTo(amount: number, step: number): number {
  return Math.round(amount / step) * step;
}

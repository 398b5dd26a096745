import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { CivilMinute, Period, Span } from "#domain/dates.ts";
import type { Company, CompanyPlace } from "./company.ts";
import { branchOf, drawWish, type Wish, type WishTerms } from "./demand.ts";
import { type Diary, openDiary } from "./diary.ts";
import type { Vehicle } from "./fleet.ts";
import type { Random } from "./random.ts";
import { countStock, type Stock } from "./stock.ts";

/** A rental with its vehicles and what has become of it by now. */
export interface PlannedRental {
  /** Its place in the order of planning, which the stock's guard has to see as well. */
  readonly order: number;
  readonly status: BookingStatus;
  readonly period: Period;
  readonly span: Span;
  readonly pickupPlace: CompanyPlace;
  readonly returnPlace: CompanyPlace;
  readonly storageId: number;
  /** Returned to another branch group, from where the vehicle is brought back. */
  readonly isOneWay: boolean;
  readonly units: readonly PlannedUnit[];
  readonly deliveredAt: CivilMinute;
  readonly collectedAt: CivilMinute;
}

export interface PlannedUnit {
  readonly categoryCode: string;
  /** None for a rental that was cancelled. */
  readonly vehicle: Vehicle | undefined;
}

export interface Planner {
  readonly company: Company;
  readonly random: Random;
  readonly now: CivilMinute;
  readonly diary: Diary;
  readonly stock: Stock;
  readonly pools: ReadonlyMap<string, readonly Vehicle[]>;
  readonly rentals: PlannedRental[];
}

/** What is asked of a wish beyond its own terms. */
export interface Demand extends WishTerms {
  readonly accepts?: (status: BookingStatus) => boolean;
  readonly isCancelled?: boolean;
  /** The customer of today is late, or the vehicle is: it counts as not yet delivered or collected. */
  readonly isLate?: boolean;
}

const MINUTES_PER_DAY = 1440;
const ATTEMPTS = 400;
const TRANSFER_MINUTES = 1440;
const SECOND_UNIT_SHARE = 0.05;
const LATE_UNTIL_DAYS = 2;

export function startPlanning(company: Company, now: CivilMinute, random: Random): Planner {
  const diary = openDiary(company.fleet);
  const rentable = company.fleet.filter(({ assignable }) => assignable);
  const pools = Map.groupBy(rentable, ({ storageId, categoryCode }) => `${storageId} ${categoryCode}`);
  return { company, random, now, diary, stock: countStock(company, diary), pools, rentals: [] };
}

/** Plans one rental that meets the demand, drawing until one fits; false where none does. */
export function planOne(planner: Planner, draw: () => Demand): boolean {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const demand = draw();
    const wish = drawWish(planner.company, planner.random, demand);
    const rental = wish && accept(planner, wish, demand);
    if (rental) {
      planner.rentals.push(rental);
      return true;
    }
  }
  return false;
}

function accept(planner: Planner, wish: Wish, demand: Demand): PlannedRental | undefined {
  const { company, random, now, rentals } = planner;
  const deliveredAt = wish.span.startsAt + random.between(-10, 25);
  const collectedAt = wish.span.endsAt + random.between(-40, 25);
  const status = demand.isCancelled
    ? "cancelled"
    : statusAt(now, deliveredAt, collectedAt, demand.isLate ?? false, wish.span);
  if (demand.accepts && !demand.accepts(status)) return undefined;
  const storageId = branchOf(company, wish.pickupPlace).branchGroupId;
  const categories = categoriesOf(wish, company, random);
  const units = demand.isCancelled
    ? categories.map((categoryCode) => ({ categoryCode, vehicle: undefined }))
    : findVehicles(planner, storageId, categories, spanToKeep(planner, wish, demand));
  if (!units || (isLiving(status) && !takeUnits(planner, storageId, categories, wish.span))) return undefined;
  for (const { vehicle } of units) if (vehicle) keep(planner, vehicle, wish, demand);
  const { period, span, pickupPlace, returnPlace } = wish;
  const isOneWay = demand.oneWay ?? false;
  return {
    order: rentals.length,
    status,
    period,
    span,
    pickupPlace,
    returnPlace,
    storageId,
    isOneWay,
    units,
    deliveredAt,
    collectedAt,
  };
}

export function isLiving(status: BookingStatus): boolean {
  return status !== "done" && status !== "cancelled";
}

function statusAt(
  now: CivilMinute,
  deliveredAt: CivilMinute,
  collectedAt: CivilMinute,
  isLate: boolean,
  span: Span,
): BookingStatus {
  const today = Math.floor(now / MINUTES_PER_DAY);
  const isToday = (minute: CivilMinute) => Math.floor(minute / MINUTES_PER_DAY) === today;
  if (deliveredAt > now || (isLate && isToday(span.startsAt))) return "confirmed";
  return collectedAt > now || (isLate && isToday(span.endsAt)) ? "in_progress" : "done";
}

// A second vehicle now and then: of the same category, or of another.
function categoriesOf({ category }: Wish, company: Company, random: Random): string[] {
  if (!random.chance(SECOND_UNIT_SHARE)) return [category.code];
  const second = random.chance(0.5)
    ? category
    : random.pickWeighted(company.categories.map((one) => [one, one.popularity]));
  return [category.code, second.code];
}

function findVehicles(
  planner: Planner,
  storageId: number,
  categories: readonly string[],
  span: Span,
): PlannedUnit[] | undefined {
  const found: PlannedUnit[] = [];
  for (const categoryCode of categories) {
    const pool = planner.pools.get(`${storageId} ${categoryCode}`) ?? [];
    const free = pool.filter(
      (vehicle) => planner.diary.isFree(vehicle, span) && !found.some((unit) => unit.vehicle === vehicle),
    );
    if (free.length === 0) return undefined;
    found.push({ categoryCode, vehicle: planner.random.pick(free) });
  }
  return found;
}

function takeUnits({ stock }: Planner, storageId: number, categories: readonly string[], span: Span): boolean {
  const quantities = [...Map.groupBy(categories, (code) => code)].map(([code, { length }]) => [code, length] as const);
  if (!quantities.every(([code, quantity]) => stock.hasUnits(storageId, code, span, quantity))) return false;
  for (const [code, quantity] of quantities) stock.takeUnits(storageId, code, span, quantity);
  return true;
}

// A vehicle that comes back late keeps everybody waiting; one left on the other island is shipped back.
function spanToKeep({ company, now }: Planner, { span }: Wish, { isLate, oneWay }: Demand): Span {
  const ready = span.endsAt + company.settings.preparationMinutes + (oneWay ? TRANSFER_MINUTES : 0);
  const lateUntil = isLate ? (Math.floor(now / MINUTES_PER_DAY) + LATE_UNTIL_DAYS) * MINUTES_PER_DAY : 0;
  return { startsAt: span.startsAt, endsAt: Math.max(ready, lateUntil) };
}

function keep(planner: Planner, vehicle: Vehicle, wish: Wish, demand: Demand): void {
  const { startsAt, endsAt } = spanToKeep(planner, wish, demand);
  if (!demand.oneWay) {
    planner.diary.keep(vehicle, { startsAt, endsAt });
    return;
  }
  const shipped = endsAt - TRANSFER_MINUTES;
  planner.diary.keep(vehicle, { startsAt, endsAt: shipped });
  planner.diary.block(vehicle, {
    kind: "transfer",
    reason: planner.company.words.blockReasons.transfer,
    startsAt: shipped,
    endsAt,
  });
}

import type { BookingStatus } from "#domain/bookings/bookings.ts";
import { type CivilMinute, MINUTES_PER_DAY, type Period, type Span } from "#domain/dates.ts";
import { branchNamed, type Company, type CompanyPlace, type Vehicle } from "./company.ts";
import type { Random } from "./random.ts";
import { drawRequest, type RentalRequest, type RequestTerms } from "./rental-requests.ts";
import { countStock, type Stock } from "./stock.ts";
import { newVehicleSchedule, type VehicleSchedule } from "./vehicle-schedule.ts";

/** A rental with its vehicles and what has become of it by now. */
export interface PlannedRental {
  /** Its place in the order of planning, which the stock's guard has to see as well. */
  readonly order: number;
  readonly status: BookingStatus;
  readonly period: Period;
  readonly span: Span;
  /** For how long the stock is without its units, before their preparation. */
  readonly takenSpan: Span;
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
  readonly schedule: VehicleSchedule;
  readonly stock: Stock;
  readonly pools: ReadonlyMap<string, readonly Vehicle[]>;
  readonly rentals: PlannedRental[];
}

/** What is asked of a request beyond its own terms. */
export interface Demand extends RequestTerms {
  readonly accepts?: (status: BookingStatus) => boolean;
  readonly isCancelled?: boolean;
  /** The customer of today is late, or the vehicle is: it counts as not yet delivered or collected. */
  readonly isLate?: boolean;
  /** Out since before, and due yesterday. */
  readonly isOverdue?: boolean;
  /** Nobody has come for it. */
  readonly isMissing?: boolean;
}

const ATTEMPTS = 400;
const TRANSFER_MINUTES = 1440;
const SECOND_UNIT_SHARE = 0.05;
const LATE_UNTIL_DAYS = 2;
/** Brought back after the grace, so that extra days are charged. */
const LATE_RETURN_SHARE = 0.01;
const LATE_RETURN_MINUTES = [130, 1400] as const;

export function startPlanning(company: Company, random: Random): Planner {
  const schedule = newVehicleSchedule(company.fleet);
  const rentable = company.fleet.filter(({ assignable }) => assignable);
  const pools = Map.groupBy(rentable, ({ branchGroupId, categoryCode }) => `${branchGroupId} ${categoryCode}`);
  return { company, random, schedule, stock: countStock(company, schedule), pools, rentals: [] };
}

/** Plans one rental that meets the demand, drawing until one fits; false where none does. */
export function planOne(planner: Planner, draw: () => Demand): boolean {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const demand = draw();
    const request = drawRequest(planner.company, planner.random, demand);
    const rental = request && accept(planner, request, demand);
    if (rental) {
      planner.rentals.push(rental);
      return true;
    }
  }
  return false;
}

function accept(planner: Planner, request: RentalRequest, demand: Demand): PlannedRental | undefined {
  const { company, random, rentals } = planner;
  const deliveredAt = request.span.startsAt + random.between(-10, 25);
  const lateMinutes = random.chance(LATE_RETURN_SHARE)
    ? random.between(...LATE_RETURN_MINUTES)
    : random.between(-40, 25);
  const collectedAt = request.span.endsAt + lateMinutes;
  const status = statusAt(company.now, deliveredAt, collectedAt, demand, request.span);
  if (demand.accepts && !demand.accepts(status)) return undefined;
  const storageId = branchNamed(company, request.pickupPlace.branchCode).branchGroupId;
  const categories = categoriesOf(request, company, random);
  const takenSpan = isActive(status) ? spanToTake(planner, request.span, demand) : request.span;
  const keptSpan = spanToKeep(
    planner,
    { ...takenSpan, endsAt: Math.max(takenSpan.endsAt, collectedAt) },
    demand,
    status,
  );
  const units = demand.isCancelled
    ? categories.map((categoryCode) => ({ categoryCode, vehicle: undefined }))
    : findVehicles(planner, storageId, categories, keptSpan);
  if (!units || (isActive(status) && !takeUnits(planner, storageId, categories, takenSpan))) return undefined;
  for (const { vehicle } of units) if (vehicle) keep(planner, vehicle, keptSpan, demand, status);
  const { period, span, pickupPlace, returnPlace } = request;
  const isOneWay = demand.oneWay ?? false;
  return {
    order: rentals.length,
    status,
    period,
    span,
    takenSpan,
    pickupPlace,
    returnPlace,
    storageId,
    isOneWay,
    units,
    deliveredAt,
    collectedAt,
  };
}

export function isActive(status: BookingStatus): boolean {
  return status !== "done" && status !== "cancelled";
}

function statusAt(
  now: CivilMinute,
  deliveredAt: CivilMinute,
  collectedAt: CivilMinute,
  { isCancelled = false, isLate = false, isOverdue = false, isMissing = false }: Demand,
  span: Span,
): BookingStatus {
  if (isCancelled) return "cancelled";
  if (isMissing) return "confirmed";
  if (isOverdue) return "in_progress";
  const today = Math.floor(now / MINUTES_PER_DAY);
  const isToday = (minute: CivilMinute) => Math.floor(minute / MINUTES_PER_DAY) === today;
  if (deliveredAt > now || (isLate && isToday(span.startsAt))) return "confirmed";
  return collectedAt > now || (isLate && isToday(span.endsAt)) ? "in_progress" : "done";
}

// A second vehicle now and then: of the same category, or of another.
function categoriesOf({ category }: RentalRequest, company: Company, random: Random): string[] {
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
      (vehicle) => planner.schedule.isFree(vehicle, span) && !found.some((unit) => unit.vehicle === vehicle),
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

// A vehicle that comes back late keeps everybody waiting; one left on the other island is not home for some days.
function spanToTake({ company }: Planner, { startsAt, endsAt }: Span, { isLate, isOverdue, oneWay }: Demand): Span {
  const home = endsAt + (oneWay ? company.settings.repatriationDays * MINUTES_PER_DAY : 0);
  const lateUntil =
    isLate || isOverdue ? (Math.floor(company.now / MINUTES_PER_DAY) + LATE_UNTIL_DAYS) * MINUTES_PER_DAY : 0;
  return { startsAt, endsAt: Math.max(home, lateUntil) };
}

// In the past it was shipped back within a day.
function spanToKeep({ company }: Planner, span: Span, { oneWay }: Demand, status: BookingStatus): Span {
  const shipped = oneWay && status === "done" ? TRANSFER_MINUTES : 0;
  return { startsAt: span.startsAt, endsAt: span.endsAt + company.settings.preparationMinutes + shipped };
}

function keep(
  planner: Planner,
  vehicle: Vehicle,
  { startsAt, endsAt }: Span,
  demand: Demand,
  status: BookingStatus,
): void {
  if (!demand.oneWay || status !== "done") {
    planner.schedule.keep(vehicle, { startsAt, endsAt });
    return;
  }
  const shipped = endsAt - TRANSFER_MINUTES;
  planner.schedule.keep(vehicle, { startsAt, endsAt: shipped });
  planner.schedule.block(vehicle, {
    kind: "transfer",
    reason: planner.company.ownTexts.blockReasons.transfer,
    startsAt: shipped,
    endsAt,
  });
}

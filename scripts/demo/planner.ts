import type { BookingStatus } from "#domain/bookings/bookings.ts";
import { type CivilMinute, MINUTES_PER_DAY, type Span } from "#domain/dates.ts";
import type { Vehicle } from "./company.ts";
import type { Company } from "./describe-company.ts";
import type { Random } from "./random.ts";
import { drawCategory, drawRequest, type RentalRequest, type RequestTerms } from "./rental-requests.ts";
import { Stock } from "./stock.ts";
import { VehicleSchedule } from "./vehicle-schedule.ts";

/** A rental with its vehicles and what has become of it by now. */
export interface PlannedRental extends Omit<RentalRequest, "categoryCode"> {
  /** Its place in the order of planning, which the stock's guard has to see as well. */
  readonly order: number;
  readonly status: BookingStatus;
  /** For how long the stock is without its units, before their preparation. */
  readonly takenSpan: Span;
  readonly storageId: number;
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

export function startPlanning(company: Company, random: Random): Planner {
  const schedule = new VehicleSchedule(company.fleet);
  return { company, random, schedule, stock: new Stock(company, schedule), rentals: [] };
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

function accept(
  planner: Planner,
  { categoryCode, ...request }: RentalRequest,
  demand: Demand,
): PlannedRental | undefined {
  const { company, random, rentals, stock } = planner;
  const { span, isOneWay, pickupPlace } = request;
  const deliveredAt = span.startsAt + random.between(-10, 25);
  const isLate = random.chance(LATE_RETURN_SHARE);
  const collectedAt = span.endsAt + (isLate ? random.between(130, 1400) : random.between(-40, 25));
  const status = statusAt(company.now, deliveredAt, collectedAt, demand, span);
  if (demand.accepts && !demand.accepts(status)) return undefined;
  const storageId = pickupPlace.branch.branchGroupId;
  const categories = [categoryCode, ...drawSecondUnit(categoryCode, company, random)];
  const takenSpan = isActive(status) ? spanToTake(company, span, demand) : span;
  const freeAt = Math.max(takenSpan.endsAt, collectedAt) + company.settings.preparationMinutes;
  // In the past it was shipped back within a day.
  const homeAt = isOneWay && status === "done" ? freeAt + TRANSFER_MINUTES : freeAt;
  const units = demand.isCancelled
    ? categories.map((code) => ({ categoryCode: code, vehicle: undefined }))
    : findVehicles(planner, storageId, categories, { startsAt: span.startsAt, endsAt: homeAt });
  if (!units || (isActive(status) && !stock.takeUnits(storageId, categories, takenSpan))) return undefined;
  for (const { vehicle } of units) keep(planner, vehicle, span.startsAt, freeAt, homeAt);
  return { ...request, order: rentals.length, status, takenSpan, storageId, units, deliveredAt, collectedAt };
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
function drawSecondUnit(categoryCode: string, company: Company, random: Random): string[] {
  if (!random.chance(SECOND_UNIT_SHARE)) return [];
  return [random.chance(0.5) ? categoryCode : drawCategory(company, random)];
}

function findVehicles(
  { schedule, stock, random }: Planner,
  storageId: number,
  categories: readonly string[],
  span: Span,
): PlannedUnit[] | undefined {
  const found: PlannedUnit[] = [];
  for (const categoryCode of categories) {
    const pool = stock.pools.get(`${storageId} ${categoryCode}`) ?? [];
    const free = pool.filter(
      (vehicle) => schedule.isFree(vehicle, span) && !found.some((unit) => unit.vehicle === vehicle),
    );
    if (free.length === 0) return undefined;
    found.push({ categoryCode, vehicle: random.pick(free) });
  }
  return found;
}

// A vehicle that comes back late keeps everybody waiting; one left on the other island is not home for some days.
function spanToTake({ now, settings }: Company, { startsAt, endsAt }: Span, demand: Demand): Span {
  const home = endsAt + (demand.isOneWay ? settings.repatriationDays * MINUTES_PER_DAY : 0);
  const isLate = demand.isLate || demand.isOverdue;
  const lateUntil = isLate ? (Math.floor(now / MINUTES_PER_DAY) + LATE_UNTIL_DAYS) * MINUTES_PER_DAY : 0;
  return { startsAt, endsAt: Math.max(home, lateUntil) };
}

function keep(
  { company, schedule }: Planner,
  vehicle: Vehicle | undefined,
  startsAt: CivilMinute,
  freeAt: CivilMinute,
  homeAt: CivilMinute,
): void {
  if (!vehicle) return;
  schedule.keep(vehicle, { startsAt, endsAt: freeAt });
  const reason = company.ownTexts.blockReasons.transfer;
  if (homeAt > freeAt) schedule.keep(vehicle, { kind: "transfer", reason, startsAt: freeAt, endsAt: homeAt });
}

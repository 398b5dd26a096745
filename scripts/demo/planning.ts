import type { BookingStatus } from "#domain/bookings/bookings.ts";
import { type CivilDate, MINUTES_PER_DAY, toCivilDate, toDayNumber } from "#domain/dates.ts";
import { branchNamed, type Company, type CompanyBranch, type Volume } from "./company.ts";
import { type Demand, isActive, type PlannedRental, type Planner, planOne, startPlanning } from "./planner.ts";
import type { Random } from "./random.ts";
import { drawDay, drawLength } from "./rental-requests.ts";
import type { Stock } from "./stock.ts";
import type { VehicleSchedule } from "./vehicle-schedule.ts";

export interface Plan {
  readonly rentals: readonly PlannedRental[];
  readonly schedule: VehicleSchedule;
  readonly stock: Stock;
}

const LONGEST_DAYS = 28;
const CANCELLED_SHARE = 0.07;
const ONE_WAY_SHARE = 0.03;
const FURTHEST_DAYS = 150;
/** So many days ago somebody did not come, and nobody has said so yet. */
const NOBODY_CAME_DAYS = 3;
/** Most of what is to come, comes soon. */
const MEAN_DAYS_AHEAD = 32;

/** Plans the whole past and future of a company: first what must be there, then what fits beside it. */
export function planRentals(company: Company, random: Random): Plan {
  const { now, volume } = company;
  const planner = startPlanning(company, random);
  const today = Math.floor(now / MINUTES_PER_DAY);
  keepSomeFree(planner, today);
  if (hasOneWays(company)) {
    repeat(planner, volume.oneWaysToCome, () => ({
      pickupDay: today + random.between(2, 20),
      oneWay: true,
      accepts: isToCome,
    }));
  }
  planAroundToday(planner, volume.around, today);
  repeat(planner, volume.open, () => ({ pickupDay: today - drawLength(random), accepts: isOut }));
  repeat(planner, volume.active - countActive(planner), () => ({ ...toCome(random, today), accepts: isToCome }));
  repeat(planner, volume.cancelledToCome, () => ({ ...toCome(random, today), isCancelled: true }));
  planOne(planner, () => ({ returnDay: today - 1, isOverdue: true, accepts: isOut }));
  planOne(planner, () => ({ pickupDay: today - NOBODY_CAME_DAYS, isMissing: true, accepts: isToCome }));
  planPast(planner, volume, today);
  return {
    rentals: withPending(planner.rentals, volume.pending, today),
    schedule: planner.schedule,
    stock: planner.stock,
  };
}

const isToCome = (status: BookingStatus) => status === "confirmed";
const isOut = (status: BookingStatus) => status === "in_progress";

function countActive({ rentals }: Planner): number {
  return rentals.filter(({ status }) => isActive(status)).length;
}

function repeat(planner: Planner, count: number, draw: () => Demand): void {
  for (let made = 0; made < count; made++) {
    if (!planOne(planner, draw))
      throw new Error(`the fleet is too small for the rentals asked of it (${made} of ${count} fit)`);
  }
}

function toCome(random: Random, today: number): Demand {
  const ahead = Math.floor(-Math.log(1 - random.fraction()) * MEAN_DAYS_AHEAD);
  return { pickupDay: today + Math.min(ahead, FURTHEST_DAYS) };
}

function planPast(planner: Planner, volume: Volume, today: number): void {
  const { company, random } = planner;
  const oneWays = hasOneWays(company);
  repeat(planner, volume.total - planner.rentals.length, () => {
    const isCancelled = random.chance(CANCELLED_SHARE);
    const oneWay = oneWays && !isCancelled && random.chance(ONE_WAY_SHARE);
    const pickupDay = drawDay(random, today - volume.historyDays, today - (oneWay ? 1 + LONGEST_DAYS : 1));
    return { pickupDay, isCancelled, oneWay, accepts: (status) => status === "cancelled" || status === "done" };
  });
}

function hasOneWays(company: Company): boolean {
  const storageOf = new Map(
    company.places.map((place) => [place.id, branchNamed(company, place.branchCode).branchGroupId]),
  );
  return company.places.some(({ id, returnPlaceIds }) =>
    [...returnPlaceIds].some((other) => storageOf.get(other) !== storageOf.get(id)),
  );
}

// Someone always waits at the counter and someone is always due back, whatever the time of day. A shop that is closed
// on one of the days, and hands nothing out then, has nobody.
function planAroundToday(planner: Planner, count: number, today: number): void {
  for (const day of [today - 1, today, today + 1]) {
    for (const branch of planner.company.rows.branches) {
      for (let index = 0; index < count; index++) {
        const isLate = day === today && index < 2;
        planOne(planner, () => delivery(branch, day, isLate));
        planOne(planner, () => collection(branch, day, today, isLate));
      }
    }
  }
}

function delivery({ code }: CompanyBranch, day: number, isLate: boolean): Demand {
  return { pickupDay: day, pickupBranch: code, isLate, accepts: (status) => !isLate || status === "confirmed" };
}

function collection({ code }: CompanyBranch, day: number, today: number, isLate: boolean): Demand {
  const isDue: Demand["accepts"] = (status) => (isLate || day > today ? isOut(status) : status !== "confirmed");
  return { returnDay: day, returnBranch: code, isLate, accepts: isDue };
}

/** Keeps a vehicle of every category free for three weeks of next month, so that there is something to rent. */
function keepSomeFree({ pools, schedule }: Planner, today: number): void {
  const firstOfNext = firstDayAfterMonthOf(today);
  const window = { startsAt: (firstOfNext + 3) * MINUTES_PER_DAY, endsAt: (firstOfNext + 25) * MINUTES_PER_DAY };
  for (const pool of pools.values()) {
    const vehicle = pool.find((one) => schedule.isFree(one, window));
    if (vehicle) schedule.keep(vehicle, window);
  }
}

function firstDayAfterMonthOf(day: number): number {
  const [year = 0, month = 0] = toCivilDate(day).split("-").map(Number);
  const next = month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, "0")}-01`;
  return toDayNumber(next as CivilDate);
}

// Those furthest ahead wait for their confirmation: nothing else depends on them.
function withPending(rentals: readonly PlannedRental[], count: number, today: number): PlannedRental[] {
  const ahead = rentals.filter(
    ({ status, span }) => status === "confirmed" && span.startsAt >= (today + 3) * MINUTES_PER_DAY,
  );
  const step = Math.max(1, Math.floor(ahead.length / Math.max(1, count)));
  const pending = new Set(ahead.filter((_, index) => index % step === 0).slice(0, count));
  return rentals.map((rental) => (pending.has(rental) ? { ...rental, status: "pending_confirmation" } : rental));
}

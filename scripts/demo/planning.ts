import type { BookingStatus } from "#domain/bookings/bookings.ts";
import { type CivilDate, MINUTES_PER_DAY, toCivilDate, toDayNumber } from "#domain/dates.ts";
import type { DemoCompany } from "./describe-company.ts";
import habits from "./habits.json" with { type: "json" };
import { isActiveBookingStatus, type PlannedRental, RentalPlanner } from "./planner.ts";
import { drawDay, drawRentalDays, type RentalRequestConstraints } from "./rental-requests.ts";

export type RentalPlan = Pick<RentalPlanner, "rentals" | "stock">;

const MAX_RENTAL_DAYS = 28;
const FURTHEST_DAYS = 150;
/** How many days ago a customer didn't show up, not yet recorded. */
const NO_SHOW_DAYS = 3;
/** Mean lead time. Most upcoming rentals are soon. */
const MEAN_DAYS_AHEAD = 32;

/** Plans all past and future rentals: required ones first, then others that fit. */
export function planRentals(company: DemoCompany): RentalPlan {
  const { oneWaysToCome, open, active, cancelledToCome, pending } = company.volume;
  const planner = new RentalPlanner(company);
  const { random, rentals, stock, today } = planner;
  keepSomeFree(planner, company.today);
  repeat(planner, oneWaysToCome, () => {
    return { pickupDay: today + random.between(2, 20), isOneWay: true, accepts: isToCome };
  });
  planAroundToday(planner, company);
  repeat(planner, open, () => ({ pickupDay: today - drawRentalDays(random), accepts: isOut }));
  const activeCount = rentals.filter(({ status }) => isActiveBookingStatus(status)).length;
  repeat(planner, active - activeCount, () => ({ ...toCome(planner), accepts: isToCome }));
  repeat(planner, cancelledToCome, () => ({ ...toCome(planner), isCancelled: true }));
  planner.planOne(() => ({ returnDay: today - 1, isOverdue: true, accepts: isOut }));
  planner.planOne(() => ({ pickupDay: today - NO_SHOW_DAYS, isMissing: true, accepts: isToCome }));
  planPast(planner, company);
  return { rentals: withPending(rentals, pending, today), stock };
}

const isToCome = (status: BookingStatus) => status === "confirmed";
const isOut = (status: BookingStatus) => status === "in_progress";

function repeat(planner: RentalPlanner, count: number, draw: () => RentalRequestConstraints): void {
  for (let plannedCount = 0; plannedCount < count; plannedCount++) {
    if (!planner.planOne(draw))
      throw new Error(`the fleet is too small for the rentals asked of it (${plannedCount} of ${count} fit)`);
  }
}

function toCome({ random, today }: RentalPlanner): RentalRequestConstraints {
  const ahead = Math.floor(-Math.log(1 - random.nextFraction()) * MEAN_DAYS_AHEAD);
  return { pickupDay: today + Math.min(ahead, FURTHEST_DAYS) };
}

function planPast(planner: RentalPlanner, { volume: { historyDays, total, oneWaysToCome } }: DemoCompany): void {
  const { random, today } = planner;
  repeat(planner, total - planner.rentals.length, () => {
    const isCancelled = random.chance(habits.shares.cancelled);
    const isOneWay = oneWaysToCome > 0 && !isCancelled && random.chance(habits.shares.oneWay);
    const pickupDay = drawDay(random, today - historyDays, today - (isOneWay ? 1 + MAX_RENTAL_DAYS : 1));
    return { pickupDay, isCancelled, isOneWay, accepts: (status) => !isActiveBookingStatus(status) };
  });
}

// Ensures a waiting customer and a due return at any time of day, except on days when the branch is closed.
function planAroundToday(planner: RentalPlanner, { rows, volume }: DemoCompany): void {
  const { today } = planner;
  for (const day of [today - 1, today, today + 1]) {
    for (const { code } of rows.branches) {
      for (let index = 0; index < volume.around; index++) {
        const isLate = day === today && index < 2;
        const isComing = (status: BookingStatus) => !isLate || isToCome(status);
        const isDue = (status: BookingStatus) => (isLate || day > today ? isOut(status) : !isToCome(status));
        planner.planOne(() => ({ pickupDay: day, pickupBranch: code, isLate, accepts: isComing }));
        planner.planOne(() => ({ returnDay: day, returnBranch: code, isLate, accepts: isDue }));
      }
    }
  }
}

/** Keeps a vehicle of each category free for three weeks of next month, so that visitors can book one. */
function keepSomeFree({ stock }: RentalPlanner, today: CivilDate): void {
  const inNextMonth = toCivilDate(toDayNumber(`${today.slice(0, 8)}01` as CivilDate) + 31);
  const nextMonthStart = toDayNumber(`${inNextMonth.slice(0, 8)}01` as CivilDate);
  const window = { startsAt: (nextMonthStart + 3) * MINUTES_PER_DAY, endsAt: (nextMonthStart + 25) * MINUTES_PER_DAY };
  for (const pool of stock.pools.values()) {
    const vehicle = pool.find((vehicle) => stock.isFree(vehicle, window));
    if (vehicle) stock.keep(vehicle, window);
  }
}

// Makes some rentals unconfirmed, spread over those that start in three days or later.
function withPending(rentals: readonly PlannedRental[], count: number, today: number): PlannedRental[] {
  const ahead = rentals.filter(
    ({ status, span }) => status === "confirmed" && span.startsAt >= (today + 3) * MINUTES_PER_DAY,
  );
  const step = Math.max(1, Math.floor(ahead.length / Math.max(1, count)));
  const pending = new Set(ahead.filter((_, index) => index % step === 0).slice(0, count));
  return rentals.map((rental) => (pending.has(rental) ? { ...rental, status: "pending_confirmation" } : rental));
}

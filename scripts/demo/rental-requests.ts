import type { BookingStatus } from "#domain/bookings/bookings.ts";
import { isBranchOpenAt } from "#domain/bookings/rental-terms.ts";
import {
  fromCivilMinute,
  type TimeText,
  toCivilDate,
  toIsoWeekday,
  toMinutesSinceMidnight,
  toSpan,
} from "#domain/dates.ts";
import type { CompanyPlace } from "./company.ts";
import type { DemoCompany } from "./describe-company.ts";
import habits from "./habits.json" with { type: "json" };
import { getItemOrThrow, type Random } from "./random.ts";

/** A requested rental. One-way means returned to another branch group, from where it's brought back. */
export type DemoRentalRequest = NonNullable<ReturnType<typeof drawRentalRequest>>;

/** Fixed properties of a request and its outcome. Others are random. Days are day numbers. */
export interface RentalRequestConstraints {
  readonly pickupDay?: number;
  readonly returnDay?: number;
  readonly pickupBranch?: string;
  readonly returnBranch?: string;
  readonly isOneWay?: boolean;
  readonly accepts?: (status: BookingStatus) => boolean;
  readonly isCancelled?: boolean;
  /** Whether the customer or vehicle of today is late, so that it isn't yet delivered or collected. */
  readonly isLate?: boolean;
  /** Whether the vehicle is still out and was due yesterday. */
  readonly isOverdue?: boolean;
  /** Whether the customer didn't show up. */
  readonly isMissing?: boolean;
}

const HIGHEST_WEIGHT = 1.85;
const ANY_HOUR = { opens: "09:00", closes: "20:00" };
const SLOT_MINUTES = 30;

/** Returns a random day between two, with summer days more likely. */
export function drawDay(random: Random, firstDay: number, lastDay: number): number {
  const day = random.between(firstDay, lastDay);
  const month = Number(toCivilDate(day).slice(5, 7)) - 1;
  return random.chance((habits.sharesOfMonths[month] ?? 1) / HIGHEST_WEIGHT) ? day : drawDay(random, firstDay, lastDay);
}

/** Draws the length of a rental in days. */
export function drawRentalDays(random: Random): number {
  return Number(random.pickKey<string>(habits.lengthsInDays));
}

/** Creates a random rental request. Returns undefined if the branch is closed on the chosen day and can't be opened. */
export function drawRentalRequest(company: DemoCompany, random: Random, constraints: RentalRequestConstraints) {
  const isOneWay = constraints.isOneWay ?? false;
  const pickups = company.places.filter(({ branchCode }) => (constraints.pickupBranch ?? branchCode) === branchCode);
  const pickupPlace = random.pickWeighted(pickups.map((place) => [place, place.popularity]));
  const returns = company.places.filter(
    ({ id, branch }) =>
      pickupPlace.returnPlaceIds.has(id) &&
      (constraints.returnBranch ?? branch.code) === branch.code &&
      (branch.branchGroupId !== pickupPlace.branch.branchGroupId) === isOneWay,
  );
  if (returns.length === 0) return undefined;
  const isSame = returns.includes(pickupPlace) && !random.chance(habits.shares.otherReturn);
  const returnPlace = isSame ? pickupPlace : random.pick(returns);
  const days = drawRentalDays(random);
  const pickupDay = constraints.pickupDay ?? (constraints.returnDay ?? 0) - days;
  const returnDay = constraints.returnDay ?? pickupDay + days;
  const timeFrom = drawTime(company, random, pickupPlace, pickupDay);
  const timeTo = drawTime(company, random, returnPlace, returnDay);
  if (timeFrom === undefined || timeTo === undefined) return undefined;
  const period = { dateFrom: toCivilDate(pickupDay), timeFrom, dateTo: toCivilDate(returnDay), timeTo };
  return {
    period,
    span: toSpan(period),
    pickupPlace,
    returnPlace,
    isOneWay,
    categoryCode: drawCategoryCode(company, random),
  };
}

/** Returns a category code, popular ones more likely. */
export function drawCategoryCode({ rows: { categories } }: DemoCompany, random: Random): string {
  return random.pickWeighted(categories.map(({ code, popularity }) => [code, popularity]));
}

function drawTime(company: DemoCompany, random: Random, { branch }: CompanyPlace, day: number): TimeText | undefined {
  const isAnyTimeAllowed = company.settings.outOfHoursAllowed;
  if (isAnyTimeAllowed && random.chance(habits.shares.outOfHours)) return random.pick(habits.outOfHours) as TimeText;
  const date = toCivilDate(day);
  const weekday = toIsoWeekday(date);
  const hours = branch.openingHours.filter((openingHour) => openingHour.weekday === weekday);
  const { opens, closes } = hours.length > 0 ? getItemOrThrow(hours, random.between(0, hours.length - 1)) : ANY_HOUR;
  const first = toMinutesSinceMidnight(opens as TimeText);
  const slots = Math.floor((toMinutesSinceMidnight(closes as TimeText) - first) / SLOT_MINUTES);
  const { time } = fromCivilMinute(first + random.between(0, slots) * SLOT_MINUTES);
  return isAnyTimeAllowed || isBranchOpenAt(branch, date, time) ? time : undefined;
}

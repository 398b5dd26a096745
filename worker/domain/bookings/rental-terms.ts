import type { Branch, Catalogue, DriverAgeRule, Place, Settings } from "#domain/catalogue/catalogue.ts";
import {
  type CivilDate,
  type CivilMinute,
  countRentalDays,
  type Period,
  type Span,
  type TimeText,
  toCivilMinute,
  toIsoWeekday,
  toSpan,
} from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { findOneWayFee } from "./one-way-fee.ts";
import { cleanPromotionCode } from "./promotion-code.ts";
import type { BookingField, InvalidInput } from "./refusals.ts";

/** Rental request before products, shared by agencies, carts and the office. */
export interface RentalRequest {
  readonly period: Period;
  readonly pickupPlaceId: number;
  readonly returnPlaceId: number;
  readonly salesChannel?: string | undefined;
  /** Age of the driver in full years. */
  readonly driverAge?: number | undefined;
  /** Rule chosen by the customer instead of an age. */
  readonly driverAgeRuleId?: number | undefined;
  readonly promotionCode?: string | undefined;
}

/**
 * Rental request accepted by the account, with the surcharges for times, places and driver's age. Products and extras
 * are priced later.
 */
export interface AgreedRentalTerms {
  readonly period: Period;
  readonly span: Span;
  readonly days: number;
  /** Whether the rental is below the account's minimum length. Staff can agree to it if a manager gives a reason. */
  readonly isTooShort: boolean;
  readonly bookedOn: CivilDate;
  /** Time of booking, in civil minutes. */
  readonly bookedAt: CivilMinute;
  readonly keepsPickup: boolean;
  readonly pickupPlace: Place;
  readonly returnPlace: Place;
  readonly pickupBranch: Branch;
  readonly returnBranch: Branch;
  readonly salesChannel: string | undefined;
  readonly promotionCode: string | undefined;
  readonly driverAge: number | undefined;
  readonly driverAgeRule: DriverAgeRule | undefined;
  readonly timeFromCents: Cents;
  readonly timeToCents: Cents;
  readonly pickupPlaceCents: Cents;
  readonly returnPlaceCents: Cents;
  readonly driverAgeCents: Cents;
  readonly driverAgeDepositCents: Cents;
}

/** Time of the request on the account's clock. */
export interface CivilNow {
  readonly date: CivilDate;
  readonly time: TimeText;
}

/** Client type and previously agreed data of a rental. */
export interface RentalTermsOptions {
  /** Whether the client is staff. Staff can use non-public places and hours. */
  readonly isStaff: boolean;
  /** Whether the previously agreed pickup stays. It can be in the past. */
  readonly keepsPickup: boolean;
  /** Sales channel of the requesting agency or website. The request may name other public channels. */
  readonly ownChannel?: string | undefined;
  /** Whether vehicles must return to their pickup branch. Set for websites of accounts with that rule. */
  readonly isOneBranch?: boolean;
  /** Previously agreed data. Unchanged parts aren't checked again, even if the catalogue changed. */
  readonly agreed?: PreviousAgreement | undefined;
}

/** Period, places and driver's age as agreed before a change, which can leave any of them unchanged. */
export interface PreviousAgreement {
  readonly period: Period;
  readonly days: number;
  readonly pickupPlaceId: number | undefined;
  readonly returnPlaceId: number | undefined;
  readonly driverAge: number | undefined;
  readonly driverAgeRuleId: number | undefined;
}

const WITH_THE_PUBLIC: RentalTermsOptions = { isStaff: false, keepsPickup: false };

/** Checks a request against the account's places, hours and rules, and prices the parts that depend only on these. */
export function resolveRentalTerms(
  catalogue: Catalogue,
  request: RentalRequest,
  now: CivilNow,
  agreement: RentalTermsOptions = WITH_THE_PUBLIC,
): Result<AgreedRentalTerms, InvalidInput> {
  const { settings } = catalogue;
  const { period } = request;
  const { agreed } = agreement;
  const keepsPeriod = agreed !== undefined && isSamePeriod(agreed.period, period);
  const days = keepsPeriod ? agreed.days : countRentalDays(period, settings.graceMinutes);
  const span = toSpan(period);
  const from = agreement.keepsPickup ? Number.NEGATIVE_INFINITY : toCivilMinute(now.date, now.time);
  const wrongPeriod = keepsPeriod ? undefined : findWrongPeriod(settings, span, days, from);
  if (wrongPeriod) return err(wrongPeriod);
  const isTooShort = !keepsPeriod && days < settings.minimumDays;
  if (isTooShort && !agreement.isStaff) return err(createRentalTooShortError(settings));

  const places = agreePlaces(catalogue, request, agreement);
  if (!places.ok) return places;
  const hours = agreeHours(settings, places.value, period, agreement);
  if (!hours.ok) return hours;
  const driver = agreeDriver(catalogue, request, days, agreed);
  if (!driver.ok) return driver;
  const channel = agreeSalesChannel(catalogue, request.salesChannel, agreement);
  if (!channel.ok) return channel;

  return ok({
    period,
    span,
    days,
    isTooShort,
    bookedOn: now.date,
    bookedAt: toCivilMinute(now.date, now.time),
    keepsPickup: agreement.keepsPickup,
    ...places.value,
    ...hours.value,
    ...driver.value,
    salesChannel: channel.value,
    promotionCode: normalizePromotionCode(request),
    pickupPlaceCents: places.value.pickupPlace.priceCents,
    returnPlaceCents: returnCost(catalogue, places.value),
  });
}

const normalizePromotionCode = ({ promotionCode }: RentalRequest) => promotionCode && cleanPromotionCode(promotionCode);

// The return place's own price plus the one-way fee.
function returnCost(catalogue: Catalogue, { pickupPlace, pickupBranch, returnPlace, returnBranch }: Places): Cents {
  const pickup = { place: pickupPlace, branch: pickupBranch };
  return returnPlace.priceCents + findOneWayFee(catalogue, pickup, { place: returnPlace, branch: returnBranch });
}

function invalid(field: BookingField, reason: Reason): InvalidInput {
  return { kind: "invalid", field, reason };
}

function isSamePeriod(period: Period, other: Period): boolean {
  return (
    period.dateFrom === other.dateFrom &&
    period.timeFrom === other.timeFrom &&
    period.dateTo === other.dateTo &&
    period.timeTo === other.timeTo
  );
}

function findWrongPeriod(settings: Settings, span: Span, days: number, now: CivilMinute): InvalidInput | undefined {
  if (span.endsAt <= span.startsAt) return invalid("dateTo", createReason("return_not_after_pickup"));
  if (span.startsAt < now) return invalid("dateFrom", createReason("pickup_in_past"));
  if (days > settings.maximumDays) return invalid("dateTo", createReason("maximum_days", settings.maximumDays));
  return undefined;
}

/** Returns the error for a rental below the account's minimum length. */
export function createRentalTooShortError({ minimumDays }: Pick<Settings, "minimumDays">): InvalidInput {
  return invalid("dateTo", createReason("minimum_days", minimumDays));
}

type Places = Pick<AgreedRentalTerms, "pickupPlace" | "returnPlace" | "pickupBranch" | "returnBranch">;

function agreePlaces(
  catalogue: Catalogue,
  request: RentalRequest,
  { isStaff, agreed, isOneBranch = false }: RentalTermsOptions,
): Result<Places, InvalidInput> {
  const keepsPickup = agreed?.pickupPlaceId === request.pickupPlaceId;
  const keepsReturn = agreed?.returnPlaceId === request.returnPlaceId;
  const isFor = ({ webPublic }: Place, isOffered: boolean) => isOffered && (webPublic || isStaff);
  const pickupPlace = catalogue.places.get(request.pickupPlaceId);
  if (!pickupPlace || !(keepsPickup || isFor(pickupPlace, pickupPlace.isPickup)))
    return err(invalid("pickupPlace", createReason("no_pickup_place", request.pickupPlaceId)));
  const returnPlace = catalogue.places.get(request.returnPlaceId);
  if (!returnPlace || !(keepsReturn || isFor(returnPlace, returnPlace.isReturn)))
    return err(invalid("returnPlace", createReason("no_return_place", request.returnPlaceId)));
  if (!(keepsPickup && keepsReturn) && !canReturnAtPlace(pickupPlace, returnPlace, isOneBranch)) {
    return err(invalid("returnPlace", createReason("not_a_return_place", returnPlace.id, pickupPlace.id)));
  }
  return ok({
    pickupPlace,
    returnPlace,
    pickupBranch: getBranch(catalogue, pickupPlace),
    returnBranch: getBranch(catalogue, returnPlace),
  });
}

/**
 * Returns the default pickup place for visitors. With a branch it's the branch's first place, otherwise the account's
 * only place.
 */
export function findDefaultPickupPlace({ places }: Pick<Catalogue, "places">, branchCode?: string): Place | undefined {
  const offered = [...places.values()].filter((place) => place.isPickup && place.webPublic);
  if (branchCode !== undefined && offered.length > 1) return offered.find((place) => place.branchCode === branchCode);
  return offered.length === 1 ? offered[0] : undefined;
}

function getBranch(catalogue: Catalogue, place: Place): Branch {
  const branch = catalogue.branches.get(place.branchCode);
  if (!branch) throw new Error(`place ${place.id} names the missing branch ${place.branchCode}`);
  return branch;
}

/**
 * Whether a vehicle picked up at one place can be returned at the other. Limited to the pickup branch if `isOneBranch`.
 */
export function canReturnAtPlace(pickup: Place, returned: Place, isOneBranch = false): boolean {
  const isOffered = pickup.returnPlaceIds.size === 0 || pickup.returnPlaceIds.has(returned.id);
  return returned.isReturn && isOffered && (!isOneBranch || pickup.branchCode === returned.branchCode);
}

type Hours = Pick<AgreedRentalTerms, "timeFromCents" | "timeToCents">;

function agreeHours(
  settings: Settings,
  places: Places,
  period: Period,
  agreement: RentalTermsOptions,
): Result<Hours, InvalidInput> {
  const pickupOpen = isBranchOpenAt(places.pickupBranch, period.dateFrom, period.timeFrom);
  const returnOpen = isBranchOpenAt(places.returnBranch, period.dateTo, period.timeTo);
  const closed = agreement.isStaff
    ? undefined
    : findClosed(settings, places, period, { ...agreement, pickupOpen, returnOpen });
  if (closed) return err(closed);
  return ok({
    timeFromCents: pickupOpen ? 0 : settings.outOfHoursPickupCents,
    timeToCents: returnOpen ? 0 : settings.outOfHoursReturnCents,
  });
}

// A previously agreed hour at a place stays valid.
function findClosed(
  { outOfHoursAllowed }: Settings,
  { pickupPlace, pickupBranch, returnPlace }: Places,
  period: Period,
  { agreed, keepsPickup, pickupOpen, returnOpen }: RentalTermsOptions & { pickupOpen: boolean; returnOpen: boolean },
): InvalidInput | undefined {
  if (!(keepsPickup && agreed?.pickupPlaceId === pickupPlace.id)) {
    if (!outOfHoursAllowed && !pickupOpen) return invalid("timeFrom", createReason("closed_at_pickup"));
    if (isBranchClosedOn(pickupBranch, period.dateFrom))
      return invalid("dateFrom", createReason("closed_on", period.dateFrom));
  }
  const keepsReturnTime = agreed?.period.dateTo === period.dateTo && agreed.period.timeTo === period.timeTo;
  const isReturnNew = !keepsReturnTime || agreed?.returnPlaceId !== returnPlace.id;
  return !outOfHoursAllowed && !returnOpen && isReturnNew
    ? invalid("timeTo", createReason("closed_at_return"))
    : undefined;
}

/** Whether a branch delivers nothing on a day, because it's closed and does no out-of-hours work. */
export function isBranchClosedOn({ closedDates, workedDates, specialHours }: Branch, date: CivilDate): boolean {
  if (closedDates.has(date)) return !workedDates?.has(date);
  return specialHours?.get(date)?.length === 0;
}

/** Whether a branch is open at a time of a day. */
export function isBranchOpenAt(branch: Branch, date: CivilDate, time: TimeText): boolean {
  if (branch.closedDates.has(date)) return false;
  const special = branch.specialHours?.get(date);
  if (special) return special.some(({ opens, closes }) => opens <= time && time <= closes);
  if (branch.openingHours.length === 0) return true;
  const weekday = toIsoWeekday(date);
  return branch.openingHours.some((hours) => hours.weekday === weekday && hours.opens <= time && time <= hours.closes);
}

type Driver = Pick<AgreedRentalTerms, "driverAge" | "driverAgeRule" | "driverAgeCents" | "driverAgeDepositCents">;

function agreeDriver(
  catalogue: Catalogue,
  { driverAge: age, driverAgeRuleId }: RentalRequest,
  days: number,
  agreed: PreviousAgreement | undefined,
): Result<Driver, InvalidInput> {
  const isAgreed = agreed !== undefined && agreed.driverAge === age;
  const ruleId = isAgreed ? agreed.driverAgeRuleId : driverAgeRuleId;
  const rule = catalogue.driverAgeRules.find((driverAgeRule) =>
    ruleId === undefined && !isAgreed
      ? age !== undefined && driverAgeRule.ageFrom <= age && age <= driverAgeRule.ageTo
      : driverAgeRule.id === ruleId,
  );
  if (ruleId !== undefined && !rule) return err(invalid("driverAge", createReason("no_driver_rule", ruleId)));
  if (rule && !rule.allowed && !isAgreed)
    return err({
      ...invalid("driverAge", createReason("driver_age", rule.description)),
      inLanguages: rule.descriptions,
    });
  return ok({
    driverAge: age,
    driverAgeRule: rule,
    driverAgeCents: rule ? rule.costCents * (rule.costPer === "day" ? days : 1) : 0,
    driverAgeDepositCents: rule?.depositCents ?? 0,
  });
}

// Checks the channel only if the account has several (docs/interfaces/rules.md#sales-channels). Otherwise an unknown
// channel from a client is ignored.
function agreeSalesChannel(
  { salesChannels, publicChannels }: Catalogue,
  channel: string | undefined,
  { isStaff, ownChannel }: RentalTermsOptions,
): Result<string | undefined, InvalidInput> {
  if (channel === undefined || channel === ownChannel) return ok(channel);
  if (!salesChannels.has(channel) && salesChannels.size < 2) return ok(undefined);
  if (!salesChannels.has(channel)) return err(invalid("salesChannel", createReason("no_sales_channel", channel)));
  return isStaff || publicChannels.has(channel)
    ? ok(channel)
    : err(invalid("salesChannel", createReason("sales_channel_closed", channel)));
}

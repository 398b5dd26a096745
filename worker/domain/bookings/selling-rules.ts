import type { Catalogue, Category, SellingRule } from "#domain/catalogue/catalogue.ts";
import { findSeason } from "#domain/catalogue/seasons.ts";
import { type CivilDate, toDayNumber, toWeekday } from "#domain/dates.ts";
import type { Field, InvalidInput } from "./refusals.ts";
import { isOpen, type RentalTerms, tooShort } from "./rental-terms.ts";

const MINUTES_PER_DAY = 1440;

/** A rule of the account that a rental breaks, in words; of some staff are told only (`isToldOnly`). */
export interface BrokenRule extends InvalidInput {
  readonly isToldOnly: boolean;
}

/**
 * The selling rules that a rental of a category breaks (docs/interfaces/rules.md#selling-rules): of those that hold for
 * it, the most particular one that says something counts.
 */
export function listBrokenRules(
  { sellingRules, seasonPeriods, settings }: Catalogue,
  terms: RentalTerms,
  category: Pick<Category, "code">,
): readonly BrokenRule[] {
  const { rules, firstOf } = rulesFor(sellingRules, {
    categoryCode: category.code,
    branchCode: terms.pickupBranch.code,
    seasonId: findSeason(seasonPeriods, terms.period.dateFrom),
    salesChannel: terms.salesChannel,
  });
  return [
    ...brokenTimes(terms, getSellingWindow(settings, firstOf)),
    ...brokenLengths(terms, firstOf("minimumDays"), firstOf("maximumDays")),
    ...brokenDays(terms, firstOf),
    ...brokenSales(terms, rules, category.code),
  ];
}

/** The rule that staff go past only with a reason, where none is given. */
export function findForbidden(
  broken: readonly BrokenRule[],
  { ruleReason }: { readonly ruleReason?: string | undefined },
): BrokenRule | undefined {
  return ruleReason === undefined ? broken.find(({ isToldOnly }) => !isToldOnly) : undefined;
}

/** Whether a rule is broken that only somebody with the right to manage goes past. */
export function needsManager(broken: readonly BrokenRule[]): boolean {
  return broken.some(({ isToldOnly }) => !isToldOnly);
}

/**
 * The rules that a rental of several categories breaks, each once; for staff, who may be told, closed hours as well.
 */
export function listRulesForStaff(
  catalogue: Catalogue,
  terms: RentalTerms,
  categories: readonly Pick<Category, "code">[],
): readonly BrokenRule[] {
  const { period, pickupBranch, returnBranch } = terms;
  const rules = [
    ...(terms.isTooShort ? [{ ...tooShort(catalogue.settings), isToldOnly: false }] : []),
    ...categories.flatMap((category) => listBrokenRules(catalogue, terms, category)),
    ...(isOpen(pickupBranch, period.dateFrom, period.timeFrom)
      ? []
      : [broken("timeFrom", "the branch is closed at the pickup time", true)]),
    ...(isOpen(returnBranch, period.dateTo, period.timeTo)
      ? []
      : [broken("timeTo", "the branch is closed at the return time", true)]),
  ];
  return [...new Map(rules.map((rule) => [rule.reason, rule])).values()];
}

/** A day on which a vehicle is to be handed over or taken back at a branch, of one category or of any. */
export interface CalendarDay {
  readonly action: "deliveries" | "collections";
  readonly branchCode: string;
  readonly date: CivilDate;
  readonly categoryCode?: string | undefined;
}

/**
 * Whether the selling rules for everybody leave a day open: to any public category, where none is named. A calendar
 * cannot know the season of a return's pickup, so rules of seasons close no returns.
 */
export function isDayOnSale({ sellingRules, seasonPeriods, categories }: Catalogue, day: CalendarDay): boolean {
  if (sellingRules.length === 0) return true;
  const { action, branchCode, date, categoryCode } = day;
  const isDelivery = action === "deliveries";
  const seasonId = isDelivery ? findSeason(seasonPeriods, date) : undefined;
  const isOpenTo = (code: string) => {
    const { rules, firstOf } = rulesFor(sellingRules, { categoryCode: code, branchCode, seasonId });
    const weekdays = firstOf(isDelivery ? "noPickupWeekdays" : "noReturnWeekdays");
    const dates = firstOf(isDelivery ? "noPickupDates" : "noReturnDates");
    const isExcluded = weekdays?.includes(toWeekday(date)) || dates?.includes(date);
    return !isExcluded && findStopSale(rules, { dateFrom: date, dateTo: date }) === undefined;
  };
  if (categoryCode !== undefined) return isOpenTo(categoryCode);
  return [...categories.values()].some(({ code, webPublic }) => webPublic && isOpenTo(code));
}

/** How long before a pickup a rental is booked, in civil minutes: no later than the one, no earlier than the other. */
export interface BookingWindow {
  readonly notice: number;
  readonly horizon: number;
}

/**
 * The widest window in which pickups at a branch on a day are sold: of one category or of any public one, to everybody
 * or by any sales channel, for a calendar does not know by which one it is asked.
 */
export function bookingWindowOn(
  { sellingRules, seasonPeriods, categories, settings }: Catalogue,
  { branchCode, date, categoryCode }: Omit<CalendarDay, "action">,
): BookingWindow {
  if (sellingRules.length === 0) return getSellingWindow(settings, () => undefined);
  const requestedCategories = [...categories.values()].filter(({ code, webPublic }) =>
    categoryCode === undefined ? webPublic : code === categoryCode,
  );
  const channels = new Set([undefined, ...sellingRules.map(({ salesChannel }) => salesChannel)]);
  const seasonId = findSeason(seasonPeriods, date);
  const windows = requestedCategories.flatMap(({ code }) =>
    [...channels].map((salesChannel) =>
      getSellingWindow(
        settings,
        rulesFor(sellingRules, { categoryCode: code, branchCode, seasonId, salesChannel }).firstOf,
      ),
    ),
  );
  return {
    notice: Math.min(...windows.map(({ notice }) => notice)),
    horizon: Math.max(...windows.map(({ horizon }) => horizon)),
  };
}

/** How many days a rental is sold for. */
export interface RentalLengths {
  readonly minimumDays: number;
  readonly maximumDays: number;
}

/**
 * The shortest and the longest rental of a category that begins at a branch on a day; for everybody, or by a sales
 * channel.
 */
export function lengthsOnSale(
  { sellingRules, seasonPeriods, settings }: Catalogue,
  sale: Pick<Sale, "categoryCode" | "branchCode" | "salesChannel"> & { readonly date: CivilDate },
): RentalLengths {
  const { firstOf } = rulesFor(sellingRules, { ...sale, seasonId: findSeason(seasonPeriods, sale.date) });
  return {
    minimumDays: Math.max(settings.minimumDays, firstOf("minimumDays") ?? 1),
    maximumDays: Math.min(settings.maximumDays, firstOf("maximumDays") ?? settings.maximumDays),
  };
}

/** What rules are for: of those that hold for it, the most particular first. */
interface Sale {
  readonly categoryCode: string;
  readonly branchCode: string;
  readonly seasonId: number | undefined;
  readonly salesChannel?: string | undefined;
}

function rulesFor(sellingRules: readonly SellingRule[], sale: Sale) {
  const rules = sellingRules
    .filter((rule) => holdsFor(rule, sale))
    .sort((sellingRule, other) => getRuleWeight(other) - getRuleWeight(sellingRule));
  const findFirstValue = <Name extends keyof SellingRule>(name: Name) =>
    rules.find((rule) => rule[name] !== undefined)?.[name];
  return { rules, firstOf: findFirstValue };
}

function getSellingWindow(
  settings: Pick<Catalogue["settings"], "minimumNoticeMinutes" | "horizonDays">,
  findFirstValue: (name: "minimumNoticeMinutes" | "horizonDays") => number | undefined,
): BookingWindow {
  return {
    notice: findFirstValue("minimumNoticeMinutes") ?? settings.minimumNoticeMinutes,
    horizon: (findFirstValue("horizonDays") ?? settings.horizonDays) * MINUTES_PER_DAY,
  };
}

function holdsFor(rule: SellingRule, { categoryCode, branchCode, seasonId, salesChannel }: Sale): boolean {
  return (
    (rule.categoryCode ?? categoryCode) === categoryCode &&
    (rule.branchCode ?? branchCode) === branchCode &&
    (rule.seasonId === undefined || rule.seasonId === seasonId) &&
    (rule.salesChannel === undefined || rule.salesChannel === salesChannel)
  );
}

/** Civil minutes ahead, some ten years: staff may go past an account's horizon, and nobody past this one. */
const FARTHEST = 3653 * MINUTES_PER_DAY;

// The category before the branch before the season before the channel.
function getRuleWeight({ categoryCode, branchCode, seasonId, salesChannel }: SellingRule): number {
  const isSet = [salesChannel, seasonId, branchCode, categoryCode].map((value) => value !== undefined);
  return isSet.reduce((weight, set, index) => weight + (set ? 2 ** index : 0), 0);
}

function broken(field: Field, reason: string, isAdvisory = false): BrokenRule {
  return { kind: "invalid", field, reason, isToldOnly: isAdvisory };
}

function brokenTimes(
  { span, bookedAt, keepsPickup }: RentalTerms,
  { notice, horizon }: BookingWindow,
): readonly BrokenRule[] {
  if (keepsPickup) return [];
  const ahead = span.startsAt - bookedAt;
  return [
    ...(ahead < notice ? [broken("dateFrom", `is booked at least ${notice} minutes before the pickup`, true)] : []),
    ...(ahead > horizon
      ? [broken("dateFrom", `is booked at most ${horizon / MINUTES_PER_DAY} days before the pickup`, ahead <= FARTHEST)]
      : []),
  ];
}

function brokenLengths({ days }: RentalTerms, minimum = 1, maximum = days): readonly BrokenRule[] {
  return [
    ...(days < minimum ? [broken("dateTo", `the shortest rental is ${minimum} days`)] : []),
    ...(days > maximum ? [broken("dateTo", `the longest rental is ${maximum} days`)] : []),
  ];
}

type DayLimits = (
  name: "noPickupWeekdays" | "noReturnWeekdays" | "noPickupDates" | "noReturnDates",
) => readonly (number | string)[] | undefined;

function brokenDays({ period }: RentalTerms, getDayLimits: DayLimits): readonly BrokenRule[] {
  const isExcluded = (date: RentalTerms["period"]["dateFrom"], weekdays: keyof SellingRule, dates: keyof SellingRule) =>
    getDayLimits(weekdays as "noPickupWeekdays")?.includes(toWeekday(date)) ||
    getDayLimits(dates as "noPickupDates")?.includes(date);
  return [
    ...(isExcluded(period.dateFrom, "noPickupWeekdays", "noPickupDates")
      ? [broken("dateFrom", `there are no pickups on ${period.dateFrom}`)]
      : []),
    ...(isExcluded(period.dateTo, "noReturnWeekdays", "noReturnDates")
      ? [broken("dateTo", `there are no returns on ${period.dateTo}`)]
      : []),
  ];
}

// Stop-sales add up: no rule opens what another has closed.
function brokenSales({ period }: RentalTerms, rules: readonly SellingRule[], code: string): readonly BrokenRule[] {
  const stop = findStopSale(rules, period);
  return stop ? [broken("dateFrom", `product ${code} is not sold from ${stop.from} to ${stop.to}`)] : [];
}

function findStopSale(
  rules: readonly SellingRule[],
  { dateFrom, dateTo }: Pick<RentalTerms["period"], "dateFrom" | "dateTo">,
): SellingRule["stopSale"] {
  return rules.find(
    ({ stopSale }) =>
      stopSale &&
      toDayNumber(dateFrom) <= toDayNumber(stopSale.to) &&
      toDayNumber(stopSale.from) <= toDayNumber(dateTo),
  )?.stopSale;
}

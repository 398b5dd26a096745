import type { Catalogue, Category, SellingRule } from "#domain/catalogue/catalogue.ts";
import { findSeasonId } from "#domain/catalogue/seasons.ts";
import { type CivilDate, toDayNumber, toIsoWeekday } from "#domain/dates.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import type { BookingField, InvalidInput } from "./refusals.ts";
import { type AgreedRentalTerms, createRentalTooShortError, isBranchOpenAt } from "./rental-terms.ts";

const MINUTES_PER_DAY = 1440;

/** Selling rule of the account that a rental breaks. Some rules only warn staff and forbid nothing. */
export interface BrokenSellingRule extends InvalidInput {
  readonly isWarningOnly: boolean;
}

/**
 * Lists the selling rules that a rental of a category breaks (docs/interfaces/rules.md#selling-rules). For each
 * setting, the most specific matching rule that sets it applies.
 */
export function listBrokenSellingRules(
  { sellingRules, seasonPeriods, settings }: Catalogue,
  terms: AgreedRentalTerms,
  category: Pick<Category, "code">,
): readonly BrokenSellingRule[] {
  const { rules, firstOf } = findMatchingRules(sellingRules, {
    categoryCode: category.code,
    branchCode: terms.pickupBranch.code,
    seasonId: findSeasonId(seasonPeriods, terms.period.dateFrom),
    salesChannel: terms.salesChannel,
  });
  return [
    ...listBrokenTimes(terms, getSellingWindow(settings, firstOf)),
    ...listBrokenLengths(terms, firstOf("minimumDays"), firstOf("maximumDays")),
    ...listBrokenDays(terms, firstOf),
    ...listBrokenSales(terms, rules, category.code),
  ];
}

/** Returns the broken rule for which staff must give a reason, if they haven't. */
export function findBrokenRuleWithoutReason(
  brokenRules: readonly BrokenSellingRule[],
  { ruleReason }: { readonly ruleReason?: string | undefined },
): BrokenSellingRule | undefined {
  return ruleReason === undefined ? brokenRules.find(({ isWarningOnly }) => !isWarningOnly) : undefined;
}

/** Whether a broken rule can be overridden only by users with the `manage` right. */
export function needsManagerOverride(brokenRules: readonly BrokenSellingRule[]): boolean {
  return brokenRules.some(({ isWarningOnly }) => !isWarningOnly);
}

/**
 * Lists the rules that a rental of several categories breaks, each once. Includes closed hours, which staff are warned
 * of.
 */
export function listBrokenSellingRulesForStaff(
  catalogue: Catalogue,
  terms: AgreedRentalTerms,
  categories: readonly Pick<Category, "code">[],
): readonly BrokenSellingRule[] {
  const { period, pickupBranch, returnBranch } = terms;
  const rules = [
    ...(terms.isTooShort ? [{ ...createRentalTooShortError(catalogue.settings), isWarningOnly: false }] : []),
    ...categories.flatMap((category) => listBrokenSellingRules(catalogue, terms, category)),
    ...(isBranchOpenAt(pickupBranch, period.dateFrom, period.timeFrom)
      ? []
      : [broken("timeFrom", createReason("closed_at_pickup"), true)]),
    ...(isBranchOpenAt(returnBranch, period.dateTo, period.timeTo)
      ? []
      : [broken("timeTo", createReason("closed_at_return"), true)]),
  ];
  return [...new Map(rules.map((rule) => [rule.reason, rule])).values()];
}

/** Day of a vehicle's delivery or collection at a branch, for one category or any. */
export interface CalendarDay {
  readonly action: "deliveries" | "collections";
  readonly branchCode: string;
  readonly date: CivilDate;
  readonly categoryCode?: string | undefined;
}

/**
 * Whether the selling rules for all channels allow a day. Without a category, one allowed public category is enough.
 * The season of a return's pickup is unknown to a calendar, so season rules close no return days.
 */
export function isDayAllowedBySellingRules(
  { sellingRules, seasonPeriods, categories }: Catalogue,
  day: CalendarDay,
): boolean {
  if (sellingRules.length === 0) return true;
  const { action, branchCode, date, categoryCode } = day;
  const isDelivery = action === "deliveries";
  const seasonId = isDelivery ? findSeasonId(seasonPeriods, date) : undefined;
  const isOpenTo = (code: string) => {
    const { rules, firstOf } = findMatchingRules(sellingRules, { categoryCode: code, branchCode, seasonId });
    const weekdays = firstOf(isDelivery ? "noPickupWeekdays" : "noReturnWeekdays");
    const dates = firstOf(isDelivery ? "noPickupDates" : "noReturnDates");
    const isExcluded = weekdays?.includes(toIsoWeekday(date)) || dates?.includes(date);
    return !isExcluded && findStopSale(rules, { dateFrom: date, dateTo: date }) === undefined;
  };
  if (categoryCode !== undefined) return isOpenTo(categoryCode);
  return [...categories.values()].some(({ code, webPublic }) => webPublic && isOpenTo(code));
}

/** Civil minutes between booking and pickup: minimum notice and maximum horizon. */
export interface BookingWindow {
  readonly noticeMinutes: number;
  readonly horizonMinutes: number;
}

/**
 * Returns the widest window in which pickups at a branch on a day are sold. Covers one category or any public one, and
 * any sales channel, because a calendar doesn't know the channel.
 */
export function getBookingWindow(
  { sellingRules, seasonPeriods, categories, settings }: Catalogue,
  { branchCode, date, categoryCode }: Omit<CalendarDay, "action">,
): BookingWindow {
  if (sellingRules.length === 0) return getSellingWindow(settings, () => undefined);
  const requestedCategories = [...categories.values()].filter(({ code, webPublic }) =>
    categoryCode === undefined ? webPublic : code === categoryCode,
  );
  const channels = new Set([undefined, ...sellingRules.map(({ salesChannel }) => salesChannel)]);
  const seasonId = findSeasonId(seasonPeriods, date);
  const windows = requestedCategories.flatMap(({ code }) =>
    [...channels].map((salesChannel) =>
      getSellingWindow(
        settings,
        findMatchingRules(sellingRules, { categoryCode: code, branchCode, seasonId, salesChannel }).firstOf,
      ),
    ),
  );
  return {
    noticeMinutes: Math.min(...windows.map(({ noticeMinutes }) => noticeMinutes)),
    horizonMinutes: Math.max(...windows.map(({ horizonMinutes }) => horizonMinutes)),
  };
}

/** Minimum and maximum length of a rental, in days. */
export interface RentalLengthLimits {
  readonly minimumDays: number;
  readonly maximumDays: number;
}

/**
 * Returns the minimum and maximum length of a category's rental that starts at a branch on a day. Applies to one sales
 * channel or to all.
 */
export function getRentalLengthLimits(
  { sellingRules, seasonPeriods, settings }: Catalogue,
  sale: Pick<SaleProperties, "categoryCode" | "branchCode" | "salesChannel"> & { readonly date: CivilDate },
): RentalLengthLimits {
  const { firstOf } = findMatchingRules(sellingRules, { ...sale, seasonId: findSeasonId(seasonPeriods, sale.date) });
  return {
    minimumDays: Math.max(settings.minimumDays, firstOf("minimumDays") ?? 1),
    maximumDays: Math.min(settings.maximumDays, firstOf("maximumDays") ?? settings.maximumDays),
  };
}

/** Properties of a sale that decide which selling rules apply. */
interface SaleProperties {
  readonly categoryCode: string;
  readonly branchCode: string;
  readonly seasonId: number | undefined;
  readonly salesChannel?: string | undefined;
}

// Sorts the rules that apply, the most specific first.
function findMatchingRules(sellingRules: readonly SellingRule[], sale: SaleProperties) {
  const rules = sellingRules
    .filter((rule) => appliesTo(rule, sale))
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
    noticeMinutes: findFirstValue("minimumNoticeMinutes") ?? settings.minimumNoticeMinutes,
    horizonMinutes: (findFirstValue("horizonDays") ?? settings.horizonDays) * MINUTES_PER_DAY,
  };
}

function appliesTo(rule: SellingRule, { categoryCode, branchCode, seasonId, salesChannel }: SaleProperties): boolean {
  return (
    (rule.categoryCode ?? categoryCode) === categoryCode &&
    (rule.branchCode ?? branchCode) === branchCode &&
    (rule.seasonId === undefined || rule.seasonId === seasonId) &&
    (rule.salesChannel === undefined || rule.salesChannel === salesChannel)
  );
}

/** Civil minutes ahead, about ten years. Staff can exceed the account's horizon, but not this limit. */
const FARTHEST = 3653 * MINUTES_PER_DAY;

// Category outweighs branch, branch outweighs season, season outweighs channel.
function getRuleWeight({ categoryCode, branchCode, seasonId, salesChannel }: SellingRule): number {
  const isSet = [salesChannel, seasonId, branchCode, categoryCode].map((value) => value !== undefined);
  return isSet.reduce((weight, set, index) => weight + (set ? 2 ** index : 0), 0);
}

function broken(field: BookingField, reason: Reason, isAdvisory = false): BrokenSellingRule {
  return { kind: "invalid", field, reason, isWarningOnly: isAdvisory };
}

function listBrokenTimes(
  { span, bookedAt, keepsPickup }: AgreedRentalTerms,
  { noticeMinutes, horizonMinutes }: BookingWindow,
): readonly BrokenSellingRule[] {
  if (keepsPickup) return [];
  const ahead = span.startsAt - bookedAt;
  return [
    ...(ahead < noticeMinutes ? [broken("dateFrom", createReason("minimum_notice", noticeMinutes), true)] : []),
    ...(ahead > horizonMinutes
      ? [broken("dateFrom", createReason("booking_horizon", horizonMinutes / MINUTES_PER_DAY), ahead <= FARTHEST)]
      : []),
  ];
}

function listBrokenLengths({ days }: AgreedRentalTerms, minimum = 1, maximum = days): readonly BrokenSellingRule[] {
  return [
    ...(days < minimum ? [broken("dateTo", createReason("minimum_days", minimum))] : []),
    ...(days > maximum ? [broken("dateTo", createReason("maximum_days", maximum))] : []),
  ];
}

type DayLimits = (
  name: "noPickupWeekdays" | "noReturnWeekdays" | "noPickupDates" | "noReturnDates",
) => readonly (number | string)[] | undefined;

function listBrokenDays({ period }: AgreedRentalTerms, getDayLimits: DayLimits): readonly BrokenSellingRule[] {
  const isExcluded = (
    date: AgreedRentalTerms["period"]["dateFrom"],
    weekdays: keyof SellingRule,
    dates: keyof SellingRule,
  ) =>
    getDayLimits(weekdays as "noPickupWeekdays")?.includes(toIsoWeekday(date)) ||
    getDayLimits(dates as "noPickupDates")?.includes(date);
  return [
    ...(isExcluded(period.dateFrom, "noPickupWeekdays", "noPickupDates")
      ? [broken("dateFrom", createReason("no_pickups_on", period.dateFrom))]
      : []),
    ...(isExcluded(period.dateTo, "noReturnWeekdays", "noReturnDates")
      ? [broken("dateTo", createReason("no_returns_on", period.dateTo))]
      : []),
  ];
}

// Stop-sales add up. A rule can't reopen a period that another rule closed.
function listBrokenSales(
  { period }: AgreedRentalTerms,
  rules: readonly SellingRule[],
  code: string,
): readonly BrokenSellingRule[] {
  const stop = findStopSale(rules, period);
  return stop ? [broken("dateFrom", createReason("stop_sale", code, stop.from, stop.to))] : [];
}

function findStopSale(
  rules: readonly SellingRule[],
  { dateFrom, dateTo }: Pick<AgreedRentalTerms["period"], "dateFrom" | "dateTo">,
): SellingRule["stopSale"] {
  return rules.find(
    ({ stopSale }) =>
      stopSale &&
      toDayNumber(dateFrom) <= toDayNumber(stopSale.to) &&
      toDayNumber(stopSale.from) <= toDayNumber(dateTo),
  )?.stopSale;
}

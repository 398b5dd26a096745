import { isIpNetwork } from "#domain/access/networks.ts";
import { isIban } from "#domain/catalogue/iban.ts";
import { isLanguageCode, PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { isFormattedTaxRate, parseTaxRateCode } from "#domain/catalogue/tax-rate-codes.ts";
import { createProblem, type Problem, type ProblemCode } from "#domain/problems.ts";
import type { FieldValue, ResourceValues } from "./fields.ts";
import type { ResourceCheckContext } from "./resource.ts";

/** Checks that both periods of a discount start before they end, if set, and that its value is positive. */
export function checkDiscountFields(values: ResourceValues): readonly Problem[] {
  return [
    ...inOrder(values, "date_from", "date_to"),
    ...inOrder(values, "rental_date_from", "rental_date_to"),
    ...positive(values, "value"),
  ];
}

/** Checks that a branch closes after it opens, and that its hours of a day don't overlap. */
export function checkOpeningHours(values: ResourceValues, { id, catalogue }: ResourceCheckContext): readonly Problem[] {
  const { rental_location_code: branch, weekday, opens, closes } = values;
  if (!isThere(opens) || !isThere(closes)) return [];
  if (String(closes) <= String(opens)) return [createProblem("closes", "later", String(opens))];
  const others = catalogue.branches.get(String(branch))?.openingHours ?? [];
  const other = others.find(
    (hours) =>
      hours.weekday === weekday &&
      `${branch}~${weekday}~${hours.opens}` !== id &&
      hours.opens < String(closes) &&
      hours.closes > String(opens),
  );
  return other ? [createProblem("opens", "overlap", `${other.opens}–${other.closes}`)] : [];
}

/** Checks that each time closes after it opens, and that the times of a date don't overlap. */
export function checkSpecialHours({ times }: ResourceValues): readonly Problem[] {
  return findOpeningTimeProblems("times", Array.isArray(times) ? (times as readonly ResourceValues[]) : []);
}

/** Finds times that end before they begin or overlap another one of the same weekday, if they have weekdays. */
export function findOpeningTimeProblems(listField: string, times: readonly ResourceValues[]): readonly Problem[] {
  return times.flatMap(({ weekday, opens, closes }, index) => {
    if (String(closes) <= String(opens)) return [createProblem(`${listField}.${index}.closes`, "later", String(opens))];
    const other = times
      .slice(0, index)
      .find(
        (time) =>
          time["weekday"] === weekday &&
          String(time["opens"]) < String(closes) &&
          String(time["closes"]) > String(opens),
      );
    return other
      ? [createProblem(`${listField}.${index}.opens`, "overlap", `${other["opens"]}–${other["closes"]}`)]
      : [];
  });
}

/** Checks that a legal text is either a text or an address, in a language of customers. */
export function checkLegalText({ language, text, url }: ResourceValues): readonly Problem[] {
  const isSpoken = PLATFORM_LANGUAGES.some((spoken) => spoken === language);
  const isOne = isThere(text || null) !== isThere(url || null);
  return [
    ...(isSpoken ? [] : [createProblem("language", "choice", PLATFORM_LANGUAGES.join(", "))]),
    ...(isOne ? [] : [createProblem("text", "one_of", "text, url")]),
  ];
}

export function checkPlace({ is_pickup, is_return, return_place_ids: returns }: ResourceValues): readonly Problem[] {
  const isNothing = is_pickup === false && is_return === false;
  const hasReturns = Array.isArray(returns) && returns.length > 0;
  return [
    ...(isNothing ? [createProblem("is_pickup", "at_least_one_of", "is_pickup, is_return")] : []),
    ...(is_pickup === false && hasReturns ? [createProblem("return_place_ids", "together", "is_pickup")] : []),
  ];
}

/** Checks that a plan has an interval, and applies to a category or a vehicle, not to both. */
export function checkServicePlan(values: ResourceValues): readonly Problem[] {
  const { every_units: units, every_months: months, category_code: category, vehicle_reference: vehicle } = values;
  return [
    ...(isThere(units) || isThere(months)
      ? []
      : [createProblem("every_units", "at_least_one_of", "every_units, every_months")]),
    ...(isThere(category) && isThere(vehicle)
      ? [createProblem("vehicle_reference", "at_most_one_of", "category_code, vehicle_reference")]
      : []),
  ];
}

/** Checks that maintenance with a linked expense is marked as included in the expenses. */
export function checkVehicleService({
  expense_id: expense,
  in_expenses: isInExpenses,
}: ResourceValues): readonly Problem[] {
  return isThere(expense) && isInExpenses !== true ? [createProblem("in_expenses", "together", "expense_id")] : [];
}

/** Checks that ages are in order, and that an age has only one rule. */
export function checkDriverAges(
  { age_from, age_to }: ResourceValues,
  { id, catalogue }: ResourceCheckContext,
): readonly Problem[] {
  const [from, to] = [Number(age_from), Number(age_to)];
  if (to < from) return [createProblem("age_to", "after", from)];
  const other = catalogue.driverAgeRules.find(
    (rule) => String(rule.id) !== id && rule.ageFrom <= to && rule.ageTo >= from,
  );
  return other ? [createProblem("age_from", "overlap", `${other.ageFrom}–${other.ageTo}`)] : [];
}

/** Checks that a family isn't its own descendant. Websites start with families that have no parent. */
export function checkFamily(
  { parent_id: parent }: ResourceValues,
  { id, catalogue }: ResourceCheckContext,
): readonly Problem[] {
  const parents = new Map(catalogue.families.map((family) => [String(family.id), family.parentId]));
  const above = new Set<string>();
  for (let at = parent; isThere(at) && !above.has(String(at)); at = parents.get(String(at))) above.add(String(at));
  return id !== undefined && above.has(id) ? [createProblem("parent_id", "below")] : [];
}

/** Checks that each photo has a unique position. */
export function checkPhotoPositions({ photos }: ResourceValues): readonly Problem[] {
  return findTwice("photos", photos, "position");
}

/** Checks that an extra has one stock entry per group, and defines its deposit reduction. */
export function checkExtraStocksAndReduction(values: ResourceValues): readonly Problem[] {
  return [...findTwice("stocks", values["stocks"], "rental_storage_id"), ...checkReduction(values)];
}

function findTwice(list: string, rows: FieldValue | undefined, name: string): readonly Problem[] {
  const columnValues = Array.isArray(rows) ? rows.map((row) => (row as ResourceValues)[name]) : [];
  return columnValues.flatMap((item, at) =>
    columnValues.indexOf(item) < at ? [createProblem(`${list}.${at}.${name}`, "twice")] : [],
  );
}

function checkReduction(values: ResourceValues): readonly Problem[] {
  const { deposit_reduction_type: type, deposit_reduction: deposit, guarantee_reduction: guarantee } = values;
  const isSet = isThere(deposit) || isThere(guarantee);
  if (isThere(type) === isSet || guarantee === undefined) return [];
  return [createProblem("deposit_reduction_type", "together", "deposit_reduction")];
}

/** Checks that a calendar has one vehicle or one category. */
export function checkCalendarSubject({
  vehicle_reference: vehicle,
  category_code: category,
}: ResourceValues): readonly Problem[] {
  if (isThere(vehicle) !== isThere(category)) return [];
  return [createProblem("category_code", "one_of", "vehicle_reference, category_code")];
}

const ENDS = [
  ["pickup_place_id", "return_place_id"],
  ["rental_location_code", "return_rental_location_code"],
  ["rental_storage_id", "return_rental_storage_id"],
] as const;

/** Checks that a fee applies to exactly one pair of places, branches or groups. */
export function checkOneWayFee(values: ResourceValues): readonly Problem[] {
  const halves = ENDS.flatMap(([from, to]) => together(values, from, to));
  if (halves.length > 0) return halves;
  const pairs = ENDS.filter(([from]) => isThere(values[from]));
  if (pairs.length !== 1) return [createProblem("pickup_place_id", "one_of", ENDS.map(([from]) => from).join(", "))];
  return pairs.flatMap(([from, to]) => (values[from] === values[to] ? [createProblem(to, "same", from)] : []));
}

const SELLING_LIMITS = [
  "minimum_days",
  "maximum_days",
  "minimum_notice_minutes",
  "horizon_days",
  "stop_sale_from",
  "stop_sale_to",
  "no_pickup_weekdays",
  "no_return_weekdays",
  "no_pickup_dates",
  "no_return_dates",
] as const;

/** Checks that a rule sets a limit and its limits are in order. */
export function checkSellingRule(values: ResourceValues): readonly Problem[] {
  const { minimum_days: least, maximum_days: maxDays } = values;
  const isBackwards = isThere(least) && isThere(maxDays) && Number(maxDays) < Number(least);
  // The value of a refused field is undefined, so the rule may have a limit.
  const hasLimit = SELLING_LIMITS.some((name) => values[name] !== null && !isEmptyList(values[name]));
  return [
    ...(hasLimit ? [] : [createProblem("minimum_days", "limit_required")]),
    ...(isBackwards ? [createProblem("maximum_days", "after", Number(least))] : []),
    ...together(values, "stop_sale_from", "stop_sale_to"),
    ...inOrder(values, "stop_sale_from", "stop_sale_to"),
  ];
}

export function checkCancellationTerm(values: ResourceValues): readonly Problem[] {
  const { occasion, hours_before: hours } = values;
  if (!isThere(occasion)) return [];
  return (occasion === "cancellation") === isThere(hours)
    ? []
    : [createProblem("hours_before", "together", "cancellation")];
}

export function checkRepatriation(values: ResourceValues): readonly Problem[] {
  const { rental_storage_id: from, return_rental_storage_id: to } = values;
  return from === to ? [createProblem("return_rental_storage_id", "same", "rental_storage_id")] : [];
}

/** Checks that each end is a point or a zone, and that no connection starts and ends at the same point. */
export function checkTransferPointsAndZones(values: ResourceValues): readonly Problem[] {
  const ends = ["from", "to"].flatMap((end) => {
    const [point, zone] = [`${end}_point_id`, `${end}_zone_id`];
    return isThere(values[point]) === isThere(values[zone])
      ? [createProblem(point, "one_of", `${point}, ${zone}`)]
      : [];
  });
  const { from_point_id: from, to_point_id: to } = values;
  return isThere(from) && from === to ? [...ends, createProblem("to_point_id", "same", "from_point_id")] : ends;
}

export function checkTransferSupplement(values: ResourceValues): readonly Problem[] {
  return [
    ...together(values, "time_from", "time_to"),
    ...together(values, "date_from", "date_to"),
    ...inOrder(values, "date_from", "date_to"),
    ...positive(values, "value"),
  ];
}

/** Checks that a user works at a branch. */
export function checkUser({ all_branches, branch_codes: branches, role, active }: ResourceValues): readonly Problem[] {
  if (!isThere(role)) return [];
  const isNowhere = all_branches === false && Array.isArray(branches) && branches.length === 0;
  const needsAll = role === "administrator" && all_branches === false && active !== false;
  return [
    ...(isNowhere && !needsAll ? [createProblem("branch_codes", "at_least_one_of", "all_branches, branch_codes")] : []),
    ...(needsAll ? [createProblem("all_branches", "scope", "role: administrator")] : []),
  ];
}

/** Ed25519 public key as SPKI in base64: 12 fixed bytes, then its 32 bytes. */
const ED25519_KEY = /^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$/;

export function checkPartnerKey(values: ResourceValues): readonly Problem[] {
  const { scope_ota, agency_id: agency, public_key: key, networks } = values;
  const bound = Array.isArray(networks) ? networks : [];
  return [
    ...(scope_ota === true && !isThere(agency) ? [createProblem("agency_id", "missing")] : []),
    ...(isThere(key) && !ED25519_KEY.test(String(key)) ? [createProblem("public_key", "public_key")] : []),
    ...(bound.every((item) => isIpNetwork(String(item))) ? [] : [createProblem("networks", "network")]),
  ];
}

export function checkSettings(values: ResourceValues, { catalogue }: ResourceCheckContext): readonly Problem[] {
  const { minimum_days: least, maximum_days: maxDays, languages, default_language: own } = values;
  const messageLanguages = Array.isArray(languages) ? (languages as readonly unknown[]) : [];
  return [
    ...(Number(maxDays) < Number(least) ? [createProblem("maximum_days", "after", Number(least))] : []),
    ...(messageLanguages.length > 0 && messageLanguages.every(isLanguageCode)
      ? []
      : [createProblem("languages", "language")]),
    ...(languages === undefined || messageLanguages.includes(own)
      ? []
      : [createProblem("default_language", "choice", messageLanguages.join(", "))]),
    ...checkSeries(values),
    ...findSharedSeries("series_pattern", values["series_pattern"], [...catalogue.branches.values()]),
    ...checkRateCodes(values),
    ...checkIban(values),
  ];
}

// Electronic invoices contain the bank account, and recipients refuse an invalid IBAN (BR-DE-19).
function checkIban({ accounts }: ResourceValues): readonly Problem[] {
  const iban = (accounts as Readonly<Record<string, string>> | null | undefined)?.["iban"];
  return !iban || isIban(iban) ? [] : [createProblem("accounts.iban", "form", "ES91 2100 0418 4502 0005 1332")];
}

/** Checks that a branch uses the company's currency and doesn't share a series with another tax id. */
export function checkBranch(
  { code, currency, document_id: documentId }: ResourceValues,
  { catalogue }: ResourceCheckContext,
): readonly Problem[] {
  const own = catalogue.settings.currency;
  const isOther = own !== undefined && currency !== undefined && currency !== own;
  const others = [...catalogue.branches.values()].filter((branch) => branch.code !== code);
  const branches = [...others, { documentId: documentId as string | null }];
  return [
    // All prices, payments and documents use one currency.
    ...(isOther ? [createProblem("currency", "currency_of_company", String(own))] : []),
    ...findSharedSeries("document_id", catalogue.settings.seriesPattern, branches),
  ];
}

// An issuer's numbers run without gaps, so two issuers can't share a series (docs/interfaces/rules.md#numbers).
function findSharedSeries(
  field: string,
  pattern: unknown,
  branches: readonly { readonly documentId?: string | null | undefined }[],
): readonly Problem[] {
  if (String(pattern).includes("{branch}")) return [];
  const numbers = branches.map(({ documentId }) => (documentId ?? "").toUpperCase().replaceAll(/[^A-Z0-9]/g, ""));
  const [text, other] = new Set(numbers.filter(Boolean));
  return text && other ? [createProblem(field, "series_of_two", text, other, "{branch}")] : [];
}

const KINDS = ["full", "advance", "simplified", "credit_note", "internal_bond"] as const;
const PATTERN = /^([A-Za-z0-9 ./_-]|\{(kind|branch|year|yy)\})+$/;

// Checks the codes for reporting rates to the tax agency, and the format of the rates.
function checkRateCodes({ tax_rate_codes: rateCodes }: ResourceValues): readonly Problem[] {
  return Object.entries((rateCodes ?? {}) as Readonly<Record<string, string>>).flatMap(([rate, code]) => [
    ...(isFormattedTaxRate(rate) ? [] : [createProblem(`tax_rate_codes.${rate}`, "rate_name")]),
    ...(parseTaxRateCode(code) ? [] : [createProblem(`tax_rate_codes.${rate}`, "rate_code")]),
  ]);
}

// An advance may share the full invoices' series. Every other document type has a separate series.
function checkSeries({ series_pattern: pattern, series_letters: rateCodes }: ResourceValues): readonly Problem[] {
  const isNamed = PATTERN.test(String(pattern)) && String(pattern).includes("{kind}");
  const letters = (rateCodes ?? {}) as Readonly<Record<string, string>>;
  const own = KINDS.filter((kind) => kind !== "advance");
  return [
    ...(isNamed ? [] : [createProblem("series_pattern", "pattern", "{kind}")]),
    ...Object.keys(letters)
      .filter((kind) => !KINDS.some((item) => item === kind))
      .map((kind) => createProblem(`series_letters.${kind}`, "unknown_field")),
    ...KINDS.filter((kind) => !/^[A-Za-z0-9]{1,5}$/.test(letters[kind] ?? "")).map((kind) =>
      createProblem(`series_letters.${kind}`, "letters"),
    ),
    ...own.flatMap((kind, index) => {
      const same = own.slice(0, index).find((other) => letters[other] === letters[kind]);
      return same ? [createProblem(`series_letters.${kind}`, "same", same)] : [];
    }),
    ...(own.some((kind) => kind !== "full" && letters[kind] === letters["advance"])
      ? [createProblem("series_letters.advance", "taken")]
      : []),
  ];
}

function together(values: ResourceValues, text: string, other: string): readonly Problem[] {
  if (isThere(values[text]) === isThere(values[other])) return [];
  return isThere(values[text])
    ? [createProblemWithParam(other, "together", text)]
    : [createProblemWithParam(text, "together", other)];
}

function inOrder(values: ResourceValues, from: string, to: string): readonly Problem[] {
  const [first, last] = [values[from], values[to]];
  return isThere(first) && isThere(last) && String(last) < String(first)
    ? [createProblemWithParam(to, "after", String(first))]
    : [];
}

function positive(values: ResourceValues, name: string): readonly Problem[] {
  return values[name] === undefined || Number(values[name]) > 0 ? [] : [createProblem(name, "positive")];
}

function createProblemWithParam(field: string, code: ProblemCode, about: string): Problem {
  return createProblem(field, code, about);
}

function isEmptyList(value: FieldValue | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isThere(value: FieldValue | undefined): boolean {
  return value !== undefined && value !== null;
}

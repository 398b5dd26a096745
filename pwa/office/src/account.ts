import { signal } from "@preact/signals";
import { hasRight, PERSONAL_RIGHTS, type Right } from "#domain/access/rights.ts";
import { type CatalogueNames, translateExtraName, translateName } from "#domain/catalogue/names.ts";
import { type CivilDate, parseCivilDate, toIsoWeekday } from "#domain/dates.ts";
import type { Immutable } from "#shared/immutable.ts";
import {
  type DayFormat,
  getCountFormat,
  getDayFormat,
  getDecimalMark,
  getMoneyFormat,
  getPercentFormatter,
  resolveLocale,
} from "#shared/locale.ts";
import type { CheckInSettingsMessage } from "#worker/api/check-in/day-messages.ts";

type Settings = Immutable<CheckInSettingsMessage>;

/** Data of the account and the signed-in user, available on every page. */
export interface Account
  extends Pick<
    Settings,
    | "account_name"
    | "country_code"
    | "currency"
    | "currency_decimals"
    | "timezone"
    | "tax_records"
    | "communications"
    | "books_at_own_address"
    | "languages"
    | "default_language"
    | "rental_locations"
    | "rental_storages"
    | "max_km_per_day"
  > {
  readonly user?: Pick<Settings["user"], "full_name" | "role" | "language"> &
    Partial<Pick<Settings["user"], "rights" | "theme" | "user_id">>;
  readonly categories: readonly Pick<Settings["categories"][number], "code" | "name">[];
  readonly names: CatalogueNames;
}

/** The server's default. */
const DEFAULT_KILOMETRES_A_DAY = 1500;

const NONE: Account = {
  account_name: "",
  country_code: "ES",
  currency: "EUR",
  currency_decimals: 2,
  timezone: "Europe/Madrid",
  tax_records: false,
  communications: false,
  books_at_own_address: true,
  languages: [],
  default_language: "es",
  rental_locations: [],
  rental_storages: [],
  max_km_per_day: DEFAULT_KILOMETRES_A_DAY,
  categories: [],
  names: { categories: {}, extras: {}, places: {} },
};

export const account = signal<Account>(NONE);

/** Stores the account data from the server. Missing fields get empty defaults. */
export function setAccount(accountValue: Partial<Account>): void {
  account.value = { ...NONE, ...accountValue };
}

/** Whether the signed-in user has a right. Only hides unavailable actions, because the server enforces rights. */
export function hasUserRight(right: Right): boolean {
  const { user } = account.value;
  if (!user) return false;
  const isPersonal = PERSONAL_RIGHTS.some((personal) => personal === right);
  return isPersonal && user.rights ? user.rights.some((own) => own === right) : hasRight({ role: user.role }, right);
}

/** Whether the Spanish tax agency is relevant: for companies in Spain and companies that report to it. */
export const usesTaxRecords = (countryCode = account.value.country_code) =>
  countryCode === "ES" || account.value.tax_records;

/** Whether reports to the ministry are relevant: for companies in Spain and companies that send them. */
export const reportsToAuthorities = (countryCode = account.value.country_code) =>
  countryCode === "ES" || account.value.communications;

export const getUserLanguage = () => document.documentElement.lang || "en";

/** Returns the name of a category in the user's language, or the agreed text if the company has no translation. */
export function getCategoryName(code: string, agreedName = code): string {
  const { categories, names } = account.value;
  const name = categories.find((category) => category.code === code)?.name ?? agreedName;
  return translateName(names.categories[code], getUserLanguage(), name);
}

/** Returns the categories as choices, named in the user's language. */
export const listCategoryChoices = () =>
  account.value.categories.map(({ code }) => [code, getCategoryName(code)] as const);

/** Returns the name of a place in the user's language, or the agreed text if the company has no translation. */
export const getPlaceName = (id: number | null | undefined, agreedName: string | null): string =>
  translateName(account.value.names.places[id ?? ""], getUserLanguage(), agreedName ?? "");

/** Returns the name of an extra in the user's language, or the agreed text if the company has no translation. */
export const getExtraName = (code: string, agreedName: string): string =>
  translateExtraName(account.value.names.extras[code], getUserLanguage(), agreedName);

export const getBranchName = (code: string) =>
  account.value.rental_locations.find((item) => item.code === code)?.name ?? code;

/** Returns the name of a branch group, or undefined if the account has only one. */
export function getBranchGroupName(id: number): string | undefined {
  const { rental_storages: groups } = account.value;
  return groups.length > 1 ? groups.find((group) => group.id === id)?.name : undefined;
}

// Cache: creating a format costs a hundred times more than using it, and a board uses thousands.
const formats = new Map<string, DayFormat>();

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): DayFormat {
  const name = `${locale} ${Object.entries(options).join()}`;
  const format = formats.get(name) ?? getDayFormat(locale, options);
  formats.set(name, format);
  return format;
}

/** Returns the locale for dates and numbers. English follows the company's country. */
export const getUserLocale = () => resolveLocale(getUserLanguage(), account.value.country_code);

/** Returns the decimal mark of the user's locale, also used for spreadsheets. */
export const getUserDecimalMark = () => getDecimalMark(getUserLocale());

/** Formats a number of kilometres. */
export function formatKilometres(count: number): string {
  return getCountFormat(getUserLocale()).format(count);
}

/** Formats an amount: "1.234,50 €" or "−5,00 €". If the currency is a dollar, it's always `$`, never `US$`. */
export function formatMoney(amount: string): string {
  const { currency, currency_decimals: decimals } = account.value;
  return getMoneyFormat(getUserLocale(), currency, decimals).format(Number(amount)).replace("-", "−");
}

/** Formats minor units of the account's currency. */
export function formatCents(cents: number): string {
  const { currency_decimals: decimals } = account.value;
  return formatMoney((cents / 10 ** decimals).toFixed(decimals));
}

/** Formats an amount with its sign, for surcharges and reductions. */
export function formatSignedMoney(amount: string): string {
  return Number(amount) > 0 ? `+${formatMoney(amount)}` : formatMoney(amount);
}

/** Formats a percentage: "21 %". */
export function formatPercent(percent: string): string {
  return getPercentFormatter(getUserLocale(), 2)(Number(percent));
}

/** Whether an amount is zero. */
export const isZeroAmount = (amount: string) => Number(amount) === 0;

/** Returns the date and time at the company. */
export function getCompanyDateTime(epochMs = Date.now()): { readonly date: CivilDate; readonly time: string } {
  const options = { timeZone: account.value.timezone, dateStyle: "short", timeStyle: "short" } as const;
  const parts = dateFormat("sv-SE", options).format(epochMs);
  const [date = "", time = "00:00"] = parts.split(" ");
  return { date: parseCivilDate(date) ?? ("1970-01-01" as CivilDate), time };
}

/** Format of a day in lists, headings and calendars. */
export type DayStyle = "short" | "head" | "day" | "long";
const STYLES: Readonly<Record<DayStyle, Intl.DateTimeFormatOptions>> = {
  short: { weekday: "short", day: "numeric", month: "short" },
  head: { weekday: "short", day: "numeric", month: "short" },
  day: { weekday: "short", day: "numeric" },
  long: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
};

/** Formats a date. Returns invalid dates unchanged. */
export function formatDay(date: string, style: DayStyle = "short"): string {
  const at = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at)) return date;
  const isOtherYear = style === "short" && date.slice(0, 4) !== getCompanyDateTime().date.slice(0, 4);
  const options = { ...STYLES[style], ...(isOtherYear && { year: "numeric" as const }), timeZone: "UTC" };
  return dateFormat(getUserLocale(), options).format(at);
}

/** Formats a period with a common year once: "Sun, 3 Jan – Thu, 7 Jan 2027". */
export function formatDayRange(from: string, to: string): string {
  const [start, end] = [from, to].map((date) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`));
  if (!(start !== undefined && end !== undefined && start <= end)) return `${formatDay(from)} – ${formatDay(to)}`;
  const year = getCompanyDateTime().date.slice(0, 4);
  const isOtherYear = from.slice(0, 4) !== year || to.slice(0, 4) !== year;
  const options = { ...STYLES.short, ...(isOtherYear && { year: "numeric" as const }), timeZone: "UTC" };
  return dateFormat(getUserLocale(), options).formatRange(start, end);
}

/** Formats a local date and time of the server, down to the minute. */
export function formatMoment(moment: string): string {
  return `${formatDay(moment)}, ${moment.slice(11, 16)}`;
}

/** Formats a UTC time in the company's time zone. */
export function formatCompanyMoment(utc: string): string {
  const { date, time } = getCompanyDateTime(Date.parse(utc));
  return formatMoment(`${date} ${time}`);
}

const SATURDAY = 6;

/** Whether a date is a weekend day in most countries. */
export const isWeekend = (date: CivilDate) => toIsoWeekday(date) >= SATURDAY;

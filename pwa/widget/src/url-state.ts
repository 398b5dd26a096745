import type { SearchValues, WidgetKind, WidgetPosition, WidgetStep } from "./model.ts";

const PREFIX: Readonly<Record<WidgetKind, string>> = { rentals: "rb", transfers: "rt" };
const STEPS: readonly WidgetStep[] = ["search", "choose", "details", "reservation", "account"];

/** Short names of search parameters in the URL, so that links reproduce a search. */
const SEARCH_NAMES: Readonly<Record<WidgetKind, Readonly<Record<string, string>>>> = {
  rentals: {
    date_from: "from",
    time_from: "from-time",
    date_to: "to",
    time_to: "to-time",
    pickup_place: "pickup",
    return_place: "return",
    promotion_code: "code",
    driver_age_rule: "age",
  },
  transfers: {
    origin_point_id: "from",
    destination_point_id: "to",
    date: "date",
    time: "time",
    return_date: "back",
    return_time: "back-time",
    number_of_adults: "adults",
    number_of_children: "children",
  },
};

/** Reads the visitor's step, search and reservation from the URL. Ignores other parameters. */
export function readUrlPosition(kind: WidgetKind, query: string): WidgetPosition {
  const parameters = new URLSearchParams(query);
  const prefix = PREFIX[kind];
  const search: Record<string, string> = {};
  for (const [field, name] of Object.entries(SEARCH_NAMES[kind])) {
    const value = parameters.get(`${prefix}-${name}`);
    if (value) search[field] = value.slice(0, 100);
  }
  const reservation = parameters.get(`${prefix}-id`) ?? undefined;
  const parameterValue = parameters.get(prefix);
  const step = STEPS.find((step) => step === parameterValue) ?? (reservation ? "reservation" : "search");
  return { step, search, ...(reservation && /^[\w-]{1,64}$/.test(reservation) && { reservation }) };
}

/** Returns the URL with the widget's parameters for a step, search and reservation. Other parameters stay unchanged. */
export function writeUrlPosition(
  kind: WidgetKind,
  href: string,
  { step, search, reservation }: WidgetPosition,
): string {
  const url = new URL(href);
  const prefix = PREFIX[kind];
  for (const name of [...url.searchParams.keys()]) {
    if (name === prefix || name.startsWith(`${prefix}-`)) url.searchParams.delete(name);
  }
  if (step !== "search") url.searchParams.set(prefix, step);
  if (step === "reservation") {
    if (reservation) url.searchParams.set(`${prefix}-id`, reservation);
    return url.href;
  }
  for (const [field, name] of Object.entries(SEARCH_NAMES[kind])) {
    const value = search[field as keyof SearchValues];
    if (value) url.searchParams.set(`${prefix}-${name}`, value);
  }
  return url.href;
}

/** Returns a canonical text of a search, independent of order and empty fields. */
export function toCanonicalSearch(kind: WidgetKind, search: SearchValues): string {
  return new URL(writeUrlPosition(kind, "http://search/", { step: "search", search })).search;
}

/** Returns the address of the website's page with the widget, to which mails link. */
export const getPageAddress = (): string => location.origin + location.pathname;

/** What an operation is called with, as its page shows it: everything comes from its OpenAPI document. */
export interface Call {
  readonly operation: string;
  readonly method: string;
  /** From the root, parameters in braces. */
  readonly path: string;
  readonly parameters: readonly CallParameter[];
  readonly body?: { readonly type: string; readonly example?: unknown };
  readonly credential: "signature" | "token" | "none";
  /** What the key is for, or who signs in. */
  readonly as: "ota" | "integration" | "analytics" | "staff" | "customer" | "nobody";
  /** What the answer is kept as, where it is no text. */
  readonly file?: string;
  /**
   * Calls that go before: what they answer stands in this one as `__name__`, or as `"@@name@@"` where it is a number.
   */
  readonly first?: readonly FirstCall[];
}

/** A call that goes before another one. */
export interface FirstCall {
  readonly call: Call;
  /** What it does. */
  readonly about: string;
  /** Where in its JSON answer each name is: `{ id: "reservation.id" }`. */
  readonly takes: Readonly<Record<string, string>>;
}

export interface CallParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly example?: unknown;
  readonly isRequired: boolean;
}

/** Stands in the documents for the id of a cart or a booking, which each caller has of their own. */
export const EXAMPLE_ID = "9f0c2d1e4b5a69788796a5b4c3d2e1f0";

/** What the reader says instead of the examples. */
export interface Given {
  /** Of a cart or a booking of theirs. */
  readonly freeAccessId?: string;
  /** Values of parameters, by name; an empty text leaves the parameter out. */
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as it goes out. */
export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly needsKey: boolean;
  readonly credential: Call["credential"];
  readonly file: string | undefined;
  readonly first: readonly FirstAsked[];
}

/** A request that goes out before another, and what is taken of its answer. */
export interface FirstAsked extends FirstCall {
  readonly asked: Asked;
}

/** The request of an operation, its dates around today (`yyyy-mm-dd`). */
export function toAsked(call: Call, today: string, given: Given = {}): Asked {
  const own = (text: string) => (given.freeAccessId ? text.replaceAll(EXAMPLE_ID, given.freeAccessId) : text);
  const body = given.body ?? bodyText(call, today);
  return {
    method: call.method,
    path: own(pathOf(call, today, given) + queryOf(call, today, given)),
    body: body === undefined ? undefined : own(body),
    headers: headersOf(call, today, given),
    needsKey: call.parameters.some(isIdempotencyKey),
    credential: call.credential,
    file: call.file,
    first: (call.first ?? []).map((one) => ({ ...one, asked: toAsked(one.call, today) })),
  };
}

const isIdempotencyKey = ({ name }: CallParameter) => name.toLowerCase() === "idempotency-key";

/** The value that a parameter has, the reader's or the example's; undefined where it is left out. */
export function shownValue(parameter: CallParameter, today: string, { values = {} }: Given): string | undefined {
  const said = values[parameter.name];
  if (said !== undefined) return said === "" ? undefined : said;
  return parameter.example === undefined ? undefined : aroundToday(String(parameter.example), today);
}

function pathOf({ path, parameters }: Call, today: string, given: Given): string {
  return path.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const parameter = parameters.find((one) => one.in === "path" && one.name === name);
    const value = parameter && shownValue(parameter, today, given);
    return value === undefined ? braces : encodeURIComponent(value);
  });
}

function queryOf({ parameters }: Call, today: string, given: Given): string {
  const pairs = parameters.flatMap((one): [string, string][] => {
    const value = one.in === "query" ? shownValue(one, today, given) : undefined;
    return value === undefined ? [] : [[one.name, value]];
  });
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}

function headersOf({ parameters, body }: Call, today: string, given: Given): Asked["headers"] {
  const said = parameters.flatMap((one): [string, string][] => {
    const value = one.in === "header" && !isIdempotencyKey(one) ? shownValue(one, today, given) : undefined;
    return value === undefined ? [] : [[one.name, value]];
  });
  return body ? [["Content-Type", body.type], ...said] : said;
}

// The example body as text, its dates around today; undefined where the operation has none.
function bodyText({ body }: Call, today: string): string | undefined {
  if (body?.example === undefined) return undefined;
  if (typeof body.example === "string") return body.example;
  if (body.type !== "application/json") return new URLSearchParams(body.example as Record<string, string>).toString();
  return aroundToday(JSON.stringify(body.example, null, 2), today);
}

const DAY = 86_400_000;
const AHEAD_DAYS = 56;
const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`);
const dateOf = (day: number) => new Date(day).toISOString().slice(0, 10);
// 2030-06-10 of the documents is a Monday.
const FIRST = "2030-06-10";

/**
 * The dates of an example moved to where they work today: those about 2030-06-10 to as many days about a Monday some
 * eight weeks ahead, those of the year 2026 to this year. A reference is of one day: its content is another tomorrow.
 */
export function aroundToday(text: string, today: string): string {
  const monday = firstMonday(dayOf(today) + AHEAD_DAYS * DAY);
  const moved = (date: string) => dateOf(monday + dayOf(date) - dayOf(FIRST));
  const year = today.slice(0, 4);
  return text
    .replace(/\b2030-06-\d\d\b/g, moved)
    .replace(/\b(\d\d)\/06\/2030\b/g, (_, day: string) => moved(`2030-06-${day}`).split("-").reverse().join("/"))
    .replace(/\b2026-(01-01|12-31)\b/g, `${year}-$1`)
    .replace(/^2026$/, year)
    .replace(/\bEXAMPLE-1\b/g, `EXAMPLE-${today}`)
    .replace(/\b2026-11-22\b/g, today)
    .replace(/\b2026-11-20\b/g, dateOf(dayOf(today) - 2 * DAY));
}

// Neither in the first week of a year nor in the last of one: companies close.
function firstMonday(day: number): number {
  let monday = day;
  while (new Date(monday).getUTCDay() !== 1 || /-12-2|-12-3|-01-0/.test(dateOf(monday))) monday += DAY;
  return monday;
}

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
export interface ReaderInput {
  /** Of a cart or a booking of theirs. */
  readonly freeAccessId?: string;
  /** Values of parameters, by name; an empty text leaves the parameter out. */
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as it goes out. */
export interface CallRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly needsKey: boolean;
  readonly credential: Call["credential"];
  readonly file: string | undefined;
  readonly first: readonly PrerequisiteRequest[];
}

/** A request that goes out before another, and what is taken of its answer. */
export interface PrerequisiteRequest extends FirstCall {
  readonly asked: CallRequest;
}

/** The request of an operation, its dates around today (`yyyy-mm-dd`). */
export function toCallRequest(call: Call, today: string, readerInput: ReaderInput = {}): CallRequest {
  const own = (text: string) =>
    readerInput.freeAccessId ? text.replaceAll(EXAMPLE_ID, readerInput.freeAccessId) : text;
  const body = readerInput.body ?? bodyText(call, today);
  return {
    method: call.method,
    path: own(buildPath(call, today, readerInput) + buildQuery(call, today, readerInput)),
    body: body === undefined ? undefined : own(body),
    headers: buildHeaders(call, today, readerInput),
    needsKey: call.parameters.some(isIdempotencyKey),
    credential: call.credential,
    file: call.file,
    first: (call.first ?? []).map((firstCall) => ({ ...firstCall, asked: toCallRequest(firstCall.call, today) })),
  };
}

const isIdempotencyKey = ({ name }: CallParameter) => name.toLowerCase() === "idempotency-key";

/** The value that a parameter has, the reader's or the example's; undefined where it is left out. */
export function getParameterValue(
  parameter: CallParameter,
  today: string,
  { values = {} }: ReaderInput,
): string | undefined {
  const readerValue = values[parameter.name];
  if (readerValue !== undefined) return readerValue === "" ? undefined : readerValue;
  return parameter.example === undefined ? undefined : aroundToday(String(parameter.example), today);
}

function buildPath({ path, parameters }: Call, today: string, readerInput: ReaderInput): string {
  return path.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const parameter = parameters.find((parameter) => parameter.in === "path" && parameter.name === name);
    const value = parameter && getParameterValue(parameter, today, readerInput);
    return value === undefined ? braces : encodeURIComponent(value);
  });
}

function buildQuery({ parameters }: Call, today: string, readerInput: ReaderInput): string {
  const pairs = parameters.flatMap((parameter): [string, string][] => {
    const value = parameter.in === "query" ? getParameterValue(parameter, today, readerInput) : undefined;
    return value === undefined ? [] : [[parameter.name, value]];
  });
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}

function buildHeaders({ parameters, body }: Call, today: string, readerInput: ReaderInput): CallRequest["headers"] {
  const readerValue = parameters.flatMap((parameter): [string, string][] => {
    const value =
      parameter.in === "header" && !isIdempotencyKey(parameter)
        ? getParameterValue(parameter, today, readerInput)
        : undefined;
    return value === undefined ? [] : [[parameter.name, value]];
  });
  return body ? [["Content-Type", body.type], ...readerValue] : readerValue;
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
const parseDay = (date: string) => Date.parse(`${date}T00:00:00Z`);
const formatDay = (day: number) => new Date(day).toISOString().slice(0, 10);
// 2030-06-10 of the documents is a Monday.
const FIRST = "2030-06-10";

/**
 * The dates of an example moved to where they work today: those about 2030-06-10 to as many days about a Monday some
 * eight weeks ahead, those of the year 2026 to this year. A reference is of one day: its content is another tomorrow.
 */
export function aroundToday(text: string, today: string): string {
  const monday = firstMonday(parseDay(today) + AHEAD_DAYS * DAY);
  const moved = (date: string) => formatDay(monday + parseDay(date) - parseDay(FIRST));
  const year = today.slice(0, 4);
  return text
    .replace(/\b2030-06-\d\d\b/g, moved)
    .replace(/\b(\d\d)\/06\/2030\b/g, (_, day: string) => moved(`2030-06-${day}`).split("-").reverse().join("/"))
    .replace(/\b2026-(01-01|12-31)\b/g, `${year}-$1`)
    .replace(/^2026$/, year)
    .replace(/\bEXAMPLE-1\b/g, `EXAMPLE-${today}`)
    .replace(/\b2026-11-22\b/g, today)
    .replace(/\b2026-11-20\b/g, formatDay(parseDay(today) - 2 * DAY));
}

// Neither in the first week of a year nor in the last of one: companies close.
function firstMonday(day: number): number {
  let monday = day;
  while (new Date(monday).getUTCDay() !== 1 || /-12-2|-12-3|-01-0/.test(formatDay(monday))) monday += DAY;
  return monday;
}

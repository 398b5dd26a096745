/** Data of a call as shown on its page, from the OpenAPI document. */
export interface ExampleCall {
  readonly operation: string;
  readonly method: string;
  /** Path from the root, with parameters in braces. */
  readonly path: string;
  readonly parameters: readonly CallParameter[];
  readonly body?: { readonly type: string; readonly example?: unknown };
  readonly credential: "signature" | "token" | "none";
  /** Kind of the API key or of the user that the call needs. */
  readonly as: "ota" | "integration" | "analytics" | "staff" | "customer" | "nobody";
  /** File name for a response that isn't text. */
  readonly file?: string;
  /** Prerequisite calls. Their values replace `__name__`, or `"@@name@@"` for numbers. */
  readonly first?: readonly PrerequisiteCall[];
}

/** A call made before another one. */
export interface PrerequisiteCall {
  readonly call: ExampleCall;
  /** Description of the call. */
  readonly about: string;
  /** Path in the JSON response for each name: `{ id: "reservation.id" }`. */
  readonly takes: Readonly<Record<string, string>>;
}

export interface CallParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly example?: unknown;
  readonly isRequired: boolean;
}

/** Placeholder for the id of a cart or booking, different for each caller. */
export const EXAMPLE_ID = "9f0c2d1e4b5a69788796a5b4c3d2e1f0";

/** Values that the reader enters instead of the examples. */
export interface ReaderInput {
  /** Id of the reader's cart or booking. */
  readonly freeAccessId?: string;
  /** Parameter values by name. An empty text omits the parameter. */
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request ready to be sent. */
export interface CallRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly needsKey: boolean;
  readonly credential: ExampleCall["credential"];
  readonly file: string | undefined;
  readonly first: readonly PrerequisiteRequest[];
}

/** A prerequisite request and the values taken from its response. */
export interface PrerequisiteRequest extends PrerequisiteCall {
  readonly request: CallRequest;
}

/** Creates the request of an operation with dates around today (`yyyy-mm-dd`). */
export function toCallRequest(call: ExampleCall, today: string, readerInput: ReaderInput = {}): CallRequest {
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
    first: (call.first ?? []).map((firstCall) => ({ ...firstCall, request: toCallRequest(firstCall.call, today) })),
  };
}

const isIdempotencyKey = ({ name }: CallParameter) => name.toLowerCase() === "idempotency-key";

/** Returns the reader's or the example's value of a parameter, or undefined if omitted. */
export function getParameterValue(
  parameter: CallParameter,
  today: string,
  { values = {} }: ReaderInput,
): string | undefined {
  const enteredValues = values[parameter.name];
  if (enteredValues !== undefined) return enteredValues === "" ? undefined : enteredValues;
  return parameter.example === undefined ? undefined : moveDatesAroundToday(String(parameter.example), today);
}

function buildPath({ path, parameters }: ExampleCall, today: string, readerInput: ReaderInput): string {
  return path.replace(/\{(\w+)\}/g, (braces, name: string) => {
    const parameter = parameters.find((parameter) => parameter.in === "path" && parameter.name === name);
    const value = parameter && getParameterValue(parameter, today, readerInput);
    return value === undefined ? braces : encodeURIComponent(value);
  });
}

function buildQuery({ parameters }: ExampleCall, today: string, readerInput: ReaderInput): string {
  const pairs = parameters.flatMap((parameter): [string, string][] => {
    const value = parameter.in === "query" ? getParameterValue(parameter, today, readerInput) : undefined;
    return value === undefined ? [] : [[parameter.name, value]];
  });
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}

function buildHeaders(
  { parameters, body }: ExampleCall,
  today: string,
  readerInput: ReaderInput,
): CallRequest["headers"] {
  const enteredValues = parameters.flatMap((parameter): [string, string][] => {
    const value =
      parameter.in === "header" && !isIdempotencyKey(parameter)
        ? getParameterValue(parameter, today, readerInput)
        : undefined;
    return value === undefined ? [] : [[parameter.name, value]];
  });
  return body ? [["Content-Type", body.type], ...enteredValues] : enteredValues;
}

// Returns the example body as text with dates around today. Undefined if the operation has no body.
function bodyText({ body }: ExampleCall, today: string): string | undefined {
  if (body?.example === undefined) return undefined;
  if (typeof body.example === "string") return body.example;
  if (body.type !== "application/json") return new URLSearchParams(body.example as Record<string, string>).toString();
  return moveDatesAroundToday(JSON.stringify(body.example, null, 2), today);
}

const DAY = 86_400_000;
const AHEAD_DAYS = 56;
const parseDay = (date: string) => Date.parse(`${date}T00:00:00Z`);
const formatDay = (day: number) => new Date(day).toISOString().slice(0, 10);
// 2030-06-10, used in the documents, is a Monday.
const FIRST = "2030-06-10";

/**
 * Moves the dates of an example to dates that work today. Dates around 2030-06-10 keep their distance to a Monday about
 * eight weeks ahead, dates of 2026 move to the current year. A request id includes the date, because its content
 * changes daily.
 */
export function moveDatesAroundToday(text: string, today: string): string {
  const monday = firstMonday(parseDay(today) + AHEAD_DAYS * DAY);
  const moveDate = (date: string) => formatDay(monday + parseDay(date) - parseDay(FIRST));
  const year = today.slice(0, 4);
  return text
    .replace(/\b2030-06-\d\d\b/g, moveDate)
    .replace(/\b(\d\d)\/06\/2030\b/g, (_, day: string) => moveDate(`2030-06-${day}`).split("-").reverse().join("/"))
    .replace(/\b2026-(01-01|12-31)\b/g, `${year}-$1`)
    .replace(/^2026$/, year)
    .replace(/\bEXAMPLE-1\b/g, `EXAMPLE-${today}`)
    .replace(/\b2026-11-22\b/g, today)
    .replace(/\b2026-11-20\b/g, formatDay(parseDay(today) - 2 * DAY));
}

// Avoids the first and last week of a year, when companies are closed.
function firstMonday(day: number): number {
  let monday = day;
  while (new Date(monday).getUTCDay() !== 1 || /-12-2|-12-3|-01-0/.test(formatDay(monday))) monday += DAY;
  return monday;
}

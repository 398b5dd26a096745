import type { Immutable } from "#shared/immutable.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { EngineFailureMessage } from "#worker/api/booking-engine/shared/messages.ts";
import type { AccessFailureMessage } from "#worker/api/customer-access/messages.ts";

/** Code of a refusal of the engines, of customer access or of the widget's own sign-in. Empty if there is none. */
export type FailureCode =
  | NonNullable<EngineFailureMessage["code"]>
  | AccessFailureMessage["code"]
  | "wrong_sign_in"
  | "";
/** Code of a refused field. Empty if the answer has none. */
export type FieldCode = NonNullable<AccessFailureMessage["problems"]>[number]["code"] | "";

/** Reason why a field is refused. If a limit is exceeded, `params` contain the limit. */
export interface FieldRefusal {
  readonly code: FieldCode;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** Rejection by the server with code, message, invalid fields and texts for the visitor. */
export class ServerRefusal extends Error {
  // `declare` keeps the field declarations out of the script, which must be small. The constructor sets them.
  declare readonly status: number;
  declare readonly code: FailureCode;
  declare readonly fields: readonly string[];
  /** Messages in the visitor's language, if the server provides them. */
  declare readonly sentences: readonly string[];
  /** Reasons of the refused fields, in the order of `fields`. */
  declare readonly refusals: readonly FieldRefusal[];

  constructor(
    status: number,
    code: FailureCode,
    message: string,
    fields: readonly string[],
    sentences: readonly string[] = [],
    refusals: readonly FieldRefusal[] = [],
  ) {
    super(message);
    Object.assign(this, { status, code, fields, sentences, refusals });
  }
}

/** The request got no readable response: network error, wrong address, or a website that the company doesn't permit. */
export class ServerUnreachable extends Error {}

type Sendable<Body extends object> = Body | Immutable<Body> | Typed<Body>;

export interface Client {
  readonly origin: string;
  readonly language: string;
  readonly get: <T>(path: string) => Promise<T>;
  /** `Body` is the type of the request's message in `worker/api`, without which nothing can be sent. */
  readonly post: <T, Body extends object = never>(path: string, body: Sendable<NoInfer<Body>>) => Promise<T>;
  readonly put: <T, Body extends object = never>(path: string, body: Sendable<NoInfer<Body>>) => Promise<T>;
  readonly remove: <T>(path: string) => Promise<T>;
}

/** Token of the signed-in customer. Sent with personal requests, renewed by responses and deleted on rejection. */
export interface Session {
  readonly token: () => string | undefined;
  readonly renew: (token: string | undefined) => void;
}

interface FailureAnswer {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly detail?: unknown;
  /** Codes of the refused fields, if `detail` contains sentences. */
  readonly problems?: unknown;
}

const UNAUTHORIZED = 401;
// Browsers have no limit of their own, so a stalled request would keep the form disabled.
const REQUEST_TIMEOUT_MS = 30_000;
// Carts show a signed-in customer's own discount.
const isPersonal = (path: string) =>
  /^\/api\/(v1\/|booking(-transfer)?\/frontend\/shopping-cart)|\/checkout$/.test(path);

/** Creates a client of the company's public API in a language, with the website's key if it has one. */
export function createClient(origin: string, key: string | undefined, language: string, session: Session): Client {
  let isKeyWarningShown = key === undefined;
  const warnAboutIgnoredKey = ({ headers }: Response) => {
    if (isKeyWarningShown || !/\bapi_key\b/.test(headers.get("Ignored-Parameters") ?? "")) return;
    isKeyWarningShown = true;
    console.warn(`<rental-booking>: ${origin} ignores the wrong attribute key="…"`);
  };
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const url = new URL(path, origin);
    url.searchParams.set("lang", language);
    if (key) url.searchParams.set("api_key", key);
    const answer = await sendRequest(url, method, body, isPersonal(path) ? session : undefined);
    warnAboutIgnoredKey(answer);
    const content: unknown = await answer.json().catch(() => undefined);
    if (!answer.ok) throw toRefused(answer.status, content);
    if (content === undefined) throw new ServerUnreachable(`${url.origin} answers no JSON`);
    return content as T;
  };
  return {
    origin,
    language,
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
    put: (path, body) => call("PUT", path, body),
    remove: (path) => call("DELETE", path),
  };
}

async function sendRequest(url: URL, method: string, body?: object, session?: Session): Promise<Response> {
  const token = session?.token();
  const bodyOptions = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const headers = { ...bodyOptions?.headers, ...(token && { Authorization: token }) };
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const options = { method, credentials: "omit", ...bodyOptions, headers, signal } as const;
  const answer = await fetch(url, options).catch((error: unknown) => {
    throw new ServerUnreachable(String(error));
  });
  const renewed = answer.headers.get("Authorization") ?? undefined;
  const isEnded = token !== undefined && answer.status === UNAUTHORIZED;
  if (renewed || isEnded) session?.renew(renewed);
  return answer;
}

function toRefused(status: number, content: unknown): ServerRefusal {
  const { error, code, detail, problems } = (
    typeof content === "object" && content !== null ? content : {}
  ) as FailureAnswer;
  // Returns the field name in an error detail. The engine APIs send it in `field`, the customer API in the message.
  const fieldIn = (item: unknown) =>
    typeof item === "string"
      ? (/^([a-z]\w*):/.exec(item)?.[1] ?? "")
      : String((item as { field?: unknown }).field ?? "");
  const details: readonly unknown[] = Array.isArray(detail) ? detail : [];
  const fields = details.map(fieldIn);
  const sentences = details.filter((detail): detail is string => typeof detail === "string" && fieldIn(detail) === "");
  const coded: readonly unknown[] = Array.isArray(problems) ? problems : details;
  const refusals = coded.map((item) => {
    const { code, params } = item as { code?: unknown; params?: FieldRefusal["params"] };
    return { code: text(code) as FieldCode, params };
  });
  return new ServerRefusal(status, text(code) as FailureCode, text(error), fields, sentences, refusals);
}

const text = (item: unknown) => (typeof item === "string" ? item : "");

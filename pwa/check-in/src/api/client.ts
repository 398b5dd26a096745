import type { FailureCode, FieldCode } from "#domain/failure-codes.ts";
import type { Immutable } from "#shared/immutable.ts";
import { calculateClockOffsetMs } from "./clock.ts";
import type { IncomingResponse, OutgoingRequest, Transport } from "./wire.ts";

const ANSWER_MS = 20_000;
const UPLOAD_MS = 60_000;

/** Result of a call. `unreachable` covers all failures unrelated to the request itself. Such calls are retried. */
export type ApiCallResult<T> =
  | {
      readonly kind: "ok";
      readonly status: number;
      readonly value: T;
      readonly etag: string | null;
      readonly type: string;
    }
  | { readonly kind: "unchanged" }
  | { readonly kind: "signed_out" }
  | { readonly kind: "unreachable"; readonly retryAfterSeconds?: number }
  | ApiRefusal;

export interface ApiRefusal extends FailureDetails {
  readonly kind: "refused";
  readonly status: number;
  /** An answer that isn't the server's, such as a proxy's, has only its status. */
  readonly code: FailureCode | `http_${number}`;
  readonly message: string;
}

/** Reason of a refusal or a warning, for a sentence in the user's language. */
export interface Reason {
  readonly code: FieldCode | ApiRefusal["code"];
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly field?: string | undefined;
}

/** Reasons of a failed response besides its code. Not every interface sends them. */
export interface FailureDetails {
  readonly params?: Reason["params"];
  readonly detail?: readonly (Omit<Reason, "code"> & Partial<Reason>)[] | undefined;
}

/** Reason why the server rejects a session. */
export type SignedOutReason = "session_over" | "factor_missing";

/** Transport, clock, token and callbacks of a client. */
export interface ClientDeps {
  readonly transport: Transport;
  readonly now: () => number;
  /** Token of the signed-in user. */
  readonly token: () => string | undefined;
  /** Called if a response contains a fresh token, after a sign-in or as replacement for the one sent. */
  readonly onToken: (token: string, isSignIn: boolean) => void;
  /** Called with the offset to add to the device's clock to get the server's time. */
  readonly onClock: (offsetMs: number) => void;
  /**
   * Called if the session is rejected. After `factor_missing`, it becomes valid again once the user signs in with a
   * second factor.
   */
  readonly onSignedOut: (reason: SignedOutReason) => void;
  /** Called with whether the server itself responded. */
  readonly onReach?: (isReached: boolean) => void;
}

interface Call<Body extends object> {
  readonly json?: NoInfer<Body | Immutable<Body>>;
  readonly bytes?: ArrayBuffer;
  readonly contentType?: string;
  readonly etag?: string | undefined;
  /** Key that makes repeated requests take effect only once. */
  readonly idempotencyKey?: string;
  /** Device time at sending, by which the server detects a clock that was changed while offline. */
  readonly deviceTime?: number;
  readonly onProgress?: (sentBytes: number, total: number) => void;
}

export type Client = ReturnType<typeof createClient>;

/** Creates a client of the account's Worker. Every response renews the token and the clock offset. */
export function createClient(deps: ClientDeps) {
  let lastRequestNumber = 0;
  let latestAnswered = 0;
  /** Reports whether the server responded. Ignores responses that arrive after the response to a newer request. */
  function reportReachability(question: number, isReached: boolean): void {
    if (question < latestAnswered) return;
    latestAnswered = question;
    deps.onReach?.(isReached);
  }

  // Reads the clock only from the server's own responses. A captive portal may have any clock.
  function readClock({ header }: IncomingResponse, sentAt: number): void {
    const offset = calculateClockOffsetMs(header("Date"), sentAt, deps.now());
    if (offset !== undefined) deps.onClock(offset);
  }

  /** `Body` is the type of the request's message in `worker/api`, without which no JSON can be sent. */
  async function call<T, Body extends object = never>(
    method: OutgoingRequest["method"],
    path: string,
    options: Call<Body> = {},
  ): Promise<ApiCallResult<T>> {
    const sentAt = deps.now();
    const token = deps.token();
    const question = ++lastRequestNumber;
    try {
      const received = await deps.transport({
        ...toSent(method, path, options),
        headers: toRequestHeaders(token, options),
      });
      const fresh = received.header("Authorization");
      // Another user may have signed in before this response arrived.
      const isSignIn = path.endsWith("/login");
      if (fresh && (isSignIn || token === deps.token())) deps.onToken(fresh, isSignIn);
      const answer = handleResponse<T>(received, (reason) => token === deps.token() && deps.onSignedOut(reason));
      // An empty response may come from a proxy and proves nothing, except a 304, which only the server can send.
      const isTelling = answer.kind === "unreachable" || answer.kind === "unchanged" || received.text !== "";
      if (isTelling) reportReachability(question, answer.kind !== "unreachable");
      if (isTelling && answer.kind !== "unreachable") readClock(received, sentAt);
      return answer;
    } catch {
      reportReachability(question, false);
      return { kind: "unreachable" };
    }
  }
  return { call };
}

function toSent(
  method: OutgoingRequest["method"],
  path: string,
  { json, bytes, onProgress }: Call<object>,
): Omit<OutgoingRequest, "headers"> {
  const body = bytes ?? (json === undefined ? undefined : JSON.stringify(json));
  return {
    method,
    path,
    timeoutMs: bytes ? UPLOAD_MS : ANSWER_MS,
    ...(body === undefined ? {} : { body }),
    ...(onProgress ? { onProgress } : {}),
  };
}

function toRequestHeaders(
  token: string | undefined,
  { json, contentType, etag, idempotencyKey, deviceTime }: Call<object>,
): Record<string, string> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers["Authorization"] = token;
  if (etag) headers["If-None-Match"] = etag;
  // A string of structured headers.
  if (idempotencyKey) headers["Idempotency-Key"] = `"${idempotencyKey}"`;
  if (deviceTime !== undefined) headers["X-Device-Time"] = String(deviceTime);
  if (json !== undefined) headers["Content-Type"] = "application/json";
  if (contentType) headers["Content-Type"] = contentType;
  return headers;
}

/** Statuses of temporary failures. */
const PASSING: readonly number[] = [408, 425, 429, 502, 503, 504];

function handleResponse<T>(
  received: IncomingResponse,
  onSignedOut: (reason: SignedOutReason) => void,
): ApiCallResult<T> {
  const { status, header, text } = received;
  if (status === 304) return { kind: "unchanged" };
  if (status === 401) {
    // A 401 from a proxy doesn't end the user's session.
    if (!getContentType(header).startsWith("application/json")) return { kind: "unreachable" };
    onSignedOut("session_over");
    return { kind: "signed_out" };
  }
  if (PASSING.includes(status)) return createTemporaryFailure(header("Retry-After"));
  if (text === "" && status < 300)
    return { kind: "ok", status, value: undefined as T, etag: header("ETag"), type: getContentType(header) };
  const answer = parseResponse<T>(received);
  // The missing second factor isn't the fault of the sent content, so the content stays pending for its author.
  if (answer.kind !== "refused" || answer.code !== "second_factor_missing") return answer;
  onSignedOut("factor_missing");
  return { kind: "signed_out" };
}

/** Parses the JSON of a response. Captive portals and proxies return HTML, which counts as unreachable. */
function parseResponse<T>({ status, header, text }: IncomingResponse): ApiCallResult<T> {
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    // A proxy in front of the server returns 413 with its own page. Captive portals don't.
    return status === 413 ? { kind: "refused", status, code: "too_large", message: "" } : { kind: "unreachable" };
  }
  if (status < 300 || isOutcome(value)) {
    return { kind: "ok", status, value: value as T, etag: header("ETag"), type: getContentType(header) };
  }
  const {
    error = "",
    code,
    params,
    detail,
  } = (value ?? {}) as FailureDetails & {
    readonly error?: string;
    readonly code?: FailureCode;
  };
  // A 404 without a code means that the company's Worker is temporarily unavailable. The request wasn't evaluated.
  if (status === 404 && text !== "" && !code) return { kind: "unreachable" };
  const details = { ...(params && { params }), ...(detail && { detail }) };
  return { kind: "refused", status, code: code || `http_${status}`, message: error, ...details };
}

const getContentType = (header: IncomingResponse["header"]) => header("Content-Type") ?? "";

/**
 * Whether the response contains operation results. Rejected operations return a result with the status of the
 * rejection.
 */
function isOutcome(value: unknown): boolean {
  return typeof value === "object" && value !== null && "results" in value;
}

function createTemporaryFailure(retryAfter: string | null): ApiCallResult<never> {
  const seconds = Number(retryAfter);
  return seconds > 0 ? { kind: "unreachable", retryAfterSeconds: seconds } : { kind: "unreachable" };
}

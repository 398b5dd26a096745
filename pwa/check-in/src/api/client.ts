import { clockOffset } from "./clock.ts";
import type { Received, Sent, Transport } from "./wire.ts";

const ANSWER_MS = 20_000;
const UPLOAD_MS = 60_000;

/** What a call came to. `unreachable` is everything that says nothing about the request itself: it is tried again. */
export type Answer<T> =
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
  | Refused;

export interface Refused {
  readonly kind: "refused";
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Why the server does nothing for a session. */
export type SignedOutBy = "session_over" | "factor_missing";

export interface ClientDeps {
  readonly transport: Transport;
  readonly now: () => number;
  /** The token of who is signed in. */
  readonly token: () => string | undefined;
  /** A fresh token came with an answer: of a login, or in place of the one that was sent. */
  readonly onToken: (token: string, isSignIn: boolean) => void;
  /** What to add to the phone's clock to get the server's. */
  readonly onClock: (offsetMs: number) => void;
  /** The session is refused: over, or `factor_missing`: good again once its person signs in with a second factor. */
  readonly onSignedOut: (why: SignedOutBy) => void;
  /** Whether an answer of the server's own came, or none. */
  readonly onReach?: (isReached: boolean) => void;
}

interface Call {
  readonly json?: unknown;
  readonly bytes?: ArrayBuffer;
  readonly contentType?: string;
  readonly etag?: string | undefined;
  /** Names what is to be done once, however often it is sent. */
  readonly idempotencyKey?: string;
  readonly onProgress?: (sent: number, total: number) => void;
}

export type Client = ReturnType<typeof createClient>;

/** Speaks with the account's Worker; every answer renews the token and tells how far the phone's clock is off. */
export function createClient(deps: ClientDeps) {
  let sent = 0;
  let latestAnswered = 0;
  /** An answer that comes after a newer question's says nothing of now. */
  function reportReachability(question: number, isReached: boolean): void {
    if (question < latestAnswered) return;
    latestAnswered = question;
    deps.onReach?.(isReached);
  }

  // Of the server's own answers alone: the box of a captive portal may have any clock.
  function readClock({ header }: Received, sentAt: number): void {
    const offset = clockOffset(header("Date"), sentAt, deps.now());
    if (offset !== undefined) deps.onClock(offset);
  }

  async function call<T>(method: Sent["method"], path: string, options: Call = {}): Promise<Answer<T>> {
    const sentAt = deps.now();
    const token = deps.token();
    const question = ++sent;
    try {
      const received = await deps.transport({
        ...toSent(method, path, options),
        headers: toRequestHeaders(token, options),
      });
      const fresh = received.header("Authorization");
      // Somebody else may have signed in while this answer was on its way.
      const isSignIn = path.endsWith("/login");
      if (fresh && (isSignIn || token === deps.token())) deps.onToken(fresh, isSignIn);
      const answer = understood<T>(received, (why) => token === deps.token() && deps.onSignedOut(why));
      // Anybody on the way may answer without a body; that nothing has changed only the server can know.
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

function toSent(method: Sent["method"], path: string, { json, bytes, onProgress }: Call): Omit<Sent, "headers"> {
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
  { json, contentType, etag, idempotencyKey }: Call,
): Record<string, string> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers["Authorization"] = token;
  if (etag) headers["If-None-Match"] = etag;
  // A string of structured headers.
  if (idempotencyKey) headers["Idempotency-Key"] = `"${idempotencyKey}"`;
  if (json !== undefined) headers["Content-Type"] = "application/json";
  if (contentType) headers["Content-Type"] = contentType;
  return headers;
}

/** Statuses that say: not now. */
const PASSING: readonly number[] = [408, 425, 429, 502, 503, 504];

function understood<T>(received: Received, onSignedOut: (why: SignedOutBy) => void): Answer<T> {
  const { status, header, text } = received;
  if (status === 304) return { kind: "unchanged" };
  if (status === 401) {
    // A proxy that wants a sign-in of its own ends nobody's session.
    if (!getContentType(header).startsWith("application/json")) return { kind: "unreachable" };
    onSignedOut("session_over");
    return { kind: "signed_out" };
  }
  if (PASSING.includes(status)) return passing(header("Retry-After"));
  if (text === "" && status < 300)
    return { kind: "ok", status, value: undefined as T, etag: header("ETag"), type: getContentType(header) };
  const answer = parsed<T>(received);
  // It says nothing of what was sent, which waits for who sends it.
  if (answer.kind !== "refused" || answer.code !== "second_factor_missing") return answer;
  onSignedOut("factor_missing");
  return { kind: "signed_out" };
}

/** A captive portal and a proxy answer pages: what is not our JSON is no answer at all. */
function parsed<T>({ status, header, text }: Received): Answer<T> {
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    // A proxy before the server says this in its own words; no portal does.
    return status === 413 ? { kind: "refused", status, code: "too_large", message: "" } : { kind: "unreachable" };
  }
  if (status < 300 || isOutcome(value)) {
    return { kind: "ok", status, value: value as T, etag: header("ETag"), type: getContentType(header) };
  }
  const { error = "", code = "" } = (value ?? {}) as { readonly error?: string; readonly code?: string };
  // No account answers here just now: that says nothing of what was sent.
  if (status === 404 && text !== "" && code === "") return { kind: "unreachable" };
  return { kind: "refused", status, code: code || `http_${status}`, message: error };
}

const getContentType = (header: Received["header"]) => header("Content-Type") ?? "";

/** A refused operation is answered as a result, with the status of the refusal. */
function isOutcome(value: unknown): boolean {
  return typeof value === "object" && value !== null && "results" in value;
}

function passing(retryAfter: string | null): Answer<never> {
  const seconds = Number(retryAfter);
  return seconds > 0 ? { kind: "unreachable", retryAfterSeconds: seconds } : { kind: "unreachable" };
}

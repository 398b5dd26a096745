import { signal } from "@preact/signals";
import type { FailureCode } from "#domain/failure-codes.ts";
import type { Immutable } from "#shared/immutable.ts";
import { announceSignOut } from "#shared/shared-session.ts";
import type { SignInAnswer, SignInProof } from "#shared/sign-in.tsx";
import type { LoginRequest, SignInResultMessage } from "#worker/api/customer-access/messages.ts";
import type { OfficeAppFailureMessage } from "#worker/api/office/failure-messages.ts";

/** Name of the session's token in the storage of the tab. */
export const TOKEN_STORAGE_KEY = "office-token";
const token = () => sessionStorage.getItem(TOKEN_STORAGE_KEY);

/** Whether this tab has a session. */
export const isSignedIn = () => token() !== null;

let session = 0;

/** Returns a function that checks whether the session is still the same. */
export function createSameSessionCheck(): () => boolean {
  const own = session;
  return () => own === session;
}

/** Whether a user is signed in on this tab. Becomes false when the server ends the session. */
export const isSessionOpen = signal(token() !== null);

/** Whether the server ended the last session of this tab, so that the user must sign in again. */
export const isSessionExpired = signal(false);

/**
 * Whether the company requires a second factor that the user hasn't provided. Until then, the server rejects all other
 * requests.
 */
export const isSecondFactorDue = signal(false);

type Failure = Immutable<Partial<OfficeAppFailureMessage>>;

/**
 * Response of an operation. `Content` is the type of its message in `worker/api`. The body contains it after a success,
 * and an error otherwise. A conflict contains both.
 */
export interface OfficeResponse<Content extends object = object> {
  readonly status: number;
  readonly body: Immutable<Partial<Content>> & Failure;
}

interface CallOptions<Body extends object> {
  readonly body?: NoInfer<Body | Immutable<Body>>;
  /** Idempotency key of a write, which is executed once. */
  readonly key?: string;
}

/** Set while a write awaits the second factor. Called with whether it was provided. */
export const resolveSecondFactorPrompt = signal<((isProved: boolean) => void) | undefined>(undefined);

let proving: Promise<boolean> | undefined;

// Asks for the second factor. Parallel writes share one prompt.
function proveAgain(): Promise<boolean> {
  proving ??= new Promise<boolean>((resolve) => {
    resolveSecondFactorPrompt.value = resolve;
  }).finally(() => {
    proving = undefined;
    resolveSecondFactorPrompt.value = undefined;
  });
  return proving;
}

/**
 * Sends an office request. Throws on network failure and otherwise returns the response. A write that needs a fresh
 * second factor waits for it and is repeated with its key. If the factor isn't provided, the rejection is returned.
 * `Body` is the type of the request's message in `worker/api`, without which nothing can be sent.
 */
export async function sendOfficeRequest<Content extends object = object, Body extends object = never>(
  method: string,
  path: string,
  { body, key }: CallOptions<Body> = {},
): Promise<OfficeResponse<Content>> {
  const callOptions = { ...(body && { body }), key: key ?? crypto.randomUUID() };
  const answer = await send<Content>(method, path, callOptions);
  const isStale = isRefusedAs(answer, "second_factor_stale");
  return isStale && (await proveAgain()) ? send<Content>(method, path, callOptions) : answer;
}

async function send<Content extends object>(
  method: string,
  path: string,
  { body, key }: { readonly body?: object; readonly key: string },
): Promise<OfficeResponse<Content>> {
  const isSame = createSameSessionCheck();
  const response = await fetch(path, {
    method,
    // A cached response may contain the token of an ended session.
    cache: "no-store",
    headers: {
      Authorization: token() ?? "",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(method !== "GET" && { "Idempotency-Key": `"${key}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const fresh = response.headers.get("Authorization");
  // A response to the previous user must not affect the current session.
  if (fresh && isSame()) sessionStorage.setItem(TOKEN_STORAGE_KEY, fresh);
  if (response.status === 401 && isSame()) {
    isSessionExpired.value = isSessionOpen.value;
    end();
  }
  const text = await response.text();
  const answer = { status: response.status, body: JSON.parse(text || "{}") as OfficeResponse<Content>["body"] };
  if (isRefusedAs(answer, "second_factor_missing") && isSame()) isSecondFactorDue.value = true;
  return answer;
}

function end(): void {
  session += 1;
  sessionStorage.removeItem(TOKEN_STORAGE_KEY);
  isSessionOpen.value = false;
}

const isRefusedAs = ({ status, body }: OfficeResponse, code: FailureCode) => status === 403 && body.code === code;

/** Returns the content of a successful response, otherwise undefined. */
export const getSuccessfulContent = <Content extends object>({
  status,
  body,
}: OfficeResponse<Content>): Immutable<Content> | undefined =>
  status >= 200 && status < 300 ? (body as Immutable<Content>) : undefined;

/** Fetches a document or photo that only staff may see. Undefined if there's none. */
export async function fetchFile(path: string): Promise<Blob | undefined> {
  const request = () => fetch(path, { headers: { Authorization: token() ?? "" }, cache: "no-store" });
  const first = await request();
  const response = (await isStaleResponse(first)) && (await proveAgain()) ? await request() : first;
  return response.ok ? response.blob() : undefined;
}

/** Fetches a file for download with its name, or the refusal that says why there is none. */
export async function fetchFileOrRefusal(
  path: string,
): Promise<{ readonly file: Blob; readonly name: string } | { readonly refusal: OfficeResponse }> {
  const request = () => fetch(path, { headers: { Authorization: token() ?? "" }, cache: "no-store" });
  const first = await request();
  const response = (await isStaleResponse(first)) && (await proveAgain()) ? await request() : first;
  if (!response.ok) return { refusal: { status: response.status, body: await response.json().catch(() => ({})) } };
  const [, name = "file"] = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "") ?? [];
  return { file: await response.blob(), name };
}

async function isStaleResponse(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const body: Failure = await response
    .clone()
    .json()
    .catch(() => ({}));
  return body.code === "second_factor_stale";
}

export const toOfficePath = (path: string) => `/api/v1/office${path}`;

/** Signs in. Fails if the name or password is wrong or the second factor is required. */
export async function signIn(username: string, password: string, proof?: SignInProof): Promise<SignInAnswer> {
  session += 1;
  const { body } = await sendOfficeRequest<SignInResultMessage, LoginRequest>("POST", "/api/v1/login", {
    body: { username, password, ...proof },
  });
  isSecondFactorDue.value = false;
  isSessionOpen.value = body.connected === true && token() !== null;
  return { ...body, connected: isSessionOpen.value };
}

/** Ends the session of this tab only. */
export function endSession(): void {
  end();
  isSessionExpired.value = false;
  isSecondFactorDue.value = false;
}

/** Signs out in all tabs, also without a network. */
export async function signOut(): Promise<void> {
  const ownToken = token();
  await sendOfficeRequest("DELETE", "/api/v1/logout").catch(() => undefined);
  endSession();
  if (ownToken !== null) announceSignOut(TOKEN_STORAGE_KEY, ownToken);
}

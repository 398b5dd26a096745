import type { LoginRequest, SignInResultMessage } from "#worker/api/customer-access/messages.ts";
import type { CallRequest, ExampleCall } from "./call.ts";
import { signCall } from "./sign.ts";
import { type DemoCredentials, findDemoKey, readCredentials, saveStoredCredentials } from "./stored-credentials.ts";

/** Response as shown on the page. */
export interface CallResult {
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** Error if a call can't be sent yet. The message is shown to the reader. */
export class MissingCredentialsError extends Error {}

/**
 * Sends a call after its prerequisites, with the reader's values or the demo's credentials. Returns the response of a
 * failed prerequisite instead.
 */
export async function sendExampleCall(
  call: ExampleCall,
  callRequest: CallRequest,
  demo: DemoCredentials | undefined,
): Promise<CallResult> {
  const known: Record<string, string> = {};
  for (const first of callRequest.first) {
    const answered = await sendCall(first.call, withNames(first.request, known), demo);
    if (answered.status >= 400) return answered;
    const answer: unknown = JSON.parse(answered.text);
    for (const [name, path] of Object.entries(first.takes)) known[name] = String(getMember(answer, path));
  }
  return sendCall(call, withNames(callRequest, known), demo);
}

function getMember(answer: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce((current, name) => (current as Readonly<Record<string, unknown>> | undefined)?.[name], answer);
}

// Inserts values of earlier responses into a call.
function withNames(callRequest: CallRequest, known: Readonly<Record<string, string>>): CallRequest {
  const insertValues = (text: string) =>
    text
      .replace(/"@@(\w+?)@@"/g, (placeholder, name: string) => known[name] ?? placeholder)
      .replace(/__([a-z]\w*?)__/g, (placeholder, name: string) => known[name] ?? placeholder);
  return {
    ...callRequest,
    path: insertValues(callRequest.path),
    body: callRequest.body === undefined ? undefined : insertValues(callRequest.body),
  };
}

async function sendCall(
  call: ExampleCall,
  callRequest: CallRequest,
  demo: DemoCredentials | undefined,
): Promise<CallResult> {
  const authorization = await getAuthorization(call, callRequest, demo);
  const began = performance.now();
  const response = await fetch(callRequest.path, {
    method: callRequest.method,
    redirect: "manual",
    headers: {
      ...Object.fromEntries(callRequest.headers),
      ...(callRequest.needsKey && { "Idempotency-Key": `"${crypto.randomUUID()}"` }),
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    ...(callRequest.body !== undefined && { body: callRequest.body }),
  });
  const text = await getBodyText(response);
  saveCredentials(call, text, response);
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - began),
    headers: [...response.headers],
    text,
  };
}

async function getBodyText(response: Response): Promise<string> {
  const type = response.headers.get("Content-Type") ?? "";
  if (response.type === "opaqueredirect") return "It leads to another page.";
  const isText = /json|text|xml|calendar/.test(type);
  if (!isText && type) return `${type}, ${(await response.arrayBuffer()).byteLength} bytes`;
  const text = await response.text();
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function getAuthorization(
  call: ExampleCall,
  callRequest: CallRequest,
  demo: DemoCredentials | undefined,
): Promise<string | undefined> {
  if (call.credential === "none") return undefined;
  if (call.credential === "token") return tokenFor(call, demo);
  const credentials = readCredentials();
  const own =
    credentials.key && credentials.secret
      ? { apiKey: credentials.key, secret: credentials.secret }
      : findDemoKey(demo, call.as);
  if (!own) throw new MissingCredentialsError("Give your key and secret under “Credentials” first.");
  return `${own.apiKey}:${await signCall(own.secret, callRequest.path, callRequest.body ?? "")}`;
}

async function tokenFor({ as }: ExampleCall, demo: DemoCredentials | undefined): Promise<string> {
  const { token, demoTokens } = readCredentials();
  const known = token || demoTokens[as];
  if (known) return known;
  const user = demo?.users.find(({ username }) => username.startsWith(`${as}@`));
  if (!user) throw new MissingCredentialsError("Sign in under “Credentials” first.");
  const signedIn = await signIn(user.username, user.password);
  if (!signedIn) throw new MissingCredentialsError("The demo does not let its user in.");
  saveStoredCredentials({ demoTokens: { ...demoTokens, [as]: signedIn } });
  return signedIn;
}

/** Returns the token of a user, or undefined if the name, password or code is wrong. */
export async function signIn(username: string, password: string, code = ""): Promise<string | undefined> {
  const body: LoginRequest = { username, password, code: code || undefined };
  const response = await fetch("/api/v1/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const { connected } = (await response.json()) as Partial<SignInResultMessage>;
  return connected ? (response.headers.get("Authorization") ?? undefined) : undefined;
}

const UNAUTHORIZED = 401;

// Stores the id of a cart or booking for later calls, and a fresh token. Requests a new demo token if the old one has
// expired.
function saveCredentials({ as, credential }: ExampleCall, text: string, response: Response): void {
  const fresh = response.headers.get("Authorization") ?? undefined;
  const { token, demoTokens } = readCredentials();
  if (token && fresh) saveStoredCredentials({ token: fresh });
  else if (credential === "token" && (fresh || response.status === UNAUTHORIZED))
    saveStoredCredentials({ demoTokens: { ...demoTokens, [as]: fresh } });
  const [, id] = /"free_access_id": "([0-9a-f]{16,})"/.exec(text) ?? [];
  if (id) saveStoredCredentials({ freeAccessId: id });
}

import type { Asked, Call } from "./call.ts";
import { type Demo, demoKeyFor, keep, readKept } from "./memory.ts";
import { sign } from "./sign.ts";

/** What came back, as the page shows it. */
export interface Answered {
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
}

/** Why a call cannot go out yet, in words for the reader. */
export class NotReady extends Error {}

/**
 * Sends a call with what the reader gave, or with the demo's credentials, after those that go before it; one of them
 * that is refused is what came back.
 */
export async function ask(call: Call, asked: Asked, demo: Demo | undefined): Promise<Answered> {
  const known: Record<string, string> = {};
  for (const first of asked.first) {
    const answered = await askOnce(first.call, withNames(first.asked, known), demo);
    if (answered.status >= 400) return answered;
    const answer: unknown = JSON.parse(answered.text);
    for (const [name, path] of Object.entries(first.takes)) known[name] = String(memberOf(answer, path));
  }
  return askOnce(call, withNames(asked, known), demo);
}

function memberOf(answer: unknown, path: string): unknown {
  return path.split(".").reduce((of, name) => (of as Readonly<Record<string, unknown>> | undefined)?.[name], answer);
}

// What the calls before answered, where it is named.
function withNames(asked: Asked, known: Readonly<Record<string, string>>): Asked {
  const named = (text: string) =>
    text
      .replace(/"@@(\w+?)@@"/g, (whole, name: string) => known[name] ?? whole)
      .replace(/__([a-z]\w*?)__/g, (whole, name: string) => known[name] ?? whole);
  return { ...asked, path: named(asked.path), body: asked.body === undefined ? undefined : named(asked.body) };
}

async function askOnce(call: Call, asked: Asked, demo: Demo | undefined): Promise<Answered> {
  const authorization = await authorizationOf(call, asked, demo);
  const began = performance.now();
  const response = await fetch(asked.path, {
    method: asked.method,
    redirect: "manual",
    headers: {
      ...Object.fromEntries(asked.headers),
      ...(asked.needsKey && { "Idempotency-Key": `"${crypto.randomUUID()}"` }),
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    ...(asked.body !== undefined && { body: asked.body }),
  });
  const text = await textOf(response);
  learn(call, text, response);
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - began),
    headers: [...response.headers],
    text,
  };
}

async function textOf(response: Response): Promise<string> {
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

async function authorizationOf(call: Call, asked: Asked, demo: Demo | undefined): Promise<string | undefined> {
  if (call.credential === "none") return undefined;
  if (call.credential === "token") return tokenFor(call, demo);
  const kept = readKept();
  const own = kept.key && kept.secret ? { apiKey: kept.key, secret: kept.secret } : demoKeyFor(demo, call.as);
  if (!own) throw new NotReady("Give your key and secret under “Credentials” first.");
  return `${own.apiKey}:${await sign(own.secret, asked.path, asked.body ?? "")}`;
}

async function tokenFor({ as }: Call, demo: Demo | undefined): Promise<string> {
  const { token, demoTokens } = readKept();
  const known = token || demoTokens[as];
  if (known) return known;
  const user = demo?.users.find(({ username }) => username.startsWith(`${as}@`));
  if (!user) throw new NotReady("Sign in under “Credentials” first.");
  const signedIn = await signIn(user.username, user.password);
  if (!signedIn) throw new NotReady("The demo does not let its user in.");
  keep({ demoTokens: { ...demoTokens, [as]: signedIn } });
  return signedIn;
}

/** The token of a person; undefined where the name, the password or the code is wrong. */
export async function signIn(username: string, password: string, code = ""): Promise<string | undefined> {
  const response = await fetch("/api/v1/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password, ...(code && { code }) }),
  });
  const { connected } = (await response.json()) as { readonly connected?: boolean };
  return connected ? (response.headers.get("Authorization") ?? undefined) : undefined;
}

const UNAUTHORIZED = 401;

// The id of a cart or a booking goes into the calls that follow; a fresh token takes the place of the one before, and
// one of the demo's that has ended is asked for anew.
function learn({ as, credential }: Call, text: string, response: Response): void {
  const fresh = response.headers.get("Authorization") ?? undefined;
  const { token, demoTokens } = readKept();
  if (token && fresh) keep({ token: fresh });
  else if (credential === "token" && (fresh || response.status === UNAUTHORIZED))
    keep({ demoTokens: { ...demoTokens, [as]: fresh } });
  const [, id] = /"free_access_id": "([0-9a-f]{16,})"/.exec(text) ?? [];
  if (id) keep({ freeAccessId: id });
}

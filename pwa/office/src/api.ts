import { signal } from "@preact/signals";
import type { SignInAnswer, SignInProof } from "#shared/sign-in.tsx";

const KEY = "office-token";
const token = () => sessionStorage.getItem(KEY);

let session = 0;

/** Tells from now on whether nobody has signed in or out since. */
export function sameSession(): () => boolean {
  const own = session;
  return () => own === session;
}

/** Whether somebody is signed in on this tab; false as soon as the server says so. */
export const isOpen = signal(token() !== null);

/**
 * Whether the company asks who is signed in for a second factor that they have not shown: until they have, the server
 * does nothing else for them.
 */
export const isFactorMissing = signal(false);

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface CallOptions {
  readonly body?: unknown;
  /** Of a write: the same key is done once. */
  readonly key?: string;
}

/** Set while a write waits for its person's second factor: told whether it was proved. */
export const pendingProof = signal<((isProved: boolean) => void) | undefined>(undefined);

let proving: Promise<boolean> | undefined;

// Several writes that are refused at once wait for one proof.
function proveAgain(): Promise<boolean> {
  proving ??= new Promise<boolean>((resolve) => {
    pendingProof.value = resolve;
  }).finally(() => {
    proving = undefined;
    pendingProof.value = undefined;
  });
  return proving;
}

/**
 * Asks the office; a network that fails throws, every answer comes as it is. A write that asks for a fresh second
 * factor waits for it and is sent again under its key; not proved, its refusal is the answer.
 */
export async function ask(method: string, path: string, { body, key }: CallOptions = {}): Promise<Answer> {
  const callOptions = { body, key: key ?? crypto.randomUUID() };
  const answer = await send(method, path, callOptions);
  const isStale = isRefusedAs(answer, "second_factor_stale");
  return isStale && (await proveAgain()) ? send(method, path, callOptions) : answer;
}

async function send(method: string, path: string, { body, key }: CallOptions): Promise<Answer> {
  const isSame = sameSession();
  const response = await fetch(path, {
    method,
    // What a browser has kept of an answer may carry the token of a session that is over.
    cache: "no-store",
    headers: {
      Authorization: token() ?? "",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(method !== "GET" && { "Idempotency-Key": `"${key}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const fresh = response.headers.get("Authorization");
  // An answer to who has left says nothing of who is signed in now.
  if (fresh && isSame()) sessionStorage.setItem(KEY, fresh);
  if (response.status === 401 && isSame()) end();
  const text = await response.text();
  const answer: Answer = { status: response.status, body: text ? (JSON.parse(text) as Answer["body"]) : {} };
  if (isRefusedAs(answer, "second_factor_missing") && isSame()) isFactorMissing.value = true;
  return answer;
}

function end(): void {
  session += 1;
  sessionStorage.removeItem(KEY);
  isOpen.value = false;
}

const isRefusedAs = ({ status, body }: Answer, code: string) => status === 403 && body["code"] === code;

/** What was asked for, where an answer has it; of a refusal undefined. */
export const getContent = <Content>({ status, body }: Answer): Content | undefined =>
  status >= 200 && status < 300 ? (body as unknown as Content) : undefined;

/** A file that only staff may see: a paper or a photo; undefined where there is none. */
export async function fetchFile(path: string): Promise<Blob | undefined> {
  const response = await fetch(path, { headers: { Authorization: token() ?? "" }, cache: "no-store" });
  return response.ok ? response.blob() : undefined;
}

export const office = (path: string) => `/api/v1/office${path}`;

/** Not connected: the name or the password is wrong, or the second factor is asked for. */
export async function signIn(username: string, password: string, proof?: SignInProof): Promise<SignInAnswer> {
  session += 1;
  const { body } = await ask("POST", "/api/v1/login", { body: { username, password, ...proof } });
  isFactorMissing.value = false;
  isOpen.value = body["connected"] === true && token() !== null;
  return { ...(body as Partial<SignInAnswer>), connected: isOpen.value };
}

export async function signOut(): Promise<void> {
  await ask("DELETE", "/api/v1/logout").catch(() => undefined);
  end();
  isFactorMissing.value = false;
}

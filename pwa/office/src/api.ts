import { signal } from "@preact/signals";
import type { SignInAnswer, SignInProof } from "#shared/sign-in.tsx";

const KEY = "office-token";
const token = () => sessionStorage.getItem(KEY);

/** Whether somebody is signed in on this tab; false as soon as the server says so. */
export const isOpen = signal(token() !== null);

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly body?: unknown;
  /** Of a write: the same key is done once. */
  readonly key?: string;
}

/** Asks the office; a network that fails throws, every answer comes as it is. */
export async function ask(method: string, path: string, { body, key }: Asked = {}): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: {
      Authorization: token() ?? "",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(method !== "GET" && { "Idempotency-Key": `"${key ?? crypto.randomUUID()}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const fresh = response.headers.get("Authorization");
  if (fresh) sessionStorage.setItem(KEY, fresh);
  if (response.status === 401) {
    sessionStorage.removeItem(KEY);
    isOpen.value = false;
  }
  const text = await response.text();
  return { status: response.status, body: text ? (JSON.parse(text) as Answer["body"]) : {} };
}

/** A file that only staff may see: a paper or a photo; undefined where there is none. */
export async function fetchFile(path: string): Promise<Blob | undefined> {
  const response = await fetch(path, { headers: { Authorization: token() ?? "" } });
  return response.ok ? response.blob() : undefined;
}

export const office = (path: string) => `/api/v1/office${path}`;

/** Not connected: the name or the password is wrong, or the second factor is asked for. */
export async function signIn(username: string, password: string, proof?: SignInProof): Promise<SignInAnswer> {
  const { body } = await ask("POST", "/api/v1/login", { body: { username, password, ...proof } });
  isOpen.value = body["connected"] === true && token() !== null;
  return { ...(body as Partial<SignInAnswer>), connected: isOpen.value };
}

export async function signOut(): Promise<void> {
  await ask("DELETE", "/api/v1/logout").catch(() => undefined);
  sessionStorage.removeItem(KEY);
  isOpen.value = false;
}

import { type Clients, callUntilAnswered } from "./clients.ts";
import type { RequestRecord } from "./history.ts";
import type { Answer } from "./platform.ts";

const PASSWORD = "Right-pass-1!";
export const OFFICE_PATH = "/api/v1/office";

/** Context of an office user's step. */
export interface OfficeContext {
  readonly clients: Clients;
  readonly step: number;
  readonly token: string;
}

interface WriteOptions {
  /** Index of the request within its step. */
  readonly turn?: number;
  readonly onStateChange?: (state: RequestRecord["state"]) => void;
}

/** Signs in staff for a step, each time again because sessions expire after hours. Undefined without a response. */
export async function signInAtDesk(clients: Clients, step: number): Promise<OfficeContext | undefined> {
  const body = JSON.stringify({ username: "boss", password: PASSWORD });
  const call = { method: "POST", path: "/api/v1/login", headers: { "Content-Type": "application/json" }, body };
  const answer = await callUntilAnswered(clients, call);
  if (answer && answer.status !== 200) clients.history.faults.push(`sign-in: ${answer.status} ${answer.text}`);
  const token = answer?.headers.get("Authorization");
  return token ? { clients, step, token } : undefined;
}

/** Sends a write with its own key until there's a response. Undefined if it was rejected or never answered. */
export async function sendOfficeWrite(
  { clients, step, token }: OfficeContext,
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
  { turn = 1, onStateChange }: WriteOptions = {},
): Promise<Answer | undefined> {
  const { history, timeline } = clients;
  const key = createRequestKey(step, turn);
  const keep = (state: RequestRecord["state"]) => {
    history.office.set(key, { description: `${method} ${path}`, state, at: timeline.now() });
    onStateChange?.(state);
  };
  const headers = { Authorization: token, "Content-Type": "application/json", "Idempotency-Key": `"${key}"` };
  const call = { method, path: OFFICE_PATH + path, headers, ...(body && { body: JSON.stringify(body) }) };
  keep("asked");
  const answer = await callUntilAnswered(clients, call);
  if (!answer) return undefined;
  // Changed, ended or already done by another user.
  const isRefused = answer.status === 409 || answer.status === 400;
  const description = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`;
  keep(isRefused ? "refused" : "done");
  if (answer.status >= 300) history[isRefused ? "refusals" : "faults"].push(description);
  return isRefused ? undefined : answer;
}

/** Creates a step's own UUID as request key. */
export function createRequestKey(step: number, turn: number): string {
  return `01890000-0000-7000-90${String(turn).padStart(2, "0")}-${String(step).padStart(12, "0")}`;
}

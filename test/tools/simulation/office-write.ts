import { type Clients, callUntilAnswered } from "./clients.ts";
import type { RequestRecord } from "./history.ts";
import type { Answer } from "./platform.ts";

export const OFFICE_PATH = "/api/v1/office";

/** Context of an office user's step. */
export interface OfficeContext {
  readonly clients: Clients;
  readonly step: number;
  readonly token: string;
}

interface Write {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
  /** Index of the request within its step. */
  readonly turn?: number;
}

/** Sends a write with its own key until there's a response. Undefined if it was rejected or never answered. */
export async function sendOfficeWrite(
  { clients, step, token }: OfficeContext,
  { method, path, body, turn = 1 }: Write,
  onStateChange: (state: RequestRecord["state"]) => void = () => undefined,
): Promise<Answer | undefined> {
  const { history, timeline } = clients;
  const key = createRequestKey(step, turn);
  const keep = (state: RequestRecord["state"]) => {
    history.office.set(key, { description: `${method} ${path}`, state, at: timeline.now() });
    onStateChange(state);
  };
  const headers = { Authorization: token, "Content-Type": "application/json", "Idempotency-Key": `"${key}"` };
  const call = { method, path: OFFICE_PATH + path, headers, ...(body && { body: JSON.stringify(body) }) };
  keep("asked");
  const answer = await callUntilAnswered(clients, call);
  if (!answer) return undefined;
  // Changed, ended or already done by another user.
  if (answer.status === 409 || answer.status === 400) {
    keep("refused");
    return void history.refusals.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  }
  if (answer.status >= 300) history.faults.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  keep("done");
  return answer;
}

/** Creates a step's own UUID as request key. */
export function createRequestKey(step: number, turn: number): string {
  return `01890000-0000-7000-90${String(turn).padStart(2, "0")}-${String(step).padStart(12, "0")}`;
}

import { createHmac } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";

export type AccountName = "acme" | "globex";

/** A request as a client writes it; the path is sent exactly as it is. */
export interface Call<Account extends string = AccountName> {
  readonly account: Account;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Sends calls to one platform. */
export interface Client {
  /**
   * Once; throws where the connection breaks. `anew`: over a connection of its own, which nobody can have closed
   * before.
   */
  send(call: Call<string>, connection?: "anew"): Promise<Answer>;
  /** The rule of every client: the same request again until it is answered. */
  sendUntilAnswered(call: Call): Promise<Answer>;
  /** How often an answer was lost or the platform said to come back. */
  readonly repeated: () => number;
}

const WAIT_MILLISECONDS = 150;
const MAX_ATTEMPT_MS = 10_000;
const MAX_WAIT_MS = 300_000;

/** A client of the platform on a port of this machine; `isOver` ends the waiting of those who still repeat. */
export function createClient(port: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let repeated = 0;
  const send = (call: Call<string>, connection?: "anew") =>
    new Promise<Answer>((resolve, reject) => {
      const headers = {
        Host: `${call.account}.localhost`,
        ...(call.body !== undefined && { "Content-Length": String(Buffer.byteLength(call.body)) }),
        ...call.headers,
      };
      const options = {
        agent: connection ? (false as const) : agent,
        port,
        host: "127.0.0.1",
        method: call.method,
        path: call.path,
        headers,
      };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      sent.setTimeout(MAX_ATTEMPT_MS, () => sent.destroy(new Error("no answer in time")));
      sent.on("error", reject);
      sent.end(call.body);
    });
  const sendUntilAnswered = async (call: Call) => {
    const until = Date.now() + MAX_WAIT_MS;
    for (;;) {
      const answer = await send(call).catch(() => undefined);
      if (answer && answer.status !== 503) return answer;
      if (Date.now() > until) throw new Error(`${call.method} ${call.path} is not answered`);
      repeated += 1;
      await setTimeout(WAIT_MILLISECONDS);
    }
  };
  return { send, sendUntilAnswered, repeated: () => repeated };
}

/** A partner's call: JSON, signed over the path and the body. */
export function signedCall<Account extends string = AccountName>(
  key: { readonly apiKey: string; readonly secret: string },
  call: Pick<Call<Account>, "account" | "method" | "path">,
  content?: unknown,
): Call<Account> {
  const body = content === undefined ? undefined : JSON.stringify(content);
  const signature = createHmac("sha1", key.secret)
    .update(call.path + (body ?? ""))
    .digest("hex");
  const headers = { Authorization: `${key.apiKey}:${signature}`, "Content-Type": "application/json" };
  return { ...call, headers, ...(body !== undefined && { body }) };
}

/** A call with JSON, and a token where the caller is signed in. */
export function jsonCall(call: Pick<Call, "account" | "method" | "path">, content: unknown, token?: string): Call {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: token }) };
  return { ...call, headers, body: JSON.stringify(content) };
}

// biome-ignore lint/suspicious/noExplicitAny: what the writers read of an answer is checked against the database.
export function parseJson(answer: Answer): any {
  try {
    return JSON.parse(answer.bytes.toString());
  } catch {
    throw new Error(`not JSON (${answer.status}): ${answer.bytes.toString().slice(0, 200)}`);
  }
}

/** For an answer that no writer expects. */
export function unexpected(call: Call<string>, answer: Answer): Error {
  return new Error(`${call.method} ${call.path}: ${answer.status} ${answer.bytes.toString().slice(0, 300)}`);
}

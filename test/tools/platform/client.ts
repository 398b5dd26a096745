import { createHmac } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";

export type AccountName = "acme" | "globex";

/** A client request. The path is sent unchanged. */
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
   * Sends a request once. Throws if the connection breaks. `anew` uses a new connection, which can't already be closed.
   */
  send(call: Call<string>, connection?: "anew"): Promise<Answer>;
  /** Repeats a request until there's a response, as every client must. */
  sendUntilAnswered(call: Call): Promise<Answer>;
  /** Returns how often a response was lost or the platform asked to retry. */
  readonly repeated: () => number;
}

const WAIT_MILLISECONDS = 150;
const MAX_ATTEMPT_MS = 10_000;
const MAX_WAIT_MS = 300_000;

/** Creates a client of the local platform. */
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
      const clientRequest = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      clientRequest.setTimeout(MAX_ATTEMPT_MS, () => clientRequest.destroy(new Error("no answer in time")));
      clientRequest.on("error", reject);
      clientRequest.end(call.body);
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

/** Creates a partner's JSON call, signed over path and body. */
export function createSignedCall<Account extends string = AccountName>(
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

/** Creates a JSON call, with a token if signed in. */
export function createJsonCall(
  call: Pick<Call, "account" | "method" | "path">,
  content: unknown,
  token?: string,
): Call {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: token }) };
  return { ...call, headers, body: JSON.stringify(content) };
}

// biome-ignore lint/suspicious/noExplicitAny: the audit compares answers with the database.
export function parseJson(answer: Answer): any {
  try {
    return JSON.parse(answer.bytes.toString());
  } catch {
    throw new Error(`not JSON (${answer.status}): ${answer.bytes.toString().slice(0, 200)}`);
  }
}

/** Creates the error for an unexpected response. */
export function createUnexpectedAnswerError(call: Call<string>, answer: Answer): Error {
  return new Error(`${call.method} ${call.path}: ${answer.status} ${answer.bytes.toString().slice(0, 300)}`);
}

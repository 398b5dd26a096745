import { isLoopbackHost, isPrivateHost } from "#domain/webhooks/address.ts";

/** Answer of a webhook endpoint, or the problem. */
export interface WebhookResponse {
  readonly status: number | undefined;
  readonly problem: string | undefined;
  /** Beginning of the response body. */
  readonly text: string;
  readonly retryAfterSeconds: number | undefined;
  readonly milliseconds: number;
}

/** Limits for an attempt: milliseconds, and response bytes to read. */
export interface WebhookPostLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

export const WEBHOOK_POST_LIMITS: WebhookPostLimits = { milliseconds: 15_000, bytes: 4_000 };

const RESOLVER = "https://cloudflare-dns.com/dns-query";
const A = 1;
const AAAA = 28;

/**
 * Posts a message to a partner's URL. Refuses private addresses and redirects, and limits slow or endless answers.
 * Never throws.
 */
export async function postWebhookMessage(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  limits: WebhookPostLimits = WEBHOOK_POST_LIMITS,
): Promise<WebhookResponse> {
  const began = performance.now();
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"timeout">((resolve) => {
    timer = setTimeout(() => resolve("timeout"), limits.milliseconds);
  });
  const init = { method: "POST", headers: { ...headers }, body, redirect: "manual", signal: abort.signal } as const;
  try {
    const response = await Promise.race([send(url, init), late]);
    const reply = typeof response === "string" ? nothing(response) : await readReply(response, limits.bytes, late);
    return { ...reply, milliseconds: Math.round(performance.now() - began) };
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

type Reply = Omit<WebhookResponse, "milliseconds">;

function nothing(problem: string): Reply {
  return { status: undefined, problem, text: "", retryAfterSeconds: undefined };
}

/** Returns the receiver's response, or the problem. */
async function send(url: string, init: RequestInit): Promise<Response | string> {
  try {
    return (await findInnerAddress(new URL(url).hostname, init.signal)) ?? (await fetch(url, init));
  } catch {
    // The runtime's error message may reveal internals.
    return "unreachable";
  }
}

async function readReply(response: Response, maxBytes: number, late: Promise<unknown>): Promise<Reply> {
  return {
    status: response.status,
    problem: undefined,
    text: await readBeginning(response, maxBytes, late),
    retryAfterSeconds: parseRetrySeconds(response.headers),
  };
}

// RFC 9110 allows seconds or a date. A date is compared with the server's own clock if it sends one.
function parseRetrySeconds(headers: Headers): number | undefined {
  const retryAfter = headers.get("Retry-After") ?? "";
  const until = Date.parse(retryAfter) - (Date.parse(headers.get("Date") ?? "") || Date.now());
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : Math.ceil(until / 1000);
  return seconds > 0 ? seconds : undefined;
}

// The status decides. A body that stalls or breaks off is stored as far as it came.
async function readBeginning({ body }: Response, maxBytes: number, late: Promise<unknown>): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const end = { done: true, value: undefined } as const;
  const stop = late.then(() => end);
  let text = "";
  let bytes = 0;
  while (bytes < maxBytes) {
    const { done, value } = await Promise.race([reader.read().catch(() => end), stop]);
    if (done) break;
    const part = value.subarray(0, maxBytes - bytes);
    bytes += part.byteLength;
    text += decoder.decode(part, { stream: true });
  }
  void reader.cancel().catch(() => undefined);
  return text;
}

/** Used fields of a resolver's JSON answer. */
interface Resolved {
  readonly Answer?: readonly { readonly type: number; readonly data: string }[];
}

// A public name may resolve to a private address. A developer's own machine isn't checked.
async function findInnerAddress(hostname: string, signal: AbortSignal | null | undefined): Promise<string | undefined> {
  if (DEVELOPMENT_BUILD && isLoopbackHost(hostname)) return undefined;
  if (isPrivateHost(hostname)) return "private_address";
  if (hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname)) return undefined;
  const addresses = (await Promise.all(["A", "AAAA"].map((type) => resolve(hostname, type, signal)))).flat();
  if (addresses.length === 0) return "unknown_name";
  return addresses.some(isPrivateHost) ? "private_address" : undefined;
}

async function resolve(name: string, type: string, signal: AbortSignal | null | undefined): Promise<readonly string[]> {
  const queryUrl = `${RESOLVER}?name=${encodeURIComponent(name)}&type=${type}`;
  const response = await fetch(queryUrl, { headers: { Accept: "application/dns-json" }, signal: signal ?? null });
  const { Answer: answers = [] } = await response.json<Resolved>();
  return answers.filter((answer) => answer.type === A || answer.type === AAAA).map(({ data }) => data);
}

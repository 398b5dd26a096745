/** What the server refuses: its code, its own sentence, and the fields that are wrong. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly string[];

  constructor(status: number, code: string, message: string, fields: readonly string[]) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** The server could not be asked: no network, a wrong address, or a website that it does not let in. */
export class Unreachable extends Error {}

export interface Client {
  readonly origin: string;
  readonly language: string;
  readonly get: <T>(path: string) => Promise<T>;
  readonly post: <T>(path: string, body: object) => Promise<T>;
}

interface FailureAnswer {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly detail?: unknown;
}

/** Asks the company's public interface, in a language and with the website's key where it has one. */
export function createClient(origin: string, key: string | undefined, language: string): Client {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const url = new URL(path, origin);
    url.searchParams.set("lang", language);
    if (key) url.searchParams.set("api_key", key);
    const answer = await fetch(url, {
      method,
      credentials: "omit",
      ...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new Unreachable(String(error));
    });
    const content: unknown = await answer.json().catch(() => undefined);
    if (!answer.ok) throw toRefused(answer.status, content);
    if (content === undefined) throw new Unreachable(`${url.origin} answers no JSON`);
    return content as T;
  };
  return { origin, language, get: (path) => call("GET", path), post: (path, body) => call("POST", path, body) };
}

function toRefused(status: number, content: unknown): Refused {
  const { error, code, detail } = (typeof content === "object" && content !== null ? content : {}) as FailureAnswer;
  const fields = Array.isArray(detail) ? detail.map((one) => String((one as { field?: unknown }).field ?? "")) : [];
  return new Refused(status, typeof code === "string" ? code : "", typeof error === "string" ? error : "", fields);
}

import { vi } from "vitest";

/** A request received by a partner's URL. */
export interface ReceivedWebhook {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

type Answering = (got: ReceivedWebhook) => Response | Promise<Response>;

/** Simulated partners. Each URL responds as its test specifies, by default with 200. */
export class WebhookReceivers {
  readonly received: ReceivedWebhook[] = [];
  readonly #answers = new Map<string, Answering>();
  /** DNS results by name. Defaults to a public address. */
  readonly addressesByName = new Map<string, readonly string[]>();

  /** Replaces fetch until mocks are restored. Follows redirects as fetch does. */
  listen(): this {
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => this.#fetch(String(input), init));
    return this;
  }

  answers(url: string, answering: Answering): void {
    this.#answers.set(url, answering);
  }

  of(url: string): readonly ReceivedWebhook[] {
    return this.received.filter((got) => got.url === url);
  }

  /** Lists the event types received by a URL, in order. */
  typesOf(url: string): readonly string[] {
    return this.of(url).map(({ body }) => (JSON.parse(body) as { readonly type: string }).type);
  }

  async #fetch(url: string, init: RequestInit | undefined): Promise<Response> {
    const { hostname, searchParams } = new URL(url);
    if (hostname === "cloudflare-dns.com") return this.#resolved(searchParams);
    const got = { url, headers: new Headers(init?.headers), body: String(init?.body) };
    this.received.push(got);
    const answer = (await this.#answers.get(url)?.(got)) ?? new Response("heard");
    const location = answer.headers.get("Location");
    return location && init?.redirect !== "manual" ? this.#fetch(location, init) : answer;
  }

  #resolved(dnsQuery: URLSearchParams): Response {
    const addresses = this.addressesByName.get(dnsQuery.get("name") ?? "") ?? ["93.184.216.34"];
    const dnsAnswers = addresses.map((data) => ({ type: data.includes(":") ? 28 : 1, data }));
    return Response.json({
      Answer: dnsAnswers.filter(({ type }) => (type === 28) === (dnsQuery.get("type") === "AAAA")),
    });
  }
}

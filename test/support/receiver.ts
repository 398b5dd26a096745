import { vi } from "vitest";

/** What a partner's address got. */
export interface Got {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

type Answering = (got: Got) => Response | Promise<Response>;

/** Partners on the other side of the network: each address answers as its test says, 200 where it says nothing. */
export class Receivers {
  readonly got: Got[] = [];
  readonly #answers = new Map<string, Answering>();
  /** What the resolver says of a name; a public number where nothing is said. */
  readonly names = new Map<string, readonly string[]>();

  /** Takes the place of the network until mocks are restored. */
  listen(): this {
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => this.#fetch(String(input), init));
    return this;
  }

  answers(url: string, answering: Answering): void {
    this.#answers.set(url, answering);
  }

  of(url: string): readonly Got[] {
    return this.got.filter((got) => got.url === url);
  }

  /** The types of what an address got, in the order in which it came. */
  typesOf(url: string): readonly string[] {
    return this.of(url).map(({ body }) => (JSON.parse(body) as { readonly type: string }).type);
  }

  async #fetch(url: string, init: RequestInit | undefined): Promise<Response> {
    const { hostname, searchParams } = new URL(url);
    if (hostname === "cloudflare-dns.com") return this.#resolved(searchParams);
    const got = { url, headers: new Headers(init?.headers), body: String(init?.body) };
    this.got.push(got);
    return (await this.#answers.get(url)?.(got)) ?? new Response("heard");
  }

  #resolved(dnsQuery: URLSearchParams): Response {
    const addresses = this.names.get(dnsQuery.get("name") ?? "") ?? ["93.184.216.34"];
    const dnsAnswers = addresses.map((data) => ({ type: data.includes(":") ? 28 : 1, data }));
    return Response.json({
      Answer: dnsAnswers.filter(({ type }) => (type === 28) === (dnsQuery.get("type") === "AAAA")),
    });
  }
}

import { createHmac } from "node:crypto";
import { once } from "node:events";
import { get as getPlainly, type IncomingMessage } from "node:http";
import { get as getSecurely } from "node:https";
import { text } from "node:stream/consumers";
import type { ExtractedMoneyData } from "./audit.ts";

/** URL and credentials of the integration API. */
interface ApiAccess {
  readonly url: string;
  readonly apiKey: string;
  readonly secret: string;
}

const PAGE_SIZE = 500;

/** Extracts all money data through the integration API, page by page. */
export async function extractRemoteMoneyData(api: ApiAccess): Promise<ExtractedMoneyData> {
  const documents = [...(await readAll(api, "invoices")), ...(await readAll(api, "internal-bonds"))];
  const [charges, contracts] = [await readAll(api, "charges"), await readAll(api, "reservations")];
  // Trust the response types promised by the API.
  return { documents, charges, contracts } as unknown as ExtractedMoneyData;
}

async function readAll({ url, apiKey, secret }: ApiAccess, list: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let page = 0; ; page++) {
    const path = `/api/v1/integration/${list}?page=${page}&page_size=${PAGE_SIZE}`;
    const signature = createHmac("sha1", secret).update(path).digest("hex");
    const { data, total } = JSON.parse(await ask(new URL(path, url), `${apiKey}:${signature}`)) as {
      readonly data: readonly unknown[];
      readonly total: number;
    };
    all.push(...data);
    if (data.length < PAGE_SIZE || all.length >= total) return all;
  }
}

// Sends a request. Hosts of development accounts are local names that not every system resolves.
async function ask(url: URL, authorization: string): Promise<string> {
  const get = url.protocol === "https:" ? getSecurely : getPlainly;
  const headers = { Authorization: authorization, Host: url.host };
  const loopbackHost = url.hostname.endsWith(".localhost") && { hostname: "127.0.0.1" };
  const [answer]: IncomingMessage[] = await once(get(url.href, { headers, ...loopbackHost }), "response");
  const body = answer ? await text(answer) : "";
  if (answer?.statusCode !== 200) throw new Error(`${url.pathname}: ${answer?.statusCode} ${body.slice(0, 200)}`);
  return body;
}

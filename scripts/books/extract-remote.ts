import { createHmac } from "node:crypto";
import type { Extracted } from "./audit.ts";

/** A key of the integration interface, and where it is asked. */
export interface Door {
  readonly url: string;
  readonly apiKey: string;
  readonly secret: string;
}

const PAGE_SIZE = 500;

/** All that the integration interface of an account tells of its money, a page at a time. */
export async function extractRemotely(door: Door): Promise<Extracted> {
  const papers = [...(await readAll(door, "invoices")), ...(await readAll(door, "internal-bonds"))];
  const [charges, contracts] = [await readAll(door, "charges"), await readAll(door, "reservations")];
  // What the interface promises is what its answers are taken for.
  return { papers, charges, contracts } as unknown as Extracted;
}

async function readAll({ url, apiKey, secret }: Door, list: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let page = 0; ; page++) {
    const path = `/api/v1/integration/${list}?page=${page}&page_size=${PAGE_SIZE}`;
    const signature = createHmac("sha1", secret).update(path).digest("hex");
    const answer = await fetch(new URL(path, url), { headers: { Authorization: `${apiKey}:${signature}` } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
    const { data, total } = (await answer.json()) as { readonly data: readonly unknown[]; readonly total: number };
    all.push(...data);
    if (data.length < PAGE_SIZE || all.length >= total) return all;
  }
}

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { openTestTenant } from "#support/databases.ts";
import { type ErpPage, getAsErp, listAsErp, reportAsErp } from "#support/erp-client.ts";
import { invoiceContract } from "#worker/usecases/documents/invoice-contract.ts";

const INVOICES = 113;
const UNPROCESSED = "/api/v1/integration/invoices?accounting_processed=false";

interface Page {
  readonly ids: readonly number[];
  /** Target of the page's `Link` header. */
  readonly next: string | undefined;
}

async function read(path: string): Promise<Page> {
  const answer = await getAsErp(path);
  const { data } = await answer.json<ErpPage<{ id: number }>>();
  return { ids: data.map(({ id }) => id), next: /^<(.*)>; rel="next"$/.exec(answer.headers.get("Link") ?? "")?.[1] };
}

/** Requests page by page and reports each before the next, until one is empty or missing. */
async function processAll(toPath: (page: number, before: Page | undefined) => string | undefined): Promise<number> {
  const seenIds = new Set<number>();
  let before: Page | undefined;
  for (let page = 0; ; page++) {
    const path = toPath(page, before);
    before = path === undefined ? { ids: [], next: undefined } : await read(path);
    if (before.ids.length === 0) return seenIds.size;
    for (const id of before.ids) {
      expect(seenIds.has(id), `${id} came twice`).toBe(false);
      seenIds.add(id);
      await reportAsErp(`/api/v1/integration/invoice/${id}/processed`);
    }
  }
}

const countUnprocessed = async () => (await listAsErp(UNPROCESSED)).total;

beforeAll(async () => {
  await setUpCompany();
  await insertContracts(Array.from({ length: INVOICES }, (_, index) => ({ id: index + 1, status: "done" })));
  const desk = {
    tenant: openTestTenant(env),
    staff: { userId: 1, role: "administrator" as const, branches: "all" as const },
    factor: "fresh" as const,
    now: Date.now(),
  };
  for (let id = 1; id <= INVOICES; id++)
    await invoiceContract(desk, { requestId: `request-${id}`, bookingId: id, advanceCents: undefined, issued: true });
}, 60_000);

beforeEach(() => env.TENANT_ACME.prepare("UPDATE documents SET accounting_processed = 0").run());

describe("a loop over accounting_processed=false that reports each page before it asks for the next", () => {
  // Proves "security, privacy and operation": Reporting while extracting misses nothing with the first page, the cursor
  //   or `Link`
  test.each([
    ["that asks for the first page again until it is empty", () => `${UNPROCESSED}&page=0`],
    [
      "by the cursor",
      (_: number, before: Page | undefined) => `${UNPROCESSED}${before ? `&after=${before.ids.at(-1)}` : ""}`,
    ],
    [
      "that follows Link",
      (page: number, before: Page | undefined) => (page === 0 ? `${UNPROCESSED}&page=0` : before?.next),
    ],
  ])("processes every invoice in a loop of pages %s", async (_, toPath) => {
    expect([await processAll(toPath), await countUnprocessed()]).toEqual([INVOICES, 0]);
  });

  // Proves "security, privacy and operation": A loop by page number skips rows that left the filter, but none
  //   permanently
  test("misses rows in a page-number loop that marks rows as processed, but reaches all rows in repeated runs", async () => {
    const byNumber = (page: number) => `${UNPROCESSED}&page=${page}`;
    expect([await processAll(byNumber), await countUnprocessed()]).toEqual([60, 53]);
    let runs = 1;
    for (; (await countUnprocessed()) > 0; runs++) await processAll(byNumber);
    expect(runs).toBeLessThan(10);
  });
});

describe("Link", () => {
  test.each([
    ["reservations?page=1&page_size=10&status=done", "reservations?page_size=10&status=done&after=20"],
    ["rental-locations?page_size=1", "rental-locations?page_size=1&after=AIR"],
    ["booking-items?page_size=1", "booking-items?page_size=1&after=A-1"],
  ])("keeps page size and filters in the next-page link of %s", async (path, next) => {
    const { next: nextLink } = await read(`/api/v1/integration/${path}`);
    expect(nextLink).toBe(`/api/v1/integration/${next}`);
    expect((await getAsErp(nextLink ?? "")).status).toBe(200);
  });

  test("omits the next-page link if the page isn't full, and keeps a time filter in it as the client sent it", async () => {
    expect((await read("/api/v1/integration/invoices?page_size=500")).next).toBeUndefined();
    const since = "updated_from=2026-01-01%2000:00:00.000%2B01:00";
    const { next } = await read(`/api/v1/integration/invoices?page_size=1&${since}`);
    expect(new URLSearchParams(next?.split("?")[1]).get("updated_from")).toBe("2026-01-01 00:00:00.000+01:00");
    expect((await read(next ?? "")).ids).toHaveLength(1);
  });
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  createAgencyReservationBody,
  createAvailabilityPath,
  SECOND_AGENCY,
  type TestPartner,
} from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { requestWorker } from "#support/worker.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import { dedupeRequest, invalidateDedupeCache } from "#worker/tenancy/request-dedupe.ts";

/** Counts how often a query was executed. Each result is its number. */
function createQuestion() {
  let requestCount = 0;
  return { ask: async () => ++requestCount, asked: () => requestCount };
}

const backgroundWork: Promise<unknown>[] = [];
let account = 0;

/** Creates a caller with its own account at a given time. */
function createAsker(now = 0, name = `account-${++account}`) {
  return { name, now, waitUntil: (work: Promise<unknown>) => void backgroundWork.push(work) };
}

describe("responses cached for a second", () => {
  test("returns a cached response to the same query within a second, and not later", async () => {
    const { ask } = createQuestion();
    const asker = createAsker(5000);
    expect(await dedupeRequest(asker, "days", ask)).toBe(1);
    expect(await dedupeRequest({ ...asker, now: 5999 }, "days", ask)).toBe(1);
    expect(await dedupeRequest({ ...asker, now: 6000 }, "days", ask)).toBe(2);
  });

  test("runs a query once for simultaneous callers", async () => {
    const { ask, asked } = createQuestion();
    const asker = createAsker();
    const answers = await Promise.all(Array.from({ length: 20 }, () => dedupeRequest(asker, "days", ask)));
    expect([new Set(answers).size, asked()]).toEqual([1, 1]);
  });

  test("caches responses separately per query and per account", async () => {
    const { ask } = createQuestion();
    const asker = createAsker();
    expect(await dedupeRequest(asker, "days", ask)).toBe(1);
    expect(await dedupeRequest(asker, "other days", ask)).toBe(2);
    expect(await dedupeRequest(createAsker(), "days", ask)).toBe(3);
  });

  test("caches no response of a query that started before a write", async () => {
    const { ask } = createQuestion();
    const asker = createAsker();
    const { promise, resolve } = Promise.withResolvers<number>();
    const slow = dedupeRequest(asker, "days", () => promise);
    invalidateDedupeCache(asker.name);
    resolve(99);
    expect(await slow).toBe(99);
    expect(await dedupeRequest(asker, "days", ask)).toBe(1);
  });

  test("caches no failure, so that each caller queries again", async () => {
    const { ask } = createQuestion();
    const asker = createAsker();
    const failing = dedupeRequest(asker, "days", () => Promise.reject(new Error("lost")));
    const pendingAnswer = dedupeRequest(asker, "days", ask);
    await expect(failing).rejects.toThrow("lost");
    expect(await pendingAnswer).toBe(1);
    await Promise.all(backgroundWork);
    expect(await dedupeRequest(asker, "days", ask)).toBe(2);
  });

  test("queries again after two seconds if a shared response never arrives", async () => {
    vi.useFakeTimers();
    try {
      const { ask } = createQuestion();
      const asker = createAsker();
      void dedupeRequest(asker, "days", () => new Promise<number>(() => undefined));
      const pendingAnswer = dedupeRequest(asker, "days", ask);
      await vi.advanceTimersByTimeAsync(2000);
      expect(await pendingAnswer).toBe(1);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("caches no response if the runtime may cancel it with its caller, and none if the clock was set back", async () => {
    const { ask } = createQuestion();
    const asker = createAsker(5000);
    expect(await dedupeRequest({ ...asker, waitUntil: undefined }, "days", ask)).toBe(1);
    expect(await dedupeRequest(asker, "days", ask)).toBe(2);
    expect(await dedupeRequest({ ...asker, now: 4000 }, "days", ask)).toBe(3);
  });

  test("limits the cache to several hundred queries", async () => {
    const { ask, asked } = createQuestion();
    const asker = createAsker();
    for (let iteration = 0; iteration < 1000; iteration++) await dedupeRequest(asker, `days ${iteration}`, ask);
    await dedupeRequest(asker, "days 999", ask);
    expect(asked()).toBe(1000);
    await dedupeRequest(asker, "days 0", ask);
    expect(asked()).toBe(1001);
  });
});

describe("a search with the search cache", () => {
  const remembering = { ...env, SEARCH_CACHE: "on" };
  const call = async (method: string, path: string, body?: string, partner: TestPartner = {}) => {
    const { apiKey = "agency", secret = "agency-secret", account: accountName = "acme" } = partner;
    const signature = await signPathAndQuery(secret, `/api/booking/ota${path}`, body);
    const headers = { "Content-Type": "application/json", Authorization: `${apiKey}:${signature}` };
    const init = { method, headers, ...(body !== undefined && { body }) };
    return requestWorker(`http://${accountName}.localhost:8787/api/booking/ota${path}`, init, remembering);
  };
  const search = (partner?: TestPartner) => call("GET", createAvailabilityPath(), undefined, partner);
  const getCallCount = (answer: Response) => Number(/calls=(\d+)/.exec(answer.headers.get("Server-Timing") ?? "")?.[1]);
  const isFree = async (answer: Response) => {
    const { response } = await answer.json<{ response: { products: { code: string; available: boolean }[] } }>();
    return response.products.find(({ code }) => code === "A")?.available;
  };

  beforeEach(async () => {
    await setUpCompany();
  });

  test("calls no database for a search repeated within a second, and returns the same result", async () => {
    await search();
    // On a slow machine two requests may take longer than a second, so retry.
    await vi.waitFor(
      async () => {
        const [first, second] = [await search(), await search()];
        expect(getCallCount(second)).toBe(0);
        expect(await second.json()).toEqual(await first.json());
      },
      { timeout: 60_000 },
    );
  });

  test("shows a booking immediately in the next search of the same isolate", async () => {
    for (;;) {
      if (!(await isFree(await search()))) break;
      const booked = await call("POST", "/booking", JSON.stringify(createAgencyReservationBody()));
      expect(booked.status).toBe(200);
      expect(getCallCount(await search())).toBeGreaterThan(0);
    }
    const refused = await call("POST", "/booking", JSON.stringify(createAgencyReservationBody()));
    expect(refused.status).toBe(409);
  });

  test("doesn't reuse an agency's cached search for another agency", async () => {
    await search();
    expect(getCallCount(await search(SECOND_AGENCY))).toBeGreaterThan(0);
  });
});

import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { beforeEach, describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { setUpCompany } from "#support/company.ts";
import { requestWorker } from "#support/worker.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { showFailuresAsPages } from "#worker/site/failure-pages.ts";

const SITE = "http://acme.localhost:8787";
const ID = "9f0c2d1e4b5a69788796a5b4c3d2e1f0";
const OWN = `/api/v1/web-customer/reservations/${ID}`;
const BROWSER = {
  Accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "Accept-Language": "de-DE,de;q=0.9",
  "CF-Connecting-IP": "203.0.113.9",
};
const PAYMENT = `id=${ID}&payment=total&payment_method_id=tpvA256`;
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** Addresses that customers open by a link or a form of a page. */
const LIMITED_PAGES = [
  ["GET", `/quote/${ID}`],
  ["GET", `/quote/${ID}/quote.pdf`],
  ["POST", `/quote/${ID}/accept`],
  ["POST", `/quote/${ID}/decline`],
  ["GET", `/pay/${ID}`],
  ["POST", `/pay/${ID}`],
  ["POST", "/reserva/pagar"],
  ["POST", "/transfer/pagar"],
  ["GET", `${OWN}/contract.pdf`],
  ["GET", `${OWN}/documents/1.pdf`],
  ["GET", `${OWN}/charges/1.pdf`],
  ["GET", `${OWN}/calendar.ics`],
] as const;
const OTHER_PAGES = [
  ["GET", "/"],
  ["GET", "/terms"],
  ["GET", `/reserva/payment-gateway-return/ok?payment=${ID}`],
] as const;

const send = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = BROWSER,
  bindings: Cloudflare.Env = env,
) =>
  requestWorker(
    SITE + path,
    method === "POST" ? { method, headers: { ...headers, ...FORM }, body: PAYMENT } : { headers },
    bindings,
  );

const CLOSED = { limit: async () => ({ success: false }) } as unknown as RateLimit;
const CLOSED_LIMITS: Cloudflare.Env = { ...env, IP_RATE_LIMITER: CLOSED, VISITOR_RATE_LIMITER: CLOSED };

function withFailingDatabase(message: string): Cloudflare.Env {
  const fail = () => {
    throw new Error(message);
  };
  const database = { prepare: fail, batch: fail, withSession: () => database } as unknown as D1Database;
  return { ...env, TENANT_ACME: database };
}

async function readPage(response: Response) {
  expect(response.headers.get("Content-Type")).toMatch(/^text\/html/);
  expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  const text = await response.text();
  return { text, title: /<h1>(.*?)<\/h1>/.exec(text)?.[1], language: /<html lang="(\w+)"/.exec(text)?.[1] };
}

beforeEach(async () => {
  await setUpCompany();
});

describe("pages for failed requests", () => {
  test.each(LIMITED_PAGES)(
    "answers requests over the rate limit with a page in the visitor's language: %s %s",
    async (method, path) => {
      const response = await send(method, path, BROWSER, CLOSED_LIMITS);
      expect(response.status).toBe(429);
      expect(response.headers.get("Retry-After")).toBe("60");
      expect(response.headers.get("RateLimit-Policy")).toMatch(/w=60$/);
      const { text, title, language } = await readPage(response);
      expect([language, title]).toEqual(["de", "Zu viele Anfragen"]);
      expect(text).toContain("Test Rentals");
      expect(text).toContain("/company-colors.css");
      expect(text).toContain('href="/?lang=de#contact"');
    },
  );

  test.each(LIMITED_PAGES)("answers programs over the rate limit in JSON: %s %s", async (method, path) => {
    const { Accept: _, ...headers } = BROWSER;
    const response = await send(method, path, headers, CLOSED_LIMITS);
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe("60");
    expect(await response.json()).toMatchObject({ code: "too_many_attempts" });
  });

  test.each([
    ["D1 DB is overloaded. Too many requests queued.", 503],
    ["secret_sealed is broken", 500],
  ])("shows a page for each address if the database fails with %s", async (message, status) => {
    for (const [method, path] of [...LIMITED_PAGES, ...OTHER_PAGES]) {
      const response = await send(method, path, BROWSER, withFailingDatabase(message));
      const { text, title } = await readPage(response);
      expect([path, response.status, title]).toEqual([path, status, "Vorübergehend nicht verfügbar"]);
      expect(text).not.toContain("secret_sealed");
      if (status === 503) expect(response.headers.get("Retry-After")).toBe("2");
    }
  });

  test.each([
    ["GET", `${OWN}/contract.pdf`, 404, "Seite nicht gefunden"],
    ["GET", `${OWN}/documents/1.pdf`, 404, "Seite nicht gefunden"],
    ["GET", `/quote/${ID}/quote.pdf`, 404, "Seite nicht gefunden"],
    ["GET", "/pay/x", 404, undefined],
    ["GET", "/quote/x", 404, undefined],
    ["GET", "/logo", 404, "Seite nicht gefunden"],
    ["GET", "/nothing/here", 404, "Seite nicht gefunden"],
    ["GET", "/office/nothing", 404, "Seite nicht gefunden"],
    ["GET", "/checkin/nothing", 404, "Seite nicht gefunden"],
    ["GET", "/demo/nothing", 404, "Seite nicht gefunden"],
    ["POST", "/nothing/here", 404, "Seite nicht gefunden"],
    ["POST", `/quote/${ID}/nothing`, 404, "Seite nicht gefunden"],
    ["PUT", `/pay/${ID}`, 405, "Schritt nicht möglich"],
    ["GET", "/reserva/payment-gateway-return/ok?payment=x&payment=y", 400, "Link unvollständig"],
    ["GET", `${OWN}/contract.pdf?lang=de&lang=en`, 400, "Link unvollständig"],
  ])("shows a page for the wrong address %s %s", async (method, path, status, expectedTitle) => {
    const response = await requestWorker(SITE + path, { method, headers: BROWSER });
    expect(response.status).toBe(status);
    const { text, title } = await readPage(response);
    expect(text).toContain('href="/?lang=de#contact"');
    if (expectedTitle) expect(title).toBe(expectedTitle);
  });

  test("explains each status in a sentence of its own, in each language", async () => {
    const statuses = [400, 404, 405, 410, 429, 503] as const;
    const app = new Hono<AppEnvironment>().use(showFailuresAsPages);
    app.get("/:status", (c) => c.json({ error: "x" }, Number(c.req.param("status")) as 400));
    const readSentence = async (status: number, language: string) => {
      const response = await app.request(`/${status}`, { headers: { ...BROWSER, "Accept-Language": language } });
      expect(response.status).toBe(status);
      const { text, title, language: shownLanguage } = await readPage(response);
      expect(shownLanguage).toBe(language);
      return [title, /<h1>.*?<\/h1>\s*<p>(.*?)<\/p>/s.exec(text)?.[1] ?? ""];
    };
    const pages = await Promise.all(
      PLATFORM_LANGUAGES.flatMap((language) => statuses.map((status) => readSentence(status, language))),
    );
    const sentences = pages.map(([, sentence = ""]) => sentence);
    expect(new Set(sentences).size).toBe(PLATFORM_LANGUAGES.length * statuses.length);
    expect(sentences.filter((sentence) => sentence === "" || sentence.length > 100)).toEqual([]);
  });

  test("shows a page for a company that doesn't exist", async () => {
    const response = await requestWorker("http://nobody.localhost:8787/", { headers: BROWSER });
    expect(response.status).toBe(404);
    expect((await readPage(response)).title).toBe("Seite nicht gefunden");
  });

  test("answers JSON to programs that also accept HTML: APIs and gateways", async () => {
    for (const path of [
      "/api/v1/nothing",
      "/api/booking/frontend/nothing",
      `${OWN}/downloads`,
      "/charge-processed/x",
    ]) {
      const response = await send(path.startsWith("/charge") ? "POST" : "GET", path);
      expect([path, response.headers.get("Content-Type")]).toEqual([path, expect.stringContaining("json")]);
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
  });

  test("shows the error page over the rate limit in each platform language", async () => {
    const titles = new Set<string | undefined>();
    for (const language of PLATFORM_LANGUAGES) {
      const response = await send("GET", `/pay/${ID}`, { ...BROWSER, "Accept-Language": language }, CLOSED_LIMITS);
      const page = await readPage(response);
      expect(page.language).toBe(language);
      titles.add(page.title);
    }
    expect(titles.size).toBe(PLATFORM_LANGUAGES.length);
  });
});

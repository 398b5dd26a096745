import { env } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { getAsAgency } from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { openTestTenant } from "#support/databases.ts";
import { getAsErp } from "#support/erp-client.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

let company: TestCompany;

beforeEach(async () => {
  company = await setUpCompany();
  await insertContracts([{ id: 7, status: "done" }]);
});

describe("an unknown parameter", () => {
  const getIgnoredParameters = (answer: Response) => answer.headers.get("Ignored-Parameters");

  // Proves "conventions.md": A parameter that a route does not have is named in Ignored-Parameters
  test("names unknown parameters in Ignored-Parameters and otherwise returns the same response, in each public API", async () => {
    for (const [path, of] of [
      ["/api/v1/integration/reservations?page_size=5", getAsErp],
      ["/api/booking/reservation-report?from=2026-01-01", getAsErp],
      ["/location-list?customer-language=en", getAsAgency],
      [
        "http://acme.localhost:8787/api/booking/frontend/products?lang=en",
        (url: string) => requestWorker(url) as Promise<Response>,
      ],
    ] as const) {
      const [plain, other] = [await of(path), await of(`${path}&acounting_procesed=false&a%20b%0Ac=1`)];
      expect([other.status, getIgnoredParameters(other), await other.text()]).toEqual([
        200,
        "acounting_procesed, a%20b%0Ac",
        await plain.text(),
      ]);
      expect(getIgnoredParameters(plain)).toBeNull();
    }
  });

  test("accepts a website's key, reports an invalid key, and rejects it if a key is required", async () => {
    const settings = "http://acme.localhost:8787/api/booking/frontend/settings";
    const requestSettings = async (query: string) => (await requestWorker(`${settings}${query}`)) as Response;
    await company.db.prepare("INSERT INTO engine_keys (api_key, name, created_at) VALUES ('web', '', 0)").run();
    await openTestTenant(env).freshSnapshot();
    for (const [query, names] of [
      ["?api_key=web", null],
      ["?api_key=", null],
      ["?api_key=WRONG", "api_key"],
      ["?api_key=WRONG&colour=red", "api_key, colour"],
    ] as const) {
      const answer = await requestSettings(query);
      expect([query, answer.status, getIgnoredParameters(answer)]).toEqual([query, 200, names]);
    }
    await company.db.prepare("UPDATE settings SET engine_requires_api_key = 1").run();
    await openTestTenant(env).freshSnapshot();
    const required = await Promise.all(["", "?api_key=WRONG", "?api_key=web"].map(requestSettings));
    expect(required.map(({ status }) => status)).toEqual([403, 403, 200]);
  });

  test("reports only the first 25 unknown parameters, each cut to 100 characters, also with an error", async () => {
    const many = Array.from({ length: 60 }, (_, at) => `${"x".repeat(150)}${at}=1`).join("&");
    const answer = await getAsErp(`/api/v1/integration/customers?after=NOPE&${many}`);
    expect([answer.status, getIgnoredParameters(answer)?.split(", ").length]).toEqual([400, 25]);
    expect(getIgnoredParameters(answer)?.split(", ")[0]).toBe("x".repeat(100));
  });

  // Proves "conventions.md": The office refuses a parameter that it does not have
  test("rejects an unknown parameter by name in the office", async () => {
    await addTestUsers();
    const answer = await callOffice("GET", "/reservations?stauts=confirmed", { token: await createToken("boss") });
    expect([answer.status, await answer.json()]).toMatchObject([400, { detail: [{ field: "stauts" }] }]);
  });
});

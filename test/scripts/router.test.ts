import { beforeEach, describe, expect, test } from "vitest";
import { findElementByPath, PARTNER_XML_RULES, parseXml } from "#domain/xml.ts";
import { createSmallCells, type SmallCells } from "#support/directory.ts";
import { startCompanyMove } from "#worker/directory/move.ts";
import {
  CompanyPlacementCache,
  PLACEMENT_TTL_MS,
  STALE_PLACEMENT_TTL_MS,
  UNKNOWN_COMPANY_TTL_MS,
} from "#worker/directory/placements.ts";
import { ROUTE_HEADER, STALE_PLACEMENT_HEADER, verifyRoute } from "#worker/directory/route-header.ts";
import { routeRequest } from "#worker/router/app.ts";
import type { RouterEnvironment } from "#worker/router/environment.ts";

const KEY = "router-key-of-more-than-thirty-two-letters";
const OPERATOR = "operator-key-of-thirty-two-letters";
const MONITOR = "monitor-key";

type Answer = (request: Request) => Response | Promise<Response>;

let small: SmallCells;
let requests: { readonly cell: string; readonly request: Request }[] = [];
let answers: Record<string, Answer> = {};
let number = 0;

beforeEach(() => {
  small = createSmallCells();
  requests = [];
  answers = {};
});

/** Adds a company with a new name, because the router remembers companies between tests. */
function placeCompany(cell = "01", state = "active"): string {
  number += 1;
  const name = `company-${number}`;
  const slot = 100 + number;
  small.directory.rows("INSERT INTO slots (cell, slot, state) VALUES (?, ?, 'used')", cell, slot);
  small.directory.rows("INSERT INTO accounts VALUES (?, ?, ?, ?, 0, NULL, NULL, NULL, NULL)", name, cell, slot, state);
  return name;
}

function environment(more: object = {}): RouterEnvironment {
  const service = (cell: string) => ({
    fetch: async (incomingRequest: Request, init: RequestInit) => {
      const request = new Request(incomingRequest, init);
      requests.push({ cell, request });
      return answers[cell]?.(request) ?? Response.json({ cell });
    },
  });
  const keys = { BASE_DOMAIN: "rentals.test", ROUTER_KEY: KEY, OPERATOR_KEY: OPERATOR, MONITOR_KEY: MONITOR };
  const bindings = { ...keys, DIRECTORY: small.directory.db, CELL_01: service("01"), CELL_02: service("02") };
  return { ...bindings, ...more } as unknown as RouterEnvironment;
}

const ask = (url: string, init: RequestInit = {}, env = environment()) => routeRequest(new Request(url, init), env);
const readCode = async (answer: Response) => [answer.status, ((await answer.json()) as { code?: string }).code];
const getRoute = (index: number) => requests[index]?.request.headers.get(ROUTE_HEADER);

describe("a request to a company", () => {
  test("routes a request to the company's cell with account and slot, in any spelling of the host", async () => {
    const name = placeCompany("02");
    for (const host of [name, name.toUpperCase(), `${name}.rentals.test.`, `${name}.rentals.test:8443`]) {
      const url = `https://${host.includes("rentals") ? host : `${host}.rentals.test`}/api/v1/login?x=1`;
      expect(await (await ask(url)).json()).toEqual({ cell: "02" });
    }
    expect(requests.map(({ cell, request }) => [cell, new URL(request.url).pathname])).toEqual(
      Array(4).fill(["02", "/api/v1/login"]),
    );
    expect(verifyRoute(KEY, "02", getRoute(0))).toEqual({ cell: "02", account: name, slot: 100 + number });
  });

  test("removes a forged routing header, and keeps method, body and version override", async () => {
    const name = placeCompany();
    const headers = { [ROUTE_HEADER]: "01 other 1 ff", "Cloudflare-Workers-Version-Overrides": 'cell="abc"' };
    await ask(`https://${name}.rentals.test/x`, { method: "POST", body: "text", headers });
    const request = requests[0]?.request;
    expect([request?.method, await request?.text()]).toEqual(["POST", "text"]);
    expect(request?.headers.get("Cloudflare-Workers-Version-Overrides")).toBe('cell="abc"');
    expect(verifyRoute(KEY, "01", getRoute(0))?.account).toBe(name);
  });

  test.each([
    "https://nobody.rentals.test/",
    "https://a.blue-boats.rentals.test/",
    "https://blue-boats.rentals.test.evil.example/",
    "https://evilrentals.test/",
    "https://127.0.0.1/",
    "https://%62lue-boats_.rentals.test/",
    "https://blüe-boats.rentals.test/",
    "https://xn--ble-boats-q9a.rentals.test/",
    "https://-.rentals.test/",
    "https://constructor.rentals.test/",
    `https://${"a".repeat(60)}.rentals.test/`,
  ])("answers a request to an unknown host in the router: %s", async (url) => {
    expect((await ask(url, { headers: { "X-Forwarded-Host": "blue-boats.rentals.test" } })).status).toBe(404);
    expect(requests).toEqual([]);
  });

  test.each([
    ["paused", [503, "account_paused"]],
    ["adding", [404, undefined]],
    ["deleting", [404, undefined]],
  ])("doesn't serve a request while the company is %s", async (state, expected) => {
    const answer = await ask(`https://${placeCompany("01", state)}.rentals.test/`);
    expect(await readCode(answer)).toEqual(expected);
    expect(requests).toEqual([]);
  });

  test.each([
    ["of an unknown company", 404, () => "nobody"],
    ["of a paused company", 503, () => placeCompany("01", "paused")],
    ["whose cell doesn't answer", 503, () => placeCompany("01")],
    ["to no company", 404, () => undefined],
  ])("answers an OpenTravel request %s in XML", async (_, status, create) => {
    answers["01"] = () => Promise.reject(new Error("Worker threw exception"));
    const name = create();
    const host = name === undefined ? "rentals.test" : `${name}.rentals.test`;
    for (const path of ["/api/ota", "/api/ota/other", "//api/OTA"]) {
      const answer = await ask(`https://${host}${path}`, { method: "POST", body: "<a/>" });
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([status, "application/xml; charset=utf-8"]);
      const error = findElementByPath(parseXml(await answer.text(), PARTNER_XML_RULES), "Errors", "Error");
      expect(error?.attributes).toMatchObject({ Type: expect.any(String), ShortText: expect.stringMatching(/\w/) });
    }
  });

  test.each([
    ["of an unknown company", 404, "Seite nicht gefunden", () => "nobody"],
    ["of a paused company", 503, "Vorübergehend nicht verfügbar", () => placeCompany("01", "paused")],
    ["whose cell doesn't answer", 503, "Vorübergehend nicht verfügbar", () => placeCompany("01")],
    ["to no company", 404, "Seite nicht gefunden", () => undefined],
  ])("shows a browser a page in the visitor's language for a request %s", async (_, status, title, create) => {
    answers["01"] = () => Promise.reject(new Error("Worker threw exception"));
    const name = create();
    const host = name === undefined ? "rentals.test" : `${name}.rentals.test`;
    const headers = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "xx, de-AT;q=0.9, en" };
    const answer = await ask(`https://${host}/book?x=1`, { headers });
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([status, "text/html; charset=utf-8"]);
    expect(answer.headers.has("Retry-After")).toBe(status === 503);
    const page = await answer.text();
    expect(page).toContain(`<html lang="de">`);
    expect(page).toContain(`<h1>${title}</h1>`);
    const nonce = /<style nonce="([^"]+)">/.exec(page)?.[1];
    expect(answer.headers.get("Content-Security-Policy")).toContain(`style-src 'nonce-${nonce}'`);
    // Scripts of a page read JSON, although browsers accept HTML.
    const api = await ask(`https://${host}/api/booking/frontend/settings`, { headers });
    expect(api.headers.get("Content-Type")).toBe("application/json");
  });

  test("answers 503 with Retry-After if the company's cell doesn't answer, and serves other cells", async () => {
    const [down, well, unbound] = [placeCompany("01"), placeCompany("02"), placeCompany("02")];
    answers["01"] = () => Promise.reject(new Error("Worker threw exception"));
    const answer = await ask(`https://${down}.rentals.test/`);
    expect(answer.headers.get("Retry-After")).toBe("10");
    expect(await readCode(answer)).toEqual([503, "account_unavailable"]);
    expect((await ask(`https://${well}.rentals.test/`)).status).toBe(200);
    const env = environment({ CELL_02: undefined });
    expect(await readCode(await ask(`https://${unbound}.rentals.test/`, {}, env))).toEqual([
      503,
      "account_unavailable",
    ]);
  });

  test("answers 503 if the directory doesn't answer, unless the router has cached the company", async () => {
    const [known, unknown] = [placeCompany(), placeCompany()];
    await ask(`https://${known}.rentals.test/`);
    const broken = environment({
      DIRECTORY: { prepare: () => ({ bind: () => ({ first: () => Promise.reject(new Error("D1")) }) }) },
    });
    expect((await ask(`https://${known}.rentals.test/`, {}, broken)).status).toBe(200);
    expect(await readCode(await ask(`https://${unknown}.rentals.test/`, {}, broken))).toEqual([
      503,
      "account_unavailable",
    ]);
  });

  test("repeats a read in the new cell if the company has moved, but never a write", async () => {
    const name = placeCompany("01");
    await ask(`https://${name}.rentals.test/`);
    small.directory.rows("UPDATE accounts SET cell = '02', slot = 3 WHERE name = ?", name);
    answers["01"] = () =>
      Response.json({ code: "migrating" }, { status: 503, headers: { [STALE_PLACEMENT_HEADER]: "1" } });
    const refused = await ask(`https://${name}.rentals.test/`, { method: "POST", body: "1" });
    expect([refused.status, refused.headers.has(STALE_PLACEMENT_HEADER)]).toEqual([503, false]);
    expect(requests.map(({ cell }) => cell)).toEqual(["01", "01"]);
    expect((await ask(`https://${name}.rentals.test/`, { method: "POST", body: "1" })).status).toBe(200);
    small.directory.rows("UPDATE accounts SET cell = '01', slot = 2 WHERE name = ?", name);
    answers = { "02": answers["01"] as Answer };
    const read = await ask(`https://${name}.rentals.test/`);
    expect([await read.json(), read.headers.has(STALE_PLACEMENT_HEADER)]).toEqual([{ cell: "01" }, false]);
  });
});

describe("the router's memory", () => {
  const placement = { name: "acme", cell: "01", slot: 1, state: "active" } as const;

  test("caches a company's cell for a minute, and an unknown company name for ten seconds", async () => {
    const memory = new CompanyPlacementCache();
    let reads = 0;
    const find = (name: string, now: number) =>
      memory.find(name, now, async () => {
        reads += 1;
        return name === "acme" ? placement : undefined;
      });
    for (const now of [0, 1, PLACEMENT_TTL_MS - 1]) await find("acme", now);
    expect(reads).toBe(1);
    await find("acme", PLACEMENT_TTL_MS);
    expect(reads).toBe(2);
    for (const now of [0, UNKNOWN_COMPANY_TTL_MS - 1, UNKNOWN_COMPANY_TTL_MS])
      expect(await find("nobody", now)).toBeUndefined();
    expect(reads).toBe(4);
    await Promise.all([find("red-cars", 0), find("red-cars", 0)]);
    expect(reads).toBe(5);
  });

  test("limits the router's cache, in which unknown names displace no company", async () => {
    const memory = new CompanyPlacementCache();
    await memory.find("acme", 0, async () => placement);
    for (let index = 0; index < 3000; index++) await memory.find(`unknown-${index}`, 0, async () => undefined);
    expect(memory.size).toBe(1001);
    for (let index = 0; index < 12_000; index++) await memory.find(`known-${index}`, 0, async () => placement);
    expect(memory.size).toBe(11_000);
  });

  test("serves cached companies for ten minutes while the directory doesn't answer", async () => {
    const memory = new CompanyPlacementCache();
    const broken = () => Promise.reject(new Error("unreachable"));
    await memory.find("acme", 0, async () => placement);
    expect(await memory.find("acme", STALE_PLACEMENT_TTL_MS - 1, broken)).toEqual(placement);
    await expect(memory.find("acme", STALE_PLACEMENT_TTL_MS, broken)).rejects.toThrow("unreachable");
  });
});

describe("the base domain", () => {
  const deep = { accounts: { ok: 2, unreachable: 0 }, files: "ok", office: "ok", printer: "ok", version: "v1" };
  const health = (path = "?deep", key = MONITOR, env = environment()) =>
    ask(`https://rentals.test/healthz${path}`, { headers: { Authorization: `Bearer ${key}` } }, env);

  test("reports the combined health of all cells, and counts their companies together", async () => {
    answers = {
      "01": () => Response.json({ ...deep, status: "ok", next: 1 }),
      "02": () => Response.json({ ...deep, status: "degraded", files: "unreachable", next: null }, { status: 503 }),
    };
    const answer = await health();
    expect([answer.status, await answer.json()]).toEqual([
      503,
      {
        status: "degraded",
        files: "unreachable",
        office: "ok",
        printer: "ok",
        version: "v1",
        accounts: { ok: 4, unreachable: 0 },
        next: 1,
        cells: { "01": "ok", "02": "degraded" },
      },
    ]);
    const first = await health("?deep&cell=01");
    expect([first.status, ((await first.json()) as { cells: object }).cells]).toEqual([200, { "01": "ok" }]);
    expect(verifyRoute(KEY, "01", getRoute(0))?.account).toBe("-");
  });

  test("reports in the health check that a cell doesn't answer", async () => {
    answers = {
      "01": () => Response.json({ ...deep, status: "ok", next: null }),
      "02": () => Promise.reject(new Error("down")),
    };
    const answer = await health();
    expect([answer.status, await answer.json()]).toMatchObject([503, { cells: { "01": "ok", "02": "unreachable" } }]);
  });

  test("answers the plain health check without calling cells, and the deep one only with the monitor's key", async () => {
    expect(await (await ask("https://rentals.test/healthz")).json()).toEqual({ status: "ok" });
    expect((await health("?deep", "wrong")).status).toBe(401);
    expect((await health("?deep", "", environment({ MONITOR_KEY: "" }))).status).toBe(401);
    expect(requests).toEqual([]);
  });
});

describe("the operator's routes", () => {
  const operate = (path: string, init: RequestInit = {}, key = OPERATOR, env = environment()) =>
    ask(`https://rentals.test/operator${path}`, { ...init, headers: { Authorization: `Bearer ${key}` } }, env);
  const post = (path: string, body: object = {}) => operate(path, { method: "POST", body: JSON.stringify(body) });

  test("requires the operator's key on operator's routes, and returns 404 if none is configured", async () => {
    const limited = environment({ IP_RATE_LIMITER: { limit: async () => ({ success: false }) } });
    expect((await operate("/directory", {}, "wrong")).status).toBe(401);
    expect((await operate("/directory", {}, "wrong", limited)).status).toBe(429);
    expect((await operate("/directory", {}, "short", environment({ OPERATOR_KEY: "short" }))).status).toBe(404);
    expect((await ask(`https://blue-boats.rentals.test/operator/directory`)).status).not.toBe(401);
  });

  test("shows each company's cell, size, schema, last backup, last cron job and errors", async () => {
    small.directory.rows("UPDATE accounts SET backup_at = 5, clock_at = 6, size_bytes = 7, error = 'mails_unsent'");
    expect(await (await operate("/directory")).json()).toMatchObject({
      cells: [
        { cell: "01", used: 1, spare: 2, failed: 0 },
        { cell: "02", used: 0, spare: 3 },
      ],
      accounts: [
        {
          account: "blue-boats",
          cell: "01",
          slot: 1,
          state: "active",
          schema_version: "0001_first.sql",
          size_bytes: 7,
          backup_at: 5,
          clock_at: 6,
          error: "mails_unsent",
        },
      ],
      moves: [],
    });
  });

  test("serves an operator's page that runs only its own script and contains no data", async () => {
    const page = await ask("https://rentals.test/operator/");
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    const [, scriptSources, nonce] = /script-src ([^;]*'nonce-([\w-]+)'[^;]*)/.exec(policy) ?? [];
    expect(scriptSources).toBe(`'nonce-${nonce}'`);
    const text = await page.text();
    expect(text).toContain(`<script nonce="${nonce}">`);
    expect(text.match(/<script\b/g)).toHaveLength(1);
    expect(text).not.toContain("blue-boats");
  });

  test("pauses and resumes a company by the operator's routes", async () => {
    expect((await post("/directory/accounts/blue-boats/pause")).status).toBe(204);
    expect(small.directory.rows("SELECT state FROM accounts")).toEqual([{ state: "paused" }]);
    expect((await post("/directory/accounts/blue-boats/resume")).status).toBe(204);
    expect(await readCode(await post("/directory/accounts/nobody/pause"))).toEqual([404, "account_not_found"]);
  });

  test("deletes a company only if the request repeats its name", async () => {
    const answer = await operate("/directory/accounts/blue-boats", { method: "DELETE" });
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { code: "invalid_input", error: "confirm: must be the name of the company" },
    ]);
    expect(small.directory.rows("SELECT name, state FROM accounts")).toEqual([{ name: "blue-boats", state: "active" }]);
  });

  test.each([
    ["PUT", "/directory/accounts/red-cars", { jurisdiction: "fr" }, "jurisdiction"],
    ["PUT", "/directory/accounts/red-cars", { cell: "1" }, "cell"],
    ["POST", "/directory/accounts/blue-boats/move", { to: "02" }, "operator"],
    ["POST", "/directory/accounts/blue-boats/move", { operator: "12345678", to: "x" }, "to"],
    ["POST", "/directory/cells/1/register", {}, "cell"],
    ["POST", "/directory/cells/01/migrate", {}, "migrations"],
    ["POST", "/directory/cells/01/migrate", { migrations: [{ name: "../x", statements: [] }] }, "migrations"],
    [
      "POST",
      "/directory/cells/01/migrate",
      { migrations: [{ name: "0001_a.sql", statements: ["x"] }], limit: 99 },
      "limit",
    ],
  ])("names the wrong field of the operator's call %s %s", async (method, path, body, field) => {
    const answer = await operate(path, { method, body: JSON.stringify(body) });
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { code: "invalid_input", error: expect.stringMatching(new RegExp(`^${field}: `)) },
    ]);
  });

  test("refuses to move a company to another cell than that of its unfinished move", async () => {
    small.directory.rows("INSERT INTO cells (name) VALUES ('03')");
    await startCompanyMove(
      small.directory.db,
      { account: "blue-boats", operator: "other", now: () => 0, until: 0 },
      "02",
    );
    const move = async (to: string) =>
      (await post("/directory/accounts/blue-boats/move", { operator: "12345678", to })).json();
    expect(await move("03")).toEqual({
      code: "move_in_progress",
      error: "blue-boats is moving to cell 02. Finish or cancel that move first",
    });
    answers["01"] = () => Promise.reject(new Error("down"));
    expect(await move("02")).toMatchObject({ code: "cell_unavailable" });
  });

  test("names a cell that the router isn't bound to", async () => {
    expect(await (await post("/directory/cells/03/register")).json()).toEqual({
      code: "cell_unknown",
      error: "The router has no cell 03. Deploy it with this cell",
    });
  });

  test("reports a cell that doesn't answer a command, and one with another operator's key", async () => {
    answers["02"] = () => Promise.reject(new Error("down"));
    const body = JSON.stringify({ cell: "02" });
    const answer = await operate("/directory/accounts/red-cars", { method: "PUT", body });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { code: "cell_unavailable", error: "Cell 02 doesn't answer. Repeat the command later" },
    ]);
    answers["01"] = () => new Response("{}", { status: 401 });
    expect(await (await post("/directory/cells/01/register")).json()).toMatchObject({
      code: "cell_refused",
      error: expect.stringContaining("OPERATOR_KEY differs"),
    });
  });

  test("forwards operator calls on a company's data to its cell", async () => {
    await operate("/accounts/blue-boats/backups/2026-11-20");
    expect(requests.map(({ cell, request }) => [cell, new URL(request.url).pathname])).toEqual([
      ["01", "/operator/accounts/blue-boats/backups/2026-11-20"],
    ]);
    expect((await operate("/accounts/nobody/backups/2026-11-20")).status).toBe(404);
  });
});

import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { requestWorker } from "#support/worker.ts";
import { ROUTE_HEADER, STALE_PLACEMENT_HEADER, signRoute } from "#worker/directory/route-header.ts";
import { openCellAccounts } from "#worker/tenancy/accounts.ts";
import { VERIFIED_OWNER_TTL_MS, verifyDatabaseOwner } from "#worker/tenancy/database-owner.ts";
import { runCronTick } from "#worker/usecases/operations/scheduled.ts";

const ROUTER_KEY = "router-key-of-more-than-thirty-two-letters";
const directory = env.CELL_DIRECTORY;

/** A cell with neutral bindings. Database 1 is of blue-boats, database 2 of red-cars. */
function createCell(more: object = {}): Cloudflare.Env {
  const others = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("TENANT_")));
  const databases = { DB_0001: env.TENANT_ACME, DB_0002: env.TENANT_GLOBEX, DIRECTORY: directory };
  return { ...others, ...databases, CELL: "01", ...more } as unknown as Cloudflare.Env;
}

const insertOwner = (database: D1Database, account: string) =>
  database.batch([
    database.prepare("CREATE TABLE IF NOT EXISTS directory_owner (id INTEGER PRIMARY KEY, account TEXT NOT NULL)"),
    database.prepare("INSERT OR REPLACE INTO directory_owner VALUES (1, ?)").bind(account),
  ]);
const place = (name: string, slot: number, state = "active", cell = "01") =>
  directory
    .prepare("INSERT OR REPLACE INTO accounts (name, cell, slot, state, created_at) VALUES (?, ?, ?, ?, 0)")
    .bind(name, cell, slot, state)
    .run();

beforeAll(() => applyD1Migrations(directory, env.DIRECTORY_MIGRATIONS));

beforeEach(async () => {
  await setUpCompany("acme");
  await setUpCompany("globex");
  await insertOwner(env.TENANT_ACME, "blue-boats");
  await insertOwner(env.TENANT_GLOBEX, "red-cars");
  await directory.batch([
    directory.prepare("DELETE FROM accounts"),
    directory.prepare("INSERT OR IGNORE INTO cells (name) VALUES ('01'), ('02')"),
    ...[1, 2, 3, 4, 5].map((slot) =>
      directory.prepare("INSERT OR IGNORE INTO slots (cell, slot) VALUES ('01', ?1), ('02', ?1)").bind(slot),
    ),
  ]);
  return async () => {
    for (const database of [env.TENANT_ACME, env.TENANT_GLOBEX]) await database.exec("DROP TABLE directory_owner");
  };
});

const SIGN_IN = "/api/v1/login";
const ask = async (url: string, bindings: Cloudflare.Env, headers: Record<string, string> = {}) => {
  const answer = await requestWorker(url, { headers }, bindings);
  const body = (await answer.json()) as { readonly code?: string; readonly status?: string };
  return [answer.status, body.code ?? body.status];
};

describe("a deployment with a directory", () => {
  test("serves a company from a directory row, without a binding of its name", async () => {
    expect(await ask("http://blue-boats.localhost/healthz", createCell())).toEqual([404, undefined]);
    await place("new-boats", 1);
    await insertOwner(env.TENANT_ACME, "new-boats");
    expect(await ask("http://new-boats.localhost/healthz", createCell())).toEqual([200, "ok"]);
  });

  test("reads the directory once for many requests", async () => {
    await place("red-cars", 2);
    let reads = 0;
    const prepare = (sql: string) => {
      reads += 1;
      return directory.prepare(sql);
    };
    const counted = { prepare };
    const bindings = createCell({ DIRECTORY: counted });
    for (let time = 0; time < 5; time++) await ask("http://RED-cars.localhost.:8787/healthz", bindings);
    expect(reads).toBe(1);
  });

  test.each([
    ["a database that isn't bound", "lost-one", 4],
    ["a database of another company", "lost-two", 2],
  ])("rejects a directory row with %s, and serves no company from it", async (_, name, slot) => {
    await place(name, slot);
    expect(await ask(`http://${name}.localhost${SIGN_IN}`, createCell())).toEqual([503, "account_unavailable"]);
  });

  test("checks every ten minutes whether a database still belongs to the company", async () => {
    const database = { binding: env.TENANT_ACME, jurisdiction: undefined, slot: 1 };
    const verify = (now: number) => verifyDatabaseOwner("blue-boats", 71, database, now);
    expect(await verify(0)).toBe(database);
    await insertOwner(env.TENANT_ACME, "another");
    expect(await verify(VERIFIED_OWNER_TTL_MS - 1)).toBe(database);
    await expect(verify(VERIFIED_OWNER_TTL_MS)).rejects.toThrow("belongs to another");
    await expect(verify(VERIFIED_OWNER_TTL_MS)).rejects.toThrow("belongs to another");
  });

  test("answers 503 for a company whose database is deleted", async () => {
    await place("lost-three", 3);
    const failing = {
      prepare: () => ({ first: async () => Promise.reject(new Error("D1_ERROR: database not found")) }),
    };
    const bindings = createCell({ DB_0003: { ...failing, batch: failing.prepare } });
    expect(await ask("http://lost-three.localhost/healthz", bindings)).toEqual([503, "account_unavailable"]);
  });

  test("answers 503 for a paused company, and 404 for companies in other states or cells", async () => {
    await place("paused", 1, "paused");
    expect(await ask("http://paused.localhost/healthz", createCell())).toEqual([503, "account_paused"]);
    for (const [host, status] of [
      ["paused", 503],
      ["unknown", 404],
    ] as const) {
      const answer = await requestWorker(`http://${host}.localhost/api/ota`, {}, createCell());
      expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining("<OTA_ErrorRS")]);
    }
    for (const [name, state, cell] of [
      ["being-added", "adding", "01"],
      ["being-deleted", "deleting", "01"],
      ["elsewhere", "active", "02"],
    ] as const) {
      await place(name, name.length % 5, state, cell);
      expect((await ask(`http://${name}.localhost/healthz`, createCell()))[0]).toBe(404);
    }
  });

  test("registers and migrates no databases of another cell", async () => {
    const bindings = createCell({ OPERATOR_KEY: "operator-key-of-thirty-two-letters" });
    const headers = { Authorization: "Bearer operator-key-of-thirty-two-letters" };
    const register = async (cell: string) => {
      const url = `http://localhost/operator/directory/cells/${cell}/register`;
      const answer = await requestWorker(url, { method: "POST", headers }, bindings);
      return [answer.status, await answer.json()];
    };
    const countSlots = () => directory.prepare("SELECT count(*) FROM slots WHERE cell = '07'").first();
    const before = await countSlots();
    expect(await register("07")).toMatchObject([409, { code: "cell_unknown" }]);
    expect(await countSlots()).toEqual(before);
    expect(await register("01")).toMatchObject([200, { missing: [3, 4, 5] }]);
  });

  test("rejects a directory row that assigns one database to two companies", async () => {
    await place("first", 1);
    const second = directory.prepare(
      "INSERT INTO accounts (name, cell, slot, state, created_at) VALUES ('second', '01', 1, 'active', 0)",
    );
    await expect(second.run()).rejects.toThrow("UNIQUE constraint failed: accounts.cell, accounts.slot");
  });
});

describe("a cell behind a router", () => {
  const bindings = createCell({ ROUTER_KEY });
  const route = (account: string, slot: number, cell = "01", key = ROUTER_KEY) => ({
    [ROUTE_HEADER]: signRoute(key, { cell, account, slot }),
  });

  test("serves requests that the router signed", async () => {
    const answer = await ask("http://blue-boats.localhost/healthz", bindings, route("blue-boats", 1));
    expect(answer).toEqual([200, "ok"]);
    expect(await ask("http://localhost/healthz", bindings, route("-", 0))).toEqual([200, "ok"]);
  });

  test("returns 404 without the router's header, or with a forged one or another company's", async () => {
    const signed = route("blue-boats", 1)[ROUTE_HEADER] ?? "";
    for (const headers of [
      {},
      { [ROUTE_HEADER]: "01 blue-boats 1" },
      { [ROUTE_HEADER]: signed.replace("blue-boats 1", "blue-boats 2") },
      { [ROUTE_HEADER]: `${signed}, ${signed}` },
      { [ROUTE_HEADER]: signed.toUpperCase() },
      route("blue-boats", 1, "01", "another key"),
      route("blue-boats", 1, "02"),
      route("red-cars", 2),
      route("-", 0),
    ])
      expect((await ask("http://blue-boats.localhost/healthz", bindings, headers))[0]).toBe(404);
    for (const headers of [{}, route("blue-boats", 1)])
      expect((await ask("http://localhost/operator/directory", bindings, headers))[0]).toBe(404);
  });

  test("answers 503 if the router names a database of another company", async () => {
    const answer = await ask("http://blue-boats.localhost/healthz", bindings, route("blue-boats", 2));
    expect(answer).toEqual([503, "account_unavailable"]);
  });

  test("forwards the router's header to the office Worker in the deep health check", async () => {
    const requestLog: string[] = [];
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      const { headers } = url instanceof Request ? url : new Request(url, init);
      requestLog.push(`${pathname} ${headers.get(ROUTE_HEADER) === signRoute(ROUTER_KEY, base)}`);
      return new Response("{}");
    };
    const base = { cell: "01", account: "-", slot: 0 };
    const cell = { ...bindings, OFFICE: { fetch } } as unknown as Cloudflare.Env;
    await requestWorker("http://localhost/healthz?deep", { headers: route("-", 0) }, cell);
    expect(requestLog).toEqual(["/healthz true"]);
  });

  test("answers 503 to a write while the company moves, and makes the router look up its cell again", async () => {
    const fence =
      "CREATE TRIGGER moving_insert BEFORE INSERT ON access_attempts BEGIN SELECT RAISE(ABORT, 'account_moving'); END";
    await env.TENANT_ACME.exec(fence);
    const write = async (cell: Cloudflare.Env, headers: Record<string, string>) => {
      const body = JSON.stringify({ username: "nobody@example.com", password: "wrong password" });
      const init = { method: "POST", body, headers: { ...headers, "Content-Type": "application/json" } };
      const answer = await requestWorker("http://blue-boats.localhost/api/v1/login", init, cell);
      const { code } = (await answer.json()) as { readonly code?: string };
      return [answer.status, code, answer.headers.get("Retry-After"), answer.headers.get(STALE_PLACEMENT_HEADER)];
    };
    expect(await write(bindings, route("blue-boats", 1))).toEqual([503, "account_moving", "10", "1"]);
    // Without a router, clients get no such header.
    await place("blue-boats", 1);
    expect((await write(createCell(), {}))[3]).toBeNull();
    await env.TENANT_ACME.exec("DROP TRIGGER moving_insert");
  });

  test("ignores the router's header in a cell without a router", async () => {
    const answer = await ask("http://blue-boats.localhost/healthz", createCell(), route("blue-boats", 1));
    expect(answer[0]).toBe(404);
  });
});

describe("the cron job of a cell", () => {
  const NOON = Date.parse("2027-03-01T12:00:00Z");

  test("processes a cell's active companies in the cron job, and stores their state in the directory", async () => {
    await place("blue-boats", 1);
    await place("red-cars", 2, "paused");
    await place("lost-four", 4);
    await place("elsewhere", 1, "active", "02");
    for (let minute = 0; minute < 5; minute++) await runCronTick(createCell(), NOON + minute * 60_000);
    const { results } = await directory.prepare("SELECT name, clock_at > 0 AS ran, error FROM accounts").all();
    expect(results).toEqual([
      { name: "blue-boats", ran: 1, error: expect.stringContaining("backup_late") },
      { name: "red-cars", ran: null, error: null },
      { name: "lost-four", ran: 1, error: "unreachable" },
      { name: "elsewhere", ran: null, error: null },
    ]);
    expect(await directory.prepare("SELECT clock_at FROM cells WHERE name = '01'").first("clock_at")).toBe(
      NOON + 4 * 60_000,
    );
  });

  test("continues the cron job with the known companies for ten minutes while the directory doesn't answer", async () => {
    await place("blue-boats", 1);
    await openCellAccounts(createCell(), NOON);
    const broken = { prepare: () => ({ bind: () => ({ all: () => Promise.reject(new Error("D1 is unreachable")) }) }) };
    const list = (at: number) => openCellAccounts(createCell({ DIRECTORY: broken }), at);
    expect((await list(NOON + 599_999)).tenants.map(({ name }) => name)).toEqual(["blue-boats"]);
    await expect(list(NOON + 600_000)).rejects.toThrow("D1 is unreachable");
  });

  test("continues the cron job with other companies if a database belongs to another company", async () => {
    await place("blue-boats", 1);
    await place("lost-five", 2);
    const { tenants, unavailable } = await openCellAccounts(createCell(), NOON);
    expect([tenants.map(({ name }) => name), unavailable.map(({ name }) => name)]).toEqual([
      ["blue-boats"],
      ["lost-five"],
    ]);
  });
});

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { readRefusal } from "#support/refusals.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { decryptSecret } from "#worker/auth/secret-encryption.ts";
import { backUpAccountInOneRun } from "#worker/usecases/operations/back-up.ts";

const KEY = "operator-key-of-thirty-two-letters";
const bindings = { ...env, OPERATOR_KEY: KEY };

const ask = (path: string, init: RequestInit = {}, environment: Cloudflare.Env = bindings, key = KEY) =>
  requestWorker(
    `http://localhost/operator/${path}`,
    { ...init, headers: { Authorization: `Bearer ${key}` } },
    environment,
  );
const batch = (statements: unknown, account = "acme") =>
  ask(`accounts/${account}/batch`, { method: "POST", body: JSON.stringify({ statements }) });

beforeEach(() => setUpCompany());

describe("the operator's route", () => {
  test("returns 404 for the operator's route without a configured key or with a weak one", async () => {
    for (const environment of [env, { ...env, OPERATOR_KEY: "short" }])
      expect((await ask("accounts/acme/backups/2026-11-20", {}, environment, "short")).status).toBe(404);
  });

  test("rejects wrong operator keys, and limits attempts by IP address", async () => {
    expect((await ask("accounts/acme/backups/2026-11-20", {}, bindings, "wrong")).status).toBe(401);
    expect(
      (await requestWorker("http://localhost/operator/accounts/acme/backups/2026-11-20", {}, bindings)).status,
    ).toBe(401);
    const limited = { ...bindings, IP_RATE_LIMITER: { limit: async () => ({ success: false }) } };
    const answer = await ask("accounts/acme/backups/2026-11-20", {}, limited as Cloudflare.Env, "wrong");
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect((await ask("accounts/acme/backups/2026-11-20", {}, limited as Cloudflare.Env)).status).toBe(404);
  });

  test("doesn't serve the operator's route on a company's host", async () => {
    const headers = { Authorization: `Bearer ${KEY}` };
    const answer = await requestWorker(
      "http://acme.localhost/operator/accounts/acme/backups/2026-11-20",
      { headers },
      bindings,
    );
    expect(answer.status).toBe(404);
  });

  test("accepts SQL values of up to 2 MB on the operator's route, and returns rows", async () => {
    const text = `O'Neil; DROP TABLE seasons; -- ${"é".repeat(200_000)}`;
    const answer = await batch([
      { sql: "INSERT INTO seasons (name) VALUES (?)", values: [text] },
      {
        sql: "SELECT length(name) AS length, name = ?2 AS same, ?1 AS empty FROM seasons WHERE name = ?2",
        values: [null, text],
      },
    ]);
    expect(await answer.json()).toMatchObject({
      answers: [
        { meta: { changes: expect.any(Number) } },
        { results: [{ length: text.length, same: 1, empty: null }] },
      ],
    });
  });

  test("writes all SQL statements of an operator's batch or none, and returns the database rule that aborted them", async () => {
    const count = async () => (await env.TENANT_ACME.prepare("SELECT count(*) AS n FROM seasons").first("n")) as number;
    const before = await count();
    const answer = await batch([
      { sql: "INSERT INTO seasons (name) VALUES (?)", values: ["Summer"] },
      { sql: "INSERT INTO seasons (name) VALUES (?)", values: [null] },
    ]);
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { code: "statement_refused", error: expect.stringContaining("NOT NULL constraint failed: seasons.name") },
    ]);
    expect(await count()).toBe(before);
  });

  test.each([
    ["a body that isn't JSON", "{"],
    ["statements that aren't a list", JSON.stringify({ statements: 1 })],
    ["an empty list", JSON.stringify({ statements: [] })],
    ["no SQL", JSON.stringify({ statements: [{ values: [] }] })],
    ["a value that SQL can't store", JSON.stringify({ statements: [{ sql: "SELECT ?", values: [{}] }] })],
    ["too many statements", JSON.stringify({ statements: Array(20_001).fill({ sql: "SELECT 1", values: [] }) })],
  ])("rejects an operator's batch of SQL statements with %s", async (_, body) => {
    expect((await ask("accounts/acme/batch", { method: "POST", body })).status).toBe(400);
  });

  test("rejects a batch over 24 MiB, with the solution in the message", async () => {
    const body = "x".repeat(24 * 1024 * 1024 + 1);
    const answer = await ask("accounts/acme/batch", { method: "POST", body });
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { code: "too_large", error: expect.stringContaining("in several parts") },
    ]);
  });

  test("returns 404 to the operator for a company whose database isn't bound", async () => {
    for (const account of ["nobody", "ACME", "acme%2f", "__proto__"])
      expect((await batch([{ sql: "SELECT 1", values: [] }], account)).status).toBe(404);
  });

  test("returns a backup by its day, and stores the origin of restored data", async () => {
    await env.BACKUPS?.put("rows/acme/2026-11-20.ndjson.gz", "packed");
    expect(await (await ask("accounts/acme/backups/2026-11-20")).text()).toBe("packed");
    for (const day of ["2026-11-21", "..%2fglobex", "2026-11-20.ndjson.gz"])
      expect((await ask(`accounts/acme/backups/${day}`)).status).toBe(404);
    expect((await ask("accounts/acme/origin/globex", { method: "PUT" })).status).toBe(204);
    const { objects } = (await env.BACKUPS?.list({ prefix: "erasures/acme/from-globex-" })) ?? { objects: [] };
    expect(objects).toHaveLength(1);
    await env.BACKUPS?.delete(objects.map(({ key }) => key));
  });

  test("answers 503 with Retry-After if the database is overloaded", async () => {
    const busy = {
      ...env.TENANT_ACME,
      prepare: () => ({}),
      batch: async () => Promise.reject(new Error("D1 DB is overloaded")),
    };
    const environment = { ...bindings, TENANT_ACME: busy } as unknown as Cloudflare.Env;
    const body = JSON.stringify({ statements: [{ sql: "SELECT 1", values: [] }] });
    const answer = await ask("accounts/acme/batch", { method: "POST", body }, environment);
    expect([answer.status, answer.headers.has("Retry-After")]).toEqual([503, true]);
  });
});

describe("an export for the operator", () => {
  interface Step {
    readonly at: number;
    readonly rows: number;
    readonly day?: string;
  }
  const step = (query = "") => ask(`accounts/acme/export${query}`, { method: "POST" });

  test("exports a company's data in steps for the operator, and downloads it as an archive", async () => {
    let state = await (await step()).json<Step>();
    for (let steps = 1; state.day === undefined && steps < 5; steps++)
      state = await (await step(`?at=${state.at}`)).json<Step>();
    expect(state.rows).toBeGreaterThan(20);
    const archive = await ask(`accounts/acme/exports/${state.day}`);
    expect([archive.status, archive.headers.get("Content-Type")]).toEqual([200, "application/zip"]);
    expect([...new Uint8Array(await archive.arrayBuffer()).subarray(0, 2)]).toEqual([0x50, 0x4b]);
    // Another step after the cron job completed the export doesn't request a second export.
    expect(await (await step(`?at=${state.at}`)).json()).toMatchObject({ at: state.at, day: state.day });
    expect(await env.TENANT_ACME.prepare("SELECT export_progress FROM upkeep").first("export_progress")).toBeNull();
  });

  test("rejects an export for the operator with a code for an unknown day, account or time", async () => {
    for (const day of ["2026-11-21", "..%2fglobex", "x"])
      expect(await readRefusal(ask(`accounts/acme/exports/${day}`))).toEqual([404, "export_not_found"]);
    expect(await readRefusal(step("?at=soon"))).toEqual([422, "invalid_input"]);
    expect((await ask("accounts/nobody/export", { method: "POST" })).status).toBe(404);
  });
});

describe("a restore for the operator", () => {
  const restore = (query: string, account = "globex") =>
    ask(`accounts/${account}/restore?${query}`, { method: "POST" });
  const QUERY = "from=acme&day=2026-11-20&confirm=globex";
  const countRows = (table: string) =>
    env.TENANT_GLOBEX.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n");

  beforeAll(async () => {
    await setUpCompany();
    await addTestUsers();
    await createToken("boss");
    await backUpAccountInOneRun(openTestTenant(env), Date.parse("2026-11-20T03:00:00Z"));
  });

  beforeEach(async () => {
    await addTestUsers();
    await emptyDatabase(env.TENANT_GLOBEX);
  });

  test("lists the days with a backup, newest first", async () => {
    // Backups of other tests share the bucket.
    const { objects = [] } = (await env.BACKUPS?.list({ prefix: "rows/acme/" })) ?? {};
    const other = objects.filter(({ key }) => !key.startsWith("rows/acme/2026-11-20"));
    await env.BACKUPS?.delete(other.map(({ key }) => key));
    await env.BACKUPS?.put("rows/acme/2026-11-21.ndjson.gz", "packed");
    await env.BACKUPS?.put("rows/acme/2026-11-21.part-1", "packed");
    expect(await (await ask("accounts/acme/backups")).json()).toEqual({ days: ["2026-11-21", "2026-11-20"] });
    await env.BACKUPS?.delete("rows/acme/2026-11-21.ndjson.gz");
  });

  test("restores a company's backup into an empty account, with its secrets, without its sessions", async () => {
    const answer = await restore(QUERY);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { rows: expect.any(Number), lost_secrets: 0, files: 0 },
    ]);
    const read = (db: D1Database, table: string) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all();
    for (const table of ["branches", "categories", "customers", "vehicles", "user_branches", "settings"])
      expect((await read(env.TENANT_GLOBEX, table)).results).toEqual((await read(env.TENANT_ACME, table)).results);
    const key = await env.TENANT_GLOBEX.prepare(
      "SELECT secret_sealed FROM partner_keys WHERE hashed = 0 LIMIT 1",
    ).first("secret_sealed");
    const secrets = { name: "globex", masterKey: env.MASTER_KEY };
    expect(await decryptSecret(secrets, String(key))).toMatch(/-secret$/);
    expect(await countRows("user_sessions")).toBe(0);
    expect(await countRows("search_blocks")).toBeGreaterThan(0);
    expect(
      await env.TENANT_GLOBEX.prepare("SELECT kind FROM security_events ORDER BY id DESC LIMIT 1").first("kind"),
    ).toBe("database_restored");
    const { objects = [] } = (await env.BACKUPS?.list({ prefix: "erasures/globex/from-acme-" })) ?? {};
    expect(objects).toHaveLength(1);
    await env.BACKUPS?.delete(objects.map(({ key }) => key));
    // Ids of lost days aren't used again.
    const last = await env.TENANT_GLOBEX.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'bookings'").first(
      "seq",
    );
    expect(last).toBeGreaterThanOrEqual(10_000);
  });

  describe("rejected requests", () => {
    beforeAll(async () => {
      const packed = await (await env.BACKUPS?.get("rows/acme/2026-11-20.ndjson.gz"))?.arrayBuffer();
      if (!packed) throw new Error("there is no backup");
      await env.BACKUPS?.put("rows/acme/2026-11-17.ndjson.gz", packed.slice(0, packed.byteLength / 2));
      await backUpAccountInOneRun({ ...openTestTenant(env), name: "other" }, Date.parse("2026-11-18T03:00:00Z"));
    });

    test.each([
      ["another name as confirmation", QUERY.replace("confirm=globex", "confirm=acme"), 422, "invalid_input"],
      ["no confirmation", "from=acme&day=2026-11-20", 422, "invalid_input"],
      ["an impossible date", QUERY.replace("2026-11-20", "2026-13-40"), 422, "invalid_input"],
      ["a path instead of a company", QUERY.replace("from=acme", "from=..%2facme"), 422, "invalid_input"],
      ["a day without a backup", QUERY.replace("2026-11-20", "2026-11-19"), 404, "backup_not_found"],
      ["another company's backup", QUERY.replace("2026-11-20", "2026-11-18"), 422, "backup_damaged"],
      ["a truncated backup", QUERY.replace("2026-11-20", "2026-11-17"), 422, "backup_damaged"],
    ])("rejects a restore with %s, and changes nothing", async (_, query, status, code) => {
      expect(await readRefusal(restore(query))).toEqual([status, code]);
      expect([await countRows("settings"), await countRows("branches")]).toEqual([0, 0]);
    });
  });

  test("rejects a restore into an account with data, and changes nothing", async () => {
    await setUpCompany("globex");
    const before = await countRows("branches");
    await env.TENANT_GLOBEX.prepare("UPDATE settings SET account_name = 'Kept'").run();
    expect(await readRefusal(restore(QUERY))).toEqual([409, "account_not_empty"]);
    expect(await countRows("branches")).toBe(before);
    expect(await env.TENANT_GLOBEX.prepare("SELECT account_name FROM settings").first("account_name")).toBe("Kept");
  });

  test("completes a restore that was interrupted, and deletes its partial rows", async () => {
    await env.TENANT_GLOBEX.prepare(
      "INSERT INTO branch_groups (id, name, timezone, created_at, last_update) VALUES (7, 'Rest', 'Europe/Madrid', 1, 1)",
    ).run();
    expect((await restore(QUERY)).status).toBe(200);
    expect(await countRows("branch_groups WHERE id = 7")).toBe(0);
  });
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { aCompany } from "#support/company.ts";
import { request } from "#support/worker.ts";

const KEY = "operator-key-of-thirty-two-letters";
const bindings = { ...env, OPERATOR_KEY: KEY };

const ask = (path: string, init: RequestInit = {}, environment: Cloudflare.Env = bindings, key = KEY) =>
  request(`http://localhost/operator/${path}`, { ...init, headers: { Authorization: `Bearer ${key}` } }, environment);
const batch = (statements: unknown, account = "acme") =>
  ask(`accounts/${account}/batch`, { method: "POST", body: JSON.stringify({ statements }) });

beforeEach(() => aCompany());

describe("the operator's route", () => {
  test("returns 404 for the operator's route without a configured key or with a weak one", async () => {
    for (const environment of [env, { ...env, OPERATOR_KEY: "short" }])
      expect((await ask("accounts/acme/backups/2026-11-20", {}, environment, "short")).status).toBe(404);
  });

  test("rejects wrong operator keys, and limits attempts by IP address", async () => {
    expect((await ask("accounts/acme/backups/2026-11-20", {}, bindings, "wrong")).status).toBe(401);
    expect((await request("http://localhost/operator/accounts/acme/backups/2026-11-20", {}, bindings)).status).toBe(
      401,
    );
    const limited = { ...bindings, IP_RATE_LIMITER: { limit: async () => ({ success: false }) } };
    const answer = await ask("accounts/acme/backups/2026-11-20", {}, limited as Cloudflare.Env, "wrong");
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect((await ask("accounts/acme/backups/2026-11-20", {}, limited as Cloudflare.Env)).status).toBe(404);
  });

  test("doesn't serve the operator's route on a company's host", async () => {
    const headers = { Authorization: `Bearer ${KEY}` };
    const answer = await request(
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
    ["no JSON", "{"],
    ["no list", JSON.stringify({ statements: 1 })],
    ["an empty list", JSON.stringify({ statements: [] })],
    ["no SQL", JSON.stringify({ statements: [{ values: [] }] })],
    ["a value that isn't one", JSON.stringify({ statements: [{ sql: "SELECT ?", values: [{}] }] })],
    ["too many statements", JSON.stringify({ statements: Array(20_001).fill({ sql: "SELECT 1", values: [] }) })],
  ])("refuses a batch with %s", async (_, body) => {
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

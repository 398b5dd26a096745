import { readdirSync, readFileSync } from "node:fs";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  createCartsConfig,
  createRouterConfig,
  listRoutePatterns,
  toFurtherCellConfig,
  toRoutedCellConfig,
} from "#scripts/deployment/cell-config.ts";
import { assignRoutes } from "#scripts/deployment/domain-routes.ts";
import { splitStatements } from "#scripts/sql-statements.ts";
import { type SimulatedCloudflare, startCloudflare } from "#support/cloudflare.ts";
import { MAX_API_CALLS, MAX_STATEMENT_BYTES, matchesRoute, splitLikeQueryApi } from "#support/cloudflare-limits.ts";

// Tests that the stand-in for Cloudflare refuses what Cloudflare refuses. Otherwise tests of deployments prove nothing.

const migrations = resolve(import.meta.dirname, "../../migrations");
const migrationTexts = readdirSync(migrations).map((file) => [file, readFileSync(join(migrations, file), "utf8")]);

describe("the splitter of D1's API", () => {
  const trigger = (begin: string, body: string, end = "END") =>
    `CREATE TABLE t (a);\nCREATE TRIGGER x AFTER INSERT ON t ${begin}\n  ${body};\n${end};\nSELECT 1;`;

  test("keeps a trigger with an upper-case BEGIN together when splitting SQL like D1's API", () => {
    expect(splitLikeQueryApi(trigger("BEGIN", "DELETE FROM t; SELECT ';'"))).toHaveLength(3);
    expect(splitLikeQueryApi(trigger("BEGIN", "DELETE FROM t", "end"))).toHaveLength(3);
  });

  test("splits a trigger with a lower-case begin at its first semicolon, like D1's API", () => {
    expect(splitLikeQueryApi(trigger("begin", "DELETE FROM t"))).toHaveLength(4);
    expect(splitStatements(trigger("begin", "DELETE FROM t"))).toHaveLength(3);
  });

  test("ends a trigger at the END of a CASE unless it's in parentheses, like D1's API", () => {
    const body = "SELECT CASE WHEN NEW.a THEN 1 END";
    expect(splitLikeQueryApi(trigger("BEGIN", body))).toHaveLength(4);
    expect(splitStatements(trigger("BEGIN", body))).toHaveLength(3);
    expect(splitLikeQueryApi(trigger("BEGIN", "SELECT (CASE WHEN NEW.a THEN 1 END)"))).toHaveLength(3);
  });

  test("ignores keywords in comments and strings, and statements without words", () => {
    expect(splitLikeQueryApi("-- a; b\nSELECT 'x;BEGIN'; /* ; */ ; SELECT \"END;\"; --")).toHaveLength(2);
  });

  test.each(migrationTexts)("finds the same statements as SQLite in %s", (_, text = "") => {
    expect(splitLikeQueryApi(text)).toEqual(splitStatements(text));
    for (const sql of splitLikeQueryApi(text)) expect(Buffer.byteLength(sql)).toBeLessThan(MAX_STATEMENT_BYTES);
  });
});

describe("a route", () => {
  test.each([
    ["rentals.test/healthz", "https://rentals.test/healthz", true],
    ["rentals.test/healthz", "https://rentals.test/healthz?deep", false],
    ["rentals.test/healthz*", "https://rentals.test/healthz?deep&page=1", true],
    ["*.rentals.test/*", "https://acme.rentals.test/api?x=1", true],
    ["*.rentals.test/*", "https://rentals.test/healthz", false],
    ["rentals.test/a.b", "https://rentals.test/aXb", false],
  ])("compares the route pattern %s with the URL %s: %s", (pattern, url, isMatch) => {
    expect(matchesRoute(pattern, url)).toBe(isMatch);
  });
});

describe("the simulated wrangler", () => {
  let cloud: SimulatedCloudflare;
  beforeEach(async () => {
    cloud = await startCloudflare("stand-in");
  });
  afterEach(() => cloud.close());

  const execute = (...commandOptions: readonly string[]) =>
    cloud.wrangler("d1", "execute", "one", "--remote", "--json", "--yes", ...commandOptions);

  test("applies a migration that D1's API accepts, and nothing of one that the API would split", async () => {
    const folder = join(cloud.folder, "migrations");
    await mkdir(folder);
    await writeFile(
      join(folder, "0001_fine.sql"),
      "CREATE TABLE t (a);\nCREATE VIEW v AS SELECT CASE WHEN a THEN 1 END AS x FROM t;",
    );
    const apply = () => cloud.wrangler("d1", "migrations", "apply", "one", "--remote");
    process.env["STAND_IN_MIGRATIONS"] = folder;
    try {
      expect(await apply()).toMatchObject({ exitCode: 0 });
      await writeFile(
        join(folder, "0002_split.sql"),
        "CREATE TABLE u (a);\nCREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT CASE WHEN NEW.a THEN 1 END; END;",
      );
      expect(await apply()).toEqual({
        exitCode: 1,
        output: expect.stringContaining("incomplete input: SQLITE_ERROR [code: 7500]"),
      });
      const sqlite = new DatabaseSync(join(cloud.folder, "one.sqlite"));
      expect(sqlite.prepare("SELECT name FROM sqlite_master WHERE name = 'u'").all()).toEqual([]);
      expect(sqlite.prepare("SELECT name FROM d1_migrations").all()).toEqual([{ name: "0001_fine.sql" }]);
      sqlite.close();
    } finally {
      delete process.env["STAND_IN_MIGRATIONS"];
    }
  });

  test("refuses statements over 100,000 bytes, values over 2 MB and results over 50 MB", async () => {
    const file = join(cloud.folder, "long.sql");
    await writeFile(file, `SELECT '${"é".repeat(50_000)}';`);
    expect(await execute("--file", file)).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining("SQLITE_TOOBIG"),
    });
    const large = await execute("--command", "SELECT printf('%.*c', 2000001, 'x')");
    expect(large).toMatchObject({ exitCode: 1, output: expect.stringContaining("too big") });
    const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 51)
      SELECT printf('%.*c', 1000000, 'x') AS x FROM n`;
    expect(await execute("--command", many)).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining("too large"),
    });
    expect(await execute("--command", "SELECT 1 AS one")).toMatchObject({ exitCode: 0 });
  });

  test("lists only the first 20 buckets in simulated wrangler, and counts one API call for every ten databases", async () => {
    const buckets = Array.from({ length: 25 }, (_, index) => `bucket-${String(index).padStart(2, "0")}`);
    const databases = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`db-${index}`, String(index)]));
    await cloud.change({ buckets, databases });
    const { output } = await cloud.wrangler("r2", "bucket", "list");
    expect([output.includes("bucket-19"), output.includes("bucket-20")]).toEqual([true, false]);
    expect(await cloud.wrangler("r2", "bucket", "info", "bucket-24")).toMatchObject({ exitCode: 0 });
    await cloud.wrangler("d1", "list", "--json");
    expect(await cloud.apiCalls()).toBe(5);
  });

  test("lists 20 queues per page in simulated wrangler, and refuses missing queues and a second consumer", async () => {
    const queues = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`queue-${index + 10}`, null]));
    await cloud.change({ queues, workers: { "printer-production": [] } });
    expect((await cloud.wrangler("queues", "list")).output).not.toContain("queue-34");
    expect((await cloud.wrangler("queues", "list", "--page", "2")).output).toContain("queue-34");
    const office = ["--env", "production-office", "--config", cloud.config];
    expect((await cloud.wrangler("deploy", ...office)).output).toContain(
      'Queue "rental-production-jobs" does not exist',
    );
    for (const name of ["jobs", "jobs-dead"]) {
      expect((await cloud.wrangler("queues", "create", `rental-production-${name}`)).exitCode).toBe(0);
      expect((await cloud.wrangler("queues", "create", `rental-production-${name}`)).output).toContain("11009");
    }
    expect((await cloud.wrangler("deploy", ...office)).exitCode).toBe(0);
    expect((await cloud.read()).queues["rental-production-jobs-dead"]).toBe("production-office");
    await cloud.change({ queues: { "rental-production-jobs": "another", "rental-production-jobs-dead": null } });
    expect((await cloud.wrangler("triggers", "deploy", ...office)).output).toContain("11004");
  });

  test("refuses routes of another Worker, missing Workers, and a draft's migrations without a deployment", async () => {
    const folder = join(cloud.folder, "configs");
    await mkdir(folder);
    const toml = (await readFile(cloud.config, "utf8")).replaceAll("example.com", "rentals.test");
    const router = { environment: "production", baseDomain: "rentals.test", zone: "rentals.test", directoryId: "1" };
    const write = (name: string, text: string) => writeFile(join(folder, `${name}.wrangler.toml`), text);
    await write("cell-02", toFurtherCellConfig(toml, "production", "02"));
    await write("carts", createCartsConfig("production"));
    await write("router", createRouterConfig({ ...router, cells: ["01"], hasRoutes: true }));
    const use = (name: string, ...args: readonly string[]) =>
      cloud.wrangler(...args, "--config", join(folder, `${name}.wrangler.toml`));
    expect((await use("carts", "deploy")).output).toContain("script 'rental-platform-production' does not exist");
    const cell = ["--env", "production", "--config", cloud.config];
    expect((await cloud.wrangler("deploy", ...cell)).output).toContain(
      "'rental-platform-printer-production' not found",
    );
    await cloud.change({ workers: { "printer-production": [], "production-office": [] } });
    expect((await cloud.wrangler("secret", "put", "MASTER_KEY", ...cell)).exitCode).toBe(0);
    expect((await cloud.wrangler("versions", "upload", ...cell)).output).toContain("10211");
    expect((await cloud.wrangler("deploy", ...cell)).exitCode).toBe(0);
    expect(new Set(Object.values((await cloud.read()).routes))).toEqual(new Set(["production"]));
    expect((await use("router", "deploy")).output).toContain("assigned to another worker");
    // Only the routes were refused.
    expect((await cloud.read()).workers["router"]).toHaveLength(1);
    await cloud.change({ workers: { ...(await cloud.read()).workers, "cell-02-production-office": [] } });
    expect((await use("cell-02", "deploy", "--env", "production")).output).toContain("10061");
    expect((await use("carts", "deploy")).exitCode).toBe(0);
    // A deployment without routes keeps those of the previous one.
    await writeFile(cloud.config, toRoutedCellConfig(toml, "production"));
    expect((await cloud.wrangler("deploy", ...cell)).exitCode).toBe(0);
    expect((await use("router", "deploy")).output).toContain("assigned to another worker");
    const environment = { CLOUDFLARE_API_TOKEN: "routes-token", CLOUDFLARE_API_BASE_URL: cloud.url };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const patterns = listRoutePatterns("rentals.test");
    for (let time = 0; time < 2; time++)
      await assignRoutes("rentals.test", patterns, "rental-platform-router-production");
    await expect(assignRoutes("rentals.test", patterns, "rental-platform-production-09")).rejects.toThrow("not exist");
    await expect(assignRoutes("other.test", patterns, "rental-platform-production")).rejects.toThrow(
      "no zone other.test",
    );
    vi.stubEnv("CLOUDFLARE_API_TOKEN", "wrong");
    await expect(assignRoutes("rentals.test", patterns, "any")).rejects.toThrow("no permission. The token needs");
    vi.unstubAllEnvs();
    expect((await cloud.read()).routes).toEqual(Object.fromEntries(patterns.map((pattern) => [pattern, "router"])));
    expect((await use("router", "deploy")).exitCode).toBe(0);
  }, 120_000);

  test("refuses calls of the API above 1,200 in five minutes", async () => {
    await appendFile(join(cloud.folder, "calls.log"), `${Date.now()}\n`.repeat(MAX_API_CALLS - 1));
    expect(await execute("--command", "SELECT 1")).toMatchObject({ exitCode: 0 });
    expect(await execute("--command", "SELECT 1")).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining("971"),
    });
  });

  test("refuses to change a secret directly if the latest version isn't the one that serves requests", async () => {
    const env = ["--env", "production"];
    expect(await cloud.wrangler("versions", "secret", "put", "A", ...env)).toMatchObject({ exitCode: 1 });
    expect(await cloud.wrangler("secret", "put", "A", ...env)).toMatchObject({ exitCode: 0 });
    await cloud.change({
      newest: { production: "new" },
      workers: { production: [{ version_id: "old", percentage: 100 }] },
    });
    const refused = await cloud.wrangler("secret", "put", "A", ...env);
    expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining("10215") });
    expect(await cloud.wrangler("versions", "secret", "put", "A", ...env)).toMatchObject({ exitCode: 0 });
  });

  test("refuses a login with several accounts unless one is chosen", async () => {
    await cloud.change({ accounts: 2 });
    const refused = await execute("--command", "SELECT 1");
    expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining("More than one account") });
  });

  test("answers 522 for a URL without a route instead of calling the Worker", async () => {
    cloud.health = () => ({ status: 200, body: {} });
    expect((await fetch(`${cloud.url}/healthz?deep`)).status).toBe(200);
    expect((await fetch(`${cloud.url}/other`)).status).toBe(522);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  type OperatorAccess,
  openDatabaseOverOperatorApi,
  readOperatorAccess,
  requireOperatorAccess,
} from "#scripts/accounts/operator.ts";
import { openDatabaseOverWrangler } from "#scripts/accounts/wrangler-d1.ts";
import { exportAccountData } from "#scripts/data/export.ts";
import { importDataFolder } from "#scripts/data/import-folder.ts";
import { openBackupFile, readBackupFile, restoreIntoAccount } from "#scripts/data/restore.ts";
import { applyPendingMigrations } from "#scripts/migrations.ts";
import { openCopiedDemo } from "#support/demo-data.ts";
import { createSqliteD1, type SqliteD1, wrapSqlite } from "#support/sqlite-d1.ts";
import { operatorApp } from "#worker/site/operator.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { TARGET_PAGE_BYTES } from "#worker/store/operations/byte-pages.ts";
import { readTablePages } from "#worker/store/operations/file-rows.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { backUpAccountInOneRun } from "#worker/usecases/operations/back-up.ts";

// Commands with --remote, from the command line through the Worker's route to the database. SqliteD1 refuses
// statements over 100 kB and values over 2 MB.

const KEY = "operator-key-of-thirty-two-letters";
let folder: string;
let server: Server;
let operator: OperatorAccess;
let fresh: SqliteD1;
let imported: SqliteD1;
let company: SqliteD1;
let fails = 0;
let largestAnswer = 0;

beforeAll(async () => {
  // A build constant of the Worker.
  vi.stubGlobal("DEVELOPMENT_BUILD", false);
  folder = await mkdtemp(join(tmpdir(), "operator-"));
  company = await openCopiedDemo("globex");
  fresh = createSqliteD1();
  imported = createSqliteD1();
  const bindings = {
    BASE_DOMAIN: "rentals.test",
    OPERATOR_KEY: KEY,
    MASTER_KEY: "",
    TENANT_GLOBEX: company.db,
    TENANT_FRESH: fresh.db,
    TENANT_IMPORTED: imported.db,
    TENANT_NEW: wrapSqlite(new DatabaseSync(":memory:")).db,
  };
  server = createServer(async (incoming, outgoing) => {
    if (fails > 0) {
      fails -= 1;
      return outgoing.writeHead(503).end("{}");
    }
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const url = `http://rentals.test${(incoming.url ?? "").replace("/operator", "")}`;
    const headers = { Authorization: incoming.headers.authorization ?? "" };
    const { method = "GET" } = incoming;
    const body = method === "GET" ? null : Buffer.concat(chunks);
    const answer = await operatorApp.request(url, { method, headers, body }, bindings);
    const bytes = Buffer.from(await answer.arrayBuffer());
    largestAnswer = Math.max(largestAnswer, bytes.length);
    return outgoing.writeHead(answer.status).end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  operator = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: KEY };
}, 120_000);

afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  vi.unstubAllGlobals();
  await rm(folder, { recursive: true, force: true });
});

const dump = ({ rows }: SqliteD1) =>
  rows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'",
  ).map(({ name }) => [
    name,
    rows(`SELECT * FROM ${name}`)
      .map((row) => JSON.stringify(row))
      .sort(),
  ]);

test("backs up and restores a company through the Worker, in pages by bytes, without derived tables", async () => {
  company.rows(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
      INSERT INTO seasons (name) SELECT printf('%d', i) || replace(hex(zeroblob(450000)), '0', 'é') FROM n`,
  );
  const file = join(folder, "backup.ndjson.gz");
  const copies = {
    rows: {
      putStream: (_: string, stream: ReadableStream<Uint8Array>) => writeFile(file, stream),
      get: async () => openBackupFile(file),
    },
  };
  largestAnswer = 0;
  const db = openDatabase(openDatabaseOverOperatorApi(operator, "globex"), createUsageMeter());
  await backUpAccountInOneRun({ name: "globex", db, copies } as unknown as Tenant, Date.parse("2026-11-20T03:17:00Z"));
  // A page ends with the row that exceeds its size.
  expect(largestAnswer).toBeLessThan(2 * TARGET_PAGE_BYTES);
  const backup = await readBackupFile(file);
  expect(backup.tables.map(({ name }) => name)).not.toContain("search_blocks");
  await restoreIntoAccount(openDatabaseOverOperatorApi(operator, "fresh"), backup, () => undefined);
  expect(dump(fresh)).toEqual(dump(company));
  expect(fresh.rows("SELECT count(*) > 0 AS n FROM search_blocks")).toEqual([{ n: 1 }]);
}, 120_000);

test("imports a company's exported files through the Worker without an error", async () => {
  const demo = await openCopiedDemo("globex");
  const files = join(folder, "files");
  await exportAccountData(demo.db, files, "csv", () => undefined);
  const options = { migrationsFolder: "migrations", statementCharacters: 500_000 };
  const db = openDatabaseOverOperatorApi(operator, "imported");
  const done = await importDataFolder(db, { ...options, folder: files, isDry: false, progress: () => undefined });
  expect(done.bad.slice(0, 3)).toEqual([]);
  const contracts = "SELECT id, status, total_cents FROM bookings ORDER BY id";
  expect(imported.rows(contracts)).toEqual(demo.rows(contracts));
  expect(imported.rows("SELECT count(*) AS n FROM imports")).toEqual([{ n: 1 }]);
}, 120_000);

test("reads wide rows in pages of limited size, each row once", async () => {
  const sizes: number[] = [];
  const ids: unknown[] = [];
  for await (const page of readTablePages(company.db, { name: "seasons", key: ["id"], columns: ["id", "name"] })) {
    sizes.push(page.length);
    ids.push(...page.map((row) => row["id"]));
    expect(page[0]).not.toHaveProperty("page_bytes_so_far");
  }
  expect(ids).toEqual(company.rows<{ id: number }>("SELECT id FROM seasons ORDER BY id").map(({ id }) => id));
  expect(sizes.length).toBeGreaterThan(5);
});

test("applies migrations through the database binding", async () => {
  const db = openDatabaseOverOperatorApi(operator, "new");
  expect(await applyPendingMigrations(db, "migrations")).toBe(true);
  expect(await applyPendingMigrations(db, "migrations")).toBe(false);
});

test("retries reads while the database is overloaded, but not writes", async () => {
  const db = openDatabaseOverOperatorApi(operator, "globex");
  fails = 1;
  expect(await db.prepare("SELECT 1 AS one").first("one")).toBe(1);
  fails = 1;
  await expect(db.prepare("DELETE FROM seasons WHERE false").run()).rejects.toThrow("answered 503");
  expect(fails).toBe(0);
});

test("explains in an operator's error how to fix it, such as a wrong key", async () => {
  const write = (operatorAccess: OperatorAccess, account: string) =>
    openDatabaseOverOperatorApi(operatorAccess, account).prepare("DELETE FROM nowhere").run();
  await expect(write({ ...operator, key: "wrong" }, "globex")).rejects.toThrow("refuses OPERATOR_KEY");
  await expect(write(operator, "unbound")).rejects.toThrow("deploy it with the secret OPERATOR_KEY and this company");
  await expect(write(operator, "globex")).rejects.toThrow("no such table: nowhere");
  expect(() => requireOperatorAccess(undefined)).toThrow("Set the variable OPERATOR_KEY");
  vi.stubEnv("OPERATOR_KEY", KEY);
  expect(readOperatorAccess("production")).toEqual({ url: "https://example.com", key: KEY });
  vi.stubEnv("OPERATOR_KEY", "");
  expect(readOperatorAccess("production")).toBeUndefined();
});

test("rejects a statement that is too large for wrangler, and names the way through the Worker", async () => {
  const write = openDatabaseOverWrangler("any", ["--remote"])
    .prepare("INSERT INTO seasons (name) VALUES (?)")
    .bind("x".repeat(100_000));
  await expect(write.run()).rejects.toThrow("With the variable OPERATOR_KEY, values go through the Worker");
});

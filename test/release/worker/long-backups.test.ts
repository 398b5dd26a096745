import { env } from "cloudflare:workers";
import { strFromU8, unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { listBackupRows, readBackupTables, runCronEveryMinute } from "#support/backup-nights.ts";
import { setUpCompany } from "#support/company.ts";
import { addFaults, openTestTenant } from "#support/databases.ts";
import { bookOnWebsite, enableGateways } from "#support/payments.ts";
import { deleteErasureRecords } from "#support/person-to-erase.ts";
import { backUpAccountInOneRun, continueBackup, getBackupPath } from "#worker/usecases/operations/back-up.ts";
import { continueAccountExport, getExportPath } from "#worker/usecases/operations/export-account.ts";
import { readBackupRows } from "#worker/usecases/operations/read-backup.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const NIGHT = Date.parse("2027-01-10T00:00:00Z");
let nights = 0;
let night: number;

beforeEach(async () => {
  await deleteErasureRecords();
  const company = await setUpCompany();
  await setUpCompany("globex");
  await enableGateways(company);
  await bookOnWebsite();
  // Each test has its own night, because a backup is made once.
  night = NIGHT + 21 * DAY * nights++;
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const readBackupEntry = (account?: string) => readBackupTables(night, account);

describe("a backup", () => {
  const readMaintenanceState = () => env.TENANT_ACME.prepare("SELECT * FROM upkeep").first<Record<string, unknown>>();

  test("adds a data export to Sunday's backup, and deletes old exports", async () => {
    await env.TENANT_ACME.prepare("UPDATE upkeep SET backed_up_at = NULL").run();
    const { exports } = openTestTenant(env).copies ?? {};
    await exports?.putStream("2026-11-29.zip", new Response("x").body ?? new ReadableStream(), "application/zip");
    await runCronEveryMinute(NIGHT + 13 * 60 * MINUTE, 5);
    const packed = await new Response(await exports?.get("2027-01-10.zip")).arrayBuffer();
    const files = unzipSync(new Uint8Array(packed));
    expect(JSON.parse(strFromU8(files["bookings.jsonl"] ?? new Uint8Array()))).toMatchObject({
      status: expect.any(String),
    });
    expect(Object.keys(files).filter((name) => /users|keys|gateways/.test(name))).toEqual([]);
    expect(await exports?.has("2026-11-29.zip")).toBe(false);
    await env.TENANT_ACME.prepare("UPDATE upkeep SET backed_up_at = NULL").run();
    await runCronEveryMinute(NIGHT + DAY + 13 * 60 * MINUTE, 5);
    expect(await exports?.list("")).toEqual(["2027-01-10.zip"]);
  });

  test("catches up Sunday's data export on Monday if the cron job was down, but not on Tuesday", async () => {
    const { exports } = openTestTenant(env).copies ?? {};
    for (const path of (await exports?.list("")) ?? []) await exports?.delete(path);
    const backUpOn = async (at: number) => runCronEveryMinute(at + 13 * 60 * MINUTE, 5);
    const saturday = NIGHT + 20 * DAY;
    await env.TENANT_ACME.prepare("UPDATE upkeep SET backed_up_at = ?, export_progress = NULL").bind(saturday).run();
    await backUpOn(saturday + 2 * DAY);
    const monday = getExportPath(saturday + 2 * DAY);
    expect(await exports?.list("")).toEqual([monday]);
    await backUpOn(saturday + 3 * DAY);
    expect(await exports?.list("")).toEqual([monday]);
  });

  test("completes a requested data export although the cron job was down for two days", async () => {
    const tenant = openTestTenant(env);
    await env.TENANT_ACME.prepare("UPDATE upkeep SET backup_leased_until = 0, export_progress = ?")
      .bind(JSON.stringify({ at: night }))
      .run();
    const now = night + 2 * DAY;
    expect(await continueAccountExport(tenant, { now, budget: { calls: 10, bytes: 1_000_000 } })).toBe(0);
    expect(await continueAccountExport(tenant, { now: now + MINUTE })).toBe(0);
    expect(await continueAccountExport(tenant, { now: now + 2 * MINUTE })).toBeGreaterThan(0);
    expect(await tenant.copies?.exports.has(getExportPath(now))).toBe(true);
  });

  // Proves "security, privacy and operation": An export of any size takes several turns, is done again after a kill,
  //   and is the same
  test("writes Sunday's data export in as many runs as needed, with the same result after a kill", async () => {
    await bookOnWebsite();
    const tenant = openTestTenant(env);
    const { exports } = tenant.copies ?? {};
    const ask = (at: number) =>
      env.TENANT_ACME.prepare("UPDATE upkeep SET backup_leased_until = 0, export_progress = ?")
        .bind(JSON.stringify({ at }))
        .run();
    const listFiles = async () =>
      unzipSync(new Uint8Array(await new Response(await exports?.get(getExportPath(night))).arrayBuffer()));
    await ask(night);
    expect(await continueAccountExport(tenant, { now: night })).toBeGreaterThan(0);
    const uninterruptedResult = await listFiles();
    await exports?.delete(getExportPath(night));
    await ask(night);
    let [turns, rowCount] = [0, 0];
    for (; rowCount === 0; turns++) {
      const now = night + turns * 31 * MINUTE;
      const budget = { calls: 10, bytes: 1_000_000 };
      if (turns === 2 || turns === 5) {
        // A killed run loses its lease, so its part is repeated.
        const killed = { ...env, TENANT_ACME: addFaults(env.TENANT_ACME, ["none", "none", "before"]) };
        await expect(continueAccountExport(openTestTenant(killed), { now, budget })).rejects.toThrow("connection lost");
        expect(await continueAccountExport(tenant, { now: now + MINUTE, budget })).toBe(0);
      } else rowCount = await continueAccountExport(tenant, { now, budget });
      expect([await exports?.has(getExportPath(night)), budget.calls >= 0]).toEqual([rowCount > 0, true]);
    }
    expect(turns).toBeGreaterThan(5);
    expect(await listFiles()).toEqual(uninterruptedResult);
    expect((await exports?.list(""))?.filter((path) => path.endsWith(".part"))).toEqual([]);
    expect(await readMaintenanceState()).toMatchObject({ export_progress: null, backup_leased_until: 0 });
  });

  test("restarts the Sunday export after a migration or a lost part, and gives up after a day", async () => {
    const tenant = openTestTenant(env);
    const { exports } = tenant.copies ?? {};
    const progress = async () =>
      JSON.parse(String((await readMaintenanceState())?.["export_progress"])) as {
        parts?: number;
        tables?: string[];
      } | null;
    const runExportStep = (now: number, calls = 10) =>
      continueAccountExport(tenant, { now, budget: { calls, bytes: 1_000_000 } });
    await env.TENANT_ACME.prepare("UPDATE upkeep SET backup_leased_until = 0, export_progress = ?")
      .bind(JSON.stringify({ at: night }))
      .run();
    await runExportStep(night);
    await runExportStep(night + MINUTE);
    expect((await progress())?.parts).toBe(2);
    await env.TENANT_ACME.prepare("CREATE TABLE of_tomorrow (id INTEGER PRIMARY KEY)").run();
    await runExportStep(night + 2 * MINUTE);
    expect(await progress()).toMatchObject({ parts: 1, tables: expect.arrayContaining(["of_tomorrow"]) });
    await env.TENANT_ACME.prepare("DROP TABLE of_tomorrow").run();
    await runExportStep(night + 3 * MINUTE);
    await runExportStep(night + 4 * MINUTE, 1000);
    await exports?.delete((await exports.list("")).find((path) => path.endsWith(".1.part")) ?? "");
    await expect(runExportStep(night + 5 * MINUTE)).rejects.toThrow("a part of the copy is missing");
    expect(await progress()).toEqual({ at: night });
    await runExportStep(night + 6 * MINUTE);
    await expect(runExportStep(night + 2 * DAY)).rejects.toThrow("longer than a day");
    expect([await progress(), await exports?.has(getExportPath(night))]).toEqual([null, false]);
    expect((await exports?.list(""))?.filter((path) => path.endsWith(".part"))).toEqual([]);
  });

  // Proves "security, privacy and operation": A backup of any size takes several turns, restarts after a kill, and is
  //   the same copy
  test("continues a backup over several runs, with the same result if a run is killed", async () => {
    await bookOnWebsite();
    const tenant = openTestTenant(env);
    const { rows } = tenant.copies ?? {};
    await env.TENANT_ACME.prepare("UPDATE upkeep SET backed_up_at = NULL").run();
    await backUpAccountInOneRun(tenant, night);
    const uninterruptedResult = await readBackupEntry();
    await rows?.delete(getBackupPath(night));
    // A run killed in the middle of its part loses its lease, so the part is repeated.
    const kill = async (now: number, budget: { calls: number; bytes: number }) => {
      const killed = { ...env, TENANT_ACME: addFaults(env.TENANT_ACME, ["none", "none", "none", "before"]) };
      await expect(continueBackup(openTestTenant(killed), { since: night, now, budget })).rejects.toThrow(
        "connection lost",
      );
      expect(await continueBackup(tenant, { since: night, now: now + MINUTE })).toBe(0);
    };
    let [turns, rowCount] = [0, 0];
    for (; rowCount === 0; turns++) {
      const now = night + turns * 31 * MINUTE;
      const budget = { calls: 10, bytes: 1_000_000 };
      if (turns === 2 || turns === 6) await kill(now, budget);
      else rowCount = await continueBackup(tenant, { since: night, now, budget });
      expect([await rows?.has(getBackupPath(night)), budget.calls >= 0]).toEqual([rowCount > 0, true]);
    }
    expect(turns).toBeGreaterThan(8);
    expect(listBackupRows(await readBackupEntry())).toEqual(listBackupRows(uninterruptedResult));
    expect((await rows?.list(""))?.filter((path) => !path.endsWith(".ndjson.gz"))).toEqual([]);
    expect(await readMaintenanceState()).toMatchObject({
      backed_up_at: night,
      backup_rows: rowCount,
      backup_progress: null,
    });
  });

  test("resumes the backup of a large table at its last position, and reads no row twice", async () => {
    const tenant = openTestTenant(env);
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE upkeep SET backed_up_at = NULL"),
      env.TENANT_ACME.prepare(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 25000)
        INSERT INTO deletions (kind, at, count) SELECT 'many', n, 1 FROM n`),
    ]);
    let rowCount = 0;
    for (let stepCount = 0; rowCount === 0; stepCount++)
      rowCount = await continueBackup(tenant, {
        since: night,
        now: night + stepCount * MINUTE,
        budget: { calls: 50, bytes: 300_000 },
      });
    const moments = (await readBackupEntry())?.get("deletions")?.records.filter((row) => row.includes("many")) ?? [];
    expect([moments.length, new Set(moments.map(String)).size]).toEqual([25_000, 25_000]);
    const packed = await tenant.copies?.rows.get(getBackupPath(night));
    const startedAccounts: string[] = [];
    const ignore = () => undefined;
    await readBackupRows(packed ?? new ReadableStream(), {
      begin: ({ table }) => startedAccounts.push(table),
      row: ignore,
      end: ignore,
    });
    expect(startedAccounts.length).toBe(new Set(startedAccounts).size);
    await env.TENANT_ACME.prepare("DELETE FROM deletions WHERE kind = 'many'").run();
  });

  test("restarts a backup after a migration, a lost part or more than a day", async () => {
    const tenant = openTestTenant(env);
    const { rows } = tenant.copies ?? {};
    const progress = async () =>
      JSON.parse(String((await readMaintenanceState())?.["backup_progress"])) as { at: number } | null;
    const runExportStep = (now: number) =>
      continueBackup(tenant, { since: night, now, budget: { calls: 40, bytes: 1_000_000 } });
    await env.TENANT_ACME.prepare("UPDATE upkeep SET backed_up_at = NULL").run();
    await runExportStep(night);
    await env.TENANT_ACME.prepare("INSERT INTO d1_migrations (name) VALUES ('9999_more.sql')").run();
    await runExportStep(night + MINUTE);
    await env.TENANT_ACME.prepare("DELETE FROM d1_migrations WHERE name = '9999_more.sql'").run();
    expect((await progress())?.at).toBe(night + MINUTE);
    await runExportStep(night + DAY + 2 * MINUTE);
    expect((await progress())?.at).toBe(night + DAY + 2 * MINUTE);
    for (let minute = 3; (await progress()) && minute < 20; minute++) {
      await Promise.all(
        ((await rows?.list("")) ?? []).filter((path) => path.endsWith(".1.part")).map((path) => rows?.delete(path)),
      );
      await runExportStep(night + DAY + minute * MINUTE).catch(() => undefined);
    }
    expect([await progress(), (await readMaintenanceState())?.["backup_problem"]]).toEqual([null, "Error"]);
    expect(await rows?.has(getBackupPath(night + DAY))).toBe(false);
  });
});

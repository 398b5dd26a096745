import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrateCells } from "#scripts/deployment/migrate-cells.ts";
import { generateCellConfigs } from "#support/cell-configs.ts";
import { CELL_KEYS, type RunningCells, runCells, serveRouterBaseDomain } from "#support/cells.ts";
import { createCompanyStatements, encryptPartnerSecrets } from "#support/company-rows.ts";

// Long work of a cell through the runtime's queues: cron job, producer, consumer, dead letters and the operator.

const COMPANIES = ["blue-boats", "red-cars", "green-vans"];
let running: RunningCells;
let operator: Awaited<ReturnType<typeof serveRouterBaseDomain>>;

beforeAll(async () => {
  running = await runCells(await generateCellConfigs(["01"], 4));
  operator = await serveRouterBaseDomain(running);
  const target = { isRemote: true, environment: "production", stateDir: "" };
  await migrateCells({ ...target, operator: { url: operator.url, key: CELL_KEYS.OPERATOR_KEY } }, "01");
  for (const name of COMPANIES) {
    await running.operate("PUT", `directory/accounts/${name}`, {});
    const db = running.openDatabase(name);
    await db.batch(createCompanyStatements(db, await encryptPartnerSecrets(CELL_KEYS.MASTER_KEY, name)));
  }
});
afterAll(() => {
  operator.close();
  return running.dispose();
});

/** Runs a command of administrators on this deployment. */
async function command(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, OPERATOR_URL: operator.url, OPERATOR_KEY: CELL_KEYS.OPERATOR_KEY };
  return (await promisify(execFile)("node", ["scripts/run.mjs", "cells", ...args, "--env", "production"], { env }))
    .stdout;
}

interface Failure {
  readonly account: string;
  readonly kind: string;
  readonly failures: number;
}

const readOverview = async () =>
  (await running.operate("GET", "directory")).body as {
    jobs: readonly Failure[];
    accounts: readonly { account: string; error: string | null }[];
  };
const listFailures = async (account: string) => (await readOverview()).jobs.filter((job) => job.account === account);

const readUpkeep = async (account: string) => {
  const query = "SELECT backed_up_at, backup_verified_at, backup_rows FROM upkeep";
  return (await running.openDatabase(account).prepare(query).first<Record<string, number | null>>()) ?? {};
};
const backedUpAt = async (account: string) => (await readUpkeep(account))["backed_up_at"] ?? null;

/** Minutes of the cron job so far. The work itself depends on the present time. */
let minute = Math.floor(Date.now() / 60_000);
const runFiveMinutes = async () => {
  for (let count = 0; count < 5; count++) await running.runClock("01", minute++);
};
const exec = (account: string, sql: string) => running.openDatabase(account).prepare(sql).run();
const BREAK_BACKUPS = `CREATE TRIGGER broken BEFORE UPDATE OF backup_leased_until ON upkeep
  BEGIN SELECT RAISE(ABORT, 'broken'); END`;

describe("long work of a cell", () => {
  test("runs backups as queue messages, and a failing company delays no other", async () => {
    await exec("red-cars", BREAK_BACKUPS);
    await runFiveMinutes();
    await expect.poll(() => backedUpAt("blue-boats")).toBeGreaterThan(0);
    await expect.poll(() => backedUpAt("green-vans")).toBeGreaterThan(0);
    await expect.poll(() => listFailures("red-cars")).toMatchObject([{ kind: "back_up", failures: 1 }]);
    expect(await backedUpAt("red-cars")).toBeNull();
    expect((await readOverview()).jobs).toHaveLength(1);
  });

  test("raises an alert after a failed job's last attempt, and waits before the cron job sends it again", async () => {
    await runFiveMinutes();
    const { accounts } = await readOverview();
    expect(accounts.filter(({ error }) => error?.includes("jobs_failed")).map(({ account }) => account)).toEqual([
      "red-cars",
    ]);
    expect(await listFailures("red-cars")).toMatchObject([{ failures: 1 }]);
  });

  test("runs a failed job again within a minute after an operator retries it, and records a new failure", async () => {
    const retried = await running.operate("POST", "directory/accounts/red-cars/jobs/retry");
    expect(retried.status).toBe(204);
    await running.runClock("01", minute++);
    await expect.poll(() => listFailures("red-cars")).toMatchObject([{ failures: 2 }]);
    await exec("red-cars", "DROP TRIGGER broken");
    await running.operate("POST", "directory/accounts/red-cars/jobs/retry?kind=back_up");
    await running.runClock("01", minute++);
    await expect.poll(() => backedUpAt("red-cars")).toBeGreaterThan(0);
    await expect.poll(() => listFailures("red-cars")).toEqual([]);
  });

  test("lets an operator dismiss a failed job, and returns 404 if there is none", async () => {
    const directory = await running.openDirectory();
    await directory.prepare("INSERT INTO failed_jobs VALUES ('blue-boats', 'export', 1, 1, 1)").run();
    expect((await running.operate("POST", "directory/accounts/blue-boats/jobs/dismiss?kind=export")).status).toBe(204);
    expect(await running.operate("POST", "directory/accounts/blue-boats/jobs/dismiss?kind=export")).toEqual({
      status: 404,
      body: { code: "job_not_found", error: "blue-boats has no failed work export" },
    });
  });

  test("lists, retries and dismisses failed jobs by command", async () => {
    const directory = await running.openDirectory();
    await directory
      .prepare("INSERT INTO failed_jobs VALUES ('blue-boats', 'export', ?, 2, 9e15)")
      .bind(Date.now())
      .run();
    expect(await command("list")).toContain("blue-boats: export failed 2 times, the last time 0 min ago");
    expect(await command("retry", "blue-boats")).toContain("sent again within a minute");
    expect(await directory.prepare("SELECT held_until FROM failed_jobs").first("held_until")).toBe(0);
    expect(await command("dismiss", "blue-boats")).toContain("blue-boats: dismissed.");
    expect(await listFailures("blue-boats")).toEqual([]);
  });

  test("removes a failed job from the operator's list once the job is no longer due", async () => {
    const directory = await running.openDirectory();
    await directory.prepare("INSERT INTO failed_jobs VALUES ('blue-boats', 'back_up', 1, 1, 1)").run();
    expect(await listFailures("blue-boats")).toHaveLength(1);
    await runFiveMinutes();
    expect(await listFailures("blue-boats")).toEqual([]);
  });
});

describe("a message", () => {
  const message = { account: "blue-boats", kind: "back_up" };

  test("creates no second backup if a queue message is repeated", async () => {
    const before = await readUpkeep("blue-boats");
    expect(await running.deliver("01", message)).toEqual({ outcome: "ok", acked: 1, retried: 0 });
    expect(await readUpkeep("blue-boats")).toEqual(before);
    await exec("blue-boats", "UPDATE upkeep SET backed_up_at = NULL");
    await Promise.all([running.deliver("01", message), running.deliver("01", message)]);
    const once = await backedUpAt("blue-boats");
    expect(once).toBeGreaterThan(0);
    await running.deliver("01", message);
    expect(await backedUpAt("blue-boats")).toBe(once);
  });

  test("skips a backup message while a killed run's lease lasts, and the cron job sends it again afterwards", async () => {
    const lease = (until: number) =>
      exec("blue-boats", `UPDATE upkeep SET backed_up_at = NULL, backup_leased_until = ${until}`);
    await lease(Date.now() + 3_600_000);
    expect(await running.deliver("01", message)).toMatchObject({ acked: 1 });
    await runFiveMinutes();
    expect(await backedUpAt("blue-boats")).toBeNull();
    await lease(Date.now() - 1);
    await runFiveMinutes();
    await expect.poll(() => backedUpAt("blue-boats")).toBeGreaterThan(0);
  });

  test("drops a queue message whose company is paused or unknown, or whose kind of job is unknown", async () => {
    await running.operate("POST", "directory/accounts/green-vans/pause");
    await exec("green-vans", "UPDATE upkeep SET backed_up_at = NULL");
    for (const body of [
      { account: "green-vans", kind: "back_up" },
      { account: "nobody", kind: "back_up" },
      { account: "blue-boats", kind: "toString" },
      { nonsense: true },
    ])
      expect(await running.deliver("01", body)).toMatchObject({ acked: 1, retried: 0 });
    expect(await backedUpAt("green-vans")).toBeNull();
    await running.operate("POST", "directory/accounts/green-vans/resume");
  });

  test("retries a company's queue message without running it while the directory names another company's database", async () => {
    const directory = await running.openDirectory();
    const place = directory.prepare("UPDATE accounts SET slot = ?1 WHERE name = 'red-cars'");
    const slot = await directory.prepare("SELECT slot FROM accounts WHERE name = 'red-cars'").first<number>("slot");
    await exec("red-cars", "UPDATE upkeep SET backed_up_at = NULL");
    await place.bind(4).run();
    expect(await running.deliver("01", { account: "red-cars", kind: "back_up" })).toMatchObject({ retried: 1 });
    await place.bind(slot).run();
    expect(await backedUpAt("red-cars")).toBeNull();
    expect(await running.deliver("01", { account: "red-cars", kind: "back_up" })).toMatchObject({ acked: 1 });
    expect(await backedUpAt("red-cars")).toBeGreaterThan(0);
  });
});

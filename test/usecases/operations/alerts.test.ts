import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import worker from "#worker/entry/office.ts";
import { backUpAccountInOneRun, continueBackup, getBackupPath } from "#worker/usecases/operations/back-up.ts";
import { verifyLatestBackupIfDue } from "#worker/usecases/operations/verify-backup.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const BOOKS = ["operations/alarms-01.json", "operations/alarms-02.json"];
let now: number;
let mails: { readonly to: string; readonly subject: string; readonly text: string }[] = [];

beforeEach(async () => {
  await setUpCompany();
  await setUpCompany("globex");
  now = Math.floor(Date.now() / DAY) * DAY + 12 * 60 * MINUTE;
  mails = [];
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  await env.BACKUPS?.delete(BOOKS);
  for (const db of [env.TENANT_ACME, env.TENANT_GLOBEX])
    await db
      .prepare(
        "UPDATE upkeep SET backed_up_at = ?1, backup_verified_at = ?1, purged_at = ?1, backup_problem = NULL, size_bytes = 1, backup_leased_until = 0",
      )
      .bind(now)
      .run();
});

afterEach(() => vi.restoreAllMocks());

const MAIL = { send: async (mail: (typeof mails)[number]) => void mails.push(mail) } as unknown as SendEmail;
const createOperatedBindings = (more: object = {}) =>
  ({ ...env, MAIL, ALERT_EMAIL: "operator@rentals.test", ...more }) as unknown as Cloudflare.Env;

/** Runs cron for five minutes, so that each account gets its turn. */
async function runCronRound(bindings: Cloudflare.Env, round: number): Promise<void> {
  for (let minute = 0; minute < 5; minute++) {
    const scheduledTime = new Date(now + (5 * round + minute) * MINUTE);
    await worker.scheduled(createScheduledController({ scheduledTime, cron: "* * * * *" }), bindings);
  }
}

const setDatabaseSize = (db: D1Database, bytes: number) =>
  db.prepare("UPDATE upkeep SET size_bytes = ?").bind(bytes).run();

describe("the operator", () => {
  // Proves "security, privacy and operation": Alarms: sent once after two checks, and once at the end
  test("mails the operator once per alert for all accounts together, and once when the alert ends", async () => {
    await setDatabaseSize(env.TENANT_ACME, 7_500_000_000);
    await runCronRound(createOperatedBindings(), 0);
    expect(mails).toEqual([]);
    await runCronRound(createOperatedBindings(), 1);
    expect(mails).toMatchObject([
      { to: "operator@rentals.test", subject: "localhost: an alert (nearly_full)", html: expect.any(String) },
    ]);
    expect(mails[0]?.text).toContain("New: acme · nearly_full · database 75 % full");
    await runCronRound(createOperatedBindings(), 2);
    expect(mails).toHaveLength(1);
    await setDatabaseSize(env.TENANT_ACME, 1);
    await runCronRound(createOperatedBindings(), 3);
    expect(mails.slice(1)).toMatchObject([{ subject: "localhost: an alert resolved" }]);
    expect(await (await env.BACKUPS?.get(String(BOOKS[0])))?.json()).toEqual([]);
  });

  test("ends the alerts of a company that its cell no longer has", async () => {
    await setDatabaseSize(env.TENANT_ACME, 7_500_000_000);
    for (const round of [0, 1]) await runCronRound(createOperatedBindings(), round);
    await runCronRound(createOperatedBindings({ TENANT_ACME: undefined }), 2);
    expect(mails.slice(1)).toMatchObject([{ text: expect.stringContaining("Resolved: acme · nearly_full") }]);
  });

  test("mails each cell's alerts once, also those of requests, although all cells share dataset and bucket", async () => {
    await setDatabaseSize(env.TENANT_ACME, 7_500_000_000);
    const data = ["acme", "globex", "-"].map((account) => ({ account, requests: "200", failed: 10, p95: 9 }));
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ data }));
    const access = { REQUESTS_DATASET: "rental_requests", CLOUDFLARE_ACCOUNT_ID: "a1", CLOUDFLARE_API_TOKEN: "t" };
    for (const round of [0, 1, 2])
      for (const cell of [{ TENANT_GLOBEX: undefined }, { CELL: "02", TENANT_ACME: undefined }])
        await runCronRound(createOperatedBindings({ ...access, ...cell }), round);
    const lines = mails.flatMap(({ text }) => text.match(/^(?:New|Resolved): \S+ · \w+/gm) ?? []);
    expect(lines.toSorted()).toEqual([
      "New: - · errors",
      "New: acme · errors",
      "New: acme · nearly_full",
      "New: globex · errors",
    ]);
    // Cells that write at the same time don't delay each other's alerts.
    const readStored = async (book: string) =>
      (await (await env.BACKUPS?.get(book))?.json<{ account: string }[]>())?.map(({ account }) => account);
    expect((await Promise.all(BOOKS.map(readStored))).map((accounts) => [...new Set(accounts)].toSorted())).toEqual([
      ["-", "acme"],
      ["globex"],
    ]);
  });

  test("mails the operator if an account's secrets need another master key, and when they can be read again", async () => {
    await setUpCompany();
    const MASTER_KEY = btoa("another key of the deployment!!!");
    for (const round of [0, 1]) await runCronRound(createOperatedBindings({ MASTER_KEY }), round);
    const texts = () => mails.map(({ text }) => text).join("\n");
    expect(texts()).toContain("New: acme · sealed_elsewhere · secrets are encrypted with a different MASTER_KEY");
    for (const round of [2, 3])
      await runCronRound(createOperatedBindings({ MASTER_KEY, PREVIOUS_MASTER_KEY: env.MASTER_KEY }), round);
    expect(texts()).toContain("Resolved: acme · sealed_elsewhere");
  });

  // Proves "security, privacy and operation": Alarms: by webhook, repeated after a failure
  test("sends alerts to the operator's webhook, and retries at the next check after a failure", async () => {
    await setDatabaseSize(env.TENANT_GLOBEX, 8_000_000_000);
    const answers = [500, 200];
    const sentBatches: { readonly text: string; readonly begun: readonly object[] }[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      expect(String(input)).toBe("https://operator.test/alarms");
      sentBatches.push(JSON.parse(String(init?.body)));
      return new Response(null, { status: answers.shift() ?? 200 });
    });
    const bindings = createOperatedBindings({ ALERT_WEBHOOK_URL: "https://operator.test/alarms", ALERT_EMAIL: "" });
    for (const round of [0, 1, 2, 3]) await runCronRound(bindings, round);
    expect(sentBatches).toHaveLength(2);
    expect(sentBatches[1]).toMatchObject({ begun: [{ kind: "nearly_full", account: "globex", value: 80 }] });
    expect(sentBatches[1]?.text).toContain("globex · nearly_full");
  });

  test.each([
    ["webhook", "rejected"],
    ["mail", "accepted"],
  ])("sends the operator an alert once, by the other channel, while the %s fails", async (failing, webhook) => {
    await setDatabaseSize(env.TENANT_GLOBEX, 8_000_000_000);
    const posts: string[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
      posts.push(String(input));
      return new Response(null, { status: webhook === "rejected" ? 500 : 200 });
    });
    const failingMail = { MAIL: { send: () => Promise.reject(new Error("mail")) } as unknown as SendEmail };
    const bindings = createOperatedBindings({
      ALERT_WEBHOOK_URL: "https://operator.test/alarms",
      ...(failing === "mail" && failingMail),
    });
    for (const round of [0, 1, 2, 3]) await runCronRound(bindings, round);
    expect(posts).toHaveLength(1);
    expect(mails).toHaveLength(failing === "mail" ? 0 : 1);
  });

  // Proves "security, privacy and operation": Alarms: a database that does not answer
  test("mails the operator about an unreachable database, although the alert can't be stored in it", async () => {
    const failingDatabase = { prepare: () => ({ bind: () => ({}) }), batch: () => Promise.reject(new Error("gone")) };
    const bindings = createOperatedBindings({ TENANT_GLOBEX: failingDatabase as unknown as D1Database });
    await runCronRound(bindings, 0);
    await runCronRound(bindings, 1);
    expect(mails).toMatchObject([{ subject: "localhost: an alert (unreachable)" }]);
    expect(mails[0]?.text).toContain("globex · unreachable · the database doesn't respond");
  });

  // Proves "security, privacy and operation": Alarms: errors and latency
  test("alerts the operator to errors and slow responses if the deployment can read its metrics", async () => {
    const queriedTables: string[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      queriedTables.push(`${input} ${init?.body}`);
      return Response.json({ data: [{ account: "acme", requests: "200", failed: 10, p95: 1800 }] });
    });
    const access = { REQUESTS_DATASET: "rental_requests", CLOUDFLARE_ACCOUNT_ID: "a1", CLOUDFLARE_API_TOKEN: "t" };
    await runCronRound(createOperatedBindings(access), 0);
    await runCronRound(createOperatedBindings(access), 1);
    // Once in five minutes.
    expect(queriedTables).toHaveLength(2);
    expect(queriedTables[0]).toContain("https://api.cloudflare.com/client/v4/accounts/a1/analytics_engine/sql");
    expect(queriedTables[0]).toContain("INTERVAL '15' MINUTE");
    expect(mails).toMatchObject([{ subject: "localhost: 2 alerts (errors, slow)" }]);
    expect(mails[0]?.text).toContain("acme · errors · error rate of the last minutes: 5 %");
  });
});

/** Changes a backup to declare an empty table. */
function removeTableRows(table: string, text: string): string {
  let isInside = false;
  const lines = text.split("\n").flatMap((line) => {
    if (line.startsWith("[")) return isInside ? [] : [line];
    const parsedLine = line === "" ? {} : (JSON.parse(line) as { table?: string; columns?: unknown; hash?: string });
    isInside = parsedLine.table === table && parsedLine.columns !== undefined;
    const isTail = parsedLine.table === table && parsedLine.hash !== undefined;
    return isTail ? [JSON.stringify({ ...parsedLine, rows: 0, hash: createHash("sha256").digest("hex") })] : [line];
  });
  return lines.join("\n");
}

describe("scheduled backup checks", () => {
  const backupCheckedAt = () =>
    env.TENANT_ACME.prepare("SELECT backup_verified_at FROM upkeep").first<number>("backup_verified_at");
  const setBackupCheckMonthAgo = () =>
    env.TENANT_ACME.prepare("UPDATE upkeep SET backup_verified_at = ?")
      .bind(now - 29 * DAY)
      .run();

  // Proves "security, privacy and operation": The last backup is examined once a month
  test("checks the last backup once a month, and records the time", async () => {
    await continueBackup(openTestTenant(env), { since: now + 1, now });
    await setBackupCheckMonthAgo();
    await runCronRound(createOperatedBindings(), 0);
    const first = await backupCheckedAt();
    expect(first).toBeGreaterThanOrEqual(now);
    await runCronRound(createOperatedBindings(), 1);
    expect(await backupCheckedAt()).toBe(first);
    expect(await verifyLatestBackupIfDue(openTestTenant(env), { since: now - 28 * DAY, now })).toBe(0);
  });

  // Proves "security, privacy and operation": A backup that is damaged, another's or of no schema fails its drill
  test("raises an alert if the checked backup is damaged, of another account or can't be loaded", async () => {
    const { rows } = openTestTenant(env).copies ?? {};
    await backUpAccountInOneRun(openTestTenant(env), now);
    const backupBytes = new Uint8Array(await new Response(await rows?.get(getBackupPath(now))).arrayBuffer());
    const text = await new Response(
      new Response(backupBytes).body?.pipeThrough(new DecompressionStream("gzip")) ?? null,
    ).text();
    const packed = (changed: string) => new Response(changed).body?.pipeThrough(new CompressionStream("gzip"));
    // Later than all other nightly backups.
    const last = getBackupPath(Date.parse("2099-01-01T00:00:00Z"));
    const damages = [
      text.replace(/\n\[/, "\n[0"),
      text.replace('"account":"acme"', '"account":"globex"'),
      text.replace('"columns":["', '"columns":["no_such_column","'),
      text.slice(0, text.length / 2),
    ];
    for (const damaged of damages) {
      await rows?.putStream(last, packed(damaged) ?? new ReadableStream(), "application/gzip");
      await setBackupCheckMonthAgo();
      await env.TENANT_ACME.prepare("UPDATE upkeep SET backup_leased_until = 0, backup_problem = NULL").run();
      await expect(verifyLatestBackupIfDue(openTestTenant(env), { since: now - 28 * DAY, now })).rejects.toThrow();
      expect(await env.TENANT_ACME.prepare("SELECT backup_problem FROM upkeep").first("backup_problem")).toMatch(
        /^drill: /,
      );
      expect(await backupCheckedAt()).toBe(now - 29 * DAY);
    }
    await runCronRound(createOperatedBindings(), 0);
    await runCronRound(createOperatedBindings(), 1);
    expect(mails[0]?.text).toContain("acme · backup_failed");
    await rows?.delete(last);
  });

  // Proves "security, privacy and operation": Backups are restored for verification, and missing rows are found
  test("raises an alert if a checked backup contains references to missing rows", async () => {
    const tenant = openTestTenant(env);
    await backUpAccountInOneRun(tenant, now);
    const path = getBackupPath(now);
    const restored = await tenant.scratch?.restore(path);
    expect(restored).toMatchObject({ isWhole: true, brokenReferences: 0 });
    expect(restored?.rows).toBeGreaterThan(50);
    const text = await new Response(
      (await tenant.copies?.rows.get(path))?.pipeThrough(new DecompressionStream("gzip")) ?? null,
    ).text();
    const last = getBackupPath(Date.parse("2099-01-01T00:00:00Z"));
    const packed = new Response(removeTableRows("branches", text)).body?.pipeThrough(new CompressionStream("gzip"));
    await tenant.copies?.rows.putStream(last, packed ?? new ReadableStream(), "application/gzip");
    await setBackupCheckMonthAgo();
    await env.TENANT_ACME.prepare("UPDATE upkeep SET backup_leased_until = 0").run();
    await expect(verifyLatestBackupIfDue(tenant, { since: now - 28 * DAY, now })).rejects.toThrow(
      "the restored data differs",
    );
    await tenant.copies?.rows.delete(last);
  });
});

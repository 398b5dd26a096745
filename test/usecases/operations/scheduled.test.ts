import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { readBackupTables, runCronEveryMinute } from "#support/backup-nights.ts";
import { setUpCompany } from "#support/company.ts";
import { addFaults, openTestTenant } from "#support/databases.ts";
import { bookOnWebsite, enableGateways } from "#support/payments.ts";
import { deleteErasureRecords } from "#support/person-to-erase.ts";
import { addTestUsers } from "#support/test-users.ts";
import { findKeyOnlyPartnerKey } from "#worker/auth/signature.ts";
import { simulateAuthority } from "#worker/development/authority-simulator.ts";
import { enqueueMail } from "#worker/store/mails/outgoing-mails.ts";
import { setAuthoritySimulator } from "#worker/tenancy/authorities.ts";
import { encryptOutgoingMail, resendMails } from "#worker/usecases/mails/send-mails.ts";
import { backUpAccountInOneRun, continueBackup, getBackupPath } from "#worker/usecases/operations/back-up.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const NIGHT = Date.parse("2027-01-10T00:00:00Z");
let nights = 0;
let night: number;
let logged: Record<string, unknown>[] = [];

beforeEach(async () => {
  await deleteErasureRecords();
  const company = await setUpCompany();
  await setUpCompany("globex");
  await enableGateways(company);
  await bookOnWebsite();
  // Each test has its own night, because a backup is made once.
  night = NIGHT + 3 * DAY * nights++;
  logged = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => {
    logged.push(JSON.parse(line));
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const readBackupEntry = (account?: string) => readBackupTables(night, account);

describe("nightly backups", () => {
  test("backs up every table of every account once per night, without the runtime's own tables", async () => {
    for (const db of [env.TENANT_ACME, env.TENANT_GLOBEX])
      await db
        .prepare("UPDATE upkeep SET backed_up_at = ?1, backup_verified_at = ?1")
        .bind(night - 1)
        .run();
    // A release simulates every minute, the gate every eleventh, with which each account still gets its turn.
    await runCronEveryMinute(night, 24 * 60, env, inject("isThorough") ? 1 : 11);
    const backup = await readBackupEntry();
    const names = await env.TENANT_ACME.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name NOT IN ('d1_migrations', 'search_blocks')",
    ).all<{ name: string }>();
    expect([...(backup?.keys() ?? [])].sort()).toEqual(names.results.map(({ name }) => name).sort());
    for (const { name } of names.results) {
      const rows = await env.TENANT_ACME.prepare(`SELECT count(*) AS n FROM ${name}`).first("n");
      expect([name, backup?.get(name)?.rows, backup?.get(name)?.records.length]).toEqual([name, rows, rows]);
    }
    expect(backup?.get("bookings")?.rows).toBe(1);
    expect((await readBackupEntry("globex"))?.size).toBe(backup?.size);
    expect(logged.filter(({ level }) => level === "error")).toEqual([]);
    expect(logged.filter(({ operation }) => operation === "back_up").map(({ account }) => account)).toHaveLength(2);
  }, 60_000);

  test("leaves no partial backup after a database failure, and the next attempt completes it", async () => {
    const failing = addFaults(env.TENANT_ACME, [...Array.from({ length: 20 }, () => "none" as const), "before"]);
    await expect(backUpAccountInOneRun(openTestTenant({ ...env, TENANT_ACME: failing }), night)).rejects.toThrow(
      "Network connection lost",
    );
    expect(await readBackupEntry()).toBeUndefined();
    const tonight = { since: night, now: night };
    await continueBackup(openTestTenant(env), tonight);
    expect((await readBackupEntry())?.get("bookings")?.rows).toBe(1);
    await env.TENANT_ACME.prepare("DELETE FROM payment_gateways").run();
    expect(await continueBackup(openTestTenant(env), tonight)).toBe(0);
    expect((await readBackupEntry())?.get("payment_gateways")?.rows).toBe(4);
  });

  if (inject("isThorough"))
    test("stores a file that is longer than one upload part completely", async () => {
      const bytes = new Uint8Array(20 * 1024 * 1024 + 7);
      for (let start = 0; start < bytes.length; start += 65_536) {
        crypto.getRandomValues(bytes.subarray(start, start + 65_536));
      }
      const chunks = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let start = 0; start < bytes.length; start += 3_000_001) {
            controller.enqueue(bytes.slice(start, start + 3_000_001));
          }
          controller.close();
        },
      });
      const { files } = openTestTenant(env);
      await files.putStream(`long-${night}`, chunks, "application/gzip");
      const backupBytes = new Uint8Array(await new Response(await files.get(`long-${night}`)).arrayBuffer());
      const computeHash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
      expect([backupBytes.length, computeHash(backupBytes)]).toEqual([bytes.length, computeHash(bytes)]);
    });
});

describe("a thousand companies", () => {
  const names = Array.from({ length: 1000 }, (_, index) => `rentals-${index}`);
  let calls = 0;
  let checkedAccounts: string[] = [];
  const upToDateMaintenance = {
    hasSettings: 1,
    backedUpAt: Date.now() * 2,
    backupCheckedAt: Date.now() * 2,
    hasFailed: 0,
    sizeBytes: 0,
    oldestMailAt: null,
    oldestTaxRecordAt: null,
  };

  /** Creates databases with only the backup due and without tables. */
  function companies(isBackupDue: (name: string) => boolean): Cloudflare.Env {
    const idle = (name: string) => ({
      prepare: (query: string) => ({ bind: () => ({ query }), query }),
      batch: async (statements: readonly { readonly query: string }[]) => {
        calls += 1;
        const asksFor = (text: string) => statements.some(({ query }) => query.includes(text));
        if (asksFor("sqlite_master")) throw new Error("not tonight");
        if (asksFor('update "upkeep"')) return [{ success: true, results: [{ backup_progress: null }], meta: {} }];
        checkedAccounts.push(name);
        const due = {
          holds: 0,
          news: 0,
          mails: 0,
          refunds: 0,
          webhooks: 0,
          held_operations: 0,
          ministryReports: 0,
          tax_records: 0,
          backup: isBackupDue(name) ? 1 : 0,
          export: 0,
          photos: 0,
          sweep: 0,
          drill: 0,
          keeping: JSON.stringify(upToDateMaintenance),
        };
        return [{ success: true, results: [due], meta: {} }];
      },
    });
    const bindings = Object.entries(env).filter(([binding]) => !binding.startsWith("TENANT_"));
    const databases = names.map((name) => [`TENANT_${name.toUpperCase().replaceAll("-", "_")}`, idle(name)] as const);
    return Object.fromEntries([...bindings, ...databases]) as unknown as Cloudflare.Env;
  }

  test("processes a thousand companies within five minutes, each minute within the limits of an invocation", async () => {
    const bindings = companies(() => false);
    checkedAccounts = [];
    let maxCount = 0;
    for (let minute = 0; minute < 5; minute++) {
      calls = 0;
      await runCronEveryMinute(night + 12 * 60 * MINUTE + minute * MINUTE, 1, bindings);
      maxCount = Math.max(maxCount, calls);
    }
    expect([...checkedAccounts].sort()).toEqual([...names].sort());
    expect(maxCount).toBeLessThan(300);
  });

  if (inject("isThorough"))
    test("runs a few waiting backups at a time, so none is always last", async () => {
      const tried = new Set<string>();
      const bindings = companies((name) => !tried.has(name));
      let maxCount = 0;
      for (let minute = 0; minute < 110; minute++) {
        logged = [];
        await runCronEveryMinute(night + minute * MINUTE, 1, bindings);
        const some = logged.filter(({ operation }) => operation === "back_up").map(({ account }) => String(account));
        for (const name of some) tried.add(name);
        maxCount = Math.max(maxCount, some.length);
      }
      expect([...tried].sort()).toEqual([...names].sort());
      expect(maxCount).toBeLessThanOrEqual(10);
    }, 60_000);
});

describe("a backup", () => {
  const readMaintenanceState = () => env.TENANT_ACME.prepare("SELECT * FROM upkeep").first<Record<string, unknown>>();

  // Proves "security, privacy and operation": A backup is tried again until it is done
  // Proves "security.md": A66
  if (inject("isThorough"))
    test("retries a failed backup at the next run, all day, until done", async () => {
      await env.TENANT_ACME.prepare("UPDATE upkeep SET backed_up_at = NULL").run();
      const noStore = { ...env, BACKUPS: undefined } as unknown as Cloudflare.Env;
      await runCronEveryMinute(night + 13 * 60 * MINUTE, 10, noStore);
      expect(logged.filter(({ account, operation }) => account === "acme" && operation === "back_up")).toHaveLength(2);
      expect(await readMaintenanceState()).toMatchObject({
        backed_up_at: null,
        backup_problem: "Error",
        backup_leased_until: 0,
      });
      await runCronEveryMinute(night + 14 * 60 * MINUTE, 15);
      expect((await readBackupEntry())?.get("bookings")?.rows).toBe(1);
      expect(logged.filter(({ account, operation }) => account === "acme" && operation === "back_up")).toHaveLength(3);
      expect(await readMaintenanceState()).toMatchObject({ backed_up_at: expect.any(Number), backup_problem: null });
    });

  test("runs a backup in only one of two simultaneous cron runs", async () => {
    const when = { since: night, now: night + 1 };
    await env.TENANT_ACME.prepare("UPDATE upkeep SET backed_up_at = NULL").run();
    const counts = await Promise.all([
      continueBackup(openTestTenant(env), when),
      continueBackup(openTestTenant(env), when),
    ]);
    expect(counts.filter((count) => count > 0)).toHaveLength(1);
  });

  test("stores backups in their own bucket, deletes old ones and keeps each month's first one for a year", async () => {
    const { rows } = openTestTenant(env).copies ?? {};
    const keep = async (daysAgo: number) => {
      const path = getBackupPath(night - daysAgo * DAY);
      await rows?.putStream(path, new Response("x").body ?? new ReadableStream(), "application/gzip");
      return path;
    };
    const recent = await keep(20);
    const old = await keep(40);
    const first = `${new Date(night - 70 * DAY).toISOString().slice(0, 8)}01.ndjson.gz`;
    await rows?.putStream(first, new Response("x").body ?? new ReadableStream(), "application/gzip");
    await env.TENANT_ACME.prepare("UPDATE upkeep SET backed_up_at = NULL").run();
    await continueBackup(openTestTenant(env), { since: night, now: night + 1 });
    expect(await Promise.all([recent, old, first].map((path) => rows?.has(path)))).toEqual([true, false, true]);
    expect((await env.FILES.list({ prefix: "t/acme/backup" })).objects).toEqual([]);
  });

  // Proves "security, privacy and operation": A backup holds no credential
  // Proves "security.md": A57
  test("contains no readable API key in a backup, and the key's hash gives no access", async () => {
    await env.TENANT_ACME.prepare(
      "INSERT INTO partner_keys (api_key, name, secret_sealed, scope_analytics, key_only, created_at) VALUES ('reader-key-0001', 'Reader', 'x', 1, 1, 0)",
    ).run();
    await backUpAccountInOneRun(openTestTenant(env), night);
    const backupBytes =
      (await readBackupEntry())?.get("partner_keys")?.records.find((row) => row.includes("Reader")) ?? [];
    const hash = String(backupBytes[0]);
    expect([JSON.stringify(backupBytes).includes("reader-key-0001"), hash]).toEqual([
      false,
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    await env.TENANT_ACME.prepare("UPDATE partner_keys SET api_key = ?, hashed = 1 WHERE api_key = 'reader-key-0001'")
      .bind(hash)
      .run();
    const { partnerKeys } = await openTestTenant(env).freshSnapshot();
    expect(findKeyOnlyPartnerKey("reader-key-0001", partnerKeys)).toMatchObject({ keyOnly: true });
    for (const keyText of [hash, `sha256:${hash}`]) expect(findKeyOnlyPartnerKey(keyText, partnerKeys)).toBeUndefined();
    await env.TENANT_ACME.prepare("DELETE FROM partner_keys WHERE name = 'Reader'").run();
  });

  if (inject("isThorough"))
    test("copies photos within minutes under their hash", async () => {
      const photo = new TextEncoder().encode(`a photo of ${night}`);
      const hash = createHash("sha256").update(photo).digest("hex");
      const tenant = openTestTenant(env);
      await addTestUsers();
      await tenant.files.put(`check-in/1/${hash}`, photo, { sha256: hash, contentType: "image/jpeg" });
      await env.TENANT_ACME.prepare(
        `INSERT INTO check_in_files (booking_id, hash, content_type, bytes, width, height, uploaded_by, uploaded_at)
       SELECT id, '${hash}', 'image/jpeg', 20, 1, 1, 2, ${night} FROM bookings LIMIT 1`,
      ).run();
      const id = await env.TENANT_ACME.prepare("SELECT id FROM bookings LIMIT 1").first("id");
      await tenant.files.put(`check-in/${id}/${hash}`, photo, { sha256: hash, contentType: "image/jpeg" });
      await runCronEveryMinute(night + 12 * 60 * MINUTE, 5);
      expect(await tenant.copies?.photos.has(`check-in/${id}/${hash}`)).toBe(true);
    });
});

test("sends queued mails once although several cron runs try, and skips one that can't be decrypted", async () => {
  const mail = { subject: "One", text: "", html: "", recipient: "ana@example.com", company: "Test" };
  const sentSubjects: string[] = [];
  const post = {
    send: async ({ subject }: { subject: string }) => void sentSubjects.push(subject),
  } as unknown as SendEmail;
  const tenant = openTestTenant({ ...env, MAIL: post });
  await env.TENANT_ACME.prepare("DELETE FROM outgoing_mails").run();
  const pendingMail = await encryptOutgoingMail(tenant, mail, night, night + DAY);
  await enqueueMail(tenant.db, { ...pendingMail, sealed: "not sealed at all" });
  for (let count = 0; count < 5; count++) await enqueueMail(tenant.db, pendingMail);
  const now = night + 10 * MINUTE;
  await Promise.all([resendMails(tenant, now), resendMails(tenant, now), resendMails(tenant, now)]);
  expect(sentSubjects).toHaveLength(5);
  expect(await env.TENANT_ACME.prepare("SELECT count(*) AS n FROM outgoing_mails").first("n")).toBe(1);
});

test("sends the mails of a company while an authority answers another company slowly", async () => {
  const pendingAnswers: ((answer: Response) => void)[] = [];
  setAuthoritySimulator(() => new Promise((resolve) => pendingAnswers.push(resolve)));
  const sentSubjects: string[] = [];
  const post = {
    send: async ({ subject }: { subject: string }) => void sentSubjects.push(subject),
  } as unknown as SendEmail;
  const globex = openTestTenant({ ...env, MAIL: post }, "globex");
  const mail = { subject: "Other", text: "", html: "", recipient: "ana@example.com", company: "Test" };
  await enqueueMail(globex.db, await encryptOutgoingMail(globex, mail, night, night + DAY));
  await env.TENANT_ACME.prepare("UPDATE settings SET ses_mode = 'ses'").run();
  await openTestTenant(env).freshSnapshot();
  const stepCount = runScheduledJobs({ ...env, MAIL: post }, night + 10 * MINUTE);
  try {
    await vi.waitFor(() => expect(sentSubjects).toContain("Other"));
    await vi.waitFor(() => expect(pendingAnswers.length).toBeGreaterThan(0));
  } finally {
    setAuthoritySimulator(simulateAuthority);
    for (const answer of pendingAnswers) answer(new Response(null, { status: 502 }));
    await stepCount;
  }
});

test("ends expired holds within five minutes among many valid ones", async () => {
  await runCronEveryMinute(Date.now() + 2 * DAY, 5);
  expect(await env.TENANT_ACME.prepare("SELECT status FROM bookings").first("status")).toBe("cancelled");
  expect(logged.filter(({ operation }) => operation === "expire_holds")).toHaveLength(1);
});

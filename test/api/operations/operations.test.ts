import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { callAsStaff, createDeliveryMessage, insertCheckInRental, sendCheckInOperation } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { insertRental } from "#support/rentals.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { operatorTasksAnswer } from "#worker/api/operations/messages.ts";
import { enqueueMail } from "#worker/store/mails/outgoing-mails.ts";
import { requestPasswordReset } from "#worker/usecases/access/recover-password.ts";
import { encryptOutgoingMail, resendMails } from "#worker/usecases/mails/send-mails.ts";

beforeEach(async () => {
  await setUpCompany();
  await setUpCompany("globex");
  await addTestUsers();
});

const attention = async (token: string) =>
  operatorTasksAnswer.parse(await (await callAsStaff("GET", "/v1/operations", token)).json());

describe("pending tasks", () => {
  test("returns zero counts of pending tasks for a new account", async () => {
    expect(await attention(await createToken("boss"))).toEqual({
      check_in: { refused: 0, held: 0, to_look_at: 0, files_missing: 0 },
      mails: { unsent: 0, last: [] },
      documents: { not_integrated: 0, last: [] },
      bookings: { paid_after_expiry: 0, last: [] },
      stock: { overdue: 0, shortage: 0, last_overdue: [], last_shortage: [] },
      payments: { mismatching: 0, last: [] },
    });
  });

  // Proves "rules.md and conventions.md: the agency interface": Overdue and missing vehicles are tasks
  // Proves "rentals.md": M11
  test("lists overdue vehicles and the sold stock that is missing because of them", async () => {
    const boss = await createToken("boss");
    const civil = (hours: number) => new Date(Math.floor(Date.now() / 3_600_000 + hours) * 3_600_000).toISOString();
    const formatTime = (hours: number) => civil(hours).slice(0, 16).replace("T", " ");
    const late = await insertRental({ from: formatTime(-72), to: formatTime(-24), category: "C" });
    // This rental was sold before the other one was overdue. It starts before the overdue vehicle is expected
    // back.
    await insertRental({ from: formatTime(4), to: formatTime(48), category: "C" });
    await env.TENANT_ACME.prepare("UPDATE bookings SET status = 'in_progress' WHERE id = ?").bind(late).run();
    const { stock } = await attention(boss);
    expect(stock).toMatchObject({
      overdue: 1,
      last_overdue: [{ id: late, date_to: civil(-24).slice(0, 10), time_to: civil(-24).slice(11, 16) }],
      shortage: 1,
      last_shortage: [{ rental_storage_id: 1, category_code: "C", date: civil(4).slice(0, 10), missing: 1 }],
    });
    await env.TENANT_ACME.prepare("UPDATE bookings SET status = 'done' WHERE id = ?").bind(late).run();
    expect((await attention(boss)).stock).toMatchObject({ overdue: 0, shortage: 0 });
    const at = Math.floor(Date.now() / 60_000);
    const block =
      "INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('C-1', 'workshop', ?, ?)";
    await env.TENANT_ACME.prepare(block)
      .bind(at + 1440, at + 2000)
      .run();
    expect((await attention(boss)).stock).toMatchObject({ shortage: 1, last_shortage: [{ missing: 1 }] });
  });

  test("lists rejected and late field operations with one database call", async () => {
    const boss = await createToken("boss");
    await insertCheckInRental();
    await sendCheckInOperation(boss, createDeliveryMessage());
    await sendCheckInOperation(
      boss,
      createDeliveryMessage({
        seq: 2,
        photos: [{ hash: "a".repeat(64), view: "front", taken_at: "2024-05-03T08:00:00.000Z" }],
      }),
    );
    await env.TENANT_ACME.prepare("UPDATE bookings SET paid_after_expiry = 1, total_paid_cents = 1250").run();
    const response = await callAsStaff("GET", "/v1/operations", boss);
    expect(response.headers.get("Server-Timing")).toContain("calls=1");
    expect(operatorTasksAnswer.parse(await response.json())).toMatchObject({
      check_in: { refused: 1, files_missing: 1 },
      bookings: { paid_after_expiry: 1, last: [{ id: 7, status: "in_progress", total_paid: "12.50" }] },
    });
  });

  test("returns the counts of pending tasks only to administrators", async () => {
    expect((await callAsStaff("GET", "/v1/operations", await createToken("desk"))).status).toBe(403);
    expect((await callAsStaff("GET", "/v1/operations", await createToken("ana"))).status).toBe(403);
    expect((await callAsStaff("GET", "/v1/operations", undefined)).status).toBe(401);
    const answer = await callAsStaff("GET", "/v1/operations", await createToken("boss"));
    expect([answer.status, operatorTasksAnswer.parse(await answer.json()).check_in.refused]).toEqual([200, 0]);
  });
});

describe("a mail that the mail service rejects", () => {
  const broken = {
    send: () => Promise.reject(new TypeError("no such mailbox ana@example.com")),
  } as unknown as SendEmail;

  test("encrypts an unsent mail, lists it without content, and sends it once the mail service works", async () => {
    await callApi("POST", "/web-customer/password-forgotten", {
      body: { username: "ana" },
      env: { ...env, MAIL: broken },
    });
    const boss = await createToken("boss");
    expect((await attention(boss)).mails).toMatchObject({ unsent: 1, last: [{ attempts: 1, error: "TypeError" }] });
    const storedMail = JSON.stringify(await env.TENANT_ACME.prepare("SELECT * FROM outgoing_mails").first());
    expect(storedMail).not.toContain("ana@example.com");
    expect(storedMail).not.toContain("change-password");

    const later = Date.now() + 61_000;
    expect(await resendMails(openTestTenant({ ...env, MAIL: broken }), later)).toBe(0);
    expect((await attention(boss)).mails.last).toMatchObject([{ attempts: 2 }]);
    const sentMails: unknown[] = [];
    const working = { send: async (mail: unknown) => sentMails.push(mail) } as unknown as SendEmail;
    expect(await resendMails(openTestTenant({ ...env, MAIL: working }), later)).toBe(0);
    expect(await resendMails(openTestTenant({ ...env, MAIL: working }), later + 121_000)).toBe(1);
    expect(JSON.stringify(sentMails)).toContain("/change-password?id=");
    expect((await attention(boss)).mails.unsent).toBe(0);
  });

  test("sends a queued mail within half an hour after a day's outage of the mail service", async () => {
    const createTenantWithMail = (send: unknown) => openTestTenant({ ...env, MAIL: { send } as unknown as SendEmail });
    const down = createTenantWithMail(broken.send);
    const began = Date.now();
    const day = 24 * 60 * 60_000;
    const mail = { subject: "Confirmed", text: "", html: "", recipient: "ana@example.com", company: "Test" };
    await enqueueMail(down.db, await encryptOutgoingMail(down, mail, began, began + 2 * day));
    let now = began;
    for (; now < began + day; now += 5 * 60_000) await resendMails(down, now);
    const sentMails: unknown[] = [];
    const up = createTenantWithMail(async (item: unknown) => sentMails.push(item));
    for (const until = now + 30 * 60_000; now <= until; now += 5 * 60_000) await resendMails(up, now);
    expect(sentMails).toHaveLength(1);
  });

  test("sends a queued mail even if the process ended before sending, and then deletes it", async () => {
    const started = await requestPasswordReset(openTestTenant(env), "ana", {
      now: Date.now(),
      address: undefined,
      language: "en",
    });
    expect(started.ok).toBe(true);
    const sentMails: unknown[] = [];
    const working = { send: async (mail: unknown) => sentMails.push(mail) } as unknown as SendEmail;
    expect(await resendMails(openTestTenant({ ...env, MAIL: working }), Date.now() + 59_000)).toBe(0);
    expect(await resendMails(openTestTenant({ ...env, MAIL: working }), Date.now() + 61_000)).toBe(1);
    expect(JSON.stringify(sentMails)).toContain("/change-password?id=");
    await callApi("POST", "/web-customer/password-forgotten", { body: { username: "ana" } });
    expect(await env.TENANT_ACME.prepare("SELECT count(*) AS kept FROM outgoing_mails").first("kept")).toBe(0);
  });

  test("deletes an unsent mail when its link expires", async () => {
    await callApi("POST", "/web-customer/password-forgotten", {
      body: { username: "ana" },
      env: { ...env, MAIL: broken },
    });
    const sentMails: unknown[] = [];
    const working = { send: async (mail: unknown) => sentMails.push(mail) } as unknown as SendEmail;
    expect(await resendMails(openTestTenant({ ...env, MAIL: working }), Date.now() + 31 * 60_000)).toBe(0);
    expect(sentMails).toEqual([]);
    expect(await env.TENANT_ACME.prepare("SELECT count(*) AS kept FROM outgoing_mails").first("kept")).toBe(0);
  });
});

describe("the deep health check", () => {
  const NO_USAGE = {
    ok: 0,
    no_settings: 0,
    unreachable: 0,
    sealed_elsewhere: 0,
    backup_overdue: 0,
    drill_overdue: 0,
    nearly_full: 0,
  };

  const WELL = { files: "ok", office: "ok", printer: "ok" };

  // Proves "security, privacy and operation": healthz?deep checks office Worker and printer, and returns the version
  test("checks the office Worker and the printer in the versions that the request names, and returns its own version", async () => {
    const requestedUrls: (string | null)[] = [];
    const worker = (status: number) =>
      ({
        fetch: async (_: unknown, init: RequestInit) => {
          requestedUrls.push(new Headers(init.headers).get("Cloudflare-Workers-Version-Overrides"));
          return new Response(null, { status });
        },
      }) as unknown as Fetcher;
    const headers = { "Cloudflare-Workers-Version-Overrides": 'office="v2"' };
    const VERSION = { id: "v1", tag: "", timestamp: "" };
    const createEnv = (OFFICE: Fetcher) =>
      requestWorker(
        "http://localhost:8787/healthz?deep",
        { headers },
        { ...env, VERSION, PRINTER: worker(200), OFFICE },
      );
    expect(await (await createEnv(worker(200))).json()).toMatchObject({ status: "ok", version: "v1", ...WELL });
    expect(requestedUrls).toEqual(['office="v2"', 'office="v2"']);
    const broken = await createEnv(worker(500));
    expect([broken.status, await broken.json()]).toMatchObject([503, { status: "degraded", office: "unreachable" }]);
    const failingFetcher = { fetch: () => Promise.reject(new Error("gone")) } as unknown as Fetcher;
    expect(await (await createEnv(failingFetcher)).json()).toMatchObject({ status: "degraded", office: "unreachable" });
  });

  // Proves "security, privacy and operation": healthz?deep is for the monitor, in pages
  // Proves "security.md": V18
  test("answers the deep health check only with the monitor's key if one is set, and then checks pages too", async () => {
    const monitored = { ...env, MONITOR_KEY: "key-of-the-monitor" };
    const ask = (authorization: string | undefined, page = "") =>
      requestWorker(
        `http://localhost:8787/healthz?deep${page}`,
        { headers: authorization === undefined ? {} : { Authorization: authorization } },
        monitored,
      );
    for (const authorization of [undefined, "", "Bearer ", "Bearer key-of-the-monito", "key-of-the-monitor2"])
      expect((await ask(authorization)).status).toBe(401);
    expect((await ask("Bearer key-of-the-monitor")).status).toBe(200);
    expect(await (await ask("Bearer key-of-the-monitor", "&page=1")).json()).toMatchObject({
      accounts: NO_USAGE,
      next: null,
    });
    for (const page of ["-1", "x", "1.5"])
      expect((await ask("Bearer key-of-the-monitor", `&page=${page}`)).status).toBe(400);
  });

  test("counts the accounts that respond in the deep health check, without names", async () => {
    const response = await requestWorker("http://localhost:8787/healthz?deep");
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: "ok", ...WELL, accounts: { ...NO_USAGE, ok: 2 }, next: null },
    ]);
  });

  test("returns 503 if an account's secrets use another master key, but not if it is set as the previous key", async () => {
    const MASTER_KEY = btoa("another key of the deployment!!!");
    const response = await requestWorker("http://localhost:8787/healthz?deep", {}, { ...env, MASTER_KEY });
    expect([response.status, await response.json()]).toMatchObject([503, { accounts: { ok: 0, sealed_elsewhere: 2 } }]);
    const both = { ...env, MASTER_KEY, PREVIOUS_MASTER_KEY: env.MASTER_KEY };
    expect((await requestWorker("http://localhost:8787/healthz?deep", {}, both)).status).toBe(200);
  });

  test("returns 503 from the deep health check if an account can't be served", async () => {
    await env.TENANT_GLOBEX.prepare("DELETE FROM settings").run();
    const response = await requestWorker("http://localhost:8787/healthz?deep");
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: "degraded", ...WELL, accounts: { ...NO_USAGE, ok: 1, no_settings: 1 }, next: null },
    ]);
  });
});

import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { openTestTenant } from "#support/databases.ts";
import { enqueueMail } from "#worker/store/mails/outgoing-mails.ts";
import { encryptOutgoingMail } from "#worker/usecases/mails/send-mails.ts";
import { runCronTick, runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";
import { ConcurrencyLimiter } from "#worker/usecases/shared/concurrency-limiter.ts";

const MINUTE = 60_000;
const NOON = Date.parse("2027-03-01T12:00:00Z");
const NEVER = new Promise<never>(() => undefined);
let logged: Record<string, unknown>[] = [];

beforeEach(() => {
  logged = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void logged.push(JSON.parse(line)));
});
afterEach(() => vi.restoreAllMocks());

const lateAccounts = () => logged.filter(({ defect }) => defect === "late").map(({ account }) => account);

/** Creates companies without due work. `answer` is called for each question to a database. */
function companies(count: number, answer: (name: string) => Promise<object | undefined>): Cloudflare.Env {
  const nothing =
    "holds news mails refunds webhooks held_operations einvoice_checks ministry_reports tax_records backup export photos sweep drill"
      .split(" ")
      .map((column) => [column, 0]);
  const keeping = { hasSettings: 1, backedUpAt: NOON * 2, backupCheckedAt: NOON * 2, hasFailed: 0, sizeBytes: 0 };
  const row = { ...Object.fromEntries(nothing), keeping: JSON.stringify(keeping) };
  const database = (name: string) => ({
    prepare: (query: string) => ({ bind: () => ({ query }), query }),
    batch: async () => {
      const changes = await answer(name);
      return [{ success: true, results: [{ ...row, ...changes }], meta: {} }];
    },
  });
  const others = Object.entries(env).filter(([binding]) => !binding.startsWith("TENANT_"));
  const names = Array.from({ length: count }, (_, index) => `rentals-${index}`);
  const databases = names.map((name) => [`TENANT_${name.toUpperCase().replaceAll("-", "_")}`, database(name)]);
  return Object.fromEntries([...others, ...databases]) as unknown as Cloudflare.Env;
}

const runFiveMinutes = async (bindings: Cloudflare.Env, from = NOON, options = {}) => {
  for (let minute = 0; minute < 5; minute++) await runCronTick(bindings, from + minute * MINUTE, options);
};

describe("the cron job", () => {
  test("processes six companies at a time in the cron job", async () => {
    let [now, most] = [0, 0];
    await runFiveMinutes(
      companies(200, async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 1));
        now -= 1;
      }),
    );
    expect(most).toBe(6);
  });

  test("starts the cron job with another company each time, so that none is always last", async () => {
    const firsts = new Set<string>();
    for (let round = 0; round < 10; round++) {
      const order: string[] = [];
      const bindings = companies(50, async (name) => void order.push(name));
      await runCronTick(bindings, NOON + round * 5 * MINUTE);
      firsts.add(order[0] ?? "");
    }
    expect(firsts.size).toBeGreaterThan(5);
  });

  test("skips a company that doesn't answer in the cron job, and logs its name", async () => {
    const answered = new Set<string>();
    const silent = new Set(["rentals-1", "rentals-2", "rentals-3", "rentals-4", "rentals-5", "rentals-6", "rentals-7"]);
    const bindings = companies(60, async (name) => {
      if (silent.has(name)) await NEVER;
      answered.add(name);
    });
    await runFiveMinutes(bindings, NOON, { accountLimitMs: 50, lateLimitMs: 50 });
    expect(answered.size).toBe(60 - silent.size);
    expect(lateAccounts().toSorted()).toEqual([...silent].toSorted());
  });

  test("continues the cron job with other companies if one fails", async () => {
    const answered = new Set<string>();
    const bindings = companies(30, async (name) => {
      answered.add(name);
      return name === "rentals-3" ? { keeping: "null" } : {};
    });
    await runFiveMinutes(bindings);
    expect(answered.size).toBe(30);
    expect(logged.filter(({ level }) => level === "error")).toMatchObject([
      { account: "rentals-3", defect: "TypeError" },
    ]);
  });

  test("does all other work of the cron job while the mail service doesn't answer", async () => {
    const MAIL = { send: vi.fn(() => NEVER) };
    for (const name of ["acme", "globex"] as const) {
      await setUpCompany(name);
      const tenant = openTestTenant(env, name);
      const mail = { subject: "Any", text: "", html: "", recipient: "ana@example.com", company: "Test" };
      await enqueueMail(tenant.db, await encryptOutgoingMail(tenant, mail, NOON, NOON + 60 * MINUTE));
    }
    await insertContracts([{ id: 7, status: "pending_confirmation" }]);
    await env.TENANT_ACME.prepare("UPDATE bookings SET expires_at = ? WHERE id = 7").bind(NOON).run();
    const options = { accountLimitMs: 1000, lateLimitMs: 50 };
    await runScheduledJobs({ ...env, MAIL } as unknown as Cloudflare.Env, NOON + 10 * MINUTE, options);
    expect(await env.TENANT_ACME.prepare("SELECT status FROM bookings").first("status")).toBe("cancelled");
    expect(MAIL.send).toHaveBeenCalledTimes(2);
    expect(lateAccounts().toSorted()).toEqual(["acme", "globex"]);
    expect(logged.filter(({ defect }) => defect === "late").map(({ operation }) => operation)).toEqual([
      "resend_mails",
      "resend_mails",
    ]);
  });
});

describe("slots", () => {
  const later = () => {
    let finish: () => void = () => undefined;
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    return { work, finish };
  };
  const timers: (() => void)[] = [];
  const timer = () => {
    let ring: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      ring = resolve;
    });
    timers.push(ring);
    return { over, cancel: () => undefined };
  };

  test("starts queued jobs in order, and frees the slot of a late job for the next one", async () => {
    timers.length = 0;
    const slots = new ConcurrencyLimiter(1, 1000, timer);
    const started: string[] = [];
    const [a, b] = [later(), later()];
    const run = (name: string, work: Promise<void>) =>
      slots.run(() => {
        started.push(name);
        return work;
      });
    const results = [run("a", a.work), run("b", b.work), run("c", Promise.resolve())];
    await Promise.resolve();
    expect(started).toEqual(["a"]);
    await vi.waitFor(() => expect(timers).toHaveLength(1));
    timers[0]?.();
    expect(await results[0]).toBe("late");
    await vi.waitFor(() => expect(started).toEqual(["a", "b"]));
    b.finish();
    expect([await results[1], await results[2]]).toEqual(["done", "done"]);
    const settled = slots.settle(1000);
    a.finish();
    await settled;
  });

  test("frees a job's slot after an error", async () => {
    const slots = new ConcurrencyLimiter(1, 1000);
    await expect(slots.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await slots.run(async () => undefined)).toBe("done");
  });
});

import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aCompany } from "#support/company.ts";
import { aTenant, withFaults } from "#support/databases.ts";
import { aBooking, withGateways } from "#support/payments.ts";
import worker from "#worker/index.ts";
import { backUp, backupPath } from "#worker/usecases/operations/back-up.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const NIGHT = Date.parse("2027-01-10T00:00:00Z");
let nights = 0;
let night: number;
let logged: Record<string, unknown>[] = [];

beforeEach(async () => {
  const company = await aCompany();
  await withGateways(company);
  await aBooking();
  // Each test has a night of its own: a backup is made once.
  night = NIGHT + DAY * nights++;
  logged = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => {
    logged.push(JSON.parse(line));
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets the clock tick from one moment to another, minute by minute. */
async function tick(from: number, minutes: number, bindings: Cloudflare.Env = env): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    const controller = createScheduledController({
      scheduledTime: new Date(from + minute * MINUTE),
      cron: "* * * * *",
    });
    await worker.scheduled(controller, bindings);
  }
}

interface KeptTable {
  readonly rows: number;
  readonly hash: string;
  readonly found: readonly unknown[][];
}

async function keptBackup(account = "acme"): Promise<Map<string, KeptTable> | undefined> {
  const packed = await aTenant(env, account).files.get(backupPath(night));
  if (!packed) return undefined;
  const text = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
  const tables = new Map<string, KeptTable>();
  let found: unknown[][] = [];
  let lines = "";
  for (const line of text.trimEnd().split("\n").slice(1)) {
    const value = JSON.parse(line);
    if (Array.isArray(value)) {
      found.push(value);
      lines += `${line}\n`;
    } else if ("rows" in value) {
      expect(value.hash).toBe(createHash("sha256").update(lines).digest("hex"));
      tables.set(value.table, { rows: value.rows, hash: value.hash, found });
      [found, lines] = [[], ""];
    }
  }
  return tables;
}

describe("a night", () => {
  test("writes every table of every account into its own objects, once, and no table of the runtime's", async () => {
    await tick(night, 24 * 60);
    const backup = await keptBackup();
    const names = await env.TENANT_ACME.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'",
    ).all<{ name: string }>();
    expect([...(backup?.keys() ?? [])].sort()).toEqual(names.results.map(({ name }) => name).sort());
    for (const { name } of names.results) {
      const rows = await env.TENANT_ACME.prepare(`SELECT count(*) AS n FROM ${name}`).first("n");
      expect([name, backup?.get(name)?.rows, backup?.get(name)?.found.length]).toEqual([name, rows, rows]);
    }
    expect(backup?.get("bookings")?.rows).toBe(1);
    expect((await keptBackup("globex"))?.size).toBe(backup?.size);
    expect(logged.filter(({ level }) => level === "error")).toEqual([]);
    expect(logged.filter(({ operation }) => operation === "back_up").map(({ account }) => account)).toHaveLength(2);
  }, 60_000);

  test("on which the database fails in between leaves no half of a backup, and the next attempt makes it", async () => {
    const failing = withFaults(env.TENANT_ACME, [...Array.from({ length: 20 }, () => "none" as const), "before"]);
    await expect(backUp(aTenant({ ...env, TENANT_ACME: failing }), night)).rejects.toThrow("Network connection lost");
    expect(await keptBackup()).toBeUndefined();
    await backUp(aTenant(env), night);
    expect((await keptBackup())?.get("bookings")?.rows).toBe(1);
    await env.TENANT_ACME.prepare("DELETE FROM payment_gateways").run();
    await backUp(aTenant(env), night);
    expect((await keptBackup())?.get("payment_gateways")?.rows).toBe(4);
  });

  test("stores what is longer than a part whole", async () => {
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
    const { files } = aTenant(env);
    await files.putStream(`backup/long-${night}`, chunks, "application/gzip");
    const kept = new Uint8Array(await new Response(await files.get(`backup/long-${night}`)).arrayBuffer());
    const hashOf = (of: Uint8Array) => createHash("sha256").update(of).digest("hex");
    expect([kept.length, hashOf(kept)]).toEqual([bytes.length, hashOf(bytes)]);
  });
});

describe("a thousand companies", () => {
  const names = Array.from({ length: 1000 }, (_, index) => `rentals-${index}`);
  let calls = 0;
  let asked: string[] = [];

  /** Databases that have nothing due, and none of the tables of a backup. */
  function companies(): Cloudflare.Env {
    const idle = (name: string) => ({
      prepare: (query: string) => ({ bind: () => ({ query }), query }),
      batch: async (statements: readonly { readonly query: string }[]) => {
        calls += 1;
        if (statements.some(({ query }) => query.includes("sqlite_master"))) throw new Error("not tonight");
        asked.push(name);
        return [{ success: true, results: [{ holds: 0, mails: 0, held_operations: 0 }], meta: {} }];
      },
    });
    const bindings = Object.entries(env).filter(([binding]) => !binding.startsWith("TENANT_"));
    const databases = names.map((name) => [`TENANT_${name.toUpperCase().replaceAll("-", "_")}`, idle(name)] as const);
    return Object.fromEntries([...bindings, ...databases]) as unknown as Cloudflare.Env;
  }

  test("have their turn once in five minutes, and no minute asks for more than an invocation may", async () => {
    const bindings = companies();
    asked = [];
    let most = 0;
    for (let minute = 0; minute < 5; minute++) {
      calls = 0;
      await tick(night + 12 * 60 * MINUTE + minute * MINUTE, 1, bindings);
      most = Math.max(most, calls);
    }
    expect([...asked].sort()).toEqual([...names].sort());
    expect(most).toBeLessThan(300);
  });

  test("are backed up once a night each, a few at a time", async () => {
    const bindings = companies();
    const tonight: string[] = [];
    let most = 0;
    for (let minute = 50; minute < 310; minute++) {
      logged = [];
      await tick(night + minute * MINUTE, 1, bindings);
      const some = logged.filter(({ operation }) => operation === "back_up").map(({ account }) => String(account));
      tonight.push(...some);
      most = Math.max(most, some.length);
    }
    expect(tonight.sort()).toEqual([...names].sort());
    expect(most).toBeLessThan(20);
  }, 60_000);
});

test("holds that ended, found among much that has not, end within five minutes", async () => {
  await tick(Date.now() + 2 * DAY, 5);
  expect(await env.TENANT_ACME.prepare("SELECT status FROM bookings").first("status")).toBe("cancelled");
  expect(logged.filter(({ operation }) => operation === "expire_holds")).toHaveLength(1);
});

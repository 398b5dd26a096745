import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { addCompanies, toNewCompanySettings } from "#scripts/accounts/add.ts";
import { findAccount, listAccounts } from "#scripts/accounts/directory.ts";
import { fetchBackup } from "#scripts/accounts/operator.ts";
import { type DeploymentTarget, runForEachAccount } from "#scripts/accounts/target.ts";
import { readBackupFile, restoreIntoAccount } from "#scripts/data/restore.ts";
import { migrateCells } from "#scripts/deployment/migrate-cells.ts";
import { generateCellConfigs } from "#support/cell-configs.ts";
import { CELL_KEYS, type RunningCells, runCells, serveRouterBaseDomain } from "#support/cells.ts";
import { createCompanyStatements, encryptPartnerSecrets } from "#support/company-rows.ts";
import { deployCellsFromClone } from "#support/deployed-cells.ts";
import { ROUTE_HEADER, signRoute } from "#worker/directory/route-header.ts";

// Three cells with many companies in the runtime, with their router and their carts. The gate has ten companies, a
// release 500, whose configurations come from the commands in a fresh clone.

const isLarge = inject("isThorough");
const SIZES = isLarge
  ? { companies: 500, withData: 40, later: 50, moved: 10, slotsPerCell: 190, downMs: 60_000, atOnce: 12 }
  : { companies: 10, withData: 2, later: 2, moved: 1, slotsPerCell: 6, downMs: 1_000, atOnce: 10 };
/** Creating, migrating and filling hundreds of databases takes minutes. */
const PATIENCE_MS = isLarge ? 1_800_000 : 900_000;

const CELLS = ["01", "02", "03"];
const toName = (index: number) => `company-${String(index).padStart(3, "0")}`;
const COMPANIES = Array.from({ length: SIZES.companies }, (_, index) => toName(index));
const LATER = Array.from({ length: SIZES.later }, (_, index) => `later-${String(index).padStart(3, "0")}`);
const ENGINE = "/api/booking/frontend";

let running: RunningCells;
let operator: Awaited<ReturnType<typeof serveRouterBaseDomain>>;
const printed: string[] = [];
const target: { -readonly [Key in keyof DeploymentTarget]: DeploymentTarget[Key] } = {
  isRemote: true,
  environment: "production",
  stateDir: "",
};

interface Placed {
  readonly account: string;
  readonly cell: string;
  readonly state: string;
  readonly error: string | null;
}
interface Overview {
  readonly accounts: readonly Placed[];
  readonly cells: readonly { readonly cell: string; readonly spare: number }[];
  readonly moves: readonly object[];
}

const overview = async () => (await running.operate("GET", "directory")).body as Overview;
const findPlace = async (account: string) => (await overview()).accounts.find((item) => item.account === account);

/** Runs work for many companies, a few at a time, in the order of their names. */
async function forEachCompany<T>(names: readonly string[], work: (name: string) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let start = 0; start < names.length; start += SIZES.atOnce)
    results.push(...(await Promise.all(names.slice(start, start + SIZES.atOnce).map(work))));
  return results;
}

/** Adds a company and its settings, without a deployment. */
async function addCompany(name: string): Promise<void> {
  const added = await running.operate("PUT", `directory/accounts/${name}`, {});
  expect(added, name).toMatchObject({ status: 200 });
  const db = running.openDatabase(name);
  await db.batch(createCompanyStatements(db, await encryptPartnerSecrets(CELL_KEYS.MASTER_KEY, name)));
  await db.prepare("UPDATE settings SET account_name = ?").bind(name).run();
}

const readSettings = (name: string) => running.fetch(`${name}.rentals.test`, `${ENGINE}/settings`);

/** Asks for something that only this company has. */
async function nameShown(account: string): Promise<string> {
  const answer = await running.fetch(`${account}.rentals.test`, "/");
  return (await answer.text()).includes(account) ? account : `status ${answer.status}`;
}

const formDay = (days: number) =>
  new Date(Date.now() + (days + 60) * 86_400_000).toISOString().slice(0, 10).split("-").reverse().join("/");

async function send(account: string, method: string, path: string, body?: object) {
  const headers = { Origin: "https://shop.example", "Content-Type": "application/json" };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await running.fetch(`${account}.rentals.test`, ENGINE + path, init);
  // biome-ignore lint/suspicious/noExplicitAny: what a website reads is checked field by field in the tests.
  return { status: answer.status, body: (await answer.json()) as any };
}

beforeAll(async () => {
  const { slotsPerCell } = SIZES;
  running = await runCells(
    isLarge ? await deployCellsFromClone(slotsPerCell) : await generateCellConfigs(CELLS, slotsPerCell),
  );
  operator = await serveRouterBaseDomain(running);
  target.operator = { url: operator.url, key: CELL_KEYS.OPERATOR_KEY };
  vi.stubEnv("MASTER_KEY", CELL_KEYS.MASTER_KEY);
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(String(line)));
  // The first cell alone, as a canary.
  for (const cell of CELLS) await migrateCells(target, cell);
  await forEachCompany(COMPANIES, addCompany);
  await forEachCompany(COMPANIES.slice(0, SIZES.withData), (name) =>
    running
      .openDatabase(name)
      .prepare(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO seasons (name) SELECT 'history ' || i FROM n`)
      .run(),
  );
}, PATIENCE_MS);

afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  operator.close();
  await running.dispose();
});

test("distributes companies over three cells, and shows on each host its own company", async () => {
  const { cells } = await overview();
  const spares = cells.map(({ spare }) => spare);
  expect(Math.max(...spares) - Math.min(...spares)).toBeLessThan(2);
  expect(await forEachCompany(COMPANIES, nameShown)).toEqual(COMPANIES);
}, 300_000);

test("serves new companies without a deployment, also one added by the administrators' command", async () => {
  expect((await running.fetch("nobody.rentals.test", "/healthz")).status).toBe(404);
  await forEachCompany(LATER.slice(1), addCompany);
  expect(await forEachCompany(LATER.slice(1), nameShown)).toEqual(LATER.slice(1));
  const terms = {
    country: "ES",
    currency: "EUR",
    timezone: "Europe/Madrid",
    languages: "es",
    email: "boss@later.test",
  };
  const later = toNewCompanySettings({ account: "later-000", company: "later-000", ...terms });
  await addCompanies([later], target, Date.now());
  expect(await nameShown("later-000")).toBe("later-000");
  expect(printed.join("\n")).toMatch(/later-000 is there\.[\s\S]*administrator {2}boss@later\.test \/ \S{16}/);
  printed.length = 0;
  await addCompanies([later], target, Date.now());
  expect(printed.join("\n")).toContain("later-000 was there already");
});

test("finds the companies of all cells in commands through the directory", async () => {
  const accounts = await listAccounts(target);
  expect(accounts.map(({ name }) => name)).toEqual([...COMPANIES, ...LATER]);
  const count = (db: D1Database) => db.prepare("SELECT count(*) AS n FROM settings").first<number>("n");
  const counted = await runForEachAccount(accounts, target, count);
  expect(new Set(counted.map((item) => ("answer" in item ? item.answer : item.error)))).toEqual(new Set([1]));
  const [lost] = await runForEachAccount([findAccount("nobody", target) ?? expect.fail()], target, count);
  expect(lost).toMatchObject({ error: { message: expect.stringContaining("has no operator's route for nobody") } });
});

test("restores a company from the backup that its cell's queue made", async () => {
  const account = COMPANIES[1] ?? "";
  const day = new Date().toISOString().slice(0, 10);
  expect(await running.deliver((await findPlace(account))?.cell ?? "", { account, kind: "back_up" })).toMatchObject({
    acked: 1,
  });
  const stream = await fetchBackup({ url: operator.url, key: CELL_KEYS.OPERATOR_KEY }, account, day);
  if (!stream) return expect.fail("there is no backup");
  const file = join(await mkdtemp(join(tmpdir(), "backup-")), "backup.gz");
  await writeFile(file, stream);
  expect(await running.operate("PUT", "directory/accounts/restored", {})).toMatchObject({ status: 200 });
  const db = running.openDatabase("restored");
  await restoreIntoAccount(db, await readBackupFile(file), () => undefined);
  const count = (database: D1Database) => database.prepare("SELECT count(*) AS n FROM seasons").first<number>("n");
  expect(await count(db)).toBe(await count(running.openDatabase(account)));
  expect(await (await running.fetch("restored.rentals.test", "/")).text()).toContain(account);
  await running.operate("POST", "directory/accounts/restored/pause");
  await running.operate("DELETE", "directory/accounts/restored?confirm=restored");
}, 300_000);

/** Asks companies in turn until it is stopped. Returns those that another company answered for. */
function readInTurn(names: readonly string[]): { readonly stop: () => Promise<readonly string[]> } {
  const wrongAnswers: string[] = [];
  let isRunning = true;
  const reading = (async () => {
    for (let count = 0; isRunning; count++) {
      const name = names[count % names.length] ?? "";
      const shownName = await nameShown(name);
      if (shownName !== name) wrongAnswers.push(`${name}: ${shownName}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    stop: async () => {
      isRunning = false;
      await reading;
      return wrongAnswers;
    },
  };
}

describe("companies under load", () => {
  const movedCompanies = COMPANIES.slice(3, 3 + SIZES.moved);
  const others = COMPANIES.filter((name) => !movedCompanies.includes(name));

  test.each(movedCompanies)(
    "moves %s to another cell with its cart, and loses no confirmed write",
    async (account) => {
      const db = running.openDatabase(account);
      const key = (await db.prepare("SELECT api_key FROM engine_keys LIMIT 1").first<string>("api_key")) ?? "";
      const from = (await findPlace(account))?.cell ?? "";
      const to = CELLS.find((cell) => cell !== from) ?? "";
      const search = {
        date_from: formDay(0),
        date_to: formDay(3),
        time_from: "10:00",
        time_to: "10:00",
        pickup_place: "1",
        return_place: "1",
      };
      const created = await send(account, "POST", `/shopping-cart?api_key=${key}`, search);
      expect(created.status).toBe(200);
      const id = created.body.shopping_cart.free_access_id;
      await send(account, "POST", `/shopping-cart/${id}/set-product?api_key=${key}`, { product: "A" });

      let isMoving = true;
      const confirmed: string[] = [];
      const write = async () => {
        for (let count = 0; isMoving; count++) {
          const name = `season-${count}`;
          await db
            .prepare("INSERT INTO seasons (name) VALUES (?)")
            .bind(name)
            .run()
            .then(
              () => confirmed.push(name),
              () => undefined,
            );
          // The machine of the test does the work of both sides.
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      const writing = write();
      const reading = readInTurn(others);
      await moveCompany(account, to);
      isMoving = false;
      await writing;

      expect(await reading.stop()).toEqual([]);
      expect(await findPlace(account)).toMatchObject({ cell: to, state: "active" });
      const { results } = await db
        .prepare("SELECT name FROM seasons WHERE name GLOB 'season-*'")
        .all<{ name: string }>();
      const stored = new Set(results.map(({ name }) => name));
      expect(confirmed.length).toBeGreaterThan(0);
      expect(confirmed.filter((name) => !stored.has(name))).toEqual([]);
      // The router remembers the old cell, whose database is empty now.
      expect(await nameShown(account)).toBe(account);
      const cart = await send(account, "GET", `/shopping-cart/${id}?api_key=${key}`);
      expect(cart.body.shopping_cart.items).toHaveLength(1);
      const changed = await send(account, "POST", `/shopping-cart/${id}/set-product?api_key=${key}`, { product: "B" });
      expect(changed.body.shopping_cart.items.map(({ item_id }: { item_id: string }) => item_id)).toEqual(["B"]);
    },
    300_000,
  );
});

async function moveCompany(account: string, to: string): Promise<void> {
  const operator = crypto.randomUUID();
  let state: { step?: string } = { step: "start" };
  while (state.step !== undefined) {
    const answer = await running.operate("POST", `directory/accounts/${account}/move`, { to, operator });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    state = answer.body as { step?: string };
  }
}

describe("a migration of all companies", () => {
  let folder: string;
  const NEXT = "0900_next.sql";
  const held = COMPANIES[5] ?? "";
  const migrate = (sql: string) =>
    writeFile(join(folder, NEXT), sql).then(() => migrateCells(target, undefined, folder));
  const countMigrated = async () => {
    const directory = await running.openDirectory();
    const query = "SELECT count(*) AS n FROM slots WHERE state = 'used' AND schema_version = ?";
    return directory.prepare(query).bind(NEXT).first<number>("n");
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "migrations-"));
    await cp("migrations", folder, { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("changes no company's database if a migration fails in the first one, and serves all as before", async () => {
    await expect(migrate("CREATE TABLE next (a);\nINSERT INTO nowhere VALUES (1);")).rejects.toThrow("0 databases");
    const directory = await running.openDirectory();
    const failed = "SELECT count(*) AS n FROM slots WHERE error GLOB '0900_next.sql:*no such table*'";
    expect(await directory.prepare(failed).first("n")).toBe(1);
    expect(await countMigrated()).toBe(0);
    expect(await forEachCompany(COMPANIES, nameShown)).toEqual(COMPANIES);
  }, 300_000);

  test(
    "holds a company whose data doesn't fit, migrates all others, and completes after a correction",
    async () => {
      const db = running.openDatabase(held);
      await db.prepare("CREATE TABLE next (mine)").run();
      const reading = readInTurn(COMPANIES);
      // Each run ends with a failure. The next one begins with databases that didn't fail.
      for (let runs = 0; (await countMigrated()) !== COMPANIES.length + LATER.length - 1; runs++) {
        if (runs > 5) expect.fail("the other companies aren't migrated");
        await expect(migrate("CREATE TABLE next (a);")).rejects.toThrow("Fix the error");
      }
      const { accounts } = await overview();
      expect(accounts.filter(({ error }) => error?.includes(NEXT)).map((item) => item.account)).toEqual([held]);
      await db.prepare("DROP TABLE next").run();
      await migrate("CREATE TABLE next (a);");
      expect(await reading.stop()).toEqual([]);
      expect(await countMigrated()).toBe(COMPANIES.length + LATER.length);
    },
    PATIENCE_MS,
  );
});

test("answers 503 with Retry-After for a failed cell, while others continue, until it recovers", async () => {
  const { accounts } = await overview();
  const inCell = (cell: string) => accounts.filter((item) => item.cell === cell).map((item) => item.account);
  const others = [...inCell("01"), ...inCell("03")];
  const reading = readInTurn(others);
  running.setDown("02");
  const down = await forEachCompany(inCell("02"), readSettings);
  expect(new Set(down.map((answer) => `${answer.status} ${answer.headers.get("Retry-After")}`))).toEqual(
    new Set(["503 10"]),
  );
  expect(await forEachCompany(others, nameShown)).toEqual(others);
  const health = await running.fetch("rentals.test", "/healthz?deep", {
    headers: { Authorization: `Bearer ${CELL_KEYS.MONITOR_KEY}` },
  });
  expect(await health.json()).toMatchObject({
    status: "degraded",
    cells: { "01": "ok", "02": "unreachable", "03": "ok" },
  });
  await new Promise((resolve) => setTimeout(resolve, SIZES.downMs));
  expect(await reading.stop()).toEqual([]);
  running.setDown(undefined);
  expect(await forEachCompany(inCell("02"), nameShown)).toEqual(inCell("02"));
}, 300_000);

describe("attacks", () => {
  const victim = "company-001";

  test("ignores a forged routing header and serves the host's own company", async () => {
    const attacker = "company-002";
    const forged = { [ROUTE_HEADER]: signRoute("guessed", { cell: "01", account: victim, slot: 1 }) };
    const answer = await running.fetch(`${attacker}.rentals.test`, "/", { headers: forged });
    const text = await answer.text();
    expect([text.includes(attacker), text.includes(victim)]).toEqual([true, false]);
    expect((await running.fetch("nobody.rentals.test", "/", { headers: forged })).status).toBe(404);
  });

  test("returns 404 to requests that bypass the router, for companies and for operator's routes", async () => {
    const place = await findPlace(victim);
    const cell = place?.cell ?? "";
    const headers = { [ROUTE_HEADER]: signRoute("guessed", { cell, account: victim, slot: 1 }) };
    const key = { Authorization: `Bearer ${CELL_KEYS.OPERATOR_KEY}` };
    for (const answer of [
      await running.fetchCell(cell, `${victim}.rentals.test`, "/"),
      await running.fetchCell(cell, `${victim}.rentals.test`, "/", headers),
      await running.fetchCell(cell, "rentals.test", "/operator/slots", key),
    ])
      expect(answer.status).toBe(404);
  });

  test.each(["COMPANY-001.rentals.test", "company-001.rentals.test.", "company-001.rentals.test:8080"])(
    "serves the company of the host %s",
    async (host) => {
      expect(await (await running.fetch(host, "/")).text()).toContain(victim);
    },
  );

  test.each(["xn--company-001-.rentals.test", "company-001.rentals.test.evil.example", "x.company-001.rentals.test"])(
    "returns not found for the host %s",
    async (host) => {
      expect((await running.fetch(host, "/")).status).toBe(404);
    },
  );
});

test("processes only its own cell's companies in a cron job, and records that in the directory", async () => {
  // Each minute processes a fifth of the companies.
  for (let minute = 0; minute < 5; minute++) await running.runClock("01", minute);
  const directory = await running.openDirectory();
  const row = await directory
    .prepare(`SELECT (SELECT group_concat(name) FROM cells WHERE clock_at > 0) AS cells,
      (SELECT group_concat(DISTINCT cell) FROM accounts WHERE clock_at > 0) AS ran`)
    .first();
  expect(row).toEqual({ cells: "01", ran: "01" });
});

test("deletes a company and empties its database", async () => {
  expect((await running.operate("POST", "directory/accounts/company-009/pause")).status).toBe(204);
  expect((await running.operate("DELETE", "directory/accounts/company-009?confirm=company-009")).status).toBe(204);
  expect(await findPlace("company-009")).toBeUndefined();
  expect((await running.operate("POST", "accounts/company-009/batch", { statements: [] })).status).toBe(404);
});

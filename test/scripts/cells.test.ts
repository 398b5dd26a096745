import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { addCompanies, toAccountTerms } from "#scripts/accounts/add.ts";
import { findAccount, listAccounts } from "#scripts/accounts/directory.ts";
import { runForEachAccount, type Target } from "#scripts/accounts/target.ts";
import { migrateCells } from "#scripts/deployment/migrate-cells.ts";
import { CELL_KEYS, type RunningCells, runCells, serveOperator } from "#support/cells.ts";
import { companyRows, sealedSecrets } from "#support/company-rows.ts";
import { ROUTE_HEADER, signRoute } from "#worker/directory/route-header.ts";

// Three cells with ten companies in the runtime, with their router and their carts.

const CELLS = ["01", "02", "03"];
const COMPANIES = Array.from({ length: 10 }, (_, index) => `company-${index}`);
const ENGINE = "/api/booking/frontend";

let running: RunningCells;
let operator: Awaited<ReturnType<typeof serveOperator>>;
const printed: string[] = [];
const target: { -readonly [Key in keyof Target]: Target[Key] } = {
  isRemote: true,
  environment: "production",
  stateDir: "",
};

interface Placed {
  readonly account: string;
  readonly cell: string;
  readonly state: string;
}
interface Overview {
  readonly accounts: readonly Placed[];
  readonly cells: readonly { readonly cell: string; readonly spare: number }[];
  readonly moves: readonly object[];
}

const overview = async () => (await running.operate("GET", "directory")).body as Overview;
const findPlace = async (account: string) => (await overview()).accounts.find((item) => item.account === account);

/** Adds a company and its settings, without a deployment. */
async function addCompany(name: string): Promise<void> {
  const added = await running.operate("PUT", `directory/accounts/${name}`, {});
  expect(added, name).toMatchObject({ status: 200 });
  const db = running.openDatabase(name);
  await db.batch(companyRows(db, await sealedSecrets(CELL_KEYS.MASTER_KEY, name)));
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
  running = await runCells({ cells: CELLS, slotsPerCell: 5 });
  operator = await serveOperator(running);
  target.operator = { url: operator.url, key: CELL_KEYS.OPERATOR_KEY };
  vi.stubEnv("MASTER_KEY", CELL_KEYS.MASTER_KEY);
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(String(line)));
  // The first cell alone, as a canary.
  for (const cell of CELLS) await migrateCells(target, cell);
  await Promise.all(COMPANIES.map(addCompany));
});

afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  operator.close();
  await running.dispose();
});

test("distributes ten companies over three cells, and shows each host its own company", async () => {
  const { cells } = await overview();
  expect(cells.map(({ spare }) => spare).sort()).toEqual([1, 2, 2]);
  const names = COMPANIES.map(nameShown);
  expect(await Promise.all(names)).toEqual(COMPANIES);
});

test("serves two new companies without a deployment, one of them added by the administrator's command", async () => {
  expect((await running.fetch("nobody.rentals.test", "/healthz")).status).toBe(404);
  await addCompany("later-one");
  expect(await nameShown("later-one")).toBe("later-one");
  const terms = {
    country: "ES",
    currency: "EUR",
    timezone: "Europe/Madrid",
    languages: "es",
    email: "boss@later.test",
  };
  const later = toAccountTerms({ account: "later-two", company: "later-two", ...terms });
  await addCompanies([later], target, Date.now());
  expect(await nameShown("later-two")).toBe("later-two");
  expect(printed.join("\n")).toMatch(/later-two is there\.[\s\S]*administrator {2}boss@later\.test \/ \S{16}/);
  printed.length = 0;
  await addCompanies([later], target, Date.now());
  expect(printed.join("\n")).toContain("later-two was there already");
});

test("finds the companies of the directory in commands", async () => {
  const accounts = await listAccounts(target);
  expect(accounts.map(({ name }) => name)).toEqual([...COMPANIES, "later-one", "later-two"]);
  const count = (db: D1Database) => db.prepare("SELECT count(*) AS n FROM settings").first<number>("n");
  const counted = await runForEachAccount(accounts, target, count);
  expect(new Set(counted.map((item) => ("answer" in item ? item.answer : item.error)))).toEqual(new Set([1]));
  const [lost] = await runForEachAccount([findAccount("nobody", target) ?? expect.fail()], target, count);
  expect(lost).toMatchObject({ error: { message: expect.stringContaining("has no operator's route for nobody") } });
});

describe("a company under load", () => {
  const account = "company-3";
  let key = "";

  test("moves a company under load to another cell with its carts, and loses no confirmed write", async () => {
    const db = running.openDatabase(account);
    key = (await db.prepare("SELECT api_key FROM engine_keys LIMIT 1").first<string>("api_key")) ?? "";
    const from = (await findPlace(account))?.cell ?? "";
    const to = CELLS.find((cell) => cell !== from && cell !== "") ?? "";
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
    // The machine of the test does the work of both sides.
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
    const confirmed: string[] = [];
    const others: string[] = [];
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
        await pause();
      }
    };
    const read = async () => {
      while (isMoving) {
        others.push(await nameShown("company-4"));
        await pause();
      }
    };
    const load = Promise.all([write(), read()]);
    const operator = crypto.randomUUID();
    let state: { step?: string } = { step: "start" };
    while (state.step !== undefined) {
      const answer = await running.operate("POST", `directory/accounts/${account}/move`, { to, operator });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      state = answer.body as { step?: string };
    }
    isMoving = false;
    await load;

    expect(await findPlace(account)).toMatchObject({ cell: to, state: "active" });
    expect(new Set(others)).toEqual(new Set(["company-4"]));
    const { results } = await db.prepare("SELECT name FROM seasons WHERE name GLOB 'season-*'").all<{ name: string }>();
    const stored = new Set(results.map(({ name }) => name));
    expect(confirmed.length).toBeGreaterThan(0);
    expect(confirmed.filter((name) => !stored.has(name))).toEqual([]);
    // The router remembers the old cell, whose database is empty now.
    expect(await nameShown(account)).toBe(account);
    const cart = await send(account, "GET", `/shopping-cart/${id}?api_key=${key}`);
    expect(cart.body.shopping_cart.items).toHaveLength(1);
    const changed = await send(account, "POST", `/shopping-cart/${id}/set-product?api_key=${key}`, { product: "B" });
    expect(changed.body.shopping_cart.items.map(({ item_id }: { item_id: string }) => item_id)).toEqual(["B"]);
  });
});

test("answers 503 with Retry-After for a failed cell, while others continue, until it recovers", async () => {
  const { accounts } = await overview();
  const inCell = (cell: string) => accounts.filter((item) => item.cell === cell).map((item) => item.account);
  running.setDown("02");
  const down = await Promise.all(inCell("02").map(readSettings));
  expect(new Set(down.map((answer) => `${answer.status} ${answer.headers.get("Retry-After")}`))).toEqual(
    new Set(["503 10"]),
  );
  const others = [...inCell("01"), ...inCell("03")];
  expect(await Promise.all(others.map(nameShown))).toEqual(others);
  const health = await running.fetch("rentals.test", "/healthz?deep", {
    headers: { Authorization: `Bearer ${CELL_KEYS.MONITOR_KEY}` },
  });
  expect(await health.json()).toMatchObject({
    status: "degraded",
    cells: { "01": "ok", "02": "unreachable", "03": "ok" },
  });
  running.setDown(undefined);
  expect(await Promise.all(inCell("02").map(nameShown))).toEqual(inCell("02"));
});

describe("attacks", () => {
  const victim = "company-1";

  test("ignores a forged routing header and serves the host's own company", async () => {
    const attacker = "company-2";
    const forged = { [ROUTE_HEADER]: signRoute("guessed", { cell: "01", account: victim, slot: 1 }) };
    const answer = await running.fetch(`${attacker}.rentals.test`, "/", { headers: forged });
    const text = await answer.text();
    expect([text.includes(attacker), text.includes(victim)]).toEqual([true, false]);
    expect((await running.fetch("nobody.rentals.test", "/", { headers: forged })).status).toBe(404);
  });

  test("serves no company and no operator's route to requests that bypass the router", async () => {
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

  test.each(["COMPANY-1.rentals.test", "company-1.rentals.test.", "company-1.rentals.test:8080"])(
    "serves the company of the host %s",
    async (host) => {
      expect(await (await running.fetch(host, "/")).text()).toContain(victim);
    },
  );

  test.each(["xn--company-1-.rentals.test", "company-1.rentals.test.evil.example", "x.company-1.rentals.test"])(
    "returns not found for the host %s",
    async (host) => {
      expect((await running.fetch(host, "/")).status).toBe(404);
    },
  );
});

test("processes only a cell's own companies in its cron job, and shows that to the operator", async () => {
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
  expect((await running.operate("POST", "directory/accounts/company-9/pause")).status).toBe(204);
  expect((await running.operate("DELETE", "directory/accounts/company-9?confirm=company-9")).status).toBe(204);
  expect(await findPlace("company-9")).toBeUndefined();
  expect((await running.operate("POST", "accounts/company-9/batch", { statements: [] })).status).toBe(404);
});

import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken, PASSWORD_HASH } from "#support/test-users.ts";

const db = env.TENANT_ACME;
const tokens = { boss: "", manager: "", town: "" };

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly next: string | null;
}

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await db.batch([
    db
      .prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update) VALUES
        (5, 'staff', 'manager', 'manager@example.com', 'Max Manager', ?1, 'manager', 1, 1, 1),
        (6, 'staff', 'town', 'town@example.com', 'Tina Town', ?1, 'manager', 0, 1, 1)`)
      .bind(PASSWORD_HASH),
    db.prepare("INSERT INTO user_branches VALUES (6, 'TOWN')"),
  ]);
  tokens.boss = await createToken("boss");
  tokens.manager = await createToken("manager");
  tokens.town = await createToken("town");
});

const changes = async (query = "", token = tokens.boss) =>
  (await callOffice("GET", `/changes${query}`, { token })).json<Page>();
const listChanges = async (query = "", token = tokens.boss) =>
  (await changes(query, token)).data.map(({ who, move, resource, id }) => [who, move, resource, id].join(" "));
const entry = (resource: string, id: string, at: string, move = "changed", actor = "staff:5") =>
  db
    .prepare(
      "INSERT INTO office_history (resource, resource_id, version, at, actor, event, detail) VALUES (?, ?, 1, ?, ?, ?, '{}')",
    )
    .bind(resource, id, Date.parse(at), actor, move);

// Proves "security, privacy and operation": Changes are listed together, also of removed entries
test("lists created and deleted settings with the user, and deleted ones with their last state", async () => {
  const createdCode = await callOffice("POST", "/promotion-codes", {
    token: tokens.manager,
    body: { code: "AUGUST", discount_type: "percentage", value: "10" },
  });
  expect(createdCode.status).toBe(201);
  expect((await callOffice("DELETE", "/promotion-codes/AUGUST", { token: tokens.boss })).status).toBeLessThan(300);
  const { data, total } = await changes();
  expect(total).toBe(2);
  expect(data).toMatchObject([
    { who: "Bea Boss", move: "removed", resource: "promotion-codes", id: "AUGUST", before: { value: "10.00" } },
    { who: "Max Manager", move: "created", resource: "promotion-codes", id: "AUGUST", after: { value: "10.00" } },
  ]);
});

test("filters the history of settings by kind, user and days in the account's time zone, page by page", async () => {
  await db.batch([
    db.prepare("UPDATE settings SET timezone = 'Europe/Madrid'"),
    entry("prices", "1", "2026-07-31T21:59:59Z"),
    entry("prices", "2", "2026-07-31T22:00:00Z", "changed", "staff:3"),
    entry("prices", "3", "2026-08-01T21:59:59Z"),
    entry("seasons", "~odd~", "2026-08-01T21:59:59Z"),
    entry("prices", "4", "2026-08-01T22:00:00Z"),
  ]);
  await openTestTenant(env).freshSnapshot();
  expect(await listChanges("?resource=prices&date_from=2026-08-01&date_to=2026-08-01")).toEqual([
    "Max Manager changed prices 3",
    "Bea Boss changed prices 2",
  ]);
  expect(await listChanges("?user_id=3")).toEqual(["Bea Boss changed prices 2"]);
  const pages: string[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: Page = await changes(`?page_size=2&after=${encodeURIComponent(after)}`);
    expect(page.total).toBe(5);
    pages.push(...page.data.map(({ resource, id }) => `${resource} ${id}`));
    after = page.next;
  }
  expect(pages).toEqual(["prices 4", "seasons ~odd~", "prices 3", "prices 2", "prices 1"]);
  for (const invalidQuery of ["resource=secrets", "after=x", "date_from=2026-02-30", "user_id=x"]) {
    const answer = await callOffice("GET", `/changes?${invalidQuery}`, { token: tokens.boss });
    expect([answer.status, JSON.stringify(await answer.json())]).toEqual([
      400,
      expect.stringContaining(invalidQuery.split("=")[0] ?? ""),
    ]);
  }
});

// Proves "security, privacy and operation": Changes are visible to users with the right
test("shows administrator-only changes to administrators, and branch changes to users of all branches", async () => {
  await db.batch([
    entry("users", "2", "2026-08-03T10:00:00Z"),
    entry("opening-hours", "TOWN~1", "2026-08-02T10:00:00Z"),
    entry("expenses", "9", "2026-08-01T10:00:00Z"),
    entry("prices", "1", "2026-07-01T10:00:00Z"),
  ]);
  const listChangedResources = async (token: string) => (await changes("", token)).data.map(({ resource }) => resource);
  expect(await listChangedResources(tokens.boss)).toEqual(["users", "opening-hours", "expenses", "prices"]);
  expect(await listChangedResources(tokens.manager)).toEqual(["opening-hours", "expenses", "prices"]);
  expect(await listChangedResources(tokens.town)).toEqual(["prices"]);
  expect((await changes("", tokens.town)).total).toBe(1);
  expect((await callOffice("GET", "/changes", { token: await createToken("desk") })).status).toBe(403);
  expect((await callOffice("GET", "/changes", {})).status).toBe(401);
});

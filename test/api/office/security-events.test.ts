import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken, login, PASSWORD } from "#support/test-users.ts";

const db = env.TENANT_ACME;
let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
  await db.prepare("DELETE FROM security_events").run();
});

interface Page {
  readonly data: readonly (Readonly<Record<string, unknown>> & { readonly kind: string })[];
  readonly total: number;
  readonly next: string | null;
}

const list = async (query = "") => (await callOffice("GET", `/security-events${query}`, { token: boss })).json<Page>();
const kinds = async (query = "") => (await list(query)).data.map(({ kind }) => kind);
const createIpHeaders = (ip: string) => ({ headers: { "CF-Connecting-IP": ip } });

test("logs sign-ins, failures, lock-outs and new locations, and a flood of one kind as one entry", async () => {
  await login("boss", PASSWORD, createIpHeaders("192.0.2.1"));
  await login("boss", PASSWORD, createIpHeaders("192.0.2.2"));
  for (let time = 0; time < 12; time++) await login("desk", "Wrong-pass-1!", createIpHeaders("203.0.113.9"));
  await login("nobody", "Wrong-pass-1!", createIpHeaders("203.0.113.9"));
  const { data } = await list();
  expect(data.map(({ kind, user_name, count }) => [kind, user_name, count])).toEqual([
    ["sign_in_failed", null, 1],
    ["locked_out", "Dora Desk", 2],
    ["sign_in_failed", "Dora Desk", 10],
    ["new_device", "Bea Boss", 1],
    ["signed_in", "Bea Boss", 1],
  ]);
  expect(new Set(data.map(({ network }) => network)).size).toBe(3);
  expect(JSON.stringify(data)).not.toMatch(/203\.0\.113|192\.0\.2|nobody/);
});

// Proves "security, privacy and operation": Changed keys and roles, lost devices and refunds are recorded,
//   whatever wrote them
// Proves "security.md": V22
test("logs changed keys and roles, lost devices and refunds, whatever wrote them", async () => {
  await db.batch([
    db.prepare("UPDATE partner_keys SET active = 0 WHERE api_key = 'agency'"),
    db.prepare("UPDATE users SET role = 'manager' WHERE username = 'desk'"),
    db.prepare("UPDATE users SET full_name = 'Dora D.' WHERE username = 'desk'"),
  ]);
  await insertContracts([{ id: 7, status: "done" }]);
  const charge = (kind: string, amount: string) =>
    callApi("POST", "/booking/7/charges", {
      token: boss,
      body: { request_id: `request-${kind}`, kind, amount, payment_method_id: "cash" },
    });
  await charge("charge", "50.00");
  expect((await charge("payment", "20.00")).status).toBe(200);
  const desk = await createToken("desk");
  const sessions = await (await callOffice("GET", "/sessions", { token: boss })).json<{
    data: { id: string; user_id: number }[];
  }>();
  const id = sessions.data.find(({ user_id }) => user_id === 2)?.id;
  await callOffice("POST", `/sessions/${id}/end`, { token: boss, body: { forget: true } });
  expect((await kinds()).sort()).toEqual(["device_lost", "key_changed", "refund_issued", "role_changed"]);
  const [role] = (await list("?kind=role_changed&user_id=2")).data;
  expect(role).toMatchObject({ user_id: 2, detail: { from: "operator", to: "manager" } });
  const [money] = (await list("?kind=refund_issued")).data;
  expect(money).toMatchObject({ detail: { booking: 7, cents: 2000 } });
  expect((await callOffice("GET", "/security-events", { token: desk })).status).toBe(401);
});

// Proves "security, privacy and operation": Security events are listed, exported and warned of, for administrators
test("lets only administrators list and export security events, and receive warnings about them", async () => {
  for (let hour = 0; hour < 5; hour++)
    await db
      .prepare(
        "INSERT INTO security_events (at, last_at, kind, user_id, detail) VALUES (?1, ?1, 'locked_out', 2, '{\"what\":\"=1+1\"}')",
      )
      .bind(Date.now() - hour * 3_600_000)
      .run();
  const first = await list("?page_size=3");
  expect([first.data.length, first.total]).toEqual([3, 5]);
  const second = await list(`?page_size=3&after=${first.next}`);
  expect([second.data.length, second.next]).toEqual([2, null]);
  expect((await list(`?from=${new Date(Date.now() - 2.5 * 3_600_000).toISOString()}`)).total).toBe(3);
  const csv = await callOffice("GET", "/security-events.csv", { token: boss });
  expect(csv.headers.get("Content-Type")).toContain("text/csv");
  const bytes = new Uint8Array(await csv.arrayBuffer());
  // Without a BOM, spreadsheets assume another encoding.
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode(bytes).trim().split("\r\n")).toHaveLength(6);
  expect((await list("?kind=data_exported")).total).toBe(1);
  const managerAttention = await (await callOffice("GET", "/attention", { token: boss })).json<{
    counts: Record<string, number>;
  }>();
  expect(managerAttention.counts["security_alert"]).toBe(5);
  const desk = await createToken("desk");
  for (const path of ["/security-events", "/security-events.csv"])
    expect((await callOffice("GET", path, { token: desk })).status).toBe(403);
  const deskAttention = await (await callOffice("GET", "/attention", { token: desk })).json<{
    counts: Record<string, number>;
  }>();
  expect(deskAttention.counts["security_alert"]).toBeUndefined();
  for (const query of ["?kind=nothing", "?from=yesterday", "?page_size=0", "?after=x"])
    expect((await callOffice("GET", `/security-events${query}`, { token: boss })).status).toBe(400);
});

test("lists a restored database in the administrators' pending tasks", async () => {
  await db
    .prepare("INSERT INTO security_events (at, last_at, kind) VALUES (?1, ?1, 'database_restored')")
    .bind(Date.now())
    .run();
  expect((await list("?kind=database_restored")).total).toBe(1);
  const managerAttention = await callOffice("GET", "/attention?kind=security_alert", { token: boss });
  expect((await managerAttention.json<{ data: object[] }>()).data).toMatchObject([{ why: "database_restored" }]);
});

// Proves "security, privacy and operation": A day of the security log is the account's
test("filters the security log by days in the account's time zone, including the last day", async () => {
  const row = (at: string, kind: string) =>
    db.prepare("INSERT INTO security_events (at, last_at, kind) VALUES (?1, ?1, ?2)").bind(Date.parse(at), kind);
  await db.batch([
    db.prepare("UPDATE settings SET timezone = 'Europe/Madrid'"),
    row("2026-03-28T22:59:59Z", "signed_in"),
    row("2026-03-28T23:00:00Z", "locked_out"),
    // The day of the change to summer time has 23 hours.
    row("2026-03-29T21:59:59Z", "new_device"),
    row("2026-03-29T22:00:00Z", "device_lost"),
  ]);
  await openTestTenant(env).freshSnapshot();
  expect(await kinds("?date_from=2026-03-29&date_to=2026-03-29")).toEqual(["new_device", "locked_out"]);
  expect(await kinds("?date_from=2026-03-29&date_to=2026-03-29&from=2026-03-29T10:00:00Z")).toEqual(["new_device"]);
  expect(await kinds("?date_to=2026-03-28")).toEqual(["signed_in"]);
  const rejectedResponse = await callOffice("GET", "/security-events?date_from=2026-02-30", { token: boss });
  expect(rejectedResponse.status).toBe(400);
  expect(JSON.stringify(await rejectedResponse.json())).toContain("date_from");
});

// Proves "security, privacy and operation": Exports are recorded with their user
test("logs the users who exported the log and a customer's data", async () => {
  expect((await callOffice("GET", "/security-events.csv", { token: boss })).status).toBe(200);
  expect((await callOffice("GET", "/customers/1/export", { token: boss })).status).toBe(200);
  expect((await callOffice("GET", "/customers/999/export", { token: boss })).status).toBe(404);
  const { data } = await list("?kind=data_exported");
  expect(data.map(({ user_name, detail }) => [user_name, (detail as { what: string }).what])).toEqual([
    ["Bea Boss", "customer"],
    ["Bea Boss", "security_events"],
  ]);
});

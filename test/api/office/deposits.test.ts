import { beforeEach, expect, test } from "vitest";
import {
  createCollectionMessage,
  createDeliveryMessage,
  createOpId,
  insertCheckInRental,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { callOffice, readReservationAnswer } from "#support/office.ts";
import { getRequestCost } from "#support/request-cost.ts";
import { addTestUsers, callApi, createToken, PASSWORD_HASH } from "#support/test-users.ts";

let company: TestCompany;
let boss = "";

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  await company.db.batch([
    company.db.prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
      VALUES (4, 'staff', 'isle', 'isle@example.com', 'Isla', '${PASSWORD_HASH}', 'manager', 0, 1, 1)`),
    company.db.prepare("INSERT INTO user_branches (user_id, branch_code) VALUES (4, 'ISLE')"),
  ]);
  boss = await createToken("boss");
});

interface Listed {
  readonly data: readonly (Readonly<Record<string, unknown>> & { readonly reservation_id: number })[];
  readonly total: number;
  readonly held: string;
  readonly next: string | null;
}

const read = (query = "", token = boss) => callOffice("GET", `/deposits${query}`, { token });
const list = async (query = "", token = boss): Promise<Listed> => (await read(query, token)).json<Listed>();
const listReservationIds = async (query = "", token = boss) =>
  (await list(query, token)).data.map(({ reservation_id: id }) => id);
const atDesk = (token: string, id: number, kind: string, amount: string, method = "cash") =>
  callApi("POST", `/booking/${id}/charges`, {
    token,
    body: { request_id: createOpId(), kind, amount, payment_method_id: method },
  });
const charge = (kind: "deposit_taken" | "deposit_returned" | "payment", amount: string) => ({
  charge_id: createOpId(),
  kind,
  amount,
  payment_method_id: "credit_card" as const,
});

// Proves "office.md: the vehicles of a contract": Deposits that are held are listed until they went back or are kept
test("lists held deposits with method, time and user until refunded or retained", async () => {
  expect(await list()).toEqual({ data: [], total: 0, held: "0.00", next: null });
  await insertCheckInRental();
  await sendCheckInOperation(
    boss,
    createDeliveryMessage({ charges: [charge("payment", "80.00"), charge("deposit_taken", "300.00")] }),
  );
  const desk = await createToken("desk");
  expect((await atDesk(desk, 7, "deposit_received", "100.00")).status).toBe(200);
  const { data, ...rest } = await list();
  expect(rest).toEqual({ total: 1, held: "400.00", next: null });
  expect(data).toEqual([
    {
      ...{ reservation_id: 7, status: "in_progress", customer_fullname: "Ana Ruiz" },
      ...{ rental_location_code: "AIR", return_rental_location_code: "TOWN" },
      ...{ date_to: "2024-05-05", time_to: "10:00", is_over: false, total_deposit: "400.00", held: "400.00" },
      ...{ taken_at: expect.any(String), taken_by: "Bea Boss" },
      payment_method_ids: ["credit_card", "cash"],
    },
  ]);
  const { reservation } = await readReservationAnswer(callOffice("GET", "/reservations/7", { token: boss }));
  expect(reservation["status"]).toBe("in_progress");
  await sendCheckInOperation(
    boss,
    createCollectionMessage({ base_version: reservation.version, charges: [charge("deposit_returned", "250.00")] }),
  );
  expect(await list("?over=true")).toMatchObject({
    total: 1,
    held: "150.00",
    data: [{ status: "done", is_over: true }],
  });
  expect((await atDesk(boss, 7, "deposit_returned", "150.00")).status).toBe(200);
  expect(await list()).toMatchObject({ data: [], total: 0, held: "0.00" });
});

const holdDeposit = async (
  id: number,
  to: string,
  more: { status?: string; branch?: string; method?: string } = {},
) => {
  const { status = "in_progress", branch = "AIR", method = "cash" } = more;
  await insertCheckInRental({ id, status: "done", from: "2024-05-01", to });
  await company.db.batch([
    company.db
      .prepare(`INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
      VALUES (?1, 'deposit_received', 'charge', ?2, 1714500000000, 100, 'EUR', ?3, 1, 1)`)
      .bind(id, method, branch),
    company.db
      .prepare("UPDATE bookings SET status = ?2, branch_code = ?3, return_branch_code = ?3 WHERE id = ?1")
      .bind(id, status, branch),
  ]);
};

// Proves "office.md: the vehicles of a contract": … what is due back longest first, those of one's branches
test("lists held deposits by longest overdue first, in pages, filtered by ended contracts, method and branch", async () => {
  await holdDeposit(11, "2024-05-09");
  await holdDeposit(12, "2024-05-07", { status: "done" });
  await holdDeposit(13, "2024-05-08", { method: "credit_card" });
  await holdDeposit(14, "2024-05-07", { branch: "ISLE" });
  expect(await listReservationIds()).toEqual([12, 14, 13, 11]);
  const pages: number[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page: Listed = await list(`?page_size=1&after=${after}`);
    expect([page.total, page.held]).toEqual([4, "4.00"]);
    pages.push(...page.data.map(({ reservation_id: id }) => id));
    after = page.next;
  }
  expect(pages).toEqual([12, 14, 13, 11]);
  expect(await listReservationIds("?over=true")).toEqual([12]);
  expect(await listReservationIds("?over=false")).toEqual([14, 13, 11]);
  expect(await list("?payment_method_id=credit_card")).toMatchObject({ total: 1, held: "1.00" });
  expect(await listReservationIds("?rental_location_code=ISLE")).toEqual([14]);
  // Staff of one branch see only that branch.
  expect(await list("", await createToken("isle"))).toMatchObject({
    total: 1,
    held: "1.00",
    data: [{ reservation_id: 14 }],
  });
  expect(await listReservationIds("?rental_location_code=AIR", await createToken("isle"))).toEqual([]);
});

test.each([
  ["after=x", "after"],
  ["after=2024-13-45", "after"],
  ["over=maybe", "over"],
  ["payment_method_id=gold", "payment_method_id"],
  ["page_size=0", "page_size"],
])("rejects an invalid query, naming the field: %s", async (query, field) => {
  const answer = await read(`?${query}`);
  expect([answer.status, await answer.json()]).toMatchObject([400, { detail: [{ field }] }]);
});

test("requires a signed-in user for the list of held deposits", async () => {
  expect((await callOffice("GET", "/deposits")).status).toBe(401);
  expect((await callOffice("GET", "/deposits.csv")).status).toBe(401);
});

test("exports the filtered deposit list as a spreadsheet, and logs the export", async () => {
  await holdDeposit(11, "2024-05-09");
  await holdDeposit(12, "2024-05-07", { status: "done" });
  const answer = await callOffice("GET", "/deposits.csv?over=true&decimal_mark=,", { token: boss });
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
  const [head, row, ...rest] = (await answer.text()).replace("\uFEFF", "").split("\r\n");
  expect(head).toBe(
    "reference;status;customer_fullname;rental_location_code;return_rental_location_code;taken;taken_by;payment_method_ids;date_to;total_deposit;held",
  );
  expect([row, rest]).toEqual(["12;done;Ana Ruiz;AIR;AIR;2024-04-30;;cash;2024-05-07;400,00;1,00", [""]]);
  const noted = "SELECT detail FROM security_events WHERE kind = 'data_exported'";
  expect(JSON.parse((await company.db.prepare(noted).first<string>("detail")) ?? "")).toEqual({
    what: "deposits",
    rows: 1,
  });
});

// Proves "office.md: the vehicles of a contract": … in one call, whatever the history
test("reads the deposit list with one database call, without reading contracts that hold no deposit", async () => {
  await holdDeposit(11, "2024-05-09");
  await read();
  const { calls, rows } = getRequestCost(await read());
  expect(calls).toBe(1);
  for (let id = 100; id < 140; id += 1)
    await insertCheckInRental({ id, status: "done", from: "2024-05-01", to: "2024-05-05" });
  expect(getRequestCost(await read()).rows).toBeLessThanOrEqual(rows + 1);
  for (let id = 200; id < 220; id += 1) await holdDeposit(id, "2024-05-05", { status: "done" });
  expect((getRequestCost(await read()).rows - rows) / 20).toBeLessThanOrEqual(10);
});

const useFactor = (minutes: number) =>
  company.db.batch([
    company.db.prepare(
      "INSERT INTO second_factors (user_id, sealed, confirmed_at, last_step) VALUES (3, 'sealed', 1, 0) ON CONFLICT DO NOTHING",
    ),
    company.db.prepare("UPDATE user_sessions SET second_factor_at = ?").bind(Date.now() - minutes * 60_000),
  ]);

// Proves "security.md": A31
test("refunds a deposit by the method of receipt, and by another only with permission and a second-factor proof", async () => {
  await insertCheckInRental();
  const desk = await createToken("desk");
  expect((await atDesk(desk, 7, "deposit_received", "300.00", "credit_card")).status).toBe(200);
  const otherWay = await atDesk(desk, 7, "deposit_returned", "10.00", "cash");
  expect([otherWay.status, await otherWay.json()]).toMatchObject([403, { code: "permission_denied" }]);
  expect((await atDesk(desk, 7, "deposit_returned", "10.00", "credit_card")).status).toBe(200);
  await useFactor(16);
  const stale = await atDesk(boss, 7, "deposit_returned", "10.00", "cash");
  expect([stale.status, await stale.json()]).toMatchObject([403, { code: "second_factor_stale" }]);
  expect((await atDesk(boss, 7, "deposit_returned", "10.00", "credit_card")).status).toBe(200);
  await useFactor(1);
  expect((await atDesk(boss, 7, "deposit_returned", "10.00", "cash")).status).toBe(200);
  expect(await list()).toMatchObject({ held: "270.00" });
});

// Proves "security.md": A32
test("refunds a finished contract's deposit only within the role's limit and after a recent second-factor proof", async () => {
  await holdDeposit(11, "2024-05-09", { status: "done" });
  const desk = await createToken("desk");
  expect(await (await atDesk(desk, 11, "deposit_returned", "1.00")).json()).toMatchObject({
    code: "permission_denied",
  });
  await useFactor(16);
  expect(await (await atDesk(boss, 11, "deposit_returned", "1.00")).json()).toMatchObject({
    code: "second_factor_stale",
  });
  await company.db.prepare("UPDATE users SET role = 'agent' WHERE id = 2").run();
  await company.db.prepare("UPDATE settings SET agent_limit_cents = 50").run();
  expect(await (await atDesk(desk, 11, "deposit_returned", "1.00")).json()).toMatchObject({
    code: "discount_limit_exceeded",
  });
  expect((await atDesk(desk, 11, "deposit_returned", "0.50")).status).toBe(200);
});

// Proves "security.md": A32
test("counts exceptional returns of a contract together, as refunds within the role's limit and as security events", async () => {
  await holdDeposit(11, "2024-05-09", { status: "done" });
  const desk = await createToken("desk");
  await company.db.batch([
    company.db.prepare("UPDATE users SET role = 'agent' WHERE id = 2"),
    company.db.prepare("UPDATE settings SET agent_limit_cents = 50"),
  ]);
  expect((await atDesk(desk, 11, "deposit_returned", "0.30")).status).toBe(200);
  expect(await (await atDesk(desk, 11, "deposit_returned", "0.30")).json()).toMatchObject({
    code: "discount_limit_exceeded",
  });
  expect((await atDesk(desk, 11, "deposit_returned", "0.20")).status).toBe(200);
  const { results } = await company.db
    .prepare("SELECT detail FROM security_events WHERE kind = 'refund_issued' ORDER BY detail")
    .all<{ detail: string }>();
  expect(results.map(({ detail }) => JSON.parse(detail) as unknown)).toEqual([
    { booking: 11, cents: 20 },
    { booking: 11, cents: 30 },
  ]);
});

// Proves "security.md": A31
test.each(["deliver", "collect"] as const)(
  "returns a deposit by another method with the desk's %s only with permission and a recent second-factor proof",
  async (action) => {
    await insertCheckInRental();
    const desk = await createToken("desk");
    let version = 1;
    if (action === "collect") version = (await sendCheckInOperation(desk, createDeliveryMessage())).result.version ?? 2;
    const send = (token: string, method: string) =>
      callOffice("POST", `/reservations/7/${action}`, {
        token,
        body: {
          ...{
            expected_version: version,
            reference: "A-1",
            kilometres: 41_500,
            fuel_eighths: 8,
            readings_confirmed: true,
          },
          charges: [
            { kind: "deposit_taken", amount: "300.00", payment_method_id: "credit_card" },
            { kind: "deposit_returned", amount: "300.00", payment_method_id: method },
          ],
        },
      });
    const refused = await send(desk, "cash");
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "permission_denied" }]);
    await useFactor(16);
    const stale = await send(boss, "cash");
    expect([stale.status, await stale.json()]).toMatchObject([403, { code: "second_factor_stale" }]);
    expect((await send(boss, "credit_card")).status).toBe(200);
  },
);

// Proves "security.md": A32
test("records an exceptional return that a phone reports, and counts it towards the limit", async () => {
  await insertCheckInRental();
  const desk = await createToken("desk");
  const returned = { ...charge("deposit_returned", "300.00"), payment_method_id: "cash" as const };
  const { result } = await sendCheckInOperation(
    desk,
    createDeliveryMessage({ charges: [charge("deposit_taken", "300.00"), returned] }),
  );
  expect(result).toMatchObject({ state: "applied" });
  expect(result.warnings.map(({ code }: { readonly code: string }) => code)).toContain("deposit_other_way");
  const { results } = await company.db
    .prepare("SELECT exceptional FROM charges WHERE source_doc LIKE 'deposit%' ORDER BY id")
    .all();
  expect(results).toEqual([{ exceptional: 0 }, { exceptional: 1 }]);
  const { results: events } = await company.db
    .prepare("SELECT detail FROM security_events WHERE kind = 'refund_issued'")
    .all();
  expect(events).toEqual([{ detail: '{"booking":7,"cents":30000}' }]);
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createAvailabilityPath, getAsAgency, getBookableDay } from "#support/agency.ts";
import { callAsStaff } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, callApi, createToken, PASSWORD_HASH } from "#support/test-users.ts";

// A one-way rental from the town to the island, another branch group, with staff of one branch each.

let boss = "";
let town = "";
let isle = "";
let air = "";
let createdReservation: ReservationAnswer;

const run = (sql: string) => env.TENANT_ACME.prepare(sql).run();
const createBody = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ...{ date_from: getBookableDay(-92), time_from: "10:00", date_to: getBookableDay(-90), time_to: "10:00" },
  ...{ pickup_place: 2, return_place: 3, category_code: "A" },
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com", phone: "600111222" },
  ...changes,
});
const make = (changes = {}) =>
  readReservationAnswer(callOffice("POST", "/reservations", { token: boss, body: createBody(changes) }));
const read = (token: string) => callOffice("GET", `/reservations/${createdReservation.reservation.id}`, { token });
const performAction = async (name: string, token: string, body: Readonly<Record<string, unknown>> = {}) => {
  const { reservation } = await readReservationAnswer(read(boss));
  return callOffice("POST", `/reservations/${reservation.id}/${name}`, {
    token,
    body: { expected_version: reservation.version, ...body },
  });
};
const listIds = async (answer: Promise<Response>) =>
  (await (await answer).json<{ data: { id: number }[] }>()).data.map(({ id }) => id);

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare(
      `INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update) VALUES
        (11, 'staff', 'town', 'town@example.com', 'Tom Town', '${PASSWORD_HASH}', 'agent', 0, 1, 1),
        (12, 'staff', 'isle', 'isle@example.com', 'Ina Isle', '${PASSWORD_HASH}', 'agent', 0, 1, 1)`,
    ),
    env.TENANT_ACME.prepare("INSERT INTO user_branches VALUES (11, 'TOWN'), (12, 'ISLE')"),
    env.TENANT_ACME.prepare("UPDATE users SET role = 'agent' WHERE username = 'desk'"),
  ]);
  await openTestTenant(env).freshSnapshot();
  [boss, town, isle, air] = await Promise.all([
    createToken("boss"),
    createToken("town"),
    createToken("isle"),
    createToken("desk"),
  ]);
  createdReservation = await make({ date_from: getBookableDay(-90), time_from: "23:59", date_to: getBookableDay(-88) });
});

describe("a one-way rental", () => {
  // Proves "rules.md: the life of a contract": A one-way rental is of both its branches: read, listed, planned, printed
  //   there and nowhere else
  test("shows a one-way rental at both its branches and at no other", async () => {
    const { id } = createdReservation.reservation;
    const readVisibility = async (token: string) => ({
      read: (await read(token)).status,
      listed: await listIds(callOffice("GET", "/reservations", { token })),
      planned: (
        await (await callOffice("GET", `/planning?date_from=${getBookableDay(-90)}&days=7`, { token })).text()
      ).includes("Ana Ruiz"),
      documents: (await callApi("GET", `/booking/${id}/documents`, { token })).status,
      printed: (await callOffice("GET", `/reservations/${id}/contract.pdf`, { token })).status,
    });
    const fullAccess = { read: 200, listed: [id], planned: true, documents: 200, printed: 200 };
    expect([await readVisibility(town), await readVisibility(isle)]).toEqual([fullAccess, fullAccess]);
    expect(await readVisibility(air)).toEqual({ read: 404, listed: [], planned: false, documents: 404, printed: 404 });
  });

  // Proves "rules.md: the life of a contract": … handed over at the one, paid and taken back at the other
  test("hands a one-way rental over at the pickup branch, and closes and charges it at the return branch", async () => {
    expect((await performAction("assign", air, { reference: "A-3" })).status).toBe(404);
    expect((await performAction("deliver", town, { reference: "A-3", kilometres: 1000, fuel_eighths: 8 })).status).toBe(
      200,
    );
    const { reservation } = await readReservationAnswer(read(isle));
    const charge = {
      request_id: "isle-charge",
      kind: "charge",
      amount: reservation.total_pending,
      payment_method_id: "cash",
    };
    expect((await callApi("POST", `/booking/${reservation.id}/charges`, { token: air, body: charge })).status).toBe(
      404,
    );
    const paid = await callApi("POST", `/booking/${reservation.id}/charges`, { token: isle, body: charge });
    expect([paid.status, (await paid.json<{ charges: unknown[] }>()).charges]).toMatchObject([
      200,
      [{ amount: reservation.total_cost }],
    ]);
    // Cash is in the register of the branch that received it.
    const readDrawer = async (branch: string) => {
      const register = await callOffice("GET", `/register?rental_location_code=${branch}`, { token: boss });
      return (await register.json<{ data: { payment_method_id: string; charged: string }[] }>()).data.map(
        ({ payment_method_id: method, charged }) => [method, charged],
      );
    };
    expect([await readDrawer("ISLE"), await readDrawer("TOWN")]).toEqual([[["cash", reservation.total_cost]], []]);
    expect((await performAction("collect", air, { kilometres: 1100, fuel_eighths: 8 })).status).toBe(404);
    expect((await performAction("collect", isle, { kilometres: 1100, fuel_eighths: 8 })).status).toBe(200);
    expect((await readReservationAnswer(read(town))).reservation).toMatchObject({
      status: "done",
      total_pending: "0.00",
    });
  });

  // Proves "rules.md: the life of a contract": … and late at both
  test("lists a late one-way rental as needing attention at both branches, and lets the return branch extend it", async () => {
    await performAction("deliver", town, { reference: "A-3", kilometres: 1000, fuel_eighths: 8 });
    await run("UPDATE bookings SET date_from = date('now', '-4 days'), date_to = date('now', '-1 days')");
    await run("UPDATE booking_units SET delivered_at = (unixepoch() - 4 * 86400) * 1000");
    for (const [token, count] of [
      [town, 1],
      [isle, 1],
      [air, 0],
    ] as const) {
      const { data } = await (await callOffice("GET", "/attention", { token })).json<{
        data: { kind: string; customer_phone: string; vehicles: string[] }[];
      }>();
      const late = data.filter(({ kind }) => kind === "overdue");
      expect(late).toHaveLength(count);
      if (count) expect(late[0]).toMatchObject({ customer_phone: expect.stringContaining("600111222") });
    }
    const path = (code: string) =>
      `/v1/booking/deliveries-collections?date=${getBookableDay(-90)}&rental_location_code=${code}`;
    const today = await (await callAsStaff("GET", path("ISLE"), isle)).json<{ collections: { id: number }[] }>();
    expect(today.collections).toHaveLength(1);
    expect((await callAsStaff("GET", path("TOWN"), isle)).status).toBe(404);
    expect((await performAction("extend", isle, { date_to: getBookableDay(-88), time_to: "10:00" })).status).toBe(200);
  });

  // Proves "rules.md: the life of a contract": After a one-way rental search and guard agree to the minute
  test.each([
    ["returns home after the account's number of days", 3 * 1440 + 60],
    ["returns home after the number of days set for its pair of branch groups", 1440 + 60],
  ])("makes a one-way rental's vehicle available at the exact minute if the vehicle %s", async (name, minutes) => {
    if (name.includes("pair"))
      await run("INSERT INTO repatriations (branch_group_id, return_branch_group_id, days) VALUES (1, 2, 1)");
    await run("UPDATE vehicles SET sold_release_date = '2020-01-01' WHERE reference IN ('A-1', 'A-2')");
    await openTestTenant(env).freshSnapshot();
    await performAction("cancel", boss, { reason: "another day" });
    await make({ date_from: getBookableDay(0), date_to: getBookableDay(2) });
    const free = async (at: number) => {
      const [date, time] = new Date(Date.parse(`${getBookableDay(2)}T10:00:00Z`) + at * 60_000)
        .toISOString()
        .split("T") as [string, string];
      const query = {
        "date-from": date,
        "time-from": time.slice(0, 5),
        "date-to": getBookableDay(20),
        "pickup-place": "2",
        "return-place": "2",
      };
      const answer = await getAsAgency(createAvailabilityPath(query));
      const { products } = (await answer.json<{ response: { products: { code: string; available: boolean }[] } }>())
        .response;
      const isFree = products.find(({ code }) => code === "A")?.available;
      const body = createBody({
        date_from: date,
        time_from: time.slice(0, 5),
        date_to: getBookableDay(20),
        return_place: 2,
      });
      const saleResponse = await callOffice("POST", "/reservations", { token: boss, body });
      return [isFree, saleResponse.status];
    };
    expect(await free(minutes - 1)).toEqual([false, 409]);
    expect(await free(minutes)).toEqual([true, 201]);
  });
});

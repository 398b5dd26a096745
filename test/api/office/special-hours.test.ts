import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createAvailabilityPath, getAsAgency, getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let boss = "";
let manager = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
      VALUES (4, 'staff', 'manager', 'manager@example.com', 'Max Manager', 'x', 'manager', 0, 1, 1)`),
    env.TENANT_ACME.prepare("INSERT INTO user_branches VALUES (4, 'AIR')"),
  ]);
  boss = await createToken("boss");
  manager = await createToken("manager");
});

async function send(method: string, path: string, body?: unknown, token = boss, key?: string) {
  const response = await callOffice(method, path, { token, body, ...(key !== undefined && { key }) });
  return { status: response.status, body: await response.json<Readonly<Record<string, unknown>>>() };
}

const searchAt = async (time: string) =>
  getAsAgency(createAvailabilityPath({ "date-from": getBookableDay(0), "time-from": time }));

describe("special hours", () => {
  test("applies special hours in the next search and in quotes", async () => {
    const quote = async () => {
      const { body } = await send("POST", "/reservations/quote", {
        ...{ date_from: getBookableDay(0), time_from: "15:00", date_to: getBookableDay(3), time_to: "10:00" },
        ...{ pickup_place: 1, return_place: 1, category_code: "A" },
      });
      return (body["quote"] as { readonly time_from_cost: string }).time_from_cost;
    };
    expect(await quote()).toBe("0.00");
    const created = await send("POST", "/special-hours", {
      date: getBookableDay(0),
      times: [{ opens: "09:00", closes: "13:00" }],
      reason: "Christmas Eve",
    });
    expect(created).toMatchObject({
      status: 201,
      body: { special_hours: { rental_location_code: null, times: [{ opens: "09:00", closes: "13:00" }] } },
    });
    expect(await quote()).toBe("30.00");
    const { id } = created.body["special_hours"] as { readonly id: number };
    expect((await send("PATCH", `/special-hours/${id}`, { expected_version: 1, times: [] })).status).toBe(200);
    expect((await searchAt("10:00")).status).toBe(400);
    const own = { date: getBookableDay(0), rental_location_code: "AIR", times: [{ opens: "08:00", closes: "20:00" }] };
    expect((await send("POST", "/special-hours", own)).status).toBe(201);
    expect((await searchAt("10:00")).status).toBe(200);
  });

  test("allows special hours once for each date and branch, and once for all branches", async () => {
    for (const branch of [{}, { rental_location_code: "AIR" }]) {
      expect((await send("POST", "/special-hours", { date: getBookableDay(0), ...branch })).status).toBe(201);
      expect(await send("POST", "/special-hours", { date: getBookableDay(0), ...branch })).toMatchObject({
        status: 409,
        body: { code: "taken" },
      });
    }
  });

  test("requires a user of all branches for special hours of all branches", async () => {
    const all = await send("POST", "/special-hours", { date: getBookableDay(0) }, manager);
    expect(all).toMatchObject({ status: 403, body: { code: "branch_forbidden" } });
    const own = { date: getBookableDay(0), rental_location_code: "AIR" };
    expect((await send("POST", "/special-hours", own, manager)).status).toBe(201);
  });
});

describe("a week of opening hours", () => {
  const WEEK = "/opening-hours/week?rental_location_code=AIR";
  const TIMES = [
    { weekday: 1, opens: "08:00", closes: "13:00" },
    { weekday: 1, opens: "16:00", closes: "20:00" },
    { weekday: 6, opens: "09:00", closes: "13:00" },
  ];

  test("replaces a week of opening hours at once, with a history entry for each change", async () => {
    const read = await send("GET", WEEK);
    expect(read.body).toMatchObject({ week: { version: 1, times: { length: 7 } } });
    const body = { expected_version: 1, times: TIMES };
    const weekAnswer = await send("PUT", WEEK, body, boss, "first");
    expect(weekAnswer).toMatchObject({ status: 200, body: { week: { times: TIMES } } });
    expect(await send("PUT", WEEK, body, boss, "first")).toEqual(weekAnswer);
    const { version } = weekAnswer.body["week"] as { readonly version: number };
    const again = { expected_version: version, times: [...TIMES, { weekday: 2, opens: "08:00", closes: "20:00" }] };
    expect((await send("PUT", WEEK, again)).status).toBe(200);
    expect((await send("GET", "/opening-hours/AIR~2~08:00/history")).body).toMatchObject({
      data: [
        { move: "created", version: 3 },
        { move: "removed", version: 2 },
      ],
    });
  });

  test("rejects a week of opening hours with an outdated version or overlapping times", async () => {
    const other = { rental_location_code: "AIR", weekday: 7, opens: "21:00", closes: "22:00" };
    expect((await send("POST", "/opening-hours", other)).status).toBe(201);
    expect(await send("PUT", WEEK, { expected_version: 1, times: TIMES })).toMatchObject({
      status: 409,
      body: { code: "changed_meanwhile", week: { version: 2, times: { length: 8 } } },
    });
    const overlapping = [...TIMES, { weekday: 6, opens: "12:00", closes: "14:00" }];
    expect(await send("PUT", WEEK, { expected_version: 2, times: overlapping })).toMatchObject({
      status: 400,
      body: { detail: [{ field: "times.3.opens" }] },
    });
  });

  test("rejects reading and writing opening hours of another branch", async () => {
    const town = "/opening-hours/week?rental_location_code=TOWN";
    expect((await send("GET", town, undefined, manager)).status).toBe(400);
    expect((await send("PUT", town, { expected_version: 1, times: [] }, manager)).status).toBe(403);
    expect((await send("GET", "/opening-hours/week?rental_location_code=NONE")).status).toBe(400);
  });
});

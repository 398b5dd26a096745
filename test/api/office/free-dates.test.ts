import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice, createSaleBody, sellRentalAtDesk } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let boss: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

interface FreeDatesAnswer {
  readonly data: readonly { readonly category_code: string; readonly date_from: string | null }[];
}

const PERIOD = { date_from: getBookableDay(0), time_from: "10:00", date_to: getBookableDay(3), time_to: "10:00" };

const ask = (changes: Readonly<Record<string, string>> = {}, token = boss) =>
  callOffice("GET", `/free-dates?${new URLSearchParams({ ...PERIOD, pickup_place: "1", ...changes })}`, { token });

async function readDate(code: string, changes: Readonly<Record<string, string>> = {}) {
  const { data } = await (await ask(changes)).json<FreeDatesAnswer>();
  return data.find(({ category_code: category }) => category === code)?.date_from;
}

async function isAvailable(from: number, quantity = 1): Promise<boolean> {
  const { customer: _, ...rental } = createSaleBody({
    date_from: getBookableDay(from),
    date_to: getBookableDay(from + 3),
    quantity,
  });
  const answer = await callOffice("POST", "/reservations/quote", { token: boss, body: rental });
  return (await answer.json<{ available: boolean }>()).available;
}

test("names the first date on which a sold-out category can be quoted again", async () => {
  await sellRentalAtDesk(boss, { quantity: 3 });
  await sellRentalAtDesk(boss, { quantity: 1, date_from: getBookableDay(4), date_to: getBookableDay(6) });
  await env.TENANT_ACME.prepare(
    "INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('A-1', 'workshop', unixepoch(?) / 60, unixepoch(?) / 60)",
  )
    .bind(`${getBookableDay(3)} 00:00`, `${getBookableDay(9)} 00:00`)
    .run();
  const days = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  for (const quantity of [1, 2, 3]) {
    const available = await Promise.all(days.map((day) => isAvailable(day, quantity)));
    const first = days[available.indexOf(true)];
    expect([quantity, await readDate("A", { quantity: String(quantity) })]).toEqual([
      quantity,
      first && getBookableDay(first),
    ]);
  }
});

test("names no date for a category without vehicles in the next 60 days", async () => {
  await sellRentalAtDesk(boss, { category_code: "B", date_to: getBookableDay(80) });
  expect(await readDate("B")).toBeNull();
  expect(await readDate("A")).toBe(getBookableDay(1));
});

test("skips days without pickups", async () => {
  await sellRentalAtDesk(boss, { quantity: 3 });
  const free = await readDate("A");
  await env.TENANT_ACME.prepare(
    "INSERT INTO selling_rules (branch_code, no_pickup_dates) VALUES ('AIR', json_array(?))",
  )
    .bind(free)
    .run();
  expect([free, await readDate("A")]).toEqual([getBookableDay(4), getBookableDay(5)]);
});

test("finds free dates with one database call", async () => {
  await ask();
  const answer = await ask();
  expect([answer.status, /calls=(\d+) /.exec(answer.headers.get("Server-Timing") ?? "")?.[1]]).toEqual([200, "1"]);
});

test("refuses free dates of an unknown place, a return before the pickup, and another branch's staff", async () => {
  const refuse = async (changes: Readonly<Record<string, string>>, token = boss) => {
    const answer = await ask(changes, token);
    const { code, detail } = await answer.json<{ code: string; detail?: readonly { readonly field: string }[] }>();
    return [answer.status, code, detail?.[0]?.field];
  };
  expect(await refuse({ pickup_place: "999" })).toEqual([400, "invalid_input", "pickup_place"]);
  expect(await refuse({ return_place: "999" })).toEqual([400, "invalid_input", "return_place"]);
  expect(await refuse({ date_to: getBookableDay(-1) })).toEqual([400, "invalid_input", "date_to"]);
  expect(await refuse({ date_from: "2030-02-31" })).toEqual([400, "invalid_input", "date_from"]);
  const desk = await createToken("desk");
  await env.TENANT_ACME.prepare("UPDATE user_branches SET branch_code = 'TOWN'").run();
  expect((await refuse({}, desk))[0]).toBe(403);
  expect((await ask({}, "")).status).toBe(401);
});

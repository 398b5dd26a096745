import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let boss: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
  await openTestTenant(env).freshSnapshot();
});

const RENTAL = {
  ...{ date_from: getBookableDay(0), time_from: "10:00", date_to: getBookableDay(3), time_to: "10:00" },
  ...{ pickup_place: 1, return_place: 1, category_code: "A" },
};
const NEW = { ...RENTAL, customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" } };

async function readQueryCost(answer: Promise<Response>): Promise<readonly [number, string | undefined]> {
  const response = await answer;
  return [response.status, /calls=(\d+) /.exec(response.headers.get("Server-Timing") ?? "")?.[1]];
}

const read = (path: string) => readQueryCost(callOffice("GET", path, { token: boss }));
const post = (path: string, body: unknown) => readQueryCost(callOffice("POST", path, { token: boss, body }));

// Proves "rules.md: the life of a contract": An action's quote takes one round trip, two if it needs the stock
test("answers office lists, records and most quotes with one database call, and a quote of other dates with two", async () => {
  const { reservation } = await readReservationAnswer(callOffice("POST", "/reservations", { token: boss, body: NEW }));
  await read("/reservations");
  for (const path of [
    "/reservations",
    "/reservations?q=Ruiz",
    `/reservations/${reservation.id}`,
    `/reservations/${reservation.id}/history`,
    "/vehicles",
    "/vehicles/A-1",
    `/planning?date_from=${getBookableDay(0)}&days=31`,
    "/attention",
    "/search?q=Ruiz",
  ])
    expect([path, ...(await read(path))]).toEqual([path, 200, "1"]);
  expect(await post("/reservations/quote", RENTAL)).toEqual([200, "1"]);
  expect(await post(`/reservations/${reservation.id}/quote`, { move: "cancel" })).toEqual([200, "1"]);
  // A quote checks availability in the dates of the contract.
  const longer = { move: "change", date_to: getBookableDay(4) };
  expect(await post(`/reservations/${reservation.id}/quote`, longer)).toEqual([200, "2"]);
});

test("creates, changes, delivers, collects and reopens a reservation with two database calls each", async () => {
  expect(await post("/reservations", NEW)).toEqual([201, "2"]);
  let createdReservation: ReservationAnswer = await readReservationAnswer(
    callOffice("POST", "/reservations", { token: boss, body: NEW }),
  );
  const performAction = async (method: "POST" | "PATCH", name: string, body: object) => {
    const path = `/reservations/${createdReservation.reservation.id}${name}`;
    const answer = await callOffice(method, path, {
      token: boss,
      body: { expected_version: createdReservation.reservation.version, ...body },
    });
    const cost = await readQueryCost(Promise.resolve(answer.clone() as Response));
    createdReservation = await readReservationAnswer(Promise.resolve(answer));
    return [name, ...cost];
  };
  const changed = (name: string) => [name, 200, "2"];
  expect(await performAction("PATCH", "", { date_to: getBookableDay(4) })).toEqual(changed(""));
  expect(await performAction("POST", "/assign", { reference: "A-1" })).toEqual(changed("/assign"));
  expect(await performAction("POST", "/deliver", { kilometres: 1000, fuel_eighths: 8 })).toEqual(changed("/deliver"));
  expect(await performAction("POST", "/collect", { kilometres: 1300, fuel_eighths: 8 })).toEqual(changed("/collect"));
  expect(await performAction("POST", "/reopen", { reason: "A scratch" })).toEqual(changed("/reopen"));
});

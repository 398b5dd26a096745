import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { readFirstRow } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import {
  bookTransfer,
  checkoutTransfer,
  createTransferCart,
  insertTransferCatalogue,
  postToTransferEngine,
  ROUND_TRIP_FIELDS,
} from "#support/transfers.ts";
import { parseJson, toFormDate } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";

// The only saloon: 40 minutes from the airport to the hotel, an hour between zones, 30 minutes of preparation.

let boss = "";
const readId = async (freeAccessId: string) =>
  Number((await readFirstRow(`SELECT id FROM bookings WHERE free_access_id = '${freeAccessId}'`))?.["id"]);
const read = async (freeAccessId: string) =>
  readReservationAnswer(callOffice("GET", `/reservations/${await readId(freeAccessId)}`, { token: boss }));
const change = (freeAccessId: ReservationAnswer, transfer: object) =>
  callOffice("PATCH", `/reservations/${freeAccessId.reservation.id}`, {
    token: boss,
    body: { expected_version: freeAccessId.reservation.version, transfer },
  });
const quote = async (freeAccessId: ReservationAnswer, transfer: object) =>
  (
    await callOffice("POST", `/reservations/${freeAccessId.reservation.id}/quote`, {
      token: boss,
      body: { move: "change", transfer },
    })
  ).json<{ allowed: boolean; difference: string; to_refund: string; reasons: { code: string }[] }>();
const changeAsCustomer = (freeAccessId: string, step: string, body: object) =>
  requestWorker(`http://acme.localhost:8787/api/v1/web-customer/reservations/${freeAccessId}/${step}?lang=en`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
/** Returns whether a search offers the saloon and whether it can be sold. */
async function searchVehicles(search: object): Promise<readonly [boolean, boolean]> {
  const created = await postToTransferEngine("/shopping-cart", {
    ...{ date: toFormDate(0), time: "09:00", include_products: true, origin_point_id: "1", destination_point_id: "2" },
    ...{ number_of_adults: "1", number_of_children: "0", number_of_infants: "0", round_trip: "false", return_date: "" },
    ...search,
  });
  const createdTransfer = await parseJson(created);
  const products = createdTransfer.products as { id: number; available?: boolean; availability?: boolean }[];
  const saloon = products.find(({ id }) => id === 1);
  const chosen = await postToTransferEngine(
    `/shopping-cart/${createdTransfer.shopping_cart.free_access_id}/set-product`,
    {
      product: "1",
    },
  );
  if (chosen.status !== 200) return [Boolean(saloon?.available ?? saloon?.availability), false];
  const checkoutResponse = await checkoutTransfer(createdTransfer.shopping_cart.free_access_id);
  return [Boolean(saloon?.available ?? saloon?.availability), checkoutResponse.status === 200];
}

beforeEach(async () => {
  const company = await setUpCompany();
  await insertTransferCatalogue(company);
  await addTestUsers();
  await env.TENANT_ACME.prepare("UPDATE settings SET customer_changes_allowed = 1").run();
  await openTestTenant(env).freshSnapshot();
  boss = await createToken("boss");
});

describe("consecutive trips of the only transfer vehicle", () => {
  // Arrives at the hotel at 09:40. Available from the hotel after preparation, from the airport after a 40-minute
  // drive, from the quay after an hour, and from the village without a known route after the default time.
  // Proves "rules.md: the life of a contract": A transfer's vehicle needs the drive to the next trip: search, checkout,
  //   office and customer agree to the minute
  test.each([
    ["the hotel, where the vehicle is", "2", "1", "10:09", "10:10"],
    ["the airport", "1", "2", "10:19", "10:20"],
    ["the quay", "3", "2", "10:39", "10:40"],
  ])(
    "allows a trip from %s only once the vehicle can be there: in search, checkout, office and customer page",
    async (_name, origin, destination, soon, then) => {
      const points = { origin_point_id: origin, destination_point_id: destination };
      await bookTransfer({ time: "09:00" });
      expect(await searchVehicles({ time: soon, ...points })).toEqual([false, false]);
      const other = await bookTransfer({ ...points, time: "20:00" });
      const otherTransfer = await read(other);
      expect(await quote(otherTransfer, { outward: { time: soon } })).toMatchObject({
        allowed: false,
        reasons: [{ code: "sold_out" }],
      });
      expect((await change(otherTransfer, { outward: { time: soon } })).status).toBe(409);
      expect((await changeAsCustomer(other, "quote", { move: "change", time: soon })).status).toBe(409);
      expect((await changeAsCustomer(other, "change", { time: soon })).status).toBe(409);
      expect((await changeAsCustomer(other, "quote", { move: "change", time: then })).status).toBe(200);
      expect((await changeAsCustomer(other, "change", { time: then })).status).toBe(200);
      expect((await change(await read(other), { outward: { time: "20:00" } })).status).toBe(200);
      expect(await searchVehicles({ time: then, ...points })).toEqual([true, true]);
    },
  );

  // Proves "rules.md: the life of a contract": A night supplement holds from its first minute to its last
  test("adds the night supplement from the first to the last minute of the night, for new and for changed transfers", async () => {
    for (const [time, cost] of [
      ["21:59", "40.00"],
      ["22:00", "48.00"],
      ["05:59", "48.00"],
      ["06:00", "40.00"],
    ] as const) {
      const id = await bookTransfer({ time, date: toFormDate(1) });
      const otherTransfer = await read(id);
      expect({ time, cost: otherTransfer.reservation.total_cost }).toEqual({ time, cost });
      expect((await changeAsCustomer(id, "cancel", {})).status).toBe(200);
    }
    const id = await bookTransfer();
    const difference = async (time: string) => (await quote(await read(id), { outward: { time } })).difference;
    expect(await Promise.all(["21:59", "22:00", "05:59", "06:00"].map(difference))).toEqual([
      "0.00",
      "8.00",
      "8.00",
      "0.00",
    ]);
  });

  // Proves "rules.md: the life of a contract": One trip of two is cancelled: its vehicle is free, its money owed back
  test("releases the vehicle after one of two transfers is cancelled, and allows refunding its payment", async () => {
    const id = await bookTransfer({ ...ROUND_TRIP_FIELDS });
    const otherTransfer = await read(id);
    const body = { request_id: "both-trips-1", kind: "charge", amount: "80.00", payment_method_id: "cash" };
    expect(
      (await callApi("POST", `/booking/${otherTransfer.reservation.id}/charges`, { token: boss, body })).status,
    ).toBe(200);
    const back = { origin_point_id: "2", destination_point_id: "1", date: toFormDate(3), time: "10:00" };
    expect(await searchVehicles(back)).toEqual([false, false]);
    const paid = await read(id);
    expect(await quote(paid, { return: null })).toMatchObject({
      allowed: true,
      difference: "-40.00",
      to_refund: "40.00",
    });
    expect((await changeAsCustomer(id, "change", { round_trip: false })).status).toBe(200);
    expect((await read(id)).reservation).toMatchObject({
      total_cost: "40.00",
      to_refund: "40.00",
      status: "confirmed",
    });
    const { data } = await (await callOffice("GET", "/attention", { token: boss })).json<{
      data: { kind: string }[];
    }>();
    expect(data.map(({ kind }) => kind)).toContain("overpaid");
    expect(await searchVehicles(back)).toEqual([true, true]);
  });

  test("rejects a change above the vehicle's seats, and accepts one of three simultaneous requests for the same hour", async () => {
    const [text, two] = [await bookTransfer({ time: "09:00" }), await bookTransfer({ time: "14:00" })];
    const full = await changeAsCustomer(text, "change", { number_of_adults: 3, number_of_children: 1 });
    expect(full.status).toBe(400);
    expect((await changeAsCustomer(text, "change", { number_of_adults: 3 })).status).toBe(200);
    const cart = await createTransferCart({ date: toFormDate(9), time: "11:45" });
    const answers = await Promise.all([
      changeAsCustomer(text, "change", { date: getBookableDay(9), time: "12:00" }),
      changeAsCustomer(two, "change", { date: getBookableDay(9), time: "12:30" }),
      checkoutTransfer(cart),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { TripEvent } from "#domain/check-in/operations.ts";
import { getBookableDay } from "#support/agency.ts";
import {
  callAsStaff,
  createOpId,
  insertCheckInRental,
  readFirstRow,
  sendCheckInOperation as sendWork,
} from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { addFaults, type RoundTripFault } from "#support/databases.ts";
import { getRequestCost } from "#support/request-cost.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import {
  bookTransfer,
  checkoutTransfer,
  createTransferCart,
  insertTransferCatalogue,
  postToTransferEngine,
  ROUND_TRIP_FIELDS,
} from "#support/transfers.ts";
import { toFormDate } from "#support/website.ts";
import { officeOperationsAnswer } from "#worker/api/check-in/operation-messages.ts";
import { type TransferTripMessage, transferTripsAnswer } from "#worker/api/check-in/transfer-messages.ts";
import worker from "#worker/entry/office.ts";

const OUTWARD = getBookableDay(0);
const BACK = getBookableDay(3);

let company: TestCompany;
let desk: string;
let boss: string;

beforeEach(async () => {
  company = await setUpCompany();
  await insertTransferCatalogue(company);
  await addTestUsers();
  [desk, boss] = await Promise.all([createToken("desk"), createToken("boss")]);
});

const ask = (query: string, token: string | undefined = desk, headers = {}) =>
  callAsStaff("GET", `/v1/booking/transfer-trips?${query}`, token, undefined, headers);

async function listTrips(query: string, token?: string): Promise<readonly TransferTripMessage[]> {
  const { data, total } = transferTripsAnswer.parse(await (await ask(query, token)).json());
  expect(total).toBe(data.length);
  return data;
}

const timing = (response: Response) => response.headers.get("Server-Timing") ?? "";
const getRowCount = (response: Response) => getRequestCost(response).rows;
const run = (sql: string) => company.db.prepare(sql).run();
const lastId = async () => Number((await readFirstRow("SELECT max(id) AS id FROM bookings"))?.["id"]);
const moveTo = (branch: string) =>
  run(`UPDATE bookings SET branch_code = '${branch}', return_branch_code = '${branch}'`);

describe("the transfer trips of a day", () => {
  // Proves "check-in.md: trips for drivers": A day's trips with people, flights, extras and what is still to be paid
  test("lists passengers, route, time, vehicle and amount due", async () => {
    const cart = await createTransferCart({ ...ROUND_TRIP_FIELDS, number_of_children: "1" });
    await postToTransferEngine(`/shopping-cart/${cart}/set-extra`, { extra: "BABY", quantity: 1 });
    const booked = await checkoutTransfer(cart, {
      customer_phone: "600111222",
      comments: "Two surfboards",
      address_1: "Calle Mayor 1",
      city: "Palma",
      flight_company: "Iberia",
      detailed_origin_flight_number: "IB3912",
      detailed_destination_address: "Room 5",
      detailed_return_destination_flight_number: "IB3913",
      detailed_return_destination_flight_estimated_time: "12:40",
      number_of_bags: "4",
      number_of_large_items: 1,
    });
    expect(booked.status).toBe(200);
    await run(
      "UPDATE bookings SET total_paid_cents = 2000, payment_status = 'deposit', status = 'confirmed', expires_at = NULL",
    );
    const id = await lastId();
    const [outward, ...others] = await listTrips(`date=${OUTWARD}`);
    expect(others).toEqual([]);
    expect(outward).toEqual({
      booking_id: id,
      version: expect.any(Number),
      status: "confirmed",
      position: "outward",
      round_trip: true,
      date: OUTWARD,
      time: "09:00",
      minutes: 40,
      origin: { name: "Aeropuerto", address: null, flight: "Iberia IB3912" },
      destination: { name: "Hotel Mar", address: "Room 5", flight: null },
      date_from: OUTWARD,
      time_from: "09:00",
      rental_location_code: "AIR",
      vehicle: "Turismo",
      adults: 1,
      children: 1,
      infants: 0,
      bags: 4,
      large_items: 1,
      extras: [{ name: "Silla de bebé", quantity: 1 }],
      customer: {
        full_name: "Ana Ruiz",
        phone: "600111222",
        email: "ana@example.com",
        language: "en",
        address: "Calle Mayor 1, Palma",
      },
      comments: "Two surfboards",
      picked_up: null,
      dropped: null,
      nobody_came: null,
      amounts: { total_cost: "90.00", total_paid: "20.00", total_pending: "70.00" },
    });
    const [back] = await listTrips(`date=${BACK}`);
    expect(back).toMatchObject({
      booking_id: id,
      position: "return",
      date: BACK,
      time: "10:00",
      origin: { name: "Hotel Mar", flight: null },
      destination: { name: "Aeropuerto", flight: "IB3913 12:40" },
      date_from: OUTWARD,
    });
  });

  test("sorts trips by time and excludes other days and rentals", async () => {
    await bookTransfer({ time: "15:00" }, "2");
    await bookTransfer({ time: "08:00" }, "2");
    await bookTransfer({ time: "11:30" }, "2");
    await bookTransfer({ date: toFormDate(1) });
    await insertCheckInRental({ from: OUTWARD, to: BACK });
    const trips = await listTrips(`date=${OUTWARD}`);
    expect(trips.map(({ time, status }) => [time, status])).toEqual([
      ["08:00", "pending_confirmation"],
      ["11:30", "pending_confirmation"],
      ["15:00", "pending_confirmation"],
    ]);
  });

  // Proves "check-in.md: trips for drivers": In order of time; cancelled ones as such, no hold that has ended
  test("shows cancelled trips as cancelled, and omits expired holds even before the cron job ends them", async () => {
    await bookTransfer();
    await run("UPDATE bookings SET expires_at = NULL");
    expect(await listTrips(`date=${OUTWARD}`)).toMatchObject([{ status: "pending_confirmation" }]);
    await run("UPDATE bookings SET expires_at = 1");
    expect(await listTrips(`date=${OUTWARD}`)).toEqual([]);
    await run("UPDATE bookings SET status = 'cancelled', expires_at = NULL, cancelled_at = 1");
    await run(
      "INSERT INTO booking_history (booking_id, at, actor, event, detail) SELECT id, 1, 'system', 'expired', '{}' FROM bookings",
    );
    expect(await listTrips(`date=${OUTWARD}`)).toEqual([]);
    await run(
      "INSERT INTO booking_history (booking_id, at, actor, event, detail) SELECT id, 1, 'staff:3', 'cancelled', '{}' FROM bookings",
    );
    expect(await listTrips(`date=${OUTWARD}`)).toMatchObject([{ status: "cancelled" }]);
    await bookTransfer();
    await run("UPDATE bookings SET expires_at = 1, total_paid_cents = 100 WHERE status = 'pending_confirmation'");
    expect(await listTrips(`date=${OUTWARD}`)).toMatchObject([
      { status: "cancelled" },
      { status: "pending_confirmation" },
    ]);
  });

  test("shows a cancelled transfer's payment above the fee as a negative amount due, and requests no further payment", async () => {
    await bookTransfer();
    await run(
      "UPDATE bookings SET status = 'cancelled', expires_at = NULL, cancelled_at = 1, total_paid_cents = 4000, cancellation_fee_cents = 1500",
    );
    await run(
      "INSERT INTO booking_history (booking_id, at, actor, event, detail) SELECT id, 1, 'staff:3', 'cancelled', '{}' FROM bookings",
    );
    expect(await listTrips(`date=${OUTWARD}`)).toMatchObject([
      { amounts: { total_paid: "40.00", total_pending: "-25.00" } },
    ]);
  });

  // Proves "check-in.md: trips for drivers": Those of one's own branches, of one's own account
  test("lists only trips of the caller's branches and the requested branch", async () => {
    await bookTransfer();
    expect(await listTrips(`date=${OUTWARD}&rental_location_code=AIR`)).toHaveLength(1);
    await moveTo("ISLE");
    expect(await listTrips(`date=${OUTWARD}`)).toEqual([]);
    expect((await ask(`date=${OUTWARD}&rental_location_code=ISLE`)).status).toBe(404);
    expect(await listTrips(`date=${OUTWARD}`, boss)).toHaveLength(1);
    expect(await listTrips(`date=${OUTWARD}&rental_location_code=ISLE`, boss)).toHaveLength(1);
    expect(await listTrips(`date=${OUTWARD}&rental_location_code=AIR`, boss)).toEqual([]);
    expect((await ask(`date=${OUTWARD}&rental_location_code=NONE`, boss)).status).toBe(404);
  });

  test("shows trips only to the account's staff", async () => {
    await bookTransfer();
    expect((await callAsStaff("GET", `/v1/booking/transfer-trips?date=${OUTWARD}`, undefined)).status).toBe(401);
    expect((await ask(`date=${OUTWARD}`, await createToken("ana"))).status).toBe(403);
    await setUpCompany("globex");
    await addTestUsers("globex");
    expect((await ask(`date=${OUTWARD}`, await createToken("boss", "globex"))).status).toBe(401);
  });

  test.each([
    ["", "date"],
    ["date=2030-02-30", "date"],
    ["date=03/05/2030", "date"],
    ["date=2030-05-03&date=2030-05-04", "date"],
    ["date=2030-05-03&rental_location_code=%07", "rental_location_code"],
  ])("names the wrong field of the query %j", async (query, field) => {
    const response = await ask(query);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ detail: [expect.objectContaining({ field })] }),
    ]);
  });

  // Proves "check-in.md: trips for drivers": One call of the database, and the rows of the day alone
  test("reads a day's trips with one database call, and returns 304 while nothing has changed", async () => {
    const onDay = (days: number) => bookTransfer({ date: toFormDate(days) });
    await onDay(0);
    await onDay(1);
    const response = await ask(`date=${OUTWARD}&rental_location_code=AIR`);
    expect(timing(response)).toContain("calls=1 ");
    const headers = { "If-None-Match": response.headers.get("ETag") ?? "" };
    expect((await ask(`date=${OUTWARD}&rental_location_code=AIR`, desk, headers)).status).toBe(304);
    for (let days = 2; days < 30; days++) await onDay(days);
    const later = await ask(`date=${OUTWARD}&rental_location_code=AIR`);
    expect(getRowCount(later)).toBe(getRowCount(response));
    expect(getRowCount(later)).toBeLessThanOrEqual(20);
  });
});

describe("trip driver", () => {
  const createTripMessage = (moment: TripEvent["moment"], changes = {}) => ({
    ...{ op_id: createOpId(), device_id: "device-0001", seq: 1, kind: "evidence" as const, base_version: 1 },
    ...{
      booking_id: 1,
      recorded_at: "2024-05-03T09:02:00.000Z",
      author: "desk",
      trip: { position: "outward", moment },
    },
    ...changes,
  });

  // Proves "check-in.md: trips for drivers": Picked up and dropped: once each, with who and when, nothing else of the
  //   reservation changes
  // Proves "check-in.md": P20
  test("records pickup and drop-off of one transfer trip once each, and changes nothing else", async () => {
    await createTransferCart(ROUND_TRIP_FIELDS).then((cart) => checkoutTransfer(cart));
    const booking_id = await lastId();
    const before = await readFirstRow("SELECT status, total_cents, version FROM bookings WHERE id = ?", booking_id);
    const pickedUp = createTripMessage("picked_up", { booking_id });
    expect((await sendWork(desk, pickedUp)).result).toMatchObject({ state: "applied", missing_photos: [] });
    expect((await sendWork(desk, pickedUp)).result).toMatchObject({ state: "applied" });
    const later = { booking_id, recorded_at: "2024-05-03T09:50:00.000Z" };
    await sendWork(desk, createTripMessage("picked_up", { ...later, author: "boss" }));
    await sendWork(desk, createTripMessage("dropped", later));
    expect(await listTrips(`date=${OUTWARD}`)).toMatchObject([
      {
        picked_up: { at: "2024-05-03T09:02:00.000Z", by: "desk" },
        dropped: { at: "2024-05-03T09:50:00.000Z", by: "desk" },
      },
    ]);
    expect(await listTrips(`date=${BACK}`)).toMatchObject([{ picked_up: null, dropped: null }]);
    expect(await readFirstRow("SELECT status, total_cents, version FROM bookings WHERE id = ?", booking_id)).toEqual(
      before,
    );
  });

  test("stores a trip report as a conflict if the transfer has no return trip or is cancelled", async () => {
    await bookTransfer();
    const booking_id = await lastId();
    const back = { booking_id, trip: { position: "return", moment: "picked_up" } };
    expect((await sendWork(desk, createTripMessage("picked_up", back))).result).toMatchObject({
      state: "conflict",
      code: "no_return_trip",
    });
    await run("UPDATE bookings SET status = 'cancelled', expires_at = NULL");
    const { result } = await sendWork(desk, createTripMessage("picked_up", { booking_id }));
    expect(result).toMatchObject({ state: "conflict", code: "booking_cancelled" });
    const { trip: _trip, ...note } = createTripMessage("picked_up", { booking_id });
    expect((await sendWork(desk, note)).result).toMatchObject({ state: "rejected" });
    const office = await callAsStaff("GET", "/v1/booking/check-in-operations?state=conflict", boss);
    expect(await office.json()).toMatchObject({ total: 2 });
  });

  test("warns about a trip report and requires review if the office changed the transfer in the meantime", async () => {
    await bookTransfer();
    const booking_id = await lastId();
    await run("UPDATE bookings SET version = 2, agreed_version = 2");
    const codes = async (changes: object) =>
      (await sendWork(desk, createTripMessage("picked_up", { booking_id, ...changes }))).result.warnings.map(
        ({ code }) => code,
      );
    expect(await codes({})).toEqual(["contract_changed"]);
    expect(await codes({ base_version: 2 })).toEqual([]);
    expect(await readFirstRow("SELECT sum(needs_review) AS looks FROM check_in_operations")).toEqual({ looks: 1 });
  });

  // Proves "check-in.md: trips for drivers": A second driver's report of a trip is applied, marked with the first one
  //   and reviewed by the office
  test("returns the agent and time of another driver's earlier trip report, and requires review of both reports", async () => {
    await createTransferCart(ROUND_TRIP_FIELDS).then((cart) => checkoutTransfer(cart));
    const booking_id = await lastId();
    await sendWork(desk, createTripMessage("picked_up", { booking_id, author: "boss" }));
    const second = { booking_id, device_id: "device-0002", recorded_at: "2024-05-03T09:10:00.000Z" };
    const driven = { state: "applied", warnings: [{ code: "already_driven", field: "trip" }] };
    const tripMoment = { by: "boss", at: "2024-05-03T09:02:00.000Z" };
    expect((await sendWork(desk, createTripMessage("picked_up", second))).result).toMatchObject({
      ...driven,
      ...tripMoment,
    });
    const others = [
      createTripMessage("dropped", second),
      createTripMessage("picked_up", { ...second, trip: { position: "return", moment: "picked_up" } }),
    ];
    for (const other of others) expect((await sendWork(desk, other)).result.warnings).toEqual([]);
    const office = officeOperationsAnswer.parse(
      await (await callAsStaff("GET", "/v1/booking/check-in-operations?state=all", boss)).json(),
    );
    expect(office.data.filter(({ warnings }) => warnings.length > 0)).toMatchObject([
      { author: "desk", ...tripMoment },
    ]);
    const attentionText = await (await callAsStaff("GET", "/v1/office/attention", boss)).text();
    expect(attentionText).toContain("evidence by desk, boss: already_driven");
  });

  // Proves "check-in.md: trips for drivers": A no-show report applies to the agreed time until a pickup
  test("shows a trip as a no-show until its time is changed or a pickup is recorded later", async () => {
    await bookTransfer();
    const booking_id = await lastId();
    const missed = createTripMessage("nobody_came", { booking_id, recorded_at: "2024-05-03T09:40:00.000Z" });
    expect((await sendWork(desk, missed)).result).toMatchObject({ state: "applied", warnings: [] });
    const tripMoment = { at: "2024-05-03T09:40:00.000Z", by: "desk" };
    expect(await listTrips(`date=${OUTWARD}`)).toMatchObject([
      { nobody_came: tripMoment, picked_up: null, dropped: null },
    ]);
    await run("UPDATE bookings SET agreed_version = 2, version = 2");
    expect(await listTrips(`date=${OUTWARD}`)).toMatchObject([{ nobody_came: null }]);
    await sendWork(desk, createTripMessage("nobody_came", { booking_id, base_version: 2 }));
    expect(await listTrips(`date=${OUTWARD}`)).toMatchObject([{ nobody_came: { by: "desk" } }]);
    await sendWork(desk, createTripMessage("picked_up", { booking_id, base_version: 2 }));
    expect(await listTrips(`date=${OUTWARD}`)).toMatchObject([{ nobody_came: null, picked_up: { by: "desk" } }]);
  });

  test("warns a driver who reports a no-show after another driver reported the pickup, and requires review", async () => {
    await bookTransfer();
    const booking_id = await lastId();
    await sendWork(desk, createTripMessage("picked_up", { booking_id, author: "boss" }));
    const { result } = await sendWork(desk, createTripMessage("nobody_came", { booking_id, device_id: "device-0002" }));
    expect(result).toMatchObject({
      state: "applied",
      by: "boss",
      warnings: [{ code: "already_driven", message: "boss had said that somebody came to this trip before" }],
    });
    expect(await listTrips(`date=${OUTWARD}`)).toMatchObject([{ nobody_came: null, picked_up: { by: "boss" } }]);
    expect(await readFirstRow("SELECT sum(needs_review) AS looks FROM check_in_operations")).toEqual({ looks: 1 });
  });

  test("records the return trip of a transfer", async () => {
    await createTransferCart(ROUND_TRIP_FIELDS).then((cart) => checkoutTransfer(cart));
    const back = { booking_id: await lastId(), trip: { position: "return", moment: "picked_up" } };
    expect((await sendWork(desk, createTripMessage("picked_up", back))).result).toMatchObject({ state: "applied" });
    expect(await listTrips(`date=${BACK}`)).toMatchObject([{ picked_up: { by: "desk" } }]);
  });

  // Proves "check-in.md: trips for drivers": Rentals have no trips, transfers no vehicles; other branches' are 404
  test("records trips only of transfers of the driver's branches, and rejects trips of rentals", async () => {
    await bookTransfer();
    const booking_id = await lastId();
    await insertCheckInRental({ id: booking_id + 1, from: OUTWARD, to: BACK });
    const { trip: _trip, ...note } = createTripMessage("picked_up", { booking_id });
    expect((await sendWork(desk, note)).result).toMatchObject({ state: "rejected", code: "unknown_booking" });
    const rental = createTripMessage("picked_up", { booking_id: booking_id + 1 });
    expect((await sendWork(desk, rental)).result).toMatchObject({ state: "rejected", code: "unknown_booking" });
    const delivery = createTripMessage("picked_up", { booking_id, kind: "delivery", resource_id: 1 });
    expect((await sendWork(desk, delivery)).status).toBe(400);
    await moveTo("ISLE");
    expect((await sendWork(desk, createTripMessage("dropped", { booking_id }))).status).toBe(404);
    const invalidMoment = await callAsStaff("POST", "/v1/booking/check-in-operations", desk, {
      ...createTripMessage("dropped", { booking_id }),
      trip: { position: "back", moment: "dropped" },
    });
    expect([invalidMoment.status, await invalidMoment.json()]).toEqual([
      400,
      expect.objectContaining({ detail: [expect.objectContaining({ field: "trip.position" })] }),
    ]);
  });
});

describe("a transfer that staff cancel", () => {
  const cancel = (id: number, token: string | undefined = boss, body: unknown = { reason: "The road is closed" }) =>
    callAsStaff("POST", `/v1/booking/transfer-reservations/${id}/cancel`, token, body);
  const sell = async () => (await checkoutTransfer(await createTransferCart())).status;

  // Proves "check-in.md: trips for drivers": A cancellation gives the vehicle back, keeps what was paid, and is in the
  //   history with its reason
  test("releases a cancelled transfer's vehicle, retains the payment, and records user and reason", async () => {
    const attentionText = await createTransferCart();
    await bookTransfer(ROUND_TRIP_FIELDS);
    expect((await checkoutTransfer(attentionText)).status).toBe(409);
    await run("UPDATE bookings SET status = 'confirmed', expires_at = NULL, total_paid_cents = 2000");
    const id = await lastId();
    const response = await cancel(id);
    expect(timing(response)).toContain("calls=2 ");
    const answer = await response.json();
    expect([response.status, answer]).toEqual([
      200,
      { booking_id: id, status: "cancelled", cancelled_at: expect.any(String), total_paid: "20.00" },
    ]);
    expect(
      await readFirstRow("SELECT status, version, total_paid_cents AS paid, cancelled_at > 0 AS at FROM bookings"),
    ).toEqual({ status: "cancelled", version: 2, paid: 2000, at: 1 });
    expect(await readFirstRow("SELECT actor, detail FROM booking_history WHERE event = 'cancelled'")).toEqual({
      actor: "staff:3",
      detail: '{"reason":"The road is closed"}',
    });
    expect(await readFirstRow("SELECT count(*) AS n FROM stock_allocations")).toEqual({ n: 0 });
    expect(await sell()).toBe(200);
    expect(await listTrips(`date=${BACK}`)).toMatchObject([{ position: "return", status: "cancelled" }]);
  });

  // Proves "rules.md: the life of a contract": Transfers are cancelled by the terms
  // Proves "rentals.md": D7
  test("charges the account's cancellation fee when staff cancel a paid transfer", async () => {
    await bookTransfer();
    await run(
      "INSERT INTO cancellation_terms (occasion, hours_before, fee_type, fee_value) VALUES ('cancellation', 100000, 'percentage', 2500)",
    );
    await run("UPDATE bookings SET status = 'confirmed', expires_at = NULL, total_paid_cents = total_cents");
    await cancel(await lastId());
    expect(
      await readFirstRow(
        "SELECT cancellation_fee_cents * 4 = total_cents AS a_quarter, cancellation_reason AS reason FROM bookings",
      ),
    ).toEqual({
      a_quarter: 1,
      reason: "cancelled",
    });
  });

  // Proves "check-in.md: trips for drivers": Parallel and repeated requests are done once, whatever the network does
  test("cancels once for repeated and simultaneous requests", async () => {
    await bookTransfer();
    const id = await lastId();
    const answers = await Promise.all(Array.from({ length: 8 }, async () => (await cancel(id)).json()));
    const again = await (await cancel(id, boss, { reason: "Another reason" })).json();
    const [{ cancelled_at }] = answers as [{ cancelled_at: string }];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(again).toEqual(expect.objectContaining({ status: "cancelled", cancelled_at }));
    expect(await readFirstRow("SELECT count(*) AS n FROM booking_history WHERE event = 'cancelled'")).toEqual({ n: 1 });
    await run("UPDATE bookings SET date_from = '2024-01-01'");
    expect((await cancel(id)).status).toBe(200);
  });

  test("evaluates the cancellation again if the transfer changes during it", async () => {
    await bookTransfer();
    const id = await lastId();
    const changing = (change: string) => {
      let calls = 0;
      const batch = async (statements: D1PreparedStatement[]) => {
        calls += 1;
        if (calls === 2) await run(change);
        return env.TENANT_ACME.batch(statements);
      };
      return { prepare: (query: string) => env.TENANT_ACME.prepare(query), batch } as unknown as D1Database;
    };
    const paid = "UPDATE bookings SET total_paid_cents = 4000, version = version + 1";
    expect(await (await send(id, changing(paid))).json()).toMatchObject({ status: "cancelled", total_paid: "40.00" });
    await bookTransfer();
    await run("UPDATE bookings SET status = 'confirmed', expires_at = NULL WHERE status = 'pending_confirmation'");
    const started = "UPDATE bookings SET status = 'in_progress', version = version + 1 WHERE status = 'confirmed'";
    expect((await send(await lastId(), changing(started))).status).toBe(409);
  });

  const FAULTS: readonly RoundTripFault[] = ["before", "after", "twice"];
  test.each(FAULTS.flatMap((fault) => [[fault, 0] as const, [fault, 1] as const]))(
    "cancels a transfer once if the network fails: %s, after %d calls",
    async (fault, at) => {
      await bookTransfer();
      const id = await lastId();
      const faults = [...Array.from({ length: at }, () => "none" as const), fault, "none" as const];
      const binding = addFaults(env.TENANT_ACME, faults);
      let answer = await send(id, binding);
      if (answer.status === 503) answer = await send(id, binding);
      expect(answer.status).toBe(200);
      expect(await readFirstRow("SELECT count(*) AS n FROM booking_history WHERE event = 'cancelled'")).toEqual({
        n: 1,
      });
    },
  );

  function send(id: number, binding: D1Database): Promise<Response> | Response {
    const url = `http://acme.localhost:8787/api/v1/booking/transfer-reservations/${id}/cancel`;
    const headers = { "Content-Type": "application/json", Authorization: boss };
    const request = new Request(url, { method: "POST", headers, body: '{"reason":"Fog"}' });
    return worker.fetch(request, { ...env, TENANT_ACME: binding }, createExecutionContext());
  }

  // Proves "check-in.md: trips for drivers": Not once its outward trip has departed
  test.each([
    ["has begun", ["date_from = '2024-01-01'"]],
    ["is under way", ["status = 'confirmed', expires_at = NULL", "status = 'in_progress'"]],
    ["is over", ["status = 'confirmed', expires_at = NULL", "status = 'in_progress'", "status = 'done'"]],
  ])("rejects the cancellation if the transfer %s", async (_, changes) => {
    await bookTransfer();
    for (const change of changes) await run(`UPDATE bookings SET ${change}`);
    const response = await cancel(await lastId());
    expect([response.status, await response.json()]).toEqual([
      409,
      expect.objectContaining({ code: "not_cancellable" }),
    ]);
    expect(await readFirstRow("SELECT count(*) AS n FROM booking_history WHERE event = 'cancelled'")).toEqual({ n: 0 });
  });

  // Proves "check-in.md: trips for drivers": By managers and administrators of its branch alone
  test("lets only managers and administrators of a transfer's branch cancel it", async () => {
    await bookTransfer();
    const id = await lastId();
    expect((await callAsStaff("POST", `/v1/booking/transfer-reservations/${id}/cancel`, undefined, {})).status).toBe(
      401,
    );
    expect((await callAsStaff("POST", `/v1/booking/transfer-reservations/${id}/cancel`, desk, {})).status).toBe(400);
    expect((await cancel(id, "nobody")).status).toBe(401);
    expect([(await cancel(id, desk)).status, (await cancel(id, await createToken("ana"))).status]).toEqual([403, 403]);
    await run("UPDATE users SET role = 'manager' WHERE username = 'desk'");
    await moveTo("ISLE");
    expect((await cancel(id, desk)).status).toBe(404);
    await moveTo("AIR");
    expect((await cancel(id, desk)).status).toBe(200);
  });

  test("returns 404 when staff cancel anything that isn't a transfer of the account", async () => {
    const { id } = await insertCheckInRental();
    for (const unknown of [id, 999_999]) {
      const response = await cancel(unknown);
      expect([response.status, await response.json()]).toEqual([
        404,
        expect.objectContaining({ code: "unknown_booking" }),
      ]);
    }
    expect(await readFirstRow("SELECT status FROM bookings")).toEqual({ status: "confirmed" });
    expect(
      (await callAsStaff("POST", "/v1/booking/transfer-reservations/x/cancel", boss, { reason: "x" })).status,
    ).toBe(400);
  });

  test.each([
    ["no reason", {}, "reason"],
    ["an empty reason", { reason: "  " }, "reason"],
    ["a reason that isn't a text", { reason: 7 }, "reason"],
    ["a reason that is too long", { reason: "x".repeat(501) }, "reason"],
  ])("rejects the cancellation of a transfer with %s, naming the field", async (_, body, field) => {
    await bookTransfer();
    const response = await cancel(await lastId(), boss, body);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ detail: [expect.objectContaining({ field })] }),
    ]);
  });
});

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { createOpId, readFirstRow, sendCheckInOperation as sendWork } from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { addFaults, openTestTenant, type RoundTripFault } from "#support/databases.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, callApi, createToken, PASSWORD_HASH } from "#support/test-users.ts";
import {
  bookTransfer,
  checkoutTransfer,
  createTransferCart,
  insertTransferCatalogue,
  postToTransferEngine,
  ROUND_TRIP_FIELDS,
} from "#support/transfers.ts";
import { toFormDate } from "#support/website.ts";
import worker from "#worker/entry/office.ts";
import { enqueueDueBookingMails } from "#worker/usecases/operations/booking-mails.ts";

type Body = Readonly<Record<string, unknown>>;

const PARALLEL_REQUESTS = 50;
const MAX_ATTEMPTS = 5;

let company: TestCompany;
let boss: string;
let desk: string;

beforeEach(async () => {
  company = await setUpCompany();
  await insertTransferCatalogue(company);
  await addTestUsers();
  await openTestTenant(env).freshSnapshot();
  [boss, desk] = await Promise.all([createToken("boss"), createToken("desk")]);
});

const run = (sql: string) => company.db.prepare(sql).run();
const readBookingId = async (freeAccessId: string) =>
  Number((await readFirstRow(`SELECT id FROM bookings WHERE free_access_id = '${freeAccessId}'`))?.["id"]);
const read = (id: number, token = boss) => readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token }));
const book = async (search: Body = {}, product = "1") => read(await readBookingId(await bookTransfer(search, product)));
const change = (current: ReservationAnswer, transfer: Body | undefined, more: Body = {}, token = boss) =>
  callOffice("PATCH", `/reservations/${current.reservation.id}`, {
    token,
    body: { expected_version: current.reservation.version, transfer, ...more },
  });
const quote = async (current: ReservationAnswer, transfer: Body) =>
  (
    await callOffice("POST", `/reservations/${current.reservation.id}/quote`, {
      token: boss,
      body: { move: "change", transfer },
    })
  ).json<{
    allowed: boolean;
    difference: string;
    to_refund: string;
    reasons: { code: string; field?: string }[];
    transfer: { total_cost: string; trips: Body[] } | null;
  }>();
const getTrips = ({ reservation }: ReservationAnswer) =>
  (reservation["transfer"] as { trips: { date: string; time: string; cost: string }[] }).trips.map(
    ({ date, time }) => `${date} ${time}`,
  );
const listOccupied = async () =>
  (
    await company.db
      .prepare("SELECT code, starts_at, ends_at, expires_at FROM stock_allocations ORDER BY starts_at")
      .all()
  ).results;
/** Reports a pickup by the driver. */
const drive = (id: number, changes: Body = {}) =>
  sendWork(desk, {
    ...{ op_id: createOpId(), device_id: "device-0001", seq: 1, kind: "evidence", base_version: 1 },
    ...{ booking_id: id, author: "desk" },
    ...{ recorded_at: "2024-05-03T09:02:00.000Z", trip: { position: "outward", moment: "picked_up" } },
    ...changes,
  });
const recordMissedTrip = (id: number, base_version = 1) =>
  drive(id, {
    ...{ base_version, recorded_at: new Date().toISOString() },
    trip: { position: "outward", moment: "nobody_came" },
  });
/** Reads all transfer data that a rejected change must leave unchanged. */
const readAllRows = async () => [
  await readFirstRow("SELECT * FROM bookings"),
  await readFirstRow("SELECT * FROM transfer_trips"),
  await readFirstRow("SELECT count(*) AS n FROM booking_history"),
  await listOccupied(),
];

describe("a changed transfer", () => {
  test("writes nothing if a transfer is moved to its current route and time", async () => {
    const before = await book(ROUND_TRIP_FIELDS);
    const storedRows = await readAllRows();
    const { trips, adults } = before.reservation["transfer"] as {
      trips: { date: string; time: string }[];
      adults: number;
    };
    const [outward, back] = trips.map(({ date, time }) => ({ date, time }));
    for (const same of [{}, { outward, return: back }, { adults }, { transfer_vehicle_id: 1, extras: [] }])
      expect((await readReservationAnswer(change(before, same))).reservation).toEqual(before.reservation);
    expect(await readAllRows()).toEqual(storedRows);
    expect((await readReservationAnswer(change(before, { outward: { time: "11:30" } }))).reservation.version).toBe(
      before.reservation.version + 1,
    );
  });

  // Proves "check-in.md: trips for drivers": A change of a transfer writes history and mail, and its vehicle again
  test("keeps a transfer's price if moved by an hour, occupies its vehicle at the new time, and records history and mail", async () => {
    await run("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)");
    const createdTransfer = await book();
    const quoteAnswer = await quote(createdTransfer, { outward: { time: "10:00" } });
    expect(quoteAnswer).toMatchObject({ allowed: true, difference: "0.00", to_refund: "0.00", reasons: [] });
    expect(quoteAnswer.transfer).toMatchObject({
      total_cost: "40.00",
      trips: [{ date: getBookableDay(0), time: "10:00" }],
    });
    const now = await readReservationAnswer(
      change(createdTransfer, { outward: { time: "10:00" } }, { reason: "The flight is late" }),
    );
    expect(now.reservation).toMatchObject({
      ...{
        version: createdTransfer.reservation.version + 1,
        date_from: getBookableDay(0),
        time_from: "10:00",
        time_to: "10:40",
      },
      ...{ total_cost: "40.00", status: "pending_confirmation" },
    });
    expect(now.history[0]).toMatchObject({
      ...{ move: "changed", who: "Bea Boss", reason: "The flight is late" },
      before: { outward: { date: getBookableDay(0), time: "09:00", origin: "Aeropuerto", destination: "Hotel Mar" } },
      after: { outward: { date: getBookableDay(0), time: "10:00" } },
    });
    expect(await listOccupied()).toHaveLength(1);
    await book({ time: "08:30" });
    await expect(book({ time: "10:20" })).rejects.toThrow("available");
    await enqueueDueBookingMails(openTestTenant(env), Date.now());
    expect(await readFirstRow("SELECT count(*) AS n FROM booking_mails WHERE kind = 'changed'")).toEqual({ n: 1 });
  });

  test("adds the night supplement if moved into the night and removes it again, exactly as quoted", async () => {
    const createdTransfer = await book();
    const night = { outward: { time: "23:00" } };
    expect(await quote(createdTransfer, night)).toMatchObject({
      difference: "8.00",
      transfer: { total_cost: "48.00" },
    });
    const late = await readReservationAnswer(change(createdTransfer, night));
    expect(late.reservation).toMatchObject({
      total_cost: "48.00",
      supplement_1_cost: "8.00",
      date_to: getBookableDay(0),
    });
    await run("UPDATE bookings SET total_paid_cents = 0");
    await callApi("POST", `/booking/${createdTransfer.reservation.id}/charges`, {
      token: boss,
      body: { request_id: "paid-transfer-1", kind: "charge", amount: "48.00", payment_method_id: "cash" },
    });
    const paid = await read(createdTransfer.reservation.id);
    expect(paid.reservation).toMatchObject({ total_pending: "0.00", payment_status: "total" });
    expect(await quote(paid, { outward: { time: "09:30" } })).toMatchObject({ difference: "-8.00", to_refund: "8.00" });
    const early = await readReservationAnswer(change(paid, { outward: { time: "09:30" } }));
    expect(early.reservation).toMatchObject({ total_cost: "40.00", to_refund: "8.00", total_paid: "48.00" });
    expect(early.charges).toMatchObject([{ amount: "48.00" }]);
  });

  // Proves "check-in.md: trips for drivers": A transfer is moved: quoted before, at today's tariff for what changed and
  //   as agreed for the rest
  test("keeps the price of a transfer moved in time, and uses current prices for another vehicle or point", async () => {
    const createdTransfer = await book({ ...ROUND_TRIP_FIELDS });
    await run("UPDATE transfer_prices SET price_cents = price_cents * 2");
    await openTestTenant(env).freshSnapshot();
    const changedTransfer = await readReservationAnswer(change(createdTransfer, { outward: { time: "08:00" } }));
    expect(changedTransfer.reservation["total_cost"]).toBe("80.00");
    expect(await quote(changedTransfer, { return: { destination_point_id: 3 } })).toMatchObject({
      difference: "83.00",
    });
    expect(await quote(changedTransfer, { transfer_vehicle_id: 2 })).toMatchObject({ difference: "520.00" });
  });

  test("changes and removes addresses, flights and luggage, and drops those of another hotel", async () => {
    const before = await book(ROUND_TRIP_FIELDS);
    const details = (answer: ReservationAnswer) => {
      const { trips, ...transfer } = answer.reservation["transfer"] as { trips: Body[] } & Body;
      return [trips.map((trip) => [trip["origin_address"], trip["destination_address"]]), transfer];
    };
    const stated = await readReservationAnswer(
      change(before, {
        outward: { destination_address: "Mar 1" },
        ...{ flight_number: "VY1234", flight_time: "10:05", flight_number_departure: "VY4321", number_of_bags: 3 },
      }),
    );
    expect(details(stated)).toMatchObject([
      [
        [null, "Mar 1"],
        ["Mar 1", null],
      ],
      { flight_number: "VY1234", flight_time: "10:05", flight_number_departure: "VY4321", number_of_bags: 3 },
    ]);
    const moved = await readReservationAnswer(
      change(stated, { outward: { destination_point_id: 5, destination_address: "Cala 2" }, number_of_bags: null }),
    );
    expect(details(moved)).toMatchObject([
      [
        [null, "Cala 2"],
        ["Mar 1", null],
      ],
      { flight_number: "VY1234", number_of_bags: null },
    ]);
    const elsewhere = await readReservationAnswer(change(moved, { outward: { destination_point_id: 2 } }));
    expect(details(elsewhere)[0]).toEqual([
      [null, null],
      ["Mar 1", null],
    ]);
  });

  test("adds a return trip to a transfer and removes it, with the price of each trip", async () => {
    const cart = await createTransferCart({ number_of_children: "1" });
    await postToTransferEngine(`/shopping-cart/${cart}/set-extra`, { extra: "BABY", quantity: 1 });
    const placed = await (await checkoutTransfer(cart)).json<{ free_access_id: string }>();
    const createdTransfer = await read(await readBookingId(placed.free_access_id));
    expect(createdTransfer.reservation.total_cost).toBe("45.00");
    const both = await readReservationAnswer(
      change(createdTransfer, { return: { date: getBookableDay(3), time: "10:00" } }),
    );
    expect(both.reservation).toMatchObject({ total_cost: "90.00", date_to: getBookableDay(3), time_to: "10:40" });
    expect(getTrips(both)).toEqual([`${getBookableDay(0)} 09:00`, `${getBookableDay(3)} 10:00`]);
    expect(await listOccupied()).toHaveLength(2);
    const reservationAnswer = await readReservationAnswer(change(both, { return: null, adults: 2, extras: [] }));
    expect(reservationAnswer.reservation).toMatchObject({
      total_cost: "40.00",
      date_to: getBookableDay(0),
      transfer: { adults: 2, extras: [] },
    });
    expect(await listOccupied()).toHaveLength(1);
  });
});

describe("rejected changes of a transfer", () => {
  test.each([
    [{ outward: { date: "2020-01-01" } }, "transfer.outward.date"],
    [{ return: { date: getBookableDay(0), time: "09:50" } }, "transfer.return.date"],
    [{ return: { time: "10:00" } }, "transfer.return.date"],
    [{ outward: { origin_point_id: 77 } }, "transfer.outward.origin_point_id"],
    [{ outward: { destination_point_id: 77 } }, "transfer.outward.destination_point_id"],
    [{ outward: { destination_point_id: 1 } }, "transfer.outward.destination_point_id"],
    [{ transfer_vehicle_id: 77 }, "transfer.transfer_vehicle_id"],
    [{ adults: 4 }, "transfer.adults"],
    [{ adults: 0 }, "transfer.adults"],
    [{ extras: [{ code: "NOPE" }] }, "transfer.extras"],
    [{ extras: [{ code: "BABY", quantity: 3 }] }, "transfer.extras"],
    [{ extras: [{ code: "BABY" }, { code: "11" }] }, "transfer.extras"],
    [{ outward: { time: "25:00" } }, "transfer.outward.time"],
    [{ outward: "soon" }, "transfer.outward"],
    [{ return: { date: null, time: "10:00" } }, "transfer.return.date"],
    [{ return: { origin_point_id: "" } }, "transfer.return.origin_point_id"],
  ])("rejects the transfer change %j, naming the field %s, and changes nothing", async (transfer, field) => {
    const createdTransfer = await book();
    const before = await readAllRows();
    const refused = await change(createdTransfer, transfer);
    expect(refused.status).toBe(400);
    expect((await refused.json<{ detail: { field: string }[] }>()).detail[0]?.field).toBe(field);
    expect(await readAllRows()).toEqual(before);
  });

  // Proves "check-in.md: trips for drivers": A transfer's move that would oversell is 409 and changes nothing
  test("rejects a move that overlaps other trips of the only vehicle", async () => {
    const createdTransfer = await book({ ...ROUND_TRIP_FIELDS, return_date: toFormDate(0), return_time: "15:00" });
    await book({ time: "12:00" });
    const before = await readAllRows();
    for (const time of ["11:30", "12:30", "14:00"]) {
      expect({ time, ...(await quote(createdTransfer, { outward: { time } })) }).toMatchObject({
        time,
        allowed: false,
        reasons: [{ code: "sold_out" }],
      });
      const refused = await change(createdTransfer, { outward: { time } });
      expect([time, refused.status]).toEqual([time, 409]);
      expect(await refused.json()).toMatchObject({
        code: "sold_out",
        detail: [{ field: "transfer.transfer_vehicle_id" }],
      });
    }
    expect(await readAllRows()).toEqual(before);
    expect(await quote(createdTransfer, { outward: { time: "12:30" }, transfer_vehicle_id: 2 })).toMatchObject({
      allowed: true,
    });
    expect(
      (await readReservationAnswer(change(createdTransfer, { outward: { time: "13:50" } }))).reservation,
    ).toMatchObject({
      time_from: "13:50",
    });
  });

  test("rejects changes of a cancelled transfer or an outdated version, and by callers without permission", async () => {
    const createdTransfer = await book();
    const changedTransfer = await readReservationAnswer(change(createdTransfer, { outward: { time: "10:00" } }));
    const stale = await change(createdTransfer, { outward: { time: "11:00" } });
    expect([stale.status, await stale.json()]).toMatchObject([
      409,
      { code: "changed_meanwhile", reservation: { version: changedTransfer.reservation.version, time_from: "10:00" } },
    ]);
    expect((await change(changedTransfer, { outward: { time: "11:00" } }, {}, desk)).status).toBe(403);
    await run(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, customer_id, all_branches, language, created_at, last_update)
      VALUES (6, 'staff', 'isle', 'isle@example.com', 'Iris Isle', '${PASSWORD_HASH}', 'agent', NULL, 0, NULL, 1, 1)`);
    await run("INSERT INTO user_branches VALUES (6, 'ISLE')");
    expect((await change(changedTransfer, { outward: { time: "11:00" } }, {}, await createToken("isle"))).status).toBe(
      404,
    );
    const body = { expected_version: changedTransfer.reservation.version, reason: "Ill" };
    const ended = await readReservationAnswer(
      callOffice("POST", `/reservations/${createdTransfer.reservation.id}/cancel`, { token: boss, body }),
    );
    const refused = await change(ended, { outward: { time: "11:00" } });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "action_not_allowed" }]);
    expect(await listOccupied()).toEqual([]);
  });

  test("rejects rental fields for a transfer, and trips for a rental", async () => {
    const createdTransfer = await book();
    const mixed = await change(createdTransfer, undefined, { date_from: getBookableDay(1) });
    expect([mixed.status, await mixed.json()]).toMatchObject([400, { detail: [{ field: "transfer" }] }]);
    const rental = await readReservationAnswer(
      callOffice("POST", "/reservations", {
        token: boss,
        body: {
          ...{ date_from: getBookableDay(0), time_from: "10:00", date_to: getBookableDay(3), time_to: "10:00" },
          ...{ pickup_place: 1, return_place: 1, category_code: "A", customer: { name: "Ana", surname: "Ruiz" } },
        },
      }),
    );
    expect(rental.reservation["transfer"]).toBeNull();
    expect((await change(rental, { outward: { time: "10:00" } })).status).toBe(400);
    const notes = await readReservationAnswer(change(createdTransfer, undefined, { notes: "Comes by ferry" }));
    expect(notes.reservation).toMatchObject({ notes: "Comes by ferry", total_cost: "40.00" });
  });

  test("rejects changes of a driven trip and its vehicle, but moves the transfer's other trip", async () => {
    const createdTransfer = await book({ ...ROUND_TRIP_FIELDS });
    await drive(createdTransfer.reservation.id);
    const now = await read(createdTransfer.reservation.id);
    for (const transfer of [{ outward: { time: "10:00" } }, { transfer_vehicle_id: 2 }])
      expect((await change(now, transfer)).status).toBe(400);
    expect((await readReservationAnswer(change(now, { return: { time: "12:00" } }))).reservation).toMatchObject({
      time_to: "12:40",
    });
  });

  // Proves "check-in.md: trips for drivers": A driven customer can't be a no-show
  test("rejects a no-show of a transfer after the driver reported a pickup", async () => {
    const createdTransfer = await book();
    await run("UPDATE bookings SET status = 'confirmed', expires_at = NULL, date_from = '2024-05-03'");
    const missed = await read(createdTransfer.reservation.id);
    expect(missed.reservation.allowed).toContain("no-show");
    await drive(createdTransfer.reservation.id);
    const driven = await read(createdTransfer.reservation.id);
    expect(driven.reservation.allowed).not.toContain("no-show");
    const body = { expected_version: driven.reservation.version };
    const refused = await callOffice("POST", `/reservations/${createdTransfer.reservation.id}/no-show`, {
      token: boss,
      body,
    });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "action_not_allowed", error: expect.stringContaining("the driver reported that the customer came") },
    ]);
    expect((await read(createdTransfer.reservation.id)).reservation).toMatchObject({
      status: "confirmed",
      total_cost: "40.00",
    });
  });
});

describe("no-show reported by the driver", () => {
  const readAttention = async () => {
    const answer = await callOffice("GET", "/attention", { token: boss });
    const { data } = await answer.json<{ data: { kind: string; reservation_id: number; why: string }[] }>();
    const listed = await callOffice("GET", "/reservations?attention=true", { token: boss });
    const { data: rows } = await listed.json<{ data: { id: number }[] }>();
    return [
      data.filter(({ kind }) => kind === "no_show").map(({ reservation_id, why }) => [reservation_id, why]),
      rows.map(({ id }) => id),
    ];
  };

  // Proves "check-in.md: trips for drivers": … it's a task until the office moves the trip or marks a no-show
  test("lists a driver's no-show report as a task until the transfer is moved to a delayed flight's time", async () => {
    const createdTransfer = await book();
    const { id } = createdTransfer.reservation;
    const [agreed = ""] = getTrips(createdTransfer);
    await run("UPDATE bookings SET status = 'confirmed', expires_at = NULL");
    expect(await readAttention()).toEqual([[], []]);
    await recordMissedTrip(id);
    await recordMissedTrip(id);
    const describeNoShow = (moment: string) => `who drives it says that nobody came at ${moment}`;
    expect(await readAttention()).toEqual([[[id, describeNoShow(agreed)]], [id]]);
    const response = await change(await read(id), { outward: { time: "14:00" } });
    expect(response.status).toBe(200);
    expect(await readAttention()).toEqual([[], []]);
    const { version } = (await read(id)).reservation;
    await recordMissedTrip(id, version);
    expect(await readAttention()).toEqual([[[id, describeNoShow(`${getBookableDay(0)} 14:00`)]], [id]]);
  });

  test("removes the task of a driver's no-show report after a later pickup or a recorded no-show", async () => {
    const [late, never] = [(await book()).reservation.id, (await book({ date: toFormDate(1) })).reservation.id];
    await run("UPDATE bookings SET status = 'confirmed', expires_at = NULL, date_from = '2024-05-03'");
    await recordMissedTrip(late);
    await recordMissedTrip(never);
    expect((await readAttention())[1]).toEqual([never, late]);
    await drive(late, { op_id: createOpId(), seq: 9 });
    expect((await readAttention())[1]).toEqual([never]);
    const body = { expected_version: (await read(never)).reservation.version };
    expect((await callOffice("POST", `/reservations/${never}/no-show`, { token: boss, body })).status).toBe(200);
    expect(await readAttention()).toEqual([[], []]);
  });
});

describe("many at once", () => {
  // Proves "check-in.md: trips for drivers": Fifty of the same move of a transfer: once
  if (inject("isThorough"))
    test("applies fifty simultaneous copies of a transfer's move once", async () => {
      const createdTransfer = await book();
      const body = { expected_version: createdTransfer.reservation.version, transfer: { outward: { time: "10:00" } } };
      const key = crypto.randomUUID();
      const answers = await Promise.all(
        Array.from({ length: PARALLEL_REQUESTS }, () =>
          callOffice("PATCH", `/reservations/${createdTransfer.reservation.id}`, { token: boss, key, body }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const { version } = createdTransfer.reservation;
      expect(await readFirstRow("SELECT version FROM bookings")).toEqual({ version: version + 1 });
      expect(await readFirstRow("SELECT count(*) AS n FROM booking_history WHERE event = 'changed'")).toEqual({ n: 1 });
      expect(await listOccupied()).toHaveLength(1);
    });

  test("moves only one of several transfers to the same hour of the only vehicle", async () => {
    const createdTransfer: ReservationAnswer[] = [];
    for (let index = 0; index < 8; index++) createdTransfer.push(await book({ date: toFormDate(index) }));
    const date = getBookableDay(20);
    const answers = await Promise.all(
      createdTransfer.map((reservationAnswer) => change(reservationAnswer, { outward: { date } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect(await readFirstRow(`SELECT count(*) AS n FROM transfer_trips WHERE date = '${date}'`)).toEqual({ n: 1 });
  });
});

describe("over a network that fails", () => {
  const CASES: readonly (readonly [fault: RoundTripFault, at: number])[] = [
    ["before", 0],
    ["after", 0],
    ["before", 1],
    ["after", 1],
    ["twice", 1],
  ];

  // Proves "check-in.md: trips for drivers": A transfer's move survives a kill between its steps
  test.each(CASES)("moves a transfer once and completely if the network fails %s round trip %i", async (fault, at) => {
    const createdTransfer = await book({ ...ROUND_TRIP_FIELDS });
    const body = {
      expected_version: createdTransfer.reservation.version,
      transfer: {
        outward: { time: "23:00" },
        return: { date: getBookableDay(4) },
        adults: 2,
        extras: [{ code: "SIGN" }],
      },
    };
    const init = {
      method: "PATCH",
      headers: {
        Authorization: boss,
        "Content-Type": "application/json",
        "Idempotency-Key": `"${crypto.randomUUID()}"`,
      },
      body: JSON.stringify(body),
    };
    const faults = [...Array.from({ length: at }, () => "none" as const), fault, "none" as const];
    const bindings = { ...env, TENANT_ACME: addFaults(env.TENANT_ACME, faults) };
    let answer: Response | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS && answer?.status !== 200; attempt++) {
      const url = `http://acme.localhost:8787/api/v1/office/reservations/${createdTransfer.reservation.id}`;
      answer = await worker.fetch(new Request(url, init), bindings, createExecutionContext());
      expect([200, 503]).toContain(answer.status);
    }
    const now = await read(createdTransfer.reservation.id);
    expect(now.reservation).toMatchObject({
      ...{
        version: createdTransfer.reservation.version + 1,
        total_cost: "98.00",
        time_from: "23:00",
        date_to: getBookableDay(4),
      },
      transfer: { adults: 2, extras: [{ code: "SIGN" }], supplements: [{ cost: "8.00" }] },
    });
    expect(now.history.map(({ move }) => move)).toEqual(["changed", "created"]);
    expect(await listOccupied()).toHaveLength(2);
  });
});

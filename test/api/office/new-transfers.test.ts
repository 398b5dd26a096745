import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { readFirstRow } from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { addFaults, openTestTenant, type RoundTripFault } from "#support/databases.ts";
import { callOffice, readReservationAnswer } from "#support/office.ts";
import { capturePrintout, getPrintoutText } from "#support/printing.ts";
import { addTestUsers, callApi, createToken, PASSWORD_HASH } from "#support/test-users.ts";
import { bookTransfer, insertTransferCatalogue } from "#support/transfers.ts";
import worker from "#worker/entry/office.ts";
import { enqueueDueBookingMails } from "#worker/usecases/operations/booking-mails.ts";

type Body = Readonly<Record<string, unknown>>;

const PARALLEL_REQUESTS = 50;
const MAX_ATTEMPTS = 5;
const ANA = { name: "Ana", surname: "Ruiz", email: "ana@example.com" };
const OUTWARD = { date: getBookableDay(0), time: "09:00", origin_point_id: 1, destination_point_id: 2 };
const ONE_WAY = { outward: OUTWARD, transfer_vehicle_id: 1 };

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
const createTransferBody = (transfer: Body = {}, more: Body = {}) => ({
  transfer: { ...ONE_WAY, ...transfer },
  customer: ANA,
  ...more,
});
const make = (transfer: Body = {}, more: Body = {}, token = boss) =>
  callOffice("POST", "/transfers", { token, body: createTransferBody(transfer, more) });
const quote = async (transfer: Body = {}, more: Body = {}) => {
  const body = { transfer: { ...ONE_WAY, ...transfer }, ...more };
  const answer = await callOffice("POST", "/transfers/quote", { token: boss, body });
  if (answer.status !== 200) throw new Error(await answer.text());
  return answer.json<{
    available: boolean;
    reasons: { code: string; field?: string }[];
    vehicles: { transfer_vehicle_id: number; free: boolean; cost: string }[];
    quote: { total_cost: string } | null;
  }>();
};
const count = async (table: string) => (await readFirstRow(`SELECT count(*) AS n FROM ${table}`))?.["n"];
const countAllRows = () =>
  Promise.all(["bookings", "transfer_trips", "stock_allocations", "booking_history"].map(count));

async function insertBranchAgent(): Promise<string> {
  await run(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, customer_id, all_branches, language, created_at, last_update)
    VALUES (6, 'staff', 'isle', 'isle@example.com', 'Iris Isle', '${PASSWORD_HASH}', 'agent', NULL, 0, NULL, 1, 1)`);
  await run("INSERT INTO user_branches VALUES (6, 'ISLE')");
  return createToken("isle");
}

describe("a transfer at the desk", () => {
  test("prints the invoice of a transfer in the customer's language, and stores it in the company's", async () => {
    const extras = [{ code: "BABY", quantity: 1 }];
    const transferResponse = await make({ outward: { ...OUTWARD, time: "23:00" }, extras });
    expect(transferResponse.status, await transferResponse.clone().text()).toBe(201);
    const { id: transfer } = (await transferResponse.json<{ reservation: { id: number } }>()).reservation;
    await run("UPDATE bookings SET customer_language = 'en'");
    const body = { request_id: "invoice-1", issued: false };
    expect((await callApi("POST", `/booking/${transfer}/documents`, { token: boss, body })).status).toBe(200);
    const id = (await readFirstRow("SELECT max(id) AS id FROM documents"))?.["id"];
    const printed = getPrintoutText(await capturePrintout(`/api/v1/office/documents/${id}.pdf`, boss));
    for (const line of ["Transfer Airport – Sea hotel", "Baby seat", "Night"]) expect(printed).toContain(line);
    const stored = await readFirstRow("SELECT group_concat(concept) AS concepts FROM document_items");
    expect(stored?.["concepts"]).toMatch(/Traslado .*Silla de bebé.*Nocturnidad/);
  });

  // Proves "check-in.md: trips for drivers": Staff create transfers, one way or return, with the same search, prices
  //   and guard, and a quote with free vehicles
  test("quotes every suitable vehicle, then creates it as quoted with stock, history and mail", async () => {
    await run("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)");
    const quoteResponse = await quote({ transfer_vehicle_id: undefined });
    expect(quoteResponse).toMatchObject({ available: true, reasons: [], quote: null });
    expect(quoteResponse.vehicles).toEqual([
      { transfer_vehicle_id: 1, vehicle: "Turismo", free: true, cost: "40.00" },
      { transfer_vehicle_id: 2, vehicle: "Autobús", free: true, cost: "150.00" },
    ]);
    expect(await quote()).toMatchObject({ available: true, quote: { total_cost: "40.00", item_cost: "40.00" } });
    expect(await countAllRows()).toEqual([0, 0, 0, 0]);
    const createdTransfer = await readReservationAnswer(make({}, { notes: "Two suitcases" }));
    expect(createdTransfer.reservation).toMatchObject({
      ...{ kind: "transfer", status: "confirmed", version: 1, total_cost: "40.00", notes: "Two suitcases" },
      ...{ date_from: getBookableDay(0), time_from: "09:00", time_to: "09:40", rental_location_code: "AIR" },
      ...{ customer_fullname: "Ana Ruiz", transfer: { transfer_vehicle_id: 1, adults: 1 } },
    });
    expect(createdTransfer.history).toMatchObject([{ move: "created", who: "Bea Boss" }]);
    expect(await countAllRows()).toEqual([1, 1, 1, 1]);
    await enqueueDueBookingMails(openTestTenant(env), Date.now());
    expect(await readFirstRow("SELECT count(*) AS n FROM booking_mails")).not.toEqual({ n: 0 });
    await expect(bookTransfer({ time: "09:15" })).rejects.toThrow("available");
  });

  test("stores the hotel's address, flights and luggage of a transfer for its driver, mails and reservation", async () => {
    const flight = { flight_number: "VY1234", flight_time: "08:40" };
    const answer = await make({
      outward: { ...OUTWARD, destination_address: "Hotel Mar 1" },
      return: { date: getBookableDay(3), time: "10:00", origin_address: "Hotel Mar 2" },
      ...{ ...flight, number_of_bags: 2 },
    });
    expect(answer.status, await answer.clone().text()).toBe(201);
    expect(await answer.json()).toMatchObject({
      reservation: {
        transfer: {
          ...{ ...flight, number_of_bags: 2, number_of_large_items: null },
          trips: [{ destination_address: "Hotel Mar 1" }, { origin_address: "Hotel Mar 2" }],
        },
      },
      luggage: { bags: 2 },
    });
    const data = JSON.parse(String((await readFirstRow("SELECT contract_data FROM bookings"))?.["contract_data"]));
    expect(data).toMatchObject({ ...flight, detailed_destination_address: "Hotel Mar 1", number_of_bags: "2" });
    const refused = await make({ outward: { ...OUTWARD, origin_address: "x".repeat(257) } });
    expect([refused.status, await refused.text()]).toMatchObject([400, expect.stringContaining("origin_address")]);
  });

  test("reverses the route for a return without points, with the price of each trip and extra", async () => {
    const transfer = {
      ...{ return: { date: getBookableDay(3), time: "23:00" }, adults: 2, children: 1, infants: 1 },
      extras: [
        { code: "BABY", quantity: 2 },
        { code: "SIGN", quantity: 0 },
      ],
    };
    const quoteResponse = await quote(transfer);
    const createdTransfer = await readReservationAnswer(make(transfer));
    expect(quoteResponse.quote?.total_cost).toBe(createdTransfer.reservation.total_cost);
    expect(createdTransfer.reservation).toMatchObject({
      ...{
        total_cost: "108.00",
        supplement_1_cost: "8.00",
        extras_cost: "20.00",
        date_to: getBookableDay(3),
        time_to: "23:40",
      },
      transfer: {
        ...{ adults: 2, children: 1, infants: 1, extras: [{ code: "BABY", quantity: 2, cost: "20.00" }] },
        trips: [
          { date: getBookableDay(0), origin: "Aeropuerto", destination: "Hotel Mar", cost: "40.00" },
          { date: getBookableDay(3), origin: "Hotel Mar", destination: "Aeropuerto", cost: "40.00" },
        ],
      },
    });
    expect(await count("stock_allocations")).toBe(2);
  });

  test("creates an unconfirmed transfer for an existing customer, changes its time, confirms it and records payments", async () => {
    const createdTransfer = await readReservationAnswer(
      make({}, { customer: { id: 1 }, status: "pending_confirmation" }),
    );
    expect(createdTransfer.reservation).toMatchObject({ status: "pending_confirmation", customer_id: 1 });
    expect(createdTransfer.reservation["hold_until"]).not.toBeNull();
    const body = { expected_version: 1, transfer: { outward: { time: "23:00" } } };
    const changedTransfer = await readReservationAnswer(
      callOffice("PATCH", `/reservations/${createdTransfer.reservation.id}`, { token: boss, body }),
    );
    expect(changedTransfer.reservation.total_cost).toBe("48.00");
    const confirmed = { expected_version: changedTransfer.reservation.version };
    const now = await readReservationAnswer(
      callOffice("POST", `/reservations/${createdTransfer.reservation.id}/confirm`, { token: boss, body: confirmed }),
    );
    expect(now.reservation.status).toBe("confirmed");
  });

  // Proves "check-in.md: trips for drivers": A manager sets another price of a transfer with a reason, and the
  //   difference is kept
  test("applies a lower price by an authorized user as a discount, so that the trips keep their list prices", async () => {
    const by = (total_cost: string) => ({ price_override: { total_cost, reason: "A regular" } });
    const round = { return: { date: getBookableDay(3), time: "10:00" } };
    expect(await quote(round, by("30.00"))).toMatchObject({ available: true, quote: { total_cost: "30.00" } });
    const createdTransfer = await readReservationAnswer(make(round, by("30.00")));
    expect(createdTransfer.reservation).toMatchObject({
      ...{ total_cost: "30.00", item_cost: "30.00", price_difference: "-50.00", price_reason: "A regular" },
      ...{ list_total_cost: "80.00", discount: { kind: "amount", amount: "50.00", reason: "A regular" } },
      transfer: { trips: [{ cost: "40.00" }, { cost: "40.00" }] },
    });
    const change = async (current: { reservation: { id: number; version: number } }, transfer: Body) =>
      readReservationAnswer(
        callOffice("PATCH", `/reservations/${current.reservation.id}`, {
          ...{ token: boss, body: { expected_version: current.reservation.version, transfer } },
        }),
      );
    const later = await change(createdTransfer, { outward: { time: "12:00" } });
    expect(later.reservation).toMatchObject({ total_cost: "30.00", price_difference: "-50.00" });
    const dear = await change(later, { transfer_vehicle_id: 2 });
    expect(dear.reservation).toMatchObject({ price_difference: "0.00", price_reason: null });
    const low = await make({ extras: [{ code: "SIGN" }] }, by("9.00"));
    expect([low.status, await low.json()]).toMatchObject([400, { detail: [{ field: "price_override.total_cost" }] }]);
    const fine = await make({}, by("30.001"));
    expect([fine.status, await fine.json()]).toMatchObject([400, { detail: [{ field: "price_override.total_cost" }] }]);
  });
});

describe("rejected new transfers", () => {
  test.each([
    [{ outward: { ...OUTWARD, date: "2020-01-01" } }, "transfer.outward.date"],
    [{ outward: { ...OUTWARD, time: "25:00" } }, "transfer.outward.time"],
    [{ outward: { ...OUTWARD, origin_point_id: 77 } }, "transfer.outward.origin_point_id"],
    [{ outward: { ...OUTWARD, destination_point_id: 77 } }, "transfer.outward.destination_point_id"],
    [{ outward: { ...OUTWARD, destination_point_id: 1 } }, "transfer.outward.destination_point_id"],
    [{ outward: { date: getBookableDay(0), time: "09:00" } }, "transfer.outward.origin_point_id"],
    [{ outward: undefined }, "transfer.outward"],
    [{ return: { date: getBookableDay(0), time: "09:50" } }, "transfer.return.date"],
    [{ return: { date: getBookableDay(3) } }, "transfer.return.time"],
    [{ return: { date: getBookableDay(3), time: "10:00", origin_point_id: 77 } }, "transfer.return.origin_point_id"],
    [{ transfer_vehicle_id: 77 }, "transfer.transfer_vehicle_id"],
    [{ outward: { ...OUTWARD, destination_point_id: 4 }, transfer_vehicle_id: 2 }, "transfer.transfer_vehicle_id"],
    [{ adults: 4 }, "transfer.adults"],
    [{ adults: 0 }, "transfer.adults"],
    [{ extras: [{ code: "NOPE" }] }, "transfer.extras"],
    [{ extras: [{ code: "BABY", quantity: 3 }] }, "transfer.extras"],
    [{ extras: [{ code: "BABY" }, { code: "11" }] }, "transfer.extras"],
  ])("rejects the transfer %j by %s, in its quote too, and stores nothing", async (transfer, field) => {
    const refused = await make(transfer);
    expect(refused.status).toBe(400);
    expect((await refused.json<{ detail: { field: string }[] }>()).detail[0]?.field).toContain(field);
    const body = { transfer: { ...ONE_WAY, ...transfer } };
    const quoteResponse = await callOffice("POST", "/transfers/quote", { token: boss, body });
    const quoteAnswer = await quoteResponse.json<{
      detail?: { field: string }[];
      reasons?: { field: string }[];
      available?: boolean;
    }>();
    expect((quoteAnswer.detail ?? quoteAnswer.reasons)?.[0]?.field).toContain(field);
    expect(quoteAnswer.available ?? false).toBe(false);
    expect(await countAllRows()).toEqual([0, 0, 0, 0]);
  });

  // Proves "check-in.md: trips for drivers": A transfer that would oversell isn't created, and its quote shows it
  test("rejects a transfer by an occupied vehicle, and suggests an available one in the quote", async () => {
    await readReservationAnswer(make());
    const quoteResponse = await quote({ outward: { ...OUTWARD, time: "09:30" } });
    const soldOut = { code: "sold_out", params: { resource: "transfer", approvers: "Bea Boss" } };
    expect(quoteResponse).toMatchObject({ available: false, reasons: [soldOut] });
    expect(quoteResponse.vehicles.map(({ free }) => free)).toEqual([false, true]);
    const refused = await make({ outward: { ...OUTWARD, time: "09:30" } });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { ...soldOut, detail: [{ field: "transfer.transfer_vehicle_id" }] },
    ]);
    const own = await quote({
      outward: { ...OUTWARD, date: getBookableDay(5) },
      return: { date: getBookableDay(5), time: "09:55" },
    });
    expect(own).toMatchObject({ available: false, reasons: [{ code: "sold_out" }] });
  });

  test("sends templates for transfers, which ask for no driving licence, as in their preview", async () => {
    const { id } = (await readReservationAnswer(make())).reservation;
    const preview = await callOffice("GET", `/message-templates?reservation_id=${id}`, { token: boss });
    const { data } = await preview.json<{ data: { subject: string; text: string }[] }>();
    expect(data.map(({ subject }) => subject)).toEqual([
      `Su traslado, reserva ${id}`,
      `Datos de la reserva ${id}`,
      "Gracias por viajar con Test Rentals",
    ]);
    const sent = await callOffice("POST", `/reservations/${id}/messages`, {
      token: boss,
      body: { template: "pickup_details" },
    });
    expect(await sent.json()).toMatchObject({ message: { subject: data[0]?.subject, text: data[0]?.text } });
  });

  test("lets a manager overbook a transfer with a reason, as quoted, and lists the shortage", async () => {
    await readReservationAnswer(make());
    const accepted = { accept_shortage: true, reason: "A second car comes" };
    expect(await quote({}, accepted)).toMatchObject({ available: true, quote: { total_cost: "40.00" } });
    const byAgent = await make({}, accepted, await insertBranchAgent());
    expect(byAgent.status).toBe(403);
    const second = await readReservationAnswer(make({}, accepted));
    const answer = await callOffice("GET", "/attention?kind=transfer_shortage", { token: boss });
    expect(await answer.json()).toMatchObject({ data: [{ kind: "transfer_shortage" }] });
    expect((await make()).status).toBe(409);
    expect(second.reservation.status).toBe("confirmed");
  });

  test("rejects a transfer without permission, of another branch, beyond the price limit or without a full name", async () => {
    expect((await make({}, {}, desk)).status).toBe(403);
    const isle = await insertBranchAgent();
    const otherAccountTransfer = await make({}, {}, isle);
    expect([otherAccountTransfer.status, await otherAccountTransfer.json()]).toMatchObject([
      403,
      { code: "branch_forbidden" },
    ]);
    await run("INSERT INTO user_branches VALUES (6, 'AIR')");
    const again = await createToken("isle");
    const dear = await make({ transfer_vehicle_id: 2 }, { price_override: { total_cost: "1.00", reason: "x" } }, again);
    expect([dear.status, await dear.json()]).toMatchObject([403, { code: "discount_limit_exceeded" }]);
    const namelessTransfer = await make({}, { customer: { name: "Ana" } });
    expect([namelessTransfer.status, await namelessTransfer.json()]).toMatchObject([
      400,
      { detail: [{ field: "customer.surname" }] },
    ]);
    const unknown = await make({}, { customer: { id: 77 } });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: "customer_not_found" }]);
    expect(await countAllRows()).toEqual([0, 0, 0, 0]);
  });
});

describe("many at once", () => {
  // Proves "check-in.md: trips for drivers": Fifty of the same new transfer: once; it survives a kill between its steps
  test("creates one transfer for fifty simultaneous requests, and rejects another body with the same key", async () => {
    const key = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: PARALLEL_REQUESTS }, () =>
        callOffice("POST", "/transfers", { token: boss, key, body: createTransferBody() }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await countAllRows()).toEqual([1, 1, 1, 1]);
    const other = await callOffice("POST", "/transfers", { token: boss, key, body: createTransferBody({ adults: 2 }) });
    expect([other.status, await other.json()]).toMatchObject([422, { code: "idempotency_key_reused" }]);
  });

  test("creates one transfer on the only vehicle at one time, and returns an error to the others", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => make()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect(await countAllRows()).toEqual([1, 1, 1, 1]);
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

  test.each(CASES)(
    "creates a transfer once and completely if the network fails %s round trip %i",
    async (fault, at) => {
      const init = {
        method: "POST",
        headers: {
          Authorization: boss,
          "Content-Type": "application/json",
          "Idempotency-Key": `"${crypto.randomUUID()}"`,
        },
        body: JSON.stringify(
          createTransferBody({ return: { date: getBookableDay(3), time: "10:00" }, extras: [{ code: "SIGN" }] }),
        ),
      };
      const faults = [...Array.from({ length: at }, () => "none" as const), fault, "none" as const];
      const bindings = { ...env, TENANT_ACME: addFaults(env.TENANT_ACME, faults) };
      let answer: Response | undefined;
      for (let attempt = 0; attempt < MAX_ATTEMPTS && answer?.status !== 201; attempt++) {
        const url = "http://acme.localhost:8787/api/v1/office/transfers";
        answer = await worker.fetch(new Request(url, init), bindings, createExecutionContext());
        expect([201, 503]).toContain(answer.status);
      }
      expect(await countAllRows()).toEqual([1, 2, 2, 1]);
      expect(await readFirstRow("SELECT total_cents FROM bookings")).toEqual({ total_cents: 9000 });
    },
  );
});

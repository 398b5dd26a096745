import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createAgencyReservationBody, getBookableDay, postAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { issueInvoiceAndCreditItsTax } from "#support/tax-records.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { bookTransfer, insertTransferCatalogue, ROUND_TRIP_FIELDS } from "#support/transfers.ts";
import { createCheckout, createSearch, toFormDate } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { enqueueDueBookingMails } from "#worker/usecases/operations/booking-mails.ts";

const SITE = "http://acme.localhost:8787";
let id = "";

const send = (path: string, body: unknown) =>
  requestWorker(SITE + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const sendAsCustomer = (step: string, body: unknown, bookingId = id) =>
  send(`/api/v1/web-customer/reservations/${bookingId}/${step}`, body);

async function expectNotAllowed(step: string, body: unknown, reason: string): Promise<void> {
  const refused = await sendAsCustomer(`${step}?lang=en`, body);
  const { code, error } = await refused.json<{ code: string; error: string }>();
  expect([refused.status, code, error]).toEqual([409, "action_not_allowed", expect.stringContaining(reason)]);
}

async function bookAsVisitor(): Promise<string> {
  const engine = "/api/booking/frontend/shopping-cart";
  const cart = await (await send(engine, createSearch())).json<{ shopping_cart: { free_access_id: string } }>();
  const base = `${engine}/${cart.shopping_cart.free_access_id}`;
  await send(`${base}/set-product`, { product: "A" });
  await send(`${base}/checkout`, createCheckout());
  const row = await env.TENANT_ACME.prepare("SELECT free_access_id AS id FROM bookings ORDER BY id DESC").first<{
    id: string;
  }>();
  return row?.id ?? "";
}

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("UPDATE settings SET customer_changes_allowed = 1"),
    env.TENANT_ACME.prepare(`INSERT INTO cancellation_terms (occasion, hours_before, fee_type, fee_value)
      VALUES ('cancellation', 10000, 'percentage', 1000)`),
  ]);
  await openTestTenant(env).freshSnapshot();
  id = await bookAsVisitor();
});

describe("a customer's own booking", () => {
  test("refuses cancellations and lower prices after its tax was recovered for an unpaid debt, also in quotes", async () => {
    const row = await env.TENANT_ACME.prepare("SELECT id FROM bookings WHERE free_access_id = ?")
      .bind(id)
      .first<{ id: number }>();
    await issueInvoiceAndCreditItsTax(await createToken("boss"), row?.id ?? 0);
    const shorter = { date_to: getBookableDay(2) };
    const reason = "this isn't possible";
    await expectNotAllowed("quote", { move: "cancel" }, reason);
    await expectNotAllowed("cancel", {}, reason);
    await expectNotAllowed("quote", { move: "change", ...shorter }, reason);
    await expectNotAllowed("change", shorter, reason);
  });

  // Proves "rentals.md": M8
  test("applies a customer's change of a booking at the current price, as quoted before", async () => {
    const quoted = await (await sendAsCustomer("quote", { move: "change", extras: [{ code: "GPS" }] })).json<
      Record<string, string>
    >();
    expect(quoted).toMatchObject({ difference: "15.00" });
    const changed = await sendAsCustomer("change", { extras: [{ code: "GPS" }], expected_version: 1 });
    expect([changed.status, await changed.json()]).toMatchObject([
      200,
      { booking: { version: 2, total_cost: quoted["new_total_cost"] }, transfer: null },
    ]);
    expect((await sendAsCustomer("change", { extras: [], expected_version: 1 })).status).toBe(409);
    const many = await sendAsCustomer("change", { extras: [{ code: "GPS", quantity: 100 }] });
    expect(await many.json()).toMatchObject({ detail: ["extras.0.quantity: must be at most 99"] });
    const rejectedResponse = await sendAsCustomer("change", { date_to: "2020-01-01" });
    expect([rejectedResponse.status, await rejectedResponse.json()]).toMatchObject([
      400,
      { detail: [expect.stringContaining("date_to")] },
    ]);
  });

  test("reports a sold-out extra in the quote of a booking's change", async () => {
    await env.TENANT_ACME.prepare("INSERT INTO extra_stocks VALUES ('GPS', 1, 0)").run();
    await openTestTenant(env).freshSnapshot();
    const quoteResponse = await sendAsCustomer("quote", { move: "change", extras: [{ code: "GPS" }] });
    expect([quoteResponse.status, await quoteResponse.json()]).toMatchObject([409, { code: "sold_out" }]);
  });

  // Proves "rules.md: the life of a contract": Which extras one's own booking may have
  test("returns a booking's available extras in the visitor's language for the requested days", async () => {
    const offered = async (body: object, lang = "en") =>
      (await (await sendAsCustomer(`quote?lang=${lang}`, { move: "change", ...body })).json<{ extras: unknown[] }>())
        .extras;
    const seat = { code: "SEAT", name: "Child seat", unit_price: "12.00", quantity: 0, max_quantity: 3 };
    expect(await offered({})).toEqual([
      seat,
      { code: "GPS", name: "Navegador", unit_price: "15.00", quantity: 0, max_quantity: 1 },
    ]);
    expect((await offered({ date_to: getBookableDay(4) }, "es"))[0]).toEqual({
      ...seat,
      name: "Silla infantil",
      unit_price: "16.00",
    });
    await sendAsCustomer("change", { extras: [{ code: "SEAT", quantity: 2 }] });
    await env.TENANT_ACME.prepare("UPDATE extras SET active = 0 WHERE code = 'SEAT'").run();
    await openTestTenant(env).freshSnapshot();
    // Extras that are no longer sold stay as agreed.
    const storedExtra = { ...seat, name: "Silla infantil", quantity: 2, max_quantity: 2 };
    expect(await offered({})).toEqual([expect.objectContaining({ code: "GPS" }), storedExtra]);
    const both = await sendAsCustomer("quote", { move: "change", extras: [{ code: "GPS" }, { code: "GPS" }] });
    expect([both.status, await both.json()]).toMatchObject([400, { detail: [expect.stringContaining("quantity")] }]);
  });

  // Proves "rules.md: the life of a contract": Customers cancel and change their bookings if the account allows it
  // Proves "rentals.md": D6
  test("cancels a booking by its terms, and rejects changes that are sold out or in the past", async () => {
    await env.TENANT_ACME.prepare("UPDATE bookings SET total_paid_cents = total_cents").run();
    const cancelled = await sendAsCustomer("cancel", {});
    const answer = await cancelled.json<{
      booking: { status: string; total_cost: string };
      fee: string;
      to_refund: string;
    }>();
    expect([cancelled.status, answer]).toMatchObject([200, { booking: { status: "cancelled" }, fee: "9.50" }]);
    expect(answer.to_refund).toBe("85.50");
    const again = await sendAsCustomer("cancel", {});
    expect([again.status, await again.json()]).toMatchObject([409, { code: "action_not_allowed" }]);
    const actor = await env.TENANT_ACME.prepare("SELECT actor FROM booking_history WHERE event = 'cancelled'").first(
      "actor",
    );
    expect(actor).toBe("visitor");
  });

  // Proves "office.md: the vehicles of a contract": A cancelled booking requests nothing, on the website and in lists
  test("asks for no payment of a cancelled booking, and owes back only what was paid above the fee", async () => {
    const readReservation = async () =>
      (
        await (
          await requestWorker(`${SITE}/api/booking/frontend/booking/${id}`)
        ).json<{ booking: Record<string, unknown> }>()
      ).booking;
    const pay = (cents: number) =>
      env.TENANT_ACME.prepare("UPDATE bookings SET total_paid_cents = ?").bind(cents).run();
    expect(await readReservation()).toMatchObject({
      status: "pending_confirmation",
      total_paid: "0.00",
      total_pending: "95.00",
    });
    await pay(9500);
    await sendAsCustomer("cancel", {});
    expect(await readReservation()).toMatchObject({
      status: "cancelled",
      total_paid: "95.00",
      total_pending: "-85.50",
    });
    await pay(950);
    expect(await readReservation()).toMatchObject({ total_paid: "9.50", total_pending: "0.00" });
    await pay(0);
    expect(await readReservation()).toMatchObject({ total_paid: "0.00", total_pending: "0.00" });
  });

  // Proves "rules.md: the life of a contract": Customers change and cancel until the pickup time
  test("prevents changes by the customer after pickup time, so a no-show fee can't be reclaimed", async () => {
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET status = 'confirmed', expires_at = NULL, date_from = date('now', '-1 day')",
    ).run();
    for (const [step, body] of [
      ["cancel", {}],
      ["change", { extras: [{ code: "GPS" }] }],
      ["quote", { move: "cancel" }],
    ] as const) {
      await expectNotAllowed(step, body, "pickup time has passed");
    }
  });

  // Proves "rules.md: the life of a contract": Customers change what they hold, not expired holds
  test("prevents changes of a booking after its hold expires, even before the cron job runs, but allows cancelling", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE bookings SET expires_at = 1"),
      env.TENANT_ACME.prepare("UPDATE stock_allocations SET expires_at = 1"),
    ]);
    for (const [step, body] of [
      ["quote", { move: "change", extras: [{ code: "GPS" }] }],
      ["change", { extras: [{ code: "GPS" }] }],
    ] as const) {
      await expectNotAllowed(step, body, "has expired");
    }
    const history = await env.TENANT_ACME.prepare("SELECT event FROM booking_history WHERE event = 'changed'").all();
    expect(history.results).toEqual([]);
    expect((await sendAsCustomer("cancel", {})).status).toBe(200);
  });

  const STATUS = "status = 'cancelled', expires_at = NULL";
  const PAST = "status = 'confirmed', expires_at = NULL, date_from = date('now', '-1 day')";
  const REFUSED: readonly (readonly [string, string, Record<string, string>])[] = [
    [
      "no longer living",
      `UPDATE bookings SET ${STATUS}`,
      {
        es: "La reserva está cancelada",
        ca: "La reserva està cancel·lada",
        en: "The reservation is cancelled and can't be changed",
        de: "Die Reservierung ist storniert",
        fr: "La réservation est annulée",
        it: "La prenotazione è annullata",
        pt: "A reserva foi cancelada",
        nl: "De reservering is geannuleerd",
      },
    ],
    [
      "to be fetched by now",
      `UPDATE bookings SET ${PAST}`,
      {
        es: "La hora de recogida ya ha pasado; llámenos, por favor",
        ca: "L'hora de recollida ja ha passat; truqueu-nos, si us plau",
        en: "The pickup time has passed. Please call us",
        de: "Die Abholzeit ist vorbei; bitte rufen Sie uns an",
      },
    ],
    [
      "nobody's to change here",
      "UPDATE settings SET customer_changes_allowed = 0",
      {
        es: "Llámenos, por favor: aquí las reservas no se cambian por internet",
        ca: "Truqueu-nos, si us plau: aquí les reserves no es canvien per internet",
        en: "Reservations can't be changed online here. Please call us",
        de: "Bitte rufen Sie uns an: Reservierungen werden hier nicht online geändert",
      },
    ],
    [
      "an agency's",
      "UPDATE bookings SET agency_id = 1, agency_reservation_id = 'x'",
      {
        es: "Diríjase, por favor, a la agencia que hizo esta reserva",
        ca: "Adreceu-vos, si us plau, a l'agència que va fer aquesta reserva",
        en: "Please ask the agency that made this reservation",
        de: "Bitte wenden Sie sich an die Agentur, die diese Reservierung vorgenommen hat",
      },
    ],
  ];
  // Proves "rules.md: the life of a contract": A customer's refusals are in the requested language
  test.each(REFUSED)(
    "explains in the requested language, else in the account's, why a booking that is %s can't change",
    async (_name, sql, expectedMessages) => {
      await env.TENANT_ACME.prepare(sql).run();
      await openTestTenant(env).freshSnapshot();
      const readErrorCode = async (step: string, body: object) =>
        (await (await sendAsCustomer(step, body)).json<{ error: string }>()).error;
      for (const [lang, sentence] of Object.entries(expectedMessages)) {
        expect(await readErrorCode(`cancel?lang=${lang}`, {})).toBe(sentence);
        expect(await readErrorCode(`quote?lang=${lang}`, { move: "change", extras: [{ code: "GPS" }] })).toBe(sentence);
      }
      expect(await readErrorCode("cancel", {})).toBe(expectedMessages["es"]);
      expect(await readErrorCode("cancel?lang=sv", {})).toBe(expectedMessages["es"]);
    },
  );

  // Proves "rules.md: the life of a contract": Customers change and cancel once, however often at once
  test("applies one of eight simultaneous changes of a booking, and one of eight simultaneous cancellations", async () => {
    const changes = await Promise.all(
      Array.from({ length: 8 }, () => sendAsCustomer("change", { extras: [{ code: "GPS" }], expected_version: 1 })),
    );
    expect(changes.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    const cancels = await Promise.all(Array.from({ length: 8 }, () => sendAsCustomer("cancel", {})));
    expect(cancels.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    const events = await env.TENANT_ACME.prepare("SELECT event FROM booking_history ORDER BY id").all();
    expect(events.results.map(({ event }) => event)).toEqual(["created", "changed", "cancelled"]);
  });

  // Proves "rentals.md": M9
  test("rejects cancelling an unknown booking ID, an agency booking, and any booking if the account allows no changes", async () => {
    expect((await sendAsCustomer("cancel", {}, "0".repeat(32))).status).toBe(404);
    await postAsAgency(
      "/booking",
      createAgencyReservationBody({ date_from: getBookableDay(20), date_to: getBookableDay(22) }),
    );
    const agencyBooking = await env.TENANT_ACME.prepare(
      "SELECT free_access_id AS id FROM bookings WHERE agency_id = 1",
    ).first<{ id: string }>();
    expect((await sendAsCustomer("cancel", {}, agencyBooking?.id)).status).toBe(409);
    await env.TENANT_ACME.prepare("UPDATE settings SET customer_changes_allowed = 0").run();
    expect((await sendAsCustomer("cancel", {})).status).toBe(403);
  });
});

describe("a customer's own transfer", () => {
  const rows = async (sql: string) => (await env.TENANT_ACME.prepare(sql).all()).results;
  const transfer = async (search: Record<string, unknown> = {}) => {
    id = await bookTransfer(search);
    return id;
  };
  const quoted = async (body: object) =>
    (await sendAsCustomer("quote", { move: "change", ...body })).json<Record<string, unknown>>();
  const refused = async (body: object) => {
    const before = await rows("SELECT * FROM bookings");
    const [quoteResponse, changeResponse] = [
      await sendAsCustomer("quote?lang=en", { move: "change", ...body }),
      await sendAsCustomer("change", body),
    ];
    expect(await rows("SELECT * FROM bookings")).toEqual(before);
    const readReservation = await changeResponse.json<{ code: string; detail?: string[] }>();
    expect([quoteResponse.status, (await quoteResponse.json<{ code: string }>()).code]).toEqual([
      changeResponse.status,
      readReservation.code,
    ]);
    return [changeResponse.status, readReservation.code, readReservation.detail?.[0]?.split(":")[0]];
  };

  beforeEach(async () => {
    await insertTransferCatalogue({ db: env.TENANT_ACME, account: "acme" });
  });

  // Proves "check-in.md: trips for drivers": Customers change their own transfer if the account allows it: day, time,
  //   points, people, return, quoted first
  test("changes day, time, points and passengers of a transfer at the quoted price, with history and mail", async () => {
    await env.TENANT_ACME.exec("INSERT INTO mail_cursor (id, last_history_id) SELECT 1, max(id) FROM booking_history");
    await transfer();
    const nothing = await quoted({});
    expect(nothing).toMatchObject({ difference: "0.00", extras: [], transfer: { trips: [{ origin: "Aeropuerto" }] } });
    const change = { date: getBookableDay(2), time: "23:00", destination_point_id: 5, number_of_adults: 2 };
    const quoteResponse = await quoted(change);
    expect(quoteResponse).toMatchObject({
      ...{ difference: "32.00", new_total_cost: "72.00", fee: "0.00" },
      transfer: { number_of_adults: 2, trips: [{ date: getBookableDay(2), time: "23:00", destination: "Cala Ñandú" }] },
    });
    const changeResponse = await sendAsCustomer("change?lang=en", { ...change, expected_version: 1 });
    expect([changeResponse.status, await changeResponse.json()]).toMatchObject([
      200,
      {
        booking: { version: 2, total_cost: "72.00", date_from: getBookableDay(2), time_from: "23:00" },
        transfer: { vehicle: "Saloon", trips: [{ origin: "Airport", cost: "60.00" }] },
      },
    ]);
    expect(await rows("SELECT starts_at FROM stock_allocations WHERE kind = 'transfer'")).toHaveLength(1);
    expect(await rows("SELECT actor FROM booking_history WHERE event = 'changed'")).toEqual([{ actor: "visitor" }]);
    await enqueueDueBookingMails(openTestTenant(env), Date.now());
    expect(await rows("SELECT count(*) AS n FROM booking_mails WHERE kind = 'changed'")).toEqual([{ n: 1 }]);
  });

  test("drops the hotel's address and the flight of a changed end, unless the change contains new ones", async () => {
    const stated = { detailed_destination_address: "Hotel Mar 1", flight_number: "VY1234", number_of_bags: 2 };
    id = await bookTransfer({}, "1", stated);
    const readData = async () =>
      JSON.parse(
        String((await rows("SELECT contract_data FROM bookings WHERE kind = 'transfer'"))[0]?.["contract_data"]),
      );
    expect(await readData()).toMatchObject({ ...stated, number_of_bags: "2" });
    expect((await sendAsCustomer("change", { destination_point_id: 5 })).status).toBe(200);
    expect(await readData()).toEqual({ flight_number: "VY1234", number_of_bags: "2" });
    const next = { origin_point_id: 3, destination_point_id: 2, detailed_destination_address: "Mar 7, room 4" };
    expect((await sendAsCustomer("change", next)).status).toBe(200);
    expect(await readData()).toEqual({ detailed_destination_address: "Mar 7, room 4", number_of_bags: "2" });
    expect(await refused({ flight_time: "noon" })).toEqual([400, "invalid_input", "flight_time"]);
  });

  test("requests no payment for a cancelled transfer", async () => {
    await transfer();
    await env.TENANT_ACME.prepare("UPDATE bookings SET total_paid_cents = 1000 WHERE kind = 'transfer'").run();
    expect((await sendAsCustomer("cancel", {})).status).toBe(200);
    const read = await requestWorker(`${SITE}/api/booking-transfer/frontend/reservation/${id}`);
    expect(await read.json()).toMatchObject({
      booking: { status: "cancelled", total_cost: "40.00", total_paid: "10.00", total_pending: "-6.00" },
    });
  });

  test("adds a return trip to a transfer, changes its time, and removes it, at the price of each change", async () => {
    await transfer();
    const both = await (await sendAsCustomer("change", { return_date: getBookableDay(3), return_time: "10:00" })).json<{
      booking: { total_cost: string };
    }>();
    expect(both).toMatchObject({ booking: { total_cost: "80.00" }, transfer: { trips: [{}, { origin_point_id: 2 }] } });
    expect(await (await sendAsCustomer("change", { return_time: "23:00" })).json()).toMatchObject({
      booking: { total_cost: "88.00" },
    });
    expect(await (await sendAsCustomer("change", { round_trip: false })).json()).toMatchObject({
      booking: { total_cost: "40.00", version: 4 },
    });
  });

  test("rejects invalid fields of a transfer's change by name in quote and change, and keeps the transfer unchanged", async () => {
    const rental = id;
    await transfer();
    expect(await refused({ date: "2020-01-01" })).toEqual([400, "invalid_input", "date"]);
    expect(await refused({ origin_point_id: 77 })).toEqual([400, "invalid_input", "origin_point_id"]);
    expect(await refused({ destination_point_id: 3 })).toEqual([400, "invalid_input", "destination_point_id"]);
    expect(await refused({ number_of_adults: 4 })).toEqual([400, "invalid_input", "number_of_adults"]);
    expect(await (await sendAsCustomer("quote", { move: "change", number_of_adults: 4 })).json()).toMatchObject({
      problems: [{ field: "number_of_adults", code: "no_seats" }],
    });
    expect(await refused({ number_of_adults: 0 })).toEqual([400, "invalid_input", "number_of_adults"]);
    expect(await refused({ return_time: "10:00" })).toEqual([400, "invalid_input", "return_date"]);
    expect(await refused({ return_date: getBookableDay(0), return_time: "09:50" })).toEqual([
      400,
      "invalid_input",
      "return_date",
    ]);
    expect(await refused({ date_from: getBookableDay(2) })).toEqual([400, "invalid_input", "date"]);
    const rentalResponse = await sendAsCustomer("change", { date: getBookableDay(2) }, rental);
    expect([rentalResponse.status, await rentalResponse.json()]).toMatchObject([
      400,
      { detail: [expect.stringContaining("date")] },
    ]);
  });

  test("rejects another time for a transfer as sold out if it overlaps another customer's trip, in quote and change", async () => {
    await bookTransfer({ time: "12:00" });
    await transfer();
    expect(await refused({ time: "12:30" })).toEqual([409, "sold_out", undefined]);
    expect((await sendAsCustomer("change", { time: "14:00" })).status).toBe(200);
  });

  // Proves "check-in.md: trips for drivers": A customer's trip that departed stays as it is
  test("rejects changes of a trip that has departed, but allows changes of its return trip", async () => {
    await transfer({ ...ROUND_TRIP_FIELDS });
    const departed = "date = date('now', '-1 days'), time = '00:00', minutes = 1439";
    await env.TENANT_ACME.exec(`UPDATE transfer_trips SET ${departed} WHERE position = 1`);
    expect(await refused({ date: getBookableDay(1) })).toEqual([400, "invalid_input", "date"]);
    expect((await sendAsCustomer("change", { return_time: "12:00" })).status).toBe(200);
  });

  test("rejects a customer's changes of a transfer if the account doesn't allow them", async () => {
    await transfer();
    await env.TENANT_ACME.prepare("UPDATE settings SET customer_changes_allowed = 0").run();
    await openTestTenant(env).freshSnapshot();
    expect((await sendAsCustomer("change", { time: "10:00" })).status).toBe(403);
  });

  test("moves only one of several transfers to the same hour of the only vehicle, if all change at once", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push(await bookTransfer({ date: toFormDate(index) }));
    const answers = await Promise.all(ids.map((id) => sendAsCustomer("change", { date: getBookableDay(20) }, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });
});

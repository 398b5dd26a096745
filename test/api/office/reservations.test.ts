import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { cancelBookingAsAgency, createAgencyReservationBody, getBookableDay, postAsAgency } from "#support/agency.ts";
import { sendCheckInOperation } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, callApi, createToken, PASSWORD_HASH } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";

const CREATED = 1_700_000_000_000;
const tokens = { operator: "", agent: "", manager: "", boss: "", isle: "" };

beforeEach(async () => {
  await setUpCompany();
  const db = await addTestUsers();
  await db.batch([
    db
      .prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, customer_id, all_branches, language, created_at, last_update) VALUES
        (4, 'staff', 'agent', 'agent@example.com', 'Aina Agent', ?1, 'agent', NULL, 1, NULL, ${CREATED}, ${CREATED}),
        (5, 'staff', 'manager', 'manager@example.com', 'Max Manager', ?1, 'manager', NULL, 1, NULL, ${CREATED}, ${CREATED}),
        (6, 'staff', 'isle', 'isle@example.com', 'Iris Isle', ?1, 'agent', NULL, 0, NULL, ${CREATED}, ${CREATED})`)
      .bind(PASSWORD_HASH),
    db.prepare("INSERT INTO user_branches VALUES (6, 'ISLE')"),
    db.prepare(`INSERT INTO cancellation_terms (occasion, sales_channel_code, hours_before, fee_type, fee_value) VALUES
      ('cancellation', NULL, 48, 'days', 1), ('cancellation', 'AGENCY', 72, 'percentage', 5000), ('no_show', NULL, NULL, 'percentage', 10000)`),
  ]);
  for (const [name, user] of Object.entries({
    operator: "desk",
    agent: "agent",
    manager: "manager",
    boss: "boss",
    isle: "isle",
  }))
    tokens[name as keyof typeof tokens] = await createToken(user);
});

const createBody = (changes: Readonly<Record<string, unknown>> = {}) => ({
  date_from: getBookableDay(0),
  time_from: "10:00",
  date_to: getBookableDay(3),
  time_to: "10:00",
  pickup_place: 1,
  return_place: 1,
  category_code: "A",
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
  ...changes,
});

const create = (changes: Readonly<Record<string, unknown>> = {}, token = tokens.agent) =>
  readReservationAnswer(callOffice("POST", "/reservations", { token, body: createBody(changes) }));
const performAction = (
  current: ReservationAnswer,
  name: string,
  body: Readonly<Record<string, unknown>> = {},
  token = tokens.agent,
) =>
  callOffice("POST", `/reservations/${current.reservation.id}/${name}`, {
    token,
    body: { expected_version: current.reservation.version, ...body },
  });
const bea = { name: "Bea", surname: "Roig", document_id: "41.000.017-Z", email: "bea@example.com" };
const customers = async (method: string, path: string, body: Readonly<Record<string, unknown>>) => {
  const answer = await callOffice(method, `/customers${path}`, { token: tokens.manager, body });
  expect(answer.ok).toBe(true);
  return answer.json<{ customer: { id: number } }>();
};
const change = (current: ReservationAnswer, body: Readonly<Record<string, unknown>>, token = tokens.agent) =>
  callOffice("PATCH", `/reservations/${current.reservation.id}`, {
    token,
    body: { expected_version: current.reservation.version, ...body },
  });
const quote = async (current: ReservationAnswer, body: Readonly<Record<string, unknown>>, token = tokens.agent) =>
  (await callOffice("POST", `/reservations/${current.reservation.id}/quote`, { token, body })).json<
    Record<string, unknown>
  >();
const lineUnits = (lines: unknown) => {
  const units: Record<string, number> = {};
  for (const { item_id, quantity } of lines as readonly { item_id: string; quantity: number }[])
    units[item_id] = (units[item_id] ?? 0) + quantity;
  return units;
};
const readAllocations = async () =>
  (
    await env.TENANT_ACME.prepare(
      "SELECT kind, code, sum(quantity) AS units FROM stock_allocations GROUP BY kind, code ORDER BY kind, code",
    ).all()
  ).results;

describe("a reservation made by staff", () => {
  // Proves "agency.md: operations": Staff are warned and may override notice, horizon and closing; other rules need a
  //   manager's reason
  // Proves "rules.md: sales and payments": Staff are warned, and override a stop-sale only with a manager's reason:
  //   creating
  test("overrides a stop-sale only for a manager with a recorded reason, and shows staff the notice period", async () => {
    await env.TENANT_ACME.prepare(
      "INSERT INTO selling_rules (category_code, stop_sale_from, stop_sale_to, minimum_notice_minutes) VALUES ('A', ?, ?, 1000000)",
    )
      .bind(getBookableDay(0), getBookableDay(1))
      .run();
    const quoted = await (
      await callOffice("POST", "/reservations/quote", { token: tokens.agent, body: createBody() })
    ).json<{
      available: boolean;
      warnings: string[];
    }>();
    expect(quoted).toMatchObject({
      available: false,
      warnings: [
        { code: "minimum_notice", message: expect.stringContaining("minutes before the pickup") },
        { code: "stop_sale", message: expect.stringContaining("is not sold") },
      ],
    });
    const createAndReadStatus = async (token: string, changes = {}) =>
      (await callOffice("POST", "/reservations", { token, body: createBody(changes) })).status;
    expect(await createAndReadStatus(tokens.manager)).toBe(400);
    expect(await createAndReadStatus(tokens.agent, { rule_reason: "A friend" })).toBe(403);
    const managerReservation = await create({ rule_reason: "A friend of the house" }, tokens.manager);
    expect(JSON.stringify(managerReservation.history)).toContain("A friend of the house");
    expect(
      (await callOffice("POST", "/reservations", { token: tokens.agent, body: createBody({ category_code: "B" }) }))
        .status,
    ).toBe(201);
  });

  // Proves "rules.md: sales and payments": … nor past the account's shortest rental
  test("allows a rental shorter than the minimum length only by a manager with a reason", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET minimum_days = 5").run();
    const quoted = await callOffice("POST", "/reservations/quote", { token: tokens.agent, body: createBody() });
    expect(await quoted.json()).toMatchObject({
      available: false,
      warnings: [{ code: "minimum_days", params: { days: 5 }, message: "the shortest rental is 5 days" }],
      quote: { total_cost: "95.00" },
    });
    const createAndReadAnswer = async (token: string, changes = {}) => {
      const answer = await callOffice("POST", "/reservations", { token, body: createBody(changes) });
      return [answer.status, await answer.text()];
    };
    expect(await createAndReadAnswer(tokens.manager)).toEqual([
      400,
      expect.stringContaining("the shortest rental is 5 days"),
    ]);
    expect(await createAndReadAnswer(tokens.agent, { rule_reason: "A friend" })).toEqual([403, expect.any(String)]);
    const managerReservation = await create({ rule_reason: "Between two ferries" }, tokens.manager);
    expect(JSON.stringify(managerReservation.history)).toContain("Between two ferries");
    const longer = await readReservationAnswer(change(managerReservation, { date_to: getBookableDay(5) }));
    expect((await change(longer, { date_to: getBookableDay(4) })).status).toBe(400);
    const agency = await postAsAgency("/booking", createAgencyReservationBody());
    expect([agency.status, await agency.text()]).toEqual([
      400,
      expect.stringContaining("the shortest rental is 5 days"),
    ]);
  });

  // Proves "office.md": A reservation costs what it was quoted and takes its units
  // Proves "rentals.md": M2
  test("creates a reservation at the quoted price, occupies its units, and returns it with its actions and history", async () => {
    const requestedOptions = { extras: [{ code: "SEAT", quantity: 2 }], driver_age: 22 };
    const quoted = await (
      await callOffice("POST", "/reservations/quote", { token: tokens.agent, body: createBody(requestedOptions) })
    ).json<{ available: boolean; reasons: unknown[]; quote: Record<string, string> }>();
    expect(quoted).toMatchObject({ available: true, reasons: [] });
    const managerReservation = await create(requestedOptions);
    expect(managerReservation.reservation).toMatchObject({
      status: "confirmed",
      version: 1,
      total_cost: quoted.quote["total_cost"],
      item_cost: "90.00",
      driver_age_cost: "30.00",
      allowed: ["change", "assign", "cancel", "deliver"],
      customer_fullname: "Ana Ruiz",
    });
    expect(managerReservation.history).toMatchObject([{ who: "Aina Agent", move: "created" }]);
    expect(await readAllocations()).toEqual([
      { kind: "category", code: "A", units: 1 },
      { kind: "extra", code: "SEAT", units: 2 },
    ]);
  });

  // Proves "office.md": The same key of the same user is done once; with another body it is 422, without it 400
  test("creates a reservation once per idempotency key despite parallel calls, and returns 422 for another body, 400 without a key", async () => {
    const send = (body: unknown) => callOffice("POST", "/reservations", { token: tokens.agent, key: "once", body });
    const answers = await Promise.all(Array.from({ length: 10 }, () => readReservationAnswer(send(createBody()))));
    expect(new Set(answers.map(({ reservation }) => reservation.id)).size).toBe(1);
    expect((await send(createBody({ date_to: getBookableDay(4) }))).status).toBe(422);
    const withoutKey = await requestWorker("http://acme.localhost:8787/api/v1/office/reservations", {
      method: "POST",
      headers: { Authorization: tokens.agent, "Content-Type": "application/json" },
      body: JSON.stringify(createBody()),
    });
    expect(withoutKey.status).toBe(400);
    const db = env.TENANT_ACME;
    expect(await db.prepare("SELECT count(*) AS count FROM bookings").first()).toEqual({ count: 1 });
  });

  // Proves "office.md": … also if the first one booked the last vehicle
  test("returns one reservation to parallel calls under one key that book all stock, and none is answered sold out", async () => {
    const body = createBody({ quantity: 3 });
    const send = () => callOffice("POST", "/reservations", { token: tokens.agent, key: "all", body });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    const reservations = await Promise.all(answers.map((answer) => answer.json<ReservationAnswer>()));
    expect(new Set(reservations.map(({ reservation }) => reservation.id)).size).toBe(1);
    expect(await readAllocations()).toEqual([{ kind: "category", code: "A", units: 3 }]);
  });

  // Proves "office.md": A repetition during the first request gets its result
  test("applies an action once per idempotency key despite parallel calls, and rejects the same action under another key", async () => {
    const pendingReservation = await create({ status: "pending_confirmation" });
    const { id, version } = pendingReservation.reservation;
    const requestedOptions = { token: tokens.agent, key: "confirms", body: { expected_version: version } };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callOffice("POST", `/reservations/${id}/confirm`, requestedOptions)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const other = await callOffice("POST", `/reservations/${id}/confirm`, { ...requestedOptions, key: "confirms too" });
    expect([other.status, await other.json()]).toMatchObject([409, { code: "changed_meanwhile" }]);
    const { reservation, history } = await read(pendingReservation);
    expect([reservation.version, history.map(({ move: name }) => name)]).toEqual([
      version + 1,
      ["confirmed", "created"],
    ]);
  });

  // Proves "rules.md: the life of a contract": confirm ends the hold; again it is refused with the rule and the state
  test("creates a pending reservation with a hold, and confirms it once", async () => {
    const pendingReservation = await create({ status: "pending_confirmation" });
    expect(pendingReservation.reservation).toMatchObject({
      status: "pending_confirmation",
      hold_until: expect.any(String),
    });
    const confirmed = await readReservationAnswer(performAction(pendingReservation, "confirm"));
    expect(confirmed.reservation).toMatchObject({ status: "confirmed", hold_until: null, version: 2 });
    const again = await performAction(confirmed, "confirm");
    expect([again.status, await again.json()]).toMatchObject([409, { code: "action_not_allowed" }]);
  });

  // Proves "office.md": price_override: every sum stays the sum of its parts
  // Proves "rules.md: the life of a contract": Another price needs a right and a reason; the difference is kept
  test("limits a custom price by the user's permission, and splits it into parts that add up to it", async () => {
    const lower = (total_cost: string) => ({ quantity: 2, price_override: { total_cost, reason: "Good customer" } });
    const refusedToAgent = await callOffice("POST", "/reservations", {
      token: tokens.agent,
      body: createBody(lower("50.01")),
    });
    expect([refusedToAgent.status, await refusedToAgent.json()]).toMatchObject([
      403,
      { code: "discount_limit_exceeded" },
    ]);
    const managerReservation = await create(lower("50.01"), tokens.manager);
    expect(managerReservation.reservation).toMatchObject({
      total_cost: "50.01",
      item_cost: "40.01",
      category_supplement_1_cost: "10.00",
      price_difference: "-139.99",
      price_reason: "Good customer",
    });
    const tooLow = await callOffice("POST", "/reservations", {
      token: tokens.manager,
      body: createBody(lower("9.99")),
    });
    expect([tooLow.status, await tooLow.json()]).toMatchObject([
      400,
      { detail: [{ field: "price_override.total_cost" }] },
    ]);
  });

  // Proves "office.md": A refusal names the missing right, and other branches' reservations can't be created
  // Proves "rentals.md": M4
  test("rejects new reservations by callers without permission, and reservations without availability", async () => {
    for (const [token, status, code] of [
      [tokens.isle, 403, "branch_forbidden"],
      ["", 401, "not_signed_in"],
    ] as const) {
      const answer = await callOffice("POST", "/reservations", { token, body: createBody() });
      expect([answer.status, await answer.json()]).toMatchObject([status, { code }]);
    }
    const denied = await callOffice("POST", "/reservations", { token: tokens.operator, body: createBody() });
    expect([denied.status, await denied.json()]).toMatchObject([
      403,
      { code: "permission_denied", detail: [{ field: "right", message: expect.stringContaining("sell") }] },
    ]);
    const many = await callOffice("POST", "/reservations", { token: tokens.agent, body: createBody({ quantity: 4 }) });
    expect([many.status, await many.json()]).toMatchObject([409, { code: "sold_out" }]);
    expect(await readAllocations()).toEqual([]);
  });
});

describe("a change", () => {
  // Proves "rules.md: the life of a contract": Changed parts use the current catalogue, unchanged parts keep their
  //   price
  // Proves "rentals.md": M3
  test("prices the changed parts of a reservation and keeps the agreed price of the others", async () => {
    const managerReservation = await create({ extras: [{ code: "GPS" }], pickup_place: 2, return_place: 2 });
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE extras SET price_cents = 9900 WHERE code = 'GPS'"),
      env.TENANT_ACME.prepare("UPDATE pickup_places SET price_cents = 7700 WHERE id = 2"),
    ]);
    const longer = { date_to: getBookableDay(7) };
    const quoted = await quote(managerReservation, { move: "change", ...longer });
    // Seven days at 25.00 instead of three at 30.00. The navigator and place stay as agreed.
    expect(quoted).toMatchObject({ allowed: true, difference: "85.00" });
    const changed = await readReservationAnswer(change(managerReservation, longer));
    expect(changed.reservation).toMatchObject({
      version: 2,
      days: 7,
      item_cost: "175.00",
      extras_cost: "15.00",
      pickup_place_cost: "15.00",
      return_place_cost: "15.00",
    });
    expect(changed.history[0]).toMatchObject({
      move: "changed",
      before: { date_to: getBookableDay(3) },
      after: { date_to: getBookableDay(7) },
    });
  });

  // Proves "rules.md: the life of a contract": A change moves category, units and extras with their stock
  test("changes category, units and extras of a reservation together with its stock", async () => {
    const managerReservation = await create({ extras: [{ code: "SEAT", quantity: 1 }] });
    const other = await readReservationAnswer(
      change(managerReservation, { category_code: "B", extras: [{ code: "SEAT", quantity: 3 }, { code: "GPS" }] }),
    );
    expect(other.reservation).toMatchObject({ item_cost: "180.00", extras_cost: "51.00" });
    expect(await readAllocations()).toEqual([
      { kind: "category", code: "B", units: 1 },
      { kind: "extra", code: "GPS", units: 1 },
      { kind: "extra", code: "SEAT", units: 3 },
    ]);
    const back = await readReservationAnswer(change(other, { category_code: "A", quantity: 3, extras: [] }));
    expect(back.reservation.units).toHaveLength(3);
    const fewer = await readReservationAnswer(change(back, { quantity: 1 }));
    expect(fewer.reservation).toMatchObject({ units: [{ reference: null }], item_cost: "90.00" });
    expect(await readAllocations()).toEqual([{ kind: "category", code: "A", units: 1 }]);
  });

  // Proves "rules.md: the life of a contract": A change that would take more than there is changes nothing
  // Proves "rentals.md": S4
  test("rejects a change that needs unavailable stock, and changes nothing", async () => {
    const managerReservation = await create({ category_code: "C" });
    const later = await create({ category_code: "C", date_from: getBookableDay(5), date_to: getBookableDay(8) });
    expect(await quote(managerReservation, { move: "change", date_to: getBookableDay(6) })).toMatchObject({
      allowed: false,
      reasons: [{ code: "sold_out" }],
    });
    const refused = await change(managerReservation, { date_to: getBookableDay(6) });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "sold_out" }]);
    expect(
      await readReservationAnswer(
        callOffice("GET", `/reservations/${managerReservation.reservation.id}`, { token: tokens.agent }),
      ),
    ).toEqual(managerReservation);
    expect((await change(later, { date_to: getBookableDay(9) })).status).toBe(200);
  });

  // Proves "office.md: the vehicles of a contract": A contract keeps its units if there are fewer now, also in quotes
  test("lets a changed reservation keep its own units and extras despite reduced stock, also in the quote", async () => {
    const managerReservation = await create({ category_code: "C", extras: [{ code: "SEAT", quantity: 1 }] });
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(
        "INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('C-1', 'workshop', unixepoch(?) / 60, unixepoch(?) / 60)",
      ).bind(getBookableDay(1), getBookableDay(2)),
      env.TENANT_ACME.prepare("UPDATE extra_stocks SET units = 0 WHERE extra_code = 'SEAT'"),
    ]);
    const seat = { code: "SEAT", quantity: 1 };
    const changes = [
      [{ date_to: getBookableDay(4) }, false],
      [{ extras: [{ ...seat, quantity: 2 }] }, false],
      [{ quantity: 2 }, false],
      [{ date_from: getLaterDay(89) }, false],
      [{ extras: [seat, { code: "GPS" }] }, true],
      [{ date_to: getBookableDay(4), extras: [] }, true],
    ] as const;
    let now = managerReservation;
    for (const [body, isAllowed] of changes) {
      expect([body, await quote(now, { move: "change", ...body })]).toMatchObject([body, { allowed: isAllowed }]);
      const answer = await change(now, body);
      expect([body, answer.status]).toEqual([body, isAllowed ? 200 : 409]);
      now = await read(now);
    }
  });

  test("records a driver age change with its price in the history", async () => {
    const managerReservation = await create({ driver_age: 40 });
    const young = await readReservationAnswer(change(managerReservation, { driver_age: 22 }));
    expect(young.history[0]).toMatchObject({
      before: { driver_age: 40, total: managerReservation.reservation["total_cost"] },
      after: { driver_age: 22, total: young.reservation["total_cost"] },
    });
  });

  // Proves "office.md": Another version is 409 changed_meanwhile, with the thing as it is now
  // Proves "rentals.md": S1
  test("rejects a change of an outdated reservation version, and returns the current reservation", async () => {
    const managerReservation = await create();
    await readReservationAnswer(change(managerReservation, { notes: "Comes by ferry" }));
    const late = await change(managerReservation, { notes: "Comes by plane" });
    expect([late.status, await late.json()]).toMatchObject([
      409,
      { code: "changed_meanwhile", reservation: { version: 2, notes: "Comes by ferry" } },
    ]);
  });

  test("writes nothing if a change has no differences, stores its response under its key, and rejects an old version", async () => {
    const current = await create({ extras: [{ code: "SEAT", quantity: 1 }], notes: "Comes by ferry" });
    const readStoredState = async () =>
      (await env.TENANT_ACME.prepare(
        "SELECT version, last_update, (SELECT count(*) FROM booking_history) AS entries FROM bookings",
      ).first()) ?? {};
    const before = await readStoredState();
    const customer = { name: "Ana", surname: "Ruiz", email: "ana@example.com", phone: null };
    const same = [
      {},
      { notes: "Comes by ferry", reason: "Said again" },
      { customer, driver: { date_of_birth: null } },
      { date_from: getBookableDay(0), date_to: getBookableDay(3), time_to: "10:00", pickup_place: 1, return_place: 1 },
      { category_code: "A", quantity: 1, promotion_code: "", extras: [{ code: "SEAT", quantity: 1 }] },
    ];
    for (const body of same) {
      const answer = await readReservationAnswer(change(current, body));
      expect([body, answer.reservation, answer.history.length]).toEqual([
        body,
        current.reservation,
        current.history.length,
      ]);
    }
    expect(await readStoredState()).toEqual(before);
    const keyed = (key: string, body: Readonly<Record<string, unknown>>) =>
      callOffice("PATCH", `/reservations/${current.reservation.id}`, { token: tokens.agent, key, body });
    const nothing = { expected_version: current.reservation.version, notes: "Comes by ferry" };
    expect((await keyed("again-1", nothing)).status).toBe(200);
    expect((await keyed("again-1", { ...nothing, notes: "By train" })).status).toBe(422);
    const other = await readReservationAnswer(change(current, { notes: "By train" }));
    expect(other.reservation.version).toBe(current.reservation.version + 1);
    expect((await keyed("again-1", nothing)).status).toBe(200);
    expect((await keyed("again-2", nothing)).status).toBe(409);
    const none = await readReservationAnswer(change(other, { customer: { phone: "+34 600 111 222" }, extras: [] }));
    expect(none.reservation).toMatchObject({ version: other.reservation.version + 1, extras_cost: "0.00" });
  });

  test("keeps line breaks in a note and replaces them in a reason by spaces, instead of rejecting them", async () => {
    const managerReservation = await create({ rule_reason: "A friend\r\nof the house" }, tokens.manager);
    expect(JSON.stringify(managerReservation.history)).toContain('"A friend of the house"');
    const noted = await readReservationAnswer(
      change(managerReservation, { notes: " Two surfboards\r\n\nComes by ferry\n" }),
    );
    expect(noted.reservation).toMatchObject({ notes: "Two surfboards\n\nComes by ferry" });
    const invalidNote = await change(noted, { notes: "A bell \u0007" });
    expect([invalidNote.status, await invalidNote.json()]).toMatchObject([400, { detail: [{ field: "notes" }] }]);
  });

  test("validates the driver's dates and rejects a birth in the future", async () => {
    const managerReservation = await create({});
    for (const driver of [
      { date_of_birth: "2199-01-01" },
      { date_of_birth: "in May" },
      { driving_license_date: "31/02/2020" },
    ]) {
      const refused = await change(managerReservation, { driver });
      const [[field]] = Object.entries(driver) as [[string, string]];
      expect([refused.status, await refused.json()]).toMatchObject([400, { detail: [{ field: `driver.${field}` }] }]);
    }
    const { status } = await change(managerReservation, {
      driver: { date_of_birth: "1990-05-17", driving_license_date: "2010-01-31" },
    });
    expect(status).toBe(200);
  });

  // Proves "rules.md: sales and payments": Optional values of a contract are cleared by `null`
  test("clears optional fields of a contract by null, and keeps required ones", async () => {
    const address = { street: "Carrer Nou", city: "Inca" };
    const managerReservation = await create({
      notes: "By ferry",
      customer: { name: "Ana", surname: "Ruiz", email: "wrong@example.com", phone: "600", document_id: "X1", address },
    });
    const driven = await readReservationAnswer(
      change(managerReservation, { driver: { name: "Pep", surname: "Pons" } }),
    );
    const nothing = { email: null, phone: null, document_id: null, address: { street: null } };
    const emptied = await readReservationAnswer(
      change(driven, { notes: null, customer: nothing, driver: { name: null, date_of_birth: null } }),
    );
    expect(emptied.reservation).toMatchObject({ notes: null, customer_email: null, customer_phone: null });
    const storedBooking = await env.TENANT_ACME.prepare(
      "SELECT customer_name, customer_email, customer_document_id, comments, contract_data FROM bookings WHERE id = ?",
    )
      .bind(managerReservation.reservation.id)
      .first();
    expect(storedBooking).toEqual({
      customer_name: "Ana",
      customer_email: null,
      customer_document_id: null,
      comments: null,
      contract_data: '{"customer_address_city":"Inca","driver_surname":"Pons"}',
    });
    expect((await change(emptied, { customer: { name: null } })).status).toBe(400);
  });

  // Proves "rules.md: the life of a contract": The category and the number of units are those of the contract's first
  //   product
  test("applies a new unit count or category to all units, even with a divided custom price", async () => {
    const lower = { quantity: 2, price_override: { total_cost: "50.01", reason: "Good customer" } };
    const managerReservation = await create(lower, tokens.manager);
    const listUnits = ({ reservation }: ReservationAnswer) =>
      [reservation["item_cost"], lineUnits(reservation["reservation_lines"])] as const;
    expect(listUnits(managerReservation)).toEqual(["40.01", { A: 2 }]);
    const fewer = await readReservationAnswer(change(managerReservation, { quantity: 1 }));
    expect(listUnits(fewer)).toEqual(["20.00", { A: 1 }]);
    const more = await readReservationAnswer(
      change(await create(lower, tokens.manager), { quantity: 2, notes: "As it was" }),
    );
    expect(listUnits(more)).toEqual(["40.01", { A: 2 }]);
    const other = await readReservationAnswer(change(more, { category_code: "B", quantity: 1 }));
    expect(listUnits(other)).toEqual([expect.any(String), { B: 1 }]);
  });

  // Proves "rules.md: the life of a contract": By id only in the user's branches; otherwise found by own data
  test("rejects the ID of another branch's customer, but accepts data that matches this customer", async () => {
    const { customer: known } = await customers("POST", "", { ...bea, rental_location_code: "AIR" });
    const islandRental = { pickup_place: 3, return_place: 3, category_code: "B" };
    const own = await create(islandRental, tokens.isle);
    const body = createBody({ ...islandRental, customer: { id: known.id } });
    for (const answer of [
      await callOffice("POST", "/reservations", { token: tokens.isle, body }),
      await change(own, { customer: { id: known.id } }, tokens.isle),
    ]) {
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: "customer_not_found" }]);
    }
    const changedReservation = await readReservationAnswer(change(own, { customer: bea }, tokens.isle));
    expect(changedReservation.reservation).toMatchObject({ customer_fullname: "Bea Roig" });
    const islandReservation = await create(
      { ...islandRental, date_from: getBookableDay(5), date_to: getBookableDay(6), customer: bea },
      tokens.isle,
    );
    expect(islandReservation.reservation).toMatchObject({ customer_id: known.id });
    expect((await change(islandReservation, { customer: { id: known.id } }, tokens.isle)).status).toBe(200);
  });

  // Proves "rules.md: the life of a contract": A customer id sets the data of its record; an erased customer doesn't
  //   exist
  test("uses a known customer's stored data, and rejects an unknown or erased customer", async () => {
    const managerReservation = await create();
    const { customer: known } = await customers("POST", "", {
      ...bea,
      phone_number_prefix: "34",
      phone_number: "600111222",
      confirm_new: true,
    });
    const otherCustomer = await readReservationAnswer(
      change(managerReservation, { customer: { id: known.id, email: "bea@work.example" } }),
    );
    expect(otherCustomer.reservation).toMatchObject({
      customer_id: known.id,
      customer_fullname: "Bea Roig",
      customer_email: "bea@work.example",
      customer_phone: "+34 600111222",
      customer_document_id: bea.document_id,
    });
    const unknown = await change(otherCustomer, { customer: { id: 99_999 } });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: "customer_not_found" }]);
    const { customer: removedCustomer } = await customers("POST", "", { name: "Carla", surname: "Mas" });
    await customers("POST", `/${removedCustomer.id}/erase`, { reason: "Asked" });
    expect((await change(otherCustomer, { customer: { id: removedCustomer.id } })).status).toBe(404);
    const booked = await callOffice("POST", "/reservations", {
      token: tokens.agent,
      body: createBody({ customer: { id: removedCustomer.id } }),
    });
    expect(booked.status).toBe(404);
  });

  // Proves "rules.md: the life of a contract": a merged customer is the remaining one
  test("uses the remaining customer if the customer was merged in the meantime", async () => {
    const { customer: removedCustomer } = await customers("POST", "", { name: "Bea", surname: "R." });
    const { customer: stays } = await customers("POST", "", bea);
    await customers("POST", `/${removedCustomer.id}/merge`, { into: stays.id, reason: "One person" });
    const managerReservation = await create({ customer: { id: removedCustomer.id } });
    expect(managerReservation.reservation).toMatchObject({ customer_id: stays.id, customer_fullname: "Bea Roig" });
    const other = await create({ category_code: "B" });
    const changed = await readReservationAnswer(change(other, { customer: { id: removedCustomer.id } }));
    expect(changed.reservation).toMatchObject({ customer_id: stays.id, customer_fullname: "Bea Roig" });
  });

  // Proves "rules.md: the life of a contract": A new phone number doesn't get the old country code
  test("replaces the previous country prefix when a new phone number is entered", async () => {
    const managerReservation = await create();
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET customer_phone_prefix = '44', customer_phone = '7029467497'",
    ).run();
    const changed = await readReservationAnswer(change(managerReservation, { customer: { phone: "+34 600 111 222" } }));
    expect(changed.reservation).toMatchObject({ customer_phone: "+34 600 111 222" });
  });

  // Proves "rules.md: the life of a contract": An empty promotion code takes it off
  // Proves "rentals.md": 12c
  test("removes the promotion code if a change of a reservation sends an empty one", async () => {
    const managerReservation = await create();
    const cheaper = await readReservationAnswer(change(managerReservation, { promotion_code: "WELCOME10" }));
    expect(cheaper.reservation).toMatchObject({ item_cost: "81.00", promotion_code: "WELCOME10" });
    const dearer = await readReservationAnswer(change(cheaper, { promotion_code: "" }));
    expect(dearer.reservation).toMatchObject({ item_cost: "90.00", promotion_code: null });
    const unknown = await change(dearer, { promotion_code: "NOSUCH" });
    expect([unknown.status, await unknown.json()]).toMatchObject([400, { detail: [{ field: "promotion_code" }] }]);
  });

  test("recognizes a promotion code in any letter case, keeps the agreed price, and stores the account's spelling", async () => {
    const managerReservation = await create({ promotion_code: "welcome10" });
    expect(managerReservation.reservation).toMatchObject({ item_cost: "81.00", promotion_code: "WELCOME10" });
    await env.TENANT_ACME.exec("UPDATE bookings SET promotion_code = 'welcome10'");
    await env.TENANT_ACME.exec("UPDATE promotion_codes SET value = 500");
    const storedBooking = await readReservationAnswer(
      change(managerReservation, { promotion_code: "Welcome10", extras: [{ code: "GPS" }] }),
    );
    expect(storedBooking.reservation).toMatchObject({ item_cost: "81.00", promotion_code: "WELCOME10" });
  });

  test("names all unknown places, categories and extras of a new reservation at once", async () => {
    const unknown = { pickup_place: 998, return_place: 999, category_code: "NONE", extras: [{ code: "NONE" }] };
    const refused = await callOffice("POST", "/reservations", { token: tokens.boss, body: createBody(unknown) });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      {
        detail: [
          { field: "pickup_place", code: "no_pickup_place" },
          { field: "return_place", code: "no_return_place" },
          { field: "category_code", code: "no_product" },
          { field: "extras", code: "no_extra" },
        ],
      },
    ]);
  });

  test("names the field of every number or text that exceeds its limit", async () => {
    const requestedOptions = {
      driver_age: 131,
      extras: [{ code: "SEAT", quantity: 1000 }],
      promotion_code: "X".repeat(31),
    };
    const refused = await change(await create(), requestedOptions);
    expect(await refused.json()).toMatchObject({
      detail: [
        { field: "extras.0.quantity", message: "must be at most 999" },
        { field: "promotion_code", message: "must have at most 30 characters" },
        { field: "driver_age", message: "must be at most 130" },
      ],
    });
  });

  // Proves "rules.md: the life of a contract": A promotion code without effect is removed, and the quote shows why
  test("drops a promotion code without effect, with the reason, and keeps it if prices aren't recalculated", async () => {
    await env.TENANT_ACME.prepare(
      "INSERT INTO promotion_codes (code, discount_type, value, category_code) VALUES ('ONLYA', 'percentage', 1000, 'A')",
    ).run();
    const managerReservation = await create({ promotion_code: "ONLYA" });
    expect(await quote(managerReservation, { move: "change", category_code: "B" })).toMatchObject({
      allowed: true,
      warnings: [{ code: "promotion_product", params: { code: "ONLYA", product: "A" } }],
    });
    const other = await readReservationAnswer(change(managerReservation, { category_code: "B" }));
    expect(other.reservation).toMatchObject({ promotion_code: null, item_cost: "180.00" });
    expect(other.history[0]).toMatchObject({ before: { promotion_code: "ONLYA" }, after: { promotion_code: null } });
    const lowered = await create({ promotion_code: "WELCOME10" });
    await env.TENANT_ACME.prepare("UPDATE promotion_codes SET booking_to = '2020-01-01'").run();
    const storedBooking = await readReservationAnswer(change(lowered, { extras: [{ code: "GPS" }], quantity: 2 }));
    expect(storedBooking.reservation).toMatchObject({ promotion_code: "WELCOME10", item_cost: "162.00" });
    const longer = await readReservationAnswer(change(storedBooking, { date_to: getBookableDay(4) }));
    expect(longer.reservation).toMatchObject({ promotion_code: null, item_cost: "240.00" });
  });

  // Proves "rules.md: the life of a contract": Unchanged parts aren't checked again
  test.each([
    ["the account's grace period", "UPDATE settings SET grace_minutes = 30"],
    ["the account's minimum rental length", "UPDATE settings SET minimum_days = 5"],
    ["the account's maximum rental length", "UPDATE settings SET maximum_days = 2"],
    ["the accepted driver's age", "UPDATE driver_age_rules SET allowed = 0, cost_cents = 9900"],
    ["a pickup place", "UPDATE pickup_places SET is_pickup = 0, is_return = 0 WHERE id = 1"],
    [
      "the return places of a pickup place",
      "DELETE FROM return_places WHERE pickup_place_id = 1 AND return_place_id = 1",
    ],
  ])("doesn't check a reservation's unchanged terms again, although %s has changed since", async (_name, sql) => {
    const managerReservation = await create({ time_to: "11:30", driver_age: 22 });
    await env.TENANT_ACME.prepare(sql).run();
    const changed = await readReservationAnswer(change(managerReservation, { extras: [{ code: "GPS" }], quantity: 2 }));
    expect(changed.reservation).toMatchObject({
      days: 3,
      item_cost: "180.00",
      driver_age_cost: "30.00",
      extras_cost: "15.00",
    });
  });

  // Proves "rules.md: the life of a contract": More units are sold as new ones are
  test("requires a manager's reason to add units of a product that is no longer sold", async () => {
    const managerReservation = await create({ quantity: 2 });
    await env.TENANT_ACME.prepare(
      "INSERT INTO selling_rules (category_code, stop_sale_from, stop_sale_to) VALUES ('A', ?, ?)",
    )
      .bind(getBookableDay(0), getBookableDay(9))
      .run();
    expect((await change(managerReservation, { quantity: 3 }, tokens.manager)).status).toBe(400);
    const fewer = await readReservationAnswer(change(managerReservation, { quantity: 1 }));
    expect((await change(fewer, { quantity: 2, rule_reason: "A friend" })).status).toBe(403);
    expect((await change(fewer, { quantity: 2, rule_reason: "A friend" }, tokens.manager)).status).toBe(200);
  });
});

const pay = async (current: ReservationAnswer, amount: string, kind = "charge") => {
  const body = { request_id: crypto.randomUUID(), kind, amount, payment_method_id: "cash" };
  const paid = await callApi("POST", `/booking/${current.reservation.id}/charges`, { token: tokens.boss, body });
  expect([paid.status, paid.status === 200 ? "" : await paid.text()]).toEqual([200, ""]);
  return read(current);
};
const read = (current: ReservationAnswer, token = tokens.agent) =>
  readReservationAnswer(callOffice("GET", `/reservations/${current.reservation.id}`, { token }));
/** Moves a contract into the past or future. */
const movedBy = async (current: ReservationAnswer, days: number) => {
  const shift = `${days} days`;
  await env.TENANT_ACME.prepare(
    "UPDATE bookings SET date_from = date(date_from, ?1), date_to = date(date_to, ?1) WHERE id = ?2",
  )
    .bind(shift, current.reservation.id)
    .run();
  return read(current);
};
const recordHandOver = async (
  current: ReservationAnswer,
  kind: "delivery" | "collection",
  changes: Readonly<Record<string, unknown>> = {},
) => {
  const [unit] = current.reservation.units;
  const operationResponse = await sendCheckInOperation(tokens.boss, {
    op_id: crypto.randomUUID(),
    device_id: "office-test",
    seq: 1,
    kind,
    booking_id: current.reservation.id,
    resource_id: unit?.id,
    base_version: current.reservation.version,
    recorded_at: new Date().toISOString(),
    clock_offset_ms: 0,
    fuel_eighths: 8,
    ...changes,
  });
  expect(operationResponse.result).toMatchObject({ state: "applied" });
  return read(current);
};

describe("warnings for staff", () => {
  // Proves "rules.md: sales and payments": The same: changing
  test("requires a manager's reason for a change to dates that aren't sold, also in the quote", async () => {
    const managerReservation = await create();
    await env.TENANT_ACME.prepare(
      "INSERT INTO selling_rules (category_code, stop_sale_from, stop_sale_to) VALUES ('A', ?, ?)",
    )
      .bind(getBookableDay(10), getBookableDay(11))
      .run();
    const changedDates = { date_from: getBookableDay(9), date_to: getBookableDay(12) };
    expect(await quote(managerReservation, { move: "change", ...changedDates })).toMatchObject({
      allowed: false,
      reasons: [{ code: "stop_sale", field: "date_from" }],
      warnings: [{ code: "stop_sale", message: expect.stringContaining("is not sold") }],
    });
    expect(
      await quote(managerReservation, { move: "change", ...changedDates, rule_reason: "A regular" }),
    ).toMatchObject({
      allowed: true,
    });
    expect((await change(managerReservation, changedDates)).status).toBe(400);
    expect((await change(managerReservation, { ...changedDates, rule_reason: "A regular" })).status).toBe(403);
    expect((await change(managerReservation, { notes: "Comes by ferry" })).status).toBe(200);
    const now = { reservation: { ...managerReservation.reservation, version: 2 } } as typeof managerReservation;
    const changed = await readReservationAnswer(
      change(now, { ...changedDates, rule_reason: "A regular" }, tokens.manager),
    );
    expect(changed.history[0]).toMatchObject({ move: "changed", reason: "A regular" });
  });

  // Proves "rules.md: sales and payments": Contracts relying on a one-way rental are shown before it's cancelled,
  //   changed or late
  // Proves "rentals.md": M12
  test("warns that contracts rely on a one-way rental's vehicle before that rental is cancelled, moved or delayed", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE settings SET one_way_mode = 'stays'"),
      env.TENANT_ACME.prepare("INSERT INTO return_places VALUES (1, 3)"),
    ]);
    const transferReservation = await create({ return_place: 3 });
    expect(await quote(transferReservation, { move: "cancel" })).toMatchObject({ allowed: true, warnings: [] });
    const relying = await create({
      pickup_place: 3,
      return_place: 3,
      date_from: getBookableDay(5),
      date_to: getBookableDay(6),
    });
    const relied = [{ code: "relied_on", params: { category: "A" } }];
    expect(await quote(transferReservation, { move: "cancel" })).toMatchObject({ allowed: true, warnings: relied });
    expect(await quote(transferReservation, { move: "change", return_place: 1 })).toMatchObject({ warnings: relied });
    expect(await quote(transferReservation, { move: "change", date_to: getBookableDay(7) })).toMatchObject({
      warnings: relied,
    });
    expect(await quote(transferReservation, { move: "change", date_to: getBookableDay(4) })).toMatchObject({
      warnings: [],
    });
    expect((await performAction(relying, "cancel", { reason: "Stays at home" })).status).toBe(200);
    expect(await quote(transferReservation, { move: "cancel" })).toMatchObject({ warnings: [] });
    await create({ pickup_place: 3, return_place: 3, date_from: getBookableDay(5), date_to: getBookableDay(6) });
    expect((await performAction(transferReservation, "cancel", { reason: "Ill" })).status).toBe(200);
    const attentionResponse = await callOffice("GET", "/attention", { token: tokens.agent });
    expect((await attentionResponse.json<{ counts: unknown }>()).counts).toEqual({ shortage: 1 });
  });
});

describe("a cancellation", () => {
  // Proves "rules.md: the life of a contract": A cancellation costs what the terms set; the rest is to be refunded
  // Proves "rentals.md": D4
  test("charges the cancellation fee by the terms, releases the reservation's units and shows the refund", async () => {
    const managerReservation = await pay(await create(), "95.00");
    expect(await quote(managerReservation, { move: "cancel" })).toMatchObject({
      fee: "0.00",
      to_refund: "95.00",
      allowed: true,
      documents: [],
    });
    const near = await movedBy(managerReservation, -89);
    expect(await quote(near, { move: "cancel" })).toMatchObject({
      fee: "30.00",
      to_refund: "65.00",
      documents: [{ document_kind: "simplified", total: "30.00", items: [{ total: "30.00" }] }],
    });
    const cancelled = await readReservationAnswer(performAction(near, "cancel", { reason: "Ill" }));
    expect(cancelled.reservation).toMatchObject({
      status: "cancelled",
      cancellation_reason: "cancelled",
      cancellation_fee: "30.00",
      to_refund: "65.00",
      allowed: [],
    });
    expect(cancelled.history[0]).toMatchObject({ move: "cancelled", reason: "Ill", who: "Aina Agent" });
    expect(await readAllocations()).toEqual([]);
  });

  // Proves "rules.md: the life of a contract": Terms are those of the booking's own channel; a fee is waived within a
  //   limit
  test("applies the cancellation terms of the booking's channel, and lets a user waive the fee within a limit", async () => {
    const managerReservation = await pay(await create({ sales_channel_code: "AGENCY", quantity: 3 }), "285.00");
    const near = await movedBy(managerReservation, -88);
    expect(await quote(near, { move: "cancel" })).toMatchObject({ fee: "142.50" });
    const refused = await performAction(near, "cancel", { reason: "Ill", fee: "0.00" });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "discount_limit_exceeded" }]);
    const cancelled = await readReservationAnswer(
      performAction(near, "cancel", { reason: "Ill", fee: "0.00" }, tokens.manager),
    );
    expect(cancelled.reservation).toMatchObject({ cancellation_fee: "0.00", to_refund: "285.00" });
  });

  // Proves "rules.md: the life of a contract": An agency cancels until the pickup time, under its terms
  // Proves "rentals.md": D5
  test("rejects an agency's cancellation after pickup time, and charges earlier ones by the channel's terms", async () => {
    const requestedOptions = createAgencyReservationBody({ sales_channel_code: "AGENCY" });
    expect((await postAsAgency("/booking", requestedOptions)).status).toBe(200);
    const reference = String(requestedOptions.reservation["agency_reservation_id"]);
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET date_from = date('now', '-1 day'), date_to = date('now', '+2 days')",
    ).run();
    expect((await cancelBookingAsAgency(reference)).status).toBe(409);
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET date_from = date('now', '+2 days'), date_to = date('now', '+5 days')",
    ).run();
    expect((await cancelBookingAsAgency(reference)).status).toBe(200);
    const storedBooking = await env.TENANT_ACME.prepare(
      "SELECT status, cancellation_fee_cents AS fee FROM bookings",
    ).first();
    expect(storedBooking).toEqual({ status: "cancelled", fee: 4750 });
  });

  // Proves "rules.md: the life of a contract": A no-show only for uncollected bookings, with its own fee
  // Proves "rentals.md": D8
  test("allows a no-show only for a booking that wasn't picked up in time, with its own fee", async () => {
    const managerReservation = await create();
    expect((await performAction(managerReservation, "no-show")).status).toBe(409);
    const missed = await movedBy(managerReservation, -91);
    expect(missed.reservation.allowed).toContain("no-show");
    const cancelled = await readReservationAnswer(performAction(missed, "no-show"));
    expect(cancelled.reservation).toMatchObject({ cancellation_reason: "no_show", cancellation_fee: "95.00" });
  });
});

describe("a contract in progress", () => {
  const out = async (changes: Readonly<Record<string, unknown>> = {}) => {
    const managerReservation = await create({ extras: [{ code: "SEAT", quantity: 1 }], ...changes });
    // Started yesterday and ends the day after tomorrow.
    const startedReservation = await movedBy(managerReservation, -91);
    return recordHandOver(startedReservation, "delivery", { vehicle_reference: "A-1", kilometres: 0 });
  };

  // Proves "rules.md: the life of a contract": Each further day costs what a day of the contract costs
  test("extends a contract at its daily price, subject to availability", async () => {
    const managerReservation = await out();
    const to = { date_to: getLaterDay(4), time_to: "10:00" };
    const requestedOptions = await quote(managerReservation, { move: "extend", ...to });
    expect(requestedOptions).toMatchObject({ allowed: true, difference: "68.00" });
    const extended = await readReservationAnswer(performAction(managerReservation, "extend", to));
    expect(extended.reservation).toMatchObject({
      days: 5,
      item_cost: "150.00",
      extras_cost: "20.00",
      date_to: getLaterDay(4),
    });
    expect(await ledgerCents()).toBe(15_500);
    expect((await performAction(extended, "extend", { date_to: getLaterDay(3), time_to: "10:00" })).status).toBe(400);
    await create({ quantity: 2, date_from: getLaterDay(5), date_to: getLaterDay(8) });
    await create({ quantity: 1, date_from: getLaterDay(7), date_to: getLaterDay(8) });
    const refused = await performAction(extended, "extend", { date_to: getLaterDay(7), time_to: "12:00" });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "sold_out" }]);
  });

  test("warns in the quote of an extension if the vehicle's insurance ends before the return", async () => {
    const managerReservation = await out();
    await env.TENANT_ACME.prepare("UPDATE vehicles SET insured_until = ?, inspection_due = ? WHERE reference = 'A-1'")
      .bind(getLaterDay(3), getLaterDay(4))
      .run();
    const to = (days: number) => ({ date_to: getLaterDay(days), time_to: "10:00" });
    const changedReservation = async (body: Readonly<Record<string, unknown>>) =>
      (await quote(managerReservation, body))["warnings"];
    expect(await changedReservation({ move: "extend", ...to(4) })).toEqual([
      {
        code: "insurance_ends",
        params: { vehicle: "A-1" },
        message: "the insurance of A-1 ends before its return",
      },
    ]);
    expect(await changedReservation({ move: "extend", ...to(3) })).toEqual([]);
    expect(await changedReservation({ move: "change", extras: [{ code: "SEAT", quantity: 1 }] })).toEqual([]);
  });

  test("names in the quote of an extension the reservations that lose the vehicle, and takes it from them", async () => {
    const managerReservation = await out();
    const next = await readReservationAnswer(
      performAction(await create({ date_from: getLaterDay(3), date_to: getLaterDay(5) }), "assign", {
        reference: "A-1",
      }),
    );
    const to = (days: number) => ({ date_to: getLaterDay(days), time_to: "10:00" });
    const [before, after] = [
      await quote(managerReservation, { move: "extend", ...to(3) }),
      await quote(managerReservation, { move: "extend", ...to(4) }),
    ];
    expect(before["warnings"]).toEqual([]);
    const params = { contract: next.reservation.id, date: getLaterDay(3), vehicle: "A-1" };
    expect(after["warnings"]).toMatchObject([{ code: "next_loses_vehicle", params }]);
    await readReservationAnswer(performAction(managerReservation, "extend", to(4)));
    expect((await read(next)).reservation.units).toMatchObject([{ reference: null }]);
  });

  // Proves "office.md: the vehicles of a contract": … kept longer if no later booking needs it, and the quote shows it
  test("extends a contract with a substitute vehicle unless its category is sold out, and shows this in the quote", async () => {
    await env.TENANT_ACME.prepare("DELETE FROM vehicles WHERE reference = 'A-3'").run();
    const managerReservation = await movedBy(await create(), -91);
    const handOverResult = await recordHandOver(managerReservation, "delivery", {
      vehicle_reference: "C-1",
      kilometres: 0,
    });
    await create({ category_code: "C", date_from: getLaterDay(4), date_to: getLaterDay(6) });
    const until = (days: number) => ({ date_to: getLaterDay(days), time_to: "08:00" });
    expect(await quote(handOverResult, { move: "extend", ...until(5) })).toMatchObject({
      allowed: false,
      reasons: [{ code: "sold_out", message: expect.stringContaining("C") }],
    });
    expect((await performAction(handOverResult, "extend", until(5))).status).toBe(409);
    expect(await quote(handOverResult, { move: "extend", ...until(4) })).toMatchObject({ allowed: true });
    expect((await performAction(handOverResult, "extend", until(4))).status).toBe(200);
  });

  // Proves "rules.md: the life of a contract": units that still wait for their vehicle leave it: where all others are
  //   back it is done, and invoiced
  test("closes and invoices a contract if one vehicle never went out, before or after the other one returns", async () => {
    for (const isBackFirst of [false, true]) {
      const startedReservation = await out({ quantity: 2, extras: [] });
      const removedCustomer = startedReservation.reservation.units.find(({ reference }) => reference !== null)?.id;
      const collect = (current: ReservationAnswer) =>
        readReservationAnswer(
          performAction(current, "collect", { kilometres: 10, fuel_eighths: 8, unit_id: removedCustomer }),
        );
      const drop = (current: ReservationAnswer) => readReservationAnswer(change(current, { quantity: 1 }));
      expect((await change(startedReservation, { quantity: 3 })).status).toBe(400);
      const finishedReservation = isBackFirst
        ? await drop(await collect(startedReservation))
        : await collect(await drop(startedReservation));
      expect(finishedReservation.reservation).toMatchObject({
        status: "done",
        item_cost: "90.00",
        total_cost: "95.00",
      });
      expect(finishedReservation.reservation.units.map(({ id }) => id)).toEqual([removedCustomer]);
      expect(finishedReservation.documents).toEqual([
        expect.objectContaining({ total: "95.00", invoice_status: "invoice" }),
      ]);
      expect(await ledgerCents()).toBe(9500 * (isBackFirst ? 2 : 1));
      expect(await readAllocations()).toEqual([]);
    }
  });

  test("rejects a quantity of a contract below the number of vehicles that are out", async () => {
    const both = await readReservationAnswer(
      performAction(await out({ quantity: 2, extras: [] }), "deliver", { reference: "A-2", kilometres: 0 }),
    );
    const refused = await change(both, { quantity: 1 });
    expect([refused.status, await refused.json()]).toMatchObject([400, { detail: [{ field: "quantity" }] }]);
  });

  // Proves "rules.md: the life of a contract": A vehicle that is back pays for no day more
  test("extends only the vehicles still out, even if nothing else is available", async () => {
    const first = await out({ quantity: 2, extras: [] });
    const [value, other] = first.reservation.units.map(({ id }) => id);
    const stillOut = first.reservation.units.find(({ reference }) => reference === null)?.id;
    const both = await readReservationAnswer(
      performAction(first, "deliver", { unit_id: stillOut, reference: "A-2", kilometres: 0 }),
    );
    const back = await readReservationAnswer(
      performAction(both, "collect", { unit_id: value, kilometres: 10, fuel_eighths: 8 }),
    );
    const upgradeBody = { unit_id: value, upgrade_price: "10.00" };
    const notOut = {
      code: "action_not_allowed",
      message: expect.stringContaining("isn't on rent"),
      params: { rule: "vehicle_not_out" },
    };
    expect(await quote(back, { move: "exchange", ...upgradeBody })).toMatchObject({
      allowed: false,
      reasons: [notOut],
    });
    const readings = { kilometres_in: 10, fuel_eighths_in: 8, kilometres_out: 0, fuel_eighths_out: 8 };
    const refused = await performAction(back, "exchange", { ...upgradeBody, ...readings, reference: "A-3" });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "action_not_allowed" }]);
    await env.TENANT_ACME.prepare("INSERT INTO reallocations VALUES (?, ?)")
      .bind(back.reservation.id, Date.now())
      .run();
    await create({ quantity: 2, date_from: getLaterDay(1), date_to: getLaterDay(6) });
    const to = { date_to: getLaterDay(4), time_to: "10:00" };
    expect(await quote(back, { move: "extend", ...to })).toMatchObject({ allowed: true, difference: "60.00" });
    const extended = await readReservationAnswer(performAction(back, "extend", to));
    expect(extended.reservation).toMatchObject({ days: 5, item_cost: "240.00" });
    expect(extended.reservation.units.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([value, other]);
    const again = await readReservationAnswer(
      performAction(extended, "extend", { date_to: getLaterDay(5), time_to: "10:00" }),
    );
    expect(again.reservation).toMatchObject({ days: 6, item_cost: "270.00" });
    expect(await ledgerCents()).toBe(28_000);
    const finishedReservation = await readReservationAnswer(
      performAction(again, "collect", { unit_id: other, kilometres: 10, fuel_eighths: 8 }),
    );
    expect(finishedReservation.reservation).toMatchObject({ status: "done", item_cost: "270.00" });
    const { documents } = finishedReservation;
    expect(documents.at(-1)).toMatchObject({ total: finishedReservation.reservation["total_cost"] });
  });

  test("extends a contract with its replacement vehicle while that vehicle is free, and shows this in the quote", async () => {
    const managerReservation = await out({ extras: [] });
    const readings = { kilometres_in: 10, fuel_eighths_in: 8, kilometres_out: 0, fuel_eighths_out: 8 };
    const handOverResult = await readReservationAnswer(
      performAction(managerReservation, "exchange", { reference: "C-1", ...readings }, tokens.manager),
    );
    await create({ category_code: "C", date_from: getLaterDay(4), date_to: getLaterDay(5) });
    const free = { date_to: getLaterDay(3), time_to: "10:00" };
    expect(await quote(handOverResult, { move: "extend", ...free })).toMatchObject({ allowed: true });
    const conflictingPeriod = { date_to: getLaterDay(5), time_to: "10:00" };
    const soldOut = { code: "sold_out", message: expect.stringContaining("C") };
    expect(await quote(handOverResult, { move: "extend", ...conflictingPeriod })).toMatchObject({
      allowed: false,
      reasons: [soldOut],
    });
    expect((await performAction(handOverResult, "extend", conflictingPeriod)).status).toBe(409);
    expect((await performAction(handOverResult, "extend", free)).status).toBe(200);
  });

  test("unassigns a replacement vehicle of another island from its next contract there when it's returned here", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET repatriation_days = 5").run();
    const islandRental = {
      category_code: "B",
      pickup_place: 3,
      return_place: 3,
      date_from: getLaterDay(3),
      date_to: getLaterDay(4),
    };
    const promised = await readReservationAnswer(
      performAction(await create(islandRental), "assign", { reference: "B-2" }),
    );
    const readings = { kilometres_in: 10, fuel_eighths_in: 8, kilometres_out: 0, fuel_eighths_out: 8 };
    const handOverResult = await readReservationAnswer(
      performAction(await out({ extras: [] }), "exchange", { reference: "B-2", ...readings }, tokens.manager),
    );
    expect((await read(promised)).reservation.units).toMatchObject([{ reference: "B-2" }]);
    await readReservationAnswer(performAction(handOverResult, "collect", { kilometres: 20, fuel_eighths: 8 }));
    const unassignedReservation = await read(promised);
    expect(unassignedReservation.reservation.units).toMatchObject([{ reference: null }]);
    expect(unassignedReservation.history[0]).toMatchObject({ move: "unassigned", before: { reference: "B-2" } });
  });

  // Proves "rules.md: the life of a contract": An early return refunds by the account's rule
  test("refunds an early return by the account's rule", async () => {
    const managerReservation = await out();
    const to = { date_to: getLaterDay(1), time_to: "10:00" };
    expect(await quote(managerReservation, { move: "early-return", ...to })).toMatchObject({ difference: "0.00" });
    await env.TENANT_ACME.prepare("UPDATE settings SET early_return_refund = 'unused_days'").run();
    const ended = await readReservationAnswer(performAction(managerReservation, "early-return", to));
    expect(ended.reservation).toMatchObject({ days: 2, item_cost: "60.00", date_to: getLaterDay(1) });
  });

  test("ends a contract now by the server's clock, or when the vehicle came back, but not before its pickup", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET early_return_refund = 'unused_days', maximum_days = 90").run();
    const managerReservation = await out();
    const endEarly = (to: Readonly<Record<string, unknown>>) => performAction(managerReservation, "early-return", to);
    const { date_from: pickup } = managerReservation.reservation;
    const refusals = [{ date_to: pickup }, { date_to: pickup, time_to: "10:00" }];
    expect(await Promise.all(refusals.map(async (to) => (await endEarly(to)).status))).toEqual([400, 400]);
    const now = await quote(managerReservation, { move: "early-return" });
    const earlier = { date_to: pickup, time_to: "10:01" };
    expect([now, await quote(managerReservation, { move: "early-return", ...earlier })]).toMatchObject([
      { allowed: true },
      { allowed: true, difference: "-68.00" },
    ]);
    expect((await readReservationAnswer(endEarly(earlier))).reservation).toMatchObject({ days: 1, ...earlier });
    const other = await readReservationAnswer(
      performAction(await movedBy(await create(), -91), "deliver", { reference: "A-2", kilometres: 0 }),
    );
    const { reservation } = await readReservationAnswer(performAction(other, "early-return"));
    expect(String(reservation.date_to) < getLaterDay(2)).toBe(true);
  });

  // Proves "rules.md: the life of a contract": … nor priced again after an early return with all days paid
  test("keeps the price of all paid days after an early return if its extras change", async () => {
    const ended = await readReservationAnswer(
      performAction(await out(), "early-return", { date_to: getLaterDay(1), time_to: "10:00" }),
    );
    const changed = await readReservationAnswer(change(ended, { extras: [{ code: "SEAT" }, { code: "GPS" }] }));
    expect(changed.reservation).toMatchObject({ days: 3, item_cost: "90.00", extras_cost: "27.00" });
  });

  // Proves "rules.md: the life of a contract": … and into no past
  test("rejects an extension into the past", async () => {
    const overdue = await recordHandOver(await movedBy(await create(), -95), "delivery", {
      vehicle_reference: "A-1",
      kilometres: 0,
    });
    const requestedOptions = await quote(overdue, { move: "extend", date_to: getLaterDay(-1), time_to: "10:00" });
    expect(requestedOptions).toMatchObject({ allowed: false, reasons: [{ field: "date_to" }] });
    expect((await performAction(overdue, "extend", { date_to: getLaterDay(1), time_to: "10:00" })).status).toBe(200);
  });

  // Proves "rules.md: the life of a contract": In progress only extras, drivers, notes and the return change
  test("changes extras and drivers of a contract in progress, but not its start", async () => {
    const managerReservation = await out();
    const refused = await change(managerReservation, { date_from: getLaterDay(0) });
    expect([refused.status, await refused.json()]).toMatchObject([400, { detail: [{ field: "date_from" }] }]);
    const changed = await readReservationAnswer(
      change(managerReservation, { extras: [{ code: "GPS" }], driver: { driving_license_number: "B-1" } }),
    );
    expect(changed.reservation).toMatchObject({ extras_cost: "15.00", item_cost: "90.00" });
    const { contract_data } = (await env.TENANT_ACME.prepare("SELECT contract_data FROM bookings").first()) ?? {};
    expect(JSON.parse(String(contract_data))).toMatchObject({ driver_driving_license_number: "B-1" });
    expect(changed.reservation["date_from"]).toBe(managerReservation.reservation["date_from"]);
  });

  // Proves "rules.md: the life of a contract": A reopened contract is credited, corrected and invoiced again
  // Proves "rentals.md": 9c
  test("reopens a wrongly closed contract, with credit, correction and a new invoice", async () => {
    const managerReservation = await out();
    await env.TENANT_ACME.prepare("UPDATE categories SET kilometres_per_day = 100, extra_kilometre_cents = 20").run();
    const closed = await recordHandOver(managerReservation, "collection", { kilometres: 1400 });
    expect(closed.reservation).toMatchObject({ status: "done", supplement_3_cost: "220.00", total_cost: "327.00" });
    expect(closed.documents).toHaveLength(1);
    expect((await performAction(closed, "reopen", { reason: "Misread" })).status).toBe(403);
    const opened = await readReservationAnswer(performAction(closed, "reopen", { reason: "Misread" }, tokens.manager));
    expect(opened.reservation).toMatchObject({ status: "in_progress", reopened: true, total_cost: "107.00" });
    expect(opened.documents.map((document) => document["total"])).toEqual(["327.00", "-327.00"]);
    expect(opened.history[0]).toMatchObject({ move: "reopened", reason: "Misread" });
    // The reopened contract's vehicle is back, so the contract takes nothing from the stock.
    expect(await readAllocations()).toEqual([]);
    await env.TENANT_ACME.prepare("UPDATE extra_stocks SET units = 0").run();
    const seats = { extras: [{ code: "SEAT", quantity: 2 }] };
    expect(await quote(opened, { move: "change", ...seats })).toMatchObject({ allowed: true });
    const again = await recordHandOver(opened, "collection", { kilometres: 140 });
    expect(again.reservation).toMatchObject({ status: "done", reopened: false, total_cost: "107.00" });
    expect(again.documents.map((document) => document["total"])).toEqual(["327.00", "-327.00", "107.00"]);
  });
});

describe("a vehicle", () => {
  // Proves "rules.md: the life of a contract": A vehicle is promised to one contract of a time, and to none while it is
  //   blocked
  test("assigns a vehicle to one contract at a time, in the right category and not while blocked", async () => {
    const managerReservation = await create();
    const assigned = await readReservationAnswer(performAction(managerReservation, "assign", { reference: "A-1" }));
    expect(assigned.reservation.units).toMatchObject([{ reference: "A-1" }]);
    const other = await create({ date_from: getBookableDay(2), date_to: getBookableDay(5) });
    for (const [reference, status, code] of [
      ["A-1", 409, "vehicle_promised"],
      ["B-1", 409, "category_mismatch"],
      ["NONE", 404, "vehicle_not_found"],
    ] as const) {
      const answer = await performAction(other, "assign", { reference });
      expect([answer.status, await answer.json()]).toMatchObject([status, { code }]);
    }
    const minute = Date.parse(`${getBookableDay(3)}T00:00:00Z`) / 60_000;
    await env.TENANT_ACME.prepare(
      `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('A-2', 'workshop', ${minute}, ${minute + 60})`,
    ).run();
    expect((await performAction(other, "assign", { reference: "A-2" })).status).toBe(409);
    const free = await readReservationAnswer(performAction(assigned, "assign", { reference: null }));
    expect(free.reservation.units).toMatchObject([{ reference: null }]);
    expect(
      (await readReservationAnswer(performAction(other, "assign", { reference: "A-1" }))).reservation.units,
    ).toMatchObject([{ reference: "A-1" }]);
  });

  // Proves "rules.md: the life of a contract": New dates that are promised to another take the promise back
  test("unassigns a vehicle from a contract whose new dates overlap another contract of that vehicle", async () => {
    const first = await readReservationAnswer(performAction(await create(), "assign", { reference: "A-1" }));
    await readReservationAnswer(
      performAction(await create({ date_from: getBookableDay(5), date_to: getBookableDay(7) }), "assign", {
        reference: "A-1",
      }),
    );
    const changed = await readReservationAnswer(change(first, { date_to: getBookableDay(6) }));
    expect(changed.reservation.units).toMatchObject([{ reference: null }]);
  });

  test("unassigns a vehicle from a cancelled contract, and keeps the assignment in the contract's history", async () => {
    const assigned = await readReservationAnswer(performAction(await create(), "assign", { reference: "A-1" }));
    const { reservation, history } = await readReservationAnswer(performAction(assigned, "cancel", { reason: "ill" }));
    expect(reservation).toMatchObject({ status: "cancelled", units: [{ reference: null }] });
    expect(history).toContainEqual(expect.objectContaining({ move: "assigned", after: { reference: "A-1" } }));
    const other = await create();
    expect(
      (await readReservationAnswer(performAction(other, "assign", { reference: "A-1" }))).reservation.units,
    ).toMatchObject([{ reference: "A-1" }]);
  });
});

describe("the list of reservations", () => {
  const ids = async (query: string, token = tokens.agent) => {
    const answer = await (await callOffice("GET", `/reservations${query}`, { token })).json<{
      data: { id: number }[];
      total: number;
      next: string | null;
    }>();
    return { ids: answer.data.map(({ id }) => id), total: answer.total, next: answer.next };
  };

  // Proves "office.md": The list finds by any part, by filters and page by page
  test("finds reservations by part of a text and by filters, in pages, at the user's branches only", async () => {
    const ana = await create();
    const bea = await create({
      category_code: "B",
      customer: { name: "Bea", surname: "Müller", phone: "+34 600 123 456", document_id: "X998877" },
    });
    const isle = await create({ category_code: "B", pickup_place: 3, return_place: 3 });
    const [a, b, c] = [ana, bea, isle].map(({ reservation }) => reservation.id);
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_phone_prefix = ?, customer_phone = ? WHERE id = ?")
      .bind("+34", "600 123 456", b)
      .run();
    expect(await ids("")).toEqual({ ids: [c, b, a], total: 3, next: null });
    expect(await ids("?page_size=2")).toEqual({ ids: [c, b], total: 3, next: String(b) });
    expect((await ids(`?page_size=2&after=${b}`)).ids).toEqual([a]);
    for (const [q, value] of [
      ["998", b],
      ["mülle", b],
      ["600123", b],
      ["ana@ex", a],
      ["BEA MULLER", b],
      ["x99-88.77", b],
      ["600 123", b],
      // Phone formats as shown in the office and as copied, with the separately stored country code.
      ["+34 600 123 456", b],
      ["0034600123456", b],
      [String(c), c],
    ] as const)
      expect((await ids(`?q=${encodeURIComponent(q)}`)).ids).toContain(value);
    expect((await ids("?category_code=A")).ids).toEqual([a]);
    expect((await ids("?rental_location_code=ISLE")).ids).toEqual([c]);
    expect(await ids("", tokens.isle)).toEqual({ ids: [c], total: 1, next: null });
    expect((await callOffice("GET", `/reservations/${a}`, { token: tokens.isle })).status).toBe(404);
    expect((await callOffice("GET", "/reservations?page_size=201", { token: tokens.agent })).status).toBe(400);
  });

  // Proves "office.md": Tasks with their actions, only of the user's branches
  // Proves "rules.md: the life of a contract": A no-show is proposed automatically, and a refund due is a task
  // Proves "rentals.md": M17
  test("lists reservations that need attention: overpaid after a cancellation, and not picked up in time", async () => {
    const fine = await create();
    const overpaid = await pay(await create(), "95.00");
    await readReservationAnswer(performAction(overpaid, "cancel", { reason: "Ill" }));
    const missed = await movedBy(await create(), -92);
    const listed = await (await callOffice("GET", "/attention", { token: tokens.agent })).json<{
      data: { kind: string; at: string; why: string; reservation_id: number; link: string }[];
      counts: unknown;
    }>();
    expect(listed.counts).toEqual({ no_show: 1, refund_due: 1 });
    const noShow = listed.data.find(({ kind }) => kind === "no_show");
    expect(noShow?.why).toContain(noShow?.at.slice(0, 16).replace("T", " "));
    expect(listed.data.find(({ kind }) => kind === "refund_due")).toMatchObject({
      reservation_id: overpaid.reservation.id,
      why: "it is cancelled, 95.00 is paid and 0.00 is kept",
      link: `/api/v1/office/reservations/${overpaid.reservation.id}`,
    });
    const otherAttention = await (await callOffice("GET", "/attention", { token: tokens.isle })).json<{
      total: number;
    }>();
    expect(otherAttention.total).toBe(0);
    const attentionResponse = (await ids("?attention=true")).ids;
    expect(attentionResponse).toEqual([missed.reservation.id, overpaid.reservation.id]);
    expect(attentionResponse).not.toContain(fine.reservation.id);
  });
});

/** Returns the date that many days from today. */
function getLaterDay(days: number): string {
  return getBookableDay(days - 90);
}

async function ledgerCents(): Promise<unknown> {
  const row = await env.TENANT_ACME.prepare(
    "SELECT sum(cents) AS cents FROM ledger_entries WHERE kind = 'product'",
  ).first();
  return row?.["cents"];
}

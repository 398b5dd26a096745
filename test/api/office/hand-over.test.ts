import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { createDeliveryMessage, readFirstRow, sendCheckInOperation } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import {
  applyBookingAction,
  callOffice,
  type ReservationAnswer,
  readReservationAnswer,
  sellRentalAtDesk,
} from "#support/office.ts";
import { readRefusal } from "#support/refusals.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let boss: string;
let desk: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.prepare(
    "UPDATE categories SET fuel_eighth_cents = 800, kilometres_per_day = 100, extra_kilometre_cents = 20 WHERE code = 'A'",
  ).run();
  await openTestTenant(env).freshSnapshot();
  [boss, desk] = await Promise.all([createToken("boss"), createToken("desk")]);
});

const sell = (changes: Readonly<Record<string, unknown>> = {}) => sellRentalAtDesk(boss, changes);
const performAction = (
  current: ReservationAnswer,
  name: string,
  body: Readonly<Record<string, unknown>> = {},
  { token = desk, key }: { readonly token?: string; readonly key?: string } = {},
) => applyBookingAction(current, name, body, { token, key });

/** Creates a device's delivery of a reservation's first unit. */
const createReservationDelivery = (
  { reservation }: ReservationAnswer,
  changes: Parameters<typeof createDeliveryMessage>[0] = {},
) =>
  createDeliveryMessage({
    ...{ booking_id: reservation.id, resource_id: reservation.units[0]?.id ?? 0, base_version: reservation.version },
    ...changes,
  });

interface ContractAnswer {
  readonly data: readonly { readonly text: string; readonly is_signed: boolean }[];
}

const readContract = async (id: number, query = "") => {
  const answer = await callOffice("GET", `/reservations/${id}/contract${query}`, { token: desk });
  return [answer.status, await answer.json<ContractAnswer & { code?: string }>()] as const;
};

const OUT = { reference: "A-1", kilometres: 1000, fuel_eighths: 8 };
const BACK = { kilometres: 1300, fuel_eighths: 6 };

describe("a vehicle that the desk hands over", () => {
  // Proves "office.md: the vehicles of a contract": The desk takes no more than is due at a hand-over
  test("accepts the amount due at a hand-over, and more as credit only from a manager", async () => {
    const reservation = await sell();
    const due = Number(reservation.reservation.total_cost);
    const charges = (amount: string) => [{ kind: "payment", amount, payment_method_id: "cash" }];
    const more = (due + 0.01).toFixed(2);
    expect(await readRefusal(performAction(reservation, "deliver", { ...OUT, charges: charges(more) }))).toEqual([
      409,
      "more_than_due",
    ]);
    const out = await readReservationAnswer(
      performAction(reservation, "deliver", { ...OUT, charges: charges(due.toFixed(2)) }),
    );
    expect(out.reservation).toMatchObject({ status: "in_progress", total_pending: "0.00" });
    expect(await readRefusal(performAction(out, "collect", { ...BACK, charges: charges("16.01") }))).toEqual([
      409,
      "more_than_due",
    ]);
    const back = await readReservationAnswer(
      performAction(out, "collect", { ...BACK, charges: charges("20.00") }, { token: boss }),
    );
    expect(back.reservation).toMatchObject({ status: "done", total_pending: "-4.00", to_refund: "4.00" });
  });

  test("previews the contract before a hand-over exactly as it is printed after the hand-over", async () => {
    const reservation = await sell();
    const { id, total_cost: total, units } = reservation.reservation;
    const typed = `unit_id=${units[0]?.id}&reference=A-1&kilometres=1234&fuel_eighths=7&payment=${total}`;
    const [status, shown] = await readContract(id, `?${typed}`);
    expect([status, shown.data.length]).toEqual([200, 1]);
    expect(shown.data[0]?.text).toMatch(/\t1\.?234\n.*\t7\/8\n/);
    const charges = [{ kind: "payment", amount: total, payment_method_id: "cash" }];
    await readReservationAnswer(
      performAction(reservation, "deliver", { reference: "A-1", kilometres: 1234, fuel_eighths: 7, charges }),
    );
    const [, recorded] = await readContract(id);
    expect(recorded.data.map(({ text }) => text)).toEqual([shown.data[0]?.text]);
  });

  test("shows only the text of the unit that is handed over, and changes nothing", async () => {
    const reservation = await sell({ quantity: 2 });
    const { id, units } = reservation.reservation;
    const [, whole] = await readContract(id);
    expect(whole.data).toHaveLength(2);
    const [, second] = await readContract(id, `?unit_id=${units[1]?.id}&reference=A-1&kilometres=55&fuel_eighths=0`);
    expect(second.data).toHaveLength(1);
    expect(second.data[0]?.text).toContain("0/8");
    expect(await readContract(id)).toEqual([200, whole]);
  });

  test("refuses the contract of a hand-over with an unknown vehicle, a delivered unit or a wrong value", async () => {
    const reservation = await sell();
    const { id, units } = reservation.reservation;
    const unit = `unit_id=${units[0]?.id}`;
    const refuse = async (query: string) => {
      const [status, { code }] = await readContract(id, `?${query}`);
      return [status, code];
    };
    expect(await refuse(`${unit}&reference=NONE`)).toEqual([404, "vehicle_not_found"]);
    expect(await refuse("unit_id=999999")).toEqual([409, "no_unit_to_assign"]);
    for (const wrong of ["kilometres=-1", "fuel_eighths=9", "payment=x", "payment=1.001", "unit_id=x"])
      expect([wrong, (await refuse(`${unit}&${wrong}`))[0]]).toEqual([wrong, 400]);
    await readReservationAnswer(performAction(reservation, "deliver", OUT));
    expect(await refuse(unit)).toEqual([409, "no_unit_to_assign"]);
  });

  test("doesn't show vehicles of branches that the user can't access", async () => {
    const { id } = (await sell()).reservation;
    const query = "?reference=A-2";
    expect((await readContract(id, query))[0]).toBe(200);
    await env.TENANT_ACME.batch(
      [
        `INSERT INTO branch_groups (id, name, timezone, created_at, last_update)
          SELECT 990, 'Far', timezone, 1, 1 FROM branch_groups LIMIT 1`,
        `INSERT INTO branches (code, branch_group_id, name, place_type, timezone, currency, created_at, last_update)
          SELECT 'FAR', 990, 'Far', 'location', timezone, currency, 1, 1 FROM branches LIMIT 1`,
        "UPDATE vehicles SET branch_group_id = 990, branch_code = 'FAR' WHERE reference = 'A-2'",
      ].map((statement) => env.TENANT_ACME.prepare(statement)),
    );
    const [status, { code }] = await readContract(id, query);
    expect([status, code]).toEqual([404, "vehicle_not_found"]);
  });

  // Proves "office.md: the vehicles of a contract": `deliver`, `collect`: the operations of check-in at the desk
  // Proves "rules.md: the life of a contract": Handing over and taking back, by the office as by a phone
  test("records delivery and return at the desk as check-in operations, with history, and an invoice at the return", async () => {
    const reservation = await sell();
    const out = await readReservationAnswer(
      performAction(reservation, "deliver", { ...OUT, notes: "Keys at the desk" }),
    );
    expect(out.reservation).toMatchObject({ status: "in_progress", version: 2 });
    expect(out.reservation.units).toMatchObject([{ reference: "A-1" }]);
    const charges = [{ kind: "payment", amount: "16.00", payment_method_id: "cash" }];
    const damages = [{ part: "roof", kind: "dent", severity: "light", x: 500, y: 500, note: "Hail" }];
    const back = await readReservationAnswer(
      performAction(out, "collect", { ...BACK, charges, damages, extras: [{ code: "SEAT" }] }),
    );
    expect(back.reservation).toMatchObject({ status: "done", version: 3, allowed: ["reopen", "surcharge"] });
    expect(back.documents).toHaveLength(1);
    expect(back.charges).toMatchObject([{ amount: "16.00" }]);
    expect(back.history.map(({ move: name }) => name)).toEqual(["collected", "delivered", "created"]);
    expect(await readFirstRow("SELECT supplement_2_cents AS fuel, extras_cents AS extras FROM bookings")).toMatchObject(
      {
        fuel: 1600,
      },
    );
    expect(await readFirstRow("SELECT note FROM vehicle_damages")).toEqual({ note: "Hail" });
    expect(await readFirstRow("SELECT usage_units, branch_code FROM vehicles WHERE reference = 'A-1'")).toEqual({
      usage_units: 1300,
      branch_code: "AIR",
    });
    expect(await readFirstRow("SELECT count(*) AS kept FROM check_in_operations WHERE state = 'applied'")).toEqual({
      kept: 2,
    });
  });

  // Proves "office.md: the vehicles of a contract": Once under a key, on the version that was read
  test("delivers once per idempotency key despite parallel calls, and returns 422 for another body, 409 for another version", async () => {
    const reservation = await sell();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => performAction(reservation, "deliver", OUT, { key: "desk-1" })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(
      await readFirstRow("SELECT version, (SELECT count(*) FROM check_in_operations) AS kept FROM bookings"),
    ).toEqual({
      version: 2,
      kept: 1,
    });
    expect(
      await readRefusal(performAction(reservation, "deliver", { ...OUT, kilometres: 1001 }, { key: "desk-1" })),
    ).toEqual([422, "idempotency_key_reused"]);
    const late = await performAction(reservation, "collect", BACK);
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ code: "changed_meanwhile", reservation: { version: 2 } });
  });

  // Proves "office.md: the vehicles of a contract": A conflict of check-in is 409 in its words
  test("rejects an impossible delivery with check-in's error code and stores nothing", async () => {
    const reservation = await sell();
    expect(await readRefusal(performAction(reservation, "collect", BACK))).toEqual([409, "not_delivered"]);
    expect(await readRefusal(performAction(reservation, "deliver", { kilometres: 1 }))).toEqual([400, "invalid_input"]);
    expect(await readRefusal(performAction(reservation, "deliver", { ...OUT, reference: "NONE" }))).toEqual([
      409,
      "unknown_vehicle",
    ]);
    expect(await readRefusal(performAction(reservation, "deliver", { ...OUT, at: "2999-01-01T10:00" }))).toEqual([
      400,
      "invalid_input",
    ]);
    const out = await readReservationAnswer(performAction(reservation, "deliver", OUT));
    expect(await readRefusal(performAction(out, "deliver", { ...OUT, unit_id: out.reservation.units[0]?.id }))).toEqual(
      [409, "already_delivered"],
    );
    const other = await sell({ category_code: "A" });
    expect(await readRefusal(performAction(other, "deliver", OUT))).toEqual([409, "vehicle_unavailable"]);
    expect(await readRefusal(performAction(out, "collect", { ...BACK, at: "1999-01-01T10:00" }))).toEqual([
      409,
      "before_delivery",
    ]);
    expect(await readFirstRow("SELECT count(*) AS kept FROM check_in_operations")).toEqual({ kept: 1 });
    expect(await readFirstRow("SELECT count(*) AS devices FROM check_in_devices WHERE device_id <> 'office'")).toEqual({
      devices: 0,
    });
  });

  // Proves "office.md: the vehicles of a contract": A phone with an older contract gets `contract_changed`
  // Proves "rentals.md": 9d
  test("warns a device that delivers with an outdated contract that the office changed the contract in the meantime", async () => {
    const reservation = await sell();
    const changed = await readReservationAnswer(
      callOffice("PATCH", `/reservations/${reservation.reservation.id}`, {
        token: boss,
        body: { expected_version: 1, date_to: getBookableDay(4) },
      }),
    );
    const ids = { booking_id: reservation.reservation.id, resource_id: changed.reservation.units[0]?.id ?? 0 };
    const { result } = await sendCheckInOperation(desk, createDeliveryMessage({ ...ids, base_version: 1 }));
    expect(result).toMatchObject({ state: "applied", flags: ["parallel"] });
    expect(result.warnings.map(({ code }) => code)).toContain("contract_changed");
  });
});

// Proves "office.md": Improbable readings are asked about at the desk
// Proves "rentals.md": M16
test("requires confirmation of an improbable reading, and leaves the invoice of a high return charge a draft for review", async () => {
  const out = await readReservationAnswer(performAction(await sell(), "deliver", OUT));
  const slip = { kilometres: 99_999, fuel_eighths: 8 };
  const collectResponse = await performAction(out, "collect", slip);
  expect([collectResponse.status, await collectResponse.json()]).toMatchObject([
    400,
    { detail: [{ field: "kilometres" }] },
  ]);
  const closed = await readReservationAnswer(performAction(out, "collect", { ...slip, readings_confirmed: true }));
  expect(closed.reservation.status).toBe("done");
  expect(closed.documents).toMatchObject([{ invoice_status: "draft" }]);
  const attention = await callOffice("GET", "/attention", { token: boss });
  const pendingTasks = await attention.json<{ data: { kind: string; why: string }[] }>();
  const [item] = pendingTasks.data.filter(({ kind }) => kind === "check_in_to_review");
  expect(JSON.stringify(item)).toContain("kilometres_jump, closing_to_check");
});

interface Drawn {
  readonly id: number;
  readonly from: string;
  readonly to: string;
}

describe("a vehicle that is exchanged", () => {
  const EXCHANGE = {
    ...{ reference: "A-2", kilometres_in: 1200, fuel_eighths_in: 6 },
    ...{ kilometres_out: 5000, fuel_eighths_out: 8, reason: "Flat tyre" },
  };
  const vehicle = (reference: string) =>
    readFirstRow(
      "SELECT usage_units, usage_available_fuel AS fuel, branch_code FROM vehicles WHERE reference = ?",
      reference,
    );
  const out = async (changes: Readonly<Record<string, unknown>> = {}) =>
    readReservationAnswer(performAction(await sell(changes), "deliver", OUT));

  test("shows an exchanged vehicle in the planning until the exchange, and its replacement from then on", async () => {
    const { reservation } = await readReservationAnswer(performAction(await out(), "exchange", EXCHANGE));
    const hours = (ago: number) => Date.now() - ago * 3_600_000;
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE booking_units SET delivered_at = ? WHERE booking_id = ?").bind(
        ...[hours(9), reservation.id],
      ),
      env.TENANT_ACME.prepare("UPDATE exchanged_vehicles SET delivered_at = ?, returned_at = ?").bind(
        ...[hours(9), hours(4)],
      ),
    ]);
    const from = new Date(hours(24)).toISOString().slice(0, 10);
    const answer = await callOffice("GET", `/planning?date_from=${from}&days=92`, { token: boss });
    const { vehicles } = await answer.json<{
      vehicles: { reference: string; contracts: Drawn[]; exchanged: Drawn[] }[];
    }>();
    const current = (reference: string) => vehicles.find((vehicle) => vehicle.reference === reference);
    const formatLocalTime = (ago: number) => {
      const shownTime = new Date(hours(ago)).toLocaleString("sv-SE", { timeZone: "Europe/Madrid" });
      return shownTime.slice(0, 16).replace(" ", "T");
    };
    expect(current("A-1")).toMatchObject({
      contracts: [],
      exchanged: [{ id: reservation.id, from: formatLocalTime(9), to: formatLocalTime(4) }],
    });
    expect(current("A-2")).toMatchObject({
      contracts: [{ id: reservation.id, from: formatLocalTime(4) }],
      exchanged: [],
    });
  });

  test("finds the contract by the plate of the exchanged vehicle and of its replacement", async () => {
    const { reservation } = await readReservationAnswer(performAction(await out(), "exchange", EXCHANGE));
    await env.TENANT_ACME.prepare("UPDATE vehicles SET plate = reference || ' KLM'").run();
    for (const plate of ["A-1 KLM", "a2klm", "A-3 KLM"]) {
      const matchingReservations = await callOffice("GET", `/reservations?q=${encodeURIComponent(plate)}`, {
        token: boss,
      });
      const ids = (await matchingReservations.json<{ data: { id: number }[] }>()).data.map(({ id }) => id);
      expect([plate, ids]).toEqual([plate, plate.startsWith("A-3") ? [] : [reservation.id]]);
    }
  });

  // Proves "office.md: the vehicles of a contract": `exchange`: readings of both, the closing counts both, each its own
  //   kilometres in the ledger
  // Proves "rules.md: the life of a contract": A vehicle is exchanged with the readings of both
  test("takes the exchanged vehicle back, and closes the contract with kilometres and fuel of both vehicles", async () => {
    await env.TENANT_ACME.prepare("UPDATE vehicles SET branch_code = 'TOWN' WHERE reference = 'A-2'").run();
    const exchanged = await readReservationAnswer(performAction(await out(), "exchange", EXCHANGE));
    expect(exchanged.reservation).toMatchObject({ status: "in_progress", version: 3, units: [{ reference: "A-2" }] });
    expect(exchanged.history[0]).toMatchObject({
      move: "exchanged",
      before: { reference: "A-1", kilometres: 1200, fuel: "6/8" },
      after: { reference: "A-2", kilometres: 5000, fuel: "8/8" },
      reason: "Flat tyre",
    });
    expect(await vehicle("A-1")).toEqual({ usage_units: 1200, fuel: "6/8", branch_code: "TOWN" });
    expect(await vehicle("A-2")).toEqual({ usage_units: 5000, fuel: "8/8", branch_code: "TOWN" });
    expect(
      await readFirstRow("SELECT delivery_usage_units AS out, return_usage_units AS back FROM exchanged_vehicles"),
    ).toEqual({
      out: 1000,
      back: 1200,
    });
    const closed = await readReservationAnswer(
      performAction(exchanged, "collect", { kilometres: 5150, fuel_eighths: 7 }),
    );
    expect(closed.reservation.status).toBe("done");
    // 200 and 150 km with 300 included, two eighths and one eighth of fuel.
    expect(
      await readFirstRow("SELECT supplement_2_cents AS fuel, supplement_3_cents AS kilometres FROM bookings"),
    ).toEqual({
      fuel: 2400,
      kilometres: 1000,
    });
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT code, sum(usage_units) AS kilometres FROM ledger_entries WHERE kind = 'product' GROUP BY code ORDER BY code",
    ).all();
    expect(results).toEqual([
      { code: "A-1", kilometres: 200 },
      { code: "A-2", kilometres: 150 },
    ]);
  });

  test("exchanges an electric vehicle for another one with the charge of both, and prices the missing charge of both", async () => {
    await env.TENANT_ACME.prepare("UPDATE vehicles SET fuel = 'electric' WHERE reference IN ('A-1', 'A-2')").run();
    const exchanged = await readReservationAnswer(
      performAction(await out(), "exchange", { ...EXCHANGE, fuel_eighths_in: 3, fuel_eighths_out: 7 }),
    );
    expect(exchanged.history[0]).toMatchObject({ before: { fuel: "3/8" }, after: { fuel: "7/8" } });
    expect([await vehicle("A-1"), await vehicle("A-2")]).toMatchObject([{ fuel: "3/8" }, { fuel: "7/8" }]);
    const { id } = exchanged.reservation;
    const readings = { kilometres: 5100, fuel_eighths: 5 };
    const record = await callOffice("POST", `/reservations/${id}/return-record`, { token: boss, body: readings });
    const { data } = await record.json<{ data: { text: string }[] }>();
    const lines = (data[0]?.text ?? "").split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "Carga de la batería\t88 %",
        "Carga de la batería\t63 %",
        "Combustible o carga que faltaba en los vehículos cambiados antes\t5/8",
        expect.stringMatching(/^Carga que falta \(octavos\)\t7\t56,00/),
      ]),
    );
    const closed = await readReservationAnswer(performAction(exchanged, "collect", readings));
    expect(closed.reservation.status).toBe("done");
    expect(await readFirstRow("SELECT supplement_2_cents AS charge FROM bookings")).toEqual({ charge: 5600 });
    expect(await vehicle("A-2")).toMatchObject({ fuel: "5/8" });
  });

  // Proves "check-in.md: trips for drivers": Damage is taken at an exchange, of the vehicle that comes back
  test("records damage of the exchanged vehicle as a return at the desk does, and none of its replacement", async () => {
    const damages_in = [
      { part: "roof", kind: "dent", severity: "light", x: 500, y: 483, note: "Hail" },
      { part: "left_mirror", kind: "missing", severity: "severe", x: 500, y: 500 },
    ];
    const exchanged = await readReservationAnswer(performAction(await out(), "exchange", { ...EXCHANGE, damages_in }));
    expect(exchanged.history[0]).toMatchObject({
      before: {
        damages: [
          { part: "roof", kind: "dent" },
          { part: "left_mirror", kind: "missing" },
        ],
      },
    });
    const listDamages = async (reference: string) =>
      (
        await (
          await callOffice("GET", `/vehicles/${reference}`, { token: boss })
        ).json<{
          vehicle: { damages: unknown[] };
        }>()
      ).vehicle.damages;
    expect(await listDamages("A-1")).toMatchObject([
      { part: "roof", kind: "dent", severity: "light", note: "Hail", booking_id: exchanged.reservation.id },
      { part: "left_mirror", kind: "missing", severity: "severe", note: null },
    ]);
    expect(await listDamages("A-2")).toEqual([]);
  });

  test.each([
    [{ part: "engine" }, "damages_in.0.part"],
    [{ kind: "lost" }, "damages_in.0.kind"],
    [{ severity: "bad" }, "damages_in.0.severity"],
    [{ x: 1001 }, "damages_in.0.x"],
    [{ photos: [] }, "damages_in.0.photos"],
  ])("rejects damage of %j and exchanges nothing", async (invalidFields, field) => {
    const contract = await out();
    const damages_in = [{ part: "roof", kind: "dent", severity: "light", x: 500, y: 483, ...invalidFields }];
    const refused = await performAction(contract, "exchange", { ...EXCHANGE, damages_in });
    expect([refused.status, (await refused.json<{ detail: { field: string }[] }>()).detail[0]?.field]).toEqual([
      400,
      field,
    ]);
    expect(
      await readFirstRow("SELECT version, (SELECT count(*) FROM vehicle_damages) AS damages FROM bookings"),
    ).toEqual({
      version: 2,
      damages: 0,
    });
  });

  test("answers a quote for the return of another contract's vehicle with 409, as OpenAPI declares", async () => {
    const { reservation } = await out();
    const quoted = callOffice("POST", `/reservations/${reservation.id}/quote`, {
      token: desk,
      body: { move: "collect", unit_id: 999_999 },
    });
    expect(await readRefusal(quoted)).toEqual([409, "no_unit_to_assign"]);
    const document = await callOffice("GET", "/openapi.json", { token: desk });
    const { paths } = await document.json<{ paths: Record<string, { post?: { responses: object } }> }>();
    expect(paths["/reservations/{id}/quote"]?.post?.responses).toHaveProperty("409");
  });

  // Proves "office.md: the vehicles of a contract": … of another category by a paid upgrade or a manager; the category
  //   and its stock as agreed
  // Proves "rules.md: the life of a contract": … by a paid upgrade, or by a manager; the category as agreed
  test("exchanges for another category only at a price or by a manager, and keeps the agreed category", async () => {
    const contract = await out();
    expect(await readRefusal(performAction(contract, "exchange", { ...EXCHANGE, reference: "B-1" }))).toEqual([
      403,
      "permission_denied",
    ]);
    const quoted = await callOffice("POST", `/reservations/${contract.reservation.id}/quote`, {
      token: desk,
      body: { move: "exchange", upgrade_price: "25.00" },
    });
    expect(await quoted.json()).toMatchObject({ allowed: true, difference: "25.00" });
    const paid = await readReservationAnswer(
      performAction(contract, "exchange", { ...EXCHANGE, reference: "B-1", upgrade_price: "25.00" }),
    );
    expect(Number(paid.reservation.total_cost) - Number(contract.reservation.total_cost)).toBe(25);
    expect(await readFirstRow("SELECT category_code FROM booking_lines")).toEqual({ category_code: "A" });
    expect(await readFirstRow("SELECT code, sum(quantity) AS units FROM stock_allocations GROUP BY code")).toEqual({
      code: "A",
      units: 1,
    });
    expect(
      (
        await performAction(
          paid,
          "exchange",
          { ...EXCHANGE, reference: "C-1", readings_confirmed: true },
          { token: boss },
        )
      ).status,
    ).toBe(200);
  });

  // Proves "rules.md: sales and payments": An exchange asks about odd readings and takes no blocked vehicle
  test("rejects a blocked replacement or unlikely kilometers without confirmation", async () => {
    const contract = await out();
    const tried = (changes: Readonly<Record<string, unknown>>) =>
      performAction(contract, "exchange", { ...EXCHANGE, ...changes });
    await env.TENANT_ACME.prepare("UPDATE vehicles SET usage_units = 4900 WHERE reference = 'A-2'").run();
    for (const [field, wrong] of [
      ["kilometres_in", { kilometres_in: 999 }],
      ["kilometres_in", { kilometres_in: 12_000 }],
      ["kilometres_out", { kilometres_out: 4000 }],
      ["kilometres_out", { kilometres_out: 50_000 }],
    ] as const)
      expect(await (await tried(wrong)).json()).toMatchObject({ code: "invalid_input", detail: [{ field }] });
    await env.TENANT_ACME.prepare(
      "INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('A-2', 'workshop', 0, 9000000000)",
    ).run();
    expect(await readRefusal(tried({}))).toEqual([409, "vehicle_blocked"]);
    await env.TENANT_ACME.prepare("DELETE FROM vehicle_blocks").run();
    expect((await tried({ kilometres_in: 12_000, readings_confirmed: true })).status).toBe(200);
  });

  // Proves "office.md: the vehicles of a contract": … never by a vehicle that is out
  test("rejects an exchange for a vehicle that is out, unknown or the same, and of a unit that isn't out", async () => {
    const contract = await out();
    await readReservationAnswer(performAction(await sell(), "deliver", { ...OUT, reference: "A-2" }));
    expect(await readRefusal(performAction(contract, "exchange", { ...EXCHANGE, readings_confirmed: true }))).toEqual([
      409,
      "vehicle_unavailable",
    ]);
    expect(await readRefusal(performAction(contract, "exchange", { ...EXCHANGE, reference: "NONE" }))).toEqual([
      404,
      "vehicle_not_found",
    ]);
    expect(await readRefusal(performAction(contract, "exchange", { ...EXCHANGE, reference: "A-1" }))).toEqual([
      400,
      "invalid_input",
    ]);
    expect(await readRefusal(performAction(await sell(), "exchange", { ...EXCHANGE, reference: "A-3" }))).toEqual([
      409,
      "action_not_allowed",
    ]);
    expect(await readFirstRow("SELECT count(*) AS exchanges FROM exchanged_vehicles")).toEqual({ exchanges: 0 });
  });
});

describe("checks before the keys are handed over", () => {
  const setChecks = async (checks: Readonly<Record<string, string>>) => {
    await env.TENANT_ACME.prepare("UPDATE settings SET handover_checks = ?").bind(JSON.stringify(checks)).run();
    await openTestTenant(env).freshSnapshot();
  };
  const quote = async (id: number) =>
    (await callOffice("POST", `/reservations/${id}/quote`, { token: desk, body: { move: "deliver" } })).json();

  // Proves "office.md: the vehicles of a contract": handover_checks: warn by default; missing in the quote of deliver
  //   and in GET /reservations/{id}
  test("warns about missing hand-over data by default, in quote and reservation, and allows the hand-over", async () => {
    const reservation = await sell();
    const { id } = reservation.reservation;
    const missing = ["payment", "deposit", "licence", "identity", "signature"];
    expect(await quote(id)).toMatchObject({ move: "deliver", allowed: true, missing });
    const reservationAnswer = await (await callOffice("GET", `/reservations/${id}`, { token: desk })).json();
    expect(reservationAnswer).toMatchObject({ missing });
    const out = await readReservationAnswer(performAction(reservation, "deliver", OUT));
    expect(out).toMatchObject({ reservation: { status: "in_progress" }, missing: [] });
  });

  // Proves "office.md: the vehicles of a contract": handover_blocked with the same list; a manager overrides with a
  //   reason
  test("blocks a hand-over with missing data by the account's setting, unless a manager gives a reason", async () => {
    await setChecks({ deposit: "block", payment: "block", signature: "off" });
    const reservation = await sell();
    const { id } = reservation.reservation;
    expect(await quote(id)).toMatchObject({
      allowed: false,
      missing: ["payment", "deposit", "licence", "identity"],
      reasons: [{ code: "handover_blocked" }],
    });
    const refused = await performAction(reservation, "deliver", { ...OUT, reason: "A regular" });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      code: "handover_blocked",
      missing: ["payment", "deposit", "licence", "identity"],
      params: { missing: "payment, deposit" },
    });
    expect(await readRefusal(performAction(reservation, "deliver", OUT, { token: boss }))).toEqual([
      409,
      "handover_blocked",
    ]);
    const out = await readReservationAnswer(
      performAction(reservation, "deliver", { ...OUT, reason: "Pays later" }, { token: boss }),
    );
    expect(out.reservation.status).toBe("in_progress");
    expect(out.history).toContainEqual(
      expect.objectContaining({ reason: "Pays later", after: { handover_override: "payment, deposit" } }),
    );
  });

  // Proves "office.md: the vehicles of a contract": handover_checks: money taken with the hand-over counts
  test("counts payments made with the hand-over in its checks", async () => {
    await setChecks({ payment: "block" });
    const reservation = await sell();
    const charges = [{ kind: "payment", amount: reservation.reservation.total_cost, payment_method_id: "cash" }];
    const out = await readReservationAnswer(performAction(reservation, "deliver", { ...OUT, charges }));
    expect(out.reservation.status).toBe("in_progress");
  });

  test("counts a signature that is drawn at the desk and stored like one from a device", async () => {
    await setChecks({ signature: "block" });
    const reservation = await sell();
    const { id } = reservation.reservation;
    expect(await readRefusal(performAction(reservation, "deliver", OUT))).toEqual([409, "handover_blocked"]);
    const rejectedResponse = await performAction(reservation, "deliver", {
      ...OUT,
      signature: { name: "Ana Ruiz", hash: "x" },
    });
    expect(rejectedResponse.status).toBe(400);
    expect(await rejectedResponse.json()).toMatchObject({ detail: [{ field: "signature.hash" }] });
    const signature = { name: "Ana Ruiz", hash: "a".repeat(64) };
    const out = await readReservationAnswer(performAction(reservation, "deliver", { ...OUT, signature }));
    expect(out).toMatchObject({ reservation: { status: "in_progress" }, missing: [] });
    expect(await readFirstRow("SELECT view FROM check_in_operation_files WHERE hash = ?", signature.hash)).toEqual({
      view: "signature",
    });
    const stored = await readFirstRow(
      "SELECT operation ->> '$.signature.method' AS method, operation ->> '$.sent.signature.name' AS name FROM check_in_operations WHERE booking_id = ?",
      id,
    );
    expect(stored).toEqual({ method: "drawn", name: "Ana Ruiz" });
  });

  test("stores which contract text was read before signing at the desk, and refuses a text hash without a language", async () => {
    const reservation = await sell();
    const { id } = reservation.reservation;
    const contract = { hash: "b".repeat(64), language: "de" };
    const signature = { name: "Ana Ruiz", hash: "a".repeat(64), contract };
    const incomplete = await performAction(reservation, "deliver", {
      ...OUT,
      signature: { ...signature, contract: { hash: contract.hash } },
    });
    expect(incomplete.status).toBe(400);
    expect(await incomplete.json()).toMatchObject({ detail: [{ field: "signature.contract.language" }] });
    await readReservationAnswer(performAction(reservation, "deliver", { ...OUT, signature }));
    expect(await readFirstRow("SELECT view FROM check_in_operation_files WHERE hash = ?", contract.hash)).toEqual({
      view: "contract",
    });
    const stored = await readFirstRow(
      "SELECT operation ->> '$.sent.signature.contract_hash' AS hash, operation ->> '$.sent.signature.contract_language' AS language FROM check_in_operations WHERE booking_id = ?",
      id,
    );
    expect(stored).toEqual(contract);
  });

  // Proves "office.md: the vehicles of a contract": handover_checks: the check-in app uses the same rule
  test("applies hand-over checks to deliveries from devices, and stores those that fail as conflicts", async () => {
    await setChecks({ identity: "block" });
    const reservation = await sell();
    const delivery = createReservationDelivery(reservation);
    const answer = await sendCheckInOperation(desk, delivery);
    expect(answer.status).toBe(409);
    expect(answer.result).toMatchObject({ state: "conflict", code: "handover_blocked" });
    expect(await readFirstRow("SELECT status FROM bookings WHERE id = ?", reservation.reservation.id)).toMatchObject({
      status: "confirmed",
    });
  });

  test("counts the documents that a delivery from a device itself contains", async () => {
    await setChecks({ identity: "block", licence: "block" });
    const reservation = await sell();
    const delivery = createReservationDelivery(reservation, {
      driver: { document_id: "12345678Z", driving_license_number: "B-1" },
    });
    expect((await sendCheckInOperation(desk, delivery)).result).toMatchObject({ state: "applied" });
  });

  test("removes a unit for which a device has sent an operation", async () => {
    const reservation = await sell({ quantity: 2 });
    const delivery = createReservationDelivery(reservation, {
      ...{ resource_id: reservation.reservation.units[1]?.id ?? 0, vehicle_reference: "NONE" },
    });
    expect((await sendCheckInOperation(desk, delivery)).result).toMatchObject({ code: "unknown_vehicle" });
    const fewer = await callOffice("PATCH", `/reservations/${reservation.reservation.id}`, {
      token: boss,
      body: { expected_version: reservation.reservation.version, quantity: 1 },
    });
    expect(fewer.status).toBe(200);
    expect(await readFirstRow("SELECT unit_id FROM check_in_operations")).toEqual({ unit_id: null });
  });

  // Proves "office.md: the vehicles of a contract": handover_checks: a manager's reason on a device is in the history
  test("applies a manager's delivery from a device with a reason, which the history keeps with the blocking checks", async () => {
    await setChecks({ identity: "block" });
    const reservation = await sell();
    const delivery = createReservationDelivery(reservation, { override_reason: "Passport seen" });
    const answer = await sendCheckInOperation(boss, delivery);
    expect(answer.result).toMatchObject({ state: "applied" });
    const read = await callOffice("GET", `/reservations/${reservation.reservation.id}`, { token: boss });
    const { history } = await read.json<{ history: readonly object[] }>();
    expect(history).toContainEqual(
      expect.objectContaining({ reason: "Passport seen", after: { handover_override: "identity" } }),
    );
  });

  test.each([
    ["a manager's note", () => boss, { notes: "Scratch on the door" }],
    ["an agent's reason", () => desk, { override_reason: "A regular" }],
  ])("overrides no check before the hand-over with %s", async (_, getToken, changes) => {
    await setChecks({ identity: "block" });
    const delivery = createReservationDelivery(await sell(), changes);
    expect((await sendCheckInOperation(getToken(), delivery)).result).toMatchObject({ code: "handover_blocked" });
  });

  // Proves "office.md: the vehicles of a contract": handover_checks: known checks and modes only
  test("accepts only existing hand-over checks and modes in the settings", async () => {
    const settings = await (await callOffice("GET", "/settings", { token: boss })).json<{
      settings: { version: number };
    }>();
    const change = (handover_checks: object) =>
      callOffice("PATCH", "/settings", {
        token: boss,
        body: { expected_version: settings.settings.version, handover_checks },
      });
    expect((await change({ keys: "block" })).status).toBe(400);
    expect((await change({ deposit: "sometimes" })).status).toBe(400);
    const changed = await change({ deposit: "block" });
    expect(await changed.json()).toMatchObject({ settings: { handover_checks: { deposit: "block" } } });
  });
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import {
  callAsStaff,
  createCollectionMessage,
  createDeliveryMessage,
  createOpId,
  insertCheckInRental,
  readFirstRow,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers, createToken, login } from "#support/test-users.ts";
import { checkInDayAnswer } from "#worker/api/check-in/day-messages.ts";
import type { CheckInOperationMessage, OperationResultMessage } from "#worker/api/check-in/operation-messages.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { applyDueHeldOperations } from "#worker/usecases/check-in/apply-held-operations.ts";
import { auditContractBalances } from "#worker/usecases/operations/audit-money.ts";
import { compareOrRepairLedger } from "#worker/usecases/reporting/rebuild-ledger.ts";

type Damage = NonNullable<CheckInOperationMessage["damages"]>[number];

let desk: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.prepare(
    "UPDATE categories SET fuel_eighth_cents = 800, kilometres_per_day = 100, extra_kilometre_cents = 20 WHERE code = 'A'",
  ).run();
  await openTestTenant(env).freshSnapshot();
  desk = await createToken("desk");
});

const booking = () => readFirstRow("SELECT * FROM bookings WHERE id = 7");
const unit = (id = 70) => readFirstRow("SELECT * FROM booking_units WHERE id = ?", id);
const vehicle = (reference = "A-1") => readFirstRow("SELECT * FROM vehicles WHERE reference = ?", reference);
const events = async () =>
  (
    await env.TENANT_ACME.prepare("SELECT event FROM booking_history WHERE booking_id = 7 ORDER BY id").all()
  ).results.map((row) => row["event"]);

describe("a delivery", () => {
  test("opens the contract, assigns the vehicle and records the readings of a delivery", async () => {
    await insertCheckInRental();
    const { status, result } = await sendCheckInOperation(desk, createDeliveryMessage());
    expect(status).toBe(200);
    expect(result).toMatchObject({ state: "applied", booking_status: "in_progress", version: 2, missing_photos: [] });
    expect(await booking()).toMatchObject({ status: "in_progress", version: 2 });
    expect(await unit()).toMatchObject({
      vehicle_reference: "A-1",
      delivery_usage_units: 1000,
      delivery_fuel: "8/8",
      collected_at: null,
    });
    expect(await vehicle()).toMatchObject({ usage_units: 1000, usage_available_fuel: "8/8" });
    expect(await events()).toEqual(["delivered"]);
  });

  test("creates a customer at delivery from the guest of an agency's booking", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET sales_channel_code = 'AGENCY', customer_name = 'Eva' WHERE id = 7",
    ).run();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const { customer_id: id } = (await booking()) ?? {};
    expect(
      await readFirstRow("SELECT full_name, email, branch_code, sales_channel_code FROM customers WHERE id = ?", id),
    ).toEqual({
      full_name: "Eva Ruiz",
      email: "ana@example.com",
      branch_code: "AIR",
      sales_channel_code: "AGENCY",
    });
  });

  test("corrects the time of a device with a clock reset to 1970", async () => {
    await insertCheckInRental();
    const clock_offset_ms = Date.parse("2024-05-03T08:05:00.000Z");
    const { status } = await sendCheckInOperation(
      desk,
      createDeliveryMessage({ recorded_at: "1970-01-01T00:00:00.000Z", clock_offset_ms }),
    );
    expect(status).toBe(200);
    expect(await unit()).toMatchObject({ delivered_at: clock_offset_ms });
  });

  test.each(["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])(
    "accepts a device clock at the end of the calendar (%s)",
    async (recorded_at) => {
      await insertCheckInRental();
      expect(
        await sendCheckInOperation(desk, createDeliveryMessage({ recorded_at, clock_offset_ms: 10 ** 12 })),
      ).toMatchObject({
        status: 200,
      });
      expect(await unit()).toMatchObject({ vehicle_reference: "A-1" });
    },
  );

  test("accepts a delivery of another vehicle than the assigned one", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("UPDATE booking_units SET vehicle_reference = 'A-2' WHERE id = 70").run();
    const { result } = await sendCheckInOperation(desk, createDeliveryMessage({ vehicle_reference: "B-1" }));
    expect(result.warnings.map(({ code }) => code)).toContain("other_category");
    expect(await unit()).toMatchObject({ vehicle_reference: "B-1" });
  });

  test("sells extras at a delivery at the server's price, and keeps the price of booked ones", async () => {
    await insertCheckInRental({ extras: [{ code: "SEAT", quantity: 1, unitCents: 700 }] });
    const { result } = await sendCheckInOperation(
      desk,
      createDeliveryMessage({
        extras: [
          { extra_code: "SEAT", quantity: 1 },
          { extra_code: "GPS", quantity: 1 },
        ],
      }),
    );
    expect(result.state).toBe("applied");
    // Two seats at 7.00, a navigator at 15.00.
    expect(await booking()).toMatchObject({ extras_cents: 1400 + 1500, total_cents: 8000 + 2900 });
    expect(
      await readFirstRow("SELECT sum(quantity) AS taken FROM stock_allocations WHERE kind = 'extra' AND code = 'SEAT'"),
    ).toEqual({
      taken: 2,
    });
  });

  test("takes a percentage discount from extras sold at a delivery and a return, also in invoice and ledger", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(`UPDATE bookings SET item_cents = 7200, total_cents = 7200, discount_cents = 800,
        discount = '{"kind":"percentage","value":1000,"reason":"Regular","by":"staff:1"}' WHERE id = 7`),
      env.TENANT_ACME.prepare("UPDATE booking_lines SET item_cents = 7200, discount_cents = 800 WHERE id = 7"),
    ]);
    await sendCheckInOperation(desk, createDeliveryMessage({ extras: [{ extra_code: "GPS", quantity: 1 }] }));
    const sums = "SELECT item_cents, extras_cents, discount_cents, total_cents FROM bookings WHERE id = 7";
    expect(await readFirstRow(sums)).toEqual({
      ...{ item_cents: 7050, extras_cents: 1500, discount_cents: 950, total_cents: 8550 },
    });
    expect(await readFirstRow("SELECT item_cents, discount_cents FROM booking_lines WHERE id = 7")).toEqual({
      ...{ item_cents: 7050, discount_cents: 950 },
    });
    await sendCheckInOperation(
      desk,
      createCollectionMessage({ kilometres: 1150, extras: [{ extra_code: "SEAT", quantity: 1 }] }),
    );
    const seat = await readFirstRow("SELECT extra_cents FROM booking_extras WHERE extra_code = 'SEAT'");
    const listCents = 8000 + 1500 + Number(seat?.["extra_cents"]);
    const closed = await readFirstRow("SELECT discount_cents, total_cents FROM bookings WHERE id = 7");
    expect(closed).toEqual({ discount_cents: listCents / 10, total_cents: listCents * 0.9 });
    expect(await readFirstRow("SELECT sum(total_cents) AS total_cents FROM documents WHERE booking_id = 7")).toEqual({
      total_cents: closed?.["total_cents"],
    });
    const tenant = openTestTenant(env);
    expect(await auditContractBalances(tenant)).toBe(0);
    const toCivilDate = (at: number) => toCivilNow("Europe/Madrid", at).date;
    expect(await compareOrRepairLedger(tenant.db, toCivilDate, { repairs: false })).toMatchObject({
      ...{ contracts: 1, different: [], wrongSums: 0 },
    });
  });

  // Proves "rules.md: sales and payments": … also when a phone sells it: the requested deposit is the lowered one
  test("limits extras sold at delivery by the number of vehicles, and requests the deposit reduced by them", async () => {
    await env.TENANT_ACME.prepare(
      `UPDATE extras SET limit_per = 'vehicle', deposit_reduction_type = 'amount', deposit_reduction_value = 5000,
        guarantee_reduction_value = 0 WHERE code = 'GPS'`,
    ).run();
    await openTestTenant(env).freshSnapshot();
    await insertCheckInRental({ units: 2 });
    const charges = [
      { charge_id: createOpId(), kind: "deposit_taken" as const, amount: "100.00", payment_method_id: "cash" as const },
    ];
    const { result } = await sendCheckInOperation(
      desk,
      createDeliveryMessage({ extras: [{ extra_code: "GPS", quantity: 2 }], charges }),
    );
    expect(result.warnings.map(({ code }) => code)).not.toEqual(expect.arrayContaining(["extra_refused"]));
    expect(result.warnings.map(({ code }) => code)).not.toEqual(expect.arrayContaining(["deposit_short"]));
    expect(
      await readFirstRow(`SELECT extras_cents, product_deposit_cents, product_guarantee_cents, product_deposit_reduction_cents AS deposit_off,
        product_guarantee_reduction_cents AS guarantee_off, total_deposit_cents FROM bookings`),
    ).toEqual({
      extras_cents: 3000,
      ...{ product_deposit_cents: 10_000, product_guarantee_cents: 0, total_deposit_cents: 10_000 },
      ...{ deposit_off: 50_000, guarantee_off: 20_000 },
    });
    expect(
      await readFirstRow(`SELECT product_deposit_unit_cents AS deposit, deposit_reduction_unit_cents AS deposit_off,
        product_guarantee_unit_cents AS guarantee, guarantee_reduction_unit_cents AS guarantee_off FROM booking_lines`),
    ).toEqual({ deposit: 5000, deposit_off: 25_000, guarantee: 0, guarantee_off: 10_000 });
  });

  test("applies a delivery without an extra that is no longer available, and returns a warning", async () => {
    await insertCheckInRental();
    await insertCheckInRental({ id: 8, extras: [{ code: "SEAT", quantity: 3, unitCents: 700 }] });
    const { result } = await sendCheckInOperation(
      desk,
      createDeliveryMessage({
        extras: [
          { extra_code: "SEAT", quantity: 2 },
          { extra_code: "NONE", quantity: 1 },
        ],
      }),
    );
    expect(result.state).toBe("applied");
    expect(result.warnings.filter(({ code }) => code === "extra_refused")).toHaveLength(2);
    expect(await booking()).toMatchObject({ status: "in_progress", total_cents: 8000 });
  });

  // Proves "check-in.md: failures in the field, the server": Kilometres lower than before, an impossible fuel
  test("accepts kilometres that decrease and fuel above a full tank with a warning", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("UPDATE vehicles SET usage_units = 5000 WHERE reference = 'A-1'").run();
    const { result } = await sendCheckInOperation(desk, createDeliveryMessage({ fuel_eighths: 9 }));
    expect(result.state).toBe("applied");
    expect(result.warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["kilometres_lower", "fuel_impossible", "deposit_short", "signature_missing"]),
    );
  });

  // Proves "check-in.md: failures in the field, the server": The vehicle is out already
  test("rejects a vehicle that is out on another contract, keeps the evidence and accepts another vehicle", async () => {
    await insertCheckInRental();
    await insertCheckInRental({ id: 8 });
    await sendCheckInOperation(desk, createDeliveryMessage({ booking_id: 8, resource_id: 80 }));
    const { status, result } = await sendCheckInOperation(desk, createDeliveryMessage());
    expect(status).toBe(409);
    expect(result).toMatchObject({ state: "conflict", code: "vehicle_unavailable", booking_status: "confirmed" });
    expect(await readFirstRow("SELECT op_id, state FROM check_in_operations WHERE booking_id = 7")).toEqual({
      op_id: result.op_id,
      state: "conflict",
    });
    expect((await sendCheckInOperation(desk, createDeliveryMessage({ vehicle_reference: "A-2" }))).status).toBe(200);
  });

  // Proves "check-in.md: failures in the field, the server": The office cancels while work is recorded
  test("stores the delivery of a cancelled booking as evidence and changes no status", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("UPDATE bookings SET status = 'cancelled', version = 2 WHERE id = 7").run();
    const { status, result } = await sendCheckInOperation(
      desk,
      createDeliveryMessage({
        photos: [{ hash: "a".repeat(64), view: "front", taken_at: "2024-05-03T08:00:00.000Z" }],
      }),
    );
    expect(status).toBe(409);
    expect(result).toMatchObject({
      code: "booking_cancelled",
      booking_status: "cancelled",
      missing_photos: ["a".repeat(64)],
    });
    expect(await readFirstRow("SELECT count(*) AS kept FROM check_in_operations")).toEqual({ kept: 1 });
  });
});

describe("a collection", () => {
  // Proves "check-in.md: day, vehicles and extras": In progress by delivery, done by collection; every change in a
  //   history (rules.md)
  test("closes the contract and leaves the vehicle at the branch with its new odometer reading", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const { result } = await sendCheckInOperation(desk, createCollectionMessage({ kilometres: 1150 }));
    expect(result).toMatchObject({ state: "applied", booking_status: "done" });
    expect(await booking()).toMatchObject({ status: "done", total_cents: 8000 });
    expect(await unit()).toMatchObject({ collection_usage_units: 1150, collection_fuel: "8/8" });
    expect(await vehicle()).toMatchObject({ usage_units: 1150, branch_code: "TOWN" });
    expect(await readFirstRow("SELECT count(*) AS taken FROM stock_allocations")).toEqual({ taken: 0 });
    expect(await events()).toEqual(["delivered", "collected"]);
  });

  // Proves "rentals.md": 8b
  test("charges the started day, missing fuel, and kilometres beyond the included ones, which grow with the charged day", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    // Three hours late, 400 km with 300 included in all, and three eighths of fuel missing.
    await sendCheckInOperation(
      desk,
      createCollectionMessage({ recorded_at: "2024-05-05T11:00:00.000Z", fuel_eighths: 5, kilometres: 1400 }),
    );
    expect(await booking()).toMatchObject({
      supplement_1_cents: 4000,
      supplement_2_cents: 2400,
      supplement_3_cents: 2000,
      total_cents: 16_400,
    });
  });

  // Proves "check-in.md: failures in the field, the server": Late: a day for every 24 hours begun, the grace granted
  //   each time; included kilometres grow (rules.md)
  // Proves "rentals.md": 8
  test.each([
    ["2024-05-06T08:30:00.000Z", 4000],
    ["2024-05-06T10:00:00.000Z", 4000],
    ["2024-05-06T10:01:00.000Z", 8000],
  ])(
    "charges a late return at %s per started 24 hours, each with the grace period: %i cents",
    async (recorded_at, cents) => {
      await insertCheckInRental();
      await sendCheckInOperation(desk, createDeliveryMessage());
      await sendCheckInOperation(desk, createCollectionMessage({ recorded_at }));
      expect(await booking()).toMatchObject({ supplement_1_cents: cents, total_cents: 8000 + cents });
    },
  );

  // Proves "rules.md: the life of a contract": paid days come before these 24 hours
  test.each([
    ["2024-05-05T10:00:00.000Z", 0],
    ["2024-05-05T10:01:00.000Z", 4000],
  ])(
    "charges a return at %s, later than an agreed early return, only for time beyond the paid days: %i cents",
    async (recorded_at, cents) => {
      await insertCheckInRental();
      await env.TENANT_ACME.prepare("UPDATE bookings SET date_to = '2024-05-04'").run();
      await sendCheckInOperation(desk, createDeliveryMessage());
      await sendCheckInOperation(desk, createCollectionMessage({ recorded_at, kilometres: 1200 }));
      expect(await booking()).toMatchObject({ supplement_1_cents: cents, total_cents: 8000 + cents });
    },
  );

  // Proves "check-in.md: failures in the field, the server": Its time is before its delivery
  // Proves "rentals.md": 9e
  test("stores a collection dated before its delivery as evidence and closes nothing", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const { status, result } = await sendCheckInOperation(
      desk,
      createCollectionMessage({ recorded_at: "1999-01-01T08:00:00.000Z" }),
    );
    expect(status).toBe(409);
    expect(result).toMatchObject({
      state: "conflict",
      code: "before_delivery",
      by: "Dora Desk",
      booking_status: "in_progress",
    });
    expect(await unit()).toMatchObject({ collected_at: null });
    expect(await readFirstRow("SELECT state FROM check_in_operations WHERE kind = 'collection'")).toEqual({
      state: "conflict",
    });
  });

  test("dates a collection by its time of receipt if the device's clock is ahead, flags it, and charges no extra day", async () => {
    const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
    await insertCheckInRental({ from: day(-1), to: day(1) });
    const before = Date.now();
    await sendCheckInOperation(desk, createDeliveryMessage({ recorded_at: "2999-01-01T08:00:00.000Z" }));
    const { result } = await sendCheckInOperation(
      desk,
      createCollectionMessage({ recorded_at: "9999-12-31T23:00:00.000Z", kilometres: 1150 }),
    );
    expect(result).toMatchObject({ state: "applied", flags: ["clock"], booking_status: "done" });
    expect(await booking()).toMatchObject({ supplement_1_cents: 0, total_cents: 8000 });
    for (const column of ["delivered_at", "collected_at"] as const) {
      expect(Number((await unit())?.[column])).toBeGreaterThanOrEqual(before);
      expect(Number((await unit())?.[column])).toBeLessThanOrEqual(Date.now());
    }
    const storedOperation = await readFirstRow("SELECT recorded_at FROM check_in_operations WHERE kind = 'collection'");
    expect(storedOperation).toEqual({ recorded_at: Date.parse("9999-12-31T23:00:00.000Z") });
  });

  test("leaves the contract open after one of two units is collected", async () => {
    await insertCheckInRental({ units: 2 });
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(
      desk,
      createDeliveryMessage({ resource_id: 71, vehicle_reference: "A-2", base_version: 2, seq: 2 }),
    );
    expect((await sendCheckInOperation(desk, createCollectionMessage({ base_version: 3 }))).result.booking_status).toBe(
      "in_progress",
    );
    expect(
      (
        await sendCheckInOperation(
          desk,
          createCollectionMessage({ resource_id: 71, vehicle_reference: "A-2", base_version: 4 }),
        )
      ).result.booking_status,
    ).toBe("done");
  });

  // Proves "check-in.md: day, vehicles and extras": Earlier damage is part of the day
  test("shows damage of a return at the vehicle's next rental", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const damage: Damage = {
      damage_id: createOpId(),
      part: "front_left_door",
      kind: "scratch",
      severity: "light",
      x: 300,
      y: 420,
      photos: ["b".repeat(64)],
    };
    await sendCheckInOperation(desk, createCollectionMessage({ damages: [damage] }));
    await insertCheckInRental({ id: 8, from: "2024-05-06", to: "2024-05-08" });
    await env.TENANT_ACME.prepare("UPDATE booking_units SET vehicle_reference = 'A-1' WHERE id = 80").run();
    const day = await callAsStaff(
      "GET",
      "/v1/booking/deliveries-collections?date=2024-05-06&rental_location_code=AIR",
      desk,
    );
    const { deliveries } = (await day.json()) as { deliveries: { resources: { vehicle: { damages: unknown[] } }[] }[] };
    expect(deliveries[0]?.resources[0]?.vehicle.damages).toEqual([
      expect.objectContaining({
        damage_id: damage.damage_id,
        part: "front_left_door",
        since: "2024-05-05",
        booking_id: 7,
      }),
    ]);
  });

  test("invoices damage of the price list with its return, and shows it as charged", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare(
      `INSERT INTO extras (code, name, price_per, price_cents, max_quantity, vat_basis_points, active)
        VALUES ('SCRATCH', 'Scratch', 'rental', 9000, 1, 2100, 0)`,
    ).run();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const damage_id = createOpId();
    const damage = { damage_id, part: "roof", kind: "scratch", severity: "light", x: 1, y: 2 } as const;
    const { result } = await sendCheckInOperation(
      desk,
      createCollectionMessage({
        kilometres: 1150,
        damages: [damage],
        surcharges: [
          { code: "SCRATCH", text: "Roof", damage_id },
          { code: "GONE", amount: "5.00" },
        ],
      }),
    );
    expect(result).toMatchObject({ state: "applied", booking_status: "done" });
    expect(result.warnings.filter(({ code }) => code === "extra_refused")).toMatchObject([{ field: "surcharges" }]);
    expect(await booking()).toMatchObject({ total_cents: 8000 + 9000 });
    expect(await readFirstRow("SELECT concept, total_cents FROM document_items WHERE concept LIKE 'Scratch%'")).toEqual(
      {
        concept: "Scratch: Roof",
        total_cents: 9000,
      },
    );
    await insertCheckInRental({ id: 8, from: "2024-05-06", to: "2024-05-08" });
    await env.TENANT_ACME.prepare("UPDATE booking_units SET vehicle_reference = 'A-1' WHERE id = 80").run();
    const day = checkInDayAnswer.parse(
      await (
        await callAsStaff("GET", "/v1/booking/deliveries-collections?date=2024-05-06&rental_location_code=AIR", desk)
      ).json(),
    );
    expect(day.deliveries[0]?.resources[0]?.vehicle?.damages).toMatchObject([{ damage_id, is_charged: true }]);
  });

  test("rejects charges for damage of a delivery", async () => {
    await insertCheckInRental();
    const { status, result } = await sendCheckInOperation(
      desk,
      createDeliveryMessage({ surcharges: [{ code: "SCRATCH", amount: "5.00" }] }),
    );
    expect([status, result.detail]).toMatchObject([400, [{ field: "surcharges", code: "collections_only" }]]);
  });

  test("unassigns a vehicle returned to another branch group from its next contract, and reports it", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("UPDATE bookings SET return_branch_code = 'ISLE' WHERE id = 7").run();
    expect((await sendCheckInOperation(desk, createDeliveryMessage())).status).toBe(200);
    await insertCheckInRental({ id: 8, from: "2024-05-06", to: "2024-05-08" });
    await insertCheckInRental({ id: 9, from: "2024-06-06", to: "2024-06-08" });
    await env.TENANT_ACME.prepare(
      "UPDATE booking_units SET vehicle_reference = 'A-1' WHERE booking_id IN (8, 9)",
    ).run();
    expect((await sendCheckInOperation(await createToken("boss"), createCollectionMessage())).result).toMatchObject({
      state: "applied",
    });
    expect(await unit(80)).toMatchObject({ vehicle_reference: null });
    expect(await unit(90)).toMatchObject({ vehicle_reference: "A-1" });
    expect(await readFirstRow("SELECT event, actor, detail FROM booking_history WHERE booking_id = 8")).toEqual({
      event: "unassigned",
      actor: expect.stringMatching(/^staff:/),
      detail: '{"before":{"reference":"A-1"},"reasonCode":"vehicle_blocked","reasonParams":{}}',
    });
  });

  // Proves "check-in.md: failures in the field, the server": A collection arrives before its delivery
  test("holds a collection until its delivery arrives, then applies both", async () => {
    await insertCheckInRental();
    const early = await sendCheckInOperation(
      desk,
      createCollectionMessage({ base_version: 1, device_id: "device-0002", seq: 1 }),
    );
    expect(early.status).toBe(202);
    expect(early.result).toMatchObject({ state: "held", booking_status: "confirmed" });
    expect((await sendCheckInOperation(desk, createDeliveryMessage())).status).toBe(200);
    expect(await booking()).toMatchObject({ status: "done" });
    expect(await readFirstRow("SELECT state, flags FROM check_in_operations WHERE kind = 'collection'")).toEqual({
      state: "applied",
      flags: '["parallel","held"]',
    });
  });

  // Proves "check-in.md: failures in the field, the server": Its delivery never comes
  test("applies a collection with a flag after a day if its delivery never arrives", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createCollectionMessage({ base_version: 1 }));
    expect(await applyDueHeldOperations(openTestTenant(env), Date.now() + 23 * 3_600_000)).toBe(0);
    expect(await applyDueHeldOperations(openTestTenant(env), Date.now() + 25 * 3_600_000)).toBe(1);
    expect(await booking()).toMatchObject({ status: "done" });
    expect(await unit()).toMatchObject({ vehicle_reference: "A-1" });
    expect(await readFirstRow("SELECT flags FROM check_in_operations")).toMatchObject({
      flags: expect.stringContaining("without_delivery"),
    });
  });
});

describe("repeated operations", () => {
  test("applies forty simultaneous copies of an operation once, with one response", async () => {
    await insertCheckInRental();
    const delivery = createDeliveryMessage();
    const answers = await Promise.all(Array.from({ length: 40 }, () => sendCheckInOperation(desk, delivery)));
    const texts = new Set(await Promise.all(answers.map(({ response }) => response.text())));
    expect(texts.size).toBe(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await readFirstRow("SELECT count(*) AS kept FROM check_in_operations")).toEqual({ kept: 1 });
    expect(await events()).toEqual(["delivered"]);
  });

  test("rejects an operation with a used id and different content", async () => {
    await insertCheckInRental();
    const delivery = createDeliveryMessage();
    await sendCheckInOperation(desk, delivery);
    const { status, result } = await sendCheckInOperation(desk, { ...delivery, kilometres: 999 });
    expect(status).toBe(422);
    expect(result).toMatchObject({ state: "rejected", code: "other_content" });
  });

  // Proves "check-in.md: failures in the field, the server": Two deliver the same booking
  test("applies one of two simultaneous deliveries, and returns its agent and time to the other", async () => {
    await insertCheckInRental();
    const boss = await createToken("boss");
    const twins = await Promise.all([
      sendCheckInOperation(desk, createDeliveryMessage()),
      sendCheckInOperation(boss, createDeliveryMessage({ device_id: "device-0002", vehicle_reference: "A-2" })),
    ]);
    expect(twins.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = twins.find(({ status }) => status === 409)?.result;
    expect(refused).toMatchObject({
      code: "already_delivered",
      by: expect.stringMatching(/^(Dora Desk|Bea Boss)$/),
      at: "2024-05-03T08:05:00.000Z",
    });
  });

  // Proves "check-in.md: failures in the field, the server": Two devices that know the same version do different
  //   operations
  test("applies different operations of two devices on one booking, and flags the later one", async () => {
    await insertCheckInRental({ units: 2 });
    const { result: first } = await sendCheckInOperation(desk, createDeliveryMessage());
    const { result } = await sendCheckInOperation(
      desk,
      createDeliveryMessage({ resource_id: 71, vehicle_reference: "A-2", device_id: "device-0002" }),
    );
    expect(first).toMatchObject({ state: "applied", flags: [] });
    expect(result).toMatchObject({ state: "applied", flags: ["parallel"] });
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT vehicle_reference FROM booking_units WHERE delivered_at IS NOT NULL ORDER BY id",
    ).all();
    expect(results.map(({ vehicle_reference }) => vehicle_reference)).toEqual(["A-1", "A-2"]);
  });

  test("keeps a delivery of a unit that the office removed as evidence", async () => {
    await insertCheckInRental();
    const { status, result } = await sendCheckInOperation(desk, createDeliveryMessage({ resource_id: 999 }));
    expect([status, result.state, result.code]).toEqual([409, "conflict", "unit_gone"]);
    expect(await readFirstRow("SELECT state, unit_id FROM check_in_operations")).toEqual({
      ...{ state: "conflict", unit_id: null },
    });
  });

  test("lets the office review an extra day if the device's clock was changed after its last contact", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const late = createCollectionMessage({ recorded_at: "2024-05-06T12:00:00.000Z" });
    const response = await callAsStaff("POST", "/v1/booking/check-in-operations", desk, late, {
      "X-Device-Time": String(Date.now() + 7_200_000),
    });
    const { results } = (await response.json()) as { results: OperationResultMessage[] };
    expect(results[0]).toMatchObject({ state: "applied", flags: ["clock"] });
    expect(results[0]?.warnings.map(({ code }) => code)).toContain("return_time_uncertain");
    expect(await readFirstRow("SELECT number FROM documents")).toEqual({ number: null });
  });

  test("returns a separate result for each of several operations in one request", async () => {
    await insertCheckInRental();
    const response = await callAsStaff("POST", "/v1/booking/check-in-operations", desk, {
      operations: [
        createDeliveryMessage(),
        createDeliveryMessage({ seq: 2 }),
        createDeliveryMessage({ booking_id: 999, seq: 3 }),
        createCollectionMessage(),
      ],
    });
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as { results: { status: number; state: string }[] };
    expect(results.map(({ status }) => status)).toEqual([200, 409, 404, 200]);
  });
});

describe("a correction", () => {
  test("corrects the readings, and can replace the vehicle that is out", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const corrected = await sendCheckInOperation(
      desk,
      createDeliveryMessage({
        kind: "correction",
        seq: 2,
        base_version: 2,
        vehicle_reference: "A-2",
        kilometres: 2000,
      }),
    );
    expect(corrected.result.state).toBe("applied");
    expect(await unit()).toMatchObject({
      vehicle_reference: "A-2",
      delivery_usage_units: 2000,
      delivery_fuel: "8/8",
    });
  });

  // Proves "check-in.md: failures in the field, the server": A correction that was recorded before the vehicle was back
  //   is of its delivery
  test("corrects the delivery after the return if the correction was recorded before the return but arrives later", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(desk, createCollectionMessage({ kilometres: 1150, device_id: "device-0002" }));
    await sendCheckInOperation(
      desk,
      createDeliveryMessage({
        kind: "correction",
        seq: 2,
        base_version: 2,
        recorded_at: "2024-05-03T08:10:00.000Z",
        kilometres: 1010,
      }),
    );
    expect(await unit()).toMatchObject({ delivery_usage_units: 1010, collection_usage_units: 1150 });
    expect(await vehicle()).toMatchObject({ usage_units: 1150 });
  });

  // Proves "check-in.md: failures in the field, the server": Charges of a return stay, and a correction with other
  //   charges is reported
  test("reports that corrected kilometers or fuel would change the return's charge, and requests a review", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(desk, createCollectionMessage({ kilometres: 1150 }));
    const correction = { kind: "correction", base_version: 3, recorded_at: "2024-05-05T09:00:00.000Z" } as const;
    const postAndReadCodes = async (changes: Partial<CheckInOperationMessage>) =>
      (await sendCheckInOperation(desk, createCollectionMessage({ ...correction, ...changes }))).result.warnings.map(
        ({ code }) => code,
      );
    expect(await postAndReadCodes({ seq: 4, kilometres: 1160 })).toEqual([]);
    expect(await postAndReadCodes({ seq: 5, kilometres: 1201, fuel_eighths: undefined })).toEqual(["closing_differs"]);
    expect(await postAndReadCodes({ seq: 6, kilometres: undefined, fuel_eighths: 1 })).toEqual(["closing_differs"]);
    expect(await readFirstRow("SELECT count(*) AS looked FROM check_in_operations WHERE needs_review = 1")).toEqual({
      looked: 2,
    });
    expect(await booking()).toMatchObject({ supplement_3_cents: 0 });
  });
});

describe("a vehicle's own state", () => {
  // Proves "check-in.md: failures in the field, the server": A vehicle's own state follows what happened last
  //   (rules.md)
  // Proves "rentals.md": 10
  test("keeps a vehicle's current state if an older contract is corrected late", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(desk, createCollectionMessage({ kilometres: 1300 }));
    await insertCheckInRental({ id: 8, from: "2024-05-06", to: "2024-05-08" });
    const later = { booking_id: 8, resource_id: 80 };
    await sendCheckInOperation(
      desk,
      createDeliveryMessage({ ...later, recorded_at: "2024-05-06T08:00:00.000Z", kilometres: 1310 }),
    );
    const correction = { kind: "correction", base_version: 3, recorded_at: "2024-05-06T09:00:00.000Z" } as const;
    await sendCheckInOperation(desk, createCollectionMessage({ ...correction, kilometres: 1290, fuel_eighths: 2 }));
    expect(await unit()).toMatchObject({ collection_usage_units: 1290, collection_fuel: "2/8" });
    expect(await vehicle()).toMatchObject({ usage_units: 1310, usage_available_fuel: "8/8" });
    await sendCheckInOperation(desk, createCollectionMessage({ ...later, ...correction, seq: 4, kilometres: 1311 }));
    expect(await vehicle()).toMatchObject({ usage_units: 1311, read_at: Date.parse("2024-05-06T08:00:00.000Z") });
  });

  test("uses the odometer reading of a delivery that arrives after the vehicle was moved, and keeps the new branch", async () => {
    await insertCheckInRental();
    const move = { rental_location_code: "TOWN", at: "2031-03-01T10:00" };
    const moveResponse = await callAsStaff("POST", "/v1/office/vehicles/A-1/move", await createToken("boss"), move, {
      "Idempotency-Key": "move-of-a-vehicle",
    });
    expect(moveResponse.status).toBe(200);
    await sendCheckInOperation(desk, createDeliveryMessage({ kilometres: 1052 }));
    expect(await vehicle()).toMatchObject({ usage_units: 1052, branch_code: "TOWN" });
  });

  // Proves "rules.md and conventions.md: the agency interface": … and a warning if it's days before
  test("occupies the vehicle from an early delivery on, and warns if it is days early but not if hours", async () => {
    await insertCheckInRental({ from: "2024-06-03", to: "2024-06-05" });
    const deliveryResponse = await sendCheckInOperation(
      desk,
      createDeliveryMessage({ recorded_at: "2024-05-20T08:00:00.000Z" }),
    );
    expect(deliveryResponse.result.state).toBe("applied");
    expect(deliveryResponse.result.warnings.map(({ code }) => code)).toContain("early_delivery");
    const allocation = await readFirstRow("SELECT starts_at FROM stock_allocations");
    expect(allocation).toEqual({ starts_at: expect.toSatisfy((minute) => minute < Date.parse("2024-05-21") / 60_000) });
    expect(await readFirstRow("SELECT needs_review FROM check_in_operations")).toEqual({ needs_review: 1 });
    await insertCheckInRental({ id: 8, from: "2024-05-03", to: "2024-05-05" });
    const hoursEarly = createDeliveryMessage({
      ...{ booking_id: 8, resource_id: 80, vehicle_reference: "A-2", seq: 2 },
      recorded_at: "2024-05-02T20:00:00.000Z",
    });
    const { result } = await sendCheckInOperation(desk, hoursEarly);
    expect([result.state, result.warnings.map(({ code }) => code)]).toEqual([
      "applied",
      expect.not.arrayContaining(["early_delivery"]),
    ]);
  });

  test.each([
    ["inspection_due", "inspection"],
    ["insured_until", "insurance"],
  ])(
    "accepts a delivery with a warning and a review task if the vehicle's %s expires before the return",
    async (column, obligation) => {
      await insertCheckInRental();
      const ends = (day: string) =>
        env.TENANT_ACME.prepare(`UPDATE vehicles SET ${column} = ? WHERE reference = 'A-1'`).bind(day).run();
      const dues = (warnings: readonly { code: string; message: string }[]) =>
        warnings.filter(({ code }) => code === "vehicle_due").map(({ message }) => message);
      await ends("2024-05-04");
      const { result } = await sendCheckInOperation(desk, createDeliveryMessage());
      expect([result.state, dues(result.warnings)]).toEqual([
        "applied",
        [`the vehicle's ${obligation} ends before it is back`],
      ]);
      expect(await readFirstRow("SELECT needs_review FROM check_in_operations")).toEqual({ needs_review: 1 });
    },
  );

  test("accepts the return of another vehicle than the delivered one, with a warning and a review task", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage({ vehicle_reference: "A-2" }));
    const { result } = await sendCheckInOperation(desk, createCollectionMessage({ vehicle_reference: "A-1" }));
    expect([result.state, result.warnings.map(({ code }) => code)]).toEqual(["applied", ["other_vehicle"]]);
    expect(await readFirstRow("SELECT sum(needs_review) AS looks FROM check_in_operations")).toEqual({ looks: 1 });
    expect(await readFirstRow("SELECT vehicle_reference FROM booking_units")).toEqual({ vehicle_reference: "A-2" });
  });

  test("accepts a delivery without a warning if the vehicle is inspected and insured until the last day", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare(
      "UPDATE vehicles SET inspection_due = '2024-05-05', insured_until = '2024-05-05'",
    ).run();
    const { result } = await sendCheckInOperation(desk, createDeliveryMessage());
    expect(result.state).toBe("applied");
    expect(result.warnings.map(({ code }) => code)).not.toContain("vehicle_due");
  });

  // Proves "check-in.md: failures in the field, the server": A blocked, assigned or foreign vehicle is delivered with a
  //   warning
  // Proves "rentals.md": 10b
  test("accepts a delivery with a warning if the vehicle is blocked, assigned elsewhere or in another branch group", async () => {
    await insertCheckInRental();
    await insertCheckInRental({ id: 8, from: "2024-05-04", to: "2024-05-06" });
    await insertCheckInRental({ id: 9 });
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE vehicles SET branch_group_id = 2 WHERE reference = 'A-1'"),
      env.TENANT_ACME.prepare("UPDATE booking_units SET vehicle_reference = 'A-1' WHERE id = 80"),
    ]);
    const { result } = await sendCheckInOperation(desk, createDeliveryMessage());
    expect(result.state).toBe("applied");
    const codes = result.warnings.map(({ code }) => code).filter((code) => code.startsWith("vehicle"));
    expect(codes).toEqual(["vehicle_elsewhere", "vehicle_promised"]);
    await env.TENANT_ACME.prepare(
      "INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('A-2', 'workshop', 0, unixepoch('2024-05-04') / 60)",
    ).run();
    const blocked = await sendCheckInOperation(
      desk,
      createDeliveryMessage({ booking_id: 9, resource_id: 90, vehicle_reference: "A-2" }),
    );
    expect(blocked.result.warnings.map(({ code }) => code)).toContain("vehicle_blocked");
    expect(await readFirstRow("SELECT count(*) AS blocks FROM vehicle_blocks")).toEqual({ blocks: 1 });
    expect(await readFirstRow("SELECT sum(needs_review) AS looks FROM check_in_operations")).toEqual({ looks: 2 });
  });
});

describe("invalid requests", () => {
  test.each([
    ["resource_id", { resource_id: undefined }],
    ["vehicle_reference", { vehicle_reference: undefined }],
  ])("rejects an operation without a valid %s, and doesn't store it", async (field, changes) => {
    await insertCheckInRental();
    const { status, result } = await sendCheckInOperation(desk, createDeliveryMessage(changes));
    expect(status).toBe(400);
    expect(result).toMatchObject({ state: "rejected", message: expect.stringContaining(field) });
    expect(await readFirstRow("SELECT count(*) AS kept FROM check_in_operations")).toEqual({ kept: 0 });
  });

  test.each([
    ["kilometres", { kilometres: -1 }],
    ["kilometres", { kilometres: 1.5 }],
    ["recorded_at", { recorded_at: "yesterday" }],
    ["op_id", { op_id: "1" }],
    ["total_cost", { total_cost: "0.00" }],
    [
      "charges.0.amount",
      { charges: [{ charge_id: createOpId(), kind: "payment", amount: "1.234", payment_method_id: "cash" }] },
    ],
  ])("names the field of an operation with a wrong %s", async (field, changes) => {
    await insertCheckInRental();
    const response = await callAsStaff("POST", "/v1/booking/check-in-operations", desk, {
      ...createDeliveryMessage(),
      ...changes,
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(field);
  });

  // Proves "check-in.md: day, vehicles and extras": Check-in operations need the token of staff of the branch
  test("rejects check-in operations of callers who aren't staff and of staff of another branch", async () => {
    await insertCheckInRental();
    expect(
      (await callAsStaff("POST", "/v1/booking/check-in-operations", undefined, createDeliveryMessage())).status,
    ).toBe(401);
    expect(
      (await callAsStaff("POST", "/v1/booking/check-in-operations", await createToken("ana"), createDeliveryMessage()))
        .status,
    ).toBe(403);
    await env.TENANT_ACME.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    const { status, result } = await sendCheckInOperation(desk, createDeliveryMessage());
    expect([status, result.code]).toEqual([404, "unknown_booking"]);
  });

  // Proves "check-in.md: failures in the field, the server": A user is disabled while offline; another sends their work
  test("rejects operations of a user disabled while offline, and lets another user send them in the author's name", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("UPDATE users SET active = 0 WHERE username = 'desk'").run();
    expect((await callAsStaff("POST", "/v1/booking/check-in-operations", desk, createDeliveryMessage())).status).toBe(
      401,
    );
    await sendCheckInOperation(await createToken("boss"), createDeliveryMessage({ author: "desk" }));
    expect(await readFirstRow("SELECT author, user_id FROM check_in_operations")).toEqual({
      author: "desk",
      user_id: 3,
    });
  });

  // Proves "check-in.md": 7b
  test("rejects a user's operations after a password change until the user signs in again, and keeps their author", async () => {
    await insertCheckInRental();
    const password = "Other-pass-1!";
    const change = { expected_version: 1, password };
    const idempotencyHeaders = { "Idempotency-Key": '"another-password"' };
    const changed = await callAsStaff(
      "PATCH",
      "/v1/office/users/2",
      await createToken("boss"),
      change,
      idempotencyHeaders,
    );
    expect(changed.status).toBe(200);
    const recorded = createDeliveryMessage();
    expect((await sendCheckInOperation(desk, recorded)).status).toBe(401);
    expect(await (await login("desk")).json()).toMatchObject({ connected: false });
    const signedIn = (await login("desk", password)).headers.get("Authorization") ?? "";
    expect((await sendCheckInOperation(signedIn, recorded)).result).toMatchObject({ state: "applied" });
    expect(await readFirstRow("SELECT author, user_id FROM check_in_operations")).toEqual({
      author: "Dora Desk",
      user_id: 2,
    });
  });
});

describe("device status reports", () => {
  const report = {
    waiting: 2,
    blocked: 1,
    begun: [{ booking_id: 7, kind: "delivery", step: "photos", at: "2027-05-03T10:00:00.000Z" }],
  };
  const post = (token: string, id: string, body: unknown) =>
    callAsStaff("PUT", `/v1/booking/check-in-devices/${id}/report`, token, body);

  const phone = async (id: string) => {
    const answer = await callAsStaff("GET", "/v1/booking/check-in-operations", await createToken("boss"));
    const { devices } = (await answer.json()) as { devices: Record<string, unknown>[] };
    return devices.find(({ device_id }) => device_id === id);
  };

  // Proves "check-in.md: day, vehicles and extras": PUT /api/v1/booking/check-in-devices/:id/report: the office sees a
  //   phone's last report
  // Proves "check-in.md": P27
  test("shows the office only a device's latest status report, even before the device sends any operation", async () => {
    expect((await post(desk, "phone-0009", { ...report, waiting: 5 })).status).toBe(200);
    const reportResponse = await post(desk, "phone-0009", report);
    expect(await reportResponse.json()).toMatchObject({ device_id: "phone-0009" });
    expect(await phone("phone-0009")).toMatchObject({ ...report, missing: 0 });
  });

  // Proves "check-in.md: day, vehicles and extras": PUT /api/v1/booking/check-in-devices/:id/report: `last_seq` finds a
  //   phone that was put back to an older copy of itself
  // Proves "check-in.md": 13e
  test("ignores a status report with a lower sequence number from a device restored to an older copy", async () => {
    expect(await (await post(desk, "phone-0009", { ...report, last_seq: 7 })).json()).toMatchObject({ last_seq: 7 });
    const back = { waiting: 0, blocked: 0, begun: [], last_seq: 4 };
    expect(await (await post(desk, "phone-0009", back)).json()).toMatchObject({ last_seq: 7 });
    expect(await phone("phone-0009")).toMatchObject(report);
    expect(await (await post(desk, "phone-0009", { ...back, last_seq: 8 })).json()).toMatchObject({ last_seq: 8 });
    expect(await phone("phone-0009")).toMatchObject({ waiting: 0, begun: [] });
  });

  // Proves "check-in.md: day, vehicles and extras": GET /api/v1/booking/check-in-operations: `repeated` of a device is
  //   reported and hides nothing `missing`
  // Proves "check-in.md": 13d
  test("counts duplicate sequence numbers of a device's operations, without hiding missing ones", async () => {
    await insertCheckInRental();
    const { kind: _kind, charges: _charges, extras: _extras, ...rest } = createDeliveryMessage();
    const note = (seq: number) => ({ ...rest, kind: "evidence", charges: [], extras: [], op_id: createOpId(), seq });
    for (const seq of [1, 2, 5, 2]) expect((await sendCheckInOperation(desk, note(seq))).status).toBe(200);
    expect(await phone(String(rest.device_id))).toMatchObject({ last_seq: 5, received: 4, repeated: 1, missing: 2 });
  });

  // Proves "check-in.md: day, vehicles and extras": PUT /api/v1/booking/check-in-devices/:id/report: a wrong field is
  //   named
  test.each([
    ["a negative number of waiting operations", { ...report, waiting: -1 }, "waiting"],
    ["a negative sequence number", { ...report, last_seq: -1 }, "last_seq"],
    [
      "an unknown kind of a started operation",
      { ...report, begun: [{ ...report.begun[0], kind: "party" }] },
      "begun.0.kind",
    ],
    ["more than 20 started operations", { ...report, begun: Array(21).fill(report.begun[0]) }, "begun"],
  ])("rejects a device status report with %s, naming the field", async (_what, body, field) => {
    const answer = await post(desk, "phone-0009", body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain(field);
  });

  test("accepts device status reports only from staff", async () => {
    expect((await post("nobody", "phone-0009", report)).status).toBe(401);
    expect((await post(await createToken("ana"), "phone-0009", report)).status).toBe(403);
    expect(await phone("phone-0009")).toBeUndefined();
  });
});

describe("notes and documents of a delivery", () => {
  const parking = { parking_place: "B 14", key_number: "27", needs_cleaning: true, needs_fuel: true };
  const readParking = async () => {
    const { parking_place, key_number, needs_cleaning, needs_fuel } = (await vehicle()) ?? {};
    return { parking_place, key_number, needs_cleaning, needs_fuel };
  };

  // Proves "check-in.md: day, vehicles and extras": A vehicle's place and needs last until its delivery
  // Proves "check-in.md": P21
  test("keeps a vehicle's parking place and need for cleaning or fuel until its next delivery, and its key number", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(desk, createCollectionMessage({ base_version: 2, standing: parking }));
    expect(await readParking()).toEqual({ parking_place: "B 14", key_number: "27", needs_cleaning: 1, needs_fuel: 1 });
    const cleaned = { standing: { needs_cleaning: false, parking_place: "" }, base_version: 3, charges: [] };
    const later = { op_id: createOpId(), seq: 9, recorded_at: "2024-05-05T12:00:00.000Z" };
    const { op_id: _id, ...evidence } = { ...createDeliveryMessage(), kind: "evidence" as const, ...cleaned, ...later };
    expect(await sendCheckInOperation(desk, { ...evidence, op_id: later.op_id })).toMatchObject({ status: 200 });
    expect(await readParking()).toEqual({ parking_place: null, key_number: "27", needs_cleaning: 0, needs_fuel: 1 });
    await insertCheckInRental({ id: 8, from: "2024-05-06", to: "2024-05-08" });
    await sendCheckInOperation(
      desk,
      createDeliveryMessage({ ...createOperation(8), recorded_at: "2024-05-06T09:00:00.000Z" }),
    );
    expect(await readParking()).toEqual({ parking_place: null, key_number: "27", needs_cleaning: 0, needs_fuel: 0 });
  });

  const createOperation = (id: number) => ({ op_id: createOpId(), booking_id: id, resource_id: id * 10, seq: 20 });

  // Proves "check-in.md: day, vehicles and extras": A driver's documents are written into the contract; other data
  //   stays
  test("stores a driver's scanned documents in the contract, and keeps fields that weren't scanned", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare(
      `UPDATE bookings SET contract_data = '{"driver_name":"Ana","driver_document_id":"1"}' WHERE id = 7`,
    ).run();
    const driver = { document_id: "X-22", date_of_birth: "1990-02-01", driving_license_expiration_date: "2031-01-01" };
    const { result } = await sendCheckInOperation(desk, createDeliveryMessage({ driver }));
    expect(result.warnings.map(({ field }) => field)).not.toContain("driver");
    expect(JSON.parse(String((await booking())?.["contract_data"]))).toEqual({
      driver_name: "Ana",
      driver_document_id: "X-22",
      driver_date_of_birth: "1990-02-01",
      driver_driving_license_expiration_date: "2031-01-01",
    });
  });

  // Proves "check-in.md: day, vehicles and extras": A licence that ends before the rental is done, and the office looks
  //   at it
  test("applies a delivery if the driver's licence expires during the rental, and flags it for the office", async () => {
    await insertCheckInRental();
    const { status, result } = await sendCheckInOperation(
      desk,
      createDeliveryMessage({ driver: { driving_license_expiration_date: "2024-05-04" } }),
    );
    expect([status, result.warnings.map(({ code }) => code)]).toEqual([
      200,
      expect.arrayContaining(["licence_expired"]),
    ]);
    expect(await readFirstRow("SELECT needs_review FROM check_in_operations WHERE booking_id = 7")).toEqual({
      needs_review: 1,
    });
  });

  test("rejects a date that doesn't exist, naming the field, and stores nothing", async () => {
    await insertCheckInRental();
    const { response } = await sendCheckInOperation(
      desk,
      createDeliveryMessage({ driver: { date_of_birth: "1990-02-31" } }),
    );
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("driver.date_of_birth")]);
    expect((await booking())?.["contract_data"]).toBe("{}");
    expect(await readFirstRow("SELECT count(*) AS n FROM check_in_operations")).toEqual({ n: 0 });
  });

  // Proves "check-in.md: day, vehicles and extras": Notes are read by colleagues in the day
  // Proves "check-in.md": P25
  test("shows a note to colleagues in the day's list", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage({ notes: "Waits at the bar" }));
    const day = await callAsStaff(
      "GET",
      "/v1/booking/deliveries-collections?date=2024-05-03&rental_location_code=AIR",
      desk,
    );
    expect(JSON.parse(await day.text()).deliveries[0].operations).toMatchObject([{ notes: "Waits at the bar" }]);
  });

  test("stores notes as typed, with several lines and emoji, and never fails a hand-over because of them", async () => {
    await insertCheckInRental();
    const notes = "Kratzer links\r\n\tTank leer \u{1f44d}\u{1f3fd}";
    const name = "\u200fנועה\u200f";
    const charge = {
      charge_id: createOpId(),
      kind: "payment",
      amount: "10.00",
      payment_method_id: "credit_card",
    } as const;
    const handOverFields = {
      driver: { name },
      authorities: { driver_origin_country: "IL\n", customer_surname: "\u{1f600}" },
      damages: [{ ...SCRATCH, note: "Tür\n\u{1f697}" }],
      charges: [{ ...charge, external_operation_number: "12\u001d34" }],
      signature: { method: "typed", name: "\u{1f600}", signed_at: "2024-05-03T08:00:00.000Z" } as const,
    };
    const { status } = await sendCheckInOperation(desk, createDeliveryMessage({ notes, ...handOverFields }));
    expect(status).toBe(200);
    expect((await booking())?.["contract_data"]).toContain('"driver_name":"נועה"');
    expect(await readFirstRow("SELECT note FROM vehicle_damages")).toEqual({ note: "Tür" });
    const day = "/v1/booking/deliveries-collections?date=2024-05-03&rental_location_code=AIR";
    const returnedOperations = JSON.parse(await (await callAsStaff("GET", day, desk)).text()).deliveries[0].operations;
    expect(returnedOperations).toMatchObject([{ notes: "Kratzer links\nTank leer" }]);
    const work = await callAsStaff("GET", "/v1/booking/7/check-in", desk);
    expect(JSON.parse(await work.text()).operations[0].operation).toMatchObject({ notes, driver: { name } });
  });

  test("accepts a delivery whose notes contain only an emoji, and stores no notes", async () => {
    await insertCheckInRental();
    const { status, result } = await sendCheckInOperation(desk, createDeliveryMessage({ notes: "\u2708\ufe0f" }));
    expect([status, result.warnings.filter(({ field }) => field === "notes")]).toEqual([200, []]);
    const day = "/v1/booking/deliveries-collections?date=2024-05-03&rental_location_code=AIR";
    const { deliveries } = checkInDayAnswer.parse(await (await callAsStaff("GET", day, desk)).json());
    expect(deliveries[0]?.operations.map(({ notes }) => notes ?? "")).toEqual([""]);
  });
});

const SCRATCH: Damage = {
  damage_id: createOpId(),
  ...({ part: "bonnet", kind: "scratch", severity: "light", x: 1, y: 1, photos: [] } as const),
};

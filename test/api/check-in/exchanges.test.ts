import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { writeContractText } from "#domain/printing/contract-text.ts";
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
import { createContractTextData } from "#support/contract-facts.ts";
import { openTestTenant } from "#support/databases.ts";
import { sha256 } from "#support/images.ts";
import { capturePrintout, getPrintoutText } from "#support/printing.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import type { CheckInOperationMessage } from "#worker/api/check-in/operation-messages.ts";

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

const SCRATCH = {
  damage_id: "01890000-0000-7000-8000-00000000d001",
  part: "left_mirror",
  kind: "scratch",
  severity: "light",
  x: 500,
  y: 500,
  note: "A wall",
  photos: ["a".repeat(64)],
} as const;

/** Creates an exchange: A-1 returns with 200 km, one eighth less fuel and a scratch. A-2 goes out. */
const createExchange = (changes: Partial<CheckInOperationMessage> = {}): CheckInOperationMessage => ({
  ...createDeliveryMessage(),
  op_id: createOpId(),
  seq: 2,
  kind: "exchange",
  base_version: 2,
  recorded_at: "2024-05-04T08:00:00.000Z",
  kilometres: 1200,
  fuel_eighths: 7,
  damages: [{ ...SCRATCH, photos: [...SCRATCH.photos] }],
  exchange: { vehicle_reference: "A-2", kilometres: 500, fuel_eighths: 8 },
  ...changes,
});

const rows = async (sql: string) => (await env.TENANT_ACME.prepare(sql).all()).results;
const damages = () => rows("SELECT vehicle_reference, part, note, booking_id, op_id, since FROM vehicle_damages");
const postAndReadState = async (operation: unknown) => {
  const { result } = await sendCheckInOperation(desk, operation);
  return [result.state, result.code];
};

describe("a vehicle that is exchanged on the road", () => {
  // Proves "check-in.md: trips for drivers": A phone exchanges a vehicle without a network, with the damage of the one
  //   that comes back: the desk's move, once
  test("exchanges a rented vehicle with readings and damage, and later closes the contract with both vehicles", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const exchange = createExchange({ notes: "Flat tyre", standing: { parking_place: "Row 4" } });
    const { status, result } = await sendCheckInOperation(desk, exchange);
    expect([status, result.state, result.version, result.warnings]).toEqual([200, "applied", 3, []]);
    expect(result.missing_photos).toEqual(SCRATCH.photos);
    expect(
      await readFirstRow("SELECT vehicle_reference, delivery_usage_units, delivered_at FROM booking_units"),
    ).toEqual({
      ...{ vehicle_reference: "A-2", delivery_usage_units: 500 },
      delivered_at: Date.parse(exchange.recorded_at),
    });
    expect(
      await readFirstRow("SELECT vehicle_reference, return_usage_units, return_fuel FROM exchanged_vehicles"),
    ).toEqual({
      ...{ vehicle_reference: "A-1", return_usage_units: 1200, return_fuel: "7/8" },
    });
    expect(await damages()).toEqual([
      {
        ...{ vehicle_reference: "A-1", part: "left_mirror", note: "A wall", booking_id: 7, op_id: exchange.op_id },
        since: "2024-05-04",
      },
    ]);
    expect(await readFirstRow("SELECT usage_units, parking_place FROM vehicles WHERE reference = 'A-1'")).toEqual({
      ...{ usage_units: 1200, parking_place: "Row 4" },
    });
    const history = await readFirstRow("SELECT event, detail FROM booking_history ORDER BY id DESC LIMIT 1");
    expect([history?.["event"], JSON.parse(String(history?.["detail"]))]).toEqual([
      "exchanged",
      {
        before: {
          ...{ reference: "A-1", kilometres: 1200, fuel: "7/8" },
          damages: [{ part: "left_mirror", kind: "scratch" }],
        },
        after: { reference: "A-2", kilometres: 500, fuel: "8/8" },
        reason: "Flat tyre",
      },
    ]);
    const back = createCollectionMessage({ vehicle_reference: "A-2", base_version: 3, seq: 3, kilometres: 650 });
    expect((await sendCheckInOperation(desk, back)).result).toMatchObject({ state: "applied", booking_status: "done" });
    // Together 350 km in two days with 100 included each: 150 at 0.20. The first lacks one eighth of fuel.
    expect(await readFirstRow("SELECT supplement_2_cents AS fuel, supplement_3_cents AS km FROM bookings")).toEqual({
      ...{ fuel: 800, km: 3000 },
    });
  });

  test("exchanges an electric vehicle for another one with the charge of both, and prints both as charge", async () => {
    await env.TENANT_ACME.prepare("UPDATE vehicles SET fuel = 'electric' WHERE reference IN ('A-1', 'A-2')").run();
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const exchange = createExchange({
      ...{ fuel_eighths: 2, damages: [] },
      exchange: { vehicle_reference: "A-2", kilometres: 500, fuel_eighths: 6 },
    });
    expect(await postAndReadState(exchange)).toEqual(["applied", "applied"]);
    expect(
      await rows("SELECT reference, usage_available_fuel AS charge FROM vehicles WHERE fuel = 'electric'"),
    ).toEqual([
      { reference: "A-1", charge: "2/8" },
      { reference: "A-2", charge: "6/8" },
    ]);
    const contract = getPrintoutText(await capturePrintout("/api/v1/office/reservations/7/contract.pdf", desk));
    expect(contract).toContain("75 %");
    expect(contract).not.toContain("Combustible");
    const back = createCollectionMessage({
      vehicle_reference: "A-2",
      base_version: 3,
      seq: 3,
      kilometres: 650,
      fuel_eighths: 5,
    });
    expect((await sendCheckInOperation(desk, back)).result).toMatchObject({ state: "applied", booking_status: "done" });
    // Six eighths of the first vehicle, one of the second.
    expect(await readFirstRow("SELECT supplement_2_cents AS charge FROM bookings")).toEqual({ charge: 5600 });
  });

  test("stores the replacement's damage, the payment for an upgrade and the signed contract", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const dent = {
      ...SCRATCH,
      damage_id: "01890000-0000-7000-8000-00000000d002",
      kind: "dent",
      vehicle: "replacement",
    } as const;
    const contract = writeContractText(createContractTextData({ bookingId: 7 }));
    const bytes = Uint8Array.from(new TextEncoder().encode(contract));
    const contractHash = await sha256(bytes);
    const signed_at = "2024-05-04T08:00:00.000Z";
    const paid = { charge_id: "01890000-0000-7000-8000-00000000c001", kind: "payment", amount: "25.00" } as const;
    const exchange = createExchange({
      damages: [
        { ...SCRATCH, photos: [] },
        { ...dent, photos: [] },
      ],
      photos: [{ hash: "c".repeat(64), view: "front", taken_at: signed_at, vehicle: "replacement" }],
      exchange: { vehicle_reference: "B-1", kilometres: 500, fuel_eighths: 8, upgrade_price: "25.00" },
      charges: [{ ...paid, payment_method_id: "cash" }],
      signature: { method: "typed", name: "Ana", signed_at, contract_hash: contractHash, contract_language: "es" },
    });
    expect((await sendCheckInOperation(desk, exchange)).result).toMatchObject({
      state: "applied",
      missing_photos: ["c".repeat(64), contractHash],
    });
    expect(await rows("SELECT vehicle_reference, kind FROM vehicle_damages ORDER BY damage_id")).toEqual([
      { vehicle_reference: "A-1", kind: "scratch" },
      { vehicle_reference: "B-1", kind: "dent" },
    ]);
    expect(await readFirstRow("SELECT total_cents, total_paid_cents FROM bookings WHERE id = 7")).toEqual({
      ...{ total_cents: 10_500, total_paid_cents: 2500 },
    });
    await callAsStaff("PUT", `/v1/booking/7/check-in-files/${contractHash}`, desk, bytes);
    const printed = getPrintoutText(await capturePrintout("/api/v1/office/reservations/7/contract.pdf", desk));
    expect(printed).toContain(contractHash);
  });

  test("marks a vehicle exchanged on the other island as away, and doesn't allocate it until it is expected back", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE settings SET repatriation_days = 4"),
      env.TENANT_ACME.prepare("INSERT INTO repatriations VALUES (1, 2, 5)"),
    ]);
    await sendCheckInOperation(desk, createDeliveryMessage());
    const exchange = createExchange({ exchange: { vehicle_reference: "B-2", kilometres: 500, fuel_eighths: 8 } });
    expect(await postAndReadState(exchange)).toEqual(["applied", "applied"]);
    const AWAY = `SELECT vehicle_reference, kind, datetime(starts_at * 60, 'unixepoch') AS since,
      (ends_at - starts_at) / 1440 AS days FROM vehicle_blocks`;
    const away = { vehicle_reference: "A-1", kind: "away", since: "2024-05-04 10:00:00", days: 5 };
    expect(await rows(AWAY)).toEqual([away]);
    expect(await readFirstRow("SELECT branch_code, branch_group_id FROM vehicles WHERE reference = 'A-1'")).toEqual({
      ...{ branch_code: "ISLE", branch_group_id: 1 },
    });
    // The vehicle left here by the next exchange is away too, from a time in the account's time zone.
    const again = createExchange({
      ...{ op_id: createOpId(), seq: 3, base_version: 3, vehicle_reference: "B-2", damages: [] },
      ...{ recorded_at: "2024-05-04T09:00:00.000Z", kilometres: 510 },
    });
    expect(await postAndReadState(again)).toEqual(["applied", "applied"]);
    expect(await rows(`${AWAY} ORDER BY id`)).toEqual([
      away,
      { vehicle_reference: "B-2", kind: "away", since: "2024-05-04 11:00:00", days: 4 },
    ]);
  });

  test("allows a replacement with expired insurance in an overdue rental, with a warning and a pending task", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    await env.TENANT_ACME.prepare("UPDATE vehicles SET insured_until = '2024-05-06' WHERE reference = 'A-2'").run();
    const late = (day: string) => sendCheckInOperation(desk, createExchange({ recorded_at: `${day}T08:00:00.000Z` }));
    const { result } = await late("2024-05-07");
    expect([result.state, result.warnings.map(({ code }) => code)]).toEqual(["applied", ["vehicle_due"]]);
    expect(await readFirstRow("SELECT sum(needs_review) AS looks FROM check_in_operations")).toEqual({ looks: 1 });
  });

  test("exchanges a vehicle once, however often the operation is sent", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const exchange = createExchange();
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendCheckInOperation(desk, exchange)));
    expect(answers.map(({ result }) => [result.state, result.version])).toEqual(Array(8).fill(["applied", 3]));
    expect(await readFirstRow("SELECT (SELECT count(*) FROM exchanged_vehicles) AS n, version FROM bookings")).toEqual({
      ...{ n: 1, version: 3 },
    });
    expect(await damages()).toHaveLength(1);
  });

  // Proves "check-in.md: trips for drivers": … sent twice it's applied once; before its delivery it's held
  test("holds an exchange until its delivery arrives, and a later return until the exchange", async () => {
    await insertCheckInRental();
    expect(await postAndReadState(createExchange())).toEqual(["held", "held"]);
    expect(await postAndReadState(createCollectionMessage({ vehicle_reference: "A-2", kilometres: 600 }))).toEqual([
      "held",
      "held",
    ]);
    await sendCheckInOperation(desk, createDeliveryMessage());
    expect(await rows("SELECT kind, state FROM check_in_operations ORDER BY recorded_at")).toEqual([
      { kind: "delivery", state: "applied" },
      { kind: "exchange", state: "applied" },
      { kind: "collection", state: "applied" },
    ]);
    expect(await readFirstRow("SELECT status FROM bookings")).toEqual({ status: "done" });
    expect(await damages()).toMatchObject([{ vehicle_reference: "A-1" }]);
  });

  // Proves "check-in.md": T20
  test("stores an exchange only as evidence if the vehicle was exchanged or collected, or replacement or time is invalid", async () => {
    await insertCheckInRental();
    await insertCheckInRental({ id: 8 });
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(
      desk,
      createDeliveryMessage({ booking_id: 8, resource_id: 80, vehicle_reference: "A-3" }),
    );
    const out = { kilometres: 500, fuel_eighths: 8 };
    expect(await postAndReadState(createExchange({ exchange: { ...out, vehicle_reference: "A-3" } }))).toEqual([
      ...["conflict", "vehicle_unavailable"],
    ]);
    expect(await postAndReadState(createExchange({ exchange: { ...out, vehicle_reference: "NONE" } }))).toEqual([
      ...["conflict", "unknown_vehicle"],
    ]);
    expect(await postAndReadState(createExchange({ recorded_at: "1999-05-04T08:00:00.000Z" }))).toEqual([
      ...["conflict", "before_delivery"],
    ]);
    expect(await postAndReadState(createExchange())).toEqual(["applied", "applied"]);
    const second = createExchange({ exchange: { ...out, vehicle_reference: "A-4" } });
    const { result } = await sendCheckInOperation(await createToken("boss"), second);
    expect([result.state, result.code, result.by === null]).toEqual(["conflict", "already_exchanged", false]);
    expect(await damages()).toHaveLength(1);
    await sendCheckInOperation(desk, createCollectionMessage({ kilometres: 700, vehicle_reference: "A-2", seq: 9 }));
    expect(await postAndReadState(createExchange({ vehicle_reference: "A-2" }))).toEqual([
      "conflict",
      "already_collected",
    ]);
    expect(await readFirstRow("SELECT count(*) AS n FROM exchanged_vehicles")).toEqual({ n: 1 });
  });

  // Proves "check-in.md": T21
  test("rejects a return or correction of the old vehicle from a device that hadn't received the exchange", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    await sendCheckInOperation(desk, createExchange());
    const later = { base_version: 2, seq: 3, recorded_at: "2024-05-04T09:00:00.000Z" };
    const old = { ...later, vehicle_reference: "A-1", kilometres: 1210 };
    expect(await postAndReadState(createCollectionMessage({ ...old, op_id: createOpId() }))).toEqual([
      "conflict",
      "already_exchanged",
    ]);
    expect(
      await postAndReadState({ ...createCollectionMessage(old), op_id: createOpId(), kind: "correction" }),
    ).toEqual([...["conflict", "already_exchanged"]]);
    expect(await readFirstRow("SELECT vehicle_reference, collected_at FROM booking_units")).toEqual({
      ...{ vehicle_reference: "A-2", collected_at: null },
    });
    const { result } = await sendCheckInOperation(
      desk,
      createCollectionMessage({ ...later, seq: 4, vehicle_reference: "A-2", kilometres: 600 }),
    );
    expect([result.state, result.booking_status]).toEqual(["applied", "done"]);
  });

  test("applies a manager's free upgrade that was held until the delivery arrived, without a warning", async () => {
    await insertCheckInRental();
    const exchange = { vehicle_reference: "B-1", kilometres: 500, fuel_eighths: 8 };
    const held = createExchange({ exchange, readings_confirmed: true });
    expect((await sendCheckInOperation(await createToken("boss"), held)).result.state).toBe("held");
    await sendCheckInOperation(desk, createDeliveryMessage());
    const row = await readFirstRow("SELECT state, warnings FROM check_in_operations WHERE op_id = ?", held.op_id);
    expect(row?.["state"]).toBe("applied");
    expect(row?.["warnings"]).not.toContain("upgrade_unpaid");
  });

  // Proves "rules.md: the life of a contract": … on the road too: without price and right the office reviews it
  test("applies an exchange for another category without a price, and requires review if the agent may not do that", async () => {
    const exchange = { vehicle_reference: "B-1", kilometres: 500, fuel_eighths: 8 };
    const deliverSubstitute = async (by: "desk" | "boss", id: number) => {
      await insertCheckInRental({ id });
      const ids = { booking_id: id, resource_id: id * 10 };
      await sendCheckInOperation(desk, createDeliveryMessage(ids));
      const { result } = await sendCheckInOperation(
        await createToken(by),
        createExchange({ ...ids, exchange, readings_confirmed: true }),
      );
      const row = await readFirstRow("SELECT needs_review FROM check_in_operations WHERE op_id = ?", result.op_id);
      return [result.state, result.warnings.map(({ code }) => code), row?.["needs_review"]];
    };
    expect(await deliverSubstitute("desk", 7)).toEqual(["applied", ["other_category", "upgrade_unpaid"], 1]);
    const back = { vehicle_reference: "B-1", base_version: 3, seq: 3, kilometres: 600 };
    await sendCheckInOperation(desk, createCollectionMessage(back));
    expect(await deliverSubstitute("boss", 8)).toEqual(["applied", ["kilometres_lower", "other_category"], 0]);
  });

  test("applies an exchange for another category with a warning, and adds an upgrade's price to the contract", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    const exchange = { vehicle_reference: "B-1", kilometres: 500, fuel_eighths: 8 };
    const { result } = await sendCheckInOperation(
      desk,
      createExchange({ exchange: { ...exchange, upgrade_price: "25.00" } }),
    );
    expect([result.state, result.warnings.map(({ code }) => code)]).toEqual(["applied", ["other_category"]]);
    expect(await readFirstRow("SELECT total_cents, item_cents FROM bookings")).toEqual({
      total_cents: 10_500,
      item_cents: 10_500,
    });
    expect(await readFirstRow("SELECT category_code, item_cents FROM booking_lines")).toEqual({
      ...{ category_code: "A", item_cents: 10_500 },
    });
    const free = { ...exchange, vehicle_reference: "A-2" };
    expect(
      await postAndReadState(createExchange({ vehicle_reference: "B-1", exchange: free, kilometres: 600 })),
    ).toEqual([...["applied", "applied"]]);
    expect(await readFirstRow("SELECT total_cents FROM bookings")).toEqual({ total_cents: 10_500 });
  });

  test("applies an exchange with unlikely kilometers, for review if the agent didn't confirm them", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(desk, createDeliveryMessage());
    await env.TENANT_ACME.prepare("UPDATE vehicles SET usage_units = 9000 WHERE reference = 'A-2'").run();
    const { result } = await sendCheckInOperation(desk, createExchange({ kilometres: 99_999 }));
    expect(result.warnings.map(({ field, code }) => [field, code])).toEqual([
      ["kilometres", "kilometres_jump"],
      ["exchange.kilometres", "kilometres_lower"],
    ]);
    expect(await readFirstRow("SELECT needs_review FROM check_in_operations WHERE kind = 'exchange'")).toEqual({
      needs_review: 1,
    });
  });

  test.each<[Partial<CheckInOperationMessage>, string]>([
    [{ exchange: undefined }, "exchange"],
    [{ kilometres: undefined }, "kilometres"],
    [{ fuel_eighths: undefined }, "fuel_eighths"],
    [{ extras: [{ extra_code: "SEAT", quantity: 1 }] }, "extras"],
    [
      { kind: "collection", exchange: undefined, damages: [{ ...SCRATCH, vehicle: "replacement", photos: [] }] },
      "damages",
    ],
  ])(
    "rejects an exchange without a required field, naming it, and stores nothing: %j",
    async (invalidFields, field) => {
      await insertCheckInRental();
      await sendCheckInOperation(desk, createDeliveryMessage());
      const { status, result } = await sendCheckInOperation(desk, createExchange(invalidFields));
      expect([status, result.code, result.message.split(" ")[0]]).toEqual([400, "invalid_input", field]);
      expect(result.detail).toMatchObject([{ field, code: expect.any(String) }]);
      expect(await rows("SELECT kind FROM check_in_operations")).toEqual([{ kind: "delivery" }]);
    },
  );

  test.each([
    [{ exchange: { vehicle_reference: "A-2", kilometres: -1, fuel_eighths: 8 } }, "exchange.kilometres"],
    [{ exchange: { vehicle_reference: "", kilometres: 1, fuel_eighths: 8 } }, "exchange.vehicle_reference"],
    [
      { exchange: { vehicle_reference: "A-2", kilometres: 1, fuel_eighths: 8, upgrade_price: "1.234" } },
      "exchange.upgrade_price",
    ],
  ])("rejects an exchange with a wrong field, naming it: %j", async (invalidFields, field) => {
    await insertCheckInRental();
    const answer = await callAsStaff("POST", "/v1/booking/check-in-operations", desk, createExchange(invalidFields));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(field)]);
  });
});

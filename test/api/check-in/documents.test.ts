import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, test } from "vitest";
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
import { addTestUsers, createToken } from "#support/test-users.ts";
import { checkInDayAnswer } from "#worker/api/check-in/day-messages.ts";
import type { CheckInOperationMessage } from "#worker/api/check-in/operation-messages.ts";

type Charge = NonNullable<CheckInOperationMessage["charges"]>[number];

let boss: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.prepare("UPDATE categories SET fuel_eighth_cents = 800 WHERE code = 'A'").run();
  await openTestTenant(env).freshSnapshot();
  boss = await createToken("boss");
});

const charge = (kind: Charge["kind"], amount: string): Charge => ({
  charge_id: createOpId(),
  kind,
  amount,
  payment_method_id: "credit_card",
  external_operation_number: "0042",
  offline_physical_device_id: "TPV-1",
});

const rows = async (sql: string) => (await env.TENANT_ACME.prepare(sql).all()).results;
const deposit = async () => {
  const day = await callAsStaff(
    "GET",
    "/v1/booking/deliveries-collections?date=2024-05-05&rental_location_code=TOWN",
    boss,
  );
  return checkInDayAnswer.parse(await day.json()).collections[0]?.deposit;
};

describe("money at the desk", () => {
  // Proves "check-in.md: day, vehicles and extras": A deposit held or given back makes the virtual charges (rules.md)
  // Proves "check-in.md": P5
  test("records payment and deposit of a delivery with the contract, and holds the deposit without counting it as paid", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(
      boss,
      createDeliveryMessage({ charges: [charge("payment", "80.00"), charge("deposit_taken", "400.00")] }),
    );
    expect(await readFirstRow("SELECT total_paid_cents, payment_status FROM bookings WHERE id = 7")).toEqual({
      total_paid_cents: 8000,
      payment_status: "total",
    });
    expect(
      await rows(
        "SELECT source_doc, payment_type, amount_cents, virtual, external_operation_number AS number, offline_physical_device_id AS terminal FROM charges ORDER BY id",
      ),
    ).toEqual([
      {
        source_doc: "booking",
        payment_type: "charge",
        amount_cents: 8000,
        virtual: 0,
        number: "0042",
        terminal: "TPV-1",
      },
      {
        source_doc: "deposit_received",
        payment_type: "charge",
        amount_cents: 40_000,
        virtual: 1,
        number: "0042",
        terminal: "TPV-1",
      },
    ]);
    expect(await deposit()).toEqual({ total: "400.00", held: "400.00", pending: "0.00" });
  });

  // Proves "check-in.md: failures in the field, the server": A charge comes twice, or another one under its id
  // Proves "rentals.md": 14
  test("records a charge repeated in another operation once, and rejects a different charge with its ID", async () => {
    await insertCheckInRental();
    const paid = charge("payment", "80.00");
    await sendCheckInOperation(boss, createDeliveryMessage({ charges: [paid] }));
    const again = createCollectionMessage({ kind: "correction", fuel_eighths: 7, charges: [paid] });
    const { result } = await sendCheckInOperation(boss, again);
    expect(result).toMatchObject({ state: "applied", warnings: [{ field: "charges", code: "charge_known" }] });
    const other = { ...paid, amount: "8.00" };
    const refused = await sendCheckInOperation(
      boss,
      createCollectionMessage({ base_version: 3, seq: 3, fuel_eighths: 7, charges: [other, paid] }),
    );
    expect(refused.result).toMatchObject({ state: "applied", booking_status: "done" });
    expect(refused.result.warnings.map(({ code }) => code)).toEqual(["charge_refused", "charge_known"]);
    expect(await rows("SELECT amount_cents FROM charges")).toEqual([{ amount_cents: 8000 }]);
    expect(await readFirstRow("SELECT sum(needs_review) AS looks FROM check_in_operations")).toEqual({ looks: 1 });
  });

  test("records a payment once if twenty simultaneous operations contain it, and applies all of them", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(boss, createDeliveryMessage());
    const paid = charge("payment", "5.00");
    const operations = Array.from({ length: 20 }, (_, seq) =>
      createCollectionMessage({ kind: "correction", seq: seq + 2, charges: [paid] }),
    );
    const responses = await Promise.all(operations.map((operation) => sendCheckInOperation(boss, operation)));
    const states = responses.map(({ status, result }) => [status, result?.state]);
    expect(states).toEqual(operations.map(() => [200, "applied"]));
    expect(await rows("SELECT amount_cents FROM charges")).toEqual([{ amount_cents: 500 }]);
  });

  test("pays the contract from the retained deposit, refunds the rest and holds nothing afterwards", async () => {
    await insertCheckInRental();
    await sendCheckInOperation(
      boss,
      createDeliveryMessage({ charges: [charge("payment", "80.00"), charge("deposit_taken", "400.00")] }),
    );
    const charges = [
      charge("deposit_kept", "16.00"),
      charge("deposit_returned", "384.00"),
      charge("deposit_returned", "1.00"),
    ];
    const { result } = await sendCheckInOperation(boss, createCollectionMessage({ fuel_eighths: 6, charges }));
    expect(result.warnings.map(({ code }) => code)).toEqual(["charge_refused"]);
    expect(
      await readFirstRow("SELECT status, total_cents, total_paid_cents, payment_status FROM bookings WHERE id = 7"),
    ).toEqual({
      status: "done",
      total_cents: 9600,
      total_paid_cents: 9600,
      payment_status: "total",
    });
    expect(await deposit()).toMatchObject({ held: "0.00" });
    expect(await readFirstRow("SELECT total_cents, total_paid_cents FROM documents")).toEqual({
      total_cents: 9600,
      total_paid_cents: 9600,
    });
  });
});

describe("the invoice of a return", () => {
  test("creates an issued, itemized invoice with the next number for exactly the contract's total", async () => {
    await insertCheckInRental({ extras: [{ code: "GPS", quantity: 1, unitCents: 1500 }] });
    await sendCheckInOperation(boss, createDeliveryMessage());
    await sendCheckInOperation(
      boss,
      createCollectionMessage({ fuel_eighths: 7, extras: [{ extra_code: "SEAT", quantity: 2 }] }),
    );
    const invoice = await readFirstRow("SELECT * FROM documents");
    expect(invoice).toMatchObject({
      kind: "invoice",
      invoice_mode: "reservation_breakdown",
      invoice_status: "invoice",
      number: 1,
      booking_id: 7,
      reference_detail: null,
      total_cents: 8000 + 1500 + 1600 + 800,
    });
    expect(invoice?.["total_cents"]).toBe(
      await readFirstRow("SELECT total_cents FROM bookings WHERE id = 7").then((row) => row?.["total_cents"]),
    );
    expect(await readFirstRow("SELECT sum(total_cents) AS items FROM document_items")).toEqual({
      items: invoice?.["total_cents"],
    });
    expect(await readFirstRow("SELECT sum(subtotal_cents + taxes_cents) AS rates FROM document_taxes")).toEqual({
      rates: invoice?.["total_cents"],
    });
  });

  // Proves "check-in.md: failures in the field, the server": A charge for kilometres or fuel above the limit is a task
  //   (rules.md)
  // Proves "rentals.md": 9b
  // Proves "rules.md and documents.md: the life of documents": A contract also closes with a draft
  test("leaves the invoice a draft for the office if kilometres or fuel cost more than the account's limit", async () => {
    await env.TENANT_ACME.prepare("UPDATE categories SET kilometres_per_day = 100, extra_kilometre_cents = 16").run();
    await openTestTenant(env).freshSnapshot();
    await insertCheckInRental();
    await sendCheckInOperation(boss, createDeliveryMessage());
    const collection = createCollectionMessage({ kilometres: 99_999 });
    const { result } = await sendCheckInOperation(boss, collection);
    expect(result).toMatchObject({ state: "applied", code: "applied", booking_status: "done" });
    expect(result.warnings.map(({ code }) => code)).toEqual(["kilometres_jump", "closing_to_check"]);
    expect(await readFirstRow("SELECT supplement_3_cents FROM bookings")).toEqual({ supplement_3_cents: 98_799 * 16 });
    expect(await readFirstRow("SELECT invoice_status, number, total_cents FROM documents")).toEqual({
      invoice_status: "draft",
      number: null,
      total_cents: 8000 + 98_799 * 16,
    });
    const list = await callAsStaff("GET", "/v1/booking/check-in-operations?state=incomplete", boss);
    expect(await list.json()).toMatchObject({ total: 1, data: [{ op_id: collection.op_id }] });
  });

  test("issues the invoice if closing charges are within the limit, even with unusual readings confirmed on the device", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE categories SET kilometres_per_day = 0, extra_kilometre_cents = 10"),
      env.TENANT_ACME.prepare("UPDATE settings SET closing_charge_limit_cents = 31000, max_km_per_day = 1000"),
    ]);
    await openTestTenant(env).freshSnapshot();
    await insertCheckInRental();
    await sendCheckInOperation(boss, createDeliveryMessage());
    const { result } = await sendCheckInOperation(
      boss,
      createCollectionMessage({ kilometres: 4100, readings_confirmed: true }),
    );
    expect(result.warnings.map(({ code }) => code)).toEqual(["kilometres_jump"]);
    expect(await readFirstRow("SELECT invoice_status, total_cents FROM documents")).toEqual({
      invoice_status: "invoice",
      total_cents: 8000 + 31_000,
    });
    expect(await readFirstRow("SELECT sum(needs_review) AS looks FROM check_in_operations")).toEqual({ looks: 0 });
  });

  test("creates an internal bond instead of an invoice for a rental by an internal department", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_type = 'internal_department'").run();
    await sendCheckInOperation(boss, createDeliveryMessage());
    await sendCheckInOperation(boss, createCollectionMessage());
    expect(await readFirstRow("SELECT kind, taxes_cents, total_cents FROM documents")).toEqual({
      kind: "internal_bond",
      taxes_cents: 0,
      total_cents: 8000,
    });
  });

  // Proves "check-in.md: day, vehicles and extras": Collection issues the invoice or the bond with a number without
  //   gaps (rules.md)
  test("numbers the invoices of many simultaneous collections without a gap, each with correct sums", async () => {
    const count = inject("isThorough") ? 200 : 15;
    const ids = Array.from({ length: count }, (_, index) => 1000 + index);
    const { db } = { db: env.TENANT_ACME };
    await db
      .prepare(`INSERT INTO vehicles (reference, name, category_code, branch_group_id, owner_branch_group_id, branch_code, created_at, last_update)
      SELECT 'X-' || value, 'X', 'A', 1, 1, 'AIR', 0, 0 FROM json_each(?)`)
      .bind(JSON.stringify(ids))
      .run();
    for (const id of ids) await insertCheckInRental({ id });
    await Promise.all(
      ids.map((id) =>
        sendCheckInOperation(
          boss,
          createDeliveryMessage({
            booking_id: id,
            resource_id: id * 10,
            vehicle_reference: `X-${id}`,
            device_id: `device-${id}`,
          }),
        ),
      ),
    );
    await Promise.all(
      ids.map((id) =>
        sendCheckInOperation(
          boss,
          createCollectionMessage({
            booking_id: id,
            resource_id: id * 10,
            vehicle_reference: `X-${id}`,
            device_id: `device-${id}`,
            fuel_eighths: id % 9,
          }),
        ),
      ),
    );
    expect(await readFirstRow("SELECT count(*) AS done FROM bookings WHERE status = 'done'")).toEqual({ done: count });
    expect(
      await readFirstRow(
        "SELECT count(*) AS documents, count(DISTINCT number) AS numbers, min(number) AS lowest, max(number) AS highest FROM documents",
      ),
    ).toEqual({
      documents: count,
      numbers: count,
      lowest: 1,
      highest: count,
    });
    expect(
      await rows(
        "SELECT d.id FROM documents d JOIN bookings b ON b.id = d.booking_id WHERE d.total_cents <> b.total_cents",
      ),
    ).toEqual([]);
    expect(
      await rows(
        "SELECT id FROM documents d WHERE total_cents <> (SELECT sum(subtotal_cents + taxes_cents) FROM document_taxes WHERE document_id = d.id) OR total_cents <> (SELECT sum(total_cents) FROM document_items WHERE document_id = d.id)",
      ),
    ).toEqual([]);
  }, 60_000);
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { addFaults, openTestTenant } from "#support/databases.ts";
import { listAsErp } from "#support/erp-client.ts";
import {
  createCecabankNotice,
  createRedsysNotice,
  createRedsysRefundNotice,
  enableGateways,
  readPaymentLedger,
  sendGatewayNotice,
  startPayment,
  submitDepositPayment,
  submitForm,
} from "#support/payments.ts";
import {
  bookTransfer,
  checkoutTransfer,
  createTransferCart,
  insertTransferCatalogue,
  postToTransferEngine,
  ROUND_TRIP_FIELDS,
  readTransfer,
} from "#support/transfers.ts";
import { parseJson } from "#support/website.ts";
import { expireUnpaidStockHolds } from "#worker/usecases/bookings/expire-holds.ts";
import { processGatewayNotification } from "#worker/usecases/payments/settle-payment.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { bookTransferCart } from "#worker/usecases/transfers/book-transfer-cart.ts";

const DAY = 86_400_000;
const CONCURRENT_REQUESTS = 30;

let company: TestCompany;
let guard: string;

beforeEach(async () => {
  company = await setUpCompany();
  await insertTransferCatalogue(company);
  guard ??= String(
    await company.db
      .prepare("SELECT sql FROM sqlite_master WHERE name = 'stock_allocations_insert_limit_transfers'")
      .first("sql"),
  );
  await company.db.batch([
    company.db.prepare("DROP TRIGGER IF EXISTS stock_allocations_insert_limit_transfers"),
    company.db.prepare(guard),
  ]);
});

const count = (source: string) => company.db.prepare(`SELECT count(*) AS n FROM ${source}`).first<number>("n");

async function buyConcurrently(search: (index: number) => Readonly<Record<string, unknown>>, product: string) {
  const carts: string[] = [];
  for (let index = 0; index < CONCURRENT_REQUESTS; index++)
    carts.push(await createTransferCart(search(index), product));
  const statuses = (await Promise.all(carts.map((id) => checkoutTransfer(id)))).map(({ status }) => status);
  return { sold: statuses.filter((status) => status === 200).length, statuses: new Set(statuses) };
}

/** Returns the maximum number of a vehicle that active reservations hold at the same minute. */
async function peak(vehicleId: number): Promise<number> {
  const { results } = await company.db
    .prepare(`SELECT (SELECT sum(other.quantity) FROM stock_allocations AS other WHERE other.kind = one.kind AND other.code = one.code
      AND other.starts_at <= one.starts_at AND other.ends_at > one.starts_at AND coalesce(other.expires_at, 9e15) > 1) AS taken FROM stock_allocations AS one WHERE one.kind = 'transfer' AND one.code = ?`)
    .bind(String(vehicleId))
    .all<{ taken: number }>();
  return Math.max(0, ...results.map(({ taken }) => taken));
}

describe("the vehicles of transfers", () => {
  // Proves "rules.md: transfers": The fleet is never overbooked by parallel purchases
  test("sells a transfer vehicle only once, however many visitors pay at once", async () => {
    const { sold, statuses } = await buyConcurrently(() => ({}), "1");
    expect(sold).toBe(1);
    expect([...statuses].sort()).toEqual([200, 409]);
    expect([await count("bookings"), await peak(1)]).toEqual([1, 1]);
  });

  test("limits concurrent trips to the available vehicles, even if they partly overlap", async () => {
    const time = (index: number) => `${String(9 + (index % 5)).padStart(2, "0")}:${index % 2 ? "30" : "00"}`;
    const { sold } = await buyConcurrently((index) => ({ time: time(index) }), "2");
    expect(sold).toBeGreaterThanOrEqual(2);
    expect(await peak(2)).toBeLessThanOrEqual(2);
  });

  // Proves "rules.md: transfers": The guard is needed: without it two are sold
  test("sells a transfer vehicle twice without the database guard, as a negative control", async () => {
    await company.db.prepare("DROP TRIGGER stock_allocations_insert_limit_transfers").run();
    const carts = await Promise.all(Array.from({ length: 8 }, () => createTransferCart()));
    const slow = openTestTenant({ ...env, TENANT_ACME: addFaults(env.TENANT_ACME, [{ delayMilliseconds: () => 30 }]) });
    const request = {
      customer: { name: "Ana", surname: "Ruiz", email: "a@b.es", phone: undefined, documentId: undefined },
      contractData: {},
      comments: undefined,
      language: "en",
      expectedTotalCents: undefined,
      paymentMethod: undefined,
    };
    const booked = await Promise.all(
      carts.map((id) => bookTransferCart(slow, id, request, { now: Date.now(), freeAccessId: createFreeAccessId() })),
    );
    expect(booked.filter(({ ok }) => ok).length).toBeGreaterThan(1);
  });

  // Proves "rules.md: transfers": A vehicle is free again after its way and the way back, to the minute
  test("releases a transfer vehicle to the minute after the trip and the way back", async () => {
    const tooSoon = await createTransferCart({ time: "10:19" });
    const tooLate = await createTransferCart({ time: "07:41" });
    await bookTransfer({ time: "09:00" });
    expect((await checkoutTransfer(tooSoon)).status).toBe(409);
    expect((await checkoutTransfer(await createTransferCart({ time: "10:20" }))).status).toBe(200);
    expect((await checkoutTransfer(tooLate)).status).toBe(409);
    expect((await checkoutTransfer(await createTransferCart({ time: "07:40" }))).status).toBe(200);
  });

  test("keeps a transfer vehicle occupied although its branch moved to another group", async () => {
    const before = await createTransferCart();
    await bookTransfer();
    await company.db
      .prepare(
        "UPDATE branches SET branch_group_id = 2 WHERE code = (SELECT branch_code FROM transfer_vehicles WHERE id = 1)",
      )
      .run();
    expect((await checkoutTransfer(before)).status).toBe(409);
    expect(await peak(1)).toBe(1);
  });

  // Proves "rules.md: transfers": A vehicle needs the way between two trips, as long as is known or the account's
  //   default; search and guard count it
  // Proves "rentals.md": 17b
  test("counts the way to the next trip's start as occupied, in search and database guard", async () => {
    // The vehicle reaches the hotel at 09:40. The quay is an hour away, and the time to the village is unknown.
    const quay = { origin_point_id: "3", destination_point_id: "2" };
    const tooSoon = await createTransferCart({ time: "10:39", ...quay });
    await bookTransfer({ time: "09:00" });
    const guarded = (time: string, origin: number) =>
      company.db
        .prepare(`INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, quantity, origin_point_id, destination_point_id, allocated_at)
          SELECT booking_id, kind, code, branch_group_id, unixepoch(? || ' ' || ?) / 60, unixepoch(? || ' ' || ?) / 60 + 90, 30, 1, ?, 2, allocated_at FROM stock_allocations LIMIT 1`)
        .bind(getBookableDay(0), time, getBookableDay(0), time, origin)
        .run();
    for (const [time, origin] of [
      ["10:39", 3],
      ["10:39", 4],
    ] as const)
      await expect(guarded(time, origin)).rejects.toThrow("sold_out transfer 1");
    await guarded("10:40", 4);
    await company.db.prepare("DELETE FROM stock_allocations WHERE origin_point_id = 4").run();
    expect((await checkoutTransfer(tooSoon)).status).toBe(409);
    expect((await checkoutTransfer(await createTransferCart({ time: "10:40", ...quay }))).status).toBe(200);
  });

  test("uses one vehicle for both trips of a return, which can't overlap", async () => {
    const soon = await createTransferCart(
      { ...ROUND_TRIP_FIELDS, return_date: getBookableDay(0), return_time: "10:09" },
      null,
    );
    expect((await postToTransferEngine(`/shopping-cart/${soon}/set-product`, { product: "1" })).status).toBe(409);
    await bookTransfer({ ...ROUND_TRIP_FIELDS, return_date: getBookableDay(0), return_time: "10:10" });
    expect(await count("stock_allocations WHERE kind = 'transfer'")).toBe(2);
  });

  // Proves "rules.md: transfers": Holds expire, and vehicles come back
  test("releases a transfer vehicle when a hold expires, a reservation is cancelled or the trip is done", async () => {
    const id = await bookTransfer();
    await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 2 * DAY);
    expect([await count("stock_allocations"), (await readPaymentLedger(id)).events]).toEqual([
      0,
      ["created", "expired"],
    ]);
    await bookTransfer();
    await company.db
      .prepare("UPDATE bookings SET status = 'confirmed', expires_at = NULL WHERE status = 'pending_confirmation'")
      .run();
    expect(await count("stock_allocations")).toBe(1);
    await expireUnpaidStockHolds(openTestTenant(env), Date.parse(`${getBookableDay(4)}T00:00:00Z`));
    expect(await count("stock_allocations")).toBe(0);
  });
});

describe("a transfer's payment", () => {
  beforeEach(() => enableGateways(company));

  // Proves "booking-engine-transfers.md: operations": POST /transfer/pagar pays it
  // Proves "booking-engine-transfers.md: existing websites": /reserva-transfer/pagar
  test.each(["/transfer/pagar", "/reserva-transfer/pagar"])(
    "starts a transfer's payment at %s as for a rental",
    async (path) => {
      const id = await bookTransfer();
      const response = await submitForm(`http://acme.localhost:8787${path}`, {
        id,
        payment: "deposit",
        payment_method_id: "tpvA256",
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toContain("text/html");
      expect(await company.db.prepare("SELECT amount_cents FROM payment_intents").first("amount_cents")).toBe(800);
    },
  );

  // Proves "rules.md: transfers": A payment confirms the reservation and enters a charge of an order, once
  // Proves "rules.md: the life of a contract": A transfer's charges are in the lists of the integration
  test("confirms a transfer by its payment, and records payment and history once", async () => {
    const id = await bookTransfer(ROUND_TRIP_FIELDS);
    const intent = await startPayment(id, "tpvB", "total");
    await sendGatewayNotice("tpvB", createCecabankNotice(intent));
    await sendGatewayNotice("tpvB", createCecabankNotice(intent));
    const { booking, charges, events } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "confirmed", payment_status: "total", total_paid_cents: 8000 });
    expect(charges).toMatchObject([{ payment_type: "charge", source_doc: "order", amount_cents: 8000 }]);
    expect(events).toEqual(["created", "paid", "confirmed"]);
    expect(await count("stock_allocations WHERE kind = 'transfer' AND expires_at IS NULL")).toBe(2);
    const reportedBooking = (await parseJson(await readTransfer(`/reservation/${id}`))).booking;
    expect(reportedBooking).toMatchObject({ status: "confirmed", total_paid: "80.00", total_pending: "0.00" });
    const listed = await listAsErp("charges");
    expect(listed).toMatchObject({ total: 1, data: [{ source_doc: "order", amount: "80.00" }] });
  });

  // Proves "rules.md: transfers": A late payment is never lost
  test("records a payment for a transfer whose vehicle was sold again, and flags it for staff", async () => {
    const id = await bookTransfer();
    const intent = await startPayment(id, "tpvB");
    await company.db.batch([
      company.db.prepare("UPDATE bookings SET expires_at = 1"),
      company.db.prepare("UPDATE stock_allocations SET expires_at = 1"),
    ]);
    await bookTransfer();
    const body = new TextEncoder().encode(new URLSearchParams(createCecabankNotice(intent)).toString());
    await processGatewayNotification(openTestTenant(env), "tpvB", body, {
      now: Date.now(),
      sendToGateway: () => Promise.reject(new Error()),
    });
    const { booking, charges } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "pending_confirmation", paid_after_expiry: 1, total_paid_cents: 800 });
    expect(charges).toHaveLength(1);
    expect(await peak(1)).toBe(1);
  });

  test("records a gateway's refund of a transfer, and marks the transfer as refunded", async () => {
    const id = await bookTransfer();
    const intent = await startPayment(id, "tpvA256", "deposit");
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
    await sendGatewayNotice("tpvA256", createRedsysRefundNotice(intent));
    const { booking, charges } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ payment_status: "refunded", total_paid_cents: 0 });
    expect(charges).toMatchObject([
      { payment_type: "charge", source_doc: "order" },
      { payment_type: "payment", source_doc: "order" },
    ]);
  });

  test("returns 404 for the payment of an unknown transfer", async () => {
    expect((await submitDepositPayment("0".repeat(32))).status).toBe(404);
  });
});

// Proves "rules.md: transfers": A transfer isn't a rental contract
test("excludes transfers from lists of rental contracts", async () => {
  await bookTransfer();
  const listed = await listAsErp("reservations");
  expect(listed).toMatchObject({ total: 0, data: [] });
});

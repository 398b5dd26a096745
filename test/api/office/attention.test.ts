import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createDeliveryMessage, insertCheckInRental, sendCheckInOperation as sendWork } from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { callOffice, readReservationAnswer } from "#support/office.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  enableGateways,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { insertRental } from "#support/rentals.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { bookTransfer, insertTransferCatalogue } from "#support/transfers.ts";

const HOUR = 60 * 60_000;
// Forty days and a few minutes.
const LONG_AGO = Date.now() - 40 * 24 * HOUR - HOUR / 10;

// Each pending task is resolved by an office operation and then disappears automatically.
let company: TestCompany;
let boss = "";

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  await enableGateways(company);
  boss = await createToken("boss");
});

interface Item {
  readonly kind: string;
  readonly why: string;
  readonly reservation_id: number | null;
  readonly link: string;
}

const listTasks = async () =>
  (await (await callOffice("GET", "/attention", { token: boss })).json<{ data: readonly Item[] }>()).data;
const kinds = async () => (await listTasks()).map(({ kind }) => kind).sort();
const readBookingId = (freeAccessId: string) =>
  company.db.prepare("SELECT id FROM bookings WHERE free_access_id = ?").bind(freeAccessId).first<number>("id");
const read = async (id: number | null) =>
  readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: boss }));
const recordPayment = async (id: number | null, amount: string) => {
  const body = { request_id: crypto.randomUUID(), kind: "charge", amount, payment_method_id: "cash" };
  expect((await callApi("POST", `/booking/${id}/charges`, { token: boss, body })).status).toBe(200);
};

describe("pending tasks", () => {
  // Proves "office.md": lists: page_size (1 to 200), after, filters by field
  test("lists tasks in pages and of one kind, with the counts of all kinds", async () => {
    const { db } = company;
    await db.batch([
      db.prepare(`INSERT INTO webhooks (id, url, active, disabled_at, disabled_reason, secret_sealed, public_key, created_at, last_update)
        SELECT value, 'https://gone' || value || '.example/', 0, '2026-11-20T10:00:00.000Z', 'gone', 'x', 'k', 1, 1 FROM json_each('[1,2,3]')`),
    ]);
    interface Page {
      readonly data: readonly { readonly id: string; readonly kind: string }[];
      readonly total: number;
      readonly next: string | null;
      readonly counts: Readonly<Record<string, number>>;
    }
    const list = async (query: string) => (await callOffice("GET", `/attention${query}`, { token: boss })).json<Page>();
    const all = await list("");
    expect([all.total, all.next, all.data.length]).toEqual([all.data.length, null, all.data.length]);
    expect(all.counts["webhook_failing"]).toBe(3);
    const failing = await list("?kind=webhook_failing");
    expect(failing).toMatchObject({ total: 3, next: null, counts: all.counts });
    const first = await list("?kind=webhook_failing&page_size=2");
    const second = await list(`?kind=webhook_failing&page_size=2&after=${encodeURIComponent(first.next ?? "")}`);
    expect([...first.data, ...second.data]).toEqual(failing.data);
    expect([first.data.length, first.total, second.next]).toEqual([2, 3, null]);
    expect(await list("?kind=none")).toMatchObject({ detail: [{ field: "kind", code: "choice" }] });
    expect(await list("?after=x&page_size=201&colour=red")).toMatchObject({ code: "invalid_input" });
    expect(await list("?after=x")).toMatchObject({ detail: [{ field: "after", code: "not_in_list" }] });
  });

  // Proves "security, privacy and operation": A webhook that is not heard waits for the administrators
  test("lists a webhook failing for an hour or switched off, without the secret parts of its address", async () => {
    const { db } = company;
    await db.batch([
      db.prepare(`INSERT INTO webhooks (id, url, active, disabled_at, disabled_reason, secret_sealed, public_key, created_at, last_update) VALUES
        (1, 'https://slow.example/a-secret', 1, NULL, NULL, 'x', 'k', 1, 1), (2, 'https://new.example:8443/', 1, NULL, NULL, 'x', 'k', 1, 1),
        (3, 'https://gone.example/', 0, '2026-11-20T10:00:00.000Z', 'gone', 'x', 'k', 1, 1), (4, 'https://good.example/', 1, NULL, NULL, 'x', 'k', 1, 1)`),
      db
        .prepare("INSERT INTO webhook_states (webhook_id, failing_since) VALUES (1, ?), (2, ?), (4, NULL)")
        .bind(Date.now() - 2 * HOUR, Date.now() - HOUR / 2),
    ]);
    const failingWebhooks = (await listTasks()).filter(({ kind }) => kind === "webhook_failing");
    expect(failingWebhooks.map(({ why, link }) => [why, link])).toEqual([
      ["the webhook to slow.example is not heard: no_answer", "/api/v1/office/webhooks/1"],
      ["the webhook to gone.example is not heard: gone", "/api/v1/office/webhooks/3"],
    ]);
    const deskAttention = await callOffice("GET", "/attention", { token: await createToken("desk") });
    expect(await deskAttention.text()).not.toContain("webhook");
    await db.prepare("UPDATE webhooks SET active = 1, disabled_at = NULL, disabled_reason = NULL WHERE id = 3").run();
    await db.prepare("UPDATE webhook_states SET failing_since = NULL").run();
    expect((await listTasks()).filter(({ kind }) => kind === "webhook_failing")).toEqual([]);
  });

  test("returns task durations in full minutes, hours and days", async () => {
    const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString().slice(0, 16).replace("T", " ");
    const out = await insertRental({ from: at(-3), to: at(24), category: "C" });
    await company.db.batch([
      company.db.prepare("UPDATE bookings SET status = 'in_progress' WHERE id = ?").bind(out),
      company.db.prepare("UPDATE vehicles SET active = 0 WHERE category_code = 'C'"),
      company.db.prepare("UPDATE upkeep SET since = ?, backed_up_at = NULL, backup_verified_at = NULL").bind(LONG_AGO),
    ]);
    const reasons = new Map((await listTasks()).map((item) => [item.kind, item.why]));
    expect(reasons.get("shortage")).toMatch(/^1 of C are missing from \d{4}-\d\d-\d\d \d\d:\d\d on$/);
    expect(reasons.get("backup_overdue")).toBe("the last whole backup is 960 hours old");
    expect(reasons.get("drill_overdue")).toContain("examined for 40 days:");
  });

  test("lists extras and transfer vehicles that were sold but are now short", async () => {
    await insertTransferCatalogue(company);
    const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString().slice(0, 16).replace("T", " ");
    await insertRental({ from: at(24), to: at(48), extras: { SEAT: 3 } });
    await bookTransfer({ time: "09:00" });
    expect(await listTasks()).toEqual([]);
    await company.db.batch([
      company.db.prepare("UPDATE extra_stocks SET units = 1 WHERE extra_code = 'SEAT'"),
      company.db.prepare("UPDATE transfer_vehicles SET units = 0 WHERE id = 1"),
    ]);
    const reasons = new Map((await listTasks()).map((item) => [item.kind, item.why]));
    expect(reasons.get("extra_shortage")).toMatch(/^2 of SEAT are missing from \d{4}-\d\d-\d\d \d\d:\d\d on$/);
    expect(reasons.get("transfer_shortage")).toMatch(
      /^1 trips have no Turismo, the first from \d{4}-\d\d-\d\d 09:00 on$/,
    );
  });

  // Proves "rules.md: the life of a contract": A double payment is a task until refunded
  // Proves "rentals.md": 11c
  // Proves "rentals.md": M13
  test("lists a debt paid twice until the second payment is refunded", async () => {
    const bought = await bookOnWebsite("C");
    const first = await startPayment(bought, "tpvB", "total");
    await company.db.prepare("UPDATE payment_intents SET created_at = 1").run();
    const second = await startPayment(bought, "tpvB", "total");
    await sendGatewayNotice("tpvB", createCecabankNotice(second));
    await sendGatewayNotice("tpvB", createCecabankNotice(first));
    const id = await readBookingId(bought);
    const items = await listTasks();
    expect(items.map(({ kind }) => kind).sort()).toEqual(["overpaid", "payment_mismatch"]);
    expect(items.find(({ kind }) => kind === "overpaid")).toMatchObject({
      reservation_id: id,
      why: "600.00 is paid of 300.00",
      link: `/api/v1/office/reservations/${id}`,
    });
    expect((await read(id)).reservation).toMatchObject({ status: "confirmed", total_pending: "-300.00" });
    const back = { reason: "Paid twice", by_hand: true };
    expect((await callOffice("POST", `/reservations/${id}/refund`, { token: boss, body: back })).status).toBe(200);
    expect(await kinds()).toEqual([]);
  });

  // Proves "payments.md": An imported pending reservation without an end is a task until it's confirmed, cancelled or
  //   over
  test("lists imported pending bookings without an expiry until confirmed, cancelled or past", async () => {
    const [confirmed, cancelled, over, ours] = [
      await bookOnWebsite("A"),
      await bookOnWebsite("A"),
      await bookOnWebsite("C"),
      await bookOnWebsite("A"),
    ];
    const ids = await Promise.all([confirmed, cancelled, over].map(readBookingId));
    await company.db
      .prepare("UPDATE bookings SET expires_at = NULL, created_by = 'import' WHERE free_access_id <> ?")
      .bind(ours)
      .run();
    await company.db
      .prepare("UPDATE bookings SET date_from = '2026-01-10', date_to = '2026-01-12' WHERE id = ?")
      .bind(ids[2] ?? 0)
      .run();
    const failingWebhooks = await listTasks();
    expect(failingWebhooks.map(({ kind }) => kind)).toEqual(["unconfirmed_import", "unconfirmed_import"]);
    expect(failingWebhooks.map(({ reservation_id: id }) => id).sort()).toEqual(ids.slice(0, 2).sort());
    expect(failingWebhooks[0]?.why).toMatch(
      /^it is not confirmed, and nothing ends its hold: its vehicles are taken from \d{4}-\S+ \d\d:\d\d$/,
    );
    const listed = await (await callOffice("GET", "/reservations?attention=true", { token: boss })).json<{
      data: { id: number }[];
    }>();
    expect(listed.data.map(({ id }) => id).sort()).toEqual(ids.slice(0, 2).sort());
    for (const [id, name, body] of [
      [ids[0], "confirm", {}],
      [ids[1], "cancel", { reason: "never came back" }],
    ] as const) {
      const { version } = (await read(id ?? 0)).reservation;
      expect(
        (
          await callOffice("POST", `/reservations/${id}/${name}`, {
            token: boss,
            body: { expected_version: version, ...body },
          })
        ).status,
      ).toBe(200);
    }
    expect(await kinds()).toEqual([]);
  });

  // Proves "rules.md: the life of a contract": A paid, unconfirmed booking is a task until it's confirmed
  // Proves "rentals.md": M14
  test("lists partly paid, unconfirmed bookings until the rest is paid", async () => {
    const bought = await bookOnWebsite("C");
    const id = await readBookingId(bought);
    await recordPayment(id, "10.00");
    expect(await listTasks()).toMatchObject([{ kind: "paid_unconfirmed", reservation_id: id }]);
    await recordPayment(id, "290.00");
    expect((await read(id)).reservation.status).toBe("confirmed");
    expect(await kinds()).toEqual([]);
  });

  // Proves "rules.md: the life of a contract": A late payment is a task until confirmed or refunded
  // Proves "rentals.md": M15
  test("lists bookings paid after their units were sold again, until confirmed", async () => {
    const late = await readBookingId(await bookOnWebsite("C"));
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE bookings SET expires_at = 1"),
      env.TENANT_ACME.prepare("UPDATE stock_allocations SET expires_at = 1"),
    ]);
    const other = await readBookingId(await bookOnWebsite("C"));
    await recordPayment(late, "300.00");
    expect(await listTasks()).toMatchObject([{ kind: "paid_too_late", reservation_id: late }]);
    const confirm = async () => {
      const { reservation } = await read(late);
      const body = { expected_version: reservation.version };
      return callOffice("POST", `/reservations/${late}/confirm`, { token: boss, body });
    };
    const refused = await confirm();
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "sold_out" }]);
    const { reservation } = await read(other);
    const ended = { expected_version: reservation.version, reason: "Changed their mind" };
    await readReservationAnswer(callOffice("POST", `/reservations/${other}/cancel`, { token: boss, body: ended }));
    await readReservationAnswer(confirm());
    expect(await kinds()).toEqual([]);
  });

  // Proves "check-in.md": 18c
  test("lists payments of rejected operations until they are recorded", async () => {
    await insertCheckInRental({ status: "pending_confirmation" });
    const createCharge = (kind: "payment" | "deposit_taken", amount: string) => ({
      ...{ charge_id: crypto.randomUUID(), kind, amount, payment_method_id: "cash" as const },
    });
    const charges = [createCharge("payment", "80.00"), createCharge("deposit_taken", "300.05")];
    expect((await sendWork(boss, createDeliveryMessage({ charges }))).status).toBe(409);
    const readReason = async () => (await listTasks()).find(({ kind }) => kind === "field_work_refused")?.why;
    expect(await readReason()).toMatch(/: not_confirmed; not booked: payment 80\.00, deposit_taken 300\.05$/);
    await company.db.prepare("UPDATE bookings SET status = 'confirmed'").run();
    expect((await sendWork(boss, createDeliveryMessage({ seq: 2, charges }))).result.state).toBe("applied");
    expect(await readReason()).toMatch(/: not_confirmed$/);
  });

  test("lists a device that was silent for hours while operations of it are missing, until they arrive", async () => {
    await insertCheckInRental();
    const desk = await createToken("desk");
    const listMissing = async () => (await listTasks()).filter(({ kind }) => kind === "device_work_missing");
    const send = (seq: number) =>
      sendWork(desk, createDeliveryMessage({ kind: "evidence", resource_id: undefined, seq }));
    const makeSilent = () =>
      company.db
        .prepare("UPDATE check_in_devices SET last_seen_at = ?")
        .bind(Date.now() - 5 * HOUR)
        .run();
    await send(3);
    expect(await listMissing()).toEqual([]);
    await makeSilent();
    expect(await listMissing()).toMatchObject([{ why: "2 operations of Dora Desk's device haven't arrived" }]);
    await send(1);
    await send(2);
    await makeSilent();
    expect(await listMissing()).toEqual([]);
  });

  test("names the warning about a vehicle's due dates once in the task of a delivery", async () => {
    await insertCheckInRental();
    await company.db.prepare("UPDATE vehicles SET inspection_due = '2024-05-01', insured_until = '2024-05-01'").run();
    await sendWork(boss, createDeliveryMessage());
    const reason = (await listTasks()).find(({ kind }) => kind === "check_in_to_review")?.why ?? "";
    expect(reason.match(/vehicle_due/g)).toHaveLength(1);
  });

  // Proves "rentals.md": M10
  test("lists an overdue vehicle until it is returned", async () => {
    await insertCheckInRental();
    await sendWork(boss, createDeliveryMessage());
    await company.db.prepare("UPDATE bookings SET customer_phone = '600 123 123', customer_phone_prefix = '+34'").run();
    await company.db.prepare("UPDATE vehicles SET plate = '1234 BCD' WHERE reference = 'A-1'").run();
    expect(await listTasks()).toMatchObject([
      {
        ...{ kind: "overdue", reservation_id: 7, customer_fullname: "Ana Ruiz" },
        customer_phone: "+34 600 123 123",
        vehicles: "1234 BCD",
      },
    ]);
    const { reservation } = await read(7);
    const body = { expected_version: reservation.version, kilometres: 1100, fuel_eighths: 8, at: "2024-05-05T10:00" };
    await readReservationAnswer(callOffice("POST", "/reservations/7/collect", { token: boss, body }));
    expect(await kinds()).not.toContain("overdue");
  });
});

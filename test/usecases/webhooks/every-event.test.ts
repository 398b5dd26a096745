import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WEBHOOK_EVENTS, type WebhookEvent } from "#domain/catalogue/webhook-events.ts";
import { cancelBookingAsAgency, createAgencyReservationBody, getBookableDay, postAsAgency } from "#support/agency.ts";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  enableGateways,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { bookTransfer, insertTransferCatalogue } from "#support/transfers.ts";
import { WebhookReceivers } from "#support/webhook-receivers.ts";
import { toFormDate } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { expireUnpaidStockHolds } from "#worker/usecases/bookings/expire-holds.ts";
import { storeAccountingOutcome } from "#worker/usecases/reporting/store-accounting-outcome.ts";
import { sendWebhooks } from "#worker/usecases/webhooks/send-webhooks.ts";

const ERP = "https://erp.example/hook";
const DAY = 86_400_000;
let token = "";
let partners: WebhookReceivers;

beforeEach(async () => {
  const company = await setUpCompany();
  await addTestUsers();
  await enableGateways(company);
  await insertTransferCatalogue(company);
  token = await createToken("boss");
  partners = new WebhookReceivers().listen();
  expect((await callOffice("POST", "/webhooks", { token, body: { url: ERP } })).status).toBe(201);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const getDateInDays = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await callOffice(method, path, { token, ...(body !== undefined && { body }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  // biome-ignore lint/suspicious/noExplicitAny: the webhooks are what is looked at.
  return answer.status === 204 ? undefined : answer.json<any>();
};
const read = (id: number) => readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token }));
/** Applies an action to the current version of a reservation. */
const performAction = async (id: number, name: string, body: object = {}): Promise<ReservationAnswer> => {
  const { version } = (await read(id)).reservation;
  return ask("POST", `/reservations/${id}/${name}`, { expected_version: version, ...body });
};
const change = async (id: number, body: object) =>
  ask("PATCH", `/reservations/${id}`, { expected_version: (await read(id)).reservation.version, ...body });
/** Moves a reservation into the past. */
const pastBy = (id: number, days: number) =>
  env.TENANT_ACME.prepare(
    "UPDATE bookings SET date_from = date(date_from, ?1), date_to = date(date_to, ?1) WHERE id = ?2",
  )
    .bind(`-${days} days`, id)
    .run();
const findBookingId = async (freeAccessId: string) =>
  Number(
    await env.TENANT_ACME.prepare("SELECT id FROM bookings WHERE free_access_id = ?").bind(freeAccessId).first("id"),
  );
const charge = async (id: number, kind: string, amount: string) => {
  const body = { request_id: crypto.randomUUID(), kind, amount, payment_method_id: "cash" };
  const paid = await callApi("POST", `/booking/${id}/charges`, { token, body });
  expect([paid.status, paid.ok ? "" : await paid.text()]).toEqual([200, ""]);
};
/** Starts a payment in time that arrives after the hold expired. */
const payLate = async (freeAccessId: string) => {
  const intent = await startPayment(freeAccessId, "tpvB");
  await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 2 * DAY);
  expect((await sendGatewayNotice("tpvB", createCecabankNotice(intent))).status).toBe(200);
};

interface Story {
  readonly hears: readonly WebhookEvent[];
  readonly happens: () => Promise<void>;
}

/** Actions of users, websites, agencies and cron, and all resulting events. */
const STORIES: Readonly<Record<string, Story>> = {
  "a rental from its hold to its end, and what is put right afterwards": {
    hears: [
      ...(["booking.created", "booking.confirmed", "booking.changed"] as const),
      ...(["booking.assigned", "booking.unassigned", "check_in.delivered", "booking.exchanged"] as const),
      ...(["booking.extended", "booking.early_return", "check_in.collected", "document.issued"] as const),
      ...(["booking.reopened", "document.issued"] as const),
    ],
    happens: async () => {
      const { reservation } = await ask("POST", "/reservations", {
        ...{ date_from: getBookableDay(0), time_from: "10:00", date_to: getBookableDay(3), time_to: "10:00" },
        ...{ pickup_place: 1, return_place: 1, category_code: "A", status: "pending_confirmation" },
        customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
      });
      const { id } = reservation;
      await performAction(id, "confirm");
      await change(id, { notes: "Comes by ferry" });
      await performAction(id, "assign", { reference: "A-1" });
      await performAction(id, "assign", { reference: null });
      await pastBy(id, 91);
      await performAction(id, "deliver", { reference: "A-1", kilometres: 0, fuel_eighths: 8 });
      const readings = { kilometres_in: 10, fuel_eighths_in: 8, kilometres_out: 0, fuel_eighths_out: 8 };
      await performAction(id, "exchange", { reference: "A-2", ...readings });
      await performAction(id, "extend", { date_to: getDateInDays(4), time_to: "10:00" });
      await performAction(id, "early-return", { date_to: getDateInDays(3), time_to: "10:00" });
      await performAction(id, "collect", { kilometres: 10, fuel_eighths: 8 });
      await performAction(id, "reopen", { reason: "Misread" });
    },
  },
  "rentals that do not come about, and one that lives again": {
    hears: [
      ...(["booking.created", "booking.cancelled", "booking.created", "booking.no_show"] as const),
      ...(["booking.created", "booking.expired", "booking.revived", "payment.received"] as const),
    ],
    happens: async () => {
      const agencyReservation = createAgencyReservationBody();
      expect((await postAsAgency("/booking", agencyReservation)).status).toBe(200);
      expect((await cancelBookingAsAgency(String(agencyReservation.reservation["agency_reservation_id"]))).status).toBe(
        200,
      );
      const missed = createAgencyReservationBody();
      expect((await postAsAgency("/booking", missed)).status).toBe(200);
      const id = Number(await env.TENANT_ACME.prepare("SELECT max(id) AS id FROM bookings").first("id"));
      await pastBy(id, 91);
      await performAction(id, "no-show");
      await payLate(await bookOnWebsite());
    },
  },
  "transfers that are confirmed, changed and called off": {
    hears: [
      ...(["transfer.created", "transfer.confirmed", "transfer.changed", "transfer.cancelled"] as const),
      ...(["transfer.created", "transfer.confirmed", "transfer.no_show"] as const),
    ],
    happens: async () => {
      const cancelled = await findBookingId(await bookTransfer());
      await performAction(cancelled, "confirm");
      await change(cancelled, { notes: "Two surfboards" });
      const path = `/booking/transfer-reservations/${cancelled}/cancel`;
      expect((await callApi("POST", path, { token, body: { reason: "Ill" } })).status).toBe(200);
      const missed = await findBookingId(await bookTransfer({ date: toFormDate(1) }));
      await performAction(missed, "confirm");
      await pastBy(missed, 92);
      await performAction(missed, "no-show");
    },
  },
  "a transfer whose hold ends before its payment comes": {
    hears: ["transfer.created", "transfer.expired", "transfer.revived", "payment.received"],
    happens: async () => payLate(await bookTransfer()),
  },
  "money that comes and goes, a deposit that is held and given back, an invoice": {
    hears: [
      ...(["payment.received", "payment.refunded", "payment.deposit_received"] as const),
      ...(["payment.deposit_returned", "document.issued"] as const),
      // Each is also an entry of the contract's history.
      ...Array.from({ length: 5 }, () => "booking.changed" as const),
    ],
    happens: async () => {
      const { id } = await insertCheckInRental();
      await charge(id, "charge", "30.00");
      await ask("POST", `/reservations/${id}/refund`, { amount: "10.00", reason: "Agreed" });
      await charge(id, "deposit_received", "300.00");
      await charge(id, "deposit_returned", "300.00");
      const body = { request_id: "invoice-0001", issued: true };
      expect((await callApi("POST", `/booking/${id}/documents`, { token, body })).status).toBe(200);
    },
  },
  "a customer who is added and changed, and expenses": {
    hears: [
      ...(["customer.created", "customer.changed"] as const),
      ...(["expense.created", "expense.changed", "expense.deleted"] as const),
    ],
    happens: async () => {
      const customer = { name: "Eva", surname: "Vidal", email: "eva@example.com" };
      const { customer: created } = await ask("POST", "/customers", customer);
      await ask("PATCH", `/customers/${created.id}`, { expected_version: created.version, surname: "Vidal Roca" });
      const account = await ask("POST", "/expense-accounts", { name: "Tyres" });
      const concept = await ask("POST", "/expense-concepts", {
        name: "New tyres",
        expense_account_id: account.expense_account.id,
      });
      const { expense } = await ask("POST", "/expenses", {
        ...{ booking_item_reference: "A-1", concept_id: concept.expense_concept.id, date: "2026-06-01" },
        ...{ description: "Four", total_without_taxes: "100.00", tax_percent: "21.00" },
      });
      await ask("PATCH", `/expenses/${expense.id}`, { expected_version: expense.version, description: "Two" });
      await ask("DELETE", `/expenses/${expense.id}`);
    },
  },
  "a draft, its issue, and what the accounting reports of it": {
    hears: [
      ...(["document.drafted", "document.issued", "document.rejected", "document.processed"] as const),
      ...(["booking.changed", "booking.changed"] as const),
    ],
    happens: async () => {
      const { id } = await insertCheckInRental();
      const body = { request_id: "invoice-0002", issued: false };
      expect((await callApi("POST", `/booking/${id}/documents`, { token, body })).status).toBe(200);
      while ((await sendWebhooks(openTestTenant(env), Date.now())) > 0);
      const [draft] = (await ask("GET", `/reservations/${id}`)).documents;
      const issue = { request_id: "issue-000002" };
      expect((await callApi("POST", `/documents/${draft.id}/issue`, { token, body: issue })).status).toBe(200);
      const document = { kind: "invoice", id: draft.id } as const;
      await storeAccountingOutcome(
        openTestTenant(env),
        document,
        { kind: "error", message: "Unknown tax id" },
        Date.now(),
      );
      await storeAccountingOutcome(openTestTenant(env), document, { kind: "processed" }, Date.now());
    },
  },
  "quotes that are sent, accepted, declined and no longer valid": {
    hears: [
      ...(["quote.sent", "quote.accepted", "quote.declined", "quote.expired", "quote.expired"] as const),
      "booking.created",
    ],
    happens: async () => {
      const createQuote = async () => {
        const { quote } = await ask("POST", "/quotes", {
          ...{
            date_from: getBookableDay(3),
            time_from: "10:00",
            date_to: getBookableDay(6),
            time_to: "10:00",
            category_code: "A",
          },
          ...{ pickup_place: 1, return_place: 1, valid_until: `${getBookableDay(2)}T18:00` },
          customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
        });
        return quote;
      };
      const accepted = await createQuote();
      await ask("POST", `/quotes/${accepted.id}/send`, {});
      const answer = await requestWorker(`${accepted.link}/accept`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: "{}",
      });
      expect(answer.status).toBe(200);
      await ask("POST", `/quotes/${(await createQuote()).id}/decline`, { reason: "Too late" });
      const db = env.TENANT_ACME;
      const expire = async (id: number) => {
        await db
          .prepare("UPDATE quotes SET valid_until = ?, version = version + 1 WHERE id = ?")
          .bind(Date.now() - 1, id)
          .run();
        for (let runs = 0; runs < 2; runs++) await expireUnpaidStockHolds(openTestTenant(env), Date.now());
      };
      await expire((await createQuote()).id);
      await expire((await createQuote()).id);
    },
  },
  "a vehicle that comes, is blocked, repaired and moved, and goes": {
    hears: [
      ...(["vehicle.created", "vehicle.changed", "vehicle.blocked", "vehicle.block_changed"] as const),
      ...(["vehicle.unblocked", "vehicle.repaired", "vehicle.moved", "vehicle.retired"] as const),
    ],
    happens: async () => {
      const vehicleBody = { reference: "A-9", name: "A 9", category_code: "A", rental_location_code: "AIR" };
      await ask("POST", "/vehicles", vehicleBody);
      const version = async () => (await ask("GET", "/vehicles/A-9")).vehicle.version;
      await ask("PATCH", "/vehicles/A-9", { expected_version: await version(), stock_color: "blue" });
      await ask("POST", "/vehicles/A-9/blocks", { from: getBookableDay(0), to: getBookableDay(2), reason: "workshop" });
      const [block] = (await ask("GET", "/vehicles/A-9")).vehicle.blocks;
      await ask("PATCH", `/blocks/${block.id}`, {
        expected_version: block.version,
        from: getBookableDay(0),
        to: getBookableDay(3),
      });
      await ask("DELETE", `/blocks/${block.id}`);
      await env.TENANT_ACME.prepare(`INSERT INTO vehicle_damages (damage_id, vehicle_reference, part, kind, severity,
        x, y, since) VALUES ('d-1', 'A-9', 'bumper_front', 'scratch', 'light', 1, 1, '2026-01-01')`).run();
      const [damage] = (await ask("GET", "/vehicles/A-9")).vehicle.damages;
      await ask("POST", `/vehicles/A-9/damages/${damage.id}/repaired`);
      await ask("POST", "/vehicles/A-9/move", { rental_location_code: "TOWN", at: `${getDateInDays(1)}T10:00` });
      await ask("POST", "/vehicles/A-9/retire", { expected_version: await version() });
    },
  },
};

describe("webhook events for partners", () => {
  // Proves "webhooks.md": Bookings, transfers, payments, documents, vehicles and check-in send exactly the
  //   events of what happens
  test.each(Object.entries(STORIES))(
    "sends a partner exactly the webhook events of what happens: %s",
    async (_, { hears, happens }) => {
      await happens();
      while ((await sendWebhooks(openTestTenant(env), Date.now())) > 0);
      // Most stories also add or change customers, which only one of them is about.
      const isRelevant = (type: string) => hears.includes("customer.created") || !type.startsWith("customer.");
      expect(partners.typesOf(ERP).filter(isRelevant).toSorted()).toEqual(hears.toSorted());
      // As recommended by Standard Webhooks: small events, at most 20 kB.
      for (const { body } of partners.of(ERP)) expect(body.length).toBeLessThan(2000);
    },
  );

  // Proves "webhooks.md": Each event of the catalogue is caused by what it names, and comes
  test("covers each webhook event type by a test", () => {
    const coveredEvents = new Set(Object.values(STORIES).flatMap(({ hears }) => hears));
    expect([...coveredEvents].toSorted()).toEqual(Object.keys(WEBHOOK_EVENTS).toSorted());
  });
});

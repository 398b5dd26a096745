import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { formatDate } from "#domain/money-notation.ts";
import { cancelBookingAsAgency, createAgencyReservationBody, getBookableDay, postAsAgency } from "#support/agency.ts";
import {
  createCollectionMessage,
  createDeliveryMessage,
  insertCheckInRental,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, readReservationAnswer } from "#support/office.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  enableGateways,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import {
  bookTransfer,
  checkoutTransfer,
  createTransferCart,
  insertTransferCatalogue,
  postToTransferEngine,
  ROUND_TRIP_FIELDS,
} from "#support/transfers.ts";
import { requestWorker } from "#support/worker.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

interface Sent {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly { readonly filename: string; readonly type: string; readonly content: string }[];
}

let sentMails: Sent[] = [];
let isPostOfficeClosed = false;
const MAIL = {
  send: async (mail: Sent) => {
    if (isPostOfficeClosed || mail.to.startsWith("bad@")) throw new TypeError("closed");
    sentMails.push(mail);
    return { messageId: "" };
  },
} as unknown as SendEmail;

/** Runs due jobs twice, because an email written by the first run is sent by the second at the latest. */
async function runScheduledWork(at = Date.now()): Promise<void> {
  await runScheduledJobs({ ...env, MAIL } as Cloudflare.Env, at);
  await runScheduledJobs({ ...env, MAIL } as Cloudflare.Env, at);
}

beforeEach(async () => {
  sentMails = [];
  isPostOfficeClosed = false;
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)"),
    env.TENANT_ACME.prepare("UPDATE branches SET email = 'air@example.com' WHERE code = 'AIR'"),
  ]);
  await openTestTenant(env).freshSnapshot();
});

const book = async (changes: Readonly<Record<string, unknown>> = {}) => {
  const body = createAgencyReservationBody({ customer_email: "ana@example.com", customer_language: "de", ...changes });
  expect((await postAsAgency("/booking", body)).status).toBe(200);
  return String(body.reservation["agency_reservation_id"]);
};
const subjectsTo = (to: string) =>
  sentMails.filter((mail) => mail.to === to).map(({ subject }) => subject.replace(/ \(\d+\)$/, ""));

const OTHERS = [
  ...["request_received", "confirmed", "changed", "cancelled", "payment_received", "refunded"],
  ...["reminder", "hold_ending", "delivered", "collected", "invoiced"],
];
const INVOICE = /^Simplified invoice T-AIR-\d\d\/1$/;

describe("mails about a booking from request to return", () => {
  // Proves "rules.md: the life of a contract": Mails go to customer and branch once, each in their language, the
  //   branch's with its own texts
  // Proves "rentals.md": M20
  // Proves "rentals.md": M18
  test("sends each booking mail once, to the customer in their language and to the branch in the account's", async () => {
    const reference = await book();
    await runScheduledWork();
    await runScheduledWork();
    expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: Reservierung bestätigt"]);
    expect(subjectsTo("air@example.com")).toEqual(["Test Rentals: reserva confirmada"]);
    expect(sentMails[0]?.text).toContain("Guten Tag Ana,");
    expect(sentMails[1]?.text).toMatch(/^Hola:\n\nUna reserva está confirmada\.\n\nReserva: \d+\nCliente: Ana Ruiz\n/);
    await cancelBookingAsAgency(reference);
    await runScheduledWork();
    expect(sentMails.at(-1)?.text).toContain("Una reserva está cancelada.");
    const cancellation = sentMails.findLast(({ to }) => to === "ana@example.com")?.text;
    expect(cancellation).toContain("Stornogebühr: 0,00\u00a0€");
    expect(subjectsTo("ana@example.com")).toEqual([
      "Test Rentals: Reservierung bestätigt",
      "Test Rentals: Reservierung storniert",
    ]);
  });

  test("formats days and amounts in booking mails as in documents of the same language", async () => {
    await insertContracts([{ id: 7, status: "confirmed" }]);
    await runScheduledWork();
    const setCustomerEmailSql =
      "UPDATE bookings SET customer_email = 'ana@example.com', customer_language = ? WHERE id = 7";
    const insertEventSql =
      "INSERT INTO booking_history (booking_id, at, actor, event, detail) VALUES (7, ?, 'staff:2', ?, '{}')";
    const textIn = async (language: string, event: string) => {
      await env.TENANT_ACME.prepare(setCustomerEmailSql).bind(language).run();
      await env.TENANT_ACME.prepare(insertEventSql).bind(Date.now(), event).run();
      await runScheduledWork();
      return sentMails.findLast(({ to }) => to === "ana@example.com")?.text ?? "";
    };
    const german = await textIn("de", "extended");
    expect(german).toContain("Gesamt: 121,00\u00a0€");
    expect(german).toMatch(/Abholung: 03\.05\.2030 10:00, /);
    const english = await textIn("en", "early_return");
    expect(english).toContain("Total: €121.00");
    expect(english).toMatch(/Pickup: 3 May 2030 10:00, /);
  });

  // Proves "rules.md: the life of a contract": Nothing a visitor typed can carry a link in a mail
  // Proves "rentals.md": M27
  test("contains no text of a visitor in booking mails, except a name that isn't a link", async () => {
    await book();
    // Entries refuse such a name. A contract of another system may have one.
    await env.TENANT_ACME.prepare(
      `UPDATE bookings SET customer_name = 'www.evil.example', customer_surname = 'http://evil.example',
        comments = 'http://evil.example', customer_document_id = 'evil', customer_phone = 'evil',
        contract_data = '{"driver_name":"http://evil.example","flight_number":"evil"}'`,
    ).run();
    await runScheduledWork();
    expect(sentMails).toHaveLength(2);
    for (const { text, subject } of sentMails) expect(text + subject).not.toContain("evil");
  });

  // Proves "rules.md: the life of a contract": A mail that failed is tried again, and stops no other; an account
  //   switches each kind off
  // Proves "rentals.md": M35
  test("retries booking mails after a failure of the mail service, and one bad address stops no other mail", async () => {
    await book({ customer_email: "bad@example.com" });
    await book();
    await runScheduledWork();
    expect(subjectsTo("ana@example.com")).toHaveLength(1);
    isPostOfficeClosed = true;
    await book();
    await runScheduledWork();
    isPostOfficeClosed = false;
    expect(subjectsTo("ana@example.com")).toHaveLength(1);
    await runScheduledWork(Date.now() + 30 * 60_000);
    expect(subjectsTo("ana@example.com")).toHaveLength(2);
  });

  test("sends booking mails after a day without the cron job, but skips events older than two days", async () => {
    await book();
    await runScheduledWork(Date.now() + 49 * 3_600_000);
    expect(sentMails).toEqual([]);
    await book();
    await runScheduledWork(Date.now() + 30 * 3_600_000);
    expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: Reservierung bestätigt"]);
  });

  test("sends no confirmation of a booking that was cancelled while the mail service was down", async () => {
    isPostOfficeClosed = true;
    const reference = await book();
    await runScheduledWork();
    await cancelBookingAsAgency(reference);
    await runScheduledWork(Date.now() + 5 * 60_000);
    isPostOfficeClosed = false;
    for (const minutes of [35, 70]) await runScheduledWork(Date.now() + minutes * 60_000);
    expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: Reservierung storniert"]);
    expect(subjectsTo("air@example.com")).toEqual(["Test Rentals: reserva cancelada"]);
  });

  // Proves "rules.md: the life of a contract": A kind that is switched off is not written
  // Proves "rentals.md": M28
  test("sends no booking mails of kinds that the account disabled", async () => {
    await env.TENANT_ACME.prepare(`UPDATE settings SET disabled_mails = '["confirmed"]'`).run();
    await openTestTenant(env).freshSnapshot();
    await book();
    await runScheduledWork();
    expect(sentMails).toEqual([]);
  });

  // Proves "rentals.md": M29
  test.each([
    ["request_received", "created", "pending_confirmation"],
    ["confirmed", "confirmed", "confirmed"],
    ["changed", "extended", "in_progress"],
    ["cancelled", "cancelled", "cancelled"],
    ["payment_received", "paid", "confirmed"],
    ["refunded", "refunded", "cancelled"],
    ["delivered", "delivered", "in_progress"],
    ["collected", "collected", "done"],
  ])("sends no mail of the kind %s if the account disabled it, and sends the others", async (kind, event, status) => {
    const write = async (off: readonly string[]) => {
      await env.TENANT_ACME.prepare("UPDATE settings SET disabled_mails = ?").bind(JSON.stringify(off)).run();
      await openTestTenant(env).freshSnapshot();
      await env.TENANT_ACME.prepare(
        "INSERT INTO booking_history (booking_id, at, actor, event, detail) VALUES (7, ?1, 'staff:2', ?2, '{}')",
      )
        .bind(Date.now(), event)
        .run();
      sentMails = [];
      await runScheduledWork();
      return subjectsTo("ana@example.com").length;
    };
    await insertContracts([{ id: 7, status }]);
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_email = 'ana@example.com' WHERE id = 7").run();
    await env.TENANT_ACME.prepare(
      "UPDATE mail_cursor SET last_history_id = (SELECT coalesce(max(id), 0) FROM booking_history)",
    ).run();
    expect([await write([kind]), await write(OTHERS.filter((other) => other !== kind))]).toEqual([0, 1]);
  });

  // Proves "rentals.md": M30
  test("names vehicles and places in booking mails in the customer's language, for the branch in the account's", async () => {
    await book({ pickup_place: 2, return_place: 2, products: [{ code: "A", quantity: 2 }] });
    await runScheduledWork();
    const [customer, branch] = ["ana@example.com", "air@example.com"].map((to) =>
      sentMails.find((mail) => mail.to === to),
    );
    expect(customer?.text).toContain("Fahrzeug: 2 × Kleinwagen");
    expect(branch).toBeUndefined();
    sentMails = [];
    await book({ customer_language: "en" });
    await runScheduledWork();
    expect(sentMails.map(({ text }) => /, (\w+)$/m.exec(text)?.[1])).toEqual(["Airport", "Aeropuerto"]);
  });

  // Proves "rentals.md": M31
  test("excludes amounts that an agent retained or that were credited from the amount due in mails", async () => {
    await insertContracts([{ id: 7, status: "confirmed" }]);
    await env.TENANT_ACME.prepare(
      `UPDATE bookings SET customer_email = 'ana@example.com', customer_language = 'en', agent_commission_prepaid_cents = total_cents - 2000,
        credited_cents = 500 WHERE id = 7`,
    ).run();
    await runScheduledWork();
    await env.TENANT_ACME.prepare(
      "INSERT INTO booking_history (booking_id, at, actor, event, detail) VALUES (7, ?, 'staff:2', 'extended', '{}')",
    )
      .bind(Date.now())
      .run();
    sentMails = [];
    await runScheduledWork();
    expect(sentMails.find(({ to }) => to === "ana@example.com")?.text).toContain("Still to pay: €15.00");
  });

  test("sends no mail about an agent's data, but one if the agent's retained amount changes the amount due", async () => {
    await insertContracts([{ id: 7, status: "confirmed" }]);
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET customer_email = 'ana@example.com', customer_language = 'en' WHERE id = 7",
    ).run();
    await runScheduledWork();
    const changed = async (before: object, after: object) => {
      await env.TENANT_ACME.prepare(
        "INSERT INTO booking_history (booking_id, at, actor, event, detail) VALUES (7, ?, 'staff:2', 'changed', ?)",
      )
        .bind(Date.now(), JSON.stringify({ before, after }))
        .run();
      sentMails = [];
      await runScheduledWork();
      return sentMails.filter(({ to }) => to === "ana@example.com").length;
    };
    expect(await changed({ agent: null, agentKeptCents: 0 }, { agent: "Hotel Sol", agentKeptCents: 0 })).toBe(0);
    expect(await changed({ agent: "Hotel Sol", agentKeptCents: 0 }, { agent: "Hotel Sol", agentKeptCents: 500 })).toBe(
      1,
    );
  });

  test("requests no payment in the mail about a payment for a cancelled reservation, because it is refunded", async () => {
    const company = await setUpCompany();
    await addTestUsers();
    await enableGateways(company);
    await env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
    await openTestTenant(env).freshSnapshot();
    const id = await bookOnWebsite("A", { customer_language: "en" });
    const intent = await startPayment(id, "tpvB", "deposit");
    const booked = await env.TENANT_ACME.prepare("SELECT id, version FROM bookings").first<{
      id: number;
      version: number;
    }>();
    const cancelling = {
      token: await createToken("boss"),
      body: { expected_version: booked?.version, reason: "No car" },
      headers: { "Idempotency-Key": '"cancels"' },
    };
    expect((await callApi("POST", `/office/reservations/${booked?.id}/cancel`, cancelling)).status).toBe(200);
    await runScheduledWork();
    sentMails = [];
    await sendGatewayNotice("tpvB", createCecabankNotice(intent));
    await runScheduledWork();
    const [mail] = sentMails.filter(({ to }) => to === "ana@example.com");
    expect(mail?.subject).toContain("payment received");
    expect(mail?.text).not.toContain("Still to pay");
    expect(mail?.text).toMatch(/Refund: €\d+\.\d\d/);
    const attentionAnswer = await callApi("GET", "/office/attention", { token: cancelling.token });
    expect((await attentionAnswer.json<{ data: { kind: string }[] }>()).data.map(({ kind }) => kind)).toEqual([
      "paid_too_late",
    ]);
  });

  test.each([
    { request: "not written yet", isRequestQueued: false },
    { request: "queued", isRequestQueued: true },
  ])(
    "mails only the payment that came after the vehicle was sold, with the request $request",
    async ({ isRequestQueued }) => {
      await enableGateways(await setUpCompany());
      await env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
      await openTestTenant(env).freshSnapshot();
      const intent = await startPayment(await bookOnWebsite("C", { customer_language: "de" }), "tpvB", "deposit");
      if (isRequestQueued) await runScheduledWork();
      for (const table of ["bookings", "stock_allocations"])
        await env.TENANT_ACME.prepare(`UPDATE ${table} SET expires_at = 1`).run();
      await bookOnWebsite("C", { customer_email: "ben@example.com" });
      sentMails = [];
      await sendGatewayNotice("tpvB", createCecabankNotice(intent));
      await runScheduledWork();
      await runScheduledWork(Date.now() + 11 * 60_000);
      expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: Zahlung eingegangen"]);
      const mail = sentMails.find(({ to }) => to === "ana@example.com");
      expect(mail?.text).toContain("Bitte zahlen Sie nicht noch einmal");
      expect(mail?.text).not.toMatch(/Wir halten|Noch zu zahlen|kostenlos stornieren|Bitte bringen/);
    },
  );

  test("explains in the cancellation mail that a hold has expired", async () => {
    await insertContracts([{ id: 7, status: "pending_confirmation" }]);
    const now = Date.now();
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET created_at = 1, expires_at = ?, customer_email = 'ana@example.com', customer_language = 'en' WHERE id = 7",
    )
      .bind(now - 1)
      .run();
    await runScheduledWork(now);
    expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: reservation cancelled"]);
    expect(sentMails[0]?.text).toContain(
      "The reservation wasn't paid or confirmed in time, so we no longer hold the vehicle.",
    );
  });

  test("sends only the confirmation to a customer who paid before the mail about the request was sent", async () => {
    await enableGateways(await setUpCompany());
    await env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
    await openTestTenant(env).freshSnapshot();
    const intent = await startPayment(await bookOnWebsite("A", { customer_language: "en" }), "tpvB", "deposit");
    await sendGatewayNotice("tpvB", createCecabankNotice(intent));
    await runScheduledWork();
    const confirmed = "Test Rentals: reservation confirmed";
    expect(subjectsTo("ana@example.com")).toEqual([confirmed]);
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT subject FROM development_mails WHERE recipient = 'ana@example.com'",
    ).all<{ subject: string }>();
    expect(results.filter(({ subject }) => subject.startsWith(confirmed))).toHaveLength(1);
  });

  test("mails the customer about a request only once its online payment was given up", async () => {
    await enableGateways(await setUpCompany());
    await env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
    await openTestTenant(env).freshSnapshot();
    const now = Date.now();
    await startPayment(await bookOnWebsite("A", { customer_language: "en" }), "tpvB", "deposit");
    await runScheduledWork(now);
    expect(subjectsTo("ana@example.com")).toEqual([]);
    await runScheduledWork(now + 11 * 60_000);
    expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: we received your request"]);
  });

  test("sends a confirmation with what the pickup needs, a calendar file and working links", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE branches SET phone_number = '+34 971 000 000' WHERE code = 'AIR'"),
      env.TENANT_ACME.prepare("UPDATE pickup_places SET address_street_address = 'Harbour 1', address_city = 'Palma'"),
      env.TENANT_ACME.prepare(
        "INSERT INTO cancellation_terms (occasion, hours_before, fee_type, fee_value) VALUES ('cancellation', 48, 'percentage', 5000)",
      ),
      env.TENANT_ACME.prepare("INSERT INTO letterhead (id, color, logo) VALUES (1, '#0b6e69', 'iVBORw0KGgo=')"),
      env.TENANT_ACME.prepare("INSERT INTO translations VALUES ('branch', 'AIR', 'name', 'en', 'Airport desk')"),
    ]);
    await openTestTenant(env).freshSnapshot();
    await env.TENANT_ACME.prepare(
      "UPDATE categories SET kilometres_per_day = 500, fuel = 'petrol' WHERE code = 'A'",
    ).run();
    await openTestTenant(env).freshSnapshot();
    await book({ customer_language: "en" });
    await runScheduledWork();
    const mail = sentMails.find(({ to }) => to === "ana@example.com");
    expect(mail?.text).toMatch(/^Kilometres included: \d,\d00 km$/m);
    expect(mail?.html).toMatch(/border-bottom: 4px solid #0b6e69.*<img src="http[^"]+\/logo"/);
    expect(mail?.text).toContain("Pickup address: Harbour 1, Palma");
    expect(mail?.text).toContain("Test Rentals · Airport desk\n");
    expect(mail?.text).toContain("Phone: +34 971 000 000");
    expect(mail?.text).toMatch(/^- You can cancel free of charge until .+\n- If you cancel until .+, the fee is €/m);
    expect(mail?.text).toContain("\nPlease return the vehicle with the same fuel level.\n");
    const [file] = mail?.attachments ?? [];
    expect(file).toMatchObject({ type: "text/calendar", filename: expect.stringMatching(/^\d+\.ics$/) });
    expect(atob(file?.content ?? "")).toMatch(/BEGIN:VEVENT.*LOCATION:.*Harbour 1/s);
    const links = [...(mail?.text.matchAll(/http:\S+/g) ?? [])].map(([link]) => link);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect((await requestWorker(link)).status).toBe(200);
    expect(sentMails.find(({ to }) => to === "air@example.com")?.attachments).toBeUndefined();
  });

  test("links the website's page in mails of a company with an engine key, as long as the company lists it", async () => {
    await enableGateways(await setUpCompany());
    await env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
    await openTestTenant(env).freshSnapshot();
    const site = "https://shop.example";
    const listed = await bookOnWebsite("A", {
      page: `${site}/rent?page_id=12&to=https://evil.example&rb=cart#top`,
    });
    await bookOnWebsite("A", { page: "https://evil.example/", customer_email: "eva@example.com" });
    const readText = (to: string) => sentMails.findLast((mail) => mail.to === to)?.text ?? "";
    const require = async (origins: readonly string[]) => {
      const settings = "UPDATE settings SET engine_requires_api_key = 1, engine_origins = ?";
      await env.TENANT_ACME.prepare(settings).bind(JSON.stringify(origins)).run();
      await openTestTenant(env).freshSnapshot();
    };
    await require([site, "https://other.example"]);
    await runScheduledWork();
    expect(readText("ana@example.com")).toMatch(
      new RegExp(`${site}/rent\\?page_id=12&lang=\\w\\w&rb=reservation&rb-id=${listed}\\s`),
    );
    expect(readText("eva@example.com")).toMatch(/\d/);
    expect(readText("eva@example.com")).not.toContain("rb=reservation");
    await require([]);
    await env.TENANT_ACME.prepare(
      "INSERT INTO booking_history (booking_id, at, actor, event, detail) SELECT id, ?, 'staff:2', 'extended', '{}' FROM bookings",
    )
      .bind(Date.now())
      .run();
    await runScheduledWork();
    expect(sentMails.filter(({ to, text }) => to === "ana@example.com" && text.includes(listed))).toHaveLength(1);
  });

  // Proves "rentals.md": M32
  test("skips customers without an email address, and sends them no earlier mails once one is added", async () => {
    await book({ customer_email: undefined });
    await runScheduledWork();
    expect(sentMails.map(({ to }) => to)).toEqual(["air@example.com"]);
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_email = 'ana@example.com'").run();
    await runScheduledWork();
    expect(sentMails).toHaveLength(1);
  });

  // Proves "rules.md: the life of a contract": A request, its payment, its confirmation and a change are mailed
  // Proves "rentals.md": M18
  test("mails the customer about a booking request, its payment, its confirmation and the customer's changes", async () => {
    const company = await setUpCompany();
    await addTestUsers();
    await enableGateways(company);
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)"),
      env.TENANT_ACME.prepare("UPDATE settings SET customer_changes_allowed = 1"),
    ]);
    await openTestTenant(env).freshSnapshot();
    const id = await bookOnWebsite("A", { customer_language: "en" });
    await runScheduledWork();
    expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: we received your request"]);
    await sendGatewayNotice("tpvB", createCecabankNotice(await startPayment(id, "tpvB", "total")));
    await runScheduledWork();
    expect(subjectsTo("ana@example.com").slice(1)).toEqual(["Test Rentals: reservation confirmed"]);
    expect(sentMails.at(-1)?.text).toMatch(/Paid: €[1-9]/);
    const changed = await requestWorker(`http://acme.localhost:8787/api/v1/web-customer/reservations/${id}/change`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ extras: [{ code: "GPS" }] }),
    });
    expect(changed.status).toBe(200);
    await runScheduledWork();
    expect(subjectsTo("ana@example.com").slice(2)).toEqual(["Test Rentals: reservation changed"]);
  });

  /** Creates a transfer with its customer already notified. Returns its id. */
  async function createNotifiedTransfer(): Promise<unknown> {
    await insertTransferCatalogue(await setUpCompany());
    await addTestUsers();
    await env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
    await openTestTenant(env).freshSnapshot();
    await bookTransfer();
    await runScheduledWork();
    sentMails = [];
    return env.TENANT_ACME.prepare("SELECT id FROM bookings").first("id");
  }

  // Proves "check-in.md: trips for drivers": Mails of a transfer contain its current trips and arrival
  test("mails the customer about a transfer at another time, with its trips", async () => {
    const id = await createNotifiedTransfer();
    const body = { expected_version: 1, transfer: { outward: { time: "16:30" } } };
    const headers = { "Idempotency-Key": `"${crypto.randomUUID()}"` };
    const token = await createToken("boss");
    expect((await callApi("PATCH", `/office/reservations/${id}`, { token, body, headers })).status).toBe(200);
    await runScheduledWork();
    const [mail] = sentMails.filter(({ to }) => to === "ana@example.com");
    expect(mail?.subject).toContain("reservation changed");
    expect(mail?.text).toContain("Vehicle: Saloon\n");
    expect(mail?.text).toContain(`Pickup: ${formatDate(getBookableDay(0), "en", "ES")} 16:30, Airport\n`);
    expect(mail?.text).toContain(`Arrival: ${formatDate(getBookableDay(0), "en", "ES")} 17:10, Sea hotel`);
    expect(mail?.text).not.toContain("Return:");
  });

  test("names a transfer's extras in the customer's language, each trip in the calendar, and no contract", async () => {
    await createNotifiedTransfer();
    const cart = await createTransferCart({ ...ROUND_TRIP_FIELDS, time: "18:00" });
    expect((await postToTransferEngine(`/shopping-cart/${cart}/set-extra`, { extra: "11", quantity: 1 })).status).toBe(
      200,
    );
    expect((await checkoutTransfer(cart, { customer_email: "eva@example.com" })).status).toBe(200);
    const id = await env.TENANT_ACME.prepare("SELECT max(id) AS id FROM bookings").first<number>("id");
    const boss = { token: await createToken("boss"), body: { expected_version: 1 } };
    expect((await callOffice("POST", `/reservations/${id}/confirm`, boss)).status).toBe(200);
    await runScheduledWork();
    const mail = sentMails.findLast(({ to }) => to === "eva@example.com");
    expect(mail?.subject).toContain("reservation confirmed");
    expect(mail?.text).toContain("Extras: Baby seat\n");
    expect(mail?.text).not.toContain("contract");
    const shownDay = (days: number) => formatDate(getBookableDay(days), "en", "ES");
    expect(mail?.text.match(/^(?:Vehicle|Outward trip|Return trip|Pickup|Arrival): .*$/gm)).toEqual([
      "Vehicle: Saloon",
      expect.stringMatching(`^Outward trip: ${shownDay(0)} 18:00 – 18:\\d\\d, Airport – Sea hotel$`),
      expect.stringMatching(`^Return trip: ${shownDay(3)} \\d\\d:\\d\\d – \\d\\d:\\d\\d, Sea hotel – Airport$`),
    ]);
    const file = Buffer.from(mail?.attachments?.[0]?.content ?? "", "base64");
    const calendar = file.toString().replaceAll("\r\n ", "");
    const day = (days: number) => getBookableDay(days).replaceAll("-", "");
    expect(calendar.match(/DTSTART:.{8}|DTEND:.{8}|SUMMARY:.*Saloon.*|UID:.*/g)).toEqual([
      ...[`UID:reservation-${id}@acme`, `DTSTART:${day(0)}`, `DTEND:${day(0)}`],
      expect.stringMatching(/Saloon\\, Airport – Sea hotel$/),
      ...[`UID:reservation-${id}-2@acme`, `DTSTART:${day(3)}`, `DTEND:${day(3)}`],
      expect.stringMatching(/Saloon\\, Sea hotel – Airport$/),
    ]);
  });

  const PASSENGER_DATA = {
    customer_phone: "600000000",
    ...{
      detailed_destination_address: "Hotel Sol, C/.Mayor 5",
      detailed_return_origin_address: "Hotel Sol, C/.Mayor 5",
    },
    ...{
      flight_company: "Iberia",
      flight_number: "IB3920",
      flight_time: "08:40",
      fligth_airport_origin: "Madrid (MAD)",
    },
    ...{ flight_number_departure: "IB 3921", flight_time_departure: "13:05", number_of_bags: 2 },
  };
  const readTransferLines = (text = "") =>
    text.match(/^(?:Passengers|Bags|Outward trip|Return trip|[A-Z][a-z]+ (?:address|flight)): .*$/gm) ?? [];

  test("names passengers, flights and addresses of both trips in the mails of a transfer, also to the branch", async () => {
    await createNotifiedTransfer();
    await env.TENANT_ACME.prepare("UPDATE branches SET email = 'air@example.com'").run();
    const cart = await createTransferCart({
      ...ROUND_TRIP_FIELDS,
      time: "18:00",
      number_of_adults: "2",
      number_of_infants: "1",
    });
    const changes = { customer_email: "eva@example.com", ...PASSENGER_DATA };
    expect((await checkoutTransfer(cart, changes)).status).toBe(200);
    await runScheduledWork();
    const mails = ["eva@example.com", "air@example.com"].map((to) => sentMails.findLast((mail) => mail.to === to));
    expect(readTransferLines(mails[0]?.text)).toEqual([
      "Passengers: 2 adults, 1 infant",
      "Bags: 2",
      expect.stringMatching(/^Outward trip: /),
      "Arrival flight: Iberia IB3920, 08:40, Madrid (MAD)",
      "Destination address: Hotel Sol, C/. Mayor 5",
      expect.stringMatching(/^Return trip: /),
      "Pickup address: Hotel Sol, C/. Mayor 5",
      "Departure flight: IB 3921, 13:05",
    ]);
    expect(mails[1]?.text).toContain("Pasajeros: 2 adultos, 1 bebé\n");
    expect(mails[1]?.text).toContain("Vuelo de llegada: Iberia IB3920, 08:40, Madrid (MAD)\n");
    expect(mails[1]?.text).toContain("Dirección de destino: Hotel Sol, C/. Mayor 5\n");
  });

  // Proves "rules.md: the life of a contract": Nothing a visitor typed can carry a link in a mail
  test("contains no link or telephone number in the addresses and flights of a transfer's mails", async () => {
    await createNotifiedTransfer();
    const hostileTexts = {
      ...{ customer_phone: "600000000", customer_email: "eva@example.com" },
      ...{ flight_number: "evil.co", flight_time: "a.co", fligth_airport_origin: "http://evil.example" },
      ...{ detailed_destination_address: "www.evil.example", flight_company: "call 900-123 456" },
    };
    expect((await checkoutTransfer(await createTransferCart({ time: "18:00" }), hostileTexts)).status).toBe(200);
    await runScheduledWork();
    const mail = sentMails.findLast(({ to }) => to === "eva@example.com");
    expect(mail?.text).toContain("Passengers: 1 adult\n");
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/evil\.\w|:\/\/evil|a\.co\b|900-/);
  });

  // Proves "rules.md: the life of a contract": … with a mail
  // Proves "rentals.md": M21
  test("mails the customer about a cancelled transfer", async () => {
    const id = await createNotifiedTransfer();
    const body = { reason: "No flight" };
    const boss = await createToken("boss");
    expect((await callApi("POST", `/booking/transfer-reservations/${id}/cancel`, { token: boss, body })).status).toBe(
      200,
    );
    await runScheduledWork();
    expect(subjectsTo("ana@example.com")).toEqual([expect.stringMatching(/cancel/)]);
  });

  // Proves "rules.md: the life of a contract": A reminder before the pickup, once
  // Proves "rentals.md": M22
  test("reminds the customer once of a pickup that is near", async () => {
    await book();
    await runScheduledWork();
    const { date, pickup } = (await env.TENANT_ACME.prepare(
      "SELECT date_from AS date, unixepoch(date_from || ' ' || time_from) * 1000 AS pickup FROM bookings",
    ).first<{ date: string; pickup: number }>()) ?? { date: "", pickup: 0 };
    sentMails = [];
    await runScheduledWork(pickup - 12 * 3_600_000);
    await runScheduledWork(pickup - 11 * 3_600_000);
    expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: Ihre Abholung steht bevor"]);
    expect(sentMails[0]?.text).not.toContain("Kilometer");
    expect(sentMails[0]?.text).toContain(formatDate(date, "de", "ES"));
  });

  // Proves "rentals.md": M23
  test("sends no pickup reminder if the pickup was already near when the customer booked", async () => {
    await book();
    await runScheduledWork();
    const { pickup } = (await env.TENANT_ACME.prepare(
      "SELECT unixepoch(date_from || ' ' || time_from) * 1000 AS pickup FROM bookings",
    ).first<{ pickup: number }>()) ?? { pickup: 0 };
    await env.TENANT_ACME.prepare("UPDATE bookings SET created_at = ?")
      .bind(pickup - 5 * 3_600_000)
      .run();
    sentMails = [];
    await runScheduledWork(pickup - 4 * 3_600_000);
    expect(sentMails).toEqual([]);
    // Booked two days ahead, or since moved to today: the customer is notified.
    await env.TENANT_ACME.prepare("UPDATE bookings SET created_at = ?")
      .bind(pickup - 48 * 3_600_000)
      .run();
    await runScheduledWork(pickup - 4 * 3_600_000);
    expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: Ihre Abholung steht bevor"]);
  });

  // Proves "rentals.md": M24
  test("mails a pickup reminder to a customer with an email address after 59 bookings without one", async () => {
    const { results } = await env.TENANT_ACME.prepare(
      `INSERT INTO bookings (free_access_id, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place, return_place, branch_code,
        return_branch_code, branch_group_id, customer_name, customer_email, customer_language, item_cents, total_cents, created_at, last_update)
      SELECT 'near-' || value, 'confirmed', 'staff', '2030-05-03', '10:00', '2030-05-04', '10:00', 1, '', '', 'AIR', 'AIR', 1, 'Ana',
        iif(value = 60, 'ana@example.com', NULL), 'en', 0, 0, 1, 1 FROM json_each(?) RETURNING id`,
    )
      .bind(JSON.stringify(Array.from({ length: 60 }, (_, index) => index + 1)))
      .all();
    expect(results).toHaveLength(60);
    const near = Date.UTC(2030, 4, 3, 2);
    await runScheduledWork(near);
    expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: your pickup is coming up"]);
    await runScheduledWork(near + 60_000);
    expect(sentMails).toHaveLength(1);
  });

  // Proves "rules.md: the life of a contract": The end of a hold is mailed with its time
  // Proves "rentals.md": M25
  test("warns the customer before a hold expires, with the time in the account's time zone", async () => {
    await insertContracts([{ id: 7, status: "pending_confirmation" }]);
    const now = Date.now();
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET created_at = ?1, expires_at = ?2, customer_email = 'ana@example.com', customer_language = 'en' WHERE id = 7",
    )
      .bind(now - 86_400_000, now + 1_800_000)
      .run();
    await runScheduledWork(now);
    await runScheduledWork(now);
    expect(subjectsTo("ana@example.com")).toEqual(["Test Rentals: your reservation expires soon"]);
    expect(sentMails[0]?.text).toMatch(/We hold the vehicle for you until \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d\./);
  });

  // Proves "rentals.md": M33
  test.each([
    ["paid", "status = 'confirmed', expires_at = NULL"],
    ["cancelled", "status = 'cancelled', expires_at = NULL"],
    ["over", "expires_at = 1"],
  ])("sends no warning before the end of a hold that is %s", async (_name, sql) => {
    await insertContracts([{ id: 7, status: "pending_confirmation" }]);
    const now = Date.now();
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET created_at = ?1, expires_at = ?2, customer_email = 'ana@example.com', customer_language = 'en' WHERE id = 7",
    )
      .bind(now - 86_400_000, now + 1_800_000)
      .run();
    await env.TENANT_ACME.prepare(`UPDATE bookings SET ${sql} WHERE id = 7`).run();
    await runScheduledWork(now);
    expect(subjectsTo("ana@example.com")).not.toContain("Test Rentals: your reservation expires soon");
  });

  // Proves "rentals.md": M34
  test("gives up a failed reminder after the pickup, and a failed warning after the hold's end", async () => {
    await insertContracts([{ id: 7, status: "pending_confirmation" }]);
    const now = Date.now();
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET created_at = ?1, expires_at = ?2, customer_email = 'ana@example.com', customer_language = 'en' WHERE id = 7",
    )
      .bind(now - 86_400_000, now + 1_800_000)
      .run();
    await book();
    await runScheduledWork(now);
    const pickup = await env.TENANT_ACME.prepare(
      "SELECT unixepoch(date_from || ' ' || time_from) * 1000 AS at FROM bookings WHERE id <> 7",
    ).first<number>("at");
    const near = (pickup ?? 0) - 12 * 3_600_000;
    sentMails = [];
    isPostOfficeClosed = true;
    await env.TENANT_ACME.prepare("DELETE FROM outgoing_mails").run();
    await env.TENANT_ACME.prepare("DELETE FROM booking_mails WHERE kind = 'hold_ending'").run();
    const readUnsent = async () =>
      (await env.TENANT_ACME.prepare("SELECT kind FROM booking_mails WHERE sent_at IS NULL").all()).results;
    await runScheduledWork(now);
    expect(await readUnsent()).toEqual([{ kind: "hold_ending" }]);
    isPostOfficeClosed = false;
    await runScheduledWork(now + 2 * 3_600_000);
    isPostOfficeClosed = true;
    await runScheduledWork(near);
    expect(await readUnsent()).toEqual([{ kind: "hold_ending" }, { kind: "reminder" }]);
    isPostOfficeClosed = false;
    await runScheduledWork((pickup ?? 0) + 3_600_000);
    expect(subjectsTo("ana@example.com").filter((text) => /expires soon|steht bevor/.test(text))).toEqual([]);
  });

  const LAPSES = "Test Rentals: your reservation expires soon";
  const NEAR = "Test Rentals: your pickup is coming up";
  // Proves "rules.md: the life of a contract": Reminders are sent only while true, however late the mail
  // Proves "rentals.md": M26
  test.each([
    ["hold", "is confirmed", "status = 'confirmed', expires_at = NULL", LAPSES, []],
    ["hold", "is cancelled", "status = 'cancelled', expires_at = NULL", LAPSES, []],
    ["hold", "still awaits its payment", "days = days", LAPSES, [LAPSES]],
    ["hold", "gets a longer hold", "expires_at = expires_at + 60000", LAPSES, [LAPSES]],
    ["pickup", "is cancelled", "status = 'cancelled'", NEAR, []],
    ["pickup", "is handed over", "status = 'in_progress'", NEAR, []],
    ["pickup", "gets a later pickup", "time_from = '11:30'", NEAR, [NEAR]],
  ])(
    "drops an unsent mail about a near %s only if it is outdated because the booking %s",
    async (which, _name, sql, subject, expectedText) => {
      await insertContracts([{ id: 7, status: which === "hold" ? "pending_confirmation" : "confirmed" }]);
      const now = Date.UTC(2030, 4, 3, 2);
      await env.TENANT_ACME.prepare(
        `UPDATE bookings SET created_at = ?1, expires_at = ?2, customer_email = 'ana@example.com', customer_language = 'en',
        date_from = '2030-05-03', time_from = '10:00' WHERE id = 7`,
      )
        .bind(now - 10 * 86_400_000, which === "hold" ? now + 1_800_000 : null)
        .run();
      isPostOfficeClosed = true;
      await runScheduledWork(now);
      expect(await env.TENANT_ACME.prepare("SELECT subject FROM outgoing_mails").all()).toMatchObject({
        results: [{ subject: expect.stringContaining(subject) }],
      });
      await env.TENANT_ACME.prepare(`UPDATE bookings SET ${sql} WHERE id = 7`).run();
      isPostOfficeClosed = false;
      await runScheduledWork(now + 20 * 60_000);
      await runScheduledWork(now + 21 * 60_000);
      expect(subjectsTo("ana@example.com").filter((text) => text === subject)).toEqual(expectedText);
      if (sql.startsWith("time_from")) expect(sentMails.at(-1)?.text).toContain("3 May 2030 11:30");
      expect(await env.TENANT_ACME.prepare("SELECT count(*) AS n FROM outgoing_mails").first("n")).toBe(0);
    },
  );

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Mails of confirmation, hand-over, return
  //   and invoice link papers, to the customer alone
  // Proves "check-in.md": P13
  // Proves "rentals.md": M19
  test("links contract and invoices in the customer's mails on confirmation, hand-over, return and invoicing", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare(
      `UPDATE bookings SET customer_email = 'ana@example.com', customer_language = 'en', free_access_id = '${"a1".repeat(16)}'
      WHERE id = 7`,
    ).run();
    const desk = await createToken("desk");
    await sendCheckInOperation(desk, createDeliveryMessage());
    const invoice = { token: desk, body: { request_id: "an-invoice" } };
    expect((await callApi("POST", "/booking/7/documents", invoice)).status).toBe(200);
    await runScheduledWork();
    await sendCheckInOperation(desk, createCollectionMessage({ kilometres: 10_600 }));
    await runScheduledWork();
    expect(subjectsTo("ana@example.com")).toEqual([
      "Test Rentals: vehicle handed over",
      "Test Rentals: your invoice",
      "Test Rentals: vehicle returned",
    ]);
    const findLinks = (text = "") => text.match(/^(Contract|Simplified invoice) ?\S*: http\S+$/gm) ?? [];
    const [delivered, invoiced, collected] = sentMails.map(({ text }) => findLinks(text));
    expect(delivered?.map((line) => line.split(":")[0])).toEqual(["Contract"]);
    expect(invoiced?.map((line) => line.split(":")[0])).toEqual([expect.stringMatching(INVOICE)]);
    expect(collected?.map((line) => line.split(":")[0])).toEqual(
      expect.arrayContaining(["Contract", expect.stringMatching(INVOICE)]),
    );
    for (const line of collected ?? []) {
      const answer = await requestWorker(line.slice(line.indexOf(": ") + 2));
      expect({ line, type: answer.headers.get("Content-Type") }).toEqual({ line, type: "application/pdf" });
      await answer.arrayBuffer();
    }
    await book();
    await runScheduledWork();
    const confirmed = sentMails.filter(({ subject }) => subject.includes("confirm") || subject.includes("bestätigt"));
    expect(confirmed.map(({ to, text }) => [to, text.includes("/contract.pdf")])).toEqual(
      expect.arrayContaining([["ana@example.com", true]]),
    );
    const toBranch = sentMails.filter(({ to }) => to === "air@example.com");
    expect(toBranch.map(({ text }) => text).join()).not.toContain("/web-customer/");
  });

  test("links the correct invoice once in the customer's mails about a reopened contract", async () => {
    await insertCheckInRental({ units: 2 });
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET customer_email = 'ana@example.com', customer_language = 'en' WHERE id = 7",
    ).run();
    const desk = await createToken("desk");
    const other = { resource_id: 71, vehicle_reference: "A-2" };
    for (const work of [
      createDeliveryMessage(),
      createDeliveryMessage(other),
      createCollectionMessage(),
      createCollectionMessage(other),
    ])
      await sendCheckInOperation(desk, work);
    await runScheduledWork();
    const boss = { token: await createToken("boss") };
    const performAction = (name: string, body: object) =>
      readReservationAnswer(
        callOffice("POST", `/reservations/7/${name}`, { ...boss, body: { expected_version: version, ...body } }),
      );
    let { version } = (await readReservationAnswer(callOffice("GET", "/reservations/7", boss))).reservation;
    for (const [name, body] of [
      ["reopen", { reason: "Fuel" }],
      ["collect", { unit_id: 70, kilometres: 1300, fuel_eighths: 4 }],
      ["collect", { unit_id: 71, kilometres: 1300, fuel_eighths: 8 }],
    ] as const)
      ({ version } = (await performAction(name, body)).reservation);
    await runScheduledWork();
    await runScheduledWork();
    expect(subjectsTo("ana@example.com")).toEqual([
      "Test Rentals: vehicle handed over",
      "Test Rentals: vehicle returned",
      "Test Rentals: your invoice",
    ]);
    expect(sentMails.at(-1)?.text).toMatch(/^Simplified invoice T-AIR-\d\d\/2: http/m);
    expect(sentMails.at(-1)?.text).toMatch(/^Credit note \S+: http/m);
  });
});

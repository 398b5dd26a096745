import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { createRedsysNotice, enableGateways, parseForms, sendGatewayNotice, submitForm } from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { readRedsysParameters } from "#worker/gateways/redsys.ts";
import { enqueueDueBookingMails } from "#worker/usecases/operations/booking-mails.ts";

interface Link {
  readonly id: number;
  readonly url: string;
  readonly purpose: string;
  readonly amount: string;
  readonly status: string;
  readonly expires_at: string;
}

const HOUR = 3_600_000;
let boss = "";
let confirmedReservation: ReservationAnswer;
let id = 0;

beforeEach(async () => {
  const company = await setUpCompany();
  await enableGateways(company);
  await addTestUsers();
  await company.db.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
  boss = await createToken("boss");
  confirmedReservation = await sellRentalAtDesk(boss, { status: "confirmed" });
  id = confirmedReservation.reservation.id;
});

const create = (body: object, token = boss, key?: string) =>
  callOffice("POST", `/reservations/${id}/payment-links`, { token, body, ...(key !== undefined && { key }) });
async function createLink(body: object = { purpose: "payment" }): Promise<Link> {
  const answer = await create(body);
  expect(answer.status).toBe(201);
  return (await answer.json<{ payment_link: Link }>()).payment_link;
}
const listLinks = async (): Promise<readonly Link[]> =>
  (await (await callOffice("GET", `/reservations/${id}`, { token: boss })).json<{ payment_links: Link[] }>())
    .payment_links;
const open = (link: Link) => requestWorker(link.url, { headers: { Accept: "text/html" } });
const payWith = (link: Link, method = "tpvA256") => submitForm(link.url, { payment_method_id: method });
const code = async (answer: Response) => (await answer.json<{ code: string }>()).code;

/** Order and amount of the form that leads to Redsys. */
async function readOrder(answer: Response) {
  const [form] = (await parseForms(answer)).forms;
  const fields = readRedsysParameters(form?.fields["Ds_MerchantParameters"] ?? "") ?? {};
  return {
    order_reference: fields["DS_MERCHANT_ORDER"] ?? "",
    amount_cents: Number(fields["DS_MERCHANT_AMOUNT"]),
  };
}

test("creates a payment link for the pending amount and lists it with the reservation", async () => {
  const link = await createLink();
  expect(link).toMatchObject({
    purpose: "payment",
    amount: confirmedReservation.reservation.total_pending,
    status: "open",
  });
  expect(link.url).toMatch(/^http:\/\/acme\.localhost:8787\/pay\/[0-9a-f]{32}$/);
  expect(await listLinks()).toEqual([link]);
});

test("links the reservation from its payment page on a page that shows it: the company's or the website's", async () => {
  const link = await createLink();
  const readHref = async () => /href="([^"]+rb=reservation[^"]+)"/.exec(await (await open(link)).text())?.[1];
  expect(await readHref()).toMatch(/^http:\/\/acme\.localhost:8787\/\?/);
  const listWebsites = async (origins: readonly string[]) => {
    const settings = "UPDATE settings SET engine_requires_api_key = 1, engine_origins = ?";
    await env.TENANT_ACME.prepare(settings).bind(JSON.stringify(origins)).run();
    await openTestTenant(env).freshSnapshot();
  };
  await listWebsites(["https://shop.example"]);
  expect(await readHref()).toMatch(/^https:\/\/shop\.example\/\?/);
  await listWebsites(["https://shop.example", "https://other.example"]);
  expect(await readHref()).toBeUndefined();
  expect((await payWith(link)).status).toBe(200);
  await env.TENANT_ACME.prepare(
    `UPDATE bookings SET contract_data = '{"website_page":"https://shop.example/rent"}'`,
  ).run();
  expect(await readHref()).toMatch(/^https:\/\/shop\.example\/rent\?/);
});

test("creates one payment link per key, and rejects other content with the same key", async () => {
  const first = await create({ purpose: "payment" }, boss, "once");
  const again = await create({ purpose: "payment" }, boss, "once");
  expect(await again.json()).toEqual(await first.json());
  expect((await create({ purpose: "payment", amount: "1.00" }, boss, "once")).status).toBe(422);
  expect(await listLinks()).toHaveLength(1);
});

test.each([
  [{ purpose: "gift" }, "purpose"],
  [{ purpose: "payment", amount: "0" }, "amount"],
  [{ purpose: "payment", amount: "1.005" }, "amount"],
  [{ purpose: "payment", expires_at: "tomorrow" }, "expires_at"],
  [{ purpose: "payment", expires_at: "2020-01-01T10:00" }, "expires_at"],
  [{ purpose: "payment", expires_at: "2199-01-01T10:00:00Z" }, "expires_at"],
  [{ purpose: "payment", send: "yes" }, "send"],
])("names the wrong field of the payment link %j, and creates none", async (body, field) => {
  const answer = await create(body);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toContain(field);
  expect(await listLinks()).toEqual([]);
});

test("rejects a payment link for a reservation of another branch and for a paid one", async () => {
  expect((await create({ purpose: "payment" }, await createToken("desk"))).status).toBe(404);
  const link = await createLink();
  await sendGatewayNotice("tpvA256", createRedsysNotice(await readOrder(await payWith(link))));
  const refused = await create({ purpose: "payment" });
  expect([refused.status, await code(refused)]).toEqual([409, "nothing_due"]);
});

test("ends a payment link when its customer's data is erased", async () => {
  const link = await createLink();
  const { reservation } = confirmedReservation;
  const body = { expected_version: reservation.version, reason: "by the customer", fee: "0.00" };
  expect((await callOffice("POST", `/reservations/${id}/cancel`, { token: boss, body })).status).toBe(200);
  await env.TENANT_ACME.prepare("UPDATE payment_links SET status = 'open'").run();
  const erased = await callOffice("POST", `/customers/${reservation["customer_id"]}/erase`, {
    token: boss,
    body: { reason: "asked for" },
  });
  expect(erased.status).toBe(200);
  expect(await env.TENANT_ACME.prepare("SELECT status FROM payment_links").all()).toMatchObject({
    results: [{ status: "cancelled" }],
  });
  expect((await parseForms(await open(link))).forms).toEqual([]);
});

describe("the customer's page", () => {
  test("shows every gateway on the payment page, one of them as the main button, with a link to the reservation", async () => {
    const link = await createLink();
    const page = await open(link);
    expect(page.status).toBe(200);
    const { forms } = await parseForms(page.clone());
    expect(forms.map(({ fields }) => fields["payment_method_id"]).toSorted()).toEqual([
      ...["tpvA256", "tpvB", "tpvC", "wallet_standard"],
    ]);
    const text = await page.text();
    expect(text).toContain(String(confirmedReservation.reservation["free_access_id"]));
    expect(text).toMatch(/<p class="rental">.* 10:00 – .* 10:00 · Aeropuerto<\/p>/);
    // One main button, as on every page.
    expect(text.match(/<button type="submit">/g)).toHaveLength(1);
    expect(text.match(/<button type="submit" class="quiet">/g)).toHaveLength(3);
  });

  test("accepts the payment of a link once, and then shows no payment button", async () => {
    const link = await createLink();
    const order = await readOrder(await payWith(link));
    await sendGatewayNotice("tpvA256", createRedsysNotice(order));
    await sendGatewayNotice("tpvA256", createRedsysNotice(order));
    expect((await listLinks()).map(({ status }) => status)).toEqual(["paid"]);
    const { charges, reservation } = await readReservationAnswer(
      callOffice("GET", `/reservations/${id}`, { token: boss }),
    );
    expect(charges).toHaveLength(1);
    expect(reservation.total_pending).toBe("0.00");
    expect((await parseForms(await open(link))).forms).toEqual([]);
    expect((await parseForms(await payWith(link))).forms).toEqual([]);
  });

  test("links from the page after a payment by payment link back to the reservation's page", async () => {
    const link = await createLink();
    const order = await readOrder(await payWith(link));
    await sendGatewayNotice("tpvA256", createRedsysNotice(order));
    const intent = await env.TENANT_ACME.prepare("SELECT id FROM payment_intents").first<string>("id");
    const returnPage = await requestWorker(
      `http://acme.localhost:8787/reserva/payment-gateway-return/ok?payment=${intent}`,
    );
    expect(await returnPage.text()).toContain(`rb-id=${confirmedReservation.reservation["free_access_id"]}`);
  });

  test("accepts at most the amount due by a payment link", async () => {
    const link = await createLink();
    const total = Number(confirmedReservation.reservation.total_pending);
    const paid = await callOffice("POST", `/reservations/${id}/payment-links`, {
      token: boss,
      body: { purpose: "payment", amount: "10.00" },
    });
    const part = (await paid.json<{ payment_link: Link }>()).payment_link;
    await sendGatewayNotice("tpvA256", createRedsysNotice(await readOrder(await payWith(part))));
    expect((await readOrder(await payWith(link))).amount_cents).toBe(Math.round(total * 100) - 1000);
  });

  test("asks for no payment after another payment of the amount, even if the link expired or was cancelled", async () => {
    const [link, other] = [await createLink(), await createLink()];
    await sendGatewayNotice("tpvA256", createRedsysNotice(await readOrder(await payWith(other))));
    for (const change of ["status = 'open'", "created_at = 1, expires_at = 2", "status = 'cancelled'"]) {
      await env.TENANT_ACME.prepare(`UPDATE payment_links SET ${change} WHERE id = ?`).bind(link.id).run();
      for (const page of [await open(link), await payWith(link)]) {
        expect((await parseForms(page.clone())).forms).toEqual([]);
        expect(await page.text()).toContain("No hay nada pendiente");
      }
    }
  });

  // Proves "payments.md: gateways": A payment link takes at most the amount due, in one payment
  test("accepts one payment when fifty visitors open a payment link at once", async () => {
    const link = await createLink();
    const answers = await Promise.all(Array.from({ length: 50 }, () => payWith(link)));
    const orders = await Promise.all(answers.map(readOrder));
    expect(new Set(orders.map(({ order_reference }) => order_reference)).size).toBe(1);
    await Promise.all(orders.map((order) => sendGatewayNotice("tpvA256", createRedsysNotice(order))));
    const { charges } = await readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: boss }));
    expect(charges).toHaveLength(1);
  });

  test("shows no payment button after the link's expiry, and records a late payment", async () => {
    const link = await createLink({ purpose: "payment", expires_at: new Date(Date.now() + HOUR).toISOString() });
    const order = await readOrder(await payWith(link));
    await env.TENANT_ACME.prepare("UPDATE payment_links SET created_at = 1, expires_at = 2").run();
    expect((await listLinks()).map(({ status }) => status)).toEqual(["expired"]);
    expect((await parseForms(await open(link))).forms).toEqual([]);
    expect((await parseForms(await payWith(link))).forms).toEqual([]);
    await sendGatewayNotice("tpvA256", createRedsysNotice(order));
    expect((await listLinks()).map(({ status }) => status)).toEqual(["paid"]);
  });

  test("returns 404 for unknown payment links and those of other accounts", async () => {
    const link = await createLink();
    await setUpCompany("globex");
    expect((await requestWorker(`http://acme.localhost:8787/pay/${"0".repeat(32)}`)).status).toBe(404);
    expect((await requestWorker(link.url.replace("acme", "globex"))).status).toBe(404);
  });
});

describe("cancelling", () => {
  // Proves "payments.md: gateways": A payment link is cancelled once and its page shows it
  test.each([
    (link: Link) => `/payment-links/${link.id}`,
    (link: Link) => `/reservations/${id}/payment-links/${link.id}`,
  ])("cancels a payment link and its page once", async (path) => {
    const link = await createLink();
    const cancelled = await callOffice("DELETE", path(link), { token: boss });
    expect([cancelled.status, (await cancelled.json<{ payment_link: Link }>()).payment_link.status]).toEqual([
      200,
      "cancelled",
    ]);
    expect((await callOffice("DELETE", path(link), { token: boss })).status).toBe(200);
    expect((await parseForms(await open(link))).forms).toEqual([]);
    expect((await listLinks()).map(({ status }) => status)).toEqual(["cancelled"]);
    const { history } = await readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: boss }));
    expect(history.filter(({ after }) => JSON.stringify(after).includes("payment_link_cancelled"))).toHaveLength(1);
  });

  // Proves "payments.md: gateways": A payment link that is cancelled while it's opened shows its page
  test("shows the cancelled page to visitors who start a payment while the link is cancelled", async () => {
    const link = await createLink();
    const [cancelled, ...answers] = await Promise.all([
      callOffice("DELETE", `/payment-links/${link.id}`, { token: boss }),
      ...Array.from({ length: 20 }, () => payWith(link)),
    ]);
    expect(cancelled.status).toBe(200);
    const pages = await Promise.all(
      answers.map(async (answer) => [answer.status, (await answer.text()).includes("Este enlace se ha cancelado")]),
    );
    const ended = pages.filter(([, isCancelled]) => isCancelled);
    expect(pages.every(([status]) => status === 200)).toBe(true);
    expect(ended.length).toBeGreaterThan(0);
  });

  test("rejects cancelling paid links and links of other branches or reservations", async () => {
    const link = await createLink();
    expect((await callOffice("DELETE", `/payment-links/${link.id}`, { token: await createToken("desk") })).status).toBe(
      404,
    );
    expect((await callOffice("DELETE", `/reservations/999/payment-links/${link.id}`, { token: boss })).status).toBe(
      404,
    );
    await sendGatewayNotice("tpvA256", createRedsysNotice(await readOrder(await payWith(link))));
    const refused = await callOffice("DELETE", `/payment-links/${link.id}`, { token: boss });
    expect([refused.status, await code(refused)]).toEqual([409, "payment_link_used"]);
  });
});

// Proves "payments.md: gateways": A payment link is mailed on request
test("mails a payment link only on request and only to the customer", async () => {
  const tenant = openTestTenant(env);
  await env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
  await env.TENANT_ACME.prepare("UPDATE branches SET email = 'air@example.com'").run();
  await createLink();
  await enqueueDueBookingMails(tenant, Date.now());
  const link = await createLink({ purpose: "payment", amount: "5.00", send: true });
  await enqueueDueBookingMails(tenant, Date.now());
  await enqueueDueBookingMails(tenant, Date.now());
  const { results } = await env.TENANT_ACME.prepare("SELECT recipient, text FROM development_mails").all<{
    readonly recipient: string;
    readonly text: string;
  }>();
  const mailed = results.filter(({ text }) => text.includes("/pay/"));
  expect(mailed.map(({ recipient }) => recipient)).toEqual(["ana@example.com"]);
  expect(mailed[0]?.text).toContain(link.url);
  expect(mailed[0]?.text).toMatch(/(pay|pagar|zahlen).*5[.,]00|5[.,]00.*zahlen/);
});

test("names all wrong fields of a payment link at once, also those that need the reservation", async () => {
  await env.TENANT_ACME.prepare("UPDATE bookings SET customer_email = NULL").run();
  const answer = await create({ purpose: "payment", send: true, expires_at: "2020-01-01T10:00" });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { detail: [{ field: "expires_at" }, { field: "send" }] },
  ]);
});

test("refuses to mail a payment link to a customer without an email address", async () => {
  await env.TENANT_ACME.prepare("UPDATE bookings SET customer_email = NULL").run();
  const answer = await create({ purpose: "payment", send: true });
  expect([answer.status, JSON.stringify(await answer.json()).includes('"send"')]).toEqual([400, true]);
});

describe("after the end of the reservation", () => {
  const cancel = async (fee: string) => {
    const { version } = confirmedReservation.reservation;
    const body = { expected_version: version, reason: "by the customer", fee };
    expect((await callOffice("POST", `/reservations/${id}/cancel`, { token: boss, body })).status).toBe(200);
  };
  const readState = async (link: Link) => {
    const page = await open(link);
    const { forms } = await parseForms(page.clone());
    const text = await page.text();
    return { forms: forms.length, isCancelled: text.includes(`La reserva ${id} se ha cancelado`), text };
  };

  test("cancels open payment links and card-hold requests, and their pages show the cancellation", async () => {
    const link = await createLink();
    const hold = await callOffice("POST", `/reservations/${id}/holds`, { token: boss, body: { amount: "50.00" } });
    const { payment_link: holdLink } = await hold.json<{ payment_link: Link }>();
    await cancel("0.00");
    expect((await listLinks()).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    const answer = await callOffice("GET", `/reservations/${id}`, { token: boss });
    expect((await answer.json<{ holds: { status: string }[] }>()).holds).toMatchObject([{ status: "released" }]);
    for (const shownLink of [link, holdLink])
      expect(await readState(shownLink)).toMatchObject({ forms: 0, isCancelled: true });
    const refused = await create({ purpose: "hold", amount: "50.00" });
    expect([refused.status, await code(refused)]).toEqual([409, "nothing_due"]);
  });

  test("cancels the card-hold request of a finished rental, and leaves its payment link open", async () => {
    await createLink();
    const hold = await callOffice("POST", `/reservations/${id}/holds`, { token: boss, body: { amount: "50.00" } });
    expect(hold.status).toBe(201);
    for (const status of ["in_progress", "done"])
      await env.TENANT_ACME.prepare("UPDATE bookings SET status = ? WHERE id = ?").bind(status, id).run();
    expect((await listLinks()).map(({ purpose, status }) => [purpose, status])).toEqual([
      ["payment", "open"],
      ["hold", "cancelled"],
    ]);
  });

  test("leaves an expired and a paid link unchanged", async () => {
    const paid = await createLink({ purpose: "payment", amount: "5.00" });
    const order = await readOrder(await payWith(paid));
    const expired = await createLink({ purpose: "payment", expires_at: new Date(Date.now() + HOUR).toISOString() });
    await env.TENANT_ACME.prepare("UPDATE payment_links SET created_at = 1, expires_at = 2 WHERE id = ?")
      .bind(expired.id)
      .run();
    await sendGatewayNotice("tpvA256", createRedsysNotice(order));
    const { reservation } = await readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: boss }));
    confirmedReservation = { ...confirmedReservation, reservation };
    await cancel("0.00");
    expect((await listLinks()).map(({ status }) => status)).toEqual(["paid", "expired"]);
  });

  test("accepts the cancellation fee by an open payment link, and no more than it", async () => {
    const link = await createLink();
    await cancel("10.00");
    expect((await listLinks()).map(({ status }) => status)).toEqual(["open"]);
    const { text, ...state } = await readState(link);
    expect(state).toEqual({ forms: 4, isCancelled: true });
    expect(text).toContain("Pague los gastos de cancelación, por favor.");
    const order = await readOrder(await payWith(link));
    expect(order.amount_cents).toBe(1000);
    await sendGatewayNotice("tpvA256", createRedsysNotice(order));
    expect((await listLinks()).map(({ status }) => status)).toEqual(["paid"]);
  });

  test("records a payment that arrives after the cancellation, and creates a task", async () => {
    const link = await createLink();
    const order = await readOrder(await payWith(link));
    await cancel("0.00");
    const state = await env.TENANT_ACME.prepare("SELECT state FROM payment_intents").first("state");
    expect(state).toBe("expired");
    await sendGatewayNotice("tpvA256", createRedsysNotice(order));
    expect((await listLinks()).map(({ status }) => status)).toEqual(["paid"]);
    const { charges } = await readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: boss }));
    expect(charges).toHaveLength(1);
    const tasks = await (await callOffice("GET", "/attention", { token: boss })).text();
    expect(tasks).toContain('"paid_too_late"');
  });

  test("records a card hold that arrives after the cancellation, and creates a task", async () => {
    const hold = await callOffice("POST", `/reservations/${id}/holds`, { token: boss, body: { amount: "50.00" } });
    const { payment_link: link } = await hold.json<{ payment_link: Link }>();
    const order = await readOrder(await payWith(link));
    await cancel("0.00");
    await sendGatewayNotice("tpvA256", createRedsysNotice(order, { Ds_TransactionType: "1" }));
    expect((await listLinks()).map(({ status }) => status)).toEqual(["authorised"]);
    const tasks = await (await callOffice("GET", "/attention", { token: boss })).text();
    expect(tasks).toContain('"card_hold"');
    expect(tasks).toContain("rental_over");
  });
});

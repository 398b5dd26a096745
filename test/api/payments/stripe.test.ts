import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { bookOnWebsite, readPaymentLedger, submitDepositPayment, submitForm } from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { signStripeEvent } from "#worker/gateways/stripe.ts";
import { sendDueGatewayRefunds } from "#worker/usecases/payments/send-refunds.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";

const KEY = "sk_test_simulated";
const SECRET = "whsec_simulated";
const SITE = "http://acme.localhost:8787";

let company: TestCompany;
let boss = "";
let id = "";

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
  await company.db
    .prepare(`UPDATE settings SET payment_methods = '["stripe"]', payment_options = '["deposit","total"]'`)
    .run();
  const created = await callOffice("POST", "/gateways", {
    token: boss,
    body: { method: "stripe", environment: "stand_in", merchant: {}, secret: KEY, webhook_secret: SECRET },
  });
  expect(created.status).toBe(201);
  expect(await created.text()).not.toMatch(/simulated/);
  await openTestTenant(env).freshSnapshot();
  id = await bookOnWebsite();
});

interface Intent {
  readonly id: string;
  readonly order_reference: string;
  readonly amount_cents: number;
  readonly transaction_code: string | null;
  readonly booking_id: number;
  readonly state: string;
}

async function startStripePayment(): Promise<Intent> {
  const answer = await submitDepositPayment(id, { payment: "total", payment_method_id: "stripe" });
  expect(answer.status).toBe(303);
  return readIntent();
}
async function readIntent(): Promise<Intent> {
  const row = await env.TENANT_ACME.prepare("SELECT * FROM payment_intents ORDER BY created_at DESC LIMIT 1").first();
  return row as unknown as Intent;
}

let eventNumber = 0;
type Json = Readonly<Record<string, unknown>>;
interface Event {
  readonly id: string;
  readonly type: string;
  readonly object: Json;
}
const event = (type: string, object: Json): Event => {
  eventNumber += 1;
  return { id: `evt_${eventNumber}`, type, object };
};
function send({ id: eventId, type, object }: Event, { secret = SECRET, at = Date.now() } = {}): Promise<Response> {
  const body = JSON.stringify({ id: eventId, object: "event", type, data: { object } });
  const time = Math.floor(at / 1000);
  return requestWorker(`${SITE}/charge-processed/stripe`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Stripe-Signature": `t=${time},v1=${signStripeEvent(secret, time, body)}`,
    },
    body,
  });
}

const metadata = (intent: Intent) => ({ intent: intent.id, order: intent.order_reference });
const session = (intent: Intent, changes: Json = {}) => ({
  ...{ id: "cs_1", object: "checkout.session", client_reference_id: intent.id, metadata: metadata(intent) },
  ...{ payment_intent: "pi_1", payment_status: "paid", status: "complete", currency: "eur" },
  amount_total: intent.amount_cents,
  ...changes,
});
const createSucceededPayment = (intent: Intent, changes: Json = {}) => ({
  ...{ id: "pi_1", object: "payment_intent", status: "succeeded", capture_method: "automatic", currency: "eur" },
  ...{ amount: intent.amount_cents, amount_received: intent.amount_cents, metadata: metadata(intent) },
  ...changes,
});
const refundObject = (cents: number, status = "succeeded", changes: Json = {}) => ({
  ...{ id: "re_1", object: "refund", payment_intent: "pi_1", amount: cents, currency: "eur", status },
  ...changes,
});
const charge = (intent: Intent, refunded: number) => ({
  ...{ id: "ch_1", object: "charge", payment_intent: "pi_1", currency: "eur", metadata: metadata(intent) },
  ...{ amount: intent.amount_cents, amount_captured: intent.amount_cents, amount_refunded: refunded },
});
const dispute = (intent: Intent, status: string) => ({
  ...{ id: "dp_1", object: "dispute", payment_intent: "pi_1", charge: "ch_1", currency: "eur", status },
  amount: intent.amount_cents,
});
const listCharges = async () =>
  (await readPaymentLedger(id)).charges.map((row) => [
    row["payment_type"],
    row["amount_cents"],
    row["payment_method_id"],
  ]);

test("redirects the visitor to the page that Stripe created", async () => {
  const answer = await submitDepositPayment(id, { payment: "total", payment_method_id: "stripe" });
  expect(answer.status).toBe(303);
  const url = answer.headers.get("Location") ?? "";
  expect(url).toMatch(/^http:\/\/localhost:8787\/dev\/stripe\/cs_test_/);
  const page = await requestWorker(url);
  expect(await page.text()).toContain("Stripe · payment");
});

test.each(["pay", "twice", "reversed"])("records a payment on Stripe's page once: %s", async (choice) => {
  const answer = await submitDepositPayment(id, { payment: "total", payment_method_id: "stripe" });
  const back = await submitForm(`${answer.headers.get("Location")}/${choice}`, {});
  expect([back.status, back.headers.get("Location")]).toEqual([
    303,
    expect.stringContaining("/charge-return/stripe/ok"),
  ]);
  const { amount_cents, state } = await readIntent();
  expect([state, await listCharges()]).toEqual(["paid", [["charge", amount_cents, "tpv_online"]]]);
});

test("stores a payment that was refused at Stripe as denied, without a charge", async () => {
  const answer = await submitDepositPayment(id, { payment: "total", payment_method_id: "stripe" });
  await submitForm(`${answer.headers.get("Location")}/refuse`, {});
  expect([(await readIntent()).state, await listCharges()]).toEqual(["denied", []]);
});

describe("an event", () => {
  // Proves "payments.md: gateways": Stripe's events are signed, and settle a payment once
  test("settles a Stripe payment once, whichever event reports it", async () => {
    const intent = await startStripePayment();
    const events = [
      event("payment_intent.succeeded", createSucceededPayment(intent)),
      event("checkout.session.completed", session(intent)),
    ];
    const answers = await Promise.all([...events, ...events, ...events].map((stripeEvent) => send(stripeEvent)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await listCharges()).toEqual([["charge", intent.amount_cents, "tpv_online"]]);
    expect((await readIntent()).transaction_code).toBe("pi_1");
  });

  // Proves "security.md": A61
  test("rejects a Stripe event with a wrong or old signature or another secret, and changes nothing", async () => {
    const intent = await startStripePayment();
    const paid = event("payment_intent.succeeded", createSucceededPayment(intent));
    expect((await send(paid, { secret: "whsec_other" })).status).toBe(403);
    expect((await send(paid, { at: Date.now() - 301_000 })).status).toBe(403);
    const unsigned = await requestWorker(`${SITE}/charge-processed/stripe`, { method: "POST", body: "{}" });
    expect(unsigned.status).toBe(403);
    expect([(await readIntent()).state, await listCharges()]).toEqual(["pending", []]);
  });

  test("settles a payment by bank transfer when the money arrives", async () => {
    const intent = await startStripePayment();
    await send(event("checkout.session.completed", session(intent, { payment_status: "unpaid" })));
    expect(await listCharges()).toEqual([]);
    await send(event("checkout.session.async_payment_succeeded", session(intent)));
    expect(await listCharges()).toHaveLength(1);
  });

  test("denies a payment by bank transfer that fails", async () => {
    const intent = await startStripePayment();
    await send(event("checkout.session.async_payment_failed", session(intent, { payment_status: "unpaid" })));
    expect((await readIntent()).state).toBe("denied");
  });

  test("leaves the payment attempt open after a failed card, so that another card can pay", async () => {
    const intent = await startStripePayment();
    const failed = createSucceededPayment(intent, { status: "requires_payment_method", amount_received: 0 });
    await send(event("payment_intent.payment_failed", failed));
    expect((await readIntent()).state).toBe("pending");
    await send(event("payment_intent.succeeded", createSucceededPayment(intent)));
    expect(await listCharges()).toHaveLength(1);
  });

  test("keeps a payment although Stripe's payment page expires later, and records a late payment", async () => {
    const intent = await startStripePayment();
    await send(
      event(
        "checkout.session.expired",
        session(intent, { payment_intent: null, payment_status: "unpaid", status: "expired" }),
      ),
    );
    expect((await readIntent()).state).toBe("denied");
    await send(event("payment_intent.succeeded", createSucceededPayment(intent)));
    await send(event("payment_intent.canceled", createSucceededPayment(intent, { status: "canceled" })));
    await send(event("checkout.session.expired", session(intent, { payment_status: "unpaid", status: "expired" })));
    expect([(await readIntent()).state, (await listCharges()).length]).toEqual(["paid", 1]);
  });

  test.each([
    ["amount", { amount_received: 1 }],
    ["currency", { currency: "usd" }],
  ])("adds a task for staff for a Stripe event with another %s, and records no payment", async (_name, changes) => {
    const intent = await startStripePayment();
    await send(event("payment_intent.succeeded", createSucceededPayment(intent, changes)));
    expect([await listCharges(), (await readPaymentLedger(id)).outcomes]).toEqual([[], ["other mismatch"]]);
    const attention = await callOffice("GET", "/attention", { token: boss });
    const { data } = await attention.json<{ data: readonly { kind: string }[] }>();
    expect(data.filter(({ kind }) => kind === "payment_mismatch")).toHaveLength(1);
  });

  test("changes nothing for payments of another business in the same Stripe account", async () => {
    await startStripePayment();
    const foreign = { ...refundObject(100), payment_intent: "pi_other", metadata: {} };
    expect((await send(event("refund.updated", foreign))).status).toBe(200);
    expect([await listCharges(), (await readPaymentLedger(id)).outcomes]).toEqual([[], []]);
  });
});

describe("a refund made at Stripe", () => {
  test.each([
    ["after the payment", [0, 1, 2]],
    ["before the payment", [2, 1, 0]],
    ["between its own events", [1, 0, 2]],
  ])("records a refund made at Stripe once when its events arrive %s", async (_name, order) => {
    const intent = await startStripePayment();
    const events = [
      event("checkout.session.completed", session(intent)),
      event("charge.refunded", charge(intent, 1000)),
      event("refund.updated", refundObject(1000)),
    ];
    for (const index of order) {
      const stripeEvent = events[index];
      if (stripeEvent) await send(stripeEvent);
    }
    expect(await listCharges()).toEqual([
      ["charge", intent.amount_cents, "tpv_online"],
      ["payment", 1000, "tpv_online"],
    ]);
  });

  test("reverses a recorded Stripe refund if it fails", async () => {
    const intent = await startStripePayment();
    await send(event("checkout.session.completed", session(intent)));
    await send(event("refund.updated", refundObject(1000)));
    await send(event("refund.failed", refundObject(1000, "failed")));
    await send(event("refund.updated", refundObject(1000)));
    expect((await readPaymentLedger(id)).booking["total_paid_cents"]).toBe(intent.amount_cents);
  });

  // Proves "payments.md: gateways": A refund at Stripe is matched by its payment
  test("matches a Stripe refund by its payment, not by the order of arrival", async () => {
    const first = await startStripePayment();
    await send(event("checkout.session.completed", session(first)));
    const other = await bookOnWebsite("B");
    const before = id;
    id = other;
    const second = await startStripePayment();
    await send(event("checkout.session.completed", session(second, { id: "cs_2", payment_intent: "pi_2" })));
    await send(event("refund.updated", refundObject(500)));
    expect(await listCharges()).toHaveLength(1);
    id = before;
    expect(await listCharges()).toEqual([
      ["charge", first.amount_cents, "tpv_online"],
      ["payment", 500, "tpv_online"],
    ]);
  });

  test("records a refund made at Stripe once when its events arrive at the same time", async () => {
    const intent = await startStripePayment();
    await send(event("checkout.session.completed", session(intent)));
    const events = [event("charge.refunded", charge(intent, 1000)), event("refund.updated", refundObject(1000))];
    await Promise.all([...events, ...events, ...events].map((stripeEvent) => send(stripeEvent)));
    expect((await listCharges()).slice(1)).toEqual([["payment", 1000, "tpv_online"]]);
  });
});

describe("a dispute", () => {
  const tasks = async () =>
    (await (await callOffice("GET", "/attention", { token: boss })).json<{ data: { kind: string }[] }>()).data.filter(
      ({ kind }) => kind === "payment_mismatch",
    ).length;

  test("deducts a disputed amount and adds a task until the bank decides", async () => {
    const intent = await startStripePayment();
    await send(event("checkout.session.completed", session(intent)));
    await send(event("charge.dispute.created", dispute(intent, "needs_response")));
    expect([(await readPaymentLedger(id)).booking["total_paid_cents"], await tasks()]).toEqual([0, 1]);
    await send(event("charge.dispute.closed", dispute(intent, "won")));
    expect([(await readPaymentLedger(id)).booking["total_paid_cents"], await tasks()]).toEqual([
      intent.amount_cents,
      0,
    ]);
  });

  test("deducts the amount of an inquiry when it becomes a chargeback, before it is closed", async () => {
    const intent = await startStripePayment();
    await send(event("checkout.session.completed", session(intent)));
    await send(event("charge.dispute.created", dispute(intent, "warning_needs_response")));
    expect((await readPaymentLedger(id)).booking["total_paid_cents"]).toBe(intent.amount_cents);
    await send(event("charge.dispute.updated", dispute(intent, "needs_response")));
    expect([(await readPaymentLedger(id)).booking["total_paid_cents"], await tasks()]).toEqual([0, 1]);
  });

  test("keeps the amount of a lost dispute deducted, also if its events arrive in reverse order", async () => {
    const intent = await startStripePayment();
    await send(event("charge.dispute.closed", dispute(intent, "lost")));
    await send(event("charge.dispute.created", dispute(intent, "needs_response")));
    await send(event("checkout.session.completed", session(intent)));
    expect((await readPaymentLedger(id)).booking["total_paid_cents"]).toBe(0);
  });
});

describe("a refund requested by the office", () => {
  const refund = (amount: string) =>
    callOffice("POST", `/reservations/${bookingId}/refund`, { token: boss, body: { amount, reason: "agreed" } });
  let bookingId = 0;

  beforeEach(async () => {
    const answer = await submitDepositPayment(id, { payment: "total", payment_method_id: "stripe" });
    await submitForm(`${answer.headers.get("Location")}/pay`, {});
    bookingId = (await readIntent()).booking_id;
  });

  test("makes the office's refund at Stripe and records it once, with its events", async () => {
    const answer = await refund("10.00");
    expect([answer.status, (await answer.json<{ refund: { state: string } }>()).refund.state]).toEqual([200, "done"]);
    const { transaction_code } = await readIntent();
    const createdRefund = {
      id: "re_x",
      object: "refund",
      payment_intent: transaction_code,
      amount: 1000,
      currency: "eur",
    };
    const stored = await env.TENANT_ACME.prepare(
      "SELECT fact ->> 'id' AS id FROM payment_events WHERE type = 'refund.answer'",
    ).first<string>("id");
    await send(
      event("refund.updated", { ...createdRefund, id: stored, status: "succeeded", metadata: { refund: "refund-1" } }),
    );
    expect((await listCharges()).slice(1)).toEqual([["payment", 1000, "tpv_online"]]);
  });

  test("shows Stripe's error type and code for a refused refund", async () => {
    const answer = await refund("10.96");
    expect(JSON.stringify(await answer.json())).toContain("invalid_request_error charge_already_refunded");
    expect(await listCharges()).toHaveLength(1);
  });

  test("repeats an unanswered refund request under the same key, and refunds once", async () => {
    expect((await refund("10.98")).status).toBe(202);
    const keys: string[] = [];
    const { transaction_code } = await readIntent();
    const sendToGateway: SendToGateway = async (_url, init) => {
      keys.push(init.headers["Idempotency-Key"] ?? "");
      const fields = new URLSearchParams(new TextDecoder().decode(init.body));
      return Response.json({
        ...{ id: "re_1", object: "refund", amount: 1098, currency: "eur", status: "succeeded" },
        ...{ payment_intent: transaction_code, metadata: { refund: fields.get("metadata[refund]") } },
      });
    };
    vi.setSystemTime(Date.now() + 60_000);
    await sendDueGatewayRefunds(openTestTenant(env), { now: Date.now(), sendToGateway });
    await sendDueGatewayRefunds(openTestTenant(env), { now: Date.now(), sendToGateway });
    vi.useRealTimers();
    expect(keys).toHaveLength(1);
    expect((await listCharges()).slice(1)).toEqual([["payment", 1098, "tpv_online"]]);
  });

  // Stripe forgets idempotency keys after a day, and would make the refund twice.
  test("stops repeating a refund request, and lets staff decide", async () => {
    expect((await refund("10.98")).status).toBe(202);
    let requestCount = 0;
    const sendToGateway: SendToGateway = () => {
      requestCount += 1;
      return Promise.reject(new Error("no answer"));
    };
    const sendAfter = (hours: number) =>
      sendDueGatewayRefunds(openTestTenant(env), { now: Date.now() + hours * 3_600_000, sendToGateway });
    for (const hours of [1, 22, 24, 48]) await sendAfter(hours);
    expect(requestCount).toBe(2);
    const drop = () => callOffice("POST", "/gateway-refunds/1/drop", { token: boss });
    expect(await (await drop()).json()).toMatchObject({ code: "refund_in_progress" });
    await company.db.prepare("UPDATE gateway_refunds SET requested_at = requested_at - 86400000").run();
    expect(await (await drop()).json()).toMatchObject({ gateway_refund: { state: "dropped" } });
  });

  test("sends a refund to the gateway, even two days late, if no request was sent before", async () => {
    expect((await refund("10.98")).status).toBe(202);
    await company.db.prepare("UPDATE gateway_refunds SET problem = NULL, sent_at = NULL").run();
    let requestCount = 0;
    const sendToGateway: SendToGateway = () => {
      requestCount += 1;
      return Promise.reject(new Error("no answer"));
    };
    await sendDueGatewayRefunds(openTestTenant(env), { now: Date.now() + 48 * 3_600_000, sendToGateway });
    expect(requestCount).toBe(1);
  });
});

describe("testing the gateway", () => {
  const check = async () =>
    (await callOffice("POST", "/gateways/stripe/test", { token: boss })).json<{ ready: boolean; reasons: object[] }>();

  test("reports a valid key and webhook endpoint of Stripe as ready", async () => {
    expect(await check()).toMatchObject({ ready: true, reasons: [] });
  });

  test("reports a missing webhook secret of Stripe", async () => {
    await company.db.prepare("UPDATE payment_gateways SET webhook_secret_sealed = NULL").run();
    const { ready, reasons } = await check();
    const message = "The webhook signing secret is missing";
    expect([ready, reasons]).toEqual([false, [{ code: "events_secret_missing", params: {}, message }]]);
  });
});

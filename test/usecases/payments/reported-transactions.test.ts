import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { DisputeState, GatewayEvent, GatewayReportedState } from "#domain/payments/gateway-events.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { chooseForGate } from "#support/gate-sample.ts";
import { callOffice } from "#support/office.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  createHostedPageNotice,
  createRedsysNotice,
  enableGateways,
  type GatewayFields,
  type IntentRow,
  readPaymentLedger,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { findReturningVisitorPayment } from "#worker/store/payments/payments.ts";
import { applyGatewayEvent } from "#worker/usecases/payments/settle-event.ts";
import { processGatewayNotification } from "#worker/usecases/payments/settle-payment.ts";

// Messages about one payment or refund are matched by the gateway's transaction. Staff see those that match nothing.

let company: TestCompany;
let boss = "";
let id = "";
let intent: IntentRow;

beforeEach(async () => {
  company = await setUpCompany();
  await enableGateways(company);
  await addTestUsers();
  boss = await createToken("boss");
  id = await bookOnWebsite();
});

const readPaid = async () => Number((await readPaymentLedger(id)).booking["total_paid_cents"]);

/** Reads the results of messages that staff see as tasks. */
async function readTasks(): Promise<readonly string[]> {
  const answer = await callOffice("GET", "/attention", { token: boss });
  const { data } = await answer.json<{
    data: readonly { readonly kind: string; readonly params: { readonly outcome: string } }[];
  }>();
  return data.filter(({ kind }) => kind === "payment_mismatch").map(({ params }) => params.outcome);
}

describe("refunds that Redsys reports", () => {
  const REFUND_CENTS = 1000;
  const sendRefund = (changes: GatewayFields = {}) =>
    sendGatewayNotice(
      "tpvA256",
      createRedsysNotice(intent, {
        ...{ Ds_Response: "0900", Ds_TransactionType: "3", Ds_Amount: String(REFUND_CENTS) },
        ...{ Ds_AuthorisationCode: "111111", ...changes },
      }),
    );
  const NAME = { Ds_MerchantData: "refund-21" };

  beforeEach(async () => {
    intent = await startPayment(id, "tpvA256", "total");
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
  });

  /** Inserts a refund that the office requested and whose answer is missing. */
  async function insertSentRefund(): Promise<void> {
    await company.db
      .prepare(
        `INSERT INTO gateway_refunds (id, booking_id, intent_id, amount_cents, reason, state, problem, requested_by, requested_at, sent_at)
          VALUES (21, ?, ?, ?, 'agreed', 'sent', 'no_answer', 1, ?4, ?4)`,
      )
      .bind(intent.booking_id, intent.id, REFUND_CENTS, Date.now() - 3_600_000)
      .run();
  }
  const readRefundState = () => company.db.prepare("SELECT state FROM gateway_refunds").first("state");

  const equalRefunds: readonly (readonly [string, GatewayFields, GatewayFields, number])[] = [
    ["two codes in one minute", {}, { Ds_AuthorisationCode: "222222" }, 2],
    ["one code in one minute", {}, {}, 1],
    ["a code and none in one minute", {}, { Ds_AuthorisationCode: "" }, 1],
    ["the payment's code and another one in one minute", { Ds_AuthorisationCode: "123456" }, {}, 1],
    ["one code at two times", {}, { Ds_Hour: "10%3A31" }, 2],
    ["our name twice", NAME, NAME, 1],
    ["our name with a code and without one", NAME, { ...NAME, Ds_AuthorisationCode: "" }, 1],
    ["our name under two codes, because it was requested again", NAME, { ...NAME, Ds_AuthorisationCode: "222222" }, 2],
    ["our name and no name, under one code", NAME, {}, 1],
    ["our name and no name, under two codes", NAME, { Ds_AuthorisationCode: "222222" }, 2],
    [
      "our name and no name, under the payment's code",
      { ...NAME, Ds_AuthorisationCode: "123456" },
      { Ds_AuthorisationCode: "123456" },
      2,
    ],
    ["two names under one code", NAME, { Ds_MerchantData: "refund-22" }, 2],
  ];

  test.each(chooseForGate(equalRefunds, 3))(
    "counts equal Redsys refunds once or twice by code, time and reference, in both orders: %s",
    async (_, first, second, count) => {
      const orders = [
        [first, second],
        [second, first],
      ];
      for (const messages of orders) {
        for (const changes of [...messages, ...messages]) await sendRefund(changes);
        expect(await readPaid()).toBe(intent.amount_cents - count * REFUND_CENTS);
        id = await bookOnWebsite();
        intent = await startPayment(id, "tpvA256", "total");
        await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
      }
    },
  );

  test("completes a requested refund even if Redsys first reported it without our reference", async () => {
    await insertSentRefund();
    await sendRefund();
    expect(await readRefundState()).toBe("sent");
    await sendRefund(NAME);
    expect(await readRefundState()).toBe("done");
    expect(await readPaid()).toBe(intent.amount_cents - REFUND_CENTS);
  });

  test("refuses to resend an unanswered refund request if Redsys already reported a refund without our reference", async () => {
    await insertSentRefund();
    await sendRefund();
    const again = await callOffice("POST", "/gateway-refunds/21/again", { token: boss });
    expect(await again.json()).toMatchObject({ code: "refund_reported" });
    expect(await readRefundState()).toBe("sent");
  });

  test("shows each unexpected Redsys message once, also if two have the same code", async () => {
    const rejected = { Ds_AuthorisationCode: "", Ds_Response: "0190" };
    const unknown = { Ds_AuthorisationCode: "", Ds_TransactionType: "15", Ds_Amount: "3000" };
    for (const changes of [rejected, unknown, rejected, unknown]) await sendRefund(changes);
    expect(await readTasks()).toEqual(["unexpected", "unexpected"]);
  });

  test("records a refund that first exceeded the payment once Redsys reports it again and it fits", async () => {
    const other = { Ds_AuthorisationCode: "222222", Ds_Amount: String(intent.amount_cents - REFUND_CENTS + 1) };
    await sendRefund();
    await sendRefund(other);
    expect(await readTasks()).toEqual(["mismatch"]);
    await company.db.batch([
      company.db.prepare("UPDATE payment_intents SET refunded_cents = 0 WHERE id = ?").bind(intent.id),
      company.db.prepare("UPDATE bookings SET total_paid_cents = ?").bind(intent.amount_cents),
    ]);
    await sendRefund(other);
    expect(await readTasks()).toEqual([]);
  });

  test("shows a refund without its payment until the payment is reported", async () => {
    id = await bookOnWebsite();
    intent = await startPayment(id, "tpvA256", "total");
    await sendRefund();
    expect(await readTasks()).toEqual(["waiting"]);
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
    expect(await readTasks()).toEqual([]);
    expect(await readPaid()).toBe(intent.amount_cents - REFUND_CENTS);
  });
});

describe("refunds of more than the contract has paid", () => {
  const REFUND = { Ds_Response: "0900", Ds_TransactionType: "3", Ds_AuthorisationCode: "111111" };
  const sendRefund = (changes: GatewayFields) =>
    sendGatewayNotice("tpvA256", createRedsysNotice(intent, { ...REFUND, ...changes }));

  /** Reads the tasks about unexpected messages. */
  async function readMismatches() {
    const answer = await callOffice("GET", "/attention", { token: boss });
    const { data } = await answer.json<{ data: readonly { readonly kind: string; readonly params: object }[] }>();
    return data.filter(({ kind }) => kind === "payment_mismatch").map(({ params }) => params);
  }

  async function refundInCash(cents: number): Promise<void> {
    const body = { reason: "agreed", amount: (cents / 100).toFixed(2), payment_method_id: "cash" };
    const answer = await callOffice("POST", `/reservations/${intent.booking_id}/refund`, { token: boss, body });
    expect(answer.status).toBe(200);
  }

  beforeEach(async () => {
    intent = await startPayment(id, "tpvA256", "total");
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
  });

  test("creates one task with amount and gateway if refunds exceed the payments, and records all refunds", async () => {
    await refundInCash(intent.amount_cents - 1000);
    for (let times = 0; times < 2; times += 1) await sendRefund({ Ds_Amount: "3000" });
    const task = { order: intent.order_reference, outcome: "refund_exceeds_paid", amount: "20.00", gateway: "tpvA256" };
    expect(await readMismatches()).toEqual([task]);
    expect(await readPaid()).toBe(-2000);
    const { charges } = await readPaymentLedger(id);
    const total = charges.reduce(
      (sum, { payment_type, amount_cents }) => sum + (payment_type === "charge" ? 1 : -1) * Number(amount_cents),
      0,
    );
    expect(total).toBe(-2000);
  });

  test("records a refund that exceeds the payments with its own outcome, and doesn't show the visitor a refused payment", async () => {
    await refundInCash(intent.amount_cents - 1000);
    await sendRefund({ Ds_Amount: "3000" });
    const { outcomes } = await readPaymentLedger(id);
    expect(outcomes).toEqual(["authorised paid", "refunded refunded", "other refund_exceeds_paid"]);
    expect(await findReturningVisitorPayment(openTestTenant(env).db, intent.id)).toMatchObject({ isRefused: false });
  });

  test("creates a task for each further refund that exceeds the payments, with the amount by which it exceeds them", async () => {
    await refundInCash(intent.amount_cents - 1000);
    await sendRefund({ Ds_Amount: "3000" });
    await sendRefund({ Ds_Amount: "500", Ds_AuthorisationCode: "222222" });
    expect(await readMismatches()).toMatchObject([{ amount: "5.00" }, { amount: "20.00" }]);
    expect(await readPaid()).toBe(-2500);
  });

  test("creates no task if a gateway refunds exactly the remaining payment", async () => {
    await refundInCash(intent.amount_cents - 1000);
    await sendRefund({ Ds_Amount: "1000" });
    expect(await readMismatches()).toEqual([]);
    expect(await readPaid()).toBe(0);
  });
});

/** One gateway's ways to report a payment only, because it reports no refunds. */
const PAYMENT_GATEWAYS = [
  {
    method: "tpvB",
    create: createCecabankNotice,
    second: { Referencia: "22222222222222" },
    denied: { Referencia: "33333333333333", Num_aut: "" },
    amount: { Referencia: "44444444444444", Importe: "1" },
    currency: { Referencia: "55555555555555", TipoMoneda: "840" },
  },
  {
    method: "tpvC",
    create: createHostedPageNotice,
    second: { PASREF: "222222222222" },
    denied: { PASREF: "333333333333", RESULT: "101" },
    amount: { PASREF: "444444444444", AMOUNT: "1" },
    currency: { PASREF: "555555555555", CURRENCY: "USD" },
  },
] as const;

describe.each(PAYMENT_GATEWAYS.map((gateway) => [gateway.method, gateway] as const))(
  "payments that %s reports",
  (method, { create, second, denied, amount, currency }) => {
    const send = (changes: GatewayFields = {}) => sendGatewayNotice(method, create(intent, changes));

    beforeEach(async () => {
      intent = await startPayment(id, method, "total");
    });

    test.each<readonly [string, readonly GatewayFields[], readonly string[]]>([
      ["a denial first", [denied, {}], []],
      ["a denial last", [{}, denied], []],
      ["two payments of one form", [{}, second], ["second_payment"]],
      ["another amount first", [amount, {}], ["mismatch"]],
      ["another amount last", [{}, amount], ["mismatch"]],
      ["another currency first", [currency, {}], ["mismatch"]],
      ["another currency last", [{}, currency], ["mismatch"]],
    ])(
      "records a payment once, and adds a task for another payment, amount or currency: %s",
      async (_, messages, tasks) => {
        for (const changes of [...messages, ...messages]) await send(changes);
        expect(await readPaid()).toBe(intent.amount_cents);
        expect(await readTasks()).toEqual(tasks);
      },
    );
  },
);

describe("disputes that PayPal reports", () => {
  const DISPUTE = { txn_type: "new_case", case_id: "PP-000-000-001", txn_id: "T1", reason_code: "non_receipt" };

  async function send(fields: GatewayFields, verdict = "VERIFIED", isBelowLimit = true): Promise<number> {
    // Other tests count for the deployment's own limiter.
    const limiter = { limit: () => Promise.resolve({ success: isBelowLimit }) };
    const tenant = openTestTenant({ ...env, IP_RATE_LIMITER: limiter });
    const body = new TextEncoder().encode(
      new URLSearchParams({ business: "payments@acme.test", ...fields }).toString(),
    );
    const sendToGateway = () => Promise.resolve(new Response(verdict));
    const now = Date.now();
    return (await processGatewayNotification(tenant, "wallet_standard", body, { now, sendToGateway })).answer.status;
  }

  beforeEach(async () => {
    intent = await startPayment(id, "wallet_standard", "total");
    const amount = (intent.amount_cents / 100).toFixed(2);
    const paid = { payment_status: "Completed", mc_gross: amount, mc_currency: "EUR" };
    // PayPal's answer may end with a line break.
    await send({ invoice: intent.order_reference, txn_id: "T1", ...paid }, "VERIFIED\r\n");
  });

  test("shows a PayPal dispute once, although the message names only the payment", async () => {
    expect(await readPaid()).toBe(intent.amount_cents);
    for (const fields of [DISPUTE, { ...DISPUTE, invoice: intent.order_reference }])
      expect(await send(fields)).toBe(200);
    expect(await readTasks()).toEqual(["unexpected"]);
    expect(await send({ ...DISPUTE, txn_type: "adjustment" })).toBe(200);
    expect(await readTasks()).toEqual(["unexpected", "unexpected"]);
    expect(await readPaid()).toBe(intent.amount_cents);
  });

  test.each([
    ["amount", { mc_gross: "0.01", mc_currency: "EUR" }],
    ["currency", { mc_gross: "95.00", mc_currency: "USD" }],
  ])("adds a task for a second PayPal payment with another %s, and keeps the first payment", async (_, changes) => {
    const fields = { invoice: intent.order_reference, txn_id: "T2", payment_status: "Completed", ...changes };
    for (let times = 0; times < 2; times += 1) expect(await send(fields)).toBe(200);
    expect(await readTasks()).toEqual(["mismatch"]);
    expect(await readPaid()).toBe(intent.amount_cents);
  });

  test("verifies disputes of known payments beyond the limit for unknown ones", async () => {
    expect(await send(DISPUTE, "VERIFIED", false)).toBe(200);
    expect(await send({ ...DISPUTE, txn_id: "T9" }, "VERIFIED", false)).toBe(503);
    expect(await readTasks()).toEqual(["unexpected"]);
  });

  test("shows a PayPal dispute about an unknown payment as unknown", async () => {
    expect(await send({ ...DISPUTE, txn_id: "T9" })).toBe(200);
    expect(await readTasks()).toEqual(["unknown_order"]);
  });
});

describe("payments that Stripe reports", () => {
  const ATTEMPT = "5".repeat(32);
  let count = 0;

  beforeEach(async () => {
    intent = await startPayment(id, "tpvA256", "total");
    await company.db.batch([
      company.db.prepare(
        `INSERT INTO payment_gateways (method, environment, merchant, secret_sealed, created_at, last_update) VALUES ('stripe', 'stand_in', '{}', 'x', 0, 0)`,
      ),
      company.db
        .prepare(
          `INSERT INTO payment_intents (id, booking_id, method, part, order_reference, amount_cents, currency, created_at, expires_at)
            SELECT ?1, booking_id, 'stripe', part, '9999' || substr(order_reference, 5), amount_cents, currency, created_at, expires_at
            FROM payment_intents WHERE id = ?2`,
        )
        .bind(ATTEMPT, intent.id),
    ]);
  });

  /** Sends an event. Only events of payments name our order, as the real ones do. */
  async function send(fact: GatewayReportedState, transaction = "pi_1"): Promise<void> {
    count += 1;
    const order = fact.kind === "payment" ? `9999${intent.order_reference.slice(4)}` : undefined;
    const event: GatewayEvent = {
      ...{ id: `evt_${count}`, type: fact.kind, transaction, order, intentId: undefined },
      ...{ currency: "EUR", fact, answer: undefined },
    };
    await applyGatewayEvent(openTestTenant(env), "stripe", event, Date.now());
  }
  const pay = (transaction?: string) =>
    send({ kind: "payment", state: "paid", cents: intent.amount_cents }, transaction);
  const dispute = (state: DisputeState, { transaction = "pi_1", at = 0 } = {}) =>
    send({ kind: "dispute", id: "dp_1", state, cents: intent.amount_cents, at }, transaction);

  test("shows a Stripe dispute that arrives before its payment", async () => {
    await dispute("open");
    await pay();
    expect(await readTasks()).toEqual(["unexpected"]);
    expect(await readPaid()).toBe(0);
  });

  test("shows a Stripe dispute about a second payment, and ends both tasks when it is lost", async () => {
    await pay();
    await pay("pi_2");
    await dispute("open", { transaction: "pi_2" });
    expect((await readTasks()).toSorted()).toEqual(["second_payment", "unexpected"]);
    await dispute("lost", { transaction: "pi_2" });
    expect(await readTasks()).toEqual([]);
    expect(await readPaid()).toBe(intent.amount_cents);
  });

  test("ends the task of a second Stripe payment by a refund that names only that payment", async () => {
    await pay();
    await pay("pi_2");
    await send({ kind: "refund", id: "re_1", state: "succeeded", cents: intent.amount_cents }, "pi_2");
    expect(await readTasks()).toEqual([]);
    expect(await readPaid()).toBe(intent.amount_cents);
  });

  test.each<readonly [string, readonly (readonly [DisputeState, number])[], boolean]>([
    ["a lost dispute that is won later", [["lost", 10], ["won", 20]], true], // biome-ignore format: one case per line
    ["a won dispute that is lost later", [["won", 10], ["lost", 20]], false], // biome-ignore format: one case per line
  ])("follows the last decision about a Stripe dispute in both orders: %s", async (_, states, isPaid) => {
    await pay();
    for (const [state, at] of states) await dispute(state, { at });
    expect(await readPaid()).toBe(isPaid ? intent.amount_cents : 0);
    for (const [state, at] of states.toReversed()) await dispute(state, { at });
    expect(await readPaid()).toBe(isPaid ? intent.amount_cents : 0);
  });

  test("shows a chargeback after its inquiry was closed as another task, until it is decided", async () => {
    await pay();
    await dispute("inquiry");
    await dispute("closed_inquiry");
    expect(await readTasks()).toEqual([]);
    expect(await readPaid()).toBe(intent.amount_cents);
    await dispute("open");
    expect(await readTasks()).toEqual(["unexpected"]);
    expect(await readPaid()).toBe(0);
    await dispute("won");
    expect(await readTasks()).toEqual([]);
    expect(await readPaid()).toBe(intent.amount_cents);
  });

  test("shows a Stripe refund without its payment until the payment is reported", async () => {
    await send({ kind: "payment", state: "pending", cents: intent.amount_cents });
    await send({ kind: "refund", id: "re_1", state: "succeeded", cents: 1000 });
    expect(await readTasks()).toEqual(["unexpected"]);
    await pay();
    expect(await readTasks()).toEqual([]);
    expect(await readPaid()).toBe(intent.amount_cents - 1000);
  });
});

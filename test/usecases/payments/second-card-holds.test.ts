import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { GatewayEvent, GatewayReportedState } from "#domain/payments/gateway-events.ts";
import type { GatewayNotice } from "#domain/payments/gateway-notices.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { bookOnWebsite, enableGateways, readPaymentLedger } from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { applyGatewayEvent } from "#worker/usecases/payments/settle-event.ts";
import { applyVerifiedNotice } from "#worker/usecases/payments/settle-payment.ts";

// A customer can open the link of a card hold twice and enter two cards. Only the first one counts.

const HELD_CENTS = 10_000;
const CAPTURED_CENTS = 4000;
type Card = "1" | "2";
type Report = "held" | "captured" | "released" | "refunded";

let company: TestCompany;
let id = "";
let count = 0;

beforeEach(async () => {
  company = await setUpCompany();
  await enableGateways(company);
  await addTestUsers();
  id = await bookOnWebsite();
});

const getOrder = (card: Card) => `1234ABCDEFG${card}`;

/** Inserts the requested hold of a link, with an attempt for each card. */
async function aRequestedHold(method: "tpvA256" | "stripe"): Promise<void> {
  const { db } = company;
  const booking = `(SELECT id FROM bookings WHERE free_access_id = '${id}')`;
  const attempt = (card: Card) =>
    db.prepare(`INSERT INTO payment_intents (id, booking_id, method, part, order_reference, amount_cents, currency, state, created_at, expires_at, link_id)
      VALUES ('${card.repeat(32)}', ${booking}, '${method}', 'pending', '${getOrder(card)}', ${HELD_CENTS}, 'EUR', 'pending', 1, 2, 1)`);
  await db.batch([
    db.prepare(
      `INSERT OR IGNORE INTO payment_gateways (method, environment, merchant, secret_sealed, created_at, last_update) VALUES ('stripe', 'stand_in', '{}', 'x', 0, 0)`,
    ),
    db.prepare(`INSERT INTO payment_links (id, booking_id, token, purpose, amount_cents, expires_at, created_at, last_update)
      VALUES (1, ${booking}, '${"a".repeat(32)}', 'hold', ${HELD_CENTS}, ${Date.now() + 86_400_000}, 1, 1)`),
    db.prepare(`INSERT INTO payment_holds (id, booking_id, link_id, amount_cents, created_at, last_update, status)
      VALUES (1, ${booking}, 1, ${HELD_CENTS}, 1, 1, 'requested')`),
    attempt("1"),
    attempt("2"),
  ]);
}

const REPORTED_CENTS: Readonly<Record<Report, number>> = {
  ...{ held: HELD_CENTS, released: HELD_CENTS, captured: CAPTURED_CENTS, refunded: CAPTURED_CENTS },
};

async function sendNotice(
  card: Card,
  kind: Report,
  changes: Partial<GatewayNotice> = {},
  tenant = openTestTenant(env),
): Promise<void> {
  const notice: GatewayNotice = {
    ...{ order: getOrder(card), kind, amountCents: REPORTED_CENTS[kind], currency: "EUR" },
    ...{ authCode: `${card}${kind}`, isOurs: true },
    ...changes,
  };
  await applyVerifiedNotice(tenant, "tpvA256", notice, Date.now());
}

const FACTS: Readonly<Record<Report, GatewayReportedState>> = {
  held: { kind: "hold", state: "authorised", cents: HELD_CENTS },
  captured: { kind: "hold", state: "captured", cents: CAPTURED_CENTS },
  released: { kind: "hold", state: "released", cents: HELD_CENTS },
  refunded: { kind: "refund", id: "re_1", state: "succeeded", cents: CAPTURED_CENTS },
};

async function sendEvent(card: Card, report: Report): Promise<void> {
  count += 1;
  const event: GatewayEvent = {
    ...{ id: `evt_${count}`, type: report, transaction: `pi_${card}`, order: getOrder(card), intentId: undefined },
    ...{ currency: "EUR", fact: FACTS[report], answer: undefined },
  };
  await applyGatewayEvent(openTestTenant(env), "stripe", event, Date.now());
}

const readHold = () =>
  company.db.prepare("SELECT status, captured_cents, substr(intent_id, 1, 1) AS card FROM payment_holds").first();

async function readTasks(): Promise<readonly object[]> {
  const answer = await callOffice("GET", "/attention", { token: await createToken("boss") });
  const { data } = await answer.json<{
    data: readonly { readonly kind: string; readonly params: { readonly outcome: string; readonly amount: string } }[];
  }>();
  return data
    .filter(({ kind }) => kind === "payment_mismatch")
    .map(({ params: { outcome, amount } }) => ({ outcome, amount }));
}

const readCharges = async () =>
  (await readPaymentLedger(id)).charges.map(({ source_doc, amount_cents }) => [source_doc, amount_cents]);

describe.each([
  ["tpvA256", (card: Card, kind: Report) => sendNotice(card, kind)],
  ["stripe", sendEvent],
] as const)("a second card for one hold at the gateway %s", (method, send) => {
  const HOLD_TASK = { outcome: "second_hold", amount: "100.00" };
  const MONEY_TASK = { outcome: "second_payment", amount: "40.00" };
  const CAPTURE = [
    ["deposit_received", CAPTURED_CENTS],
    ["booking", CAPTURED_CENTS],
    ["deposit_returned", CAPTURED_CENTS],
  ];

  beforeEach(async () => {
    await aRequestedHold(method);
  });

  test("keeps the hold on the first card when the second card's hold is released, and completes the task", async () => {
    await send("1", "held");
    await send("2", "held");
    expect(await readTasks()).toEqual([HOLD_TASK]);
    await send("2", "released");
    expect(await readHold()).toEqual({ status: "authorised", captured_cents: 0, card: "1" });
    expect(await readTasks()).toEqual([]);
  });

  test("records no money if a second card is held after the first card's capture", async () => {
    await send("1", "held");
    await send("1", "captured");
    await send("2", "held");
    expect(await readCharges()).toEqual(CAPTURE);
    expect(await readTasks()).toEqual([HOLD_TASK]);
    await send("2", "released");
    expect(await readCharges()).toEqual(CAPTURE);
    expect(await readTasks()).toEqual([]);
  });

  test.each([
    ["captured on the first card", ["captured"]],
    ["held on the first card", []],
  ] as const)("shows staff a capture on the second card until its refund, with the hold %s", async (_, reports) => {
    await send("1", "held");
    for (const report of reports) await send("1", report);
    const [hold, charges] = [await readHold(), await readCharges()];
    await send("2", "held");
    await send("2", "captured");
    expect(await readTasks()).toEqual([MONEY_TASK]);
    await send("2", "refunded");
    expect(await readTasks()).toEqual([]);
    expect(await readHold()).toEqual(hold);
    expect(await readCharges()).toEqual(charges);
  });
});

test("completes the task about a second card's capture once its refund is reported, even without amounts", async () => {
  await aRequestedHold("tpvA256");
  await sendNotice("1", "held");
  const count = async () => (await readTasks()).length;
  for (const [kind, tasks] of [
    ["captured", 1],
    ["refunded", 0],
  ] as const) {
    await sendNotice("2", kind, { amountCents: undefined });
    expect(await count()).toBe(tasks);
  }
});

test("records no money for a second card's capture if the first card's hold arrives at the same time", async () => {
  await aRequestedHold("tpvA256");
  const binding = company.db;
  let isCaptureNext = false;
  let holds = 0;
  const TENANT_ACME = {
    prepare: (query: string) => {
      isCaptureNext ||= query.startsWith('update "payment_holds"');
      return binding.prepare(query);
    },
    batch: async (statements: D1PreparedStatement[]) => {
      if (isCaptureNext && holds === 0) {
        holds += 1;
        await sendNotice("1", "held");
      }
      return binding.batch(statements);
    },
  } as unknown as D1Database;
  await sendNotice("2", "captured", {}, openTestTenant({ ...env, TENANT_ACME }));
  expect(holds).toBe(1);
  expect(await readHold()).toEqual({ status: "authorised", captured_cents: 0, card: "1" });
  expect(await readCharges()).toEqual([]);
  expect(await company.db.prepare("SELECT state FROM payment_intents ORDER BY id").raw()).toEqual([
    ["held"],
    ["pending"],
  ]);
  expect(await readTasks()).toEqual([{ outcome: "second_payment", amount: "40.00" }]);
});

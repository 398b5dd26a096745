import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, describe, expect, inject, test } from "vitest";
import type { GatewayEvent, GatewayReportedState } from "#domain/payments/gateway-events.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import {
  bookOnWebsite,
  createRedsysNotice,
  enableGateways,
  type GatewayFields,
  type IntentRow,
  readPaymentLedger,
  startPayment,
} from "#support/payments.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { signStripeEvent } from "#worker/gateways/stripe.ts";
import { applyGatewayEvent } from "#worker/usecases/payments/settle-event.ts";
import { processGatewayNotification } from "#worker/usecases/payments/settle-payment.ts";

// Sequences of messages about second payments and card holds, which the books and the tasks of staff must show in any
// order.

let company: TestCompany;
let id = "";
let intent: IntentRow;
/** Attempt at Stripe. */
let attempt = "";

beforeEach(setUpShop);

async function setUpShop(): Promise<void> {
  company = await setUpCompany();
  await enableGateways(company);
  await company.db
    .prepare(
      `INSERT INTO payment_gateways (method, environment, merchant, secret_sealed, webhook_secret_sealed, created_at, last_update)
        VALUES ('stripe', 'stand_in', '{}', ?1, ?2, 0, 0)`,
    )
    .bind(
      await encryptSecret(env.MASTER_KEY, company.account, "sk_test_1"),
      await encryptSecret(env.MASTER_KEY, company.account, "whsec_1"),
    )
    .run();
  await openTestTenant(env).freshSnapshot();
  await insertAttempt();
}

/** Starts an attempt at Redsys, and one at Stripe without its page. */
async function insertAttempt(): Promise<void> {
  id = await bookOnWebsite();
  intent = await startPayment(id, "tpvA256", "total");
  attempt = crypto.randomUUID().replaceAll("-", "");
  await company.db
    .prepare(
      `INSERT INTO payment_intents (id, booking_id, method, part, order_reference, amount_cents, currency, created_at, expires_at)
        SELECT ?1, booking_id, 'stripe', part, '9999' || substr(order_reference, 5), amount_cents, currency, created_at, expires_at
        FROM payment_intents WHERE id = ?2`,
    )
    .bind(attempt, intent.id)
    .run();
}

/** Makes both attempts those of a card hold. */
async function insertHold(): Promise<void> {
  await company.db.batch([
    company.db
      .prepare(
        `INSERT INTO payment_links (booking_id, token, purpose, amount_cents, status, expires_at, created_at, last_update)
          SELECT booking_id, lower(hex(randomblob(16))), 'hold', amount_cents, 'open', expires_at, 1, 1 FROM payment_intents WHERE id = ?1`,
      )
      .bind(intent.id),
    company.db
      .prepare(
        `INSERT INTO payment_holds (booking_id, link_id, amount_cents, created_at, last_update)
          SELECT booking_id, last_insert_rowid(), amount_cents, 1, 1 FROM payment_intents WHERE id = ?1`,
      )
      .bind(intent.id),
    company.db
      .prepare("UPDATE payment_intents SET link_id = (SELECT max(id) FROM payment_links) WHERE id IN (?1, ?2)")
      .bind(intent.id, attempt),
  ]);
}

async function sendRedsys(changes: GatewayFields = {}): Promise<number> {
  const body = new TextEncoder().encode(new URLSearchParams(createRedsysNotice(intent, changes)).toString());
  const sendToGateway = () => Promise.reject(new Error("Redsys signs its messages"));
  const { answer } = await processGatewayNotification(openTestTenant(env), "tpvA256", body, {
    now: Date.now(),
    sendToGateway,
  });
  return answer.status;
}

async function sendStripe(fact: GatewayReportedState, changes: Partial<GatewayEvent> = {}): Promise<void> {
  const event: GatewayEvent = {
    ...{ id: `evt_${JSON.stringify([attempt, fact, changes])}`, type: fact.kind, transaction: `pi_${attempt}` },
    order: undefined,
    ...{ intentId: attempt, currency: "EUR", fact, answer: undefined, ...changes },
  };
  await applyGatewayEvent(openTestTenant(env), "stripe", event, Date.now());
}

/** Reads what the company received for real, and the outcomes that staff must check. */
async function readResult() {
  const { charges, outcomes } = await readPaymentLedger(id);
  const cents = charges.reduce(
    (sum, charge) => sum + Number(charge["amount_cents"]) * (charge["payment_type"] === "payment" ? -1 : 1),
    0,
  );
  return { cents, shown: outcomes.filter((outcome) => /mismatch|second_payment|waiting/.test(outcome)) };
}

describe("a second Stripe payment of one attempt", () => {
  const pay = (transaction: string) => () =>
    sendStripe({ kind: "payment", state: "paid", cents: intent.amount_cents }, { transaction });
  const refund =
    (transaction: string, cents = 0) =>
    () =>
      sendStripe(
        { kind: "refund", id: `re_${cents}`, state: "succeeded", cents: cents || intent.amount_cents },
        { transaction },
      );

  test("flags a second Stripe payment of an attempt for staff until it is refunded, and keeps the first one", async () => {
    await pay(`pi_${attempt}`)();
    await pay("pi_2")();
    await pay("pi_2")();
    expect(await readResult()).toEqual({ cents: intent.amount_cents, shown: ["authorised second_payment"] });
    await refund("pi_2", 100)();
    expect((await readResult()).shown).toEqual(["authorised second_payment"]);
    await refund("pi_2")();
    await pay("pi_2")();
    expect(await readResult()).toEqual({ cents: intent.amount_cents, shown: [] });
  });

  test("records nothing more if the refund of a second Stripe payment arrives before that payment", async () => {
    await pay(`pi_${attempt}`)();
    await refund("pi_2")();
    await pay("pi_2")();
    expect(await readResult()).toEqual({ cents: intent.amount_cents, shown: [] });
  });

  test("flags a second Stripe card hold of an attempt as a hold until it is released", async () => {
    await pay(`pi_${attempt}`)();
    await sendStripe({ kind: "hold", state: "authorised", cents: 500 }, { transaction: "pi_2" });
    expect((await readResult()).shown).toEqual(["held second_payment"]);
    await sendStripe({ kind: "hold", state: "released", cents: 500 }, { transaction: "pi_2" });
    expect((await readResult()).shown).toEqual([]);
  });
});

test.each<readonly [string, GatewayReportedState, Partial<GatewayEvent>]>([
  ["a hold of a payment", { kind: "hold", state: "authorised", cents: 100 }, {}],
  ["a capture of a payment", { kind: "hold", state: "captured", cents: 100 }, {}],
  ["a payment in another currency", { kind: "payment", state: "paid", cents: 100 }, { currency: "USD" }],
  ["a dispute in another currency", { kind: "dispute", id: "d", state: "lost", cents: 100 }, { currency: "USD" }],
])("flags %s at Stripe for staff, and records no payment", async (_name, fact, changes) => {
  await sendStripe(fact, changes);
  const { cents, shown } = await readResult();
  expect([cents, shown]).toEqual([0, ["other mismatch"]]);
});

test("shows staff a refund at Stripe of more than was paid", async () => {
  await sendStripe({ kind: "payment", state: "paid", cents: intent.amount_cents });
  await sendStripe({ kind: "refund", id: "re_1", state: "succeeded", cents: intent.amount_cents + 1 });
  expect(await readResult()).toEqual({ cents: 0, shown: ["other mismatch"] });
});

test("ends the task about an inquiry at Stripe that the bank closed", async () => {
  await sendStripe({ kind: "payment", state: "paid", cents: intent.amount_cents });
  await sendStripe({ kind: "dispute", id: "dp_1", state: "inquiry", cents: 100 });
  expect((await readResult()).shown).toEqual(["other mismatch"]);
  await sendStripe({ kind: "dispute", id: "dp_1", state: "won", cents: 100 });
  expect(await readResult()).toEqual({ cents: intent.amount_cents, shown: [] });
});

test.each([
  [true, 0, ["other mismatch"]],
  [false, 1, []],
] as const)(
  "records a Stripe payment in the test environment only if its event isn't live: live %s",
  async (livemode, payments, shown) => {
    const object = {
      ...{ object: "payment_intent", id: "pi_1", status: "succeeded", currency: "eur" },
      ...{
        amount_received: intent.amount_cents,
        metadata: { intent: attempt, order: `9999${intent.order_reference.slice(4)}` },
      },
    };
    const body = JSON.stringify({ id: "evt_1", type: "payment_intent.succeeded", livemode, data: { object } });
    const now = Date.now();
    const time = Math.floor(now / 1000);
    const signature = `t=${time},v1=${signStripeEvent("whsec_1", time, body)}`;
    const sendToGateway = () => Promise.reject(new Error("Stripe signs its events"));
    const bytes = new TextEncoder().encode(body);
    await processGatewayNotification(openTestTenant(env), "stripe", bytes, { now, sendToGateway, signature });
    expect(await readResult()).toEqual({ cents: payments * intent.amount_cents, shown });
  },
);

test("accepts payments of an account in forints without decimals, which Redsys reports in hundredths", async () => {
  await company.db.prepare("UPDATE settings SET currency = 'HUF', currency_decimals = 0").run();
  await openTestTenant(env).freshSnapshot();
  await insertAttempt();
  expect(await sendRedsys({ Ds_Currency: "348" })).toBe(403);
  expect(await sendRedsys({ Ds_Currency: "348", Ds_Amount: `${intent.amount_cents}00` })).toBe(200);
  expect((await readResult()).cents).toBe(intent.amount_cents);
});

test("shows staff a second capture at Redsys of another amount, and records the first one", async () => {
  await insertHold();
  const capture = (cents: number, code: string) =>
    sendRedsys({
      ...{ Ds_TransactionType: "2", Ds_Response: "0900" },
      ...{ Ds_Amount: String(cents), Ds_AuthorisationCode: code },
    });
  await capture(700, "211111");
  await capture(700, "211111");
  await capture(700, "222222");
  expect((await readResult()).shown).toEqual([]);
  await capture(300, "233333");
  expect((await readResult()).shown).toEqual(["captured mismatch"]);
  expect(await readPaidCents()).toBe(700);
});

/** Event of a card hold at a bank. */
type HoldEvent = "held" | "denied" | "captured" | "released" | "lapsed" | "refunded" | "refundedRest";
const CAPTURED_CENTS = 700;
const REFUND_CENTS = 300;

const SENDERS = {
  tpvA256: (event: HoldEvent): Promise<unknown> => {
    const operation = (type: string, response: string, changes: GatewayFields = {}) =>
      sendRedsys({ Ds_TransactionType: type, Ds_Response: response, Ds_AuthorisationCode: `${type}11111`, ...changes });
    switch (event) {
      case "held":
        return operation("1", "0000");
      case "denied":
        return operation("1", "0190", { Ds_AuthorisationCode: "++++++" });
      case "captured":
        return operation("2", "0900", { Ds_Amount: String(CAPTURED_CENTS) });
      case "released":
        return operation("9", "0400");
      case "lapsed":
        // Redsys reports no end of a hold at the bank.
        return Promise.resolve();
      case "refunded":
        return operation("3", "0900", { Ds_Amount: String(REFUND_CENTS), Ds_AuthorisationCode: "300001" });
      case "refundedRest":
        return operation("3", "0900", {
          ...{ Ds_Amount: String(CAPTURED_CENTS - REFUND_CENTS), Ds_AuthorisationCode: "300002" },
        });
    }
  },
  stripe: (event: HoldEvent): Promise<unknown> => {
    const refund = (refundId: string, cents: number) =>
      sendStripe({ kind: "refund", id: refundId, state: "succeeded", cents });
    switch (event) {
      case "held":
        return sendStripe({ kind: "hold", state: "authorised", cents: intent.amount_cents });
      case "denied":
        return sendStripe({ kind: "payment", state: "denied", cents: intent.amount_cents }, { transaction: undefined });
      case "captured":
        return sendStripe({ kind: "hold", state: "captured", cents: CAPTURED_CENTS });
      case "released":
      case "lapsed":
        return sendStripe({ kind: "hold", state: "released", cents: intent.amount_cents });
      case "refunded":
        return refund("re_1", REFUND_CENTS);
      case "refundedRest":
        return refund("re_2", CAPTURED_CENTS - REFUND_CENTS);
    }
  },
};

/** Returns the money that the bank has paid out for the events of a hold. */
function getBankCents(events: readonly HoldEvent[]): number {
  if (!events.includes("captured")) return 0;
  const refundedCents = events.includes("refunded") ? REFUND_CENTS : 0;
  return CAPTURED_CENTS - refundedCents - (events.includes("refundedRest") ? CAPTURED_CENTS - REFUND_CENTS : 0);
}

/** Reads the money that the reservation has paid. */
async function readPaidCents(): Promise<number> {
  const { booking } = await readPaymentLedger(id);
  return Number(booking["total_paid_cents"]);
}

const OPTIONAL: readonly HoldEvent[] = ["denied", "released", "lapsed", "refunded", "refundedRest"];

describe.each(["tpvA256", "stripe"] as const)("the money of a card hold at %s", (method) => {
  const send = SENDERS[method];

  test("calculates the money of a card hold as the bank does, for copied messages in any order", async () => {
    const run = fc.record({
      extra: fc.subarray([...OPTIONAL]),
      order: fc.array(fc.nat(1000), { minLength: 16, maxLength: 16 }),
    });
    await fc.assert(
      fc.asyncProperty(run, async ({ extra, order }) => {
        await setUpShop();
        await insertHold();
        const events: readonly HoldEvent[] = ["held", "captured", ...extra];
        const messages = [...events, ...events]
          .map((event, n) => ({ event, rank: order[n] ?? 0 }))
          .toSorted((a, b) => a.rank - b.rank);
        for (const { event } of messages) await send(event);
        expect(await readPaidCents()).toBe(getBankCents(events));
        expect((await readResult()).shown).toEqual([]);
      }),
      { numRuns: inject("isThorough") ? 60 : 4, seed: 20_261_130, endOnFailure: true },
    );
  });

  test("calculates another amount than the bank if a message about a card hold is missing, as a negative control", async () => {
    await insertHold();
    await send("held");
    await send("captured");
    expect(await readPaidCents()).not.toBe(getBankCents(["held", "captured", "refunded"]));
  });

  test("shows staff a refund of more than was captured, before and after the capture", async () => {
    await insertHold();
    await send("refunded");
    await send("captured");
    await send("refundedRest");
    expect(await readPaidCents()).toBe(0);
    expect((await readResult()).shown).toEqual([]);
    const late =
      method === "stripe"
        ? sendStripe({ kind: "refund", id: "re_3", state: "succeeded", cents: 1 })
        : sendRedsys({ Ds_TransactionType: "3", Ds_Response: "0900", Ds_Amount: "1", Ds_AuthorisationCode: "300003" });
    await late;
    expect(await readPaidCents()).toBe(0);
    expect((await readResult()).shown).toHaveLength(1);
  });
});

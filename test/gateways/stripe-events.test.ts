import { describe, expect, test } from "vitest";
import { applyCardHoldEvent, type StoredCardHoldStatus } from "#domain/payments/card-holds.ts";
import {
  contradictsRecordedPayment,
  deriveReportedPayment,
  type GatewayReportedState,
  planCardHoldChange,
  planRecordedPaymentChange,
  type RecordedPayment,
} from "#domain/payments/gateway-events.ts";
import { signStripeEvent, stripe } from "#worker/gateways/stripe.ts";

// Results of sequences of Stripe's events, read from signed bodies, in every order and with copies. The state of each
// object decides, as Stripe documents that events arrive in any order and more than once.

type Json = Readonly<Record<string, unknown>>;

const NOW = 1_700_000_000_000;
const CREDENTIALS = { merchant: {}, secret: "sk_live_1", webhookSecret: "whsec_1" };
const metadata = { intent: "a".repeat(32), order: "1234ABCDEFGH" };
const PAYMENT = { object: "payment_intent", id: "pi_1", amount: 4500, currency: "eur", metadata };

const createSucceededPayment = (changes: Json = {}) => ({
  ...PAYMENT,
  status: "succeeded",
  amount_received: 4500,
  ...changes,
});
const session = (changes: Json = {}) => ({
  ...{ object: "checkout.session", id: "cs_1", payment_intent: "pi_1", client_reference_id: metadata.intent, metadata },
  ...{ amount_total: 4500, currency: "eur", payment_status: "paid", status: "complete" },
  ...changes,
});
const refund = (id: string, amount: unknown, status = "succeeded") => ({
  ...{ object: "refund", id, payment_intent: "pi_1", amount, currency: "eur", status },
});
const charge = (amount_refunded: unknown, changes: Json = {}) => ({
  ...{ object: "charge", id: "ch_1", payment_intent: "pi_1", amount: 4500, amount_captured: 4500, currency: "eur" },
  amount_refunded,
  ...changes,
});
const dispute = (id: string, status: string, amount: unknown = 4500) => ({
  ...{ object: "dispute", id, payment_intent: "pi_1", charge: "ch_1", amount, currency: "eur", status },
});
const hold = (status: string, changes: Json = {}) => ({
  ...{ ...PAYMENT, capture_method: "manual", status, amount_capturable: status === "requires_capture" ? 4500 : 0 },
  ...{ amount_received: 0, ...changes },
});
const createCapturedHold = (amount_received: number) => hold("succeeded", { amount_received });

/** Signs a body and reads it like a delivery. */
function readBody(body: string, { secret = "whsec_1", at = NOW, sent = body } = {}) {
  const time = Math.floor(at / 1000);
  const signature = `t=${time},v1=${signStripeEvent(secret, time, body)}`;
  return stripe.events?.read(CREDENTIALS, { body: sent, signature, now: NOW }, 2);
}
function readFact(object: Json): GatewayReportedState {
  const event = readBody(JSON.stringify({ id: "evt_1", object: "event", type: "any", data: { object } }));
  if (!event) throw new Error("no event");
  return event.fact;
}

/** Yields every order of the items, up to five. */
function* permute<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permute(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}

const UNPAID: RecordedPayment = {
  ...{ state: "pending", amountCents: 4500, refundedCents: 0, enteredCents: 0, confirmedCents: 0 },
};

/** Applies changes until the books agree with the gateway. */
function settle(
  facts: readonly GatewayReportedState[],
  recorded: RecordedPayment,
): readonly [RecordedPayment, boolean] {
  const change = planRecordedPaymentChange(deriveReportedPayment(facts), recorded);
  switch (change?.kind) {
    case "pay":
      return settle(facts, { ...recorded, state: "paid" });
    case "deny":
      return settle(facts, { ...recorded, state: "denied" });
    case "refund":
      return settle(facts, { ...recorded, refundedCents: recorded.refundedCents + change.cents });
    case "reinstate":
      return settle(facts, { ...recorded, refundedCents: recorded.refundedCents - change.cents });
    default:
      return [recorded, change !== undefined];
  }
}

/** Delivers facts one by one, each of them twice. */
function deliver(facts: readonly GatewayReportedState[]) {
  let books = UNPAID;
  let isShown = false;
  for (const count of facts.flatMap((_, index) => [index + 1, index + 1])) {
    [books, isShown] = settle(facts.slice(0, count), books);
  }
  const isBeyond = contradictsRecordedPayment(deriveReportedPayment(facts), books);
  return `${books.state} ${books.amountCents - books.refundedCents}${isShown || isBeyond ? ", shown" : ""}`;
}

describe("payments of Stripe", () => {
  test.each<readonly [string, readonly Json[], string]>([
    ["a payment", [createSucceededPayment()], "paid 4500"],
    ["a payment by both of its objects", [session(), createSucceededPayment()], "paid 4500"],
    ["a payment that takes days", [session({ payment_status: "unpaid" }), session()], "paid 4500"],
    [
      "a payment after a refused card",
      [{ ...PAYMENT, status: "requires_payment_method" }, createSucceededPayment()],
      "paid 4500",
    ],
    [
      "a payment after its page expired",
      [session({ status: "expired", payment_status: "unpaid" }), createSucceededPayment()],
      "paid 4500",
    ],
    ["an expired page", [session({ status: "expired", payment_status: "unpaid" })], "denied 4500"],
    ["a canceled payment", [{ ...PAYMENT, status: "canceled" }], "denied 4500"],
    ["a payment canceled and paid", [{ ...PAYMENT, status: "canceled" }, createSucceededPayment()], "paid 4500"],
    ["a payment in processing", [{ ...PAYMENT, status: "processing" }], "pending 4500"],
    ["an unknown status", [{ ...PAYMENT, status: "new_status" }], "pending 4500"],
    ["a payment of less", [createSucceededPayment({ amount_received: 4499 })], "pending 4500, shown"],
    ["a payment of more", [createSucceededPayment({ amount_received: 4501 })], "pending 4500, shown"],
    ["a payment of nothing", [createSucceededPayment({ amount_received: 0 })], "pending 4500, shown"],
    ["a negative payment", [createSucceededPayment({ amount_received: -4500 })], "pending 4500, shown"],
    ["a payment as a text", [createSucceededPayment({ amount_received: "4500" })], "pending 4500, shown"],
    ["a payment with decimals", [createSucceededPayment({ amount_received: 45.5 })], "pending 4500, shown"],
    ["a payment beyond exact numbers", [createSucceededPayment({ amount_received: 1e300 })], "pending 4500, shown"],
    ["a list of amounts", [createSucceededPayment({ amount_received: [4500] })], "pending 4500, shown"],
    ["no amount", [createSucceededPayment({ amount_received: undefined })], "pending 4500, shown"],
    ["a hold of a payment", [hold("requires_capture")], "pending 4500, shown"],
    ["a capture of a payment", [createCapturedHold(4500)], "pending 4500, shown"],
    ["a refund by its own event", [createSucceededPayment(), refund("re_1", 1000)], "paid 3500"],
    ["a refund by the total", [createSucceededPayment(), charge(1000)], "paid 3500"],
    ["a refund by both", [createSucceededPayment(), charge(1000), refund("re_1", 1000)], "paid 3500"],
    ["two equal refunds", [createSucceededPayment(), refund("re_1", 1000), refund("re_2", 1000)], "paid 2500"],
    [
      "two equal refunds, one by the total",
      [createSucceededPayment(), charge(2000), refund("re_1", 1000)],
      "paid 2500",
    ],
    ["a pending refund", [createSucceededPayment(), refund("re_1", 1000, "pending")], "paid 4500"],
    [
      "a refund that waits for the customer",
      [createSucceededPayment(), refund("re_1", 1000, "requires_action")],
      "paid 4500",
    ],
    [
      "a refund that fails later",
      [createSucceededPayment(), refund("re_1", 1000), refund("re_1", 1000, "failed")],
      "paid 4500",
    ],
    ["a canceled refund", [createSucceededPayment(), charge(1000), refund("re_1", 1000, "canceled")], "paid 4500"],
    ["a full refund", [createSucceededPayment(), charge(4500)], "paid 0"],
    ["a refund of more than was paid", [createSucceededPayment(), refund("re_1", 4501)], "paid 0, shown"],
    [
      "a negative refund next to another",
      [createSucceededPayment(), refund("re_1", 1000), refund("re_2", -1000)],
      "paid 3500",
    ],
    ["a negative total", [createSucceededPayment(), charge(-1000)], "paid 4500"],
    ["a refund without an amount", [createSucceededPayment(), refund("re_1", null)], "paid 4500"],
    ["an inquiry", [createSucceededPayment(), dispute("dp_1", "warning_needs_response")], "paid 4500"],
    ["an open dispute", [createSucceededPayment(), dispute("dp_1", "needs_response")], "paid 0"],
    [
      "an answered dispute",
      [createSucceededPayment(), dispute("dp_1", "needs_response"), dispute("dp_1", "under_review")],
      "paid 0",
    ],
    [
      "a dispute that was won",
      [createSucceededPayment(), dispute("dp_1", "needs_response"), dispute("dp_1", "won")],
      "paid 4500",
    ],
    [
      "a dispute that was lost",
      [createSucceededPayment(), dispute("dp_1", "needs_response"), dispute("dp_1", "lost")],
      "paid 0",
    ],
    ["a dispute of a part", [createSucceededPayment(), dispute("dp_1", "lost", 500)], "paid 4000"],
    ["a dispute after a refund", [createSucceededPayment(), charge(1000), dispute("dp_1", "lost", 3500)], "paid 0"],
    [
      "an inquiry that becomes a dispute",
      [dispute("dp_1", "warning_under_review"), createSucceededPayment(), dispute("dp_1", "lost")],
      "paid 0",
    ],
    [
      "an inquiry that was closed",
      [dispute("dp_1", "warning_needs_response"), dispute("dp_1", "warning_closed"), createSucceededPayment()],
      "paid 4500",
    ],
    ["a prevented dispute", [createSucceededPayment(), dispute("dp_1", "prevented")], "paid 4500"],
    [
      "a won dispute next to a lost one",
      [createSucceededPayment(), dispute("dp_1", "won"), dispute("dp_2", "lost", 500)],
      "paid 4000",
    ],
    [
      "a dispute and a refund before the payment",
      [dispute("dp_1", "won"), refund("re_1", 500), createSucceededPayment()],
      "paid 4000",
    ],
    ["an unknown object", [createSucceededPayment(), { object: "payout", amount: 4500, currency: "eur" }], "paid 4500"],
  ])("calculates the same result of Stripe's payment events in every order: %s", (_name, objects, result) => {
    for (const facts of permute(objects.map(readFact))) expect(deliver(facts)).toBe(result);
  });

  test("shows staff a payment that Stripe reports with two amounts, in both orders", () => {
    for (const facts of permute([createSucceededPayment(), session({ amount_total: 4501 })].map(readFact)))
      expect(deliver(facts)).toMatch(/, shown$/);
    expect(deliver([createSucceededPayment(), session({ amount_total: 4499 })].map(readFact))).toBe("paid 4500, shown");
  });
});

/** Applies facts to a card hold one by one, each of them twice. */
function deliverHold(facts: readonly GatewayReportedState[]): string {
  let status: StoredCardHoldStatus = "requested";
  let result = "requested";
  for (const count of facts.flatMap((_, index) => [index + 1, index + 1])) {
    const step = planCardHoldChange(deriveReportedPayment(facts.slice(0, count)), { status }, 4500);
    if (step?.kind === "mismatch") return "mismatch";
    if (!step) continue;
    const event = ({ hold: "authorised", failHold: "failed", capture: "captured", release: "released" } as const)[
      step.kind
    ];
    status = applyCardHoldEvent(status, event);
    result = step.kind === "capture" ? `${status} ${step.cents}` : status;
  }
  return result;
}

describe("card holds of Stripe", () => {
  const refused = hold("requires_payment_method");
  test.each<readonly [string, readonly Json[], string]>([
    ["a hold", [hold("requires_capture")], "authorised"],
    ["a hold after a refused card", [refused, hold("requires_capture")], "authorised"],
    ["a hold with its page", [session({ payment_status: "unpaid" }), hold("requires_capture")], "authorised"],
    ["an expired page", [session({ payment_status: "unpaid", status: "expired" })], "failed"],
    ["a hold of another amount", [hold("requires_capture", { amount_capturable: 4400 })], "mismatch"],
    ["a hold of no amount", [hold("requires_capture", { amount_capturable: null })], "mismatch"],
    ["a capture", [hold("requires_capture"), createCapturedHold(4500)], "captured 4500"],
    ["a capture of a part", [hold("requires_capture"), createCapturedHold(1)], "captured 1"],
    [
      "a capture with the total of its charge",
      [createCapturedHold(2000), charge(2500, { amount_captured: 2000 })],
      "captured 2000",
    ],
    ["a capture of more than was held", [createCapturedHold(4501)], "mismatch"],
    ["a capture of nothing", [createCapturedHold(0)], "mismatch"],
    ["a negative capture", [createCapturedHold(-4500)], "mismatch"],
    ["a release", [hold("requires_capture"), hold("canceled")], "released"],
    ["a hold that expired at the bank", [hold("canceled", { cancellation_reason: "automatic" })], "released"],
    [
      "a release and a capture",
      [hold("requires_capture"), hold("canceled"), createCapturedHold(2000)],
      "captured 2000",
    ],
    ["a payment without a hold", [{ ...createSucceededPayment(), capture_method: "automatic" }], "mismatch"],
    ["a refused card only", [refused], "requested"],
  ])("calculates the same result of Stripe's card hold events in every order: %s", (_name, objects, result) => {
    for (const facts of permute(objects.map(readFact))) expect(deliverHold(facts)).toBe(result);
  });
});

describe("an event of Stripe", () => {
  const event = {
    id: "evt_1",
    object: "event",
    type: "payment_intent.succeeded",
    data: { object: createSucceededPayment() },
  };
  const body = JSON.stringify(event);

  test.each<readonly [string, string, boolean]>([
    ["members in another order", JSON.stringify(Object.fromEntries(Object.entries(event).toReversed())), true],
    ["spaces and lines", JSON.stringify(event, undefined, 2), true],
    ["escaped characters", body.replace("succeeded", "s\\u0075cceeded"), true],
    ["an unknown member", JSON.stringify({ ...event, api_version: "2030-01-01", new_member: {} }), true],
    ["members in capitals", JSON.stringify({ ID: "evt_1", TYPE: "x", DATA: event.data }), false],
    ["no id", JSON.stringify({ ...event, id: undefined }), false],
    ["a number as its id", JSON.stringify({ ...event, id: 1 }), false],
    ["no type", JSON.stringify({ ...event, type: "" }), false],
    ["a list of objects", JSON.stringify({ ...event, data: { object: [createSucceededPayment()] } }), false],
    ["no object", JSON.stringify({ ...event, data: null }), false],
    ["a list of events", `[${body}]`, false],
    ["the event as a text", JSON.stringify(body), false],
    ["a form", "id=evt_1&type=payment_intent.succeeded", false],
    ["half of it", body.slice(0, 40), false],
    ["nothing", "", false],
  ])("accepts a Stripe event with %s only if the event is complete and well-formed: %#", (_name, text, isRead) => {
    expect(readBody(text) !== undefined).toBe(isRead);
  });

  test.each([
    ["another body", { sent: body.replace("4500", "9500") }],
    ["another secret", { secret: "whsec_test" }],
    ["an old time", { at: NOW - 301_000 }],
    ["a time in the future", { at: NOW + 301_000 }],
    ["a space at the end", { sent: `${body} ` }],
  ])("rejects a Stripe event with the signature of %s", (_name, options) => {
    expect(readBody(body, options)).toBeUndefined();
  });

  test("reads a Stripe event's payment also from an expanded object, and its attempt from the session's reference", () => {
    const object = { ...session({ payment_intent: { id: "pi_1" } }), metadata: null };
    expect(readBody(JSON.stringify({ ...event, data: { object } }))).toMatchObject({
      ...{ transaction: "pi_1", order: undefined, intentId: metadata.intent, currency: "EUR" },
    });
  });

  test("reads from a Stripe event when the bank decided a dispute, to know its last decision", () => {
    const object = dispute("dp_1", "won");
    const read = (created?: unknown) => readBody(JSON.stringify({ ...event, created, data: { object } }))?.fact;
    expect(read(1_800_000_000)).toEqual({ kind: "dispute", id: "dp_1", state: "won", cents: 4500, at: 1_800_000_000 });
    for (const created of [undefined, "1800000000", -1])
      expect(read(created)).toEqual({ kind: "dispute", id: "dp_1", state: "won", cents: 4500 });
  });

  test.each([true, false, undefined])("reads from a Stripe event whether it is live: %s", (livemode) => {
    expect(readBody(JSON.stringify({ ...event, livemode }))?.isLive).toBe(livemode);
  });

  test.each([
    ["live", "sk_live_1", true],
    ["live", "rk_live_1", true],
    ["live", "sk_test_1", false],
    ["test", "sk_test_1", true],
    ["test", "sk_live_1", false],
    ["test", "rk_live_1", false],
    ["stand_in", "sk_test_1", true],
    ["live", "pk_live_1", false],
  ] as const)(
    "requests a payment from Stripe in the environment %s with the key %s only if the key belongs to it",
    (environment, secret, isBuilt) => {
      const payment = {
        ...{ order: metadata.order, intentId: metadata.intent, isHold: false, amountCents: 4500, currency: "EUR" },
        ...{
          decimals: 2,
          language: "en",
          description: "x",
          notifyUrl: "",
          okUrl: "",
          cancelUrl: "",
          at: 0,
          expiresAt: 0,
        },
      };
      const request = stripe.checkout?.build(environment, { merchant: {}, secret }, payment);
      expect(request !== undefined).toBe(isBuilt);
    },
  );
});

import { createHmac } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import type { GatewayPayment } from "#worker/gateways/protocol.ts";
import {
  fromStripeAmount,
  isSignedByStripe,
  STRIPE_VERSION,
  signStripeEvent,
  stripe,
  toStripeAmount,
} from "#worker/gateways/stripe.ts";

const SECRET = "whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH";
const NOW = 1_700_000_000_000;
const credentials = { merchant: {}, secret: "sk_live_123", webhookSecret: SECRET };

describe("the signature of an event", () => {
  // Computed from the documented algorithm (https://docs.stripe.com/webhooks#verify-manually): HMAC-SHA256 in hex of
  // the timestamp, a dot and the body, under the endpoint's secret.
  const body = '{"id":"evt_1","object":"event"}';
  const VECTOR = "d150bcbb1b150e35eb3439897cb7f183abb2a5a83a3bdcabab7d562f7f8f700c";
  const expected = createHmac("sha256", SECRET).update(`1700000000.${body}`).digest("hex");
  const isSigned = (signature: string, changes: object = {}) =>
    isSignedByStripe(SECRET, { body, signature, now: NOW, ...changes });

  it("signs a Stripe event by the documented algorithm", () => {
    expect(signStripeEvent(SECRET, 1_700_000_000, body)).toBe(expected);
    expect(signStripeEvent(SECRET, 1_700_000_000, body)).toBe(VECTOR);
  });

  test.each([
    ["one signature", `t=1700000000,v1=${expected}`, true],
    ["several while a secret is changed", `t=1700000000,v1=${"0".repeat(64)},v1=${expected}`, true],
    ["other schemes next to it", `t=1700000000,v0=abc,v1=${expected}`, true],
    ["another scheme alone", `t=1700000000,v0=${expected}`, false],
    ["another signature", `t=1700000000,v1=${"0".repeat(64)}`, false],
    ["another time than the signed one", `t=1700000001,v1=${expected}`, false],
    ["no time", `v1=${expected}`, false],
    ["no signature", "t=1700000000", false],
    ["an empty header", "", false],
  ])("verifies a Stripe signature header with %s", (_name, signature, isValid) => {
    expect(isSigned(signature)).toBe(isValid);
  });

  test.each([
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ])("verifies the signature of an event that is %i seconds old", (seconds, isValid) => {
    expect(isSigned(`t=1700000000,v1=${expected}`, { now: NOW + seconds * 1000 })).toBe(isValid);
  });

  it("rejects a Stripe event after a change of any byte of its body", () => {
    for (let index = 0; index < body.length; index += 1) {
      const changed = `${body.slice(0, index)}#${body.slice(index + 1)}`;
      expect(isSigned(`t=1700000000,v1=${expected}`, { body: changed })).toBe(false);
    }
  });

  it("rejects a Stripe event if the webhook endpoint's secret isn't configured", () => {
    const message = { body, signature: `t=1700000000,v1=${expected}`, now: NOW };
    expect(stripe.events?.read({ merchant: {}, secret: "sk_test_123" }, message, 2)).toBeUndefined();
  });
});

describe("amounts in Stripe's minor units", () => {
  test.each([
    [1234, "EUR", 2, 1234],
    [500, "JPY", 0, 500],
    [50_000, "JPY", 2, 500],
    [50_050, "JPY", 2, undefined],
    [5120, "KWD", 3, 5120],
    [5124, "KWD", 3, undefined],
    [512, "KWD", 2, 5120],
    [5, "ISK", 0, 500],
    [550, "ISK", 2, undefined],
    [700, "UGX", 2, 700],
    [1000, "HUF", 2, 1000],
    [1000, "XOF", 0, 1000],
  ])("converts %i minor units of %s with %i decimals to Stripe's amount %s", (cents, currency, decimals, amount) => {
    expect(toStripeAmount(cents, currency, decimals)).toBe(amount);
    if (amount !== undefined) expect(fromStripeAmount(amount, currency, decimals)).toBe(cents);
  });
});

const payment: GatewayPayment = {
  ...{
    order: "1234ABCDEFGH",
    intentId: "a".repeat(32),
    isHold: false,
    amountCents: 9500,
    currency: "EUR",
    decimals: 2,
  },
  ...{ language: "de", description: "Acme 1234ABCDEFGH", notifyUrl: "https://a.example/charge-processed/stripe" },
  ...{ okUrl: "https://a.example/ok", cancelUrl: "https://a.example/cancel", at: NOW, expiresAt: NOW + 3_600_000 },
};

describe("a checkout session", () => {
  const build = (changes: Partial<GatewayPayment> = {}) => {
    const request = stripe.checkout?.build("live", credentials, { ...payment, ...changes });
    return { request, fields: Object.fromEntries(new URLSearchParams(request?.body)) };
  };

  it("requests a Stripe checkout session form-encoded, with secret key, API version and idempotency key", () => {
    const { request, fields } = build();
    expect(request).toMatchObject({
      method: "POST",
      url: "https://api.stripe.com/v1/checkout/sessions",
      headers: {
        Authorization: "Bearer sk_live_123",
        "Content-Type": "application/x-www-form-urlencoded",
        "Idempotency-Key": `checkout-${"a".repeat(32)}`,
        "Stripe-Version": STRIPE_VERSION,
      },
    });
    expect(fields).toMatchObject({
      mode: "payment",
      client_reference_id: "a".repeat(32),
      "metadata[intent]": "a".repeat(32),
      "metadata[order]": "1234ABCDEFGH",
      "payment_intent_data[metadata][order]": "1234ABCDEFGH",
      "line_items[0][price_data][currency]": "eur",
      "line_items[0][price_data][unit_amount]": "9500",
      success_url: "https://a.example/ok",
      cancel_url: "https://a.example/cancel",
      locale: "de",
      expires_at: "1700003600",
    });
    expect(Object.keys(fields)).not.toContain("payment_intent_data[capture_method]");
  });

  // Turns off Adaptive Pricing, with which visitors could pay in their own currency if the account enables
  // it.
  it("requests a Stripe checkout session that is paid in the booking's currency", () => {
    expect(build().fields).toMatchObject({ "adaptive_pricing[enabled]": "false" });
    // The first version with this parameter: https://docs.stripe.com/changelog/acacia/2024-11-20/adaptive-pricing-param
    expect(STRIPE_VERSION >= "2024-11-20").toBe(true);
  });

  it("requests manual capture for a card hold at Stripe, and Spanish texts instead of Catalan", () => {
    const { fields } = build({ isHold: true, language: "ca" });
    expect(fields).toMatchObject({ "payment_intent_data[capture_method]": "manual", locale: "es" });
  });

  it("requests no Stripe checkout session with an invalid key or an unsupported amount", () => {
    expect(stripe.checkout?.build("live", { ...credentials, secret: "pk_test" }, payment)).toBeUndefined();
    expect(build({ currency: "JPY", amountCents: 9550 }).request).toBeUndefined();
  });

  test.each([
    [200, '{"url":"https://checkout.stripe.com/c/1"}', { kind: "created", url: "https://checkout.stripe.com/c/1" }],
    [401, '{"error":{"type":"invalid_request_error"}}', { kind: "refused", reason: "invalid_request_error" }],
    [402, '{"error":{"type":"card_error","code":"expired"}}', { kind: "refused", reason: "card_error expired" }],
    [409, '{"error":{"type":"idempotency_error"}}', { kind: "unclear" }],
    [429, "", { kind: "unclear" }],
    [500, "broken", { kind: "unclear" }],
  ])("reads the response %i %s to a checkout session", (status, body, expected) => {
    expect(stripe.checkout?.read({ status, body })).toEqual(expected);
  });
});

describe("a refund", () => {
  const refund = {
    ...{ id: 7, order: "1234ABCDEFGH", transaction: "pi_1", amountCents: 500, currency: "EUR", decimals: 2 },
    notifyUrl: "https://a.example/n",
  };
  const read = (status: number, body: object) =>
    stripe.refunds?.read(credentials, refund, { status, body: JSON.stringify(body) });
  const object = { id: "re_1", object: "refund", amount: 500, currency: "eur", payment_intent: "pi_1" };

  it("requests a Stripe refund with the payment, our reference and its own idempotency key", () => {
    const fields = Object.fromEntries(new URLSearchParams(stripe.refunds?.build(credentials, refund)));
    expect(fields).toMatchObject({ payment_intent: "pi_1", amount: "500", "metadata[refund]": "refund-7" });
    expect(stripe.refunds?.headers?.(credentials, refund)).toMatchObject({
      "Idempotency-Key": "refund-1234ABCDEFGH-7",
    });
    // A retry after a refusal needs a new key, because Stripe repeats the saved refusal for the old one.
    expect(stripe.refunds?.headers?.(credentials, { ...refund, refusals: 1 })).toMatchObject({
      "Idempotency-Key": "refund-1234ABCDEFGH-7-1",
    });
    expect(stripe.refunds?.build(credentials, { ...refund, transaction: undefined })).toBeUndefined();
  });

  it("reads a Stripe refund's result from the refund's own status, and from the error otherwise", () => {
    expect(read(200, { ...object, status: "succeeded" })).toMatchObject({ kind: "reported" });
    expect(read(200, { ...object, status: "failed", failure_reason: "lost_or_stolen_card" })).toEqual({
      kind: "refused",
      reason: "failed lost_or_stolen_card",
    });
    expect(read(200, { ...object, status: "succeeded", payment_intent: "pi_2" })).toEqual({ kind: "unclear" });
    expect(read(400, { error: { type: "invalid_request_error", code: "charge_already_refunded" } })).toEqual({
      kind: "refused",
      reason: "invalid_request_error charge_already_refunded",
    });
    expect(read(500, {})).toEqual({ kind: "unclear" });
  });
});

describe("the end of a card hold", () => {
  const end = {
    ...{ id: 7, order: "1234ABCDEFGH", transaction: "pi_1", amountCents: 4050, currency: "EUR", decimals: 2 },
    ...{ notifyUrl: "https://a.example/n", requestedAt: 9000 },
  };

  // Proves "payments.md: gateways": Stripe captures the amount of a hold, and cancels a released one
  test.each([
    ["capture", "capture", "amount_to_capture=4050", "hold-1234ABCDEFGH-7-capture-4050-9000"],
    ["release", "cancel", "", "hold-1234ABCDEFGH-7-release-9000"],
  ] as const)("requests the %s of a Stripe hold at the payment's %s, with its own key", (action, path, body, key) => {
    expect(stripe.holds?.build("live", credentials, { ...end, action })).toMatchObject({
      url: `https://api.stripe.com/v1/payment_intents/pi_1/${path}`,
      method: "POST",
      headers: { Authorization: "Bearer sk_live_123", "Idempotency-Key": key, "Stripe-Version": STRIPE_VERSION },
      body,
    });
    expect(stripe.holds?.build("live", credentials, { ...end, action, transaction: undefined })).toBeUndefined();
  });
});

describe("checking Stripe's webhook endpoint", () => {
  const check = (status: number, body: object) =>
    stripe.events?.readCheck({ status, body: JSON.stringify(body) }, "https://a.example/charge-processed/stripe");
  const endpoint = { url: "https://a.example/charge-processed/stripe", status: "enabled", enabled_events: ["*"] };

  it("reports a wrong Stripe key, a missing or disabled webhook endpoint and missing event types", () => {
    expect(check(200, { data: [endpoint] })).toEqual([]);
    expect(check(401, {})).toEqual([{ code: "key_refused", params: { answer: "401" } }]);
    const missing = [{ code: "endpoint_missing", params: { url: endpoint.url } }];
    expect(check(200, { data: [] })).toEqual(missing);
    expect(check(200, { data: [{ ...endpoint, status: "disabled" }] })).toEqual(missing);
    expect(check(200, { data: [{ ...endpoint, enabled_events: ["charge.refunded"] }] })).toEqual([
      { code: "events_missing", params: { events: expect.stringContaining("checkout.session.completed") } },
    ]);
  });

  it("requires the updates of a dispute, because an inquiry becomes a chargeback by them", () => {
    const enabled_events = [
      ...["checkout.session.completed", "checkout.session.async_payment_succeeded"],
      ...["checkout.session.async_payment_failed", "checkout.session.expired"],
      ...["payment_intent.amount_capturable_updated", "payment_intent.succeeded", "payment_intent.canceled"],
      ...["payment_intent.payment_failed", "charge.refunded", "refund.updated", "refund.failed"],
      ...["charge.dispute.created", "charge.dispute.closed"],
    ];
    const missing = [{ code: "events_missing", params: { events: "charge.dispute.updated" } }];
    expect(check(200, { data: [{ ...endpoint, enabled_events }] })).toEqual(missing);
  });
});

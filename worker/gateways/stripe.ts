import { createHmac } from "node:crypto";
import type { Cents } from "#domain/money.ts";
import type { DisputeState, GatewayEvent, GatewayReportedState, RefundState } from "#domain/payments/gateway-events.ts";
import type { GatewayTestProblem } from "#domain/payments/gateway-test.ts";
import {
  type CardHoldProtocol,
  createPlainNotificationAnswer,
  type GatewayApiAnswer,
  type GatewayApiRequest,
  type GatewayCredentials,
  type GatewayEnvironment,
  type GatewayEventProtocol,
  type GatewayPayment,
  type GatewayProtocol,
  type GatewayRefundAnswer,
  isSameSignature,
  joinGatewayMessageParts,
  type PaymentPageAnswer,
  type PaymentPageProtocol,
  type RefundProtocol,
  type RequestedCardHoldAction,
  type RequestedRefund,
} from "./protocol.ts";

/** Pinned version of the calls, so that an upgrade of the company's account changes nothing. */
export const STRIPE_VERSION = "2024-11-20.acacia";
export const STRIPE_HOSTS: Readonly<Record<GatewayEnvironment, string>> = {
  live: "https://api.stripe.com",
  test: "https://api.stripe.com",
  // Answered inside the Worker, in development only. `.invalid` never resolves.
  stand_in: "https://stripe.stand-in.invalid",
};
/** Maximum difference in seconds between a signed timestamp and now, in both directions. */
const SIGNATURE_TOLERANCE_SECONDS = 300;

// https://docs.stripe.com/currencies#zero-decimal and #three-decimal.
const ZERO_DECIMAL = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));
const THREE_DECIMAL = new Set("BHD JOD KWD OMR TND".split(" "));
// Currencies without decimals whose amounts Stripe takes as hundredths that end in 00.
const WHOLE_HUNDREDTHS = new Set(["ISK", "UGX"]);

const LOCALES = new Set(
  "bg cs da de el en es et fi fr hr hu it ja ko lt lv mt nb nl pl pt ro ru sk sl sv tr zh".split(" "),
);

/** Returns the decimals of Stripe's amounts in a currency. */
export function getStripeDecimals(currency: string): number {
  if (ZERO_DECIMAL.has(currency)) return 0;
  return THREE_DECIMAL.has(currency) ? 3 : 2;
}

/** Converts an amount to Stripe's minor units. Undefined if Stripe can't charge it exactly. */
export function toStripeAmount(cents: Cents, currency: string, decimals: number): number | undefined {
  const scaled = cents * 10 ** (getStripeDecimals(currency) - decimals);
  // Three-decimal amounts must end in 0.
  const step = THREE_DECIMAL.has(currency) ? 10 : WHOLE_HUNDREDTHS.has(currency) ? 100 : 1;
  return Number.isInteger(scaled) && scaled % step === 0 ? scaled : undefined;
}

/** Converts an amount in Stripe's minor units to the minor units of the account's currency settings. */
export function fromStripeAmount(amount: number, currency: string, decimals: number): Cents {
  return Math.round(amount * 10 ** (decimals - getStripeDecimals(currency)));
}

/** Stripe by a hosted Checkout Session: created server to server, reported by signed events. */
const checkout: PaymentPageProtocol = {
  build: buildSession,
  read: readSession,
};

const refunds: RefundProtocol = {
  addresses: mapHosts("/v1/refunds"),
  contentType: "application/x-www-form-urlencoded",
  isRepeatable: true,
  headers: ({ secret }, refund) => createHeaders(secret, createRefundKey(refund)),
  build: buildRefund,
  read: readRefund,
};

const holds: CardHoldProtocol = { isRepeatable: true, build: buildHoldEnd, read: readHoldEnd };

/** Events that the endpoint must send. */
const STRIPE_EVENTS = [
  ...["checkout.session.completed", "checkout.session.async_payment_succeeded"],
  ...["checkout.session.async_payment_failed", "checkout.session.expired"],
  ...["payment_intent.amount_capturable_updated", "payment_intent.succeeded"],
  ...["payment_intent.canceled", "payment_intent.payment_failed"],
  ...["charge.refunded", "refund.updated", "refund.failed"],
  // An inquiry that becomes a chargeback is updated, not created again.
  ...["charge.dispute.created", "charge.dispute.updated", "charge.dispute.closed"],
];

const events: GatewayEventProtocol = {
  buildCheck: (environment, credentials) =>
    createCall(environment, credentials, { path: "/v1/webhook_endpoints?limit=100" }),
  readCheck: readEndpoints,
  read: readEvent,
};

export const stripe: GatewayProtocol = {
  abilities: ["charge", "refund", "hold"],
  addresses: { live: `${STRIPE_HOSTS.live}/v1/checkout/sessions`, test: `${STRIPE_HOSTS.test}/v1/checkout/sessions` },
  merchant: {},
  hasSecret: true,
  hasWebhookSecret: true,
  // The session's own page takes the payment.
  buildForm: () => undefined,
  readNotice: () => undefined,
  answer: createPlainNotificationAnswer,
  refunds,
  holds,
  checkout,
  events,
};

function mapHosts(path: string): Readonly<Record<GatewayEnvironment, string>> {
  return { live: STRIPE_HOSTS.live + path, test: STRIPE_HOSTS.test + path, stand_in: STRIPE_HOSTS.stand_in + path };
}

function createHeaders(secret: string, idempotencyKey?: string): Readonly<Record<string, string>> {
  return {
    Authorization: `Bearer ${secret}`,
    "Stripe-Version": STRIPE_VERSION,
    ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
  };
}

function createCall(
  environment: GatewayEnvironment,
  { secret }: GatewayCredentials,
  {
    path,
    key,
    fields,
  }: { readonly path: string; readonly key?: string; readonly fields?: Readonly<Record<string, string>> },
): GatewayApiRequest {
  return {
    url: STRIPE_HOSTS[environment] + path,
    method: fields ? "POST" : "GET",
    headers: {
      ...createHeaders(secret, key),
      ...(fields && { "Content-Type": "application/x-www-form-urlencoded" }),
    },
    body: fields && new URLSearchParams(fields).toString(),
  };
}

// A test key in live use would confirm unpaid reservations.
function matchesEnvironment(environment: GatewayEnvironment, secret: string): boolean {
  return environment === "live" ? /^(sk|rk)_live_/.test(secret) : /^(sk|rk)_(?!live_)/.test(secret);
}

function buildSession(
  environment: GatewayEnvironment,
  credentials: GatewayCredentials,
  payment: GatewayPayment,
): GatewayApiRequest | undefined {
  const amount = toStripeAmount(payment.amountCents, payment.currency, payment.decimals);
  if (amount === undefined || !matchesEnvironment(environment, credentials.secret)) return undefined;
  const { order, intentId } = payment;
  return createCall(environment, credentials, {
    path: "/v1/checkout/sessions",
    key: `checkout-${intentId}`,
    fields: {
      mode: "payment",
      client_reference_id: intentId,
      "metadata[intent]": intentId,
      "metadata[order]": order,
      "payment_intent_data[metadata][intent]": intentId,
      "payment_intent_data[metadata][order]": order,
      "payment_intent_data[description]": payment.description,
      ...(payment.isHold && { "payment_intent_data[capture_method]": "manual" }),
      "line_items[0][quantity]": "1",
      "line_items[0][price_data][currency]": payment.currency.toLowerCase(),
      "line_items[0][price_data][unit_amount]": String(amount),
      "line_items[0][price_data][product_data][name]": payment.description,
      success_url: payment.okUrl,
      cancel_url: payment.cancelUrl,
      // Otherwise the account's setting can let visitors pay in their own currency, which no attempt expects.
      "adaptive_pricing[enabled]": "false",
      locale: toLocale(payment.language),
      expires_at: String(Math.floor(payment.expiresAt / 1000)),
    },
  });
}

// Stripe has no Catalan.
function toLocale(language: string): string {
  if (language === "ca") return "es";
  return LOCALES.has(language) ? language : "auto";
}

type Json = Readonly<Record<string, unknown>>;

function parseJson(text: string): Json | undefined {
  try {
    return toObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function toObject(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

const toText = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
/** Returns an amount. Stripe has no negative ones. */
const toNumber = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
/** Returns the id of a related object, which may be expanded. */
const toId = (value: unknown): string | undefined => toText(value) ?? toText(toObject(value)?.["id"]);

/** Returns the gateway's reason of a rejected request: the type and code of its error. */
function readError(body: Json | undefined): string | undefined {
  const error = toObject(body?.["error"]);
  return joinGatewayMessageParts([toText(error?.["type"]), toText(error?.["code"])]);
}

// After a conflict of idempotency keys, a rate limit or a server error, the result of the first call is unknown.
const isUnclear = (status: number) => status === 409 || status === 429 || status >= 500;

function readSession({ status, body }: { readonly status: number; readonly body: string }): PaymentPageAnswer {
  const answer = parseJson(body);
  const url = toText(answer?.["url"]);
  if (status === 200 && url) return { kind: "created", url };
  if (isUnclear(status)) return { kind: "unclear" };
  return { kind: "refused", reason: readError(answer) ?? String(status) };
}

// Stripe answers a repeated key with the saved refusal for a day, so a refund requested again has another key.
const createRefundKey = ({ order, id, refusals = 0 }: RequestedRefund) =>
  `refund-${order}-${id}${refusals === 0 ? "" : `-${refusals}`}`;

function buildRefund(_credentials: GatewayCredentials, refund: RequestedRefund): string | undefined {
  const amount = toStripeAmount(refund.amountCents, refund.currency, refund.decimals);
  if (amount === undefined || refund.transaction === undefined) return undefined;
  return new URLSearchParams({
    payment_intent: refund.transaction,
    amount: String(amount),
    "metadata[refund]": `refund-${refund.id}`,
    "metadata[order]": refund.order,
  }).toString();
}

function readRefund(
  _credentials: GatewayCredentials,
  refund: RequestedRefund,
  { status, body }: { readonly status: number; readonly body: string },
): GatewayRefundAnswer {
  const answer = parseJson(body);
  if (status !== 200)
    return isUnclear(status) ? { kind: "unclear" } : { kind: "refused", reason: readError(answer) ?? String(status) };
  const event =
    answer &&
    toEvent(
      { id: `answer:${toText(answer["id"])}:${toText(answer["status"])}`, type: "refund.answer" },
      answer,
      refund.decimals,
    );
  if (event?.fact.kind !== "refund" || event.transaction !== refund.transaction) return { kind: "unclear" };
  if (event.fact.state === "failed") return { kind: "refused", reason: event.answer ?? "failed" };
  return { kind: "reported", event };
}

function buildHoldEnd(
  environment: GatewayEnvironment,
  credentials: GatewayCredentials,
  end: RequestedCardHoldAction,
): GatewayApiRequest | undefined {
  const amount = toStripeAmount(end.amountCents, end.currency, end.decimals);
  if (amount === undefined || end.transaction === undefined) return undefined;
  const isCapture = end.action === "capture";
  return createCall(environment, credentials, {
    path: `/v1/payment_intents/${end.transaction}/${isCapture ? "capture" : "cancel"}`,
    // An action that staff request again after a refusal has another key.
    key: `hold-${end.order}-${end.id}-${isCapture ? `capture-${amount}` : "release"}-${end.requestedAt}`,
    fields: isCapture ? { amount_to_capture: String(amount) } : {},
  });
}

function readHoldEnd(
  _credentials: GatewayCredentials,
  end: RequestedCardHoldAction,
  { status, body }: GatewayApiAnswer,
): GatewayRefundAnswer {
  const answer = parseJson(body);
  if (status !== 200)
    return isUnclear(status) ? { kind: "unclear" } : { kind: "refused", reason: readError(answer) ?? String(status) };
  const id = `answer:${toText(answer?.["id"])}:${toText(answer?.["status"])}`;
  const event = answer && toEvent({ id, type: "payment_intent.answer" }, answer, end.decimals);
  const isEnded = event?.fact.kind === "hold" && event.fact.state !== "authorised";
  return isEnded && event.transaction === end.transaction ? { kind: "reported", event } : { kind: "unclear" };
}

function readEndpoints({ status, body }: GatewayApiAnswer, notifyUrl: string): readonly GatewayTestProblem[] {
  const answer = parseJson(body);
  if (status !== 200) return [{ code: "key_refused", params: { answer: readError(answer) ?? String(status) } }];
  const endpoints = (Array.isArray(answer?.["data"]) ? answer["data"] : []).flatMap((rawEndpoint) => {
    const endpoint = toObject(rawEndpoint);
    return endpoint ? [endpoint] : [];
  });
  const endpoint = endpoints.find((candidate) => candidate["url"] === notifyUrl && candidate["status"] === "enabled");
  if (!endpoint) return [{ code: "endpoint_missing", params: { url: notifyUrl } }];
  const enabledEvents = Array.isArray(endpoint["enabled_events"]) ? endpoint["enabled_events"] : [];
  const missing = enabledEvents.includes("*") ? [] : STRIPE_EVENTS.filter((name) => !enabledEvents.includes(name));
  return missing.length === 0 ? [] : [{ code: "events_missing", params: { events: missing.join(", ") } }];
}

/** Verifies the signature over the body as received, and reads the event. Undefined if it isn't Stripe's. */
function readEvent(
  { webhookSecret }: GatewayCredentials,
  message: { readonly body: string; readonly signature: string; readonly now: number },
  decimals: number,
): GatewayEvent | undefined {
  if (!webhookSecret || !isSignedByStripe(webhookSecret, message)) return undefined;
  const event = parseJson(message.body);
  const object = toObject(toObject(event?.["data"])?.["object"]);
  const [id, type] = [toText(event?.["id"]), toText(event?.["type"])];
  if (!id || !type || !object) return undefined;
  const isLive = event?.["livemode"];
  return {
    ...toEvent({ id, type, at: toNumber(event?.["created"]) }, object, decimals),
    ...(typeof isLive === "boolean" && { isLive }),
  };
}

/** Whether one of the signatures is valid. There are several while the endpoint's secret is changed. */
export function isSignedByStripe(
  secret: string,
  { body, signature, now }: { readonly body: string; readonly signature: string; readonly now: number },
): boolean {
  const parts = signature.split(",").map((part) => part.trim().split("=", 2) as [string, string?]);
  const timestamps = new Set(parts.filter(([name]) => name === "t").map(([, value]) => value));
  const [timestamp = ""] = timestamps;
  if (timestamps.size !== 1 || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > SIGNATURE_TOLERANCE_SECONDS) return false;
  const expected = signStripeEvent(secret, timestamp, body);
  return parts.filter(([name, value]) => name === "v1" && isSameSignature(value ?? "", expected)).length > 0;
}

/** Signs a body as Stripe does: HMAC-SHA256 of the timestamp, a dot and the body, in hex. */
export function signStripeEvent(secret: string, timestamp: number | string, body: string): string {
  return createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
}

function toEvent(
  { id, type, at = 0 }: { readonly id: string; readonly type: string; readonly at?: number },
  object: Json,
  decimals: number,
): GatewayEvent {
  const metadata = toObject(object["metadata"]);
  const currency = toText(object["currency"])?.toUpperCase();
  const toCents = (amount: unknown) => fromStripeAmount(toNumber(amount), currency ?? "EUR", decimals);
  const isIntent = object["object"] === "payment_intent";
  return {
    id,
    type,
    transaction: isIntent ? toText(object["id"]) : toId(object["payment_intent"]),
    order: toText(metadata?.["order"]),
    intentId: toText(metadata?.["intent"]) ?? toText(object["client_reference_id"]),
    currency,
    fact: toFact({ type, at }, object, toCents),
    answer: readReason(object),
  };
}

function readReason(object: Json): string | undefined {
  const failure = toObject(object["last_payment_error"]);
  return joinGatewayMessageParts([
    toText(object["status"]) ?? toText(object["payment_status"]),
    toText(failure?.["code"]) ?? toText(object["failure_reason"]) ?? toText(object["reason"]),
  ]);
}

// Converts the object of an event to a fact. The status of the object decides, not the name of the event.
function toFact(
  { type, at }: { readonly type: string; readonly at: number },
  object: Json,
  toCents: (amount: unknown) => Cents,
): GatewayReportedState {
  switch (object["object"]) {
    case "checkout.session":
      return toSessionFact(type, object, toCents);
    case "payment_intent":
      return toIntentFact(object, toCents);
    case "charge":
      return toChargeFact(object, toCents);
    case "refund":
      return toRefundFact(object, toCents);
    case "dispute":
      return toDisputeFact(object, toCents, at);
    default:
      return { kind: "other" };
  }
}

function toSessionFact(type: string, object: Json, toCents: (amount: unknown) => Cents): GatewayReportedState {
  const cents = toCents(object["amount_total"]);
  if (object["payment_status"] === "paid") return { kind: "payment", state: "paid", cents };
  const isOver = object["status"] === "expired" || type === "checkout.session.async_payment_failed";
  return { kind: "payment", state: isOver ? "denied" : "pending", cents };
}

function toIntentFact(object: Json, toCents: (amount: unknown) => Cents): GatewayReportedState {
  const isHold = object["capture_method"] === "manual";
  const received = toCents(object["amount_received"]);
  switch (object["status"]) {
    case "succeeded":
      return isHold
        ? { kind: "hold", state: "captured", cents: received }
        : { kind: "payment", state: "paid", cents: received };
    case "requires_capture":
      return { kind: "hold", state: "authorised", cents: toCents(object["amount_capturable"]) };
    case "canceled":
      return isHold
        ? { kind: "hold", state: "released", cents: toCents(object["amount"]) }
        : { kind: "payment", state: "denied", cents: toCents(object["amount"]) };
    default:
      return { kind: "payment", state: "pending", cents: toCents(object["amount"]) };
  }
}

// Returns the refunded total of a charge. Stripe also counts the uncaptured part of a hold as refunded, so it's
// subtracted.
function toChargeFact(object: Json, toCents: (amount: unknown) => Cents): GatewayReportedState {
  const hasCaptured = typeof object["amount_captured"] === "number";
  const uncaptured = hasCaptured ? toNumber(object["amount"]) - toNumber(object["amount_captured"]) : 0;
  return { kind: "refunded_total", cents: toCents(Math.max(0, toNumber(object["amount_refunded"]) - uncaptured)) };
}

const REFUND_STATES: Readonly<Record<string, RefundState>> = {
  succeeded: "succeeded",
  failed: "failed",
  canceled: "failed",
};

function toRefundFact(object: Json, toCents: (amount: unknown) => Cents): GatewayReportedState {
  const name = /^refund-(\d{1,12})$/.exec(toText(toObject(object["metadata"])?.["refund"]) ?? "")?.[1];
  return {
    kind: "refund",
    id: toText(object["id"]) ?? "",
    state: REFUND_STATES[toText(object["status"]) ?? ""] ?? "pending",
    cents: toCents(object["amount"]),
    ...(name !== undefined && { refundId: Number(name) }),
  };
}

const DISPUTE_STATES: Readonly<Record<string, DisputeState>> = {
  won: "won",
  lost: "lost",
  needs_response: "open",
  under_review: "open",
  charge_refunded: "won",
  prevented: "won",
  warning_closed: "closed_inquiry",
};

// Converts a dispute. Stripe's warnings are inquiries. A prevented dispute counts as won, because no money moves, and
// so does the dispute of a refunded payment.
function toDisputeFact(object: Json, toCents: (amount: unknown) => Cents, at: number): GatewayReportedState {
  return {
    kind: "dispute",
    id: toText(object["id"]) ?? "",
    state: DISPUTE_STATES[toText(object["status"]) ?? ""] ?? "inquiry",
    cents: toCents(object["amount"]),
    ...(at > 0 && { at }),
  };
}

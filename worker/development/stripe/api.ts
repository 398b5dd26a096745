import type { GatewayCredentials } from "#worker/gateways/protocol.ts";
import { STRIPE_HOSTS } from "#worker/gateways/stripe.ts";
import { findGateway } from "#worker/store/payments/payments.ts";
import { openBoundAccounts } from "#worker/tenancy/accounts.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { getPublicOrigin, getSimulatorOrigin, openGateway } from "#worker/usecases/shared/open-gateway.ts";
import {
  createCheckoutSession,
  createPaymentIntent,
  decodeSimulatedStripeId,
  deriveIdFromText,
  encodeSimulatedStripeId,
  type SimulatedSession,
} from "./objects.ts";

/** Amounts with these endings are refused, fail, or get no answer although the call was done. */
const REFUSED = /96$/;
const FAILED = /97$/;
const LOST = /98$/;

interface Caller {
  readonly tenant: Tenant;
  readonly site: string;
  readonly credentials: GatewayCredentials;
}

interface Call {
  readonly path: string;
  readonly key: string;
  readonly fields: URLSearchParams;
}

/** Answers the calls of Stripe's API. Passes on all other requests. In development only. */
export function simulateStripe(env: Cloudflare.Env, sendToGateway: SendToGateway): SendToGateway {
  return async (url, init) => {
    const address = new URL(url);
    if (address.origin !== STRIPE_HOSTS.stand_in) return sendToGateway(url, init);
    const caller = await findCaller(env, init.headers["Authorization"] ?? "");
    if (!caller) return fail(401, "invalid_request_error", "api_key_invalid");
    const fields = new URLSearchParams(init.body ? new TextDecoder().decode(init.body) : "");
    return answerOrFail(caller, { path: address.pathname, key: init.headers["Idempotency-Key"] ?? "", fields });
  };
}

async function answerOrFail(caller: Caller, call: Call): Promise<Response> {
  const { fields } = call;
  const amount = fields.get("amount") ?? fields.get("amount_to_capture") ?? readUnitAmount(fields);
  if (FAILED.test(amount)) return fail(500, "api_error", "");
  const answer = await answerCall(caller, call, amount);
  if (LOST.test(amount)) throw new TypeError("no answer");
  return answer;
}

const readUnitAmount = (fields: URLSearchParams) => fields.get("line_items[0][price_data][unit_amount]") ?? "";

function fail(status: number, type: string, code: string): Response {
  return Response.json({ error: { type, code } }, { status });
}

// Account whose gateway has the key.
async function findCaller(env: Cloudflare.Env, authorization: string): Promise<Caller | undefined> {
  for (const tenant of openBoundAccounts(env, Date.now())) {
    const gateway = await openGateway(tenant, await findGateway(tenant.db, "stripe"));
    const credentials = gateway?.credentials.find(({ secret }) => authorization === `Bearer ${secret}`);
    if (!credentials || gateway?.environment !== "stand_in") continue;
    const { settings } = (await tenant.snapshot()).catalogue;
    return { tenant, site: getPublicOrigin(tenant, settings), credentials };
  }
  return undefined;
}

async function answerCall({ tenant, site }: Caller, { path, key, fields }: Call, amount: string): Promise<Response> {
  if (path === "/v1/webhook_endpoints")
    return Response.json({
      data: [{ url: `${site}/charge-processed/stripe`, status: "enabled", enabled_events: ["*"] }],
    });
  if (path === "/v1/checkout/sessions") return createSession(tenant, fields);
  if (path === "/v1/refunds") return createRefund(fields, key);
  const [, id = "", action] = /^\/v1\/payment_intents\/([^/]+)\/(capture|cancel)$/.exec(path) ?? [];
  const session = decodeSimulatedStripeId(id);
  if (!session) return fail(404, "invalid_request_error", "resource_missing");
  if (REFUSED.test(amount)) return fail(400, "invalid_request_error", "payment_intent_unexpected_state");
  return Response.json(
    action === "capture"
      ? createPaymentIntent(session, "succeeded", Number(amount))
      : createPaymentIntent(session, "canceled"),
  );
}

function createSession(tenant: Tenant, fields: URLSearchParams): Response {
  const session: SimulatedSession = {
    intent: fields.get("metadata[intent]") ?? "",
    order: fields.get("metadata[order]") ?? "",
    amount: Number(readUnitAmount(fields)),
    currency: fields.get("line_items[0][price_data][currency]") ?? "",
    isHold: fields.get("payment_intent_data[capture_method]") === "manual",
    okUrl: fields.get("success_url") ?? "",
    cancelUrl: fields.get("cancel_url") ?? "",
  };
  const url = `${getSimulatorOrigin(tenant)}/dev/stripe/${encodeSimulatedStripeId("cs_test_", session)}`;
  return Response.json({ ...createCheckoutSession(session, "open", "unpaid"), url });
}

function createRefund(fields: URLSearchParams, key: string): Response {
  const amount = fields.get("amount") ?? "";
  const transaction = fields.get("payment_intent") ?? "";
  const session = decodeSimulatedStripeId(transaction);
  if (!session || REFUSED.test(amount)) return fail(400, "invalid_request_error", "charge_already_refunded");
  return Response.json({
    id: deriveIdFromText("re", key),
    object: "refund",
    amount: Number(amount),
    currency: session.currency,
    metadata: { refund: fields.get("metadata[refund]"), order: fields.get("metadata[order]") },
    payment_intent: transaction,
    status: "succeeded",
  });
}

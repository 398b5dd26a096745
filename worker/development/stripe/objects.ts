import { createHash } from "node:crypto";
import { signStripeEvent } from "#worker/gateways/stripe.ts";

/** Session of the simulator. Its id contains everything, because the simulator stores nothing. */
export interface SimulatedSession {
  readonly intent: string;
  readonly order: string;
  /** Amount to pay in Stripe's minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly isHold: boolean;
  readonly okUrl: string;
  readonly cancelUrl: string;
}

type Json = Readonly<Record<string, unknown>>;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Returns the id of a session or of its payment. */
export function encodeSimulatedStripeId(prefix: "cs_test_" | "pi_", session: SimulatedSession): string {
  return prefix + encode(session);
}

/** Returns the session of an id. Undefined if the simulator didn't create it. */
export function decodeSimulatedStripeId(id: string): SimulatedSession | undefined {
  try {
    return JSON.parse(Buffer.from(id.replace(/^(cs_test|pi)_/, ""), "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Returns an id that follows from a text, so that a repeated request gets the same object. */
export function deriveIdFromText(prefix: string, text: string): string {
  return `${prefix}_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
}

const toMetadata = ({ intent, order }: SimulatedSession) => ({ intent, order });

/** Creates the payment of a session in a state. */
export function createPaymentIntent(session: SimulatedSession, status: string, received = session.amount): Json {
  return {
    id: encodeSimulatedStripeId("pi_", session),
    object: "payment_intent",
    amount: session.amount,
    amount_received: status === "succeeded" ? received : 0,
    amount_capturable: status === "requires_capture" ? session.amount : 0,
    capture_method: session.isHold ? "manual" : "automatic",
    currency: session.currency,
    metadata: toMetadata(session),
    status,
  };
}

/** Creates a session in a state. */
export function createCheckoutSession(session: SimulatedSession, status: string, paymentStatus: string): Json {
  return {
    id: encodeSimulatedStripeId("cs_test_", session),
    object: "checkout.session",
    amount_total: session.amount,
    client_reference_id: session.intent,
    currency: session.currency,
    metadata: toMetadata(session),
    payment_intent: status === "complete" ? encodeSimulatedStripeId("pi_", session) : null,
    payment_status: paymentStatus,
    status,
  };
}

/** Creates a signed event, as an endpoint receives it. */
export function createSignedEvent(
  type: string,
  object: Json,
  { url, secret, at }: { readonly url: string; readonly secret: string; readonly at: number },
): Request {
  const body = JSON.stringify({
    ...{ id: deriveIdFromText("evt", `${type} ${JSON.stringify(object)}`), object: "event", type },
    ...{ created: Math.floor(at / 1000), livemode: false, data: { object } },
  });
  const timestamp = Math.floor(at / 1000);
  const signature = `t=${timestamp},v1=${signStripeEvent(secret, timestamp, body)}`;
  return new Request(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
    body,
  });
}

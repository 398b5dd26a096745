import { type Context, Hono } from "hono";
import { html } from "hono/html";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createPaymentPage } from "#worker/api/payments/page.ts";
import { getStripeDecimals } from "#worker/gateways/stripe.ts";
import { findGateway } from "#worker/store/payments/payments.ts";
import { resolveHostByBindings } from "#worker/tenancy/accounts.ts";
import { openGateway } from "#worker/usecases/shared/open-gateway.ts";
import {
  createCheckoutSession,
  createPaymentIntent,
  createSignedEvent,
  decodeSimulatedStripeId,
  type SimulatedSession,
} from "./objects.ts";

type Deliver = (
  request: Request,
  env: Cloudflare.Env,
  context: Context<AppEnvironment>["executionCtx"],
) => Response | Promise<Response>;

const CHOICES = {
  pay: "Pay",
  twice: "Pay, every event twice",
  reversed: "Pay, events in reverse order",
  later: "Pay by a method that takes five seconds",
  refuse: "Refuse",
} as const;
type Choice = keyof typeof CHOICES;
const DELAY_MS = 5000;

const isChoice = (text: string): text is Choice => Object.hasOwn(CHOICES, text);

/**
 * Simulator of Stripe's hosted page for development. Sends the events of the visitor's choice, signed, to the account's
 * endpoint: once, twice, in reverse order or late. Never deployed.
 */
export function simulateStripePage(deliver: Deliver) {
  const routes = new Hono<AppEnvironment>();
  routes.get("/:session", (c) => {
    const session = decodeSimulatedStripeId(c.req.param("session"));
    return session ? sessionPage(session, c.req.path) : notFound();
  });
  routes.post("/:session/:choice", async (c) => {
    const [session, choice] = [decodeSimulatedStripeId(c.req.param("session")), c.req.param("choice")];
    return session && isChoice(choice) ? finish(c, session, choice, deliver) : notFound();
  });
  return routes;
}

type Event = readonly [type: string, object: ReturnType<typeof createPaymentIntent>];

function listEvents(session: SimulatedSession, choice: Choice): readonly Event[] {
  if (choice === "refuse")
    return [
      ["payment_intent.payment_failed", createPaymentIntent(session, "requires_payment_method")],
      ["checkout.session.expired", createCheckoutSession(session, "expired", "unpaid")],
    ];
  if (session.isHold)
    return [
      ["payment_intent.amount_capturable_updated", createPaymentIntent(session, "requires_capture")],
      ["checkout.session.completed", createCheckoutSession(session, "complete", "unpaid")],
    ];
  return [
    ["payment_intent.succeeded", createPaymentIntent(session, "succeeded")],
    ["checkout.session.completed", createCheckoutSession(session, "complete", "paid")],
  ];
}

async function finish(
  c: Context<AppEnvironment>,
  session: SimulatedSession,
  choice: Choice,
  deliver: Deliver,
): Promise<Response> {
  const url = new URL("/charge-processed/stripe", session.okUrl).href;
  const site = resolveHostByBindings(c.env, url, Date.now());
  if (site?.kind !== "account") return notFound();
  const gateway = await openGateway(site.tenant, await findGateway(site.tenant.db, "stripe"));
  const secret = gateway?.environment === "stand_in" ? gateway.credentials[0].webhookSecret : undefined;
  if (!secret) return notFound();
  const send = async ([type, object]: Event) => {
    await deliver(createSignedEvent(type, object, { url, secret, at: Date.now() }), c.env, c.executionCtx);
  };
  const events = listEvents(session, choice);
  const ordered = choice === "reversed" ? events.toReversed() : events;
  if (choice === "later") {
    await send(["checkout.session.completed", createCheckoutSession(session, "complete", "unpaid")]);
    c.executionCtx.waitUntil(
      new Promise((resolve) => setTimeout(resolve, DELAY_MS)).then(async () => {
        await send(["checkout.session.async_payment_succeeded", createCheckoutSession(session, "complete", "paid")]);
      }),
    );
  } else {
    for (const event of choice === "twice" ? [...ordered, ...ordered] : ordered) await send(event);
  }
  return c.redirect(choice === "refuse" ? session.cancelUrl : session.okUrl, 303);
}

function sessionPage(session: SimulatedSession, path: string): Promise<Response> {
  const amount = (session.amount / 10 ** getStripeDecimals(session.currency.toUpperCase())).toString();
  const choices = Object.entries(CHOICES).filter(([choice]) => choice !== "later" || !session.isHold);
  return createPaymentPage({
    isOfCompany: false,
    language: "en",
    title: "Stand-in gateway for Stripe",
    formAction: `'self' ${new URL(session.okUrl).origin}`,
    body: html`<p class="from">Stand-in gateway</p>
<h1>Stripe · ${session.isHold ? "hold" : "payment"}</h1>
<p class="amount">${amount} ${session.currency.toUpperCase()}</p>
<p>Order ${session.order}. This is development: no bank is asked and no money moves.</p>
${choices.map(
  ([choice, text]) =>
    html`<form method="post" action="${path}/${choice}"><button type="submit">${text}</button></form>`,
)}`,
  });
}

function notFound(): Promise<Response> {
  return createPaymentPage({
    isOfCompany: false,
    language: "en",
    title: "Stand-in gateway",
    status: 404,
    body: html`<div class="mark unknown" aria-hidden="true">!</div><h1>Not found</h1>`,
  });
}

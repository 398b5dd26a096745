import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { parseOnlineMethod } from "#domain/payments/gateway-notices.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createPaymentPage } from "#worker/api/payments/page.ts";
import type { GatewayCredentials, ProtocolFields } from "#worker/gateways/protocol.ts";
import { findGateway } from "#worker/store/payments/payments.ts";
import { resolveHostByBindings } from "#worker/tenancy/accounts.ts";
import { openGateway } from "#worker/usecases/shared/open-gateway.ts";
import { signSimulatedPaypalMessage } from "./postback-simulator.ts";
import { type GatewayPaymentRequest, gatewaySimulators, type OnlineMethodWithForm } from "./simulator-forms.ts";

type SimulatorContext = Context<AppEnvironment>;

interface Visit {
  readonly method: OnlineMethodWithForm;
  readonly fields: ProtocolFields;
  readonly paymentRequest: GatewayPaymentRequest;
  readonly credentials: GatewayCredentials;
}

/**
 * Payment gateway simulator for development. Accepts the forms of the four gateways and checks their signatures. Lets
 * the visitor pay or refuse, and notifies the account's site like the real one. `deliver` is the Worker. Never
 * deployed.
 */
export function simulateGateway(
  deliver: (
    request: Request,
    env: Cloudflare.Env,
    context: SimulatorContext["executionCtx"],
  ) => Response | Promise<Response>,
) {
  const routes = new Hono<AppEnvironment>();
  routes.post("/:method", async (c) => {
    const visit = await findVisit(c);
    return visit ? paymentPage(visit) : refusedPage("This form is not signed as the account's gateway asks for.");
  });
  routes.post("/:method/:choice{pay|refuse}", async (c) => {
    const visit = await findVisit(c);
    if (!visit) return refusedPage("This form is not signed as the account's gateway asks for.");
    return finish(c, visit, c.req.param("choice") === "pay", (request) => deliver(request, c.env, c.executionCtx));
  });
  return routes;
}

async function findVisit(c: SimulatorContext): Promise<Visit | undefined> {
  const method = parseOnlineMethod(c.req.param("method") ?? "");
  if (!method || method === "stripe") return undefined;
  const form = await c.req.formData();
  const fields = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
  const paymentRequest = gatewaySimulators[method].read(fields);
  const address = paymentRequest && URL.parse(paymentRequest.notifyUrl);
  const site = address && resolveHostByBindings(c.env, address.href, Date.now());
  if (!paymentRequest || site?.kind !== "account") return undefined;
  const gateway = await openGateway(site.tenant, await findGateway(site.tenant.db, method));
  if (gateway?.environment !== "stand_in") return undefined;
  const credentials = gateway.credentials.find((credential) => gatewaySimulators[method].isGenuine(credential, fields));
  return credentials && { method, fields, paymentRequest: paymentRequest, credentials };
}

async function finish(
  c: SimulatorContext,
  { method, fields, paymentRequest, credentials }: Visit,
  isPaid: boolean,
  deliver: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const notification = gatewaySimulators[method].notify(credentials, fields, isPaid, new Date());
  const notice =
    notification && method === "wallet_standard"
      ? signSimulatedPaypalMessage(c.env.MASTER_KEY, notification)
      : notification;
  if (!notice) return c.redirect(paymentRequest.cancelUrl, 303);
  const answer = await deliver(
    new Request(paymentRequest.notifyUrl, { method: "POST", body: new URLSearchParams(notice) }),
  );
  const text = await answer.text();
  if (answer.status !== 200) return refusedPage(`The account's site answered ${answer.status} to the notification.`);
  // Global Payments shows the merchant's response to the visitor.
  if (method === "tpvC") return new Response(text, { headers: answer.headers });
  const isAccepted = isPaid && !text.includes("NOK");
  return c.redirect(isAccepted ? paymentRequest.okUrl : paymentRequest.cancelUrl, 303);
}

function paymentPage({ method, fields, paymentRequest }: Visit): Promise<Response> {
  const { name } = gatewaySimulators[method];
  const choice = (
    path: string,
    text: string,
    style: string,
  ) => html`<form method="post" action="/dev/gateway/${method}/${path}">
${Object.entries(fields).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
<button type="submit" class="${style}">${text}</button>
</form>`;
  return createPaymentPage({
    isOfCompany: false,
    language: "en",
    title: `Stand-in gateway for ${name}`,
    // The visitor is redirected to the account's site.
    formAction: `'self' ${new URL(paymentRequest.notifyUrl).origin}`,
    body: html`<p class="from">Stand-in gateway</p>
<h1>${name} · merchant ${paymentRequest.merchant}</h1>
<p class="amount">${paymentRequest.amount}</p>
<p>Order ${paymentRequest.order}. This is development: no bank is asked and no money moves.</p>
${choice("pay", "Pay", "")}
${choice("refuse", "Refuse", "quiet")}`,
  });
}

function refusedPage(text: string): Promise<Response> {
  return createPaymentPage({
    isOfCompany: false,
    language: "en",
    title: "Stand-in gateway",
    status: 404,
    body: html`<div class="mark unknown" aria-hidden="true">!</div><h1>Not taken</h1><p>${text}</p>`,
  });
}

import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { parseOnlineMethod } from "#domain/payments/gateway-notices.ts";
import {
  blockedIpAddressFailure,
  isBlockedForInvalidSignatures,
  recordInvalidSignature,
} from "#worker/api/client-address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createMethodNotAllowedFailure, failures } from "#worker/api/failure.ts";
import { paymentFailureAnswer } from "#worker/api/failure-messages.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { describeFailures, describeFailuresAsPages } from "#worker/api/openapi.ts";
import { limitBodySize } from "#worker/api/request-body.ts";
import { readPageVisitor } from "#worker/api/visitor.ts";
import { readReturningVisitorPaymentState } from "#worker/usecases/payments/read-returned-payment.ts";
import type { NotificationResult } from "#worker/usecases/payments/record-notice.ts";
import {
  processGatewayNotification,
  processGenuineThrottledNotification,
} from "#worker/usecases/payments/settle-payment.ts";
import { createGatewayClient } from "./gateway-client.ts";
import { createGatewayReturnPage, createPaymentStatePage, createUnknownPaymentPage } from "./pages.ts";
import { gatewayNotificationParams, gatewayReturnQuery } from "./payment-messages.ts";
import { declarePlainTextResponse, declareTextOrFailureResponse, pageResponse } from "./responses.ts";

const PAYMENT_ID = /^[0-9a-f]{32}$/;
const RETURN_PAGE = "/reserva/payment-gateway-return";
const tags = ["Gateways"];
const security: [] = [];

/** Registers the routes for gateway notifications and returning visitors. */
export function registerGatewayReturnRoutes(payments: ApiRoutes): void {
  registerNotificationRoute(payments);
  registerComingBack(payments);
  registerStatePage(payments);
}

// Has no sign-in and no CORS. All notifications of a gateway come from the same few addresses, and each
// proves its origin. After forged notifications, only genuine ones are accepted from their address for a
// while.
function registerNotificationRoute({ routes }: ApiRoutes): void {
  routes.openapi(
    createRoute({
      method: "post",
      path: "/charge-processed/{gateway}",
      operationId: "notifyPayment",
      tags,
      security,
      summary: "Receive a gateway notification",
      middleware: [limitBodySize(toErrorResponse)],
      request: { params: gatewayNotificationParams },
      responses: {
        200: declarePlainTextResponse("Accepted, in the format that the gateway expects"),
        403: declarePlainTextResponse("Not sent by the gateway, or it doesn't match the payment"),
        ...describeFailures(paymentFailureAnswer, 400, 404, 408, 413, 429, 500),
        503: declareTextOrFailureResponse("Can't be verified now. Send it again"),
      },
    }),
    async (c) => {
      const method = parseOnlineMethod(c.req.valid("param").gateway);
      if (!method) return toErrorResponse(c, failures.unknownPath);
      const body = new Uint8Array(await c.req.arrayBuffer());
      const [tenant, now] = [c.get("tenant"), c.get("now")];
      const signature = c.req.header("Stripe-Signature") ?? "";
      const settled = isBlockedForInvalidSignatures(c, "notification")
        ? await processGenuineThrottledNotification(tenant, method, body, { now, signature })
        : await processGatewayNotification(tenant, method, body, {
            now,
            signature,
            sendToGateway: createGatewayClient(c.env),
          });
      if (!settled) return toErrorResponse(c, blockedIpAddressFailure);
      logAlert(c, method, settled);
      if (settled.alert === "forged_notification") await recordInvalidSignature(c, "notification");
      if (method === "tpvC" && settled.paymentId && settled.answer.status === 200) {
        return createGatewayReturnPage(returnUrl(c, method, settled, settled.paymentId), settled.language);
      }
      const { status, body: text, type } = settled.answer;
      return new Response(text, { status, headers: { "Content-Type": `${type}; charset=utf-8` } });
    },
  );
  routes.all("/charge-processed/:gateway", (c) => toErrorResponse(c, createMethodNotAllowedFailure(["POST"])));
}

// Global Payments shows this response under its own address, so the link must be absolute.
function returnUrl(
  c: Context<AppEnvironment>,
  method: string,
  { isPaid }: NotificationResult,
  paymentId: string,
): string {
  return `${new URL(c.req.url).origin}/charge-return/${method}/${isPaid ? "ok" : "cancel"}?payment=${paymentId}`;
}

function logAlert(c: Context<AppEnvironment>, gateway: string, { alert, paymentId }: NotificationResult): void {
  if (!alert) return;
  const { requestId, tenant } = c.var;
  console.log(
    JSON.stringify({ level: "alert", request: requestId, account: tenant.name, alert, gateway, payment: paymentId }),
  );
}

// Gateways redirect back by GET or POST. Their data proves nothing and is ignored, so that the target page can be
// reloaded.
function registerComingBack({ routes }: ApiRoutes): void {
  routes.openAPIRegistry.registerPath({
    method: "get",
    path: "/charge-return/{gateway}/{outcome}",
    operationId: "comeBack",
    tags,
    security,
    summary: "Return from a gateway",
    request: {
      params: gatewayNotificationParams.extend({ outcome: z.enum(["ok", "cancel"]).meta({ example: "ok" }) }),
      query: gatewayReturnQuery.pick({ payment: true }),
    },
    responses: {
      303: { description: "Redirect to the page with the payment status" },
      ...describeFailuresAsPages(paymentFailureAnswer, 404, 500, 503),
    },
  });
  routes.on(["GET", "POST"], ["/charge-return/:gateway", "/charge-return/:gateway/:outcome{ok|cancel}"], (c) => {
    const payment = c.req.query("payment") ?? "";
    const query = PAYMENT_ID.test(payment) ? `?payment=${payment}` : "";
    return c.redirect(`${RETURN_PAGE}/${c.req.param("outcome") === "cancel" ? "cancel" : "ok"}${query}`, 303);
  });
}

function registerStatePage({ routes }: ApiRoutes): void {
  routes.openapi(
    createRoute({
      method: "get",
      path: `${RETURN_PAGE}/{outcome}`,
      operationId: "showPayment",
      tags,
      security,
      summary: "Show the payment status to a visitor",
      request: {
        params: z.object({ outcome: z.enum(["ok", "cancel", "nok"]).meta({ example: "ok" }) }),
        query: gatewayReturnQuery,
      },
      responses: {
        200: pageResponse("Page with the payment status"),
        404: pageResponse("No such payment"),
        ...describeFailuresAsPages(paymentFailureAnswer, 400, 500, 503),
      },
    }),
    async (c) => {
      const { payment = "", look = "0" } = c.req.valid("query");
      const state = PAYMENT_ID.test(payment)
        ? await readReturningVisitorPaymentState(c.get("tenant"), payment)
        : undefined;
      if (!state) return createUnknownPaymentPage(await readPageVisitor(c));
      const { outcome } = c.req.valid("param");
      const again = (next: number) => `${RETURN_PAGE}/${outcome}?payment=${payment}&look=${next}`;
      const hasAborted = state.state === "pending" && outcome !== "ok";
      return createPaymentStatePage(
        hasAborted ? { ...state, state: "left" } : state,
        again,
        /^\d{1,3}$/.test(look) ? Number(look) : 0,
      );
    },
  );
}

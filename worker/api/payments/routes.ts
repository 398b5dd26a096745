import { createRoute, type z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { limitByIpAddress } from "#worker/api/client-address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createMethodNotAllowedFailure } from "#worker/api/failure.ts";
import { paymentFailureAnswer } from "#worker/api/failure-messages.ts";
import { type ApiRoutes, createApi } from "#worker/api/interface.ts";
import { createOpenApiGenerator, describeFailuresAsPages } from "#worker/api/openapi.ts";
import { limitBodySize, requireFormBody } from "#worker/api/request-body.ts";
import { isBrowser, replaceUnreadFormFailureByPage } from "#worker/api/unread-form.ts";
import { readPageVisitor } from "#worker/api/visitor.ts";
import { preparePayment } from "#worker/usecases/payments/prepare-payment.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { toPaymentFailure } from "./errors.ts";
import { createGatewayClient } from "./gateway-client.ts";
import { registerPaymentLinkPageRoutes } from "./link-routes.ts";
import { renderNotPayablePage, renderUnreadFormPage, sendVisitorToGateway } from "./pages.ts";
import { paymentForm } from "./payment-messages.ts";
import { declarePageOrJsonFailure, pageResponse, unreadFormResponses } from "./responses.ts";
import { registerGatewayReturnRoutes } from "./return-routes.ts";

async function pay(c: Context<AppEnvironment>, form: z.output<typeof paymentForm>) {
  const request = {
    freeAccessId: form.id,
    part: form.payment,
    method: form.payment_method_id ?? form.payment_method ?? "",
    summaryUrl: form.summary_url,
  };
  const prepared = await preparePayment(c.get("tenant"), request, {
    ...{ now: c.get("now"), intentId: createFreeAccessId() },
    sendToGateway: createGatewayClient(c.env),
  });
  if (prepared.ok) return sendVisitorToGateway(prepared.value);
  // A browser navigated here directly, so no script would read JSON.
  if (isBrowser(c)) return renderNotPayablePage(prepared.error, await readPageVisitor(c));
  return toErrorResponse(c, toPaymentFailure(prepared.error));
}

const FORM = {
  id: "9f0c2d1e4b5a69788796a5b4c3d2e1f0",
  payment: "total",
  payment_method_id: "tpvA256",
} as const;

// One path for rentals, one for transfers, and legacy paths used by existing websites. Each pays the booking that its
// id names.
const PAYING = [
  ["/reserva/pagar", "payRental", "Redirect a visitor to the payment gateway"],
  ["/book/pay", "payBooking", "Same as /reserva/pagar"],
  ["/transfer/pagar", "payTransfer", "Redirect a visitor of a transfer to the payment gateway"],
  ["/reserva-transfer/pagar", "payTransferReservation", "Same as /transfer/pagar"],
] as const;

function payRoute([path, operationId, summary]: (typeof PAYING)[number]) {
  return createRoute({
    method: "post",
    path,
    operationId,
    tags: ["Paying"],
    summary,
    security: [],
    middleware: [
      limitByIpAddress("payment", toErrorResponse),
      replaceUnreadFormFailureByPage(async (c, status) => renderUnreadFormPage(await readPageVisitor(c), status)),
      limitBodySize(toErrorResponse),
      requireFormBody(toErrorResponse),
    ],
    request: {
      body: {
        description: "The form of a booking website",
        content: { "application/x-www-form-urlencoded": { schema: paymentForm, example: FORM } },
        required: true,
      },
    },
    responses: {
      200: pageResponse("A page whose form leads to the gateway"),
      303: { description: "Redirect to the gateway's page" },
      ...describeFailuresAsPages(paymentFailureAnswer, 429, 500, 503),
      ...unreadFormResponses,
      404: declarePageOrJsonFailure("No such booking, nothing to pay, or a method that is not offered online"),
    },
  });
}

/** Registers the routes that start a payment. */
function registerPayRoutes({ routes }: ApiRoutes): void {
  for (const paying of PAYING) {
    routes.openapi(payRoute(paying), async (c) => pay(c, c.req.valid("form")));
    // Browsers request the address without the form after a bookmark or a copied address.
    routes.all(paying[0], async (c) =>
      c.req.method === "GET" && isBrowser(c)
        ? renderNotPayablePage({}, await readPageVisitor(c), 405)
        : toErrorResponse(c, createMethodNotAllowedFailure(["POST"])),
    );
  }
}

/** Pages and notifications of online payments, separate from the APIs: browsers and gateways call them. */
const payments = createApi(toErrorResponse, []);
registerPayRoutes(payments);
registerGatewayReturnRoutes(payments);
registerPaymentLinkPageRoutes(payments);

/** OpenAPI document of the payment paths. */
export const describePayments = createOpenApiGenerator(payments, {
  title: "Online payments",
  description: "Payment pages of visitors and notifications of gateways.",
  basePath: "/",
  tags: {
    Paying: "A visitor's browser is taken to the gateway.",
    Gateways: "Notifications of gateways, and the pages to which visitors return.",
  },
  schemes: [],
});

export const paymentRoutes = payments.routes;

import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { limitByIpAddress, limitRequestsByVisitor } from "#worker/api/client-address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createMethodNotAllowedFailure } from "#worker/api/failure.ts";
import { paymentFailureAnswer } from "#worker/api/failure-messages.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { describeFailuresAsPages } from "#worker/api/openapi.ts";
import { limitBodySize, requireFormBody } from "#worker/api/request-body.ts";
import { replaceUnreadFormFailureByPage, type UnreadFormStatus } from "#worker/api/unread-form.ts";
import { readPageVisitor } from "#worker/api/visitor.ts";
import { preparePaymentOfLink, readPaymentLink } from "#worker/usecases/payments/open-payment-link.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { createGatewayClient } from "./gateway-client.ts";
import { renderPaymentLinkPage, renderUnknownLinkPage } from "./link-page.ts";
import { sendVisitorToGateway } from "./pages.ts";
import { paymentLinkForm, paymentLinkPageParams } from "./payment-messages.ts";
import { pageResponse, unreadFormResponses } from "./responses.ts";

const tags = ["Paying"];
const security: [] = [];
const PATH = "/pay/{token}";

const showRoute = createRoute({
  method: "get",
  path: PATH,
  operationId: "showPaymentLink",
  tags,
  security,
  summary: "Show the page of a payment link",
  middleware: limitRequestsByVisitor("own_booking", toErrorResponse),
  request: { params: paymentLinkPageParams },
  responses: {
    200: pageResponse("Page of the link with its amount or its end"),
    404: pageResponse("No such link"),
    ...describeFailuresAsPages(paymentFailureAnswer, 400, 429, 500, 503),
  },
});

const payRoute = createRoute({
  method: "post",
  path: PATH,
  operationId: "payLink",
  tags,
  security,
  summary: "Pay a payment link at a gateway",
  middleware: [
    limitByIpAddress("payment", toErrorResponse),
    replaceUnreadFormFailureByPage((c, status) => showLink(c, c.req.param("token") ?? "", status)),
    limitBodySize(toErrorResponse),
    requireFormBody(toErrorResponse),
  ],
  request: {
    params: paymentLinkPageParams,
    body: {
      description: "The form of the link's page",
      content: {
        "application/x-www-form-urlencoded": { schema: paymentLinkForm, example: { payment_method_id: "tpvA256" } },
      },
      required: true,
    },
  },
  responses: {
    200: pageResponse("A page whose form leads to the gateway, or the link's page if it can't be paid"),
    303: { description: "Redirect to the gateway's page" },
    404: pageResponse("No such link"),
    ...describeFailuresAsPages(paymentFailureAnswer, 429, 500, 503),
    ...unreadFormResponses,
  },
});

async function showLink(c: Context<AppEnvironment>, token: string, unreadStatus?: UnreadFormStatus): Promise<Response> {
  const link = await readPaymentLink(c.get("tenant"), token, c.get("now"));
  return link ? renderPaymentLinkPage(link, c.req.path, unreadStatus) : renderUnknownLinkPage(await readPageVisitor(c));
}

async function pay(c: Context<AppEnvironment>, token: string, method: string): Promise<Response> {
  const started = { now: c.get("now"), intentId: createFreeAccessId(), sendToGateway: createGatewayClient(c.env) };
  const prepared = await preparePaymentOfLink(c.get("tenant"), token, method, started);
  if (prepared.ok) return sendVisitorToGateway(prepared.value);
  const { page: link } = prepared.error;
  return link ? renderPaymentLinkPage(link, c.req.path) : renderUnknownLinkPage(await readPageVisitor(c));
}

/** Registers the page of payment links. The unguessable address is the permission. */
export function registerPaymentLinkPageRoutes({ routes }: ApiRoutes): void {
  routes.openapi(showRoute, (c) => showLink(c, c.req.valid("param").token));
  routes.openapi(payRoute, (c) => pay(c, c.req.valid("param").token, c.req.valid("form").payment_method_id));
  routes.all("/pay/:token", (c) => toErrorResponse(c, createMethodNotAllowedFailure(["GET", "POST"])));
}

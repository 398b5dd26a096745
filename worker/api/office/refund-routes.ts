import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { parseAmount, toAmount } from "#domain/money.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest, optionalJsonRequest } from "#worker/api/openapi.ts";
import { createGatewayClient } from "#worker/api/payments/gateway-client.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareNoStepUp, declareStepUp } from "#worker/api/step-up.ts";
import { decideRefundRequest } from "#worker/usecases/payments/decide-refund.ts";
import {
  decideGatewayRefund,
  type GatewayRefundDecision,
  listGatewayRefunds,
} from "#worker/usecases/payments/gateway-refunds.ts";
import { listPendingRefunds, type RefundPage } from "#worker/usecases/payments/read-refund.ts";
import { refundReservation } from "#worker/usecases/payments/refunds.ts";
import { answerExcessDecimals, answerOffice, createPageMapper, getCurrencyDecimals } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { idParams } from "./money-messages.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeOptionalBodyMiddlewares,
  officeSecurity,
  toOfficeWrite,
} from "./office-api.ts";
import * as messages from "./refund-messages.ts";
import { reservationParams } from "./request-messages.ts";

const TAGS = ["Money"];

const refundRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/refund",
  operationId: "refundReservation",
  ...declareStepUp("money"),
  tags: TAGS,
  summary: "Refund money of a contract",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: reservationParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.refundBody, "How much, how and why", { amount: "1.00", reason: "goodwill" }),
  },
  responses: {
    200: jsonContent(messages.refundAnswer, "Refunded"),
    202: jsonContent(messages.refundAnswer, "Waiting for approval or for the gateway"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const pendingRefundsRoute = createRoute({
  method: "get",
  path: "/refunds",
  operationId: "listWaitingRefunds",
  tags: TAGS,
  summary: "List refunds awaiting approval",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.pendingRefundsQuery },
  responses: {
    200: jsonContent(messages.refundList, "Refunds that wait, oldest first"),
    ...officeFailureResponses.reading(),
  },
});

const decisionAnswers = {
  200: jsonContent(messages.refundAnswer, "The result"),
  ...officeFailureResponses.writing(404, 409, 422),
};

const approveRoute = createRoute({
  method: "post",
  path: "/refunds/{id}/approve",
  operationId: "approveRefund",
  ...declareStepUp("money"),
  tags: TAGS,
  summary: "Approve a refund",
  security: officeSecurity,
  request: { params: idParams, headers: idempotencyHeaders },
  responses: decisionAnswers,
});

const declineRoute = createRoute({
  method: "post",
  path: "/refunds/{id}/decline",
  operationId: "declineRefund",
  ...declareNoStepUp("money", "The money stays where it is"),
  tags: TAGS,
  summary: "Decline a refund",
  security: officeSecurity,
  request: { params: idParams, headers: idempotencyHeaders },
  responses: decisionAnswers,
});

const gatewayRefundsRoute = createRoute({
  method: "get",
  path: "/gateway-refunds",
  operationId: "listGatewayRefunds",
  tags: TAGS,
  summary: "List gateway refunds",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.gatewayRefundsQuery },
  responses: {
    200: jsonContent(messages.gatewayRefundList, "Gateway refunds, oldest first"),
    ...officeFailureResponses.reading(),
  },
});

const gatewayDecision = {
  200: jsonContent(messages.gatewayRefundAnswer, "The refund as it is now"),
  ...officeFailureResponses.writing(404, 409, 422),
};

const againRoute = createRoute({
  method: "post",
  path: "/gateway-refunds/{id}/again",
  operationId: "askGatewayAgain",
  ...declareStepUp("money"),
  tags: TAGS,
  summary: "Retry a gateway refund",
  security: officeSecurity,
  request: { params: idParams, headers: idempotencyHeaders },
  responses: gatewayDecision,
});

const manualRefundRoute = createRoute({
  method: "post",
  path: "/gateway-refunds/{id}/by-hand",
  operationId: "refundByHand",
  ...declareStepUp("money"),
  tags: TAGS,
  summary: "Mark a gateway refund as made manually",
  security: officeSecurity,
  middleware: officeOptionalBodyMiddlewares,
  request: {
    params: idParams,
    headers: idempotencyHeaders,
    body: optionalJsonRequest(messages.manualRefundBody, "How", { payment_method_id: "bank_transfer" }),
  },
  responses: gatewayDecision,
});

const dropRoute = createRoute({
  method: "post",
  path: "/gateway-refunds/{id}/drop",
  operationId: "dropGatewayRefund",
  ...declareNoStepUp("money", "The money stays where it is"),
  tags: TAGS,
  summary: "Drop a gateway refund",
  security: officeSecurity,
  request: { params: idParams, headers: idempotencyHeaders },
  responses: gatewayDecision,
});

function createRefundPageMapper<Row, Message>(toMessage: (row: Row, messageFormat: MessageFormat) => Message) {
  const toPageMessage = createPageMapper(toMessage);
  return (page: RefundPage<Row, number | string>, messageFormat: MessageFormat) => ({
    ...toPageMessage(page, messageFormat),
    amount: toAmount(page.amountCents, messageFormat.decimals),
  });
}

function registerRefunds({ routes }: ApiRoutes): void {
  routes.openapi(refundRoute, async (c) => {
    const body = c.req.valid("json");
    const cents = body.amount === undefined ? undefined : parseAmount(body.amount, await getCurrencyDecimals(c));
    if (body.amount !== undefined && cents === undefined) return answerExcessDecimals(c, "amount");
    const refundRequest = {
      cents,
      method: body.payment_method_id,
      reason: body.reason,
      externalOperationNumber: body.external_operation_number,
      byHand: body.by_hand ?? false,
    };
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const refundResult = await refundReservation(
      write,
      c.req.valid("param").id,
      refundRequest,
      createGatewayClient(c.env),
    );
    if (!refundResult.ok) return answerOfficeRefusal(c, refundResult.error);
    setFreshTokenHeader(c, refundResult.value.freshToken);
    const answer = messages.toRefundWithDocumentsMessage(refundResult.value.value, await loadMessageFormat(c));
    return answer.refund.state === "done" ? c.json(answer, 200) : c.json(answer, 202);
  });
  routes.openapi(pendingRefundsRoute, async (c) => {
    const { page_size: pageSize, after } = c.req.valid("query");
    const listed = await listPendingRefunds(toStaffRequest(c), { pageSize, after });
    return answerOffice(c, listed, createRefundPageMapper(messages.toRefundMessage), 200);
  });
  for (const [route, isApproved] of [
    [approveRoute, true],
    [declineRoute, false],
  ] as const)
    routes.openapi(route, async (c) => {
      const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
      const decided = await decideRefundRequest(write, c.req.valid("param").id, isApproved, createGatewayClient(c.env));
      return answerOffice(c, decided, messages.toRefundWithDocumentsMessage, 200);
    });
}

async function decide(c: Context<AppEnvironment>, key: string, id: number, decision: GatewayRefundDecision) {
  const decided = await decideGatewayRefund(toOfficeWrite(c, key), id, decision, createGatewayClient(c.env));
  return answerOffice(
    c,
    decided,
    (item, writes) => ({ gateway_refund: messages.toGatewayRefundMessage(item, writes) }),
    200,
  );
}

function registerGatewayRefunds({ routes }: ApiRoutes): void {
  routes.openapi(gatewayRefundsRoute, async (c) => {
    const { reservation_id: bookingId, page_size: pageSize, after } = c.req.valid("query");
    const listed = await listGatewayRefunds(toStaffRequest(c), { bookingId, pageSize, after });
    return answerOffice(c, listed, createRefundPageMapper(messages.toGatewayRefundMessage), 200);
  });
  routes.openapi(againRoute, (c) =>
    decide(c, c.req.valid("header")["idempotency-key"], c.req.valid("param").id, { kind: "again" }),
  );
  routes.openapi(dropRoute, (c) =>
    decide(c, c.req.valid("header")["idempotency-key"], c.req.valid("param").id, { kind: "drop" }),
  );
  routes.openapi(manualRefundRoute, (c) => {
    const { payment_method_id: method, external_operation_number: externalOperationNumber } = c.req.valid("json");
    const decision = { kind: "by_hand", method, externalOperationNumber } as const;
    return decide(c, c.req.valid("header")["idempotency-key"], c.req.valid("param").id, decision);
  });
}

/** Registers the routes of refunds: requested, approved by a second person, and paid by gateways or manually. */
export function registerRefundRoutes(office: ApiRoutes): void {
  registerRefunds(office);
  registerGatewayRefunds(office);
}

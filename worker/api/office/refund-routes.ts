import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { parseAmount } from "#domain/money.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { loadWriting } from "#worker/api/integration/room.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { createPostBack } from "#worker/api/payments/post-back.ts";
import { returnFreshToken } from "#worker/api/signed-in.ts";
import { noStepUp, stepUp } from "#worker/api/step-up.ts";
import { decideRefund } from "#worker/usecases/payments/decide-refund.ts";
import {
  decideGatewayRefund,
  type GatewayRefundDecision,
  listGatewayRefunds,
} from "#worker/usecases/payments/gateway-refunds.ts";
import { listPendingRefunds } from "#worker/usecases/payments/read-refund.ts";
import { refundReservation } from "#worker/usecases/payments/refunds.ts";
import { answerOffice, getCurrencyDecimals, tooFine } from "./answers.ts";
import { refused } from "./errors.ts";
import { idParams } from "./money-messages.ts";
import * as messages from "./refund-messages.ts";
import { reservationParams } from "./request-messages.ts";
import { creationMiddlewares, fails, idempotent, officeWrite, security, staffRequest } from "./room.ts";

const TAGS = ["Money"];

const refundRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/refund",
  operationId: "refundReservation",
  ...stepUp("money"),
  tags: TAGS,
  summary: "Refund money of a contract",
  security,
  middleware: creationMiddlewares,
  request: {
    params: reservationParams,
    headers: idempotent,
    body: jsonRequest(messages.refundBody, "How much, how and why", { amount: "1.00", reason: "goodwill" }),
  },
  responses: {
    200: json(messages.refundAnswer, "Refunded"),
    202: json(messages.refundAnswer, "Waiting for approval or for the gateway"),
    ...fails.writing(404, 409, 422),
  },
});

const pendingRefundsRoute = createRoute({
  method: "get",
  path: "/refunds",
  operationId: "listWaitingRefunds",
  tags: TAGS,
  summary: "List refunds awaiting approval",
  security,
  responses: { 200: json(messages.refundList, "Refunds that wait"), ...fails.reading() },
});

const decisionAnswers = {
  200: json(messages.refundAnswer, "The result"),
  ...fails.writing(404, 409, 422),
};

const approveRoute = createRoute({
  method: "post",
  path: "/refunds/{id}/approve",
  operationId: "approveRefund",
  ...stepUp("money"),
  tags: TAGS,
  summary: "Approve a refund",
  security,
  request: { params: idParams, headers: idempotent },
  responses: decisionAnswers,
});

const declineRoute = createRoute({
  method: "post",
  path: "/refunds/{id}/decline",
  operationId: "declineRefund",
  ...noStepUp("money", "The money stays where it is"),
  tags: TAGS,
  summary: "Decline a refund",
  security,
  request: { params: idParams, headers: idempotent },
  responses: decisionAnswers,
});

const gatewayRefundsRoute = createRoute({
  method: "get",
  path: "/gateway-refunds",
  operationId: "listGatewayRefunds",
  tags: TAGS,
  summary: "List gateway refunds",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.gatewayRefundsQuery },
  responses: { 200: json(messages.gatewayRefundList, "Gateway refunds, oldest first"), ...fails.reading() },
});

const gatewayDecision = {
  200: json(messages.gatewayRefundAnswer, "The refund as it is now"),
  ...fails.writing(404, 409, 422),
};

const againRoute = createRoute({
  method: "post",
  path: "/gateway-refunds/{id}/again",
  operationId: "askGatewayAgain",
  ...stepUp("money"),
  tags: TAGS,
  summary: "Retry a gateway refund",
  security,
  request: { params: idParams, headers: idempotent },
  responses: gatewayDecision,
});

const manualRefundRoute = createRoute({
  method: "post",
  path: "/gateway-refunds/{id}/by-hand",
  operationId: "refundByHand",
  ...stepUp("money"),
  tags: TAGS,
  summary: "Mark a gateway refund as made manually",
  security,
  middleware: creationMiddlewares,
  request: {
    params: idParams,
    headers: idempotent,
    body: jsonRequest(messages.manualRefundBody, "How", { payment_method_id: "bank_transfer" }),
  },
  responses: gatewayDecision,
});

const dropRoute = createRoute({
  method: "post",
  path: "/gateway-refunds/{id}/drop",
  operationId: "dropGatewayRefund",
  ...noStepUp("money", "The money stays where it is"),
  tags: TAGS,
  summary: "Drop a gateway refund",
  security,
  request: { params: idParams, headers: idempotent },
  responses: gatewayDecision,
});

function registerRefunds({ routes }: Interface): void {
  routes.openapi(refundRoute, async (c) => {
    const body = c.req.valid("json");
    const cents = body.amount === undefined ? undefined : parseAmount(body.amount, await getCurrencyDecimals(c));
    if (body.amount !== undefined && cents === undefined) return tooFine(c, "amount");
    const refundRequest = {
      cents,
      method: body.payment_method_id,
      reason: body.reason,
      externalOperationNumber: body.external_operation_number,
      byHand: body.by_hand ?? false,
    };
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const refundResult = await refundReservation(write, c.req.valid("param").id, refundRequest, createPostBack(c.env));
    if (!refundResult.ok) return refused(c, refundResult.error);
    returnFreshToken(c, refundResult.value.freshToken);
    const answer = messages.toRefundAnswerMessage(refundResult.value.value, await loadWriting(c));
    return answer.refund.state === "done" ? c.json(answer, 200) : c.json(answer, 202);
  });
  routes.openapi(pendingRefundsRoute, async (c) => {
    const listed = await listPendingRefunds(staffRequest(c));
    return answerOffice(
      c,
      listed,
      (rows, writes) => ({
        data: rows.map((row) => messages.toRefundMessage(row, writes)),
        total: rows.length,
        next: null,
      }),
      200,
    );
  });
  for (const [route, isApproved] of [
    [approveRoute, true],
    [declineRoute, false],
  ] as const)
    routes.openapi(route, async (c) => {
      const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
      const decided = await decideRefund(write, c.req.valid("param").id, isApproved, createPostBack(c.env));
      return answerOffice(c, decided, messages.toRefundAnswerMessage, 200);
    });
}

async function decide(c: Context<AppEnvironment>, key: string, id: number, decision: GatewayRefundDecision) {
  const decided = await decideGatewayRefund(officeWrite(c, key), id, decision, createPostBack(c.env));
  return answerOffice(
    c,
    decided,
    (item, writes) => ({ gateway_refund: messages.toGatewayRefundMessage(item, writes) }),
    200,
  );
}

function registerGatewayRefunds({ routes }: Interface): void {
  routes.openapi(gatewayRefundsRoute, async (c) => {
    const listed = await listGatewayRefunds(staffRequest(c), c.req.valid("query").reservation_id);
    return answerOffice(
      c,
      listed,
      (rows, writes) => ({
        data: rows.map((row) => messages.toGatewayRefundMessage(row, writes)),
        total: rows.length,
        next: null,
      }),
      200,
    );
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
export function registerRefundRoutes(office: Interface): void {
  registerRefunds(office);
  registerGatewayRefunds(office);
}

import { createRoute } from "@hono/zod-openapi";
import { parseAmount } from "#domain/money.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { setReservationAgent } from "#worker/usecases/contracts/agents/assign-agent.ts";
import {
  listCommissions,
  settleCommissions,
  unsettleCommissions,
} from "#worker/usecases/contracts/agents/commissions.ts";
import { answerExcessDecimals, answerOffice, answerReservation, getCurrencyDecimals } from "./answers.ts";
import * as messages from "./commission-messages.ts";
import { idParams } from "./money-messages.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import { reservationAnswer, reservationConflictAnswer } from "./reservation-messages.ts";

const TAGS = ["Money"];

const listRoute = createRoute({
  method: "get",
  path: "/commissions",
  operationId: "listCommissions",
  tags: TAGS,
  summary: "List commissions",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.commissionsQuery },
  responses: { 200: jsonContent(messages.commissionList, "A page of the list"), ...officeFailureResponses.reading() },
});

const settleRoute = createRoute({
  method: "post",
  path: "/commissions/settle",
  operationId: "settleCommissions",
  ...declareStepUp("money"),
  tags: TAGS,
  summary: "Settle commissions",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.settleCommissionsBody, "Which, and when", {
      agent_id: 1,
      reservation_ids: [12, 15],
      date: "2026-11-20",
    }),
  },
  responses: {
    200: jsonContent(messages.commissionsAnswer, "The current state"),
    ...officeFailureResponses.writing(409, 422),
  },
});

const unsettleRoute = createRoute({
  method: "post",
  path: "/commissions/unsettle",
  operationId: "unsettleCommissions",
  ...declareStepUp("money"),
  tags: TAGS,
  summary: "Undo the settlement of commissions",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.unsettleCommissionsBody, "Which", { reservation_ids: [12, 15] }),
  },
  responses: {
    200: jsonContent(messages.commissionsAnswer, "The current state"),
    ...officeFailureResponses.writing(409, 422),
  },
});

const agentRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/agent",
  operationId: "nameAgent",
  tags: ["Reservations"],
  summary: "Set the agent of a reservation",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: idParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.reservationAgentBody, "Data of the customer with everything stored", {
      expected_version: 1,
      agent_id: 1,
      agent_comission_prepaid_amount: "0.00",
    }),
  },
  responses: {
    200: jsonContent(reservationAnswer, "The reservation as it is now"),
    ...officeFailureResponses.writing(404, 422),
    409: jsonContent(reservationConflictAnswer, "Conflict with the current state. See `code`"),
  },
});

export function registerCommissionRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const { page_size: pageSize, after, ...query } = c.req.valid("query");
    const search = { ...messages.toCommissionSearch(query), pageSize, after };
    return answerOffice(c, await listCommissions(toStaffRequest(c), search), messages.toCommissionPageMessage, 200);
  });
  routes.openapi(settleRoute, async (c) => {
    const { agent_id: agentId, reservation_ids: bookingIds, date } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(
      c,
      await settleCommissions(write, { agentId, bookingIds, date }),
      messages.toCommissionsMessage,
      200,
    );
  });
  routes.openapi(unsettleRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const unsettledResult = await unsettleCommissions(write, c.req.valid("json").reservation_ids);
    return answerOffice(c, unsettledResult, messages.toCommissionsMessage, 200);
  });
  routes.openapi(agentRoute, async (c) => {
    const body = c.req.valid("json");
    const prepaidCents = parseAmount(body.agent_comission_prepaid_amount, await getCurrencyDecimals(c));
    if (prepaidCents === undefined) return answerExcessDecimals(c, "agent_comission_prepaid_amount");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const outcome = await setReservationAgent(write, {
      bookingId: c.req.valid("param").id,
      expectedVersion: body.expected_version,
      agentId: body.agent_id ?? undefined,
      prepaidCents,
    });
    return answerReservation(c, outcome);
  });
}

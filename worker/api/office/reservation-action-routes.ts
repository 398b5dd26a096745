import { createRoute, type z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ActionRequest } from "#domain/contracts/plan.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { declareConditionalStepUp, declareNoStepUp } from "#worker/api/step-up.ts";
import { applyBookingAction } from "#worker/usecases/contracts/apply-action.ts";
import type { BookingActionInput } from "#worker/usecases/office/office-context.ts";
import { answerExcessDecimals, answerReservation, getCurrencyDecimals } from "./answers.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  toOfficeWrite,
} from "./office-api.ts";
import * as asked from "./request-messages.ts";
import { reservationAnswer, reservationConflictAnswer } from "./reservation-messages.ts";

/** Fields common to the bodies of all actions. */
interface ActionBody {
  readonly expected_version: number;
  readonly reason?: string | undefined;
  readonly accept_shortage?: boolean | undefined;
}

interface ActionDescription<Body> {
  readonly operationId: string;
  readonly summary: string;
  readonly body: Body;
  /** Reason why an action that involves money doesn't require the second factor again. */
  readonly withoutStepUp?: string;
  /** Condition under which the action requires the second factor again. */
  readonly stepUpCondition?: string;
  readonly example: Readonly<Record<string, unknown>>;
}

/** Creates the route of an action from its path and body. */
export function createReservationActionRoute<Path extends string, Body extends z.ZodType<ActionBody>>(
  path: Path,
  { operationId, summary, body, example, withoutStepUp, stepUpCondition }: ActionDescription<Body>,
) {
  return createRoute({
    method: "post",
    path: `/reservations/{id}/${path}`,
    operationId,
    ...(withoutStepUp !== undefined && declareNoStepUp("money", withoutStepUp)),
    ...(stepUpCondition !== undefined && declareConditionalStepUp("money", stepUpCondition)),
    tags: ["Actions"],
    summary,
    security: officeSecurity,
    middleware: officeCreationMiddlewares,
    request: {
      params: asked.reservationParams,
      headers: idempotencyHeaders,
      body: jsonRequest(body, "The action", { expected_version: 1, ...example }),
    },
    responses: {
      200: jsonContent(reservationAnswer, "The reservation as it is now"),
      ...officeFailureResponses.writing(404, 422),
      409: jsonContent(reservationConflictAnswer, "Conflict with the current state. See `code`"),
    },
  });
}

const MONEY_BY_REFUND = "Money goes back by a refund, which asks for the proof";

const confirmRoute = createReservationActionRoute("confirm", {
  operationId: "confirmReservation",
  summary: "Confirm a pending reservation",
  body: asked.confirmBody,
  example: {},
});
const cancelRoute = createReservationActionRoute("cancel", {
  operationId: "cancelReservation",
  summary: "Cancel a reservation",
  body: asked.cancelBody,
  withoutStepUp: MONEY_BY_REFUND,
  example: { reason: "The customer called" },
});
const noShowRoute = createReservationActionRoute("no-show", {
  operationId: "declareNoShow",
  summary: "Mark a reservation as a no-show",
  body: asked.noShowBody,
  withoutStepUp: MONEY_BY_REFUND,
  example: {},
});
const extendRoute = createReservationActionRoute("extend", {
  operationId: "extendReservation",
  summary: "Extend a contract",
  body: asked.extendBody,
  example: { date_to: "2030-06-15", time_to: "10:00" },
});
const earlyReturnRoute = createReservationActionRoute("early-return", {
  operationId: "endReservationEarly",
  summary: "End a contract early",
  body: asked.earlyReturnBody,
  example: { date_to: "2030-06-12", time_to: "10:00" },
});
const reopenRoute = createReservationActionRoute("reopen", {
  operationId: "reopenReservation",
  summary: "Reopen a contract",
  body: asked.reopenBody,
  example: { reason: "The odometer was read wrong" },
});
const surchargeRoute = createReservationActionRoute("surcharge", {
  operationId: "surchargeReservation",
  summary: "Add a surcharge to a closed contract",
  body: asked.surchargeBody,
  withoutStepUp: "The customer owes more, and no money moves",
  example: { code: "SEAT", amount: "40.00", text: "2030/123", reason: "Notified by the town hall" },
});
const assignRoute = createReservationActionRoute("assign", {
  operationId: "assignVehicle",
  summary: "Assign a vehicle",
  body: asked.vehicleAssignmentBody,
  example: { reference: null },
});

async function applyAction(
  c: Context<AppEnvironment>,
  {
    id,
    "idempotency-key": key,
    body,
  }: { readonly id: number; readonly "idempotency-key": string; readonly body: ActionBody },
  request: ActionRequest,
  assignment?: BookingActionInput["assignment"],
) {
  const { expected_version: expectedVersion, reason } = body;
  const input = {
    bookingId: id,
    expectedVersion,
    reason,
    request,
    assignment,
    shortageReason: asked.toShortageReason(body),
  };
  return answerReservation(c, await applyBookingAction(toOfficeWrite(c, key), input));
}

/** Registers the actions in a reservation's lifecycle. */
export function registerReservationActionRoutes({ routes }: ApiRoutes): void {
  routes.openapi(confirmRoute, async (c) =>
    applyAction(
      c,
      { ...c.req.valid("param"), ...c.req.valid("header"), body: c.req.valid("json") },
      { action: "confirm" },
    ),
  );
  routes.openapi(cancelRoute, async (c) => {
    const body = c.req.valid("json");
    const { feeCents, isTooFine } = asked.parseFeeAmount(body.fee, await getCurrencyDecimals(c));
    if (isTooFine) return answerExcessDecimals(c, "fee");
    return applyAction(c, { ...c.req.valid("param"), ...c.req.valid("header"), body }, { action: "cancel", feeCents });
  });
  routes.openapi(noShowRoute, async (c) => {
    const body = c.req.valid("json");
    const { feeCents, isTooFine } = asked.parseFeeAmount(body.fee, await getCurrencyDecimals(c));
    if (isTooFine) return answerExcessDecimals(c, "fee");
    return applyAction(c, { ...c.req.valid("param"), ...c.req.valid("header"), body }, { action: "no-show", feeCents });
  });
  routes.openapi(extendRoute, async (c) => {
    const body = c.req.valid("json");
    const to = { dateTo: body.date_to, timeTo: body.time_to };
    return applyAction(c, { ...c.req.valid("param"), ...c.req.valid("header"), body }, { action: "extend", to });
  });
  routes.openapi(earlyReturnRoute, async (c) => {
    const body = c.req.valid("json");
    const { date_to: dateTo, time_to: timeTo } = body;
    const to = dateTo && timeTo ? { dateTo, timeTo } : undefined;
    return applyAction(c, { ...c.req.valid("param"), ...c.req.valid("header"), body }, { action: "early-return", to });
  });
  routes.openapi(reopenRoute, async (c) =>
    applyAction(
      c,
      { ...c.req.valid("param"), ...c.req.valid("header"), body: c.req.valid("json") },
      { action: "reopen" },
    ),
  );
  routes.openapi(surchargeRoute, async (c) => {
    const body = c.req.valid("json");
    const request = asked.toSurcharge(body, await getCurrencyDecimals(c));
    if ("field" in request) return answerExcessDecimals(c, request.field);
    return applyAction(c, { ...c.req.valid("param"), ...c.req.valid("header"), body }, request);
  });
  routes.openapi(assignRoute, async (c) => {
    const body = c.req.valid("json");
    const assignment = { unitId: body.unit_id, reference: body.reference ?? undefined };
    return applyAction(
      c,
      { ...c.req.valid("param"), ...c.req.valid("header"), body },
      { action: "assign" },
      assignment,
    );
  });
}

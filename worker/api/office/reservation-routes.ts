import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { HandOverRequest } from "#domain/check-in/desk.ts";
import { dropEmptyExceptDiscount } from "#worker/api/drop-empty-members.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidFieldsFailure } from "#worker/api/failure.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { quoteReturn } from "#worker/usecases/check-in/hand-over.ts";
import { checkHandOverRequirements } from "#worker/usecases/check-in/quote-hand-over.ts";
import { applyBookingAction } from "#worker/usecases/contracts/apply-action.ts";
import { createReservation, quoteReservation } from "#worker/usecases/contracts/create-reservation.ts";
import { listReservations } from "#worker/usecases/contracts/list-reservations.ts";
import { quoteBookingAction } from "#worker/usecases/contracts/quote-action.ts";
import { readReservation } from "#worker/usecases/contracts/read-reservation.ts";
import { readHandOverVehicles } from "#worker/usecases/fleet/read-hand-over-vehicles.ts";
import {
  answerExcessDecimals,
  answerOffice,
  answerReservation,
  createPageMapper,
  getCurrencyDecimals,
  toReasonMessage,
  toRefusalReasonMessage,
} from "./answers.ts";
import { customerDuplicateAnswer } from "./customer-messages.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { actionQuoteBody, toReturnToQuote } from "./hand-over-messages.ts";
import { handOverVehicleList, toHandOverVehiclesMessage } from "./hand-over-vehicle-messages.ts";
import {
  idempotencyHeaders,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import * as asked from "./request-messages.ts";
import * as messages from "./reservation-messages.ts";
import { toSortedQuery } from "./sort-messages.ts";
import { toTransferChange } from "./transfer-messages.ts";

const TAGS = ["Reservations"];
const okResponse = {
  200: jsonContent(messages.reservationAnswer, "The reservation as it is now"),
  ...officeFailureResponses.writing(404, 422),
  409: jsonContent(messages.reservationConflictAnswer, "Conflict with the current state. See `code`"),
};

const listRoute = createRoute({
  method: "get",
  path: "/reservations",
  operationId: "listReservations",
  tags: TAGS,
  summary: "List reservations",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: asked.reservationsQuery },
  responses: { 200: jsonContent(messages.reservationList, "A page of the list"), ...officeFailureResponses.reading() },
});

const readRoute = createRoute({
  method: "get",
  path: "/reservations/{id}",
  operationId: "showReservation",
  tags: TAGS,
  summary: "Retrieve a reservation",
  security: officeSecurity,
  request: { params: asked.reservationParams },
  responses: {
    200: jsonContent(messages.reservationAnswer, "The reservation"),
    ...officeFailureResponses.reading(404),
  },
});

const vehiclesRoute = createRoute({
  method: "get",
  path: "/reservations/{id}/vehicles",
  operationId: "listHandOverVehicles",
  tags: TAGS,
  summary: "List vehicles to hand over",
  security: officeSecurity,
  request: { params: asked.reservationParams },
  responses: {
    200: jsonContent(handOverVehicleList, "Vehicles of its branch group, available ones first"),
    ...officeFailureResponses.reading(404),
  },
});

const historyRoute = createRoute({
  method: "get",
  path: "/reservations/{id}/history",
  operationId: "showReservationHistory",
  tags: TAGS,
  summary: "List changes of a reservation",
  security: officeSecurity,
  request: { params: asked.reservationParams },
  responses: {
    200: jsonContent(messages.reservationHistoryAnswer, "Changes, latest first"),
    ...officeFailureResponses.reading(404),
  },
});

const EXAMPLE = {
  date_from: "2030-06-10",
  time_from: "10:00",
  date_to: "2030-06-13",
  time_to: "10:00",
  pickup_place: 1,
  return_place: 1,
  category_code: "ECON",
};
const ANA = { name: "Ana", surname: "Ruiz", email: "ana@example.com" };

const createReservationRoute = createRoute({
  method: "post",
  path: "/reservations",
  operationId: "createReservation",
  tags: TAGS,
  summary: "Create a reservation",
  security: officeSecurity,
  middleware: [...officeWriteMiddlewares, dropEmptyExceptDiscount],
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(asked.reservationBody, "The reservation", { ...EXAMPLE, customer: ANA }),
  },
  responses: {
    201: jsonContent(messages.reservationAnswer, "The reservation that was made"),
    ...officeFailureResponses.writing(404, 422),
    409: jsonContent(
      customerDuplicateAnswer,
      "Conflict with the current state, or a possible duplicate of a customer. See `code`",
    ),
  },
});

const quoteReservationRoute = createRoute({
  method: "post",
  path: "/reservations/quote",
  operationId: "quoteReservation",
  tags: TAGS,
  summary: "Quote a reservation",
  security: officeSecurity,
  middleware: [...officeWriteMiddlewares, dropEmptyExceptDiscount],
  request: { body: jsonRequest(asked.reservationQuoteBody, "The reservation", EXAMPLE) },
  responses: {
    200: jsonContent(messages.reservationQuoteAnswer, "Every part and sum"),
    ...officeFailureResponses.writing(),
  },
});

const changeRoute = createRoute({
  method: "patch",
  path: "/reservations/{id}",
  operationId: "changeReservation",
  tags: TAGS,
  summary: "Update a reservation",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: asked.reservationParams,
    headers: idempotencyHeaders,
    body: jsonRequest(asked.reservationChangeBody, "What changes", { expected_version: 1, notes: "Comes by ferry" }),
  },
  responses: okResponse,
});

const quoteActionRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/quote",
  operationId: "quoteReservationAction",
  tags: TAGS,
  summary: "Quote an action",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: asked.reservationParams,
    body: jsonRequest(actionQuoteBody, "The action, with what it changes", { move: "cancel" }),
  },
  responses: {
    200: jsonContent(messages.actionQuoteAnswer, "Effect of the action"),
    ...officeFailureResponses.writing(404, 409),
  },
});

/** Registers the routes that read, create and change reservations. */
export function registerReservationRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const query = c.req.valid("query");
    const listed = await listReservations(toStaffRequest(c), {
      ...asked.toReservationFilter(query),
      ...toSortedQuery(query),
      pageSize: query.page_size,
    });
    return answerOffice(c, listed, createPageMapper(messages.toListedReservationMessage), 200);
  });
  routes.openapi(readRoute, async (c) =>
    answerReservation(c, await readReservation(toStaffRequest(c), c.req.valid("param").id)),
  );
  routes.openapi(vehiclesRoute, async (c) => {
    const read = await readHandOverVehicles(toStaffRequest(c), c.req.valid("param").id);
    return answerOffice(c, read, toHandOverVehiclesMessage, 200);
  });
  routes.openapi(historyRoute, async (c) => {
    const read = await readReservation(toStaffRequest(c), c.req.valid("param").id);
    return answerOffice(
      c,
      read,
      ({ history }, writes) => ({ data: history.map((entry) => messages.toHistoryEntryMessage(entry, writes)) }),
      200,
    );
  });
  routes.openapi(quoteReservationRoute, async (c) => {
    const messageFormat = await loadMessageFormat(c);
    const { decimals } = messageFormat;
    const body = c.req.valid("json");
    const rentalRequest = asked.toReservationQuoteRequest(body, decimals);
    if ("field" in rentalRequest) return answerExcessDecimals(c, rentalRequest.field);
    const quoted = await quoteReservation(toStaffRequest(c), rentalRequest, body.accept_shortage === true);
    if (!quoted.ok) return answerOfficeRefusal(c, quoted.error);
    setFreshTokenHeader(c, quoted.value.freshToken);
    const { draft, refusal, warnings } = quoted.value.value;
    const reasons = refusal ? [toRefusalReasonMessage(refusal, decimals)] : [];
    const draftMessage = draft ? messages.toDraftQuoteMessage(draft, messageFormat) : null;
    return c.json({ available: !refusal, reasons, warnings: warnings.map(toReasonMessage), quote: draftMessage }, 200);
  });
  routes.openapi(createReservationRoute, async (c) => {
    const rentalRequest = asked.toReservationRequest(c.req.valid("json"), await getCurrencyDecimals(c));
    if ("field" in rentalRequest) return answerExcessDecimals(c, rentalRequest.field);
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const createdReservation = await createReservation(write, rentalRequest);
    return answerOffice(c, createdReservation, messages.toReservationMessage, 201);
  });
  routes.openapi(changeRoute, async (c) => {
    const body = c.req.valid("json");
    const { id } = c.req.valid("param");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const requestedChange = asked.toRequestedChange(body, await getCurrencyDecimals(c));
    if ("field" in requestedChange) return answerExcessDecimals(c, requestedChange.field);
    return answerReservation(
      c,
      await applyBookingAction(write, {
        bookingId: id,
        expectedVersion: body.expected_version,
        request: { action: "change", requestedChange: requestedChange, transfer: toTransferChange(body.transfer) },
        details: asked.toReservationDetailsChange(body),
        reason: body.reason,
        ruleReason: body.rule_reason,
        shortageReason: asked.toShortageReason(body),
        isDoNotRentConfirmed: body.confirm_do_not_rent,
      }),
    );
  });
  routes.openapi(quoteActionRoute, async (c) => {
    const messageFormat = await loadMessageFormat(c);
    const { decimals } = messageFormat;
    const { move: requestedAction, ...body } = c.req.valid("json");
    if (requestedAction === "deliver") return answerHandOverQuote(c, c.req.valid("param").id);
    if (requestedAction === "collect") {
      const request = toReturnToQuote(c.req.valid("param").id, c.req.valid("json"), decimals);
      return "field" in request ? answerExcessDecimals(c, request.field) : answerReturnQuote(c, request);
    }
    const request = asked.toActionToQuote({ ...body, move: requestedAction }, decimals);
    if ("field" in request) return toErrorResponse(c, createInvalidFieldsFailure([request]));
    const { rule_reason: ruleReason, accept_shortage: acceptsShortage = false } = c.req.valid("json");
    const quoted = await quoteBookingAction(toStaffRequest(c), c.req.valid("param").id, {
      request,
      ruleReason,
      acceptsShortage,
    });
    if (!quoted.ok) return answerOfficeRefusal(c, quoted.error);
    setFreshTokenHeader(c, quoted.value.freshToken);
    const { refusal, ...quote } = quoted.value.value;
    const reason = refusal && toRefusalReasonMessage(refusal, decimals);
    return c.json(
      messages.toActionQuoteMessage(
        request.action,
        { ...quote, warnings: quote.warnings.map(toReasonMessage), reason },
        messageFormat,
      ),
      200,
    );
  });
}

async function answerHandOverQuote(c: Context<AppEnvironment>, id: number) {
  const quoted = await checkHandOverRequirements(toStaffRequest(c), id);
  if (!quoted.ok) return answerOfficeRefusal(c, quoted.error);
  setFreshTokenHeader(c, quoted.value.freshToken);
  const writes = await loadMessageFormat(c);
  const { refusal, missing } = quoted.value.value;
  const reason = refusal && toRefusalReasonMessage(refusal, writes.decimals);
  const unchanged = messages.toActionQuoteMessage("deliver", { plan: undefined, reason, warnings: [] }, writes);
  return c.json({ ...unchanged, missing: [...missing] }, 200);
}

async function answerReturnQuote(c: Context<AppEnvironment>, request: HandOverRequest) {
  const quoted = await quoteReturn(toStaffRequest(c), request);
  if (!quoted.ok) return answerOfficeRefusal(c, quoted.error);
  setFreshTokenHeader(c, quoted.value.freshToken);
  const writes = await loadMessageFormat(c);
  const { refusal, charges } = quoted.value.value;
  const reason = refusal && toRefusalReasonMessage(refusal, writes.decimals);
  const unchanged = messages.toActionQuoteMessage("collect", { plan: undefined, reason, warnings: [] }, writes);
  return c.json(
    { ...unchanged, return_charges: charges ? messages.toReturnChargesMessage(charges, writes) : null },
    200,
  );
}

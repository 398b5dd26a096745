import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { CheckInOperation } from "#domain/check-in/operations.ts";
import type { CheckInOutcome } from "#domain/check-in/outcome.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidInputFailure } from "#worker/api/failure.ts";
import { checkInFailureAnswer } from "#worker/api/failure-messages.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import { requireSignedToken, setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareNoStepUp } from "#worker/api/step-up.ts";
import { applyCheckInOperation } from "#worker/usecases/check-in/apply-operation.ts";
import {
  listBookingOperations,
  listOperationsToReview,
  resolveOperation,
} from "#worker/usecases/check-in/review-operations.ts";
import { answerCheckInRefusal, checkInFailureResponses, checkInSecurity } from "./check-in-api.ts";
import { toOperationResultMessage } from "./operation-answer-messages.ts";
import {
  bookingOperationsAnswer,
  checkInOperationsBody,
  officeOperationsAnswer,
  operationRecordSchema,
  operationResolutionBody,
  operationResultsAnswer,
} from "./operation-messages.ts";
import { bookingParams, operationParams, operationsToReviewQuery, toCheckInOperation } from "./request-messages.ts";
import { toOfficeOperationsMessage, toOperationRecordMessage } from "./review-messages.ts";

const withBody = [
  requireSignedToken(toErrorResponse),
  limitBodySize(toErrorResponse),
  requireJsonBody(toErrorResponse),
];
const answered = jsonContent(operationResultsAnswer, "Result of each operation, in the order of the request");
const refusedOne = jsonContent(
  z.union([operationResultsAnswer, checkInFailureAnswer]),
  "Result of the single operation, or the reason for an invalid request",
);

const OPERATION = {
  op_id: "01890000-0000-7000-8000-000000000001",
  device_id: "example-phone",
  seq: 1,
  kind: "evidence",
  booking_id: 1,
  base_version: 1,
  recorded_at: "2026-05-03T10:00:00.000Z",
  notes: "A scratch on the left door",
};

/** Lets the server detect a clock that was changed after the device's last contact. A repeat may send another value. */
const deviceTimeHeaders = z.object({
  "x-device-time": z.string().optional().meta({
    example: "1777802400000",
    description: "The device's time when it sends the request, epoch milliseconds",
  }),
});

const sendOperationsRoute = createRoute({
  method: "post",
  path: "/v1/booking/check-in-operations",
  operationId: "sendOperations",
  ...declareNoStepUp("money", "Work at the vehicle: an exceptional return of a deposit is for the office to review"),
  tags: ["Field work"],
  summary: "Submit check-in operations",
  security: checkInSecurity,
  middleware: withBody,
  request: {
    headers: deviceTimeHeaders,
    body: jsonRequest(checkInOperationsBody, "One operation, or several under `operations`", OPERATION),
  },
  responses: {
    ...checkInFailureResponses.writing(),
    200: answered,
    202: answered,
    400: refusedOne,
    404: refusedOne,
    409: refusedOne,
    422: refusedOne,
  },
});

const listOfficeWorkRoute = createRoute({
  method: "get",
  path: "/v1/booking/check-in-operations",
  operationId: "listOperationsToReview",
  tags: ["Office"],
  summary: "List check-in operations to review",
  security: checkInSecurity,
  request: { query: operationsToReviewQuery },
  responses: {
    200: jsonContent(officeOperationsAnswer, "The operations, the last one first"),
    ...checkInFailureResponses.reading(),
  },
});

const resolveOperationRoute = createRoute({
  method: "post",
  path: "/v1/booking/check-in-operations/{op_id}/resolution",
  operationId: "resolveOperation",
  tags: ["Office"],
  summary: "Resolve a rejected check-in operation",
  security: checkInSecurity,
  middleware: withBody,
  request: {
    params: operationParams,
    body: jsonRequest(operationResolutionBody, "The decision", { action: "dismiss", note: "Done on paper" }),
  },
  responses: { 200: jsonContent(operationRecordSchema, "The operation"), ...checkInFailureResponses.writing(404, 409) },
});

const listBookingWorkRoute = createRoute({
  method: "get",
  path: "/v1/booking/{id}/check-in",
  operationId: "listBookingOperations",
  tags: ["Office"],
  summary: "List check-in operations of a booking",
  security: checkInSecurity,
  request: { params: bookingParams },
  responses: {
    200: jsonContent(bookingOperationsAnswer, "The operations, the last one first"),
    ...checkInFailureResponses.reading(404),
  },
});

// Returns operations as sent, for the fingerprint and the office, because the schema adds defaults.
function sentOperations(body: unknown): readonly unknown[] {
  return typeof body === "object" && body !== null && "operations" in body ? (body.operations as unknown[]) : [body];
}

// Applies operations in the device's order, because a collection follows its delivery.
async function applyInOrder(
  c: Context<AppEnvironment>,
  operations: readonly CheckInOperation[],
  deviceTime: string | undefined,
) {
  const outcomes: CheckInOutcome[] = [];
  const request = toStaffRequest(c);
  const clockOffsetAtSend = deviceTime && Number(deviceTime) > 0 ? request.now - Number(deviceTime) : undefined;
  for (const operation of operations) {
    const applied = await applyCheckInOperation(request, { ...operation, clockOffsetAtSend });
    if (!applied.ok) return { refusal: answerCheckInRefusal(c, applied.error) };
    setFreshTokenHeader(c, applied.value.freshToken);
    outcomes.push(applied.value.outcome);
  }
  return { outcomes };
}

/** Registers the routes that receive the app's operations, and those for the office's decisions about them. */
export function registerOperationRoutes({ routes }: ApiRoutes): void {
  routes.openapi(sendOperationsRoute, async (c) => {
    const body = c.req.valid("json");
    const isSingle = !("operations" in body);
    const rawOperations = sentOperations(await c.req.json());
    const { catalogue } = await c.get("tenant").snapshot();
    const operations = (isSingle ? [body] : body.operations).map((message, index) =>
      toCheckInOperation(message, rawOperations[index], catalogue.settings.currencyDecimals),
    );
    const fieldProblems = operations.flatMap((operation) => ("wrong" in operation ? operation.wrong : []));
    if (fieldProblems.length > 0) return toErrorResponse(c, createInvalidInputFailure(fieldProblems));
    const applyResult = await applyInOrder(
      c,
      operations.flatMap((operation) => ("wrong" in operation ? [] : [operation])),
      c.req.valid("header")["x-device-time"],
    );
    if ("refusal" in applyResult) return applyResult.refusal;
    const { outcomes } = applyResult;
    return c.json({ results: outcomes.map(toOperationResultMessage) }, isSingle ? (outcomes[0]?.status ?? 200) : 200);
  });
  routes.openapi(listOfficeWorkRoute, async (c) => {
    const { state, page, page_size } = c.req.valid("query");
    const read = await listOperationsToReview(toStaffRequest(c), { view: state, page, pageSize: page_size });
    if (!read.ok) return answerCheckInRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    const { records, total, devices } = read.value.value;
    return c.json(toOfficeOperationsMessage(records, total, devices), 200);
  });
  routes.openapi(resolveOperationRoute, async (c) => {
    const { action, note } = c.req.valid("json");
    const state = action === "accept" ? "accepted" : "dismissed";
    const resolved = await resolveOperation(toStaffRequest(c), c.req.valid("param").op_id, { state, note });
    if (!resolved.ok) return answerCheckInRefusal(c, resolved.error);
    setFreshTokenHeader(c, resolved.value.freshToken);
    return c.json(toOperationRecordMessage(resolved.value.value), 200);
  });
  routes.openapi(listBookingWorkRoute, async (c) => {
    const bookingId = c.req.valid("param").id;
    const read = await listBookingOperations(toStaffRequest(c), bookingId);
    if (!read.ok) return answerCheckInRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    return c.json({ booking_id: bookingId, operations: read.value.value.map(toOperationRecordMessage) }, 200);
  });
}

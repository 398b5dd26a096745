import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { CheckInOperation } from "#domain/check-in/operations.ts";
import type { CheckInOutcome } from "#domain/check-in/outcome.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { invalidInput } from "#worker/api/failure.ts";
import { checkInFailure } from "#worker/api/failure-messages.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { bodyCap, jsonBody } from "#worker/api/request-body.ts";
import { returnFreshToken, tokenFirst } from "#worker/api/signed-in.ts";
import { noStepUp } from "#worker/api/step-up.ts";
import { applyCheckInOperation } from "#worker/usecases/check-in/apply-operation.ts";
import {
  listBookingOperations,
  listOperationsToReview,
  resolveOperation,
} from "#worker/usecases/check-in/review-operations.ts";
import { toOperationResultMessage } from "./operation-answer-messages.ts";
import {
  bookingWorkAnswer,
  officeAnswer,
  operationRecord,
  operationsAnswer,
  operationsBody,
  resolutionBody,
} from "./operation-messages.ts";
import { bookingParams, officeQuery, operationParams, toOperation } from "./request-messages.ts";
import { toOperationRecordMessage, toReviewMessage } from "./review-messages.ts";
import { fails, refused, security, staffRequest } from "./room.ts";

const withBody = [tokenFirst(toErrorResponse), bodyCap(toErrorResponse), jsonBody(toErrorResponse)];
const answered = json(operationsAnswer, "Result of each operation, in the order of the request");
const refusedOne = json(
  z.union([operationsAnswer, checkInFailure]),
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

const sendOperationsRoute = createRoute({
  method: "post",
  path: "/v1/booking/check-in-operations",
  operationId: "sendOperations",
  ...noStepUp("money", "Work at the vehicle: an exceptional return of a deposit is for the office to review"),
  tags: ["Field work"],
  summary: "Submit check-in operations",
  security,
  middleware: withBody,
  request: { body: jsonRequest(operationsBody, "One operation, or several under `operations`", OPERATION) },
  responses: {
    ...fails.writing(),
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
  security,
  request: { query: officeQuery },
  responses: { 200: json(officeAnswer, "The operations, the last one first"), ...fails.reading() },
});

const resolveOperationRoute = createRoute({
  method: "post",
  path: "/v1/booking/check-in-operations/{op_id}/resolution",
  operationId: "resolveOperation",
  tags: ["Office"],
  summary: "Resolve a rejected check-in operation",
  security,
  middleware: withBody,
  request: {
    params: operationParams,
    body: jsonRequest(resolutionBody, "The decision", { action: "dismiss", note: "Done on paper" }),
  },
  responses: { 200: json(operationRecord, "The operation"), ...fails.writing(404, 409) },
});

const listBookingWorkRoute = createRoute({
  method: "get",
  path: "/v1/booking/{id}/check-in",
  operationId: "listBookingOperations",
  tags: ["Office"],
  summary: "List check-in operations of a booking",
  security,
  request: { params: bookingParams },
  responses: { 200: json(bookingWorkAnswer, "The operations, the last one first"), ...fails.reading(404) },
});

// Returns operations as sent, for the fingerprint and the office, because the schema adds defaults.
function sentOperations(body: unknown): readonly unknown[] {
  return typeof body === "object" && body !== null && "operations" in body ? (body.operations as unknown[]) : [body];
}

// Applies operations in the device's order, because a collection follows its delivery.
async function applyInOrder(c: Context<AppEnvironment>, operations: readonly CheckInOperation[]) {
  const outcomes: CheckInOutcome[] = [];
  for (const operation of operations) {
    const applied = await applyCheckInOperation(staffRequest(c), operation);
    if (!applied.ok) return { refusal: refused(c, applied.error) };
    returnFreshToken(c, applied.value.freshToken);
    outcomes.push(applied.value.outcome);
  }
  return { outcomes };
}

/** Registers the routes that receive the app's operations, and those for the office's decisions about them. */
export function registerOperationRoutes({ routes }: Interface): void {
  routes.openapi(sendOperationsRoute, async (c) => {
    const body = c.req.valid("json");
    const isSingle = !("operations" in body);
    const sent = sentOperations(await c.req.json());
    const { catalogue } = await c.get("tenant").snapshot();
    const operations = (isSingle ? [body] : body.operations).map((message, index) =>
      toOperation(message, sent[index], catalogue.settings.currencyDecimals),
    );
    const wrong = operations.flatMap((operation) => ("wrong" in operation ? operation.wrong : []));
    if (wrong.length > 0) return toErrorResponse(c, invalidInput(wrong));
    const applyResult = await applyInOrder(
      c,
      operations.flatMap((operation) => ("wrong" in operation ? [] : [operation])),
    );
    if ("refusal" in applyResult) return applyResult.refusal;
    const { outcomes } = applyResult;
    return c.json({ results: outcomes.map(toOperationResultMessage) }, isSingle ? (outcomes[0]?.status ?? 200) : 200);
  });
  routes.openapi(listOfficeWorkRoute, async (c) => {
    const { state, page, page_size } = c.req.valid("query");
    const read = await listOperationsToReview(staffRequest(c), { view: state, page, pageSize: page_size });
    if (!read.ok) return refused(c, read.error);
    returnFreshToken(c, read.value.freshToken);
    const { records, total, devices } = read.value.value;
    return c.json(toReviewMessage(records, total, devices), 200);
  });
  routes.openapi(resolveOperationRoute, async (c) => {
    const { action, note } = c.req.valid("json");
    const state = action === "accept" ? "accepted" : "dismissed";
    const resolved = await resolveOperation(staffRequest(c), c.req.valid("param").op_id, { state, note });
    if (!resolved.ok) return refused(c, resolved.error);
    returnFreshToken(c, resolved.value.freshToken);
    return c.json(toOperationRecordMessage(resolved.value.value), 200);
  });
  routes.openapi(listBookingWorkRoute, async (c) => {
    const bookingId = c.req.valid("param").id;
    const read = await listBookingOperations(staffRequest(c), bookingId);
    if (!read.ok) return refused(c, read.error);
    returnFreshToken(c, read.value.freshToken);
    return c.json({ booking_id: bookingId, operations: read.value.value.map(toOperationRecordMessage) }, 200);
  });
}

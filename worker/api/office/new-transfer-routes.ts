import { createRoute } from "@hono/zod-openapi";
import { dropEmptyExceptDiscount } from "#worker/api/drop-empty-members.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { createTransfer, quoteTransfer } from "#worker/usecases/contracts/create-transfer.ts";
import { answerExcessDecimals, answerOffice, getCurrencyDecimals, toRefusalReasonMessage } from "./answers.ts";
import { customerDuplicateAnswer } from "./customer-messages.ts";
import * as messages from "./new-transfer-messages.ts";
import {
  idempotencyHeaders,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import { reservationAnswer, toReservationMessage } from "./reservation-messages.ts";

const TAGS = ["Reservations"];
const TRANSFER = {
  outward: { date: "2030-06-10", time: "10:00", origin_point_id: 1, destination_point_id: 2 },
  transfer_vehicle_id: 1,
  adults: 2,
};
const ANA = { name: "Ana", surname: "Ruiz", email: "ana@example.com" };

const createTransferRoute = createRoute({
  method: "post",
  path: "/transfers",
  operationId: "createTransfer",
  tags: TAGS,
  summary: "Create a transfer",
  security: officeSecurity,
  middleware: [...officeWriteMiddlewares, dropEmptyExceptDiscount],
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.newTransferBody, "The transfer", { transfer: TRANSFER, customer: ANA }),
  },
  responses: {
    201: jsonContent(reservationAnswer, "The reservation that was made"),
    ...officeFailureResponses.writing(404, 422),
    409: jsonContent(
      customerDuplicateAnswer,
      "Conflict with the current state, or a possible duplicate of a customer. See `code`",
    ),
  },
});

const quoteTransferRoute = createRoute({
  method: "post",
  path: "/transfers/quote",
  operationId: "quoteTransfer",
  tags: TAGS,
  summary: "Quote a transfer",
  security: officeSecurity,
  middleware: [...officeWriteMiddlewares, dropEmptyExceptDiscount],
  request: { body: jsonRequest(messages.newTransferQuoteBody, "The transfer", { transfer: TRANSFER }) },
  responses: {
    200: jsonContent(messages.newTransferQuoteAnswer, "Every part and sum"),
    ...officeFailureResponses.writing(),
  },
});

/** Registers the routes that quote and create transfers. */
export function registerNewTransferRoutes({ routes }: ApiRoutes): void {
  routes.openapi(quoteTransferRoute, async (c) => {
    const decimals = await getCurrencyDecimals(c);
    const transferRequest = messages.toTransferQuoteRequest(c.req.valid("json"), decimals);
    if ("field" in transferRequest) return answerExcessDecimals(c, transferRequest.field);
    return answerOffice(
      c,
      await quoteTransfer(toStaffRequest(c), transferRequest),
      ({ refusal, ...quote }) =>
        messages.toNewTransferQuoteMessage(
          { ...quote, reason: refusal && toRefusalReasonMessage(refusal, decimals) },
          decimals,
        ),
      200,
    );
  });
  routes.openapi(createTransferRoute, async (c) => {
    const transferRequest = messages.toTransferRequest(c.req.valid("json"), await getCurrencyDecimals(c));
    if ("field" in transferRequest) return answerExcessDecimals(c, transferRequest.field);
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(c, await createTransfer(write, transferRequest), toReservationMessage, 201);
  });
}

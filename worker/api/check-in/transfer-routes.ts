import { createRoute } from "@hono/zod-openapi";
import { toAmount } from "#domain/money.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import { requireSignedToken, setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { cancelTransfer, readTransferTrips } from "#worker/usecases/check-in/transfer-trips.ts";
import {
  answerCheckInRefusal,
  checkInFailureResponses,
  checkInSecurity,
  respondUnlessUnchanged,
  unchangedEtagResponse,
} from "./check-in-api.ts";
import { bookingParams, checkInDayQuery } from "./request-messages.ts";
import {
  toTransferTripMessage,
  transferCancellationAnswer,
  transferCancellationBody,
  transferTripsAnswer,
} from "./transfer-messages.ts";

const readTransferTripsRoute = createRoute({
  method: "get",
  path: "/v1/booking/transfer-trips",
  operationId: "readTransferTrips",
  tags: ["Transfers"],
  summary: "List transfer trips of a day",
  security: checkInSecurity,
  request: { query: checkInDayQuery },
  responses: {
    200: jsonContent(transferTripsAnswer, "The trips by time"),
    ...unchangedEtagResponse,
    ...checkInFailureResponses.reading(404),
  },
});

const cancelTransferRoute = createRoute({
  method: "post",
  path: "/v1/booking/transfer-reservations/{id}/cancel",
  operationId: "cancelTransfer",
  tags: ["Transfers"],
  summary: "Cancel a transfer (idempotent)",
  security: checkInSecurity,
  middleware: [requireSignedToken(toErrorResponse), limitBodySize(toErrorResponse), requireJsonBody(toErrorResponse)],
  request: {
    params: bookingParams,
    body: jsonRequest(transferCancellationBody, "Why", { reason: "The customer called" }),
  },
  responses: {
    200: jsonContent(transferCancellationAnswer, "Cancelled. The vehicle is free again"),
    ...checkInFailureResponses.writing(404, 409),
  },
});

/** Registers the routes that list a day's trips and cancel a transfer. */
export function registerTransferRoutes({ routes }: ApiRoutes): void {
  routes.openapi(readTransferTripsRoute, async (c) => {
    const { date, rental_location_code } = c.req.valid("query");
    const read = await readTransferTrips(toStaffRequest(c), rental_location_code, date);
    if (!read.ok) return answerCheckInRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    const { trips, catalogue } = read.value.value;
    const answer = { date, data: trips.map((trip) => toTransferTripMessage(trip, catalogue)), total: trips.length };
    return respondUnlessUnchanged(c, answer);
  });
  routes.openapi(cancelTransferRoute, async (c) => {
    const cancelled = await cancelTransfer(toStaffRequest(c), c.req.valid("param").id, c.req.valid("json").reason);
    if (!cancelled.ok) return answerCheckInRefusal(c, cancelled.error);
    setFreshTokenHeader(c, cancelled.value.freshToken);
    const { bookingId, cancelledAt, totalPaidCents, currencyDecimals } = cancelled.value.value;
    const total_paid = toAmount(totalPaidCents, currencyDecimals);
    const cancelled_at = cancelledAt === undefined ? null : new Date(cancelledAt).toISOString();
    return c.json({ booking_id: bookingId, status: "cancelled" as const, cancelled_at, total_paid }, 200);
  });
}

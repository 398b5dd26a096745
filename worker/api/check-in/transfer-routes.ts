import { createRoute } from "@hono/zod-openapi";
import { toAmount } from "#domain/money.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { json } from "#worker/api/openapi.ts";
import { bodyCap, jsonBody } from "#worker/api/request-body.ts";
import { cancelTransfer, readTransferTrips } from "#worker/usecases/transfers/trips.ts";
import { bookingParams, dayQuery } from "./request-messages.ts";
import { checkIn, failed, handBackToken, isKnown, refused, security, staffRequest, unchanged } from "./room.ts";
import { cancellationAnswer, cancellationBody, fromTrip, tripsAnswer } from "./transfer-messages.ts";

const { routes } = checkIn;

routes.openapi(
  createRoute({
    method: "get",
    path: "/v1/booking/transfer-trips",
    summary: "The transfer trips of a day, with all that is needed to drive them",
    security,
    request: { query: dayQuery },
    responses: { 200: json(tripsAnswer, "The trips, in order of time"), ...unchanged, ...failed },
  }),
  async (c) => {
    const { date, rental_location_code } = c.req.valid("query");
    const read = await readTransferTrips(staffRequest(c), rental_location_code, date);
    if (!read.ok) return refused(c, read.error);
    handBackToken(c, read.value.freshToken);
    const { trips, catalogue } = read.value.value;
    const answer = { date, data: trips.map((trip) => fromTrip(trip, catalogue)), total: trips.length };
    return (await isKnown(c, answer)) ? c.body(null, 304) : c.json(answer, 200);
  },
);

routes.openapi(
  createRoute({
    method: "post",
    path: "/v1/booking/transfer-reservations/{id}/cancel",
    summary: "Cancels a transfer that has not begun; the same again is the same",
    security,
    middleware: [bodyCap(toErrorResponse), jsonBody(toErrorResponse)],
    request: { params: bookingParams, body: { ...json(cancellationBody, "Why"), required: true } },
    responses: { 200: json(cancellationAnswer, "It is cancelled, and its vehicle free again"), ...failed },
  }),
  async (c) => {
    const cancelled = await cancelTransfer(staffRequest(c), c.req.valid("param").id, c.req.valid("json").reason);
    if (!cancelled.ok) return refused(c, cancelled.error);
    handBackToken(c, cancelled.value.freshToken);
    const { bookingId, cancelledAt, totalPaidCents, currencyDecimals } = cancelled.value.value;
    const total_paid = toAmount(totalPaidCents, currencyDecimals);
    const cancelled_at = cancelledAt === undefined ? null : new Date(cancelledAt).toISOString();
    return c.json({ booking_id: bookingId, status: "cancelled" as const, cancelled_at, total_paid }, 200);
  },
);

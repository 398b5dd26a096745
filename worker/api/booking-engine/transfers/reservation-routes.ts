import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { checkOutEngineCart } from "#worker/api/booking-engine/shared/checkout.ts";
import { toCheckoutMessage } from "#worker/api/booking-engine/shared/checkout-messages.ts";
import {
  answerEngineRefusal,
  createWebsiteRequestBody,
  customerSecurity,
  engineBodyMiddleware,
  engineFailureResponses,
  engineSecurity,
  getRequestMoment,
} from "#worker/api/booking-engine/shared/engine.ts";
import { engineQuery, freeAccessIdParams } from "#worker/api/booking-engine/shared/messages.ts";
import { limitRequestsByVisitor } from "#worker/api/client-address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { bookTransferCart } from "#worker/usecases/transfers/book-transfer-cart.ts";
import { readTransferReservation } from "#worker/usecases/transfers/read-reservation.ts";
import { toTransferContractData, transferCheckoutBody } from "./checkout-messages.ts";
import * as messages from "./reservation-messages.ts";

const checkOutTransferCart = createRoute({
  method: "post",
  path: "/shopping-cart/{free_access_id}/checkout",
  operationId: "checkOutTransferCart",
  tags: ["Checkout"],
  summary: "Create a reservation from a cart (idempotent)",
  security: customerSecurity,
  middleware: [limitRequestsByVisitor("checkout", toErrorResponse), ...engineBodyMiddleware],
  request: {
    params: freeAccessIdParams,
    query: engineQuery,
    body: createWebsiteRequestBody(transferCheckoutBody, {
      customer_name: "Ana",
      customer_surname: "Ruiz",
      customer_email: "ana@example.com",
      customer_phone: "600000000",
      detailed_origin_flight_number: "IB3920",
      payment: "tpvA256",
      complete_action: "pay_now",
      payment_amount_override: "total",
    }),
  },
  responses: {
    200: jsonContent(messages.transferCheckoutAnswer, "The reservation, by its own id"),
    ...engineFailureResponses.writing(404, 409, 429),
  },
});

function readRoute<Method extends "get" | "post">(method: Method, operationId: string, summary: string) {
  return createRoute({
    method,
    path: "/reservation/{free_access_id}",
    operationId,
    tags: ["Reservation"],
    summary,
    security: engineSecurity,
    request: { params: freeAccessIdParams, query: engineQuery },
    responses: {
      200: jsonContent(messages.transferReservationAnswer, "The reservation"),
      ...engineFailureResponses.reading(404),
    },
  });
}

const readReservation = readRoute("get", "readReservation", "Retrieve a reservation by its id");
const readReservationByPost = readRoute(
  "post",
  "readReservationByPost",
  "Reads a reservation by its own id, as some clients do",
);

async function answerReservation(c: Context<AppEnvironment>, freeAccessId: string, lang: string | undefined) {
  const read = await readTransferReservation(c.get("tenant"), freeAccessId);
  if (!read.ok) return answerEngineRefusal(c, read.error);
  return c.json(messages.toTransferReservationMessage(read.value, lang, await getRequestMoment(c)), 200);
}

/** Registers checkout and reservation of transfer carts. */
export function registerTransferReservationRoutes({ routes }: ApiRoutes): void {
  routes.openapi(checkOutTransferCart, async (c) => {
    const body = c.req.valid("json");
    const answer = await checkOutEngineCart(c, bookTransferCart, { body, contractData: toTransferContractData(body) });
    if ("refusal" in answer) return answer.refusal;
    const checkout = toCheckoutMessage(answer.booked);
    // The API defines these fields as texts, so they're empty if there's no payment.
    const booking = {
      ...checkout,
      payment: checkout.payment ?? "",
      payment_method_id: checkout.payment_method_id ?? "",
    };
    return c.json({ ...booking, booking }, 200);
  });
  // Some clients read by POST, existing websites by GET.
  routes.openapi(readReservation, async (c) =>
    answerReservation(c, c.req.valid("param").free_access_id, c.req.valid("query").lang),
  );
  routes.openapi(readReservationByPost, async (c) =>
    answerReservation(c, c.req.valid("param").free_access_id, c.req.valid("query").lang),
  );
}

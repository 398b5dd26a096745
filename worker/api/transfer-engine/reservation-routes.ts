import { createRoute } from "@hono/zod-openapi";
import { json } from "#worker/api/openapi.ts";
import { cartId, failed } from "#worker/api/rental-engine/cart-routes.ts";
import { checkOutFor } from "#worker/api/rental-engine/checkout.ts";
import { fromCheckout } from "#worker/api/rental-engine/checkout-messages.ts";
import { momentOf, refused, withBody } from "#worker/api/rental-engine/engine.ts";
import { callQuery } from "#worker/api/rental-engine/messages.ts";
import { placeTransfer } from "#worker/usecases/transfers/place-transfer.ts";
import { readTransferReservation } from "#worker/usecases/transfers/read-reservation.ts";
import { checkoutBody, toTransferData } from "./checkout-messages.ts";
import { engine } from "./engine.ts";
import * as messages from "./reservation-messages.ts";

const { routes } = engine;

routes.openapi(
  createRoute({
    method: "post",
    path: "/shopping-cart/{free_access_id}/checkout",
    summary: "Makes a reservation of a cart, exactly once",
    middleware: withBody,
    request: {
      params: cartId,
      query: callQuery,
      body: { ...json(checkoutBody, "The customer, addresses and flights"), required: true },
    },
    responses: { 200: json(messages.transferCheckoutAnswer, "The reservation, by its own id"), ...failed },
  }),
  async (c) => {
    const body = c.req.valid("json");
    const answer = await checkOutFor(c, placeTransfer, { body, contractData: toTransferData(body) });
    if ("refusal" in answer) return answer.refusal;
    const booking = fromCheckout(answer.booked);
    return c.json({ ...booking, booking }, 200);
  },
);

// Document 2 reads by POST, existing websites by GET.
for (const method of ["get", "post"] as const) {
  routes.openapi(
    createRoute({
      method,
      path: "/reservation/{free_access_id}",
      summary: "Reads a reservation by its own id",
      request: { params: cartId, query: callQuery },
      responses: { 200: json(messages.reservationAnswer, "The reservation"), ...failed },
    }),
    async (c) => {
      const read = await readTransferReservation(c.var.tenant, c.req.valid("param").free_access_id);
      if (!read.ok) return refused(c, read.error);
      return c.json(messages.fromReservation(read.value, c.req.valid("query").lang, await momentOf(c)), 200);
    },
  );
}

import { createRoute } from "@hono/zod-openapi";
import { checkOutEngineCart } from "#worker/api/booking-engine/shared/checkout.ts";
import { checkoutAnswer, toCheckoutMessage } from "#worker/api/booking-engine/shared/checkout-messages.ts";
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
import { toErrorResponse } from "#worker/api/errors.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { bookRentalCart } from "#worker/usecases/bookings/book-rental-cart.ts";
import { readWebsiteBooking, updateContractData } from "#worker/usecases/bookings/website-booking.ts";
import * as bookings from "./booking-messages.ts";
import * as contract from "./contract-messages.ts";

const answered = { 200: jsonContent(bookings.rentalBookingAnswer, "The booking") };

const checkOutCart = createRoute({
  method: "post",
  path: "/shopping-cart/{free_access_id}/checkout",
  operationId: "checkOutCart",
  tags: ["Checkout"],
  summary: "Create a booking from a cart (idempotent)",
  security: customerSecurity,
  middleware: [limitRequestsByVisitor("checkout", toErrorResponse), ...engineBodyMiddleware],
  request: {
    params: freeAccessIdParams,
    query: engineQuery,
    body: createWebsiteRequestBody(contract.rentalCheckoutBody, {
      customer_name: "Ana",
      customer_surname: "Ruiz",
      customer_email: "ana@example.com",
      customer_phone: "600000000",
      payment: "tpvA256",
      complete_action: "pay_now",
      payment_amount_override: "total",
    }),
  },
  responses: {
    200: jsonContent(checkoutAnswer, "The booking, by its own id"),
    ...engineFailureResponses.writing(404, 409, 429),
  },
});

const readBooking = createRoute({
  method: "get",
  path: "/booking/{free_access_id}",
  operationId: "readBooking",
  tags: ["Booking"],
  summary: "Retrieve a booking by its id",
  security: engineSecurity,
  request: { params: freeAccessIdParams, query: engineQuery },
  responses: { ...answered, ...engineFailureResponses.reading(404) },
});

const completeContract = createRoute({
  method: "put",
  path: "/booking/{free_access_id}",
  operationId: "completeContract",
  tags: ["Booking"],
  summary: "Update contract data",
  security: engineSecurity,
  middleware: [limitRequestsByVisitor("contract", toErrorResponse), ...engineBodyMiddleware],
  request: {
    params: freeAccessIdParams,
    query: engineQuery,
    body: createWebsiteRequestBody(contract.contractDataBody, {
      customer_document_id: "12345678Z",
      driver_is_customer: true,
      driver_driving_license_number: "12345678Z",
    }),
  },
  responses: { ...answered, ...engineFailureResponses.writing(404, 409, 429) },
});

/** Registers the routes that check out a cart, return a booking and complete its contract data. */
export function registerBookingRoutes({ routes }: ApiRoutes): void {
  routes.openapi(checkOutCart, async (c) => {
    const body = c.req.valid("json");
    const contractData = { ...contract.toContractData(body), ...contract.toTravellerContractData(body) };
    const answer = await checkOutEngineCart(c, bookRentalCart, { body, contractData, recallsContract: true });
    return "refusal" in answer ? answer.refusal : c.json(toCheckoutMessage(answer.booked), 200);
  });
  routes.openapi(readBooking, async (c) => {
    const read = await readWebsiteBooking(c.get("tenant"), c.req.valid("param").free_access_id);
    if (!read.ok) return answerEngineRefusal(c, read.error);
    return c.json(
      bookings.toRentalBookingMessage(read.value, c.req.valid("query").lang, await getRequestMoment(c)),
      200,
    );
  });
  routes.openapi(completeContract, async (c) => {
    const body = c.req.valid("json");
    const change = {
      customer: contract.toBookingCustomerChange(body),
      contractData: {
        ...contract.toContractData(body),
        ...(body.driver_is_customer !== undefined && { driver_is_customer: String(body.driver_is_customer) }),
      },
    };
    const updated = await updateContractData(
      c.get("tenant"),
      c.req.valid("param").free_access_id,
      (units) => ({ ...change, contractData: { ...change.contractData, ...contract.toUnitContractData(body, units) } }),
      c.get("now"),
    );
    if (!updated.ok) return answerEngineRefusal(c, updated.error);
    return c.json(
      bookings.toRentalBookingMessage(updated.value, c.req.valid("query").lang, await getRequestMoment(c)),
      200,
    );
  });
}

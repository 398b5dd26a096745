import { createRoute } from "@hono/zod-openapi";
import { json } from "#worker/api/openapi.ts";
import { placeBooking } from "#worker/usecases/bookings/place-booking.ts";
import { readWebsiteBooking, updateContractData } from "#worker/usecases/bookings/website-booking.ts";
import * as bookings from "./booking-messages.ts";
import { cartId, failed } from "./cart-routes.ts";
import { checkOutFor } from "./checkout.ts";
import { fromCheckout } from "./checkout-messages.ts";
import * as contract from "./contract-messages.ts";
import { engine, momentOf, refused, withBody } from "./engine.ts";
import { callQuery } from "./messages.ts";

const { routes } = engine;

routes.openapi(
  createRoute({
    method: "post",
    path: "/shopping-cart/{free_access_id}/checkout",
    summary: "Makes a booking of a cart, exactly once",
    middleware: withBody,
    request: {
      params: cartId,
      query: callQuery,
      body: { ...json(contract.checkoutBody, "The customer, and what is known of the contract"), required: true },
    },
    responses: { 200: json(bookings.checkoutAnswer, "The booking, by its own id"), ...failed },
  }),
  async (c) => {
    const body = c.req.valid("json");
    const contractData = { ...contract.toContractData(body), ...contract.toPeople(body) };
    const answer = await checkOutFor(c, placeBooking, { body, contractData });
    return "refusal" in answer ? answer.refusal : c.json(fromCheckout(answer.booked), 200);
  },
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/booking/{free_access_id}",
    summary: "Reads a booking by its own id",
    request: { params: cartId, query: callQuery },
    responses: { 200: json(bookings.bookingAnswer, "The booking"), ...failed },
  }),
  async (c) => {
    const read = await readWebsiteBooking(c.var.tenant, c.req.valid("param").free_access_id);
    if (!read.ok) return refused(c, read.error);
    return c.json(bookings.fromEngineBooking(read.value, c.req.valid("query").lang, await momentOf(c)), 200);
  },
);

routes.openapi(
  createRoute({
    method: "put",
    path: "/booking/{free_access_id}",
    summary: "Completes the data of the contract; what is absent stays as it is",
    middleware: withBody,
    request: {
      params: cartId,
      query: callQuery,
      body: { ...json(contract.contractBody, "The fields to change"), required: true },
    },
    responses: { 200: json(bookings.bookingAnswer, "The booking"), ...failed },
  }),
  async (c) => {
    const body = c.req.valid("json");
    const change = {
      customer: contract.toCustomerChange(body),
      contractData: {
        ...contract.toContractData(body),
        ...(body.driver_is_customer !== undefined && { driver_is_customer: String(body.driver_is_customer) }),
      },
    };
    const updated = await updateContractData(
      c.var.tenant,
      c.req.valid("param").free_access_id,
      (units) => ({ ...change, contractData: { ...change.contractData, ...contract.toResourceData(body, units) } }),
      c.var.now,
    );
    if (!updated.ok) return refused(c, updated.error);
    return c.json(bookings.fromEngineBooking(updated.value, c.req.valid("query").lang, await momentOf(c)), 200);
  },
);

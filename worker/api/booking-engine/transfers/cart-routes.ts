import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { z } from "zod";
import type { WithCartVersion } from "#domain/bookings/carts.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Result } from "#domain/result.ts";
import type { TransferCartChange, TransferCartView } from "#domain/transfers/carts.ts";
import {
  answerEngineRefusal,
  createWebsiteRequestBody,
  engineBodyMiddleware,
  engineFailureResponses,
  engineSecurity,
  getRequestMoment,
} from "#worker/api/booking-engine/shared/engine.ts";
import { freeAccessIdParams, includeProductsIfRequested } from "#worker/api/booking-engine/shared/messages.ts";
import { findSignedInCustomerDiscount } from "#worker/api/booking-engine/shared/own-discount.ts";
import { limitByIpAddress, limitRequestsByVisitor } from "#worker/api/client-address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { createCartId } from "#worker/usecases/bookings/cart-ids.ts";
import { changeLiveCart, readLiveCart } from "#worker/usecases/bookings/live-carts.ts";
import { createTransferCart, transferCartOperations } from "#worker/usecases/transfers/carts.ts";
import * as messages from "./cart-messages.ts";

const tags = ["Shopping cart"];
const answered = { 200: jsonContent(messages.transferCartAnswer, "The cart, with today's prices") };
const searchRequest = createWebsiteRequestBody(messages.transferSearchBody, {
  date: "10/06/2030",
  time: "10:00",
  origin_point_id: "1",
  destination_point_id: "2",
  round_trip: "false",
  number_of_adults: "2",
});
const extraRequest = createWebsiteRequestBody(messages.transferExtraBody, { extra: "1", quantity: "1" });

const beginTransferCart = createRoute({
  method: "post",
  path: "/shopping-cart",
  operationId: "beginTransferCart",
  tags,
  summary: "Create a cart with a search",
  security: engineSecurity,
  middleware: [limitByIpAddress("cart", toErrorResponse), ...engineBodyMiddleware],
  request: { query: messages.transferCartQuery, body: searchRequest },
  responses: { ...answered, ...engineFailureResponses.writing(429) },
});

const readTransferCart = createRoute({
  method: "get",
  path: "/shopping-cart/{free_access_id}",
  operationId: "readTransferCart",
  tags,
  summary: "Retrieve a cart",
  security: engineSecurity,
  request: { params: freeAccessIdParams, query: messages.transferCartQuery },
  responses: { ...answered, ...engineFailureResponses.reading(404) },
});

function changeRoute<Path extends string, Body extends z.ZodType>(
  path: Path,
  [operationId, summary]: readonly [string, string],
  body: ReturnType<typeof createWebsiteRequestBody<Body>>,
) {
  return createRoute({
    method: "post",
    path: `/shopping-cart/{free_access_id}${path}` as const,
    operationId,
    tags,
    summary,
    security: engineSecurity,
    middleware: [limitRequestsByVisitor("cart_change", toErrorResponse), ...engineBodyMiddleware],
    request: { params: freeAccessIdParams, query: messages.transferCartQuery, body },
    responses: { ...answered, ...engineFailureResponses.writing(404, 409, 429) },
  });
}

const changeSearch = changeRoute("", ["changeTransferCartSearch", "Change the search of a cart"], searchRequest);
const setProduct = changeRoute(
  "/set-product",
  ["setTransferCartProduct", "Choose a vehicle. Replaces the previous one"],
  createWebsiteRequestBody(messages.transferVehicleBody, { product: "1" }),
);
const setExtra = changeRoute(
  "/set-extra",
  ["setTransferCartExtra", "Set the quantity of an extra. 0 removes it"],
  extraRequest,
);
const removeExtra = changeRoute("/remove-extra", ["removeTransferCartExtra", "Remove an extra"], extraRequest);

type CartContext = Context<AppEnvironment>;

async function answerCart(
  c: CartContext,
  viewed: Result<WithCartVersion<TransferCartView>, CheckoutError>,
  query: messages.TransferCartQuery,
) {
  if (!viewed.ok) return answerEngineRefusal(c, viewed.error);
  return c.json(
    messages.toTransferCartMessage(viewed.value, { ...query, customer: c.get("customer") }, await getRequestMoment(c)),
    200,
  );
}

async function answerChange(
  c: CartContext,
  change: TransferCartChange,
  query: messages.TransferCartQuery,
  seenVersion?: number,
) {
  const id = c.req.param("free_access_id") ?? "";
  const options = { ...(await toCartReadOptions(c, query)), checksStock: change.kind === "vehicle", seenVersion };
  return answerCart(c, await changeLiveCart(transferCartOperations, c.get("tenant"), id, change, options), query);
}

// Extras are never sold out, so stock is only needed for vehicles.
async function toCartReadOptions(c: CartContext, query: messages.TransferCartQuery) {
  const discount = await findSignedInCustomerDiscount(c);
  return { now: c.get("now"), discount, withAvailability: query.include_products === true };
}

/** Registers creation, reading and changes of transfer carts. */
export function registerTransferCartRoutes({ routes }: ApiRoutes): void {
  routes.openapi(beginTransferCart, async (c) => {
    const cartRequest = c.req.valid("json");
    const query = includeProductsIfRequested(c.req.valid("query"), cartRequest.include_products);
    const search = messages.toTransferSearch(cartRequest);
    const beginning = { ...(await toCartReadOptions(c, query)), freeAccessId: await createCartId(c.get("tenant")) };
    return answerCart(c, await createTransferCart(c.get("tenant"), search, beginning), query);
  });
  routes.openapi(readTransferCart, async (c) => {
    const query = c.req.valid("query");
    const id = c.req.valid("param").free_access_id;
    const options = await toCartReadOptions(c, query);
    return answerCart(c, await readLiveCart(transferCartOperations, c.get("tenant"), id, options), query);
  });
  routes.openapi(changeSearch, async (c) => {
    const cartRequest = c.req.valid("json");
    const query = includeProductsIfRequested(c.req.valid("query"), cartRequest.include_products);
    return answerChange(c, { kind: "search", search: messages.toTransferSearch(cartRequest) }, query);
  });
  routes.openapi(setProduct, async (c) => {
    const { product: vehicleId, expected_version: expectedVersion } = c.req.valid("json");
    return answerChange(c, { kind: "vehicle", vehicleId }, c.req.valid("query"), expectedVersion);
  });
  routes.openapi(setExtra, async (c) => {
    const { extra: code, quantity = 1, expected_version: expectedVersion } = c.req.valid("json");
    return answerChange(c, { kind: "extra", choice: { code, quantity } }, c.req.valid("query"), expectedVersion);
  });
  routes.openapi(removeExtra, async (c) => {
    const { extra: code, expected_version: expectedVersion } = c.req.valid("json");
    return answerChange(c, { kind: "extra", choice: { code, quantity: 0 } }, c.req.valid("query"), expectedVersion);
  });
}

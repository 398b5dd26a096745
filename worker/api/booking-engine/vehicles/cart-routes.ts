import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { z } from "zod";
import type { CartChange, CartView, WithCartVersion } from "#domain/bookings/carts.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Result } from "#domain/result.ts";
import {
  answerEngineRefusal,
  createWebsiteRequestBody,
  engineBodyMiddleware,
  engineFailureResponses,
  engineSecurity,
  findEngineKey,
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
import { createRentalCart, rentalCartOperations } from "#worker/usecases/bookings/carts.ts";
import { changeLiveCart, readLiveCart } from "#worker/usecases/bookings/live-carts.ts";
import { rentalCartAnswer, toRentalCartMessage } from "./cart-answer-messages.ts";
import * as messages from "./cart-messages.ts";

const tags = ["Shopping cart"];
const answered = { 200: jsonContent(rentalCartAnswer, "The cart, with today's prices") };
const search = {
  date_from: "10/06/2030",
  time_from: "10:00",
  date_to: "13/06/2030",
  time_to: "10:00",
  pickup_place: "1",
  return_place: "1",
};
const extra = { extra: "GPS", quantity: 1 };

const beginCart = createRoute({
  method: "post",
  path: "/shopping-cart",
  operationId: "beginCart",
  tags,
  summary: "Create a cart with a search",
  security: engineSecurity,
  middleware: [limitByIpAddress("cart", toErrorResponse), ...engineBodyMiddleware],
  request: { query: messages.rentalCartQuery, body: createWebsiteRequestBody(messages.rentalSearchBody, search) },
  responses: { ...answered, ...engineFailureResponses.writing(429) },
});

const readCart = createRoute({
  method: "get",
  path: "/shopping-cart/{free_access_id}",
  operationId: "readCart",
  tags,
  summary: "Retrieve a cart",
  security: engineSecurity,
  request: { params: freeAccessIdParams, query: messages.rentalCartQuery },
  responses: { ...answered, ...engineFailureResponses.reading(404) },
});

function changeRoute<Method extends "put" | "post", Path extends string, Body extends z.ZodType>(
  method: Method,
  path: Path,
  [operationId, summary]: readonly [string, string],
  body: ReturnType<typeof createWebsiteRequestBody<Body>>,
) {
  return createRoute({
    method,
    path: `/shopping-cart/{free_access_id}${path}` as const,
    operationId,
    tags,
    summary,
    security: engineSecurity,
    middleware: [limitRequestsByVisitor("cart_change", toErrorResponse), ...engineBodyMiddleware],
    request: { params: freeAccessIdParams, query: messages.rentalCartQuery, body },
    responses: { ...answered, ...engineFailureResponses.writing(404, 409, 429) },
  });
}

const searchRequest = createWebsiteRequestBody(messages.rentalSearchBody, search);
const changes = "Change the search of a cart";
const replaceSearch = changeRoute("put", "", ["replaceCartSearch", changes], searchRequest);
const changeSearch = changeRoute("post", "", ["changeCartSearch", `${changes} by POST`], searchRequest);
const setProduct = changeRoute(
  "post",
  "/set-product",
  ["setCartProduct", "Choose a category. Replaces the previous one unless several are allowed"],
  createWebsiteRequestBody(messages.rentalProductBody, { product: "ECON", quantity: 1 }),
);
const setExtra = changeRoute(
  "post",
  "/set-extra",
  ["setCartExtra", "Set the quantity of an extra. 0 removes it"],
  createWebsiteRequestBody(messages.rentalExtraBody, extra),
);
const removeExtra = changeRoute(
  "post",
  "/remove-extra",
  ["removeCartExtra", "Remove an extra"],
  createWebsiteRequestBody(messages.rentalExtraBody, extra),
);
const applyPromotionCode = changeRoute(
  "post",
  "/apply-promotion-code",
  ["applyPromotionCode", "Apply a promotion code"],
  createWebsiteRequestBody(messages.promotionCodeBody, { promotion_code: "WELCOME10" }),
);

type CartContext = Context<AppEnvironment>;

async function answerCart(
  c: CartContext,
  viewed: Result<WithCartVersion<CartView>, CheckoutError>,
  query: messages.RentalCartQuery,
) {
  if (!viewed.ok) return answerEngineRefusal(c, viewed.error);
  return c.json(toRentalCartMessage(viewed.value, query, await getRequestMoment(c)), 200);
}

async function resolveSearch(c: CartContext, searchRequest: z.output<typeof messages.rentalSearchBody>) {
  const { catalogue } = await c.get("tenant").snapshot();
  return messages.toCartSearch(searchRequest, (await findEngineKey(c))?.salesChannel, catalogue);
}

async function answerChange(c: CartContext, change: CartChange, query: messages.RentalCartQuery, seenVersion?: number) {
  const id = c.req.param("free_access_id") ?? "";
  const checksStock = (change.kind === "product" || change.kind === "extra") && change.choice.quantity > 0;
  return answerCart(
    c,
    await changeLiveCart(rentalCartOperations, c.get("tenant"), id, change, {
      ...(await toCartReadOptions(c, query)),
      checksStock,
      seenVersion,
    }),
    query,
  );
}

async function answerSearch(
  c: CartContext,
  searchRequest: z.output<typeof messages.rentalSearchBody>,
  query: messages.RentalCartQuery,
) {
  const search = await resolveSearch(c, searchRequest);
  if (!search.ok) return answerEngineRefusal(c, search.error);
  const change = { kind: "search", search: search.value, removesCode: searchRequest.promotion_code === "" } as const;
  return answerChange(c, change, includeProductsIfRequested(query, searchRequest.include_products));
}

async function toCartReadOptions(c: CartContext, query: messages.RentalCartQuery) {
  const discount = await findSignedInCustomerDiscount(c);
  return { now: c.get("now"), discount, withAvailability: Boolean(query.include_products || query.include_extras) };
}

/** Registers creation, reading and changes of carts. */
export function registerCartRoutes({ routes }: ApiRoutes): void {
  routes.openapi(beginCart, async (c) => {
    const searchRequest = c.req.valid("json");
    const search = await resolveSearch(c, searchRequest);
    if (!search.ok) return answerEngineRefusal(c, search.error);
    const query = includeProductsIfRequested(c.req.valid("query"), searchRequest.include_products);
    const beginning = { ...(await toCartReadOptions(c, query)), freeAccessId: await createCartId(c.get("tenant")) };
    return answerCart(c, await createRentalCart(c.get("tenant"), search.value, beginning), query);
  });
  routes.openapi(readCart, async (c) => {
    const query = c.req.valid("query");
    const id = c.req.valid("param").free_access_id;
    const options = await toCartReadOptions(c, query);
    return answerCart(c, await readLiveCart(rentalCartOperations, c.get("tenant"), id, options), query);
  });
  // Some clients send PUT, existing websites POST.
  routes.openapi(replaceSearch, async (c) => answerSearch(c, c.req.valid("json"), c.req.valid("query")));
  routes.openapi(changeSearch, async (c) => answerSearch(c, c.req.valid("json"), c.req.valid("query")));
  routes.openapi(setProduct, async (c) => {
    const { product, quantity = 1, expected_version: expectedVersion } = c.req.valid("json");
    return answerChange(
      c,
      { kind: "product", choice: { code: product, quantity } },
      c.req.valid("query"),
      expectedVersion,
    );
  });
  routes.openapi(setExtra, async (c) => {
    const { extra: code, quantity = 1, expected_version: expectedVersion } = c.req.valid("json");
    return answerChange(c, { kind: "extra", choice: { code, quantity } }, c.req.valid("query"), expectedVersion);
  });
  routes.openapi(removeExtra, async (c) => {
    const { extra: code, expected_version: expectedVersion } = c.req.valid("json");
    return answerChange(c, { kind: "extra", choice: { code, quantity: 0 } }, c.req.valid("query"), expectedVersion);
  });
  routes.openapi(applyPromotionCode, async (c) => {
    const { promotion_code: code } = c.req.valid("json");
    return answerChange(c, { kind: "promotionCode", code: code || undefined }, c.req.valid("query"));
  });
}

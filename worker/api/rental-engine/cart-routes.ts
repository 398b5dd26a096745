import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import type { CartChange, CartView } from "#domain/bookings/carts.ts";
import type { EngineRefusal } from "#domain/bookings/refusals.ts";
import type { Result } from "#domain/result.ts";
import { limitedByAddress } from "#worker/api/address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failureResponses } from "#worker/api/failure.ts";
import { failureAnswer } from "#worker/api/failure-messages.ts";
import { json } from "#worker/api/openapi.ts";
import { createCart, rentalCarts } from "#worker/usecases/bookings/carts.ts";
import { changeLiveCart, readLiveCart } from "#worker/usecases/bookings/live-carts.ts";
import { newFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import * as messages from "./cart-messages.ts";
import { engine, findEngineKey, momentOf, refused, withBody } from "./engine.ts";

const { routes } = engine;

export const failed = failureResponses(json(failureAnswer, "The reason; a wrong field is named"));
const answers = { 200: json(messages.cartAnswer, "The cart, with today's prices"), ...failed };
export const cartId = z.object({
  free_access_id: z.string().max(64).meta({ example: "9f0c2d1e4b5a69788796a5b4c3d2e1f0" }),
});

/** A body that websites send. */
export function requestBody<T extends z.ZodType>(schema: T) {
  return { ...json(schema, "As the website sends it; percent-encoded is read as well"), required: true };
}

type CartContext = Context<AppEnvironment>;

async function answerCart(c: CartContext, viewed: Result<CartView, EngineRefusal>, query: messages.CartQuery) {
  if (!viewed.ok) return refused(c, viewed.error);
  return c.json(messages.fromCart(viewed.value, query, await momentOf(c)), 200);
}

routes.openapi(
  createRoute({
    method: "post",
    path: "/shopping-cart",
    summary: "Begins a cart with a search",
    middleware: [limitedByAddress("cart", toErrorResponse), ...withBody],
    request: { query: messages.cartQuery, body: requestBody(messages.searchBody) },
    responses: answers,
  }),
  async (c) => {
    const given = c.req.valid("json");
    const search = await searchOf(c, given);
    if (!search.ok) return refused(c, search.error);
    const query = withProducts(c.req.valid("query"), given.include_products);
    const beginning = { ...wanted(c, query), freeAccessId: newFreeAccessId() };
    return answerCart(c, await createCart(c.var.tenant, search.value, beginning), query);
  },
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/shopping-cart/{free_access_id}",
    summary: "Reads a cart",
    request: { params: cartId, query: messages.cartQuery },
    responses: answers,
  }),
  async (c) => {
    const query = c.req.valid("query");
    const viewed = await readLiveCart(rentalCarts, c.var.tenant, c.req.valid("param").free_access_id, wanted(c, query));
    return answerCart(c, viewed, query);
  },
);

// Document 2 has PUT, existing websites send POST.
for (const method of ["put", "post"] as const) {
  routes.openapi(
    createRoute({
      method,
      path: "/shopping-cart/{free_access_id}",
      summary: "Changes what a cart searches for",
      middleware: withBody,
      request: { params: cartId, query: messages.cartQuery, body: requestBody(messages.searchBody) },
      responses: answers,
    }),
    async (c) => {
      const given = c.req.valid("json");
      const search = await searchOf(c, given);
      if (!search.ok) return refused(c, search.error);
      const query = withProducts(c.req.valid("query"), given.include_products);
      return answerChange(c, { kind: "search", search: search.value }, query);
    },
  );
}

async function searchOf(c: CartContext, given: z.output<typeof messages.searchBody>) {
  const { catalogue } = await c.var.tenant.snapshot();
  return messages.toSearch(given, (await findEngineKey(c))?.salesChannel, catalogue);
}

async function answerChange(c: CartContext, change: CartChange, query: messages.CartQuery) {
  const id = c.req.param("free_access_id") ?? "";
  return answerCart(c, await changeLiveCart(rentalCarts, c.var.tenant, id, change, wanted(c, query)), query);
}

function wanted(c: CartContext, query: messages.CartQuery) {
  return { now: c.var.now, withAvailability: Boolean(query.include_products || query.include_extras) };
}

/** The query of a call whose body may say as well that products are wanted. */
export function withProducts<Query extends Pick<messages.CartQuery, "include_products">>(
  query: Query,
  include: boolean | undefined,
): Query {
  return { ...query, include_products: query.include_products ?? include };
}

routes.openapi(
  createRoute({
    method: "post",
    path: "/shopping-cart/{free_access_id}/set-product",
    summary: "Chooses a product; it takes the place of the one before",
    middleware: withBody,
    request: { params: cartId, query: messages.cartQuery, body: requestBody(messages.productBody) },
    responses: answers,
  }),
  async (c) => {
    const { product, quantity = 1 } = c.req.valid("json");
    return answerChange(c, { kind: "product", choice: { code: product, quantity } }, c.req.valid("query"));
  },
);

routes.openapi(
  createRoute({
    method: "post",
    path: "/shopping-cart/{free_access_id}/set-extra",
    summary: "Sets how many of an extra; 0 takes it out",
    middleware: withBody,
    request: { params: cartId, query: messages.cartQuery, body: requestBody(messages.extraBody) },
    responses: answers,
  }),
  async (c) => {
    const { extra, quantity = 1 } = c.req.valid("json");
    return answerChange(c, { kind: "extra", choice: { code: extra, quantity } }, c.req.valid("query"));
  },
);

routes.openapi(
  createRoute({
    method: "post",
    path: "/shopping-cart/{free_access_id}/remove-extra",
    summary: "Takes an extra out",
    middleware: withBody,
    request: { params: cartId, query: messages.cartQuery, body: requestBody(messages.extraBody) },
    responses: answers,
  }),
  async (c) => {
    const { extra } = c.req.valid("json");
    return answerChange(c, { kind: "extra", choice: { code: extra, quantity: 0 } }, c.req.valid("query"));
  },
);

routes.openapi(
  createRoute({
    method: "post",
    path: "/shopping-cart/{free_access_id}/apply-promotion-code",
    summary: "Applies a promotion code",
    middleware: withBody,
    request: { params: cartId, query: messages.cartQuery, body: requestBody(messages.promotionBody) },
    responses: answers,
  }),
  async (c) => {
    const { promotion_code: code } = c.req.valid("json");
    return answerChange(c, { kind: "promotionCode", code }, c.req.valid("query"));
  },
);

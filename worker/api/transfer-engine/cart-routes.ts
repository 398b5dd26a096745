import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { z } from "zod";
import type { EngineRefusal } from "#domain/bookings/refusals.ts";
import type { Result } from "#domain/result.ts";
import type { TransferCartChange, TransferCartView } from "#domain/transfers/carts.ts";
import { limitedByAddress } from "#worker/api/address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { json } from "#worker/api/openapi.ts";
import { cartId, failed, requestBody, withProducts } from "#worker/api/rental-engine/cart-routes.ts";
import { momentOf, refused, withBody } from "#worker/api/rental-engine/engine.ts";
import { changeLiveCart, readLiveCart } from "#worker/usecases/bookings/live-carts.ts";
import { newFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { createTransferCart, transferCarts } from "#worker/usecases/transfers/carts.ts";
import * as messages from "./cart-messages.ts";
import { engine } from "./engine.ts";

const { routes } = engine;

const answers = { 200: json(messages.cartAnswer, "The cart, with today's prices"), ...failed };

type CartContext = Context<AppEnvironment>;

async function answerCart(c: CartContext, viewed: Result<TransferCartView, EngineRefusal>, query: messages.CartQuery) {
  if (!viewed.ok) return refused(c, viewed.error);
  return c.json(messages.fromTransferCart(viewed.value, query, await momentOf(c)), 200);
}

async function answerChange(c: CartContext, change: TransferCartChange, query: messages.CartQuery) {
  const id = c.req.param("free_access_id") ?? "";
  return answerCart(c, await changeLiveCart(transferCarts, c.var.tenant, id, change, wanted(c, query)), query);
}

// Extras are never short: only the vehicles are asked for in the stock.
function wanted(c: CartContext, query: messages.CartQuery) {
  return { now: c.var.now, withAvailability: query.include_products === true };
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
    const query = withProducts(c.req.valid("query"), given.include_products);
    const search = messages.toTransferSearch(given);
    const beginning = { ...wanted(c, query), freeAccessId: newFreeAccessId() };
    return answerCart(c, await createTransferCart(c.var.tenant, search, beginning), query);
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
    const id = c.req.valid("param").free_access_id;
    return answerCart(c, await readLiveCart(transferCarts, c.var.tenant, id, wanted(c, query)), query);
  },
);

routes.openapi(changeRoute("", "Changes what a cart searches for", messages.searchBody), async (c) => {
  const given = c.req.valid("json");
  const query = withProducts(c.req.valid("query"), given.include_products);
  return answerChange(c, { kind: "search", search: messages.toTransferSearch(given) }, query);
});

routes.openapi(
  changeRoute("/set-product", "Chooses a vehicle; it takes the place of the one before", messages.productBody),
  async (c) => answerChange(c, { kind: "vehicle", vehicleId: c.req.valid("json").product }, c.req.valid("query")),
);

routes.openapi(
  changeRoute("/set-extra", "Sets how many of an extra; 0 takes it out", messages.extraBody),
  async (c) => {
    const { extra, quantity = 1 } = c.req.valid("json");
    return answerChange(c, { kind: "extra", choice: { code: extra, quantity } }, c.req.valid("query"));
  },
);

routes.openapi(changeRoute("/remove-extra", "Takes an extra out", messages.extraBody), async (c) => {
  const { extra } = c.req.valid("json");
  return answerChange(c, { kind: "extra", choice: { code: extra, quantity: 0 } }, c.req.valid("query"));
});

function changeRoute<Path extends string, Body extends z.ZodType>(path: Path, summary: string, body: Body) {
  return createRoute({
    method: "post",
    path: `/shopping-cart/{free_access_id}${path}` as const,
    summary,
    middleware: withBody,
    request: { params: cartId, query: messages.cartQuery, body: requestBody(body) },
    responses: answers,
  });
}

import type { Context } from "hono";
import type { z } from "zod";
import type { EngineKey } from "#domain/access/credentials.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { allowCrossOriginReading } from "#worker/api/cors.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { engineFailureAnswer } from "#worker/api/failure-messages.ts";
import { type ApiRoutes, createApi } from "#worker/api/interface.ts";
import { createFailureResponses, jsonRequest } from "#worker/api/openapi.ts";
import { limitBodySize } from "#worker/api/request-body.ts";
import { ENGINE_KEY_PARAMETER } from "#worker/api/unknown-parameters.ts";
import type { CartObject, RentalOrTransferCart } from "#worker/tenancy/cart-objects.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { getOrigin } from "#worker/tenancy/request-url.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { toEngineFailure } from "./errors.ts";
import type { RequestMoment, Visitor } from "./messages.ts";
import { CART_PATH_PATTERN, parseWebsiteBody, requireEngineKey, requireExistingCart } from "./requests.ts";

/** Creates the API of a booking engine with carts found by `findCart`. */
export function createBookingEngineApi(
  findCart: (tenant: Tenant, id: string) => Pick<CartObject<RentalOrTransferCart>, "read">,
): ApiRoutes {
  const engine = createApi(toErrorResponse);
  engine.routes.use(allowCrossOriginReading, requireEngineKey, dropEmptyParameters);
  engine.routes.use(CART_PATH_PATTERN, requireExistingCart(findCart));
  return engine;
}

/** Middleware of routes with a body: limits its size and parses its JSON. */
export const engineBodyMiddleware = [limitBodySize(toErrorResponse), parseWebsiteBody];

/** An engine key is required if the account's settings require it, otherwise optional. */
export const engineSecurity = [{ engineKey: [] }, {}];
/** Security of routes that recognize signed-in customers. */
export const customerSecurity = [{ engineKey: [], token: [] }, { token: [] }, ...engineSecurity];

/** Common errors of engine routes. 403 is a missing or invalid engine key. */
export const engineFailureResponses = createFailureResponses(engineFailureAnswer, 403);

/** Creates the schema of a website's request body. */
export function createWebsiteRequestBody<T extends z.ZodType>(schema: T, example: z.input<T>) {
  return jsonRequest(schema, "JSON, also percent-encoded", example);
}

/** Returns the engine key of a call, if it belongs to the account. */
export async function findEngineKey(c: Context<AppEnvironment>): Promise<EngineKey | undefined> {
  const { engineKeys } = await c.get("tenant").snapshot();
  return engineKeys.get(c.req.query(ENGINE_KEY_PARAMETER) ?? "");
}

/** Returns the account's catalogue and reader, in the language of the call or the account's default. */
export async function readCatalogueAndVisitor(
  c: Context<AppEnvironment>,
): Promise<{ readonly catalogue: Catalogue; readonly visitor: Visitor }> {
  const { catalogue } = await c.get("tenant").snapshot();
  const language = c.req.query("lang")?.toLowerCase() ?? catalogue.settings.defaultLanguage;
  return { catalogue, visitor: { language, origin: getOrigin(c.req.url) } };
}

/** Returns the request's time, the account's local time and the request's origin. */
export async function getRequestMoment(c: Context<AppEnvironment>): Promise<RequestMoment> {
  const { catalogue } = await c.get("tenant").snapshot();
  return {
    now: c.get("now"),
    civil: toCivilNow(catalogue.settings.timezone, c.get("now")),
    origin: getOrigin(c.req.url),
  };
}

/** Returns the error response of a domain rejection in the language of the call. */
export function answerEngineRefusal(c: Context<AppEnvironment>, refusal: CheckoutError) {
  return toErrorResponse(c, toEngineFailure(refusal, c.req.query("lang")?.toLowerCase() ?? "en"));
}

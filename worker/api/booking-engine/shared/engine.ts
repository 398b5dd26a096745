import type { Context } from "hono";
import type { z } from "zod";
import type { EngineKey } from "#domain/access/credentials.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { allowWebsites } from "#worker/api/cors.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failureAnswer } from "#worker/api/failure-messages.ts";
import { createApi, type Interface } from "#worker/api/interface.ts";
import { createFailureResponses, jsonRequest } from "#worker/api/openapi.ts";
import { bodyCap } from "#worker/api/request-body.ts";
import { ENGINE_KEY } from "#worker/api/unknown-parameters.ts";
import type { CartObject, LiveCart } from "#worker/tenancy/cart-objects.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { getOrigin } from "#worker/tenancy/request-url.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { toEngineFailure } from "./errors.ts";
import type { Moment, Visitor } from "./messages.ts";
import { CART_PATHS, engineKey, requireCart, websiteBody } from "./requests.ts";

/** The room of a booking engine, whose carts are found by `findCart`. */
export function newEngine(findCart: (tenant: Tenant, id: string) => Pick<CartObject<LiveCart>, "read">): Interface {
  const engine = createApi(toErrorResponse);
  engine.routes.use(allowWebsites, engineKey, dropEmptyParameters);
  engine.routes.use(CART_PATHS, requireCart(findCart));
  return engine;
}

/** Routes with a body. */
export const withBody = [bodyCap(toErrorResponse), websiteBody];

/** An engine key is needed where the account says so, and welcome where it does not. */
export const security = [{ engineKey: [] }, {}];
/** Where a customer who signed in is known as such. */
export const customerSecurity = [{ engineKey: [], token: [] }, { token: [] }, ...security];

/** How every route of an engine fails: 403 is a missing or wrong engine key. */
export const fails = createFailureResponses(failureAnswer, 403);

/** A body that websites send. */
export function websiteRequest<T extends z.ZodType>(schema: T, example: z.input<T>) {
  return jsonRequest(schema, "As the website sends it; percent-encoded is read as well", example);
}

/** The engine key that a call carries, if it is one of the account's. */
export async function findEngineKey(c: Context<AppEnvironment>): Promise<EngineKey | undefined> {
  const { engineKeys } = await c.get("tenant").snapshot();
  return engineKeys.get(c.req.query(ENGINE_KEY) ?? "");
}

/** The account's catalogue, and who reads it: in the language of the call, else in the account's own. */
export async function catalogueFor(
  c: Context<AppEnvironment>,
): Promise<{ readonly catalogue: Catalogue; readonly visitor: Visitor }> {
  const { catalogue } = await c.get("tenant").snapshot();
  const language = c.req.query("lang")?.toLowerCase() ?? catalogue.settings.defaultLanguage;
  return { catalogue, visitor: { language, origin: getOrigin(c.req.url) } };
}

/** When, by the account's clock, and where the call is answered. */
export async function getMoment(c: Context<AppEnvironment>): Promise<Moment> {
  const { catalogue } = await c.get("tenant").snapshot();
  return {
    now: c.get("now"),
    civil: civilNow(catalogue.settings.timezone, c.get("now")),
    origin: getOrigin(c.req.url),
  };
}

/** What the domain refused, to the visitor in the language of the call. */
export function refused(c: Context<AppEnvironment>, refusal: CheckoutError) {
  return toErrorResponse(c, toEngineFailure(refusal, c.req.query("lang")?.toLowerCase() ?? "en"));
}

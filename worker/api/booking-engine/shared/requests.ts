import { createMiddleware } from "hono/factory";
import { isJson } from "#worker/api/content-types.ts";
import { removeEmptyMembers } from "#worker/api/drop-empty-members.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidInputFailure, failures } from "#worker/api/failure.ts";
import { parseJsonBody } from "#worker/api/json-text.ts";
import { replaceBody } from "#worker/api/request-body.ts";
import { ENGINE_KEY_PARAMETER, setIgnoredParametersHeader } from "#worker/api/unknown-parameters.ts";
import type { CartObject, RentalOrTransferCart } from "#worker/tenancy/cart-objects.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { isCartId } from "#worker/usecases/bookings/cart-ids.ts";
import { toEngineFailure } from "./errors.ts";

/**
 * Rejects calls without one of the account's engine keys, if the account requires one
 * (docs/interfaces/booking-engine-vehicles.md#requests).
 */
export const requireEngineKey = createMiddleware<AppEnvironment>(async (c, next) => {
  const { catalogue, engineKeys } = await c.get("tenant").snapshot();
  // The API description is readable without a key.
  if (c.req.path.endsWith("/openapi.json")) return next();
  const key = c.req.query(ENGINE_KEY_PARAMETER) ?? "";
  const isKnown = engineKeys.has(key);
  if (key !== "" && (isKnown || catalogue.settings.engineRequiresApiKey)) c.set("website", { apiKey: key });
  // If no key is required, an invalid one is ignored and the response reports it to the website's developer.
  if (key !== "" && !isKnown && !catalogue.settings.engineRequiresApiKey)
    setIgnoredParametersHeader(c, [ENGINE_KEY_PARAMETER]);
  if (isKnown || !catalogue.settings.engineRequiresApiKey) return next();
  const refusal = toErrorResponse(c, failures.badEngineKey);
  // Without a key the website is unknown, so allow any origin to read the error.
  refusal.headers.set("Access-Control-Allow-Origin", "*");
  return refusal;
});

/**
 * Returns 404 for a missing cart before any other error, as required on all cart paths. Only checked for rejected
 * requests, because valid ones get it from their use case.
 */
export function requireExistingCart(
  findCart: (tenant: Tenant, id: string) => Pick<CartObject<RentalOrTransferCart>, "read">,
) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    await next();
    if (c.res.status !== 400 && c.res.status !== 415) return;
    const id = c.req.param("free_access_id") ?? "";
    const cart = (await isCartId(c.get("tenant"), id)) && (await findCart(c.get("tenant"), id).read());
    if (!cart) c.res = toErrorResponse(c, toEngineFailure({ kind: "cartNotFound" }, "en"));
  });
}

/** All paths of a cart. */
export const CART_PATH_PATTERN = "/shopping-cart/:free_access_id/*";

/**
 * Parses a body of existing websites (docs/interfaces/booking-engine-vehicles.md#requests): JSON, plain or
 * percent-encoded, with empty texts for missing values. Routes receive plain JSON without them.
 */
export const parseWebsiteBody = createMiddleware<AppEnvironment>(async (c, next) => {
  if (!isJson(c.req.header("Content-Type"))) return toErrorResponse(c, failures.notJson);
  const parsed = parseJsonBody(await c.req.arrayBuffer(), decoded);
  if ("problem" in parsed) return toErrorResponse(c, createInvalidInputFailure([parsed.problem]));
  replaceBody(c, JSON.stringify(withoutMissing(parsed.value)));
  return next();
});

// Removes empty members of a body. An empty promotion code stays, because it removes the cart's code.
function withoutMissing(body: unknown): unknown {
  const present = removeEmptyMembers(body);
  const code = typeof body === "object" && body !== null && "promotion_code" in body ? body.promotion_code : undefined;
  return code === "" || code === null ? { ...Object(present), promotion_code: "" } : present;
}

function decoded(text: string): string | undefined {
  if (!text.startsWith("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

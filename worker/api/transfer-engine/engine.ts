import { allowWebsites } from "#worker/api/cors.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { newInterface } from "#worker/api/interface.ts";
import { CART_PATHS, engineKey, requireCart } from "#worker/api/rental-engine/requests.ts";

/** The room of the transfer booking engine; keys, queries, bodies and refusals are those of the vehicle engine. */
export const engine = newInterface(toErrorResponse);
engine.routes.use(allowWebsites, engineKey, dropEmptyParameters);
engine.routes.use(
  CART_PATHS,
  requireCart((tenant, id) => tenant.transferCart(id)),
);

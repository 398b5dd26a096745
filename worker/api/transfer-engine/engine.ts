import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { allowWebsites } from "../cors.ts";
import { toErrorResponse } from "../errors.ts";
import { newInterface } from "../interface.ts";
import { CART_PATHS, engineKey, requireCart } from "../rental-engine/requests.ts";

/** The room of the transfer booking engine; keys, queries, bodies and refusals are those of the vehicle engine. */
export const engine = newInterface(toErrorResponse);
engine.routes.use(allowWebsites, engineKey, dropEmptyParameters);
engine.routes.use(
  CART_PATHS,
  requireCart((tenant, id) => tenant.transferCart(id)),
);

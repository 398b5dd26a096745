import { emptyIsAbsent } from "#worker/api/drop-empty-parameters.ts";
import { websites } from "../cors.ts";
import { toErrorResponse } from "../errors.ts";
import { newInterface } from "../interface.ts";
import { CART_PATHS, engineKey, existingCart } from "../rental-engine/requests.ts";

/** The room of the transfer booking engine; keys, queries, bodies and refusals are those of the vehicle engine. */
export const engine = newInterface(toErrorResponse);
engine.routes.use(websites, engineKey, emptyIsAbsent);
engine.routes.use(
  CART_PATHS,
  existingCart((tenant, id) => tenant.transferCart(id)),
);

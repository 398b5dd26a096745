import { websites } from "../cors.ts";
import { toErrorResponse } from "../errors.ts";
import { newInterface } from "../interface.ts";
import { engineKey, websiteQuery } from "../rental-engine/requests.ts";

/** The room of the transfer booking engine; keys, queries, bodies and refusals are those of the vehicle engine. */
export const engine = newInterface(toErrorResponse);
engine.routes.use(websites, engineKey, websiteQuery);

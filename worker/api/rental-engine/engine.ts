import type { Context } from "hono";
import type { EngineKey } from "#domain/credentials.ts";
import type { EngineRefusal } from "#domain/refusals.ts";
import { civilNow } from "../../tenancy/clock.ts";
import { websites } from "../cors.ts";
import type { AppEnvironment } from "../environment.ts";
import { toErrorResponse } from "../errors.ts";
import { newInterface } from "../interface.ts";
import { bodyCap } from "../request-body.ts";
import { toEngineFailure } from "./errors.ts";
import { engineKey, websiteBody } from "./requests.ts";

/** The room of the vehicle-rental booking engine. */
export const engine = newInterface(toErrorResponse);
engine.routes.use(websites, engineKey);

/** Routes with a body. */
export const withBody = [bodyCap(toErrorResponse), websiteBody];

/** The engine key that a call carries, if it is one of the account's. */
export async function findEngineKey(c: Context<AppEnvironment>): Promise<EngineKey | undefined> {
  const { engineKeys } = await c.var.tenant.snapshot();
  return engineKeys.get(c.req.query("api_key") ?? "");
}

/** The account's clock, and the moment. */
export async function clockOf(c: Context<AppEnvironment>) {
  const { catalogue } = await c.var.tenant.snapshot();
  return { now: c.var.now, civil: civilNow(catalogue.settings.timezone, c.var.now) };
}

/** What the domain refused, to the visitor in the language of the call. */
export function refused(c: Context<AppEnvironment>, refusal: EngineRefusal) {
  return toErrorResponse(c, toEngineFailure(refusal, c.req.query("lang") ?? "en"));
}

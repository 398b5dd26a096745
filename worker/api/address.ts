import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type LimitedAction, toNetwork } from "#domain/access/attempts.ts";
import type { AppEnvironment } from "./environment.ts";
import { tooManyAttempts } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";

const LIMIT_SECONDS = 60;

/** The caller's address as the edge knows it; undefined where there is no edge, as on a developer's machine. */
export function clientAddress(c: Context<AppEnvironment>): string | undefined {
  return c.req.header("CF-Connecting-IP")?.slice(0, 64) || undefined;
}

/** Refuses an address that asks too often, before anything else costs anything. */
export function limitedByAddress(action: LimitedAction | "cart" | "payment", toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const address = clientAddress(c);
    const isWithin = !address || (await c.var.tenant.isWithinAddressLimit(action, toNetwork(address)));
    return isWithin ? next() : toErrorResponse(c, tooManyAttempts(LIMIT_SECONDS));
  });
}

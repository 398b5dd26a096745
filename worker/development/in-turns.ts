import { createMiddleware } from "hono/factory";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { yieldToRuntime } from "#worker/tenancy/deployment.ts";

/** Requests take turns: with enough of them that ask again at once, the local runtime always has something to do. */
export const yieldToEventLoop = createMiddleware<AppEnvironment>(async (c, next) => {
  await yieldToRuntime(c.env);
  return next();
});

import { createMiddleware } from "hono/factory";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { yieldToRuntime } from "#worker/tenancy/deployment.ts";

/** Yields to the local runtime for each request. Otherwise constant repeated requests would starve its connections. */
export const yieldToEventLoop = createMiddleware<AppEnvironment>(async (c, next) => {
  await yieldToRuntime(c.env);
  return next();
});

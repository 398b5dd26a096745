import { createMiddleware } from "hono/factory";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { takesTurns } from "#worker/tenancy/deployment.ts";

/**
 * Lets a request wait for the local runtime's clock once, where TAKE_TURNS is on (`npm start`). The runtime looks at
 * its connections only when it has nothing else to do; with enough of them that ask again at once it always has, and
 * the others wait for seconds. A request that waits lets it look.
 */
export const inTurns = createMiddleware<AppEnvironment>(async (c, next) => {
  if (takesTurns(c.env)) await scheduler.wait(0);
  return next();
});

import { createMiddleware } from "hono/factory";
import { isSameSecret } from "#worker/auth/same-secret.ts";
import { respondError, respondNotSignedIn, respondUnknownPath } from "./answers.ts";
import type { RouterEnvironment } from "./environment.ts";

/** Shorter keys could be guessed. */
const MIN_KEY_LENGTH = 32;
const LIMIT_SECONDS = 60;

/** Lets only the operator in. Wrong keys are limited for each address. */
export const requireOperatorKey = createMiddleware<{ Bindings: RouterEnvironment }>(async (c, next) => {
  const key = c.env.OPERATOR_KEY ?? "";
  if (key.length < MIN_KEY_LENGTH) return respondUnknownPath();
  const [scheme, shown = ""] = (c.req.header("Authorization") ?? "").split(" ");
  if (scheme === "Bearer" && isSameSecret(shown, key)) return next();
  const address = c.req.header("CF-Connecting-IP")?.slice(0, 64) ?? "";
  const isWithin = (await c.env.IP_RATE_LIMITER?.limit({ key: `-/operator/${address}` }))?.success ?? true;
  return isWithin
    ? respondNotSignedIn()
    : respondError(429, "too_many_attempts", "Too many attempts. Try again later", { retryAfter: LIMIT_SECONDS });
});

import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type Role, STAFF_ROLES } from "#domain/access/sessions.ts";
import { bearsToken, findSignedIn } from "#worker/usecases/access/find-signed-in.ts";
import { whyNotSignedIn } from "#worker/usecases/access/read-as-staff.ts";
import type { AppEnvironment } from "./environment.ts";
import { failures } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";

export const CUSTOMERS: readonly Role[] = ["customer"];
export const STAFF: readonly Role[] = STAFF_ROLES;
export const ALL_ROLES: readonly Role[] = [...CUSTOMERS, ...STAFF];

/**
 * Lets only those through who signed in and have one of the roles; `signedIn` says who. The answer carries a
 * fresh token when more than half of the one sent is over.
 */
export function signedIn(
  roles: readonly Role[],
  toErrorResponse: ToErrorResponse,
  { isSettingUp = false }: { readonly isSettingUp?: boolean } = {},
) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const bearer = await findSignedIn(c.get("tenant"), c.req.header("Authorization"), c.get("now"));
    if (!bearer)
      return toErrorResponse(c, failures[await whyNotSignedIn(c.get("tenant"), c.req.header("Authorization"))]);
    if (!roles.includes(bearer.signedIn.role)) return toErrorResponse(c, failures.otherRole);
    if (bearer.factor === "missing" && !isSettingUp) return toErrorResponse(c, failures.secondFactorMissing);
    c.set("factor", bearer.factor);
    c.set("signedIn", bearer.signedIn);
    returnFreshToken(c, bearer.freshToken);
    return next();
  });
}

/** Hands back the fresh token of a session, where it has one; nobody keeps such an answer (`observed`). */
export function returnFreshToken(c: Context<AppEnvironment>, freshToken: string | undefined): void {
  if (freshToken) c.header("Authorization", freshToken);
}

/**
 * Lets only those through who bear a token that the account has signed, before their body is read; it asks the database
 * nothing. Whether the session behind it is alive is read with the data.
 */
export function tokenFirst(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const isKnown = await bearsToken(c.get("tenant"), c.req.header("Authorization"), c.get("now"));
    if (isKnown) return next();
    return toErrorResponse(c, failures[await whyNotSignedIn(c.get("tenant"), c.req.header("Authorization"))]);
  });
}

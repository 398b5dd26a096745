import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type Role, STAFF_ROLES } from "#domain/access/sessions.ts";
import { findAuthenticatedUser, hasValidToken } from "#worker/usecases/office/find-signed-in.ts";
import { explainRefusedToken, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import type { AppEnvironment } from "./environment.ts";
import { failures } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";

export const CUSTOMER_ROLES: readonly Role[] = ["customer"];
export const ALL_STAFF_ROLES: readonly Role[] = STAFF_ROLES;
export const ALL_ROLES: readonly Role[] = [...CUSTOMER_ROLES, ...ALL_STAFF_ROLES];

const SIGNED_OUT = { notSignedIn: failures.notSignedIn, deviceForgotten: failures.deviceForgotten } as const;

/**
 * Returns middleware that accepts only signed-in users with one of the roles and stores them in the context as
 * `signedIn`. It returns a fresh token if more than half of the token's lifetime has passed. `isSettingUp` also accepts
 * users who still have to set up their second factor.
 */
export function requireSignedInRole(
  roles: readonly Role[],
  toErrorResponse: ToErrorResponse,
  { isSettingUp = false }: { readonly isSettingUp?: boolean } = {},
) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const bearer = await findAuthenticatedUser(c.get("tenant"), c.req.header("Authorization"), c.get("now"));
    if (!bearer)
      return toErrorResponse(c, SIGNED_OUT[await explainRefusedToken(c.get("tenant"), c.req.header("Authorization"))]);
    c.set("isStaffCall", bearer.signedIn.role !== "customer");
    if (!roles.includes(bearer.signedIn.role)) return toErrorResponse(c, failures.otherRole);
    if (bearer.factor === "missing" && !isSettingUp) return toErrorResponse(c, failures.secondFactorMissing);
    c.set("factor", bearer.factor);
    c.set("signedIn", bearer.signedIn);
    setFreshTokenHeader(c, bearer.freshToken);
    return next();
  });
}

/** Returns the fresh token of a session, if any. `request-logger.ts` prevents caching of the response. */
export function setFreshTokenHeader(c: Context<AppEnvironment>, freshToken: string | undefined): void {
  if (freshToken) c.header("Authorization", freshToken);
}

/**
 * Accepts only callers with a token signed by the account, before reading their body. Doesn't query the database.
 * Reading the data checks if the session is still active.
 */
export function requireSignedToken(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const isKnown = await hasValidToken(c.get("tenant"), c.req.header("Authorization"), c.get("now"));
    if (isKnown) return next();
    return toErrorResponse(c, SIGNED_OUT[await explainRefusedToken(c.get("tenant"), c.req.header("Authorization"))]);
  });
}

/** Returns the caller's credentials and the time of the request. Rights are checked when the data is read. */
export function toStaffRequest(c: Context<AppEnvironment>): StaffRequest {
  return { tenant: c.get("tenant"), authorization: c.req.header("Authorization"), now: c.get("now") };
}

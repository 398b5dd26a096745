import type { Context } from "hono";
import type { RateLimitedAction } from "#domain/access/attempts.ts";
import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { getClientIpAddress, limitByIpAddress } from "#worker/api/client-address.ts";
import { allowCrossOriginReading, forbidCrossOriginReading } from "#worker/api/cors.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { type ApiRoutes, createApi } from "#worker/api/interface.ts";
import { createFailureResponses } from "#worker/api/openapi.ts";
import { limitBodySize } from "#worker/api/request-body.ts";
import { logDefect } from "#worker/api/request-logger.ts";
import type { requireSignedInRole } from "#worker/api/signed-in.ts";
import type { PasskeyScope } from "#worker/auth/passkeys.ts";
import { toAccessErrorResponse } from "./errors.ts";
import * as messages from "./messages.ts";

/** Creates the API of customer access and staff sign-in. */
export function createCustomerAccessApi(): ApiRoutes {
  const access = createApi(toAccessErrorResponse);
  access.routes.use("/second-factor/*", forbidCrossOriginReading);
  access.routes.use(allowCrossOriginReading, async (c, next) => {
    await next();
    // The query of a sign-in may contain a password, so browsers must not send it to other sites.
    c.header("Referrer-Policy", "no-referrer");
  });
  return access;
}

/** Returns the middleware of a public route: a limit of attempts by address, and a limit of the body's size. */
export function limitAttemptsAndBodySize(action: RateLimitedAction) {
  return [limitByIpAddress(action, toAccessErrorResponse), limitBodySize(toAccessErrorResponse)];
}

/** Returns the middleware of a route for signed-in users, which reads the body only after the role is checked. */
export function limitSignedInAttempts(action: RateLimitedAction, requireRole: ReturnType<typeof requireSignedInRole>) {
  return [limitByIpAddress(action, toAccessErrorResponse), requireRole, limitBodySize(toAccessErrorResponse)];
}

/** Errors of public routes. */
export const publicFailureResponses = createFailureResponses(messages.accessFailureAnswer);
/** Errors of routes for signed-in users. */
export const signedInFailureResponses = createFailureResponses(messages.accessFailureAnswer, 401, 403);
export const accessSecurity = [{ token: [] }];

/** Returns the arrival time of a request and, if known, the client's IP address. */
export function getSignInContext(c: Context<AppEnvironment>) {
  return { now: c.get("now"), address: getClientIpAddress(c) };
}

/** Returns the origin and host of the request, which belong to this account. */
export function getPasskeyScope(c: Context<AppEnvironment>): PasskeyScope {
  const { origin, hostname } = new URL(c.req.url);
  return { origin, host: hostname };
}

/** Runs work after the response, so that its duration reveals nothing. */
export function runAfterResponse(c: Context<AppEnvironment>, work: (() => Promise<void>) | undefined): void {
  if (work) c.executionCtx.waitUntil(work().catch((error) => logDefect(c, error)));
}

const MAX_DEVICE_NAME_LENGTH = 200;

/** Returns the device's user agent, shown in the list of sessions. */
export function getDeviceName(c: Context<AppEnvironment>): string | undefined {
  return c.req
    .header("User-Agent")
    ?.replace(/[^\x20-\x7e]/g, "")
    .slice(0, MAX_DEVICE_NAME_LENGTH);
}

/** Returns the language for messages to the caller. */
export async function getCallerLanguage(
  c: Context<AppEnvironment>,
  lang: string | undefined,
): Promise<PlatformLanguage> {
  const { settings } = (await c.get("tenant").snapshot()).catalogue;
  return pickPlatformLanguage(lang, settings.defaultLanguage);
}

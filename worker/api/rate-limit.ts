import { createMiddleware } from "hono/factory";
import { getPartnerRequestsPerMinute } from "#worker/tenancy/deployment.ts";
import { getWritableResponseHeaders } from "./answer-headers.ts";
import type { AppEnvironment } from "./environment.ts";
import { createTooManyAttemptsFailure, type Failure } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";
import { REQUEST_WINDOW_SECONDS, RequestsPerMinuteCounter } from "./request-windows.ts";

const MAX_TRACKED_TEXTS = 5_000;

// Keys and links are counted separately. Otherwise invented links could displace the counts of keys.
const keyWindows = new RequestsPerMinuteCounter(MAX_TRACKED_TEXTS);
const linkWindows = new RequestsPerMinuteCounter(MAX_TRACKED_TEXTS);

/**
 * Counts the requests of a partner's key and rejects those beyond the limit per minute. Reports both in `RateLimit` and
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). Put it after `signed`.
 */
export function limitByPartnerKey(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const quota = getPartnerRequestsPerMinute(c.env);
    const key = `${c.get("tenant").name}/${c.get("partner").apiKey}`;
    const { used, secondsLeft } = keyWindows.count(key, c.get("now"));
    const answer = used > quota ? toErrorResponse(c, tooManyRequests(secondsLeft)) : undefined;
    if (answer) c.res = answer;
    else await next();
    const headers = getWritableResponseHeaders(c);
    headers.set("RateLimit-Policy", `"key";q=${quota};w=${REQUEST_WINDOW_SECONDS}`);
    headers.set("RateLimit", `"key";r=${Math.max(0, quota - used)};t=${secondsLeft}`);
  });
}

/** Printouts per minute by a booking's link. A contract's mails link to three. */
const PRINTOUTS_PER_MINUTE = 20;

/** Limits the printouts per minute by a booking's link, for all its users. Printing is expensive. */
export function limitPrintoutsByLink(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const link = `${c.get("tenant").name}/${c.req.param("free_access_id")}`;
    const { used, secondsLeft } = linkWindows.count(link, c.get("now"));
    if (used <= PRINTOUTS_PER_MINUTE) return next();
    return toErrorResponse(c, createTooManyAttemptsFailure(secondsLeft));
  });
}

function tooManyRequests(seconds: number): Failure {
  return {
    status: 429,
    code: "quota_exceeded",
    message: "This API key has asked too often; please try again later",
    headers: { "Retry-After": String(seconds) },
  };
}

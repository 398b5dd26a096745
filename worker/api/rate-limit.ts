import { createMiddleware } from "hono/factory";
import { getPartnerRequestsPerMinute } from "#worker/tenancy/deployment.ts";
import { getWritableHeaders } from "./answer-headers.ts";
import type { AppEnvironment } from "./environment.ts";
import { createTooManyAttemptsFailure, type Failure } from "./failure.ts";
import type { ToErrorResponse } from "./interface.ts";

const WINDOW_SECONDS = 60;
const MAX_TRACKED_KEYS = 5_000;

interface Window {
  readonly endsAt: number;
  used: number;
}

/** Request counts of each key in the current minute, by account and key. Each isolate counts only its own requests. */
const windows = new Map<string, Window>();

/**
 * Counts the requests of a partner's key and rejects those beyond the limit per minute. Reports both in `RateLimit` and
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). Put it after `signed`.
 */
export function limitByPartnerKey(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const quota = getPartnerRequestsPerMinute(c.env);
    const window = getWindow(`${c.get("tenant").name}/${c.get("partner").apiKey}`, c.get("now"));
    window.used += 1;
    const seconds = Math.max(1, Math.ceil((window.endsAt - c.get("now")) / 1000));
    const answer = window.used > quota ? toErrorResponse(c, tooManyRequests(seconds)) : undefined;
    if (answer) c.res = answer;
    else await next();
    const headers = getWritableHeaders(c);
    headers.set("RateLimit-Policy", `"key";q=${quota};w=${WINDOW_SECONDS}`);
    headers.set("RateLimit", `"key";r=${Math.max(0, quota - window.used)};t=${seconds}`);
  });
}

/** Printouts per minute by a booking's link. A contract's mails link to three. */
const PAPERS_PER_MINUTE = 20;

/** Limits the printouts per minute by a booking's link, for all its users. Printing is expensive. */
export function limitPrintoutsByLink(toErrorResponse: ToErrorResponse) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const link = `${c.get("tenant").name}/papers/${c.req.param("free_access_id")}`;
    const window = getWindow(link, c.get("now"));
    window.used += 1;
    if (window.used <= PAPERS_PER_MINUTE) return next();
    const seconds = Math.max(1, Math.ceil((window.endsAt - c.get("now")) / 1000));
    return toErrorResponse(c, createTooManyAttemptsFailure(seconds));
  });
}

function getWindow(key: string, now: number): Window {
  const known = windows.get(key);
  if (known && known.endsAt > now) return known;
  if (windows.size >= MAX_TRACKED_KEYS) windows.clear();
  const window = { endsAt: now + WINDOW_SECONDS * 1000, used: 0 };
  windows.set(key, window);
  return window;
}

function tooManyRequests(seconds: number): Failure {
  return {
    status: 429,
    code: "quota_exceeded",
    message: "This API key has asked too often; please try again later",
    headers: { "Retry-After": String(seconds) },
  };
}

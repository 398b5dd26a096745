import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import {
  getRequestSamplingInterval,
  getRequestsDataset,
  isRequestLoggingEnabled,
  isServerTimingEnabled,
} from "#worker/tenancy/deployment.ts";
import { getWritableResponseHeaders } from "./answer-headers.ts";
import type { AppEnvironment } from "./environment.ts";

/**
 * Sets an id and a time on each request, and an id, its cost and safe headers on each response. Logs one JSON line per
 * request without query, body, address or headers, so that no secret or personal data is logged.
 */
export const requestLogger = createMiddleware<AppEnvironment>(async (c, next) => {
  const startedAt = Date.now();
  c.set("requestId", crypto.randomUUID());
  c.set("now", startedAt);
  await next();
  const headers = getWritableResponseHeaders(c);
  headers.set("X-Request-Id", c.get("requestId"));
  // Devices use this header to measure their clock's error. Some networks in front of the Worker omit it.
  headers.set("Date", new Date().toUTCString());
  protect(headers, c.req.url);
  // A browser would reuse a cached response, even one with a token, for the next user.
  if (headers.has("Authorization") || !headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const meter = c.get("tenant")?.meter;
  if (meter && isServerTimingEnabled(c.env)) {
    const atDatabase = `calls=${meter.calls} rows_read=${meter.rowsRead} rows_written=${meter.rowsWritten}`;
    const desc = `${atDatabase} objects=${meter.objectCalls} depth=${meter.depth}`;
    headers.set("Server-Timing", `d1;desc="${desc}";dur=${meter.milliseconds.toFixed(1)}`);
  }
  const milliseconds = Date.now() - startedAt;
  const weight = getWeight(c, milliseconds);
  if (weight === 0) return;
  const dataset = getRequestsDataset(c.env);
  if (dataset) countRequest(c, dataset, { milliseconds, weight });
  const isWorthALine = c.res.status >= 500 || isRequestLoggingEnabled(c.env);
  if (!isWorthALine) return;
  log({
    level: c.res.status >= 500 ? "error" : "info",
    request: c.get("requestId"),
    account: c.get("tenant")?.name,
    method: c.req.method,
    route: getRoutePath(c),
    status: c.res.status,
    event: c.get("event"),
    milliseconds,
    sample: weight === 1 ? undefined : weight,
    d1Calls: meter?.calls,
    d1RowsRead: meter?.rowsRead,
  });
});

/** Requests that take longer are always logged and counted. */
const SLOW_MS = 1000;

// Returns the number of requests that this request represents in the log, or 0 if it isn't logged. Only
// successes are sampled, because logging each would cost more than answering it. The random request id
// decides, so that all log lines of a request are kept or dropped together.
function getWeight(c: Context<AppEnvironment>, milliseconds: number): number {
  const sample = getRequestSamplingInterval(c.env);
  const isSuccess = c.res.status < 400 && c.get("event") === undefined && milliseconds < SLOW_MS;
  if (sample === 1 || !isSuccess) return 1;
  return Number.parseInt(c.get("requestId").slice(0, 8), 16) % sample === 0 ? sample : 0;
}

/** Returns the declared path of the requested route, with placeholders instead of values. */
export function getRoutePath(c: Context<AppEnvironment>): string | undefined {
  return matchedRoutes(c).findLast((matchedRoute) => matchedRoute.method !== "ALL")?.path;
}

const YEAR_SECONDS = 31_536_000;
/** Content policy for responses that aren't pages, in case a browser renders one. */
const NON_PAGE_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Default headers of all responses, unless a route sets its own. */
const HEADERS = [
  ["Content-Security-Policy", NON_PAGE_CSP],
  ["Referrer-Policy", "no-referrer"],
] as const;
/** Default headers of all pages. */
const PAGE_HEADERS = [
  ...HEADERS,
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()"],
  ["X-Frame-Options", "DENY"],
] as const;

// Adds the security headers of a response. Called for every response, so that no route can forget them.
function protect(headers: Headers, url: string): void {
  headers.set("X-Content-Type-Options", "nosniff");
  if (url.startsWith("https:")) {
    headers.set("Strict-Transport-Security", `max-age=${YEAR_SECONDS}; includeSubDomains`);
  }
  const isPage = headers.get("Content-Type")?.startsWith("text/html") === true;
  for (const [name, value] of isPage ? PAGE_HEADERS : HEADERS) if (!headers.has(name)) headers.set(name, value);
}

interface CountedRequest {
  readonly milliseconds: number;
  readonly weight: number;
}

// Writes a data point (`npm run operations` reads it). It holds account, route, status and the number of requests that
// it represents, but no address or personal data.
function countRequest(
  c: Context<AppEnvironment>,
  dataset: AnalyticsEngineDataset,
  { milliseconds, weight }: CountedRequest,
): void {
  const account = c.get("tenant")?.name ?? "-";
  const { calls = 0, rowsRead = 0 } = c.get("tenant")?.meter ?? {};
  dataset.writeDataPoint({
    indexes: [account],
    blobs: [account, c.req.method, getRoutePath(c) ?? "-", String(c.res.status)],
    doubles: [milliseconds, calls, rowsRead, weight],
  });
}

/** Logs the type and location of a defect without its message, which may contain data. */
export function logDefect(c: Context<AppEnvironment>, error: Error): void {
  const place = error.stack?.split("\n").filter((line) => line.trimStart().startsWith("at "));
  log({
    level: "error",
    request: c.get("requestId"),
    account: c.get("tenant")?.name,
    defect: error.name,
    place: place?.slice(0, 8),
  });
}

function log(line: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(line));
}

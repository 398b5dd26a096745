import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { isRequestLoggingEnabled, isServerTimingEnabled, requestsDataset } from "#worker/tenancy/deployment.ts";
import { createAnswerHeaders } from "./answer-headers.ts";
import type { AppEnvironment } from "./environment.ts";

/**
 * Gives each request an id and a clock, and each answer its id, its cost and safe headers; writes one line of JSON
 * about it, without query, body, address or any header: nothing in it can be a secret or name a person.
 */
export const requestLogger = createMiddleware<AppEnvironment>(async (c, next) => {
  const startedAt = Date.now();
  c.set("requestId", crypto.randomUUID());
  c.set("now", startedAt);
  await next();
  const headers = createAnswerHeaders(c);
  headers.set("X-Request-Id", c.get("requestId"));
  // Phones tell by it how far their clock is off; not every network before the Worker says it.
  headers.set("Date", new Date().toUTCString());
  protect(headers, c.req.url);
  // A browser gives what it keeps of an answer, a token too, to whoever asks next.
  if (headers.has("Authorization") || !headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const meter = c.get("tenant")?.meter;
  if (meter && isServerTimingEnabled(c.env)) {
    const atDatabase = `calls=${meter.calls} rows_read=${meter.rowsRead} rows_written=${meter.rowsWritten}`;
    const desc = `${atDatabase} objects=${meter.objectCalls} depth=${meter.depth}`;
    headers.set("Server-Timing", `d1;desc="${desc}";dur=${meter.milliseconds.toFixed(1)}`);
  }
  const route = getRoutePath(c);
  countRequest(c, route, Date.now() - startedAt);
  const isWorthALine = c.res.status >= 500 || isRequestLoggingEnabled(c.env);
  if (!isWorthALine) return;
  log({
    level: c.res.status >= 500 ? "error" : "info",
    request: c.get("requestId"),
    account: c.get("tenant")?.name,
    method: c.req.method,
    route,
    status: c.res.status,
    event: c.get("event"),
    milliseconds: Date.now() - startedAt,
    d1Calls: meter?.calls,
    d1RowsRead: meter?.rowsRead,
  });
});

/** The address that was asked, as it is declared: without what stands in its place. */
export function getRoutePath(c: Context<AppEnvironment>): string | undefined {
  return matchedRoutes(c).findLast((matchedRoute) => matchedRoute.method !== "ALL")?.path;
}

const YEAR_SECONDS = 31_536_000;
/** What an answer that no page is made of allows a browser that takes it for one. */
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** What every page is served with, where it says nothing else itself. */
const PAGE_HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "X-Frame-Options": "DENY",
} as const;

// Whatever was answered: nothing here depends on a route remembering it.
function protect(headers: Headers, url: string): void {
  headers.set("X-Content-Type-Options", "nosniff");
  if (url.startsWith("https:")) {
    headers.set("Strict-Transport-Security", `max-age=${YEAR_SECONDS}; includeSubDomains`);
  }
  const isPage = headers.get("Content-Type")?.startsWith("text/html") === true;
  const securityHeaders = {
    "Content-Security-Policy": NO_PAGE,
    "Referrer-Policy": "no-referrer",
    ...(isPage && PAGE_HEADERS),
  };
  for (const [name, value] of Object.entries(securityHeaders)) if (!headers.has(name)) headers.set(name, value);
}

// One point for each request where a dataset is bound (`npm run operations` reads it): account, route and status, no
// address and no person.
function countRequest(c: Context<AppEnvironment>, route: string | undefined, milliseconds: number): void {
  const dataset = requestsDataset(c.env);
  const account = c.get("tenant")?.name ?? "-";
  const { calls = 0, rowsRead = 0 } = c.get("tenant")?.meter ?? {};
  dataset?.writeDataPoint({
    indexes: [account],
    blobs: [account, c.req.method, route ?? "-", String(c.res.status)],
    doubles: [milliseconds, calls, rowsRead],
  });
}

/** Records a defect by its kind and place, without its message: that may carry data. */
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

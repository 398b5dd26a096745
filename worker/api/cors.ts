import { createMiddleware } from "hono/factory";
import { getWritableResponseHeaders } from "./answer-headers.ts";
import type { AppEnvironment } from "./environment.ts";
import { ENGINE_KEY_PARAMETER } from "./unknown-parameters.ts";

/** Marks calls of staff, whose answers other origins can't read. */
export const forbidCrossOriginReading = createMiddleware<AppEnvironment>((c, next) => {
  c.set("isStaffCall", true);
  return next();
});

const PREFLIGHT_SECONDS = "7200";
const EXPOSED = "Authorization, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Ignored-Parameters";

/**
 * Permits browser calls of the account's booking websites: returns the origin if the engine key or the account allows
 * it. Without credentials. Exposes the response headers that websites need. Answers to staff aren't readable by other
 * origins, even if the account allows all of them.
 */
export const allowCrossOriginReading = createMiddleware<AppEnvironment>(async (c, next) => {
  const origin = c.req.header("Origin");
  const { catalogue, engineKeys } = await c.get("tenant").snapshot();
  const key = engineKeys.get(c.req.query(ENGINE_KEY_PARAMETER) ?? "");
  const allowed = [...(key?.allowedOrigins ?? []), ...catalogue.settings.engineOrigins];
  const isAllowed = origin !== undefined && isAmong(origin, allowed);
  if (c.req.method !== "OPTIONS") await next();
  else c.res = new Response(null, { status: 204 });
  const headers = getWritableResponseHeaders(c);
  headers.append("Vary", "Origin");
  if (!isAllowed || c.get("isStaffCall")) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Expose-Headers", EXPOSED);
  if (c.req.method === "OPTIONS") {
    headers.set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE");
    headers.set("Access-Control-Allow-Headers", "Authorization, Content-Type");
    headers.set("Access-Control-Max-Age", PREFLIGHT_SECONDS);
  }
});

function isAmong(origin: string, allowed: readonly string[]): boolean {
  if (!/^https?:\/\/[^/]+$/.test(origin)) return false;
  return allowed.includes("*") || allowed.includes(origin);
}

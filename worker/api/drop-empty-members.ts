import { createMiddleware } from "hono/factory";
import type { AppEnvironment } from "./environment.ts";

/**
 * Lets the routes behind see a JSON object without its empty members, at any depth: clients send them for what is
 * absent (docs/interfaces/conventions.md#empty-values). Stands behind what checks the body.
 */
export const dropEmptyMembers = createMiddleware<AppEnvironment>(async (c, next) => {
  const text = await c.req.text();
  if (!text.includes('""')) return next();
  const { url, method, headers } = c.req.raw;
  c.req.raw = new Request(url, { method, headers, body: JSON.stringify(withoutEmpty(JSON.parse(text))) });
  c.req.bodyCache = {};
  return next();
});

/** A JSON value without members that are `null` or empty text. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== "" && member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutEmpty(member)]));
}

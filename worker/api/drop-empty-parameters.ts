import { createMiddleware } from "hono/factory";
import { getQueryParameters } from "#worker/tenancy/request-url.ts";
import type { AppEnvironment } from "./environment.ts";

/**
 * Removes empty query parameters, which forms and search fields send for missing values
 * (docs/interfaces/conventions.md#empty-values). An empty `ids` stays and is refused, because an export without it
 * contains the whole list.
 */
export const dropEmptyParameters = createMiddleware<AppEnvironment>(async (c, next) => {
  if (!getQueryParameters(c.req.raw.url).some(({ isEmpty }) => isEmpty)) return next();
  const url = new URL(c.req.raw.url);
  const nonEmptyParameters = [...url.searchParams].filter(([name, value]) => value !== "" || name === "ids");
  url.search = new URLSearchParams(nonEmptyParameters).toString();
  c.req.raw = new Request(url, c.req.raw);
  return next();
});

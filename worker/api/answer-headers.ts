import type { Context } from "hono";
import type { AppEnvironment } from "./environment.ts";

/** A header that no response has. */
const ABSENT = "X-Absent";

/**
 * Returns the writable headers of an existing response. `c.header` of hono copies the response for each header. This
 * copies it once, and only if its headers are immutable.
 */
export function getWritableResponseHeaders(c: Context<AppEnvironment>): Headers {
  try {
    c.res.headers.delete(ABSENT);
  } catch {
    c.header(ABSENT, undefined);
  }
  return c.res.headers;
}

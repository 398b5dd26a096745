import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { createMiddleware } from "hono/factory";
import type { AppEnvironment } from "./environment.ts";

const ETAGS = etag({
  weak: true,
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    "access-control-allow-origin",
    "access-control-expose-headers",
    "ratelimit",
    "ratelimit-policy",
  ],
});

/**
 * Adds an `ETag` of the response to rarely changing reads and returns 304 to clients that already have it.
 * `maxAgeSeconds` is how long a client may use it without revalidation. If not set, it must always revalidate.
 */
export function createRevalidationMiddleware({
  isPublic,
  maxAgeSeconds = 0,
}: {
  readonly isPublic: boolean;
  readonly maxAgeSeconds?: number;
}) {
  const cacheScope = isPublic ? "public" : "private";
  const control = maxAgeSeconds > 0 ? `${cacheScope}, max-age=${maxAgeSeconds}` : `${cacheScope}, no-cache`;
  return createMiddleware<AppEnvironment>(async (c, next) => {
    await ETAGS(c, async () => {
      await next();
      if (c.res.status === 200) c.header("Cache-Control", control);
    });
  });
}

/** Response of a revalidated route in addition to 200. */
export const notModifiedResponse = { 304: { description: "Not modified (`If-None-Match`)" } };

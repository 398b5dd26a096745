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
 * For reads of what changes seldom: an `ETag` by what is answered, 304 to whoever has it already. `maxAgeSeconds` is
 * how long it may be used unasked; nothing: never.
 */
export function revalidated({
  isPublic,
  maxAgeSeconds = 0,
}: {
  readonly isPublic: boolean;
  readonly maxAgeSeconds?: number;
}) {
  const who = isPublic ? "public" : "private";
  const control = maxAgeSeconds > 0 ? `${who}, max-age=${maxAgeSeconds}` : `${who}, no-cache`;
  return createMiddleware<AppEnvironment>(async (c, next) => {
    await ETAGS(c, async () => {
      await next();
      if (c.res.status === 200) c.header("Cache-Control", control);
    });
  });
}

/** What a route that is revalidated answers beside 200. */
export const unchanged = { 304: { description: "What the caller has is what there is (`If-None-Match`)" } };

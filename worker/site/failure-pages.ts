import { createMiddleware } from "hono/factory";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { isBrowser } from "#worker/api/unread-form.ts";
import { isPagePath } from "#worker/tenancy/request-url.ts";

const COPIED_HEADERS = ["Retry-After", "RateLimit", "RateLimit-Policy", "Allow"] as const;

/** Shows a page in place of a JSON or empty failure to a person, whose browser opened the address. */
export const showFailuresAsPages = createMiddleware<AppEnvironment>(async (c, next) => {
  await next();
  const { status } = c.res;
  if (status < 400 || !isBrowser(c) || !isPagePath(c.req.path)) return;
  const { headers } = c.res;
  // A file that doesn't exist is answered without a type.
  if (!(headers.get("Content-Type") ?? "json").includes("json")) return;
  const { renderFailurePage } = await import("./company.ts");
  const page = await renderFailurePage(c, status);
  for (const name of COPIED_HEADERS) if (headers.has(name)) page.headers.set(name, headers.get(name) ?? "");
  // Otherwise Hono adds the headers of the JSON response to the page.
  c.res = undefined;
  c.res = page;
});

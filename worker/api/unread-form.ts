import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnvironment } from "./environment.ts";

/** Status of a form that was too long, too slow or not readable. */
export type UnreadFormStatus = 400 | 408 | 413 | 415;

/** Whether the client shows HTML to a person. */
export const isBrowser = (c: Context<AppEnvironment>) => c.req.header("Accept")?.includes("text/html") ?? false;

/** Replaces the JSON failure of a form that wasn't read by a page if a browser sent the form. */
export function replaceUnreadFormFailureByPage(
  renderPage: (c: Context<AppEnvironment>, status: UnreadFormStatus) => Promise<Response>,
) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    await next();
    const { status } = c.res;
    const isJson = c.res.headers.get("Content-Type")?.includes("json") ?? false;
    if (!isBrowser(c) || !isJson || !isUnreadFormStatus(status)) return;
    // Otherwise Hono adds the headers of the JSON response to the page.
    c.res = undefined;
    c.res = await renderPage(c, status);
  });
}

function isUnreadFormStatus(status: number): status is UnreadFormStatus {
  return status === 400 || status === 408 || status === 413 || status === 415;
}

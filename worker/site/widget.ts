import { type Context, Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { servePageWithHeaders } from "./page-headers.ts";

const DAY_SECONDS = 86_400;
const ICON = "/widget/icon.svg";

/**
 * Headers for files that any website may load. Their URL never changes, so they are revalidated in the background after
 * a day.
 */
const EMBEDDED = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": `public, max-age=${DAY_SECONDS}, stale-while-revalidate=${7 * DAY_SECONDS}`,
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Booking widget for the company's websites (docs/interfaces/booking-widget.md). */
export const widgetFiles = new Hono<AppEnvironment>();

widgetFiles.get("/widget/*", (c) =>
  servePageWithHeaders(c, (_, { ok, status }) => (ok || status === 304 ? EMBEDDED : { "Cache-Control": "no-store" })),
);

/** Serves the icon that browsers request automatically, the same for every page. */
export async function respondFavicon(c: Context<AppEnvironment>): Promise<Response> {
  const file = await c.env.ASSETS.fetch(new URL(ICON, c.req.url));
  const { "Cache-Control": caching } = EMBEDDED;
  const type = file.headers.get("Content-Type") ?? "image/svg+xml";
  return new Response(file.body, { status: file.status, headers: { "Content-Type": type, "Cache-Control": caching } });
}

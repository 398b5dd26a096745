import { type Context, Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { pageWith } from "./page-headers.ts";

const DAY_SECONDS = 86_400;
const ICON = "/widget/icon.svg";

/**
 * What any website may load: its address never changes, so a day later it is asked for anew, without anybody waiting.
 */
const EMBEDDED = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": `public, max-age=${DAY_SECONDS}, stale-while-revalidate=${7 * DAY_SECONDS}`,
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** The booking widget, for the company's websites (docs/interfaces/booking-widget.md). */
export const widgetFiles = new Hono<AppEnvironment>();

widgetFiles.get("/widget/*", (c) =>
  pageWith(c, (_, { ok, status }) => (ok || status === 304 ? EMBEDDED : { "Cache-Control": "no-store" })),
);

/** The icon that browsers ask for by themselves, the same for every page. */
export async function favicon(c: Context<AppEnvironment>): Promise<Response> {
  const file = await c.env.ASSETS.fetch(new URL(ICON, c.req.url));
  const { "Cache-Control": caching } = EMBEDDED;
  const type = file.headers.get("Content-Type") ?? "image/svg+xml";
  return new Response(file.body, { status: file.status, headers: { "Content-Type": type, "Cache-Control": caching } });
}

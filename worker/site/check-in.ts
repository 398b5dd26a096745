import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { servePageWithHeaders } from "./page-headers.ts";

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  // The code scanner uses WebAssembly if the browser has no built-in one.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types service-worker",
].join("; ");

const YEAR_SECONDS = 31_536_000;

/** Returns the headers of a check-in app file. Files with a hash in their name never change. Others are revalidated. */
export function getCheckInFileHeaders({ pathname }: URL): Readonly<Record<string, string>> {
  const isHashed = pathname.startsWith("/checkin/assets/");
  return {
    "Cache-Control": isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
  };
}

/** Check-in app of each account. */
export const checkInPageRoutes = new Hono<AppEnvironment>();

checkInPageRoutes.get("/checkin", (c) => c.redirect("/checkin/", 308));
checkInPageRoutes.get("/checkin/*", (c) =>
  servePageWithHeaders(c, (url, { ok, status }) =>
    ok || status === 304 ? getCheckInFileHeaders(url) : { "Cache-Control": "no-store" },
  ),
);

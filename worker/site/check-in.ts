import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { pageWith } from "./page-headers.ts";

const POLICY = [
  "default-src 'none'",
  // The reader of codes is WebAssembly where the system has none of its own.
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

/**
 * What every file of the check-in app is served with. A file whose name carries its hash never changes; all else is
 * asked for anew.
 */
export function checkInHeaders({ pathname }: URL): Readonly<Record<string, string>> {
  const isHashed = pathname.startsWith("/checkin/assets/");
  return {
    "Cache-Control": isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
  };
}

/** The check-in app of each account. */
export const checkInPages = new Hono<AppEnvironment>();

checkInPages.get("/checkin", (c) => c.redirect("/checkin/", 308));
checkInPages.get("/checkin/*", (c) =>
  pageWith(c, (url, { ok, status }) => (ok || status === 304 ? checkInHeaders(url) : { "Cache-Control": "no-store" })),
);

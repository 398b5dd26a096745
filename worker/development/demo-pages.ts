import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createCspPageHandler } from "#worker/site/page-headers.ts";

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Demo booking website of each account, in development. Uses the public API only. */
export const demoPageRoutes = new Hono<AppEnvironment>();

demoPageRoutes.get("/demo", (c) => c.redirect("/demo/", 308));
demoPageRoutes.get("/demo/*", createCspPageHandler(CONTENT_SECURITY_POLICY));

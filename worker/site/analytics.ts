import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { withPolicy } from "./page-headers.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Staff page for annual billing, occupancy and expenses. */
export const analyticsPages = new Hono<AppEnvironment>();

analyticsPages.get("/analytics", (c) => c.redirect("/analytics/", 308));
analyticsPages.get("/analytics/*", withPolicy(POLICY));

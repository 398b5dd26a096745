import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createCspPageHandler } from "./page-headers.ts";

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Staff pages. */
export const officePageRoutes = new Hono<AppEnvironment>();

// Reports are part of the office.
officePageRoutes.get("/analytics", (c) => c.redirect("/office/#/reports", 308));
officePageRoutes.get("/analytics/*", (c) => c.redirect("/office/#/reports", 308));
officePageRoutes.get("/office", (c) => c.redirect("/office/", 308));
officePageRoutes.get("/office/*", createCspPageHandler(CONTENT_SECURITY_POLICY));

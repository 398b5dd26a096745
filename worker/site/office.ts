import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createPolicyPageHandler } from "./page-headers.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Staff pages. */
export const officePages = new Hono<AppEnvironment>();

// Reports are part of the office.
officePages.get("/analytics", (c) => c.redirect("/office/#/reports", 308));
officePages.get("/analytics/*", (c) => c.redirect("/office/#/reports", 308));
officePages.get("/office", (c) => c.redirect("/office/", 308));
officePages.get("/office/*", createPolicyPageHandler(POLICY));

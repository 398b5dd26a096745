import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { withPolicy } from "./page-headers.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The pages about the interfaces of each account, built from their OpenAPI documents and docs/interfaces. */
export const docsPages = new Hono<AppEnvironment>();

docsPages.get("/docs", (c) => c.redirect("/docs/", 308));
// What can be tried at once: a demo's own credentials, in development alone.
docsPages.get("/docs/account.json", (c) => {
  const demo = DEVELOPMENT_BUILD && demoAccounts.find(({ account }) => account === c.var.tenant.name);
  return c.json(demo ? { demo: { partnerKeys: demo.partnerKeys, users: demo.users } } : {});
});
docsPages.get("/docs/*", withPolicy(POLICY));

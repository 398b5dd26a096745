import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { createCspPageHandler } from "./page-headers.ts";

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Documentation of each account's interfaces, built from the OpenAPI documents and docs/interfaces. */
export const docsPageRoutes = new Hono<AppEnvironment>();

docsPageRoutes.get("/docs", (c) => c.redirect("/docs/", 308));
// Demo credentials for trying the interfaces, in development only.
docsPageRoutes.get("/docs/account.json", (c) => {
  const demo = DEVELOPMENT_BUILD && demoAccounts.find(({ account }) => account === c.get("tenant").name);
  return c.json(demo ? { demo: { partnerKeys: demo.partnerKeys, users: demo.users } } : {});
});
const serveDocsPage = createCspPageHandler(CONTENT_SECURITY_POLICY);
docsPageRoutes.get("/docs/*", async (c) => {
  const page = await serveDocsPage(c);
  if (page.status !== 404 || !c.req.header("Accept")?.includes("text/html")) return page;
  const missing = await c.env.ASSETS.fetch(new URL("/docs/404/", c.req.url));
  const headers = new Headers(page.headers);
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(missing.body, { status: 404, headers });
});

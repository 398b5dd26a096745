import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { answerFailureByPath } from "#worker/api/error-format-by-path.ts";
import { failures } from "#worker/api/failure.ts";
import { createDeveloperStartPage } from "#worker/development/developer-start-page.ts";
import { renderMailboxPage } from "#worker/development/mailbox-page.ts";
import { openBoundAccounts } from "#worker/tenancy/accounts.ts";
import { listAccountNames } from "#worker/tenancy/bindings.ts";
import { respondDeepHealth } from "./health.ts";
import { respondFavicon } from "./widget.ts";

/** Base domain: a health check, and in development the page for newcomers. */
export const baseDomainApp = new Hono<AppEnvironment>();

baseDomainApp.get("/healthz", async (c): Promise<Response> => {
  return c.req.query("deep") === undefined ? c.json({ status: "ok" }) : respondDeepHealth(c);
});

baseDomainApp.get("/favicon.ico", respondFavicon);

if (DEVELOPMENT_BUILD) {
  baseDomainApp.get("/", async (c) =>
    createDeveloperStartPage(new URL(c.req.url), listAccountNames(c.env), Date.now()),
  );
  baseDomainApp.get("/dev/mailbox", async (c) => renderMailboxPage(openBoundAccounts(c.env, Date.now())));
}

baseDomainApp.notFound((c) => {
  c.set("now", Date.now());
  return answerFailureByPath(c, failures.unknownPath);
});

import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import { mailboxPage } from "#worker/development/mailbox-page.ts";
import { newcomerPage } from "#worker/development/newcomer-page.ts";
import { openAccounts } from "#worker/tenancy/accounts.ts";
import { listAccountNames } from "#worker/tenancy/bindings.ts";
import { deepHealth } from "./health.ts";
import { favicon } from "./widget.ts";

/** Base domain: a health check, and in development the page for newcomers. */
export const rootApp = new Hono<AppEnvironment>();

rootApp.get("/healthz", async (c): Promise<Response> => {
  return c.req.query("deep") === undefined ? c.json({ status: "ok" }) : deepHealth(c);
});

rootApp.get("/favicon.ico", favicon);

if (DEVELOPMENT_BUILD) {
  rootApp.get("/", async (c) => newcomerPage(new URL(c.req.url), listAccountNames(c.env), Date.now()));
  rootApp.get("/dev/mailbox", async (c) => mailboxPage(openAccounts(c.env, Date.now())));
}

rootApp.notFound((c) => toErrorResponse(c, failures.unknownPath));

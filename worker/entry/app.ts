import { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { answerFailureByPath } from "#worker/api/error-format-by-path.ts";
import { createErrorHandler } from "#worker/api/error-handler.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createMethodNotAllowedFailure, type Failure, failures } from "#worker/api/failure.ts";
import { recordRejectedRequest } from "#worker/api/rejected-requests.ts";
import { drainRequestBody } from "#worker/api/request-body.ts";
import { logDefect, requestLogger } from "#worker/api/request-logger.ts";
import { yieldToEventLoop } from "#worker/development/yield-to-event-loop.ts";
import { STALE_PLACEMENT_HEADER } from "#worker/directory/route-header.ts";
import { showFailuresAsPages } from "#worker/site/failure-pages.ts";
import { clearCachedDatabaseLocation, resolveRequestHost } from "#worker/tenancy/accounts.ts";
import { deliversWebhooksImmediately, getRouterKey } from "#worker/tenancy/deployment.ts";
import { invalidateDedupeCache } from "#worker/tenancy/request-dedupe.ts";
import { isOtaXmlPath } from "#worker/tenancy/request-url.ts";
import { isPossiblyMovedDatabaseError } from "#worker/usecases/shared/classify-error.ts";
import { deliverWebhooksAfterResponse } from "#worker/usecases/webhooks/deliver-after-response.ts";

type App = Hono<AppEnvironment>;

/** Site of the base domain and account routes, which differ between the apps. */
export interface HostRoutedAppOptions {
  readonly baseDomainSite: { readonly fetch: App["fetch"] };
  readonly registerRoutes: (app: App) => void;
}

const UNKNOWN_ACCOUNT: Failure = { status: 404, code: "unknown_path", message: "Unknown account" };

/**
 * Creates an app that sends requests for the base domain to its site and other requests to the account of their host.
 * The app logs each request and handles errors uniformly.
 */
export function createHostRoutedApp({ baseDomainSite, registerRoutes }: HostRoutedAppOptions): App {
  const app = new Hono<AppEnvironment>();

  app.use(requestLogger);
  app.use(drainRequestBody);

  if (DEVELOPMENT_BUILD) app.use(yieldToEventLoop);

  app.use(showFailuresAsPages);

  app.use(async (c, next) => {
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work.catch((error) => logDefect(c, error)));
    const site = await resolveRequestHost(c.env, c.req.raw, c.get("now"), waitUntil);
    if (site.kind === "base") return baseDomainSite.fetch(c.req.raw, c.env, c.executionCtx);
    if (site.kind === "paused") return answerFailureByPath(c, failures.accountPaused);
    if (site.kind === "unknown" && isOtaXmlPath(c.req.path)) return answerFailureByPath(c, UNKNOWN_ACCOUNT);
    if (site.kind === "unknown") return c.json({ error: "Unknown account" }, 404);
    c.set("tenant", site.tenant);
    return next();
  });

  // After an error that suggests a moved company, this isolate and the router forget its cached placement.
  app.use(async (c, next) => {
    await next();
    if (c.error === undefined || !isPossiblyMovedDatabaseError(c.error)) return;
    clearCachedDatabaseLocation(c.var.tenant.name);
    if (getRouterKey(c.env) !== undefined) c.res.headers.set(STALE_PLACEMENT_HEADER, "1");
  });

  app.use(async (c, next) => {
    await next();
    recordRejectedRequest(c);
    // Webhooks caused by a write are delivered after its response. The cron job retries failures.
    const tenant = c.get("tenant");
    if (tenant.meter.rowsWritten > 0 || c.error !== undefined) invalidateDedupeCache(tenant.name);
    if (c.req.method !== "GET" && tenant.meter.rowsWritten > 0 && deliversWebhooksImmediately(c.env))
      c.executionCtx.waitUntil(deliverWebhooksAfterResponse(tenant, c.get("now")));
  });

  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.all("/healthz", (c) => toErrorResponse(c, createMethodNotAllowedFailure(["GET"])));

  registerRoutes(app);

  app.notFound((c) => answerFailureByPath(c, failures.unknownPath));

  app.onError(createErrorHandler(answerFailureByPath));
  return app;
}

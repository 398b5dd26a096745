import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { resolveSite } from "#worker/tenancy/accounts.ts";
import { invalidateDedupeCache } from "#worker/tenancy/answered-once.ts";
import { deliversWebhooksImmediately } from "#worker/tenancy/deployment.ts";
import { FileStoreUnavailable } from "#worker/tenancy/file-store.ts";
import { PrinterUnavailable } from "#worker/tenancy/printer.ts";
import { AccountNotReady } from "#worker/tenancy/tenant.ts";
import type { AppEnvironment } from "./api/environment.ts";
import { toErrorResponse } from "./api/errors.ts";
import { defect, type Failure, failures, methodNotAllowed } from "./api/failure.ts";
import { logDefect, requestLogger } from "./api/observation.ts";
import { toOtaError } from "./api/ota/errors.ts";
import { recordRejectedRequest } from "./api/refused-call.ts";
import { drainRequestBody } from "./api/request-body.ts";
import { yieldToEventLoop } from "./development/in-turns.ts";
import { isFull, isOverloaded, isSchemaBehind, isTransient } from "./store/failures.ts";
import { deliverWebhooksAfterResponse } from "./usecases/webhooks/tell-at-once.ts";

type App = Hono<AppEnvironment>;

/** Options that differ between the apps: the root-domain site and the account routes. */
export interface BaseAppOptions {
  readonly base: { readonly fetch: App["fetch"] };
  readonly register: (app: App) => void;
}

/** Creates an app that logs each request, opens its account, and handles errors uniformly. */
export function createBaseApp({ base, register }: BaseAppOptions): App {
  const app = new Hono<AppEnvironment>();

  app.use(requestLogger);
  app.use(drainRequestBody);

  if (DEVELOPMENT_BUILD) app.use(yieldToEventLoop);

  app.use(async (c, next) => {
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work.catch((error) => logDefect(c, error)));
    const site = resolveSite(c.env, c.req.url, c.get("now"), waitUntil);
    if (site.kind === "base") return base.fetch(c.req.raw, c.env, c.executionCtx);
    if (site.kind === "unknown") return c.json({ error: "Unknown account" }, 404);
    c.set("tenant", site.tenant);
    return next();
  });

  app.use(async (c, next) => {
    await next();
    recordRejectedRequest(c);
    // Webhooks caused by a write are delivered after its response. The cron job retries failures.
    const { tenant, now, partner } = c.var;
    const isWritten = tenant.meter.rowsWritten > 0 || c.error !== undefined;
    // A signed read only writes its used signature.
    if (isWritten && !(c.req.method === "GET" && partner)) invalidateDedupeCache(tenant.name);
    if (c.req.method !== "GET" && tenant.meter.rowsWritten > 0 && deliversWebhooksImmediately(c.env))
      c.executionCtx.waitUntil(deliverWebhooksAfterResponse(tenant, now));
  });

  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.all("/healthz", (c) => toErrorResponse(c, methodNotAllowed(["GET"])));

  register(app);

  app.notFound((c) => toErrorResponse(c, failures.unknownPath));

  app.onError((error, c) => {
    const toResponse = c.req.path.startsWith("/api/booking/ota") ? toOtaError : toErrorResponse;
    if (error instanceof HTTPException && error.status === 400) return toResponse(c, failures.unreadable);
    if (isPassing(error)) return toResponse(c, failures.overloaded);
    logDefect(c, error);
    return toResponse(c, toTemporaryFailure(error) ?? defect(c.get("requestId")));
  });
  return app;
}

function isPassing(error: unknown): boolean {
  const isNotThere = error instanceof AccountNotReady || error instanceof PrinterUnavailable;
  return isNotThere || isOverloaded(error) || isTransient(error);
}

/** Temporary errors that should still be logged. */
function toTemporaryFailure(error: unknown): Failure | undefined {
  if (error instanceof FileStoreUnavailable) return failures.overloaded;
  if (isFull(error)) return failures.full;
  return isSchemaBehind(error) ? failures.migrating : undefined;
}

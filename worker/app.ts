import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { resolveSite } from "#worker/tenancy/accounts.ts";
import { tellsAtOnce } from "#worker/tenancy/deployment.ts";
import { PrinterUnavailable } from "#worker/tenancy/printer.ts";
import { AccountNotReady } from "#worker/tenancy/tenant.ts";
import { analyticsRoutes, staffAnalyticsRoutes } from "./api/analytics/routes.ts";
import { promotionCodeRoutes } from "./api/booking-engine/shared/promotion-code.ts";
import { transferEngineRoutes } from "./api/booking-engine/transfers/routes.ts";
import { rentalEngineRoutes } from "./api/booking-engine/vehicles/routes.ts";
import { checkInRoutes } from "./api/check-in/routes.ts";
import { changePasswordPage } from "./api/customer-access/change-password-page.ts";
import { customerAccessRoutes } from "./api/customer-access/routes.ts";
import { verifyEmailPage } from "./api/customer-access/verify-email-page.ts";
import { documentRoutes } from "./api/documents/routes.ts";
import type { AppEnvironment } from "./api/environment.ts";
import { toErrorResponse } from "./api/errors.ts";
import { defect, failures, methodNotAllowed } from "./api/failure.ts";
import { integrationRoutes } from "./api/integration/routes.ts";
import { logDefect, observed } from "./api/observation.ts";
import { operationsRoutes } from "./api/operations/routes.ts";
import { toOtaError } from "./api/ota/errors.ts";
import { otaRoutes } from "./api/ota/routes.ts";
import { otaXmlRoutes } from "./api/ota-xml/routes.ts";
import { paymentRoutes } from "./api/payments/routes.ts";
import { demoPages } from "./development/demo-pages.ts";
import { demoPhotos } from "./development/demo-photos.ts";
import { sesStandIn } from "./development/ses/routes.ts";
import { standInGateway } from "./development/stand-in-gateway.ts";
import { taxAgencyStandIn } from "./development/tax-agency/routes.ts";
import { analyticsPages } from "./site/analytics.ts";
import { baseSite } from "./site/base.ts";
import { calendarFeeds } from "./site/calendars.ts";
import { checkInPages } from "./site/check-in.ts";
import { companyPage } from "./site/company.ts";
import { docsPages } from "./site/docs.ts";
import { officePages } from "./site/office.ts";
import { favicon, widgetFiles } from "./site/widget.ts";
import { isFull, isOverloaded, isSchemaBehind, isTransient } from "./store/failures.ts";
import { CHANGE_PASSWORD_PATH } from "./usecases/access/recover-password.ts";
import { VERIFY_EMAIL_PATH } from "./usecases/access/verify-email.ts";
import { tellAtOnce } from "./usecases/webhooks/tell-at-once.ts";

/**
 * The platform as one Hono app: every interface and page, and the office's routes where they are given. Without them it is
 * what partners, websites and phones ask, kept small ([0026](../docs/decisions/0026-office-worker.md)).
 */
export function createApp(office?: Hono<AppEnvironment>): Hono<AppEnvironment> {
  const app = new Hono<AppEnvironment>();

  app.use(observed);

  app.use(async (c, next) => {
    const site = resolveSite(c.env, c.req.url, c.var.now);
    if (site.kind === "base") return baseSite.fetch(c.req.raw, c.env, c.executionCtx);
    if (site.kind === "unknown") return c.json({ error: "Unknown account" }, 404);
    c.set("tenant", site.tenant);
    return next();
  });

  app.use(async (c, next) => {
    await next();
    // What a write caused is told after its answer; what fails then the clock tells.
    const { tenant, now } = c.var;
    if (c.req.method !== "GET" && tenant.meter.rowsWritten > 0 && tellsAtOnce(c.env))
      c.executionCtx.waitUntil(tellAtOnce(tenant, now));
  });

  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.all("/healthz", (c) => toErrorResponse(c, methodNotAllowed(["GET"])));

  app.route("/api/booking/ota", otaRoutes);
  app.route("/api/ota", otaXmlRoutes);
  app.route("/api/booking/frontend", rentalEngineRoutes);
  app.route("/api/booking-transfer/frontend", transferEngineRoutes);
  app.route("/api", promotionCodeRoutes);
  app.route("/api", integrationRoutes);
  app.route("/api", documentRoutes);
  app.route("/api/booking", analyticsRoutes);
  app.route("/api", checkInRoutes);
  app.route("/api/v1/analysis", staffAnalyticsRoutes);
  app.route("/api/v1/operations", operationsRoutes);
  if (office) app.route("/api/v1/office", office);
  app.route("/api/v1", customerAccessRoutes);
  app.route("/", analyticsPages);
  app.route("/", officePages);
  app.route("/", docsPages);
  app.route("/", widgetFiles);
  app.route("/", calendarFeeds);
  app.get("/", companyPage);
  app.get("/favicon.ico", favicon);
  app.get(CHANGE_PASSWORD_PATH, changePasswordPage);
  app.get(VERIFY_EMAIL_PATH, verifyEmailPage);

  app.route("/", paymentRoutes);

  app.route("/", checkInPages);

  if (DEVELOPMENT_BUILD) {
    app.route("/demo-photos", demoPhotos);
    app.route("/", demoPages);
    baseSite.route("/dev/gateway", standInGateway(app.fetch));
    baseSite.route("/dev/tax-agency", taxAgencyStandIn);
    baseSite.route("/dev/ses", sesStandIn);
  }

  app.notFound((c) => toErrorResponse(c, failures.unknownPath));

  app.onError((error, c) => {
    const toResponse = c.req.path.startsWith("/api/booking/ota") ? toOtaError : toErrorResponse;
    if (error instanceof HTTPException && error.status === 400) return toResponse(c, failures.unreadable);
    if (
      error instanceof AccountNotReady ||
      error instanceof PrinterUnavailable ||
      isOverloaded(error) ||
      isTransient(error)
    )
      return toResponse(c, failures.overloaded);
    if (isFull(error)) {
      logDefect(c, error);
      return toResponse(c, failures.full);
    }
    if (isSchemaBehind(error)) {
      logDefect(c, error);
      return toResponse(c, failures.migrating);
    }
    logDefect(c, error);
    return toResponse(c, defect(c.var.requestId));
  });
  return app;
}

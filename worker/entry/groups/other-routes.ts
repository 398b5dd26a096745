import type { Hono } from "hono";
import { analyticsRoutes, staffAnalyticsRoutes } from "#worker/api/analytics/routes.ts";
import { promotionCodeRoutes } from "#worker/api/booking-engine/shared/promotion-code.ts";
import { checkInRoutes } from "#worker/api/check-in/routes.ts";
import { changePasswordPage } from "#worker/api/customer-access/change-password-page.ts";
import { ownRoutes } from "#worker/api/customer-access/own-routes.ts";
import { verifyEmailPage } from "#worker/api/customer-access/verify-email-page.ts";
import { documentRoutes } from "#worker/api/documents/routes.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { integrationRoutes } from "#worker/api/integration/routes.ts";
import { operationsRoutes } from "#worker/api/operations/routes.ts";
import { paymentRoutes } from "#worker/api/payments/routes.ts";
import { quotePages } from "#worker/api/quotes/routes.ts";
import { demoPages } from "#worker/development/demo-pages.ts";
import { demoPhotos } from "#worker/development/demo-photos.ts";
import { calendarFeeds } from "#worker/site/calendars.ts";
import { checkInPages } from "#worker/site/check-in.ts";
import { companyPages } from "#worker/site/company.ts";
import { docsPages } from "#worker/site/docs.ts";
import { officePages } from "#worker/site/office.ts";
import { favicon, widgetFiles } from "#worker/site/widget.ts";
import { CHANGE_PASSWORD_PATH } from "#worker/usecases/access/recover-password.ts";
import { VERIFY_EMAIL_PATH } from "#worker/usecases/access/verify-email.ts";

/** Interfaces served only by the office Worker: the office itself and customer access, including sign-in. */
export interface OfficeInterfaces {
  readonly office: Hono<AppEnvironment>;
  readonly access: Hono<AppEnvironment>;
}

/**
 * Registers all routes except those for agencies and booking websites: parts loaded separately, and the office's
 * interfaces if provided.
 */
export function registerOtherRoutes(app: Hono<AppEnvironment>, only?: OfficeInterfaces): void {
  app.route("/api", promotionCodeRoutes);
  app.route("/api", integrationRoutes);
  app.route("/api", documentRoutes);
  app.route("/api/booking", analyticsRoutes);
  app.route("/api", checkInRoutes);
  app.route("/api/v1/analysis", staffAnalyticsRoutes);
  app.route("/api/v1/operations", operationsRoutes);
  if (only) app.route("/api/v1/office", only.office);
  app.route("/api/v1", only ? only.access : ownRoutes());
  app.route("/", officePages);
  app.route("/", docsPages);
  app.route("/", widgetFiles);
  app.route("/", calendarFeeds);
  app.route("/", companyPages);
  app.get("/favicon.ico", favicon);
  app.get(CHANGE_PASSWORD_PATH, changePasswordPage);
  app.get(VERIFY_EMAIL_PATH, verifyEmailPage);

  app.route("/", quotePages);
  app.route("/", paymentRoutes);

  app.route("/", checkInPages);

  if (DEVELOPMENT_BUILD) {
    app.route("/demo-photos", demoPhotos);
    app.route("/", demoPages);
  }
}

import type { Hono } from "hono";
import { analyticsRoutes, staffAnalyticsRoutes } from "./api/analytics/routes.ts";
import { promotionCodeRoutes } from "./api/booking-engine/shared/promotion-code.ts";
import { checkInRoutes } from "./api/check-in/routes.ts";
import { changePasswordPage } from "./api/customer-access/change-password-page.ts";
import { ownRoutes } from "./api/customer-access/own-routes.ts";
import { verifyEmailPage } from "./api/customer-access/verify-email-page.ts";
import { documentRoutes } from "./api/documents/routes.ts";
import type { AppEnvironment } from "./api/environment.ts";
import { integrationRoutes } from "./api/integration/routes.ts";
import { operationsRoutes } from "./api/operations/routes.ts";
import { paymentRoutes } from "./api/payments/routes.ts";
import { demoPages } from "./development/demo-pages.ts";
import { demoPhotos } from "./development/demo-photos.ts";
import { analyticsPages } from "./site/analytics.ts";
import { calendarFeeds } from "./site/calendars.ts";
import { checkInPages } from "./site/check-in.ts";
import { companyPage } from "./site/company.ts";
import { docsPages } from "./site/docs.ts";
import { officePages } from "./site/office.ts";
import { favicon, widgetFiles } from "./site/widget.ts";
import { CHANGE_PASSWORD_PATH } from "./usecases/access/recover-password.ts";
import { VERIFY_EMAIL_PATH } from "./usecases/access/verify-email.ts";

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
  }
}

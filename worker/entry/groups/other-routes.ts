import type { Hono } from "hono";
import { analyticsRoutes, staffAnalyticsRoutes } from "#worker/api/analytics/routes.ts";
import { promotionCodeRoutes } from "#worker/api/booking-engine/shared/promotion-code.ts";
import { checkInRoutes } from "#worker/api/check-in/routes.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { integrationRoutes } from "#worker/api/integration/routes.ts";
import { operationsRoutes } from "#worker/api/operations/routes.ts";
import { demoPageRoutes } from "#worker/development/demo-pages.ts";
import { demoPhotoRoutes } from "#worker/development/demo-photos.ts";
import { calendarFeedRoutes } from "#worker/site/calendars.ts";
import { cataloguePhotoRoutes } from "#worker/site/catalogue-photos.ts";
import { checkInPageRoutes } from "#worker/site/check-in.ts";
import { companyPageRoutes } from "#worker/site/company.ts";
import { docsPageRoutes } from "#worker/site/docs.ts";
import { officePageRoutes } from "#worker/site/office.ts";
import { respondFavicon, widgetFiles } from "#worker/site/widget.ts";

/** Registers the routes of partners, devices and pages that the front Worker serves besides agencies and websites. */
export function registerPartnerAndDeviceRoutes(app: Hono<AppEnvironment>): void {
  app.route("/api", promotionCodeRoutes);
  app.route("/api", integrationRoutes);
  app.route("/api/booking", analyticsRoutes);
  app.route("/api", checkInRoutes);
  app.route("/api/v1/analysis", staffAnalyticsRoutes);
  app.route("/api/v1/operations", operationsRoutes);
  app.route("/", officePageRoutes);
  app.route("/", docsPageRoutes);
  app.route("/", widgetFiles);
  app.route("/", calendarFeedRoutes);
  app.route("/", cataloguePhotoRoutes);
  app.route("/", companyPageRoutes);
  app.get("/favicon.ico", respondFavicon);
  app.route("/", checkInPageRoutes);

  if (DEVELOPMENT_BUILD) {
    app.route("/demo-photos", demoPhotoRoutes);
    app.route("/", demoPageRoutes);
  }
}

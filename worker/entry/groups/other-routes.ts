import type { Hono } from "hono";
import { analyticsRoutes, staffAnalyticsRoutes } from "#worker/api/analytics/routes.ts";
import { promotionCodeRoutes } from "#worker/api/booking-engine/shared/promotion-code.ts";
import { checkInRoutes } from "#worker/api/check-in/routes.ts";
import { documentRoutes } from "#worker/api/documents/routes.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { integrationRoutes } from "#worker/api/integration/routes.ts";
import { operationsRoutes } from "#worker/api/operations/routes.ts";
import { demoPages } from "#worker/development/demo-pages.ts";
import { demoPhotos } from "#worker/development/demo-photos.ts";
import { calendarFeeds } from "#worker/site/calendars.ts";
import { cataloguePhotoFiles } from "#worker/site/catalogue-photos.ts";
import { checkInPages } from "#worker/site/check-in.ts";
import { companyPages } from "#worker/site/company.ts";
import { docsPages } from "#worker/site/docs.ts";
import { officePages } from "#worker/site/office.ts";
import { respondFavicon, widgetFiles } from "#worker/site/widget.ts";

/** Registers the routes of partners, devices and pages that the front Worker serves besides agencies and websites. */
export function registerPartnerAndDeviceRoutes(app: Hono<AppEnvironment>): void {
  app.route("/api", promotionCodeRoutes);
  app.route("/api", integrationRoutes);
  app.route("/api", documentRoutes);
  app.route("/api/booking", analyticsRoutes);
  app.route("/api", checkInRoutes);
  app.route("/api/v1/analysis", staffAnalyticsRoutes);
  app.route("/api/v1/operations", operationsRoutes);
  app.route("/", officePages);
  app.route("/", docsPages);
  app.route("/", widgetFiles);
  app.route("/", calendarFeeds);
  app.route("/", cataloguePhotoFiles);
  app.route("/", companyPages);
  app.get("/favicon.ico", respondFavicon);
  app.route("/", checkInPages);

  if (DEVELOPMENT_BUILD) {
    app.route("/demo-photos", demoPhotos);
    app.route("/", demoPages);
  }
}

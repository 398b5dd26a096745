import type { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { otaRoutes } from "#worker/api/ota/routes.ts";
import { otaXmlRoutes } from "#worker/api/ota-xml/routes.ts";

/** Registers the agency API. */
export function registerAgencyApi(app: Hono<AppEnvironment>): void {
  app.route("/api/booking/ota", otaRoutes);
  app.route("/api/ota", otaXmlRoutes);
}

import type { Hono } from "hono";
import { transferEngineRoutes } from "#worker/api/booking-engine/transfers/routes.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";

/** Registers the routes for websites that sell transfers. */
export function registerTransferEngine(app: Hono<AppEnvironment>): void {
  app.route("/api/booking-transfer/frontend", transferEngineRoutes);
}

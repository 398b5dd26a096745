import type { Hono } from "hono";
import { rentalEngineRoutes } from "#worker/api/booking-engine/vehicles/routes.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";

/** Registers the routes for websites that rent out vehicles. */
export function registerRentalEngine(app: Hono<AppEnvironment>): void {
  app.route("/api/booking/frontend", rentalEngineRoutes);
}

import type { Hono } from "hono";
import { rentalEngineRoutes } from "./api/booking-engine/vehicles/routes.ts";
import type { AppEnvironment } from "./api/environment.ts";

/** What websites that rent vehicles ask. */
export function registerRentalEngine(app: Hono<AppEnvironment>): void {
  app.route("/api/booking/frontend", rentalEngineRoutes);
}

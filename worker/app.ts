import type { Hono } from "hono";
import { registerAgencies } from "./agency-routes.ts";
import type { AppEnvironment } from "./api/environment.ts";
import { createRootSite } from "./base-site.ts";
import { createBaseApp } from "./platform.ts";
import { type OfficeInterfaces, registerOtherRoutes } from "./remaining-routes.ts";
import { registerRentalEngine } from "./rental-engine-routes.ts";
import { registerTransferEngine } from "./transfer-engine-routes.ts";

/**
 * Creates the platform as one Hono app with all APIs and pages, including those of the office. Partners, websites and
 * devices use a separate, small front Worker ([0026](../docs/decisions/0026-office-worker.md)).
 */
export function createApp(only: OfficeInterfaces): Hono<AppEnvironment> {
  const app: Hono<AppEnvironment> = createBaseApp({
    base: createRootSite((request, env, context) => app.fetch(request, env, context)),
    register: (parts) => {
      registerAgencies(parts);
      registerRentalEngine(parts);
      registerTransferEngine(parts);
      registerOtherRoutes(parts, only);
    },
  });
  return app;
}

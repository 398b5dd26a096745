import type { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { simulateAuthority } from "#worker/development/authority-simulator.ts";
import { operatorApp } from "#worker/site/operator.ts";
import { setAuthoritySimulator } from "#worker/tenancy/authorities.ts";
import { createHostRoutedApp } from "./app.ts";
import { createBaseDomainSite } from "./base-domain-site.ts";
import { registerAgencyApi } from "./groups/agencies.ts";
import { registerOfficeRoutes } from "./groups/office-routes.ts";
import { registerPartnerAndDeviceRoutes } from "./groups/other-routes.ts";
import { registerRentalEngine } from "./groups/rental-engine.ts";
import { registerTransferEngine } from "./groups/transfer-engine.ts";

/**
 * All interfaces and pages in one Hono app, including the office. Partners, websites and devices use the separate,
 * small front Worker in deployments ([0026](../../docs/decisions/0026-serve-the-office-from-a-second-worker.md)).
 */
export const fullApp: Hono<AppEnvironment> = createHostRoutedApp({
  baseDomainSite: createBaseDomainSite((request, env, context) => fullApp.fetch(request, env, context), operatorApp),
  registerRoutes: (routes) => {
    registerAgencyApi(routes);
    registerRentalEngine(routes);
    registerTransferEngine(routes);
    registerPartnerAndDeviceRoutes(routes);
    registerOfficeRoutes(routes);
  },
});

if (DEVELOPMENT_BUILD) setAuthoritySimulator(simulateAuthority);

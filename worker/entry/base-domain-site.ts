import type { Hono } from "hono";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { simulateGateway } from "#worker/development/gateway-simulator.ts";
import { sesSimulatorRoutes } from "#worker/development/ses/routes.ts";
import { simulateStripePage } from "#worker/development/stripe/page.ts";
import { taxAgencySimulatorRoutes } from "#worker/development/tax-agency/routes.ts";
import { baseDomainApp } from "#worker/site/base.ts";

/**
 * Routes of the base domain. In development they include simulators of gateways and authorities, which notify the
 * platform through `deliver`. Only the office Worker has the operator's routes. Call once.
 */
export function createBaseDomainSite(
  deliver: Parameters<typeof simulateGateway>[0],
  operator?: Hono<AppEnvironment>,
): Hono<AppEnvironment> {
  if (operator) baseDomainApp.route("/operator", operator);
  if (DEVELOPMENT_BUILD) {
    baseDomainApp.route("/dev/gateway", simulateGateway(deliver));
    baseDomainApp.route("/dev/stripe", simulateStripePage(deliver));
    baseDomainApp.route("/dev/tax-agency", taxAgencySimulatorRoutes);
    baseDomainApp.route("/dev/ses", sesSimulatorRoutes);
  }
  return baseDomainApp;
}

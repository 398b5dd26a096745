import type { Hono } from "hono";
import type { AppEnvironment } from "./api/environment.ts";
import { sesStandIn } from "./development/ses/routes.ts";
import { standInGateway } from "./development/stand-in-gateway.ts";
import { taxAgencyStandIn } from "./development/tax-agency/routes.ts";
import { baseSite } from "./site/base.ts";

/**
 * What the bare domain serves; in development also those that stand in for gateways and authorities, which tell the
 * platform by `deliver`. To be called once.
 */
export function openBaseSite(deliver: Parameters<typeof standInGateway>[0]): Hono<AppEnvironment> {
  if (DEVELOPMENT_BUILD) {
    baseSite.route("/dev/gateway", standInGateway(deliver));
    baseSite.route("/dev/tax-agency", taxAgencyStandIn);
    baseSite.route("/dev/ses", sesStandIn);
  }
  return baseSite;
}

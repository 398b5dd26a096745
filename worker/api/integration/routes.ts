import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import { closePaths } from "#worker/api/interface.ts";
import { describeInterface } from "#worker/api/openapi.ts";
import { integration } from "./room.ts";
import "./list-routes.ts";
import "./single-routes.ts";

/** The OpenAPI document of the integration interface. */
export const describeIntegration = describeInterface(
  integration,
  { title: "Integration: extraction for accounting systems and dashboards", basePath: "/api", signed: true },
  "/v1/integration/openapi.json",
);
closePaths(integration);
integration.routes.all("/v1/integration/*", (c) => toErrorResponse(c, failures.unknownPath));

export const integrationRoutes = integration.routes;

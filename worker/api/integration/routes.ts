import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import { closePaths, createApi } from "#worker/api/interface.ts";
import { describeInterface } from "#worker/api/openapi.ts";
import { registerListRoutes } from "./list-routes.ts";
import { registerSingleRoutes } from "./single-routes.ts";
import { listTags } from "./tags.ts";

/** API of accounting systems and dashboards (docs/interfaces/integration.md). */
const integration = createApi(toErrorResponse, [
  "/v1/integration",
  "/v1/integration/*",
  "/booking/reservation-report",
  "/booking-items",
]);
registerListRoutes(integration);
registerSingleRoutes(integration);

/** OpenAPI document of the integration API. */
export const describeIntegration = describeInterface(
  integration,
  {
    title: "Integration: extraction for accounting systems and dashboards",
    description: "API for accounting systems and dashboards, including their feedback. Each request is signed.",
    basePath: "/api",
    tags: listTags,
    schemes: ["signature"],
  },
  "/v1/integration/openapi.json",
);
closePaths(integration);
integration.routes.all("/v1/integration/*", (c) => toErrorResponse(c, failures.unknownPath));

export const integrationRoutes = integration.routes;

import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import { createApi, rejectUnsupportedMethods } from "#worker/api/interface.ts";
import { serveOpenApiDocument } from "#worker/api/openapi.ts";
import { registerExtractionRoutes } from "./list-routes.ts";
import { registerSingleRecordRoutes } from "./single-routes.ts";
import { integrationTagDescriptions } from "./tags.ts";

/** API of accounting systems and dashboards (docs/interfaces/integration.md). */
const integration = createApi(toErrorResponse, [
  "/v1/integration",
  "/v1/integration/*",
  "/booking/reservation-report",
  "/booking-items",
]);
registerExtractionRoutes(integration);
registerSingleRecordRoutes(integration);

/** OpenAPI document of the integration API. */
export const createIntegrationOpenApi = serveOpenApiDocument(
  integration,
  {
    title: "Integration: extraction for accounting systems and dashboards",
    description: "API for accounting systems and dashboards, including their feedback. Each request is signed.",
    basePath: "/api",
    tags: integrationTagDescriptions,
    schemes: ["signature"],
  },
  "/v1/integration/openapi.json",
);
rejectUnsupportedMethods(integration);
integration.routes.all("/v1/integration/*", (c) => toErrorResponse(c, failures.unknownPath));

export const integrationRoutes = integration.routes;

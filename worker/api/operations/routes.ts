import { createRoute } from "@hono/zod-openapi";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import { operationsFailureAnswer } from "#worker/api/failure-messages.ts";
import { type ApiRoutes, addFallbackRoutes, createApi } from "#worker/api/interface.ts";
import { createFailureResponses, jsonContent, serveOpenApiDocument } from "#worker/api/openapi.ts";
import { setFreshTokenHeader } from "#worker/api/signed-in.ts";
import { countAttentionTasks } from "#worker/usecases/operations/count-operator-tasks.ts";
import { operatorTasksAnswer, toOperatorTasksMessage } from "./messages.ts";

const readAttention = createRoute({
  method: "get",
  path: "/",
  operationId: "listWhatWaits",
  tags: ["Attention"],
  summary: "Count open tasks",
  security: [{ token: [] }],
  responses: {
    200: jsonContent(operatorTasksAnswer, "Numbers of open tasks with the latest entries"),
    ...createFailureResponses(operationsFailureAnswer, 401, 403).reading(),
  },
});

/** Registers the route of pending tasks. */
function registerAttentionRoutes({ routes }: ApiRoutes): void {
  routes.openapi(readAttention, async (c) => {
    const request = { tenant: c.get("tenant"), authorization: c.req.header("Authorization"), now: c.get("now") };
    const read = await countAttentionTasks(request);
    if (!read.ok) return toErrorResponse(c, failures[read.error.kind]);
    setFreshTokenHeader(c, read.value.freshToken);
    const { attention, currencyDecimals } = read.value.value;
    return c.json(toOperatorTasksMessage(attention, currencyDecimals), 200);
  });
}

const operationsApi = createApi(toErrorResponse);
registerAttentionRoutes(operationsApi);

/** OpenAPI document of the operations API. */
export const createOperationsOpenApi = serveOpenApiDocument(operationsApi, {
  title: "Operations: what waits for a person",
  description: "API for administrators: tasks that only a person can resolve.",
  basePath: "/api/v1/operations",
  tags: { Attention: "Open tasks for staff." },
  schemes: ["token"],
});
addFallbackRoutes(operationsApi);

export const operationsRoutes = operationsApi.routes;

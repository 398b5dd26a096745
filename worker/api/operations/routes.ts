import { createRoute } from "@hono/zod-openapi";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failureResponses, failures } from "#worker/api/failure.ts";
import { failureAnswer } from "#worker/api/failure-messages.ts";
import { closeInterface, newInterface } from "#worker/api/interface.ts";
import { describeInterface, json } from "#worker/api/openapi.ts";
import { listAttention } from "#worker/usecases/operations/list-attention.ts";
import { fromTroubles, operationsAnswer } from "./messages.ts";

const operations = newInterface(toErrorResponse);

operations.routes.openAPIRegistry.registerComponent("securitySchemes", "token", {
  type: "apiKey",
  in: "header",
  name: "Authorization",
  description: "The token of an administrator's login.",
});

operations.routes.openapi(
  createRoute({
    method: "get",
    path: "/",
    summary:
      "What waits for a person: refused field work, unsent mails, integration errors, payments that came too late or do not match",
    security: [{ token: [] }],
    responses: {
      200: json(operationsAnswer, "How much of each, and the last of it"),
      ...failureResponses(json(failureAnswer, "The reason")),
    },
  }),
  async (c) => {
    const request = { tenant: c.var.tenant, authorization: c.req.header("Authorization"), now: c.var.now };
    const read = await listAttention(request);
    if (!read.ok) return toErrorResponse(c, failures[read.error.kind]);
    if (read.value.freshToken) c.header("Authorization", read.value.freshToken);
    const { troubles, currencyDecimals } = read.value.value;
    return c.json(fromTroubles(troubles, currencyDecimals), 200);
  },
);

/** The OpenAPI document of operations. */
export const describeOperations = describeInterface(operations, {
  title: "Operations: what waits for a person",
  basePath: "/api/v1/operations",
  signed: false,
});
closeInterface(operations);

export const operationsRoutes = operations.routes;

import { createRoute } from "@hono/zod-openapi";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import { failureAnswer } from "#worker/api/failure-messages.ts";
import { closeInterface, type Interface, newInterface } from "#worker/api/interface.ts";
import { describeInterface, failuresOf, json } from "#worker/api/openapi.ts";
import { handBackToken } from "#worker/api/signed-in.ts";
import { listAttention } from "#worker/usecases/operations/list-attention.ts";
import { fromAttention, operationsAnswer } from "./messages.ts";

const readAttention = createRoute({
  method: "get",
  path: "/",
  operationId: "listWhatWaits",
  tags: ["Attention"],
  summary:
    "What waits for a person: refused field work, unsent mails, integration errors, payments that came too late or do not match, rentals that are overdue, categories that are short",
  security: [{ token: [] }],
  responses: {
    200: json(operationsAnswer, "How much of each, and the last of it"),
    ...failuresOf(failureAnswer, 401, 403).reading(),
  },
});

/** Registers what waits for a person. */
function registerAttentionRoutes({ routes }: Interface): void {
  routes.openapi(readAttention, async (c) => {
    const request = { tenant: c.get("tenant"), authorization: c.req.header("Authorization"), now: c.get("now") };
    const read = await listAttention(request);
    if (!read.ok) return toErrorResponse(c, failures[read.error.kind]);
    handBackToken(c, read.value.freshToken);
    const { attention, currencyDecimals } = read.value.value;
    return c.json(fromAttention(attention, currencyDecimals), 200);
  });
}

const operations = newInterface(toErrorResponse);
registerAttentionRoutes(operations);

/** The OpenAPI document of operations. */
export const describeOperations = describeInterface(operations, {
  title: "Operations: what waits for a person",
  description: "What an account's administrators look at: work that nobody but a person can settle.",
  basePath: "/api/v1/operations",
  tags: { Attention: "What waits for a person." },
  schemes: ["token"],
});
closeInterface(operations);

export const operationsRoutes = operations.routes;

import { createRoute } from "@hono/zod-openapi";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { listAttentionTasks, markAttentionTaskDone } from "#worker/usecases/operations/office-tasks.ts";
import { attentionAnswer, attentionListQuery, attentionParams, toAttentionMessage } from "./attention-messages.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { idempotencyHeaders, officeFailureResponses, officeSecurity, toOfficeWrite } from "./office-api.ts";

const listRoute = createRoute({
  method: "get",
  path: "/attention",
  operationId: "listAttention",
  tags: ["Attention"],
  summary: "List tasks",
  security: officeSecurity,
  request: { query: attentionListQuery },
  responses: { 200: jsonContent(attentionAnswer, "Open tasks"), ...officeFailureResponses.reading() },
});

const finishTaskRoute = createRoute({
  method: "post",
  path: "/attention/{id}/done",
  operationId: "finishAttention",
  tags: ["Attention"],
  summary: "Dismiss a task",
  security: officeSecurity,
  request: { params: attentionParams, headers: idempotencyHeaders },
  responses: { 200: jsonContent(attentionAnswer, "Remaining open tasks"), ...officeFailureResponses.writing(409) },
});

/** Registers the routes of pending tasks. */
export function registerAttentionRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const listed = await listAttentionTasks(toStaffRequest(c));
    if (!listed.ok) return answerOfficeRefusal(c, listed.error);
    setFreshTokenHeader(c, listed.value.freshToken);
    const { items } = listed.value.value;
    return c.json(toAttentionMessage(items, await loadMessageFormat(c), c.req.valid("query")), 200);
  });
  routes.openapi(finishTaskRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const finishResult = await markAttentionTaskDone(write, c.req.valid("param").id);
    if (!finishResult.ok) return answerOfficeRefusal(c, finishResult.error);
    setFreshTokenHeader(c, finishResult.value.freshToken);
    return c.json(toAttentionMessage(finishResult.value.value.items, await loadMessageFormat(c)), 200);
  });
}

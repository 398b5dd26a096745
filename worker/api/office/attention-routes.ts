import { createRoute } from "@hono/zod-openapi";
import { loadWriting } from "#worker/api/integration/room.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json } from "#worker/api/openapi.ts";
import { returnFreshToken } from "#worker/api/signed-in.ts";
import { dismissTask, listOfficeAttention } from "#worker/usecases/operations/office-tasks.ts";
import { attentionAnswer, attentionParams, toAttentionMessage } from "./attention-messages.ts";
import { refused } from "./errors.ts";
import { fails, idempotent, officeWrite, security, staffRequest } from "./room.ts";

const listRoute = createRoute({
  method: "get",
  path: "/attention",
  operationId: "listAttention",
  tags: ["Attention"],
  summary: "List tasks",
  security,
  responses: { 200: json(attentionAnswer, "Open tasks"), ...fails.reading() },
});

const finishTaskRoute = createRoute({
  method: "post",
  path: "/attention/{id}/done",
  operationId: "finishAttention",
  tags: ["Attention"],
  summary: "Dismiss a task",
  security,
  request: { params: attentionParams, headers: idempotent },
  responses: { 200: json(attentionAnswer, "Remaining open tasks"), ...fails.writing(409) },
});

/** Registers the routes of pending tasks. */
export function registerAttentionRoutes({ routes }: Interface): void {
  routes.openapi(listRoute, async (c) => {
    const listed = await listOfficeAttention(staffRequest(c));
    if (!listed.ok) return refused(c, listed.error);
    returnFreshToken(c, listed.value.freshToken);
    return c.json(toAttentionMessage(listed.value.value.items, await loadWriting(c)), 200);
  });
  routes.openapi(finishTaskRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const finishResult = await dismissTask(write, c.req.valid("param").id);
    if (!finishResult.ok) return refused(c, finishResult.error);
    returnFreshToken(c, finishResult.value.freshToken);
    return c.json(toAttentionMessage(finishResult.value.value.items, await loadWriting(c)), 200);
  });
}

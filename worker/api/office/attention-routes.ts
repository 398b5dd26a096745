import { createRoute } from "@hono/zod-openapi";
import { writingOf } from "#worker/api/integration/room.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json } from "#worker/api/openapi.ts";
import { handBackToken } from "#worker/api/signed-in.ts";
import { finishAttention, listOfficeAttention } from "#worker/usecases/operations/office-attention.ts";
import { attentionAnswer, attentionParams, fromAttention } from "./attention-messages.ts";
import { refused } from "./errors.ts";
import { fails, idempotent, officeWrite, security, staffRequest } from "./room.ts";

const listRoute = createRoute({
  method: "get",
  path: "/attention",
  operationId: "listAttention",
  tags: ["Attention"],
  summary: "All that waits for a person, newest first, each with what mends it",
  security,
  responses: { 200: json(attentionAnswer, "What waits"), ...fails.reading() },
});

const doneRoute = createRoute({
  method: "post",
  path: "/attention/{id}/done",
  operationId: "finishAttention",
  tags: ["Attention"],
  summary: "Says that somebody has looked, where looking is all there is to do",
  security,
  request: { params: attentionParams, headers: idempotent },
  responses: { 200: json(attentionAnswer, "What still waits"), ...fails.writing(409) },
});

/** Registers what waits for a person. */
export function registerAttentionRoutes({ routes }: Interface): void {
  routes.openapi(listRoute, async (c) => {
    const listed = await listOfficeAttention(staffRequest(c));
    if (!listed.ok) return refused(c, listed.error);
    handBackToken(c, listed.value.freshToken);
    return c.json(fromAttention(listed.value.value.items, await writingOf(c)), 200);
  });
  routes.openapi(doneRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const done = await finishAttention(write, c.req.valid("param").id);
    if (!done.ok) return refused(c, done.error);
    handBackToken(c, done.value.freshToken);
    return c.json(fromAttention(done.value.value.items, await writingOf(c)), 200);
  });
}

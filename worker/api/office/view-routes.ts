import { createRoute } from "@hono/zod-openapi";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { returnFreshToken } from "#worker/api/signed-in.ts";
import { createView, deleteView, listViews } from "#worker/usecases/access/views.ts";
import { answerOffice } from "./answers.ts";
import { refused } from "./errors.ts";
import { reservationParams } from "./request-messages.ts";
import { creationMiddlewares, fails, idempotent, officeWrite, security, staffRequest } from "./room.ts";
import * as messages from "./view-messages.ts";

const tags = ["Settings"];

const listRoute = createRoute({
  method: "get",
  path: "/views",
  operationId: "listViews",
  tags,
  summary: "List saved views of lists",
  security,
  responses: { 200: json(messages.viewList, "The user's own and the shared views, by name"), ...fails.reading() },
});

const EXAMPLE = { list: "reservations", name: "Unpaid in Palma", query: "view=unpaid&rental_location_code=PALMA" };

const createViewRoute = createRoute({
  method: "post",
  path: "/views",
  operationId: "createView",
  tags,
  summary: "Save a view of a list",
  security,
  middleware: creationMiddlewares,
  request: { headers: idempotent, body: jsonRequest(messages.viewBody, "The view", EXAMPLE) },
  responses: { 201: json(messages.viewAnswer, "The view"), ...fails.writing(422) },
});

const deleteRoute = createRoute({
  method: "delete",
  path: "/views/{id}",
  operationId: "removeView",
  tags,
  summary: "Delete a saved view as its author or a manager",
  security,
  request: { params: reservationParams, headers: idempotent },
  responses: { 204: { description: "Deleted" }, ...fails.reading(404, 422) },
});

/** Registers the routes of saved views of lists. */
export function registerViewRoutes({ routes }: Interface): void {
  routes.openapi(listRoute, async (c) =>
    answerOffice(
      c,
      await listViews(staffRequest(c)),
      (views) => ({ data: views.map(messages.toListViewMessage) }),
      200,
    ),
  );
  routes.openapi(createViewRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { shared, ...view } = c.req.valid("json");
    const created = await createView(write, { ...view, isShared: shared });
    return answerOffice(c, created, (saved) => ({ view: messages.toListViewMessage(saved) }), 201);
  });
  routes.openapi(deleteRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const deleted = await deleteView(write, c.req.valid("param").id);
    if (!deleted.ok) return refused(c, deleted.error);
    returnFreshToken(c, deleted.value.freshToken);
    return c.body(null, 204);
  });
}

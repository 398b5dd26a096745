import { createRoute } from "@hono/zod-openapi";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { createSavedView, deleteSavedView, listOwnAndSharedViews } from "#worker/usecases/access/saved-views.ts";
import { answerOffice } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  toOfficeWrite,
} from "./office-api.ts";
import { reservationParams } from "./request-messages.ts";
import * as messages from "./view-messages.ts";

const tags = ["Settings"];

const listRoute = createRoute({
  method: "get",
  path: "/views",
  operationId: "listViews",
  tags,
  summary: "List saved views of lists",
  security: officeSecurity,
  responses: {
    200: jsonContent(messages.savedViewList, "The user's own and the shared views, by name"),
    ...officeFailureResponses.reading(),
  },
});

const EXAMPLE = { list: "reservations", name: "Unpaid in Palma", query: "view=unpaid&rental_location_code=PALMA" };

const createViewRoute = createRoute({
  method: "post",
  path: "/views",
  operationId: "createView",
  tags,
  summary: "Save a view of a list",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: { headers: idempotencyHeaders, body: jsonRequest(messages.savedViewBody, "The view", EXAMPLE) },
  responses: { 201: jsonContent(messages.savedViewAnswer, "The view"), ...officeFailureResponses.writing(422) },
});

const deleteRoute = createRoute({
  method: "delete",
  path: "/views/{id}",
  operationId: "removeView",
  tags,
  summary: "Delete a saved view as its author or a manager",
  security: officeSecurity,
  request: { params: reservationParams, headers: idempotencyHeaders },
  responses: { 204: { description: "Deleted" }, ...officeFailureResponses.reading(404, 422) },
});

/** Registers the routes of saved views of lists. */
export function registerSavedViewRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) =>
    answerOffice(
      c,
      await listOwnAndSharedViews(toStaffRequest(c)),
      (views) => ({ data: views.map(messages.toSavedViewMessage) }),
      200,
    ),
  );
  routes.openapi(createViewRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { shared, ...view } = c.req.valid("json");
    const created = await createSavedView(write, { ...view, isShared: shared });
    return answerOffice(c, created, (listView) => ({ view: messages.toSavedViewMessage(listView) }), 201);
  });
  routes.openapi(deleteRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const deleted = await deleteSavedView(write, c.req.valid("param").id);
    if (!deleted.ok) return answerOfficeRefusal(c, deleted.error);
    setFreshTokenHeader(c, deleted.value.freshToken);
    return c.body(null, 204);
  });
}

import { createRoute } from "@hono/zod-openapi";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  toOfficeWrite,
} from "#worker/api/office/office-api.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { setFreshTokenHeader } from "#worker/api/signed-in.ts";
import { copySeasonOnce, undoSeasonCopy } from "#worker/usecases/catalogue/resources/copy-season.ts";
import { toResourceErrorResponse } from "./resource-errors.ts";
import * as messages from "./season-copy-messages.ts";

const SEASONS: Resource = getResource("seasons");

const copyRoute = createRoute({
  method: "post",
  path: "/seasons/{id}/copy",
  operationId: "copySeason",
  tags: ["Prices"],
  summary: "Copy a season to another year, with its prices and selling rules",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: messages.seasonParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.seasonCopyBody, "The year", { year: 2090 }),
  },
  responses: {
    201: jsonContent(messages.seasonCopyAnswer, "The copy"),
    ...officeFailureResponses.writing(404, 422),
    409: jsonContent(messages.seasonCopyConflictAnswer, "Another season has the name"),
  },
});

const undoRoute = createRoute({
  method: "delete",
  path: "/seasons/{id}/copy",
  operationId: "undoSeasonCopy",
  tags: ["Prices"],
  summary: "Undo the copy of a season",
  description: "Removes the copied season with its prices and selling rules, unless any of them has changed since.",
  security: officeSecurity,
  request: { params: messages.seasonParams, headers: idempotencyHeaders },
  responses: {
    204: { description: "The copy is removed" },
    ...officeFailureResponses.reading(404, 422),
    409: jsonContent(messages.seasonCopyConflictAnswer, "The copy has changed since"),
  },
});

/** Registers the routes that copy a season and undo the copy. */
export function registerSeasonCopyRoutes({ routes }: ApiRoutes): void {
  routes.openapi(copyRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { year, name } = c.req.valid("json");
    const copied = await copySeasonOnce(write, { id: c.req.valid("param").id, year, name });
    if (!copied.ok) return toResourceErrorResponse(c, SEASONS, copied.error);
    setFreshTokenHeader(c, copied.value.freshToken);
    return c.json(messages.toSeasonCopyMessage(copied.value.value), 201);
  });
  routes.openapi(undoRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const undone = await undoSeasonCopy(write, c.req.valid("param").id);
    if (!undone.ok) return toResourceErrorResponse(c, SEASONS, undone.error);
    setFreshTokenHeader(c, undone.value.freshToken);
    return c.body(null, 204);
  });
}

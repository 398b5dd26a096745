import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { answerOffice } from "#worker/api/office/answers.ts";
import { officeFailureResponses, officeSecurity } from "#worker/api/office/office-api.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { listResourceChanges } from "#worker/usecases/catalogue/resources/list-changes.ts";
import * as messages from "./change-messages.ts";

const listRoute = createRoute({
  method: "get",
  path: "/changes",
  operationId: "listChanges",
  tags: ["Settings"],
  summary: "List changes of all resources",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.resourceChangesQuery },
  responses: {
    200: jsonContent(messages.resourceChangesAnswer, "A page of the list"),
    ...officeFailureResponses.reading(),
  },
});

/** Registers the route by which managers read the change history. */
export function registerResourceChangeRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const { resource, user_id: userId, date_from: dateFrom, date_to: dateTo, ...page } = c.req.valid("query");
    const filter = { resource, userId, dateFrom, dateTo, after: page.after, pageSize: page.page_size };
    return answerOffice(
      c,
      await listResourceChanges(toStaffRequest(c), filter),
      messages.toResourceChangesMessage,
      200,
    );
  });
}

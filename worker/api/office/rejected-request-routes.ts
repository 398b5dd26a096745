import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { listRejectedRequests } from "#worker/usecases/access/list-rejected-requests.ts";
import { answerOffice } from "./answers.ts";
import { officeFailureResponses, officeSecurity } from "./office-api.ts";
import * as messages from "./rejected-request-messages.ts";

const listRoute = createRoute({
  method: "get",
  path: "/rejected-requests",
  operationId: "listRejectedRequests",
  tags: ["Security"],
  summary: "List rejected requests of partners and websites",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.rejectedRequestsQuery },
  responses: {
    200: jsonContent(messages.rejectedRequestsAnswer, "A page of the list"),
    ...officeFailureResponses.reading(),
  },
});

/** Registers the route by which managers read rejected partner requests. */
export function registerRejectedRequestRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const {
      agency_id: agencyId,
      date_from: dateFrom,
      date_to: dateTo,
      page_size: pageSize,
      ...query
    } = c.req.valid("query");
    const filter = { ...query, agencyId, dateFrom, dateTo, pageSize };
    return answerOffice(
      c,
      await listRejectedRequests(toStaffRequest(c), filter),
      messages.toRejectedRequestsMessage,
      200,
    );
  });
}

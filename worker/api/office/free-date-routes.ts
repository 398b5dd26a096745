import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { readNextFreeDates } from "#worker/usecases/bookings/read-free-dates.ts";
import { answerOffice } from "./answers.ts";
import { nextFreeDatesAnswer, nextFreeDatesQuery, toNextFreeDatesMessage } from "./free-date-messages.ts";
import { officeFailureResponses, officeSecurity } from "./office-api.ts";

const freeDatesRoute = createRoute({
  method: "get",
  path: "/free-dates",
  operationId: "listFreeDates",
  tags: ["Reservations"],
  summary: "List the next free date of each category",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: nextFreeDatesQuery },
  responses: { 200: jsonContent(nextFreeDatesAnswer, "One row per category"), ...officeFailureResponses.reading() },
});

/** Registers the route that finds when sold-out categories are free again. */
export function registerFreeDateRoutes({ routes }: ApiRoutes): void {
  routes.openapi(freeDatesRoute, async (c) => {
    const query = c.req.valid("query");
    const read = await readNextFreeDates(toStaffRequest(c), {
      period: {
        ...{ dateFrom: query.date_from, timeFrom: query.time_from },
        ...{ dateTo: query.date_to, timeTo: query.time_to },
      },
      pickupPlaceId: query.pickup_place,
      returnPlaceId: query.return_place ?? query.pickup_place,
      quantity: query.quantity,
    });
    return answerOffice(c, read, toNextFreeDatesMessage, 200);
  });
}

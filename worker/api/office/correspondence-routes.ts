import { createRoute } from "@hono/zod-openapi";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { readCorrespondence } from "#worker/usecases/contracts/read-correspondence.ts";
import { answerOffice } from "./answers.ts";
import * as messages from "./correspondence-messages.ts";
import { officeFailureResponses, officeSecurity } from "./office-api.ts";
import { reservationParams } from "./request-messages.ts";

const readRoute = createRoute({
  method: "get",
  path: "/reservations/{id}/correspondence",
  operationId: "showCorrespondence",
  tags: ["Reservations"],
  summary: "List emails and gateway messages of a reservation",
  security: officeSecurity,
  request: { params: reservationParams },
  responses: {
    200: jsonContent(messages.correspondenceAnswer, "Its mails and payments"),
    ...officeFailureResponses.reading(404),
  },
});

/** Registers the routes for messages sent about a reservation to people and gateways. */
export function registerCorrespondenceRoutes({ routes }: ApiRoutes): void {
  routes.openapi(readRoute, async (c) =>
    answerOffice(
      c,
      await readCorrespondence(toStaffRequest(c), c.req.valid("param").id),
      messages.toCorrespondenceMessage,
      200,
    ),
  );
}

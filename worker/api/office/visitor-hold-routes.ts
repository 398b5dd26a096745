import { createRoute, z } from "@hono/zod-openapi";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { textLineSchema } from "#worker/api/primitives.ts";
import { endUnpaidVisitorHolds } from "#worker/usecases/bookings/end-holds.ts";
import { answerOffice } from "./answers.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  toOfficeWrite,
} from "./office-api.ts";

const body = z.strictObject({
  reservation_id: z.int("must be the number of a reservation").min(1).meta({ example: 1 }),
  reason: textLineSchema(200).meta({ example: "Suspected abuse" }),
});

const ended = z.object({ ended: z.array(z.int()).meta({ description: "The reservations whose holds ended" }) });

const endRoute = createRoute({
  method: "post",
  path: "/holds/end",
  operationId: "endHolds",
  tags: ["Attention"],
  summary: "End unpaid holds of a visitor",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(body, "One of the holds", { reservation_id: 1, reason: "Nobody who would rent" }),
  },
  responses: {
    200: jsonContent(ended, "Cancelled as expired", { ended: [1] }),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

/** Registers the route that ends unpaid holds. */
export function registerVisitorHoldRoutes({ routes }: ApiRoutes): void {
  routes.openapi(endRoute, async (c) => {
    const { reservation_id: bookingId, reason } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const endResult = await endUnpaidVisitorHolds(write, { bookingId, reason });
    return answerOffice(c, endResult, (ended) => ({ ended: [...ended] }), 200);
  });
}

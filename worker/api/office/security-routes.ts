import { createRoute } from "@hono/zod-openapi";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { listSecurityEvents } from "#worker/usecases/access/list-security-events.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { officeFailureResponses, officeSecurity } from "./office-api.ts";
import * as messages from "./security-messages.ts";

const tags = ["Security"];

const listRoute = createRoute({
  method: "get",
  path: "/security-events",
  operationId: "listSecurityEvents",
  ...declareStepUp("people"),
  tags,
  summary: "List security events",
  security: officeSecurity,
  request: { query: messages.securityEventsQuery },
  responses: {
    200: jsonContent(messages.securityEventsAnswer, "A page of the list"),
    ...officeFailureResponses.reading(),
  },
});

/** Registers the route by which administrators read security events. */
export function registerSecurityRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const { page_size: pageSize, after, ...filters } = c.req.valid("query");
    const filter = { ...messages.toSecurityEventFilters(filters), pageSize, after };
    const read = await listSecurityEvents(toStaffRequest(c), filter);
    if (!read.ok) return answerOfficeRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    return c.json(messages.toSecurityEventsMessage(read.value.value), 200);
  });
}

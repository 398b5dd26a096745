import { createRoute } from "@hono/zod-openapi";
import type { Interface } from "#worker/api/interface.ts";
import { json } from "#worker/api/openapi.ts";
import { returnFreshToken } from "#worker/api/signed-in.ts";
import { stepUp } from "#worker/api/step-up.ts";
import { exportSecurityEvents, listSecurityEvents } from "#worker/usecases/access/list-security-events.ts";
import { refused } from "./errors.ts";
import { fails, security, staffRequest } from "./room.ts";
import * as messages from "./security-messages.ts";

const tags = ["Security"];

const listRoute = createRoute({
  method: "get",
  path: "/security-events",
  operationId: "listSecurityEvents",
  ...stepUp("people"),
  tags,
  summary: "List security events",
  security,
  request: { query: messages.securityEventsQuery },
  responses: { 200: json(messages.securityEventsAnswer, "A page of the list"), ...fails.reading() },
});

const exportRoute = createRoute({
  method: "get",
  path: "/security-events.csv",
  operationId: "exportSecurityEvents",
  ...stepUp("people"),
  tags,
  summary: "Export security events as a table",
  security,
  request: { query: messages.securityExportQuery },
  responses: {
    200: { description: "CSV by RFC 4180", content: { "text/csv": { schema: { type: "string" } } } },
    ...fails.reading(),
  },
});

/** Registers the route by which administrators read security events. */
export function registerSecurityRoutes({ routes }: Interface): void {
  routes.openapi(listRoute, async (c) => {
    const { page_size: pageSize, after, ...filters } = c.req.valid("query");
    const question = { ...messages.toEventQueryInput(filters), pageSize, after };
    const read = await listSecurityEvents(staffRequest(c), question);
    if (!read.ok) return refused(c, read.error);
    returnFreshToken(c, read.value.freshToken);
    return c.json(messages.toSecurityEventsMessage(read.value.value), 200);
  });
  routes.openapi(exportRoute, async (c) => {
    const read = await exportSecurityEvents(staffRequest(c), messages.toEventQueryInput(c.req.valid("query")));
    if (!read.ok) return refused(c, read.error);
    returnFreshToken(c, read.value.freshToken);
    c.header("Content-Disposition", 'attachment; filename="security-events.csv"');
    return c.body(messages.toSecurityCsv(read.value.value), 200, { "Content-Type": "text/csv; charset=utf-8" });
  });
}

import { createRoute, z } from "@hono/zod-openapi";
import { fromSessions, sessionList } from "#worker/api/customer-access/session-messages.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { endStaffSession, listStaffSessions } from "#worker/usecases/access/staff-sessions.ts";
import { answerOffice } from "./answers.ts";
import { fails, idempotent, officeWrite, security, staffRequest, writing } from "./room.ts";

const tags = ["Security"];

const listRoute = createRoute({
  method: "get",
  path: "/sessions",
  operationId: "listStaffSessions",
  tags,
  summary: "Where the company's people are signed in, and on what",
  security,
  responses: { 200: json(sessionList, "The sessions, the one used last first"), ...fails.reading() },
});

const endRoute = createRoute({
  method: "post",
  path: "/sessions/{id}/end",
  operationId: "endStaffSession",
  tags,
  summary: "Ends a session; with forget, its device is lost and forgets what it keeps when it next asks for anything",
  security,
  middleware: writing,
  request: {
    params: z.object({ id: z.string().max(64).meta({ example: "9f0c2d1e4b5a69788796a5b4c3d2e1f0" }) }),
    headers: idempotent,
    body: jsonRequest(z.strictObject({ forget: z.boolean().optional() }), "Whether it is lost", { forget: true }),
  },
  responses: {
    200: json(z.object({ ended: z.literal(true) }), "It has ended", { ended: true }),
    ...fails.writing(422),
  },
});

/** Registers the devices of the company's people. */
export function registerStaffSessionRoutes({ routes }: Interface): void {
  routes.openapi(listRoute, async (c) => {
    const listed = await listStaffSessions(staffRequest(c));
    return answerOffice(c, listed, ({ sessions, current }) => fromSessions(sessions, current), 200);
  });
  routes.openapi(endRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { forget = false } = c.req.valid("json");
    const ended = await endStaffSession(write, { id: c.req.valid("param").id, forgets: forget });
    return answerOffice(c, ended, () => ({ ended: true as const }), 200);
  });
}

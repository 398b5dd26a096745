import { createRoute, z } from "@hono/zod-openapi";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { sessionList, toSessionsMessage } from "#worker/api/customer-access/session-messages.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, optionalJsonRequest } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { endStaffSession, listAllStaffSessions } from "#worker/usecases/access/staff-sessions.ts";
import { inviteUserAgain } from "#worker/usecases/catalogue/resources/invite-user.ts";
import { resetStaffSecondFactors } from "#worker/usecases/catalogue/resources/reset-second-factors.ts";
import { answerOffice } from "./answers.ts";
import {
  idempotencyHeaders,
  officeFailureResponses,
  officeOptionalBodyMiddlewares,
  officeSecurity,
  toOfficeWrite,
} from "./office-api.ts";
import { toResourceErrorResponse } from "./resources/resource-errors.ts";
import { removedFactorsAnswer } from "./security-messages.ts";

const USERS = getResource("users");
const tags = ["Security"];

const listRoute = createRoute({
  method: "get",
  path: "/sessions",
  operationId: "listStaffSessions",
  tags,
  summary: "List staff sessions",
  security: officeSecurity,
  responses: {
    200: jsonContent(sessionList, "The sessions, the one used last first"),
    ...officeFailureResponses.reading(),
  },
});

const endRoute = createRoute({
  method: "post",
  path: "/sessions/{id}/end",
  operationId: "endStaffSession",
  ...declareStepUp("access"),
  tags,
  summary: "End a staff session",
  security: officeSecurity,
  middleware: officeOptionalBodyMiddlewares,
  request: {
    params: z.object({ id: z.string().max(64).meta({ example: "9f0c2d1e4b5a69788796a5b4c3d2e1f0" }) }),
    headers: idempotencyHeaders,
    body: optionalJsonRequest(z.strictObject({ forget: z.boolean().optional() }), "Whether it is lost", {
      forget: true,
    }),
  },
  responses: {
    200: jsonContent(z.object({ ended: z.literal(true) }), "The session has ended", { ended: true }),
    ...officeFailureResponses.writing(422),
  },
});

const resetFactorsRoute = createRoute({
  method: "post",
  path: "/users/{id}/forget-factors",
  operationId: "forgetStaffFactors",
  ...declareStepUp("access"),
  tags,
  summary: "Reset a user's two-factor authentication",
  security: officeSecurity,
  request: {
    params: z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ example: 2 }) }),
    headers: idempotencyHeaders,
  },
  responses: {
    200: jsonContent(removedFactorsAnswer, "Number of removed second factors", { forgotten: 1 }),
    ...officeFailureResponses.reading(404, 422),
  },
});

const invitationRoute = createRoute({
  method: "post",
  path: "/users/{id}/invitation",
  operationId: "inviteStaffAgain",
  ...declareStepUp("access"),
  tags,
  summary: "Invite a user again by mail to choose a password",
  security: officeSecurity,
  request: {
    params: z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ example: 2 }) }),
    headers: idempotencyHeaders,
  },
  responses: {
    200: jsonContent(z.object({ invited: z.literal(true) }), "The mail is on its way", { invited: true }),
    ...officeFailureResponses.reading(404, 422),
  },
});

/** Registers the routes to list and end staff sessions, reset second factors and invite users again. */
export function registerStaffSessionRoutes({ routes }: ApiRoutes): void {
  routes.openapi(resetFactorsRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const resetResult = await resetStaffSecondFactors(write, c.req.valid("param").id);
    if (!resetResult.ok) return toResourceErrorResponse(c, USERS, resetResult.error);
    setFreshTokenHeader(c, resetResult.value.freshToken);
    return c.json({ forgotten: resetResult.value.value }, 200);
  });
  routes.openapi(invitationRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const invited = await inviteUserAgain(write, c.req.valid("param").id);
    if (!invited.ok) return toResourceErrorResponse(c, USERS, invited.error);
    setFreshTokenHeader(c, invited.value.freshToken);
    return c.json({ invited: true as const }, 200);
  });
  routes.openapi(listRoute, async (c) => {
    const listed = await listAllStaffSessions(toStaffRequest(c));
    return answerOffice(c, listed, ({ sessions, current }) => toSessionsMessage(sessions, current), 200);
  });
  routes.openapi(endRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { forget = false } = c.req.valid("json");
    const ended = await endStaffSession(write, { id: c.req.valid("param").id, forgets: forget });
    return answerOffice(c, ended, () => ({ ended: true as const }), 200);
  });
}

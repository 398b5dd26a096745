import { createRoute, z } from "@hono/zod-openapi";
import { failures } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import { ALL_ROLES, CUSTOMER_ROLES, requireSignedInRole } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { endOwnSessions, listOwnSessions } from "#worker/usecases/access/own-sessions.ts";
import { requestEmailVerification, verifyEmail } from "#worker/usecases/access/verify-email.ts";
import {
  accessSecurity,
  limitAttemptsAndBodySize,
  publicFailureResponses,
  runAfterResponse,
  signedInFailureResponses,
} from "./access-api.ts";
import { toAccessErrorResponse } from "./errors.ts";
import * as messages from "./messages.ts";
import { sessionList, toSessionsMessage } from "./session-messages.ts";

const tags = ["Sessions"];
const ended = jsonContent(z.object({ ended: z.int() }), "How many sessions ended", { ended: 1 });

const listRoute = createRoute({
  method: "get",
  path: "/sessions",
  operationId: "listSessions",
  tags,
  summary: "List active sessions",
  security: accessSecurity,
  middleware: [requireSignedInRole(ALL_ROLES, toAccessErrorResponse, { isSettingUp: true })],
  responses: {
    200: jsonContent(sessionList, "The sessions, the one used last first"),
    ...signedInFailureResponses.reading(),
  },
});

const endAllRoute = createRoute({
  method: "delete",
  path: "/sessions",
  operationId: "signOutEverywhere",
  ...declareStepUp("access"),
  tags,
  summary: "Sign out on all devices",
  security: accessSecurity,
  middleware: [requireSignedInRole(ALL_ROLES, toAccessErrorResponse, { isSettingUp: true })],
  responses: { 200: ended, ...signedInFailureResponses.reading() },
});

const endRoute = createRoute({
  method: "delete",
  path: "/sessions/{id}",
  operationId: "endSession",
  ...declareStepUp("access"),
  tags,
  summary: "Revoke a session",
  security: accessSecurity,
  middleware: [requireSignedInRole(ALL_ROLES, toAccessErrorResponse, { isSettingUp: true })],
  request: { params: z.object({ id: z.string().max(64).meta({ example: "9f0c2d1e4b5a69788796a5b4c3d2e1f0" }) }) },
  responses: { 200: ended, ...signedInFailureResponses.reading() },
});

const verifyRoute = createRoute({
  method: "post",
  path: "/web-customer/verify-email",
  operationId: "verifyEmail",
  tags: ["Customers"],
  summary: "Confirm an email address",
  security: [],
  middleware: [...limitAttemptsAndBodySize("change"), requireJsonBody(toAccessErrorResponse)],
  request: {
    body: jsonRequest(messages.emailVerificationBody, "The link", {
      verification: "the-value-of-id-in-the-mailed-link",
    }),
  },
  responses: {
    200: jsonContent(messages.booleanAnswer, "false: the link is unknown or expired", false),
    ...publicFailureResponses.writing(429),
  },
});

const askAgainRoute = createRoute({
  method: "post",
  path: "/web-customer/verification",
  operationId: "requestVerification",
  tags: ["Customers"],
  summary: "Resend the verification email",
  security: accessSecurity,
  middleware: [requireSignedInRole(CUSTOMER_ROLES, toAccessErrorResponse), limitBodySize(toAccessErrorResponse)],
  responses: { 200: jsonContent(messages.booleanAnswer, "true", true), ...signedInFailureResponses.writing() },
});

/** Registers the routes to list and end one's own sessions, and to verify an email address. */
export function registerSessionRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const { tenant, signedIn: person, now } = c.var;
    return c.json(toSessionsMessage(await listOwnSessions(tenant, person, now), person.sessionId), 200);
  });
  routes.openapi(endAllRoute, async (c) => {
    const { tenant, signedIn: person, factor, now } = c.var;
    if (factor === "stale") return toAccessErrorResponse(c, failures.secondFactorStale);
    return c.json({ ended: await endOwnSessions(tenant, person, undefined, now) }, 200);
  });
  routes.openapi(endRoute, async (c) => {
    const { tenant, signedIn: person, factor, now } = c.var;
    if (factor === "stale") return toAccessErrorResponse(c, failures.secondFactorStale);
    return c.json({ ended: await endOwnSessions(tenant, person, c.req.valid("param").id, now) }, 200);
  });
  routes.openapi(verifyRoute, async (c) => {
    return c.json(await verifyEmail(c.get("tenant"), c.req.valid("json").verification, c.get("now")), 200);
  });
  routes.openapi(askAgainRoute, async (c) => {
    const { tenant, signedIn: person, now } = c.var;
    const { email = "" } = person.customer ?? {};
    runAfterResponse(c, await requestEmailVerification(tenant, email, { now, language: person.language }));
    return c.json(true, 200);
  });
}

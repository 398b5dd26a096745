import { createRoute } from "@hono/zod-openapi";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { changeOwnSettings } from "#worker/usecases/access/own-settings.ts";
import { answerOffice } from "./answers.ts";
import {
  idempotencyHeaders,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import { ownSettingsAnswer, ownSettingsBody } from "./own-settings-messages.ts";

const changeRoute = createRoute({
  method: "patch",
  path: "/me",
  operationId: "changeOwnSettings",
  tags: ["Security"],
  summary: "Change one's own settings",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: { headers: idempotencyHeaders, body: jsonRequest(ownSettingsBody, "The settings", { language: "en" }) },
  responses: {
    200: jsonContent(ownSettingsAnswer, "The settings as they are now"),
    ...officeFailureResponses.writing(422),
  },
});

/** Registers the route of the signed-in user's own settings. */
export function registerOwnSettingsRoutes({ routes }: ApiRoutes): void {
  routes.openapi(changeRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { language, theme } = c.req.valid("json");
    const settings = { ...(language !== undefined && { language }), ...(theme !== undefined && { theme }) };
    return answerOffice(c, await changeOwnSettings(write, settings), (stored) => stored, 200);
  });
}

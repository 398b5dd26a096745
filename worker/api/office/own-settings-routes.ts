import { createRoute, z } from "@hono/zod-openapi";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { changeOwnSettings } from "#worker/usecases/access/own-settings.ts";
import { answerOffice } from "./answers.ts";
import { fails, idempotent, officeWrite, security, writing } from "./room.ts";

const ownSettings = z
  .strictObject({
    language: z
      .enum(PLATFORM_LANGUAGES, `must be one of ${PLATFORM_LANGUAGES.join(", ")}`)
      .nullable()
      .meta({ description: "Language of the office and the check-in app. null: the browser's or the company's" }),
  })
  .meta({ id: "OwnSettings" });

const changeRoute = createRoute({
  method: "patch",
  path: "/me",
  operationId: "changeOwnSettings",
  tags: ["Security"],
  summary: "Change one's own settings",
  security,
  middleware: writing,
  request: { headers: idempotent, body: jsonRequest(ownSettings, "The settings", { language: "en" }) },
  responses: { 200: json(ownSettings, "The settings as they are now"), ...fails.writing(422) },
});

/** Registers the route of the signed-in user's own settings. */
export function registerOwnSettingsRoutes({ routes }: Interface): void {
  routes.openapi(changeRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { language } = c.req.valid("json");
    const changed = await changeOwnSettings(write, { language: language ?? undefined });
    return answerOffice(c, changed, (settings) => ({ language: settings.language ?? null }), 200);
  });
}

import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { type ApiRoutes, answerFailure } from "#worker/api/interface.ts";
import {
  idempotencyHeaders,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "#worker/api/office/office-api.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import {
  changeLetterhead,
  type LetterheadRefusal,
  readLetterhead,
} from "#worker/usecases/catalogue/resources/letterhead.ts";
import * as messages from "./letterhead-messages.ts";
import { toResourceErrorResponse } from "./resource-errors.ts";

const readRoute = createRoute({
  method: "get",
  path: "/letterhead",
  operationId: "showLetterhead",
  tags: ["Settings"],
  summary: "Retrieve the logo, colour and footer of the company",
  security: officeSecurity,
  responses: { 200: jsonContent(messages.letterheadAnswer, "The letterhead"), ...officeFailureResponses.reading() },
});

const changeRoute = createRoute({
  method: "put",
  path: "/letterhead",
  operationId: "changeLetterhead",
  tags: ["Settings"],
  summary: "Change the logo, colour or footer of the company",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.letterheadBody, "What changes", { expected_version: 1, color: "#0b6e69" }),
  },
  responses: {
    200: jsonContent(messages.letterheadAnswer, "The letterhead as it is now"),
    ...officeFailureResponses.writing(422),
    409: jsonContent(messages.letterheadConflictAnswer, "The letterhead has changed. Contains the current one"),
  },
});

const LETTERHEAD_CHANGED_FAILURE = {
  status: 409,
  code: "changed_meanwhile",
  message: "expected_version: version conflict, the resource was modified",
} as const;

/** Registers the routes of the company's logo, colour and footer for printed documents and mails. */
export function registerLetterheadRoutes({ routes }: ApiRoutes): void {
  routes.openapi(readRoute, async (c) => {
    const read = await readLetterhead(toStaffRequest(c));
    if (!read.ok) return refuse(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    return c.json({ letterhead: read.value.value }, 200);
  });
  routes.openapi(changeRoute, async (c) => {
    const { expected_version: expectedVersion, color, foot, logo } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const changed = await changeLetterhead(write, {
      expectedVersion,
      ...(color !== undefined && { color }),
      ...(foot !== undefined && { foot }),
      ...(logo !== undefined && { logo }),
    });
    if (!changed.ok) return refuse(c, changed.error);
    setFreshTokenHeader(c, changed.value.freshToken);
    return c.json({ letterhead: changed.value.value }, 200);
  });
}

function refuse(c: Context<AppEnvironment>, refusal: LetterheadRefusal) {
  if (refusal.kind !== "letterheadChanged") return toResourceErrorResponse(c, getResource("settings"), refusal);
  const detail = [{ field: "expected_version", message: "is not the version any more" }];
  return answerFailure(
    c,
    {
      error: LETTERHEAD_CHANGED_FAILURE.message,
      code: LETTERHEAD_CHANGED_FAILURE.code,
      detail,
      letterhead: refusal.letterhead,
    },
    LETTERHEAD_CHANGED_FAILURE,
  );
}

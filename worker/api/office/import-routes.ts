import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import { requireSignedToken, setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import {
  checkImport,
  importFilesOnce,
  listImportableTables,
  listImports,
  readImportTemplates,
  undoImportOnce,
} from "#worker/usecases/operations/office-imports.ts";
import { answerOffice } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import * as messages from "./import-messages.ts";
import { idempotencyHeaders, officeFailureResponses, officeSecurity, toOfficeWrite } from "./office-api.ts";

const tags = ["Imports"];
/** Maximum size of a request with files in base64, about 6 MB decoded. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const withFiles = [
  requireSignedToken(toErrorResponse),
  limitBodySize(toErrorResponse, MAX_BODY_BYTES),
  requireJsonBody(toErrorResponse),
];
const body = jsonRequest(messages.importBody, "The files, at most 5,000 rows, and what is known of them", {
  files: [{ name: "seasons.csv", content: "bmFtZQpXaW50ZXIgMjAyOApTdW1tZXIgMjAyOAo=" }],
});

const listRoute = createRoute({
  method: "get",
  path: "/imports",
  operationId: "listImports",
  tags,
  summary: "List imports",
  security: officeSecurity,
  responses: { 200: jsonContent(messages.importList, "The last 50 imports"), ...officeFailureResponses.reading() },
});

const tablesRoute = createRoute({
  method: "get",
  path: "/imports/tables",
  operationId: "listImportTables",
  tags,
  summary: "List import tables and fields",
  security: officeSecurity,
  responses: { 200: jsonContent(messages.importableTablesAnswer, "The tables"), ...officeFailureResponses.reading() },
});

const templatesRoute = createRoute({
  method: "get",
  path: "/imports/templates.zip",
  operationId: "readImportTemplates",
  tags,
  summary: "Download import templates",
  security: officeSecurity,
  responses: {
    200: {
      description: "A zip of CSV files",
      content: { "application/zip": { schema: z.string().meta({ format: "binary" }) } },
    },
    ...officeFailureResponses.reading(),
  },
});

const checkRoute = createRoute({
  method: "post",
  path: "/imports/check",
  operationId: "checkImport",
  tags,
  summary: "Check an import without saving",
  security: officeSecurity,
  middleware: withFiles,
  request: { body },
  responses: {
    200: jsonContent(messages.importCheckAnswer, "Result of the check"),
    ...officeFailureResponses.writing(409, 422),
  },
});

const importRoute = createRoute({
  method: "post",
  path: "/imports",
  operationId: "importFiles",
  ...declareStepUp("people"),
  tags,
  summary: "Import files",
  security: officeSecurity,
  middleware: withFiles,
  request: { headers: idempotencyHeaders, body },
  responses: {
    200: jsonContent(messages.importRecordSchema, "What was imported"),
    ...officeFailureResponses.writing(409, 422),
  },
});

const undoRoute = createRoute({
  method: "post",
  path: "/imports/{id}/undo",
  operationId: "undoImport",
  ...declareStepUp("people"),
  tags,
  summary: "Undo the last import",
  security: officeSecurity,
  middleware: [requireSignedToken(toErrorResponse)],
  request: { params: messages.importParams, headers: idempotencyHeaders },
  responses: {
    200: jsonContent(messages.importRecordSchema, "The undone import"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

/** Registers the routes with which administrators import files. */
export function registerImportRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) =>
    answerOffice(
      c,
      await listImports(toStaffRequest(c)),
      (list, messageFormat) => ({
        data: list.map((rememberedImport) => messages.toImportMessage(rememberedImport, messageFormat)),
      }),
      200,
    ),
  );
  routes.openapi(tablesRoute, async (c) =>
    answerOffice(c, await listImportableTables(toStaffRequest(c)), messages.toImportableTablesMessage, 200),
  );
  routes.openapi(templatesRoute, async (c) => {
    const read = await readImportTemplates(toStaffRequest(c));
    if (!read.ok) return answerOfficeRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    c.header("Content-Disposition", 'attachment; filename="templates.zip"');
    return c.body(read.value.value, 200, { "Content-Type": "application/zip" });
  });
  routes.openapi(checkRoute, async (c) => {
    const importFiles = messages.toImportFiles(c.req.valid("json"));
    return answerOffice(c, await checkImport(toStaffRequest(c), importFiles), messages.toImportCheckMessage, 200);
  });
  routes.openapi(importRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(
      c,
      await importFilesOnce(write, messages.toImportFiles(c.req.valid("json"))),
      messages.toImportMessage,
      200,
    );
  });
  routes.openapi(undoRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(c, await undoImportOnce(write, c.req.valid("param").id), messages.toImportMessage, 200);
  });
}

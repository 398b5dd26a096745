import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { bodyCap, jsonBody } from "#worker/api/request-body.ts";
import { returnFreshToken, tokenFirst } from "#worker/api/signed-in.ts";
import { stepUp } from "#worker/api/step-up.ts";
import {
  checkImport,
  importFiles,
  listImports,
  readImportTables,
  readImportTemplates,
  undoImportOnce,
} from "#worker/usecases/operations/office-imports.ts";
import { answerOffice } from "./answers.ts";
import { refused } from "./errors.ts";
import * as messages from "./import-messages.ts";
import { fails, idempotent, officeWrite, security, staffRequest } from "./room.ts";

const tags = ["Imports"];
/** Maximum size of a request with files in base64, about 6 MB decoded. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const withFiles = [tokenFirst(toErrorResponse), bodyCap(toErrorResponse, MAX_BODY_BYTES), jsonBody(toErrorResponse)];
const body = jsonRequest(messages.importBody, "The files, at most 5,000 rows, and what is known of them", {
  files: [{ name: "seasons.csv", content: "bmFtZQpXaW50ZXIgMjAyOApTdW1tZXIgMjAyOAo=" }],
});

const listRoute = createRoute({
  method: "get",
  path: "/imports",
  operationId: "listImports",
  tags,
  summary: "List imports",
  security,
  responses: { 200: json(messages.importList, "The last 50 imports"), ...fails.reading() },
});

const tablesRoute = createRoute({
  method: "get",
  path: "/imports/tables",
  operationId: "listImportTables",
  tags,
  summary: "List import tables and fields",
  security,
  responses: { 200: json(messages.importTables, "The tables"), ...fails.reading() },
});

const templatesRoute = createRoute({
  method: "get",
  path: "/imports/templates.zip",
  operationId: "readImportTemplates",
  tags,
  summary: "Download import templates",
  security,
  responses: {
    200: {
      description: "A zip of CSV files",
      content: { "application/zip": { schema: z.string().meta({ format: "binary" }) } },
    },
    ...fails.reading(),
  },
});

const checkRoute = createRoute({
  method: "post",
  path: "/imports/check",
  operationId: "checkImport",
  tags,
  summary: "Check an import without saving",
  security,
  middleware: withFiles,
  request: { body },
  responses: { 200: json(messages.importCheck, "Result of the check"), ...fails.writing(409, 422) },
});

const importRoute = createRoute({
  method: "post",
  path: "/imports",
  operationId: "importFiles",
  ...stepUp("people"),
  tags,
  summary: "Import files",
  security,
  middleware: withFiles,
  request: { headers: idempotent, body },
  responses: { 200: json(messages.importRecord, "What was imported"), ...fails.writing(409, 422) },
});

const undoRoute = createRoute({
  method: "post",
  path: "/imports/{id}/undo",
  operationId: "undoImport",
  ...stepUp("people"),
  tags,
  summary: "Undo the last import",
  security,
  middleware: [tokenFirst(toErrorResponse)],
  request: { params: messages.importParams, headers: idempotent },
  responses: { 200: json(messages.importRecord, "The undone import"), ...fails.writing(404, 409, 422) },
});

/** Registers the routes with which administrators import files. */
export function registerImportRoutes({ routes }: Interface): void {
  routes.openapi(listRoute, async (c) =>
    answerOffice(
      c,
      await listImports(staffRequest(c)),
      (list, writing) => ({
        data: list.map((rememberedImport) => messages.toImportMessage(rememberedImport, writing)),
      }),
      200,
    ),
  );
  routes.openapi(tablesRoute, async (c) =>
    answerOffice(c, await readImportTables(staffRequest(c)), messages.toImportTablesMessage, 200),
  );
  routes.openapi(templatesRoute, async (c) => {
    const read = await readImportTemplates(staffRequest(c));
    if (!read.ok) return refused(c, read.error);
    returnFreshToken(c, read.value.freshToken);
    c.header("Content-Disposition", 'attachment; filename="templates.zip"');
    return c.body(read.value.value, 200, { "Content-Type": "application/zip" });
  });
  routes.openapi(checkRoute, async (c) => {
    const importFiles = messages.toImportFiles(c.req.valid("json"));
    return answerOffice(c, await checkImport(staffRequest(c), importFiles), messages.toImportCheckMessage, 200);
  });
  routes.openapi(importRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(
      c,
      await importFiles(write, messages.toImportFiles(c.req.valid("json"))),
      messages.toImportMessage,
      200,
    );
  });
  routes.openapi(undoRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(c, await undoImportOnce(write, c.req.valid("param").id), messages.toImportMessage, 200);
  });
}

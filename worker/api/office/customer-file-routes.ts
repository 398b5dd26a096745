import { createRoute, z } from "@hono/zod-openapi";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import { requireSignedToken, setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import {
  addCustomerFile,
  deleteCustomerFile,
  listCustomerFiles,
  readCustomerFile,
} from "#worker/usecases/access/customer-files.ts";
import { answerOffice } from "./answers.ts";
import * as messages from "./customer-file-messages.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { idempotencyHeaders, officeFailureResponses, officeSecurity, toOfficeWrite } from "./office-api.ts";
import { reservationParams } from "./request-messages.ts";

const tags = ["Customers"];
/** Maximum size of a request with a file in base64, about 6 MB decoded. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const ONE_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const addRoute = createRoute({
  method: "post",
  path: "/customers/{id}/files",
  operationId: "addCustomerFile",
  tags,
  summary: "Add a file to a customer's card",
  security: officeSecurity,
  middleware: [
    requireSignedToken(toErrorResponse),
    limitBodySize(toErrorResponse, MAX_BODY_BYTES),
    requireJsonBody(toErrorResponse),
  ],
  request: {
    params: reservationParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.customerFileBody, "The file", { name: "licence.png", content: ONE_PIXEL }),
  },
  responses: {
    201: jsonContent(messages.customerFileAnswer, "The file"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const listRoute = createRoute({
  method: "get",
  path: "/customers/{id}/files",
  operationId: "listCustomerFiles",
  tags,
  summary: "List the files of a customer's card",
  security: officeSecurity,
  request: { params: reservationParams },
  responses: {
    200: jsonContent(messages.customerFilesAnswer, "The files, newest first"),
    ...officeFailureResponses.reading(404),
  },
});

const binary = z.string().meta({ format: "binary" });

const readRoute = createRoute({
  method: "get",
  path: "/customers/{id}/files/{file}",
  operationId: "readCustomerFile",
  tags,
  summary: "Download a file of a customer's card",
  security: officeSecurity,
  request: { params: messages.customerFileParams },
  responses: {
    200: {
      description: "The file",
      content: { "application/pdf": { schema: binary }, "image/*": { schema: binary } },
    },
    ...officeFailureResponses.reading(404),
  },
});

const deleteRoute = createRoute({
  method: "delete",
  path: "/customers/{id}/files/{file}",
  operationId: "deleteCustomerFile",
  tags,
  summary: "Delete a file as its author or a manager",
  security: officeSecurity,
  request: { params: messages.customerFileParams, headers: idempotencyHeaders },
  responses: { 204: { description: "Deleted" }, ...officeFailureResponses.reading(404, 409, 422) },
});

// RFC 5987 allows fewer characters than encodeURIComponent leaves.
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/** Registers the routes of files attached to a customer's record. */
export function registerCustomerFileRoutes({ routes }: ApiRoutes): void {
  routes.openapi(addRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const added = await addCustomerFile(write, c.req.valid("param").id, c.req.valid("json"));
    return answerOffice(
      c,
      added,
      (file, messageFormat) => ({ file: messages.toCustomerFileMessage(file, messageFormat) }),
      201,
    );
  });
  routes.openapi(listRoute, async (c) =>
    answerOffice(
      c,
      await listCustomerFiles(toStaffRequest(c), c.req.valid("param").id),
      (files, messageFormat) => ({ data: files.map((file) => messages.toCustomerFileMessage(file, messageFormat)) }),
      200,
    ),
  );
  routes.openapi(readRoute, async (c) => {
    const { id, file: key } = c.req.valid("param");
    const read = await readCustomerFile(toStaffRequest(c), { customerId: id, key });
    if (!read.ok) return answerOfficeRefusal(c, read.error);
    const { file, body } = read.value.value;
    setFreshTokenHeader(c, read.value.freshToken);
    return c.body(body, 200, {
      "Content-Type": file.contentType,
      "Content-Length": String(file.sizeBytes),
      "Content-Disposition": `attachment; filename*=UTF-8''${encodeName(file.name)}`,
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    });
  });
  routes.openapi(deleteRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { id, file: key } = c.req.valid("param");
    const deleted = await deleteCustomerFile(write, { customerId: id, key });
    if (!deleted.ok) return answerOfficeRefusal(c, deleted.error);
    setFreshTokenHeader(c, deleted.value.freshToken);
    return c.body(null, 204);
  });
}

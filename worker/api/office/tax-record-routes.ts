import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { auditTaxRecordsAsStaff } from "#worker/usecases/tax-records/audit-records.ts";
import { correctTaxRecord } from "#worker/usecases/tax-records/correct-record.ts";
import { listTaxRecords, readDocumentTaxRecord } from "#worker/usecases/tax-records/office-records.ts";
import { readSoftwareDeclaration } from "#worker/usecases/tax-records/read-declaration.ts";
import { retryUnsentTaxRecords } from "#worker/usecases/tax-records/retry-records.ts";
import { answerOffice } from "./answers.ts";
import { idParams } from "./money-messages.ts";
import {
  idempotencyHeaders,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import * as auditMessages from "./tax-audit-messages.ts";
import * as messages from "./tax-record-messages.ts";

const WHY = { reason: "the rate has another code" };
const tags = ["Tax records"];

const listRoute = createRoute({
  method: "get",
  path: "/tax-records",
  operationId: "listTaxRecords",
  tags,
  summary: "List tax records",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.taxRecordsQuery },
  responses: { 200: jsonContent(messages.taxRecordList, "A page of the list"), ...officeFailureResponses.reading() },
});

const checkRoute = createRoute({
  method: "get",
  path: "/tax-records/check",
  operationId: "checkTaxRecords",
  tags,
  summary: "Audit all tax records",
  security: officeSecurity,
  responses: { 200: jsonContent(auditMessages.taxChainCheckAnswer, "Matches"), ...officeFailureResponses.reading() },
});

const declarationRoute = createRoute({
  method: "get",
  path: "/tax-records/declaration",
  operationId: "readDeclaration",
  tags,
  summary: "Retrieve the producer's responsible declaration",
  security: officeSecurity,
  responses: {
    200: jsonContent(auditMessages.producerDeclarationAnswer, "The declaration"),
    ...officeFailureResponses.reading(),
  },
});

const retryRoute = createRoute({
  method: "post",
  path: "/tax-records/retry",
  operationId: "retryTaxRecords",
  tags,
  summary: "Retry sending tax records",
  security: officeSecurity,
  request: { headers: idempotencyHeaders },
  responses: {
    200: jsonContent(messages.taxRecordList, "The waiting records"),
    ...officeFailureResponses.writing(409, 422),
  },
});

const showRoute = createRoute({
  method: "get",
  path: "/documents/{id}/verifactu",
  operationId: "showDocumentRecord",
  tags,
  summary: "Retrieve the tax record of a document",
  security: officeSecurity,
  request: { params: idParams },
  responses: {
    200: jsonContent(messages.documentTaxRecordAnswer, "The record"),
    ...officeFailureResponses.reading(404),
  },
});

const amendRoute = createRoute({
  method: "post",
  path: "/documents/{id}/verifactu/amend",
  operationId: "amendDocumentRecord",
  tags,
  summary: "Amend a tax record",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: idParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.taxRecordCorrectionBody, "Why", WHY),
  },
  responses: {
    200: jsonContent(messages.documentTaxRecordAnswer, "The new record"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const annulRoute = createRoute({
  method: "post",
  path: "/documents/{id}/verifactu/annul",
  operationId: "annulDocumentRecord",
  tags,
  summary: "Cancel a tax record",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: idParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.taxRecordCorrectionBody, "Why", WHY),
  },
  responses: {
    200: jsonContent(messages.documentTaxRecordAnswer, "The annulment"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

/** Registers the routes that show and correct the records for the tax agency. */
export function registerTaxRecordRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const { state, after, page_size: pageSize } = c.req.valid("query");
    const page = await listTaxRecords(toStaffRequest(c), { state, after, pageSize });
    return answerOffice(c, page, messages.toTaxRecordPageMessage, 200);
  });
  routes.openapi(checkRoute, async (c) =>
    answerOffice(c, await auditTaxRecordsAsStaff(toStaffRequest(c)), auditMessages.toTaxChainCheckMessage, 200),
  );
  routes.openapi(declarationRoute, async (c) =>
    answerOffice(c, await readSoftwareDeclaration(toStaffRequest(c)), auditMessages.toProducerDeclarationMessage, 200),
  );
  routes.openapi(retryRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(c, await retryUnsentTaxRecords(write), messages.toTaxRecordPageMessage, 200);
  });
  routes.openapi(showRoute, async (c) => {
    const read = await readDocumentTaxRecord(toStaffRequest(c), c.req.valid("param").id);
    return answerOffice(c, read, messages.toDocumentTaxRecordMessage, 200);
  });
  routes.openapi(amendRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const correctionResult = await correctTaxRecord(write, {
      documentId: c.req.valid("param").id,
      correction: "amend",
      ...c.req.valid("json"),
    });
    return answerOffice(c, correctionResult, messages.toDocumentTaxRecordMessage, 200);
  });
  routes.openapi(annulRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const correctionResult = await correctTaxRecord(write, {
      documentId: c.req.valid("param").id,
      correction: "annul",
      ...c.req.valid("json"),
    });
    return answerOffice(c, correctionResult, messages.toDocumentTaxRecordMessage, 200);
  });
}

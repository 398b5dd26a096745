import { createRoute } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import type { DocumentKind } from "#domain/documents/draft.ts";
import { dropEmptyBodyMembers } from "#worker/api/drop-empty-members.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createIncompleteEInvoiceFailure, createInvalidFieldsFailure, type Failure } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { answerEInvoice, answerPdf, eInvoiceQuery, eInvoiceResponse, pdfResponse } from "#worker/api/pdf-responses.ts";
import { requireJsonBody } from "#worker/api/request-body.ts";
import { printDocument } from "#worker/usecases/printing/print-document.ts";
import { readEInvoice } from "#worker/usecases/printing/read-e-invoice.ts";
import type { PrintRefusal } from "#worker/usecases/printing/read-printable.ts";
import { findExtractedContract, findExtractedDocument } from "#worker/usecases/reporting/extract.ts";
import {
  type AccountingOutcomeRefusal,
  storeAccountingOutcome,
} from "#worker/usecases/reporting/store-accounting-outcome.ts";
import { integrationContractSchema, toIntegrationContractMessage } from "./contract-messages.ts";
import {
  integrationInternalBondSchema,
  integrationInvoiceSchema,
  toInternalBondMessage,
  toInvoiceMessage,
} from "./document-messages.ts";
import {
  integrationFailureResponses,
  integrationSecurity,
  integrationWriteMiddlewares,
  loadMessageFormat,
  optionallySignedReadMiddlewares,
  signedReadMiddlewares,
} from "./integration-api.ts";
import { accountingResultAnswer, accountingResultBody, idParams } from "./messages.ts";

const CONTRACT_NOT_FOUND: Failure = {
  status: 404,
  code: "reservation_not_found",
  message: "There is no contract of this id",
};

const contractRoute = createRoute({
  method: "get",
  path: "/v1/integration/reservation/{id}",
  operationId: "readContract",
  tags: ["Contracts"],
  summary: "Retrieve a booking or contract",
  security: integrationSecurity,
  middleware: signedReadMiddlewares,
  request: { params: idParams },
  responses: {
    200: jsonContent(integrationContractSchema, "The contract"),
    ...integrationFailureResponses.reading(404),
  },
});

const parsesJsonBody = requireJsonBody(toErrorResponse);
/** Treats a missing body or an empty object as `{"status":"processed"}`, with or without a JSON content type. */
const optionalJsonBody = createMiddleware<AppEnvironment>(async (c, next) => {
  const text = (await c.req.text()).trim();
  if (text !== "" && !/^\{\s*\}$/.test(text)) return parsesJsonBody(c, next);
  const headers = new Headers(c.req.raw.headers);
  headers.set("Content-Type", "application/json");
  c.req.raw = new Request(c.req.url, { method: c.req.method, headers, body: '{"status":"processed"}' });
  c.req.bodyCache = {};
  return next();
});

const PROCESSED = { status: "processed" } as const;

const FAILURES: Readonly<Record<AccountingOutcomeRefusal["kind"], Failure>> = {
  documentNotFound: { status: 404, code: "document_not_found", message: "There is no such document of this id" },
  documentIsDraft: { status: 409, code: "document_is_draft", message: "The document is a draft: it is not issued yet" },
};

const documentNotFound = FAILURES.documentNotFound;
const readable = {
  tags: ["Documents"],
  security: integrationSecurity,
  middleware: optionallySignedReadMiddlewares,
  request: { params: idParams },
};

const invoiceRoute = createRoute({
  ...readable,
  method: "get",
  path: "/v1/integration/invoice/{id}",
  operationId: "readInvoice",
  summary: "Retrieve an invoice or credit note",
  responses: { 200: jsonContent(integrationInvoiceSchema, "The invoice"), ...integrationFailureResponses.reading(404) },
});

const internalBondRoute = createRoute({
  ...readable,
  method: "get",
  path: "/v1/integration/internal-bond/{id}",
  operationId: "readInternalBond",
  summary: "Retrieve an internal bond",
  responses: {
    200: jsonContent(integrationInternalBondSchema, "The internal bond"),
    ...integrationFailureResponses.reading(404),
  },
});

const invoicePdfRoute = createRoute({
  ...readable,
  method: "get",
  path: "/v1/integration/invoice/{id}/pdf",
  operationId: "printInvoice",
  summary: "Download an issued invoice",
  responses: { 200: pdfResponse, ...integrationFailureResponses.reading(404, 409) },
});

const eInvoiceRoute = createRoute({
  ...readable,
  method: "get",
  path: "/v1/integration/invoice/{id}/einvoice",
  operationId: "readInvoiceAsEInvoice",
  summary: "Download the electronic invoice of an issued invoice",
  description:
    "409 `einvoice_incomplete` names what the format lacks, `document_is_draft`: it is not issued yet. Without `format`: the customer's, else the company's.",
  request: { params: idParams, query: eInvoiceQuery },
  responses: { 200: eInvoiceResponse, ...integrationFailureResponses.reading(404, 409) },
});

/** Registers the routes that read one document, its PDF and its electronic invoice. */
function registerDocumentRoutes({ routes }: ApiRoutes): void {
  routes.openapi(invoiceRoute, async (c) => {
    const storedDocument = await findExtractedDocument(c.get("tenant"), "invoice", c.req.valid("param").id);
    if (!storedDocument) return toErrorResponse(c, documentNotFound);
    return c.json(toInvoiceMessage(storedDocument.document, storedDocument.codes, await loadMessageFormat(c)), 200);
  });
  routes.openapi(internalBondRoute, async (c) => {
    const storedDocument = await findExtractedDocument(c.get("tenant"), "internal_bond", c.req.valid("param").id);
    if (!storedDocument) return toErrorResponse(c, documentNotFound);
    return c.json(
      toInternalBondMessage(storedDocument.document, storedDocument.codes, await loadMessageFormat(c)),
      200,
    );
  });
  routes.openapi(invoicePdfRoute, async (c) => {
    const printed = await printDocument({ kind: "partner", tenant: c.get("tenant") }, c.req.valid("param").id);
    return printed.ok ? answerPdf(c, printed.value.value) : toErrorResponse(c, toReadFailure(printed.error));
  });
  routes.openapi(eInvoiceRoute, async (c) => {
    const reader = { kind: "partner", tenant: c.get("tenant") } as const;
    const { format } = c.req.valid("query");
    const read = await readEInvoice(reader, c.req.valid("param").id, { format, now: c.get("now") });
    if (read.ok) return answerEInvoice(c, read.value.value);
    const { error } = read;
    if (error.kind === "eInvoiceIncomplete") return toErrorResponse(c, createIncompleteEInvoiceFailure(error));
    if (error.kind === "invalid")
      return toErrorResponse(c, createInvalidFieldsFailure([{ field: error.field, ...error.reason }]));
    return toErrorResponse(c, toReadFailure(error));
  });
}

const toReadFailure = ({ kind }: PrintRefusal): Failure =>
  kind === "documentIsDraft" ? FAILURES.documentIsDraft : documentNotFound;

function registerProcessed(
  { routes }: ApiRoutes,
  kind: DocumentKind,
  { path, operationId, summary }: { readonly path: string; readonly operationId: string; readonly summary: string },
): void {
  const route = createRoute({
    method: "post",
    path,
    operationId,
    tags: ["Documents"],
    summary,
    security: integrationSecurity,
    middleware: [...integrationWriteMiddlewares, optionalJsonBody, dropEmptyBodyMembers],
    request: {
      params: idParams,
      body: { ...jsonContent(accountingResultBody, "Result of the accounting system", PROCESSED), required: false },
    },
    responses: {
      200: jsonContent(accountingResultAnswer, "Recorded. Contains whether accounting has confirmed the document"),
      ...integrationFailureResponses.writing(404, 409),
    },
  });
  routes.openapi(route, async (c) => {
    const { id } = c.req.valid("param");
    const body = c.req.valid("json");
    const report =
      body.status === "error" ? ({ kind: "error", message: body.message } as const) : ({ kind: "processed" } as const);
    const reported = await storeAccountingOutcome(c.get("tenant"), { kind, id }, report, c.get("now"));
    if (!reported.ok) return toErrorResponse(c, FAILURES[reported.error.kind]);
    return c.json({ success: true, id, accounting_processed: reported.value } as const, 200);
  });
}

/** Registers the routes that read one contract and record the accounting status of a document. */
export function registerSingleRecordRoutes(api: ApiRoutes): void {
  api.routes.openapi(contractRoute, async (c) => {
    const contract = await findExtractedContract(c.get("tenant"), c.req.valid("param").id);
    if (!contract) return toErrorResponse(c, CONTRACT_NOT_FOUND);
    return c.json(toIntegrationContractMessage(contract, await loadMessageFormat(c)), 200);
  });
  registerDocumentRoutes(api);
  registerProcessed(api, "invoice", {
    path: "/v1/integration/invoice/{id}/processed",
    operationId: "reportInvoiceProcessed",
    summary: "Record the accounting result of an invoice",
  });
  registerProcessed(api, "internal_bond", {
    path: "/v1/integration/internal-bond/{id}/processed",
    operationId: "reportInternalBondProcessed",
    summary: "Record the accounting result of an internal bond",
  });
}

import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type Cents, parseAmount } from "#domain/money.ts";
import { createProblem } from "#domain/problems.ts";
import type { Result } from "#domain/result.ts";
import { dropEmptyBodyMembers } from "#worker/api/drop-empty-members.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidFieldsFailure, failures } from "#worker/api/failure.ts";
import { documentFailureAnswer } from "#worker/api/failure-messages.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import { type ApiRoutes, createApi, rejectUnsupportedMethods } from "#worker/api/interface.ts";
import { documentPreviewsAnswer, toDocumentPreviewsMessage } from "#worker/api/office/document-messages.ts";
import { createFailureResponses, jsonContent, jsonRequest, serveOpenApiDocument } from "#worker/api/openapi.ts";
import { limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import { ALL_STAFF_ROLES, requireSignedInRole } from "#worker/api/signed-in.ts";
import { declareConditionalStepUp, declareNoStepUp, declareStepUp } from "#worker/api/step-up.ts";
import {
  issueCreditNote,
  issueDraftDocument,
  previewCreditNote,
  previewDraftIssue,
} from "#worker/usecases/documents/credit-document.ts";
import { exchangeForFullInvoice, previewInvoiceExchange } from "#worker/usecases/documents/exchange-document.ts";
import {
  type IssuePreview,
  invoiceContract,
  previewContractInvoice,
} from "#worker/usecases/documents/invoice-contract.ts";
import {
  type ContractDocuments,
  type DocumentActionResult,
  readContractDocuments,
  readContractDocumentsByDocument,
} from "#worker/usecases/documents/read-contract-documents.ts";
import type { DocumentRefusal, StaffContext } from "#worker/usecases/documents/staff-context.ts";
import { enterDeskCharge } from "#worker/usecases/payments/enter-charge.ts";
import { toDocumentFailure } from "./errors.ts";
import * as messages from "./messages.ts";

const reading = [requireSignedInRole(ALL_STAFF_ROLES, toErrorResponse)];
const writing = [
  requireSignedInRole(ALL_STAFF_ROLES, toErrorResponse),
  limitBodySize(toErrorResponse),
  requireJsonBody(toErrorResponse),
  dropEmptyBodyMembers,
];
const fails = createFailureResponses(documentFailureAnswer, 401, 403);
const documentsResponse = {
  200: jsonContent(messages.contractDocumentsAnswer, "Documents and charges of the contract"),
};
const answered = { ...documentsResponse, ...fails.writing(404, 409) };
const security = [{ token: [] }];
const { idParams: params } = messages;

function getStaffContext(c: Context<AppEnvironment>): StaffContext {
  return { tenant: c.get("tenant"), staff: c.get("signedIn"), factor: c.get("factor"), now: c.get("now") };
}

/**
 * Returns the documents after an action. A repeated request gets the same response. Reads them unless the action
 * already did.
 */
async function answer(
  c: Context<AppEnvironment>,
  creditResult: Result<DocumentActionResult, DocumentRefusal>,
  read: () => Promise<ContractDocuments | undefined>,
) {
  const wording = await loadMessageFormat(c);
  if (!creditResult.ok) return toErrorResponse(c, toDocumentFailure(creditResult.error, wording.decimals));
  const documents = typeof creditResult.value === "object" ? creditResult.value : await read();
  if (!documents) return toErrorResponse(c, toDocumentFailure({ kind: "bookingNotFound" }, wording.decimals));
  return c.json(messages.toContractDocumentsMessage(documents, wording), 200);
}

/** Converts an amount to minor units, or returns the error for excessive precision. */
async function parseCents(c: Context<AppEnvironment>, field: string, amount: string | undefined) {
  if (amount === undefined) return { cents: undefined };
  const { catalogue } = await c.get("tenant").snapshot();
  const cents = parseAmount(amount, catalogue.settings.currencyDecimals);
  if (cents === undefined)
    return { refusal: toErrorResponse(c, createInvalidFieldsFailure([createProblem(field, "too_fine")])) };
  return { cents: cents as Cents };
}

const readDocumentsRoute = createRoute({
  method: "get",
  path: "/v1/booking/{id}/documents",
  operationId: "readContractDocuments",
  tags: ["Documents"],
  summary: "List documents and charges of a contract",
  security,
  middleware: reading,
  request: { params },
  responses: { ...documentsResponse, ...fails.reading(404) },
});

const draftDocumentRoute = createRoute({
  method: "post",
  path: "/v1/booking/{id}/documents",
  operationId: "draftDocument",
  ...declareNoStepUp("money", "An invoice moves no money"),
  tags: ["Documents"],
  summary: "Draft or issue the next document of a contract",
  security,
  middleware: writing,
  request: {
    params,
    body: jsonRequest(messages.invoiceBody, "Which", { request_id: "example-invoice-1", issued: false }),
  },
  responses: answered,
});

const enterChargeRoute = createRoute({
  method: "post",
  path: "/v1/booking/{id}/charges",
  operationId: "enterCharge",
  ...declareConditionalStepUp("money", "Money goes back, or a deposit is returned otherwise than it was received"),
  tags: ["Charges"],
  summary: "Record money of a contract",
  security,
  middleware: writing,
  request: {
    params,
    body: jsonRequest(messages.chargeBody, "The charge", {
      request_id: "example-charge-1",
      kind: "charge",
      amount: "1.00",
      payment_method_id: "cash",
    }),
  },
  responses: answered,
});

const issueDocumentRoute = createRoute({
  method: "post",
  path: "/v1/documents/{id}/issue",
  operationId: "issueDocument",
  tags: ["Documents"],
  summary: "Issue a draft (idempotent)",
  security,
  middleware: writing,
  request: { params, body: jsonRequest(messages.issueDocumentBody, "The request", { request_id: "example-issue-1" }) },
  responses: answered,
});

const exchangeDocumentRoute = createRoute({
  method: "post",
  path: "/v1/documents/{id}/exchange",
  operationId: "exchangeDocument",
  tags: ["Documents"],
  summary: "Exchange a simplified invoice for a full one",
  security,
  middleware: writing,
  request: {
    params,
    body: jsonRequest(messages.invoiceExchangeBody, "The request", { request_id: "example-exchange-1" }),
  },
  responses: answered,
});

const creditDocumentRoute = createRoute({
  method: "post",
  path: "/v1/documents/{id}/credit-note",
  operationId: "creditDocument",
  ...declareStepUp("money"),
  tags: ["Documents"],
  summary: "Credit a document or part of it",
  security,
  middleware: writing,
  request: {
    params,
    body: jsonRequest(messages.creditNoteBody, "Amount and reason of the credit note", {
      request_id: "example-credit-1",
      amount: "1.00",
    }),
  },
  responses: answered,
});

const creditQuoteRoute = createRoute({
  method: "post",
  path: "/v1/documents/{id}/credit-note/quote",
  operationId: "previewCreditNote",
  ...declareNoStepUp("money", "A preview stores nothing"),
  tags: ["Documents"],
  summary: "Preview a credit note",
  security,
  middleware: writing,
  request: {
    params,
    body: jsonRequest(messages.creditNoteQuoteBody, "Amount and reason of the credit note", { amount: "1.00" }),
  },
  responses: { 200: jsonContent(documentPreviewsAnswer, "The credit note"), ...fails.writing(404, 409) },
});

const previewed = {
  200: jsonContent(documentPreviewsAnswer, "The documents, with the customer data that is missing"),
  ...fails.writing(404, 409),
};

const draftQuoteRoute = createRoute({
  method: "post",
  path: "/v1/booking/{id}/documents/quote",
  operationId: "previewDocuments",
  ...declareNoStepUp("money", "A preview stores nothing"),
  tags: ["Documents"],
  summary: "Preview the next document of a contract",
  security,
  middleware: writing,
  request: { params, body: jsonRequest(messages.invoiceQuoteBody, "Which", { advance: "1.00" }) },
  responses: previewed,
});

const issueQuoteRoute = createRoute({
  method: "post",
  path: "/v1/documents/{id}/issue/quote",
  operationId: "previewIssue",
  tags: ["Documents"],
  summary: "Preview the documents that issuing a draft would issue",
  security,
  middleware: reading,
  request: { params },
  responses: previewed,
});

const exchangeQuoteRoute = createRoute({
  method: "post",
  path: "/v1/documents/{id}/exchange/quote",
  operationId: "previewExchange",
  tags: ["Documents"],
  summary: "Preview the exchange of a simplified invoice for a full one",
  security,
  middleware: writing,
  request: { params, body: jsonRequest(messages.invoiceExchangeQuoteBody, "Other invoices to exchange", {}) },
  responses: previewed,
});

/** Returns previewed documents, or the refusal. */
async function answerPreview(c: Context<AppEnvironment>, preview: Result<IssuePreview, DocumentRefusal>) {
  const wording = await loadMessageFormat(c);
  if (!preview.ok) return toErrorResponse(c, toDocumentFailure(preview.error, wording.decimals));
  return c.json(toDocumentPreviewsMessage(preview.value, wording), 200);
}

/** Registers the routes of the desk for a contract's documents and payments. */
function registerDeskRoutes({ routes }: ApiRoutes): void {
  routes.openapi(readDocumentsRoute, async (c) =>
    answer(c, { ok: true, value: undefined }, () => readContractDocuments(getStaffContext(c), c.req.valid("param").id)),
  );
  routes.openapi(draftDocumentRoute, async (c) => {
    const { id } = c.req.valid("param");
    const { request_id: requestId, advance, issued } = c.req.valid("json");
    const parsedAmount = await parseCents(c, "advance", advance);
    if (parsedAmount.refusal) return parsedAmount.refusal;
    const request = { requestId, bookingId: id, advanceCents: parsedAmount.cents, issued };
    return answer(c, await invoiceContract(getStaffContext(c), request), () =>
      readContractDocuments(getStaffContext(c), id),
    );
  });
  routes.openapi(enterChargeRoute, async (c) => {
    const { id } = c.req.valid("param");
    const body = c.req.valid("json");
    if (body.kind === "payment" && c.get("factor") === "stale") return toErrorResponse(c, failures.secondFactorStale);
    const parsedAmount = await parseCents(c, "amount", body.amount);
    if (parsedAmount.refusal) return parsedAmount.refusal;
    const request = {
      requestId: body.request_id,
      bookingId: id,
      kind: body.kind,
      cents: parsedAmount.cents ?? 0,
      method: body.payment_method_id,
      externalOperationNumber: body.external_operation_number,
      offlinePhysicalDeviceId: body.offline_physical_device_id,
    };
    return answer(c, await enterDeskCharge(getStaffContext(c), request), () =>
      readContractDocuments(getStaffContext(c), id),
    );
  });
  routes.openapi(issueDocumentRoute, async (c) => {
    const { id } = c.req.valid("param");
    const request = { requestId: c.req.valid("json").request_id, documentId: id };
    return answer(c, await issueDraftDocument(getStaffContext(c), request), () =>
      readContractDocumentsByDocument(getStaffContext(c), id),
    );
  });
  routes.openapi(exchangeDocumentRoute, async (c) => {
    const { id } = c.req.valid("param");
    const { request_id: requestId, other_document_ids: otherDocumentIds = [] } = c.req.valid("json");
    const request = { requestId, documentId: id, otherDocumentIds };
    return answer(c, await exchangeForFullInvoice(getStaffContext(c), request), () =>
      readContractDocumentsByDocument(getStaffContext(c), id),
    );
  });
  routes.openapi(creditQuoteRoute, async (c) => {
    const { amount, reason, reservation_id: bookingId } = c.req.valid("json");
    const parsedAmount = await parseCents(c, "amount", amount);
    if (parsedAmount.refusal) return parsedAmount.refusal;
    const request = { documentId: c.req.valid("param").id, cents: parsedAmount.cents, reason, bookingId };
    return answerPreview(c, await previewCreditNote(getStaffContext(c), request));
  });
  routes.openapi(draftQuoteRoute, async (c) => {
    const parsedAmount = await parseCents(c, "advance", c.req.valid("json").advance);
    if (parsedAmount.refusal) return parsedAmount.refusal;
    const request = { bookingId: c.req.valid("param").id, advanceCents: parsedAmount.cents };
    return answerPreview(c, await previewContractInvoice(getStaffContext(c), request));
  });
  routes.openapi(issueQuoteRoute, async (c) =>
    answerPreview(c, await previewDraftIssue(getStaffContext(c), c.req.valid("param").id)),
  );
  routes.openapi(exchangeQuoteRoute, async (c) => {
    const { other_document_ids: otherDocumentIds = [] } = c.req.valid("json");
    const request = { documentId: c.req.valid("param").id, otherDocumentIds };
    return answerPreview(c, await previewInvoiceExchange(getStaffContext(c), request));
  });
  routes.openapi(creditDocumentRoute, async (c) => {
    const { id } = c.req.valid("param");
    if (c.get("factor") === "stale") return toErrorResponse(c, failures.secondFactorStale);
    const { request_id: requestId, amount, reason, reservation_id: bookingId } = c.req.valid("json");
    const parsedAmount = await parseCents(c, "amount", amount);
    if (parsedAmount.refusal) return parsedAmount.refusal;
    const creditResult = await issueCreditNote(getStaffContext(c), {
      requestId,
      documentId: id,
      cents: parsedAmount.cents,
      reason,
      bookingId,
    });
    return answer(c, creditResult, () => readContractDocumentsByDocument(getStaffContext(c), id));
  });
}

// Lists its paths, because other APIs share their prefixes.
const desk = createApi(toErrorResponse, [
  "/v1/documents/*",
  "/v1/booking/:id/documents",
  "/v1/booking/:id/documents/quote",
  "/v1/booking/:id/charges",
]);
registerDeskRoutes(desk);

/** OpenAPI document of documents and charges at the desk. */
export const createDocumentsOpenApi = serveOpenApiDocument(
  desk,
  {
    title: "Documents and charges at the desk",
    description: "API for staff to handle documents and money of a contract.",
    basePath: "/api",
    tags: {
      Documents: "Invoices, internal bonds and credit notes of a contract.",
      Charges: "Payments, refunds and deposits of a contract.",
    },
    schemes: ["token"],
  },
  "/v1/documents/openapi.json",
);
rejectUnsupportedMethods(desk);

export const documentRoutes = desk.routes;

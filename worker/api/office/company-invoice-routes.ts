import { createRoute } from "@hono/zod-openapi";
import type { z } from "zod";
import { parseAmount } from "#domain/money.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest, optionalJsonRequest } from "#worker/api/openapi.ts";
import { answerPdf, pdfResponse } from "#worker/api/pdf-responses.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareNoStepUp } from "#worker/api/step-up.ts";
import { issueCollectiveInvoice, previewCollectiveInvoice } from "#worker/usecases/documents/collective-invoice.ts";
import { previewContractDocuments } from "#worker/usecases/documents/preview-documents.ts";
import { recordDocumentPayment } from "#worker/usecases/payments/charge-document.ts";
import { previewDocumentPayment } from "#worker/usecases/payments/preview-money.ts";
import {
  type CustomerStatementRequest,
  printCustomerStatement,
  readCustomerStatement,
} from "#worker/usecases/printing/customer-statement.ts";
import { answerExcessDecimals, answerOffice, getCurrencyDecimals } from "./answers.ts";
import * as messages from "./document-messages.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { idParams } from "./money-messages.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeOptionalBodyMiddlewares,
  officeSecurity,
  toOfficeWrite,
} from "./office-api.ts";
import { reservationParams } from "./request-messages.ts";

const TAGS = ["Money"];
const EXAMPLE = { customer_id: 1, reservation_ids: [1, 2] };

const collectiveRoute = createRoute({
  method: "post",
  path: "/documents/collective",
  operationId: "issueCollectiveInvoice",
  ...declareNoStepUp("money", "An invoice moves no money"),
  tags: TAGS,
  summary: "Invoice several reservations of one payer together",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.collectiveInvoiceBody, "Which, and who pays", EXAMPLE),
  },
  responses: {
    201: jsonContent(messages.issuedDocumentAnswer, "The invoice"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const collectiveQuoteRoute = createRoute({
  method: "post",
  path: "/documents/collective/quote",
  operationId: "previewCollectiveInvoice",
  tags: TAGS,
  summary: "Preview an invoice of several reservations",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: { body: jsonRequest(messages.collectiveInvoiceBody, "Which, and who pays", EXAMPLE) },
  responses: {
    200: jsonContent(messages.documentPreviewsAnswer, "The invoice, then the credit notes issued with it"),
    ...officeFailureResponses.writing(404, 409),
  },
});

const previewRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/documents/quote",
  operationId: "previewReservationDocuments",
  tags: TAGS,
  summary: "Preview the next documents of a reservation",
  security: officeSecurity,
  request: { params: reservationParams },
  responses: {
    200: jsonContent(messages.documentPreviewsAnswer, "Preview of the document"),
    ...officeFailureResponses.writing(404),
  },
});

const chargeRoute = createRoute({
  method: "post",
  path: "/documents/{id}/charges",
  operationId: "chargeDocument",
  ...declareNoStepUp("money", "Money comes in"),
  tags: TAGS,
  summary: "Record a payment of an open invoice",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: idParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.documentChargeBody, "The payment", {
      amount: "1.00",
      payment_method_id: "bank_transfer",
    }),
  },
  responses: {
    201: jsonContent(messages.issuedDocumentAnswer, "The invoice as it is now"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const chargeQuoteRoute = createRoute({
  method: "post",
  path: "/documents/{id}/charges/quote",
  operationId: "previewDocumentPayment",
  tags: TAGS,
  summary: "Preview a payment of an open invoice",
  security: officeSecurity,
  middleware: officeOptionalBodyMiddlewares,
  request: {
    params: idParams,
    body: optionalJsonRequest(messages.documentChargeQuoteBody, "The payment", { amount: "1.00" }),
  },
  responses: {
    200: jsonContent(messages.documentChargePreviewAnswer, "The payment by reservation"),
    ...officeFailureResponses.writing(404, 409),
  },
});

const statementRoute = createRoute({
  method: "get",
  path: "/customers/{id}/statement",
  operationId: "showCustomerStatement",
  tags: TAGS,
  summary: "Retrieve a customer's statement",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { params: idParams, query: messages.customerStatementPeriodQuery },
  responses: {
    200: jsonContent(messages.customerStatementAnswer, "Documents with what is paid and pending"),
    ...officeFailureResponses.reading(404),
  },
});

const statementTableRoute = createRoute({
  method: "get",
  path: "/customers/{id}/statement.csv",
  operationId: "exportCustomerStatement",
  ...declareNoStepUp("people", "It contains the documents of one customer, like the PDF"),
  tags: TAGS,
  summary: "Export a customer's statement as a table",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { params: idParams, query: messages.customerStatementTableQuery },
  responses: {
    200: { description: "CSV by RFC 4180", content: { "text/csv": { schema: { type: "string" } } } },
    ...officeFailureResponses.reading(404),
  },
});

const statementPdfRoute = createRoute({
  method: "get",
  path: "/customers/{id}/statement.pdf",
  operationId: "printCustomerStatement",
  tags: TAGS,
  summary: "Download a customer's statement",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { params: idParams, query: messages.customerStatementPeriodQuery },
  responses: { 200: pdfResponse, ...officeFailureResponses.reading(404) },
});

function registerStatements({ routes }: ApiRoutes): void {
  routes.openapi(statementRoute, async (c) => {
    const read = await readCustomerStatement(
      toStaffRequest(c),
      toStatementRequest(c.req.valid("param"), c.req.valid("query")),
    );
    return answerOffice(c, read, messages.toCustomerStatementMessage, 200);
  });
  routes.openapi(statementTableRoute, async (c) => {
    const { decimal_mark: mark, ...query } = c.req.valid("query");
    const read = await readCustomerStatement(toStaffRequest(c), toStatementRequest(c.req.valid("param"), query));
    if (!read.ok) return answerOfficeRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    c.header("Content-Disposition", 'attachment; filename="statement.csv"');
    const table = messages.toCustomerStatementCsv(read.value.value, await loadMessageFormat(c), mark);
    return c.body(table, 200, { "Content-Type": "text/csv; charset=utf-8" });
  });
  routes.openapi(statementPdfRoute, async (c) => {
    const printed = await printCustomerStatement(
      toStaffRequest(c),
      toStatementRequest(c.req.valid("param"), c.req.valid("query")),
    );
    if (!printed.ok) return answerOfficeRefusal(c, printed.error);
    setFreshTokenHeader(c, printed.value.freshToken);
    return answerPdf(c, printed.value.value);
  });
}

function toStatementRequest(
  { id }: { readonly id: number },
  query: z.output<typeof messages.customerStatementPeriodQuery>,
): CustomerStatementRequest {
  return { customerId: id, dateFrom: query.date_from, dateTo: query.date_to };
}

/** Registers the routes of company invoices: several reservations together, their payments and statements. */
export function registerCompanyInvoiceRoutes(office: ApiRoutes): void {
  const { routes } = office;
  registerStatements(office);
  routes.openapi(previewRoute, async (c) => {
    const previewed = await previewContractDocuments(toStaffRequest(c), c.req.valid("param").id);
    return answerOffice(
      c,
      previewed,
      ({ drafts, ...terms }, writes) => ({
        documents: drafts.map(({ draft, ...mailed }) =>
          messages.toDocumentPreviewMessage(draft, { ...terms, ...mailed }, writes),
        ),
      }),
      200,
    );
  });
  routes.openapi(chargeRoute, async (c) => {
    const body = c.req.valid("json");
    const decimals = await getCurrencyDecimals(c);
    const cents = body.amount === undefined ? undefined : parseAmount(body.amount, decimals);
    if (body.amount !== undefined && cents === undefined) return answerExcessDecimals(c, "amount");
    const charged = await recordDocumentPayment(toOfficeWrite(c, c.req.valid("header")["idempotency-key"]), {
      documentId: c.req.valid("param").id,
      cents,
      method: body.payment_method_id,
      externalOperationNumber: body.external_operation_number,
    });
    return answerOffice(
      c,
      charged,
      ({ document, codes }, writes) => ({ document: messages.toOfficeDocumentMessage(document, codes, writes) }),
      201,
    );
  });
  routes.openapi(chargeQuoteRoute, async (c) => {
    const { amount } = c.req.valid("json");
    const cents = amount === undefined ? undefined : parseAmount(amount, await getCurrencyDecimals(c));
    if (amount !== undefined && cents === undefined) return answerExcessDecimals(c, "amount");
    const documentId = c.req.valid("param").id;
    const previewed = await previewDocumentPayment(toStaffRequest(c), { documentId, cents });
    return answerOffice(c, previewed, messages.toDocumentChargePreviewMessage, 200);
  });
  routes.openapi(collectiveRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const issued = await issueCollectiveInvoice(write, messages.toCollectiveInvoiceRequest(c.req.valid("json")));
    return answerOffice(
      c,
      issued,
      ({ document, codes }, writes) => ({ document: messages.toOfficeDocumentMessage(document, codes, writes) }),
      201,
    );
  });
  routes.openapi(collectiveQuoteRoute, async (c) => {
    const previewed = await previewCollectiveInvoice(
      toStaffRequest(c),
      messages.toCollectiveInvoiceRequest(c.req.valid("json")),
    );
    return answerOffice(
      c,
      previewed,
      ({ invoice, notes, eInvoice, mailTo, ...terms }, writes) => ({
        documents: [
          messages.toDocumentPreviewMessage(invoice, { ...terms, eInvoice, mailTo }, writes),
          ...notes.map((draft) => messages.toDocumentPreviewMessage(draft, terms, writes)),
        ],
      }),
      200,
    );
  });
}

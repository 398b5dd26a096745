import { createRoute } from "@hono/zod-openapi";
import { parseAmount } from "#domain/money.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { toChargeDocumentMessage } from "#worker/api/integration/charge-messages.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { declareConditionalStepUp, declareNoStepUp } from "#worker/api/step-up.ts";
import {
  listOfficeCharges,
  listOfficeDocuments,
  readOfficeDocument,
} from "#worker/usecases/documents/office-documents.ts";
import { closeCash, readCashRegister } from "#worker/usecases/payments/cash-register.ts";
import { listDeposits } from "#worker/usecases/payments/deposits.ts";
import { retryAccountingIntegration } from "#worker/usecases/reporting/retry-integration.ts";
import { answerExcessDecimals, answerOffice, createPageMapper, getCurrencyDecimals, getToday } from "./answers.ts";
import { depositList, depositsQuery, toDepositFilter, toDepositPageMessage } from "./deposit-messages.ts";
import { toOfficeDocumentMessage } from "./document-messages.ts";
import { toCustomerMailMessage } from "./message-messages.ts";
import * as messages from "./money-messages.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  toOfficeWrite,
} from "./office-api.ts";
import { toSortedQuery } from "./sort-messages.ts";

const TAGS = ["Money"];

const documentsRoute = createRoute({
  method: "get",
  path: "/documents",
  operationId: "listOfficeDocuments",
  tags: TAGS,
  summary: "List documents",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.officeDocumentsQuery },
  responses: { 200: jsonContent(messages.documentList, "A page of the list"), ...officeFailureResponses.reading() },
});

const documentRoute = createRoute({
  method: "get",
  path: "/documents/{id}",
  operationId: "showDocument",
  tags: TAGS,
  summary: "Retrieve a document with its items and payments",
  security: officeSecurity,
  request: { params: messages.idParams },
  responses: {
    200: jsonContent(messages.documentWithMessagesAnswer, "The document"),
    ...officeFailureResponses.reading(404),
  },
});

const retryIntegrationRoute = createRoute({
  method: "post",
  path: "/documents/{id}/retry-integration",
  operationId: "retryDocumentIntegration",
  ...declareNoStepUp("money", "Moves no money: accounting only reads the document again"),
  tags: TAGS,
  summary: "Retry the accounting of a document",
  description:
    "Removes the error that the accounting system reported. The document appears as changed, so the system reads it again.",
  security: officeSecurity,
  request: { params: messages.idParams, headers: idempotencyHeaders },
  responses: {
    200: jsonContent(messages.officeDocumentDetailAnswer, "The document"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const chargesRoute = createRoute({
  method: "get",
  path: "/charges",
  operationId: "listOfficeCharges",
  tags: TAGS,
  summary: "List charges and their allocation",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.officeChargesQuery },
  responses: { 200: jsonContent(messages.chargeList, "A page of the list"), ...officeFailureResponses.reading() },
});

const depositsRoute = createRoute({
  method: "get",
  path: "/deposits",
  operationId: "listDeposits",
  tags: TAGS,
  summary: "List held deposits with their total",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: depositsQuery },
  responses: { 200: jsonContent(depositList, "A page of the list"), ...officeFailureResponses.reading() },
});

const registerRoute = createRoute({
  method: "get",
  path: "/register",
  operationId: "showRegister",
  tags: TAGS,
  summary: "Retrieve a day's cash register",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.cashRegisterDayQuery },
  responses: { 200: jsonContent(messages.cashRegisterAnswer, "The register"), ...officeFailureResponses.reading() },
});

const closeRoute = createRoute({
  method: "post",
  path: "/register/close",
  operationId: "closeCash",
  ...declareConditionalStepUp("money", "Cash is taken out of the drawer"),
  tags: TAGS,
  summary: "Close the cash of a branch",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.cashClosingBody, "The cash count", {
      rental_location_code: "PMI",
      counted: "150.00",
      taken_out: "100.00",
      note: "to the bank",
    }),
  },
  responses: {
    201: jsonContent(messages.cashClosingAnswer, "The closing"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

function registerLists({ routes }: ApiRoutes): void {
  routes.openapi(documentsRoute, async (c) => {
    const query = c.req.valid("query");
    const page = { ...toSortedQuery(query), pageSize: query.page_size };
    const listed = await listOfficeDocuments(toStaffRequest(c), { ...messages.toDocumentFilter(query), ...page });
    type Row = Parameters<typeof toOfficeDocumentMessage>[0];
    return answerOffice(
      c,
      listed,
      (page, writes) => createPageMapper((row: Row) => toOfficeDocumentMessage(row, page.codes, writes))(page, writes),
      200,
    );
  });
  routes.openapi(documentRoute, async (c) => {
    const read = await readOfficeDocument(toStaffRequest(c), c.req.valid("param").id);
    return answerOffice(
      c,
      read,
      ({ document, codes, sentMessages }, writes) => ({
        document: toOfficeDocumentMessage(document, codes, writes),
        messages: sentMessages.map((row) => toCustomerMailMessage(row, writes)),
      }),
      200,
    );
  });
  routes.openapi(retryIntegrationRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(
      c,
      await retryAccountingIntegration(write, c.req.valid("param").id),
      ({ document, codes }, writes) => ({ document: toOfficeDocumentMessage(document, codes, writes) }),
      200,
    );
  });
  routes.openapi(chargesRoute, async (c) => {
    const query = c.req.valid("query");
    const page = { ...toSortedQuery(query), pageSize: query.page_size };
    const filter = messages.toChargeFilter(query, await getToday(c));
    const listed = await listOfficeCharges(toStaffRequest(c), { ...filter, ...page });
    return answerOffice(c, listed, createPageMapper(toChargeDocumentMessage), 200);
  });
  routes.openapi(depositsRoute, async (c) => {
    const { page_size: pageSize, after, ...query } = c.req.valid("query");
    const listed = await listDeposits(toStaffRequest(c), { ...toDepositFilter(query), after, pageSize });
    return answerOffice(c, listed, toDepositPageMessage, 200);
  });
}

function registerRegister({ routes }: ApiRoutes): void {
  routes.openapi(registerRoute, async (c) => {
    const { date, rental_location_code: branchCode } = c.req.valid("query");
    const read = await readCashRegister(toStaffRequest(c), { date, branchCode });
    return answerOffice(c, read, messages.toCashRegisterMessage, 200);
  });
  routes.openapi(closeRoute, async (c) => {
    const body = c.req.valid("json");
    const decimals = await getCurrencyDecimals(c);
    const countedCents = parseAmount(body.counted, decimals);
    const withdrawnCents = parseAmount(body.taken_out ?? "0", decimals);
    const openingCents = body.opening === undefined ? undefined : parseAmount(body.opening, decimals);
    if (countedCents === undefined) return answerExcessDecimals(c, "counted");
    if (withdrawnCents === undefined) return answerExcessDecimals(c, "taken_out");
    if (body.opening !== undefined && openingCents === undefined) return answerExcessDecimals(c, "opening");
    const { rental_location_code: branchCode, date, note } = body;
    const closingRequest = { branchCode, date, countedCents, takenOutCents: withdrawnCents, openingCents, note };
    const closed = await closeCash(toOfficeWrite(c, c.req.valid("header")["idempotency-key"]), closingRequest);
    return answerOffice(c, closed, (item, writes) => ({ closing: messages.toCashClosingMessage(item, writes) }), 201);
  });
}

/** Registers the routes of documents, charges, deposits, and the cash register's daily totals and closing. */
export function registerMoneyRoutes(office: ApiRoutes): void {
  registerLists(office);
  registerRegister(office);
}

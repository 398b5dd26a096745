import { createRoute } from "@hono/zod-openapi";
import { parseAmount } from "#domain/money.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { toChargeDocumentMessage } from "#worker/api/integration/charge-messages.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { noStepUp, stepUpIf } from "#worker/api/step-up.ts";
import {
  listOfficeCharges,
  listOfficeDocuments,
  readOfficeDocument,
} from "#worker/usecases/documents/office-documents.ts";
import { listDeposits } from "#worker/usecases/payments/deposits.ts";
import { closeCash, readRegister } from "#worker/usecases/payments/register.ts";
import { retryIntegration } from "#worker/usecases/reporting/retry-integration.ts";
import { answerOffice, createPageMapper, getCurrencyDecimals, getToday, tooFine } from "./answers.ts";
import { depositList, depositsQuery, toDepositFilter, toDepositPageMessage } from "./deposit-messages.ts";
import { toOfficeDocumentMessage } from "./document-messages.ts";
import * as messages from "./money-messages.ts";
import { creationMiddlewares, fails, idempotent, officeWrite, security, staffRequest } from "./room.ts";
import { toSortedQuery } from "./sort-messages.ts";

const TAGS = ["Money"];

const documentsRoute = createRoute({
  method: "get",
  path: "/documents",
  operationId: "listOfficeDocuments",
  tags: TAGS,
  summary: "List documents",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.documentsQuery },
  responses: { 200: json(messages.documentList, "A page of the list"), ...fails.reading() },
});

const documentRoute = createRoute({
  method: "get",
  path: "/documents/{id}",
  operationId: "showDocument",
  tags: TAGS,
  summary: "Retrieve a document with its items and payments",
  security,
  request: { params: messages.idParams },
  responses: { 200: json(messages.documentAnswer, "The document"), ...fails.reading(404) },
});

const retryIntegrationRoute = createRoute({
  method: "post",
  path: "/documents/{id}/retry-integration",
  operationId: "retryDocumentIntegration",
  ...noStepUp("money", "Moves no money: accounting only reads the document again"),
  tags: TAGS,
  summary: "Retry the accounting of a document",
  description:
    "Removes the error that the accounting system reported. The document appears as changed, so the system reads it again.",
  security,
  request: { params: messages.idParams, headers: idempotent },
  responses: { 200: json(messages.documentAnswer, "The document"), ...fails.writing(404, 409, 422) },
});

const chargesRoute = createRoute({
  method: "get",
  path: "/charges",
  operationId: "listOfficeCharges",
  tags: TAGS,
  summary: "List charges and their allocation",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.chargesQuery },
  responses: { 200: json(messages.chargeList, "A page of the list"), ...fails.reading() },
});

const depositsRoute = createRoute({
  method: "get",
  path: "/deposits",
  operationId: "listDeposits",
  tags: TAGS,
  summary: "List held deposits with their total",
  security,
  middleware: [dropEmptyParameters],
  request: { query: depositsQuery },
  responses: { 200: json(depositList, "A page of the list"), ...fails.reading() },
});

const registerRoute = createRoute({
  method: "get",
  path: "/register",
  operationId: "showRegister",
  tags: TAGS,
  summary: "Retrieve a day's cash register",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.registerQuery },
  responses: { 200: json(messages.registerAnswer, "The register"), ...fails.reading() },
});

const closeRoute = createRoute({
  method: "post",
  path: "/register/close",
  operationId: "closeCash",
  ...stepUpIf("money", "Cash is taken out of the drawer"),
  tags: TAGS,
  summary: "Close the cash of a branch",
  security,
  middleware: creationMiddlewares,
  request: {
    headers: idempotent,
    body: jsonRequest(messages.closingBody, "The cash count", {
      rental_location_code: "PMI",
      counted: "150.00",
      taken_out: "100.00",
      note: "to the bank",
    }),
  },
  responses: { 201: json(messages.closingAnswer, "The closing"), ...fails.writing(409, 422) },
});

function registerLists({ routes }: Interface): void {
  routes.openapi(documentsRoute, async (c) => {
    const query = c.req.valid("query");
    const page = { ...toSortedQuery(query), pageSize: query.page_size };
    const listed = await listOfficeDocuments(staffRequest(c), { ...messages.toDocumentFilter(query), ...page });
    type Row = Parameters<typeof toOfficeDocumentMessage>[0];
    return answerOffice(
      c,
      listed,
      (page, writes) => createPageMapper((row: Row) => toOfficeDocumentMessage(row, page.codes, writes))(page, writes),
      200,
    );
  });
  routes.openapi(documentRoute, async (c) => {
    const read = await readOfficeDocument(staffRequest(c), c.req.valid("param").id);
    return answerOffice(
      c,
      read,
      ({ document, codes }, writes) => ({ document: toOfficeDocumentMessage(document, codes, writes) }),
      200,
    );
  });
  routes.openapi(retryIntegrationRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(
      c,
      await retryIntegration(write, c.req.valid("param").id),
      ({ document, codes }, writes) => ({ document: toOfficeDocumentMessage(document, codes, writes) }),
      200,
    );
  });
  routes.openapi(chargesRoute, async (c) => {
    const query = c.req.valid("query");
    const page = { ...toSortedQuery(query), pageSize: query.page_size };
    const filter = messages.toChargeFilter(query, await getToday(c));
    const listed = await listOfficeCharges(staffRequest(c), { ...filter, ...page });
    return answerOffice(c, listed, createPageMapper(toChargeDocumentMessage), 200);
  });
  routes.openapi(depositsRoute, async (c) => {
    const { page_size: pageSize, after, ...query } = c.req.valid("query");
    const listed = await listDeposits(staffRequest(c), { ...toDepositFilter(query), after, pageSize });
    return answerOffice(c, listed, toDepositPageMessage, 200);
  });
}

function registerRegister({ routes }: Interface): void {
  routes.openapi(registerRoute, async (c) => {
    const { date, rental_location_code: branchCode } = c.req.valid("query");
    const read = await readRegister(staffRequest(c), { date, branchCode });
    return answerOffice(c, read, messages.toCashRegisterMessage, 200);
  });
  routes.openapi(closeRoute, async (c) => {
    const body = c.req.valid("json");
    const decimals = await getCurrencyDecimals(c);
    const countedCents = parseAmount(body.counted, decimals);
    const withdrawnCents = parseAmount(body.taken_out ?? "0", decimals);
    const openingCents = parseAmount(body.opening ?? "0", decimals);
    if (countedCents === undefined) return tooFine(c, "counted");
    if (withdrawnCents === undefined) return tooFine(c, "taken_out");
    if (openingCents === undefined) return tooFine(c, "opening");
    const { rental_location_code: branchCode, date, note } = body;
    const closingRequest = { branchCode, date, countedCents, takenOutCents: withdrawnCents, openingCents, note };
    const closed = await closeCash(officeWrite(c, c.req.valid("header")["idempotency-key"]), closingRequest);
    return answerOffice(c, closed, (item, writes) => ({ closing: messages.toClosingMessage(item, writes) }), 201);
  });
}

/** Registers the routes of documents, charges, deposits, and the cash register's daily totals and closing. */
export function registerMoneyRoutes(office: Interface): void {
  registerLists(office);
  registerRegister(office);
}

import { createRoute } from "@hono/zod-openapi";
import { parseAmount } from "#domain/money.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { fromChargeDocument } from "#worker/api/integration/charge-messages.ts";
import { writingOf } from "#worker/api/integration/room.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import {
  listOfficeCharges,
  listOfficeDocuments,
  readOfficeDocument,
} from "#worker/usecases/documents/office-documents.ts";
import { decideRefund, listWaitingRefunds, refundReservation } from "#worker/usecases/payments/refunds.ts";
import { closeCash, readRegister } from "#worker/usecases/payments/register.ts";
import { answerOffice, decimalsOf, pageOf, tooFine } from "./answers.ts";
import { refused } from "./errors.ts";
import * as messages from "./money-messages.ts";
import { reservationParams } from "./request-messages.ts";
import { fails, handBackToken, idempotent, officeWrite, security, staffRequest, writing } from "./room.ts";

const TAGS = ["Money"];

const documentsRoute = createRoute({
  method: "get",
  path: "/documents",
  operationId: "listOfficeDocuments",
  tags: TAGS,
  summary: "Invoices, credit notes and bonds, the latest made first",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.documentsQuery },
  responses: { 200: json(messages.documentList, "A page of them"), ...fails.reading() },
});

const documentRoute = createRoute({
  method: "get",
  path: "/documents/{id}",
  operationId: "showDocument",
  tags: TAGS,
  summary: "One document with its items and what pays it",
  security,
  request: { params: messages.idParams },
  responses: { 200: json(messages.documentAnswer, "The document"), ...fails.reading(404) },
});

const chargesRoute = createRoute({
  method: "get",
  path: "/charges",
  operationId: "listOfficeCharges",
  tags: TAGS,
  summary: "Money that came and went, the latest entered first, and where it counts",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.chargesQuery },
  responses: { 200: json(messages.chargeList, "A page of them"), ...fails.reading() },
});

const registerRoute = createRoute({
  method: "get",
  path: "/register",
  operationId: "showRegister",
  tags: TAGS,
  summary: "A day's money by branch and payment method, with and without deposits",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.registerQuery },
  responses: { 200: json(messages.registerAnswer, "The register"), ...fails.reading() },
});

const closeRoute = createRoute({
  method: "post",
  path: "/register/close",
  operationId: "closeCash",
  tags: TAGS,
  summary: "Closes a branch's cash with what a person counted; its difference is kept",
  security,
  middleware: writing,
  request: {
    headers: idempotent,
    body: jsonRequest(messages.closingBody, "What was counted", {
      rental_location_code: "PMI",
      counted: "150.00",
      taken_out: "100.00",
      note: "to the bank",
    }),
  },
  responses: { 201: json(messages.closingAnswer, "The closing"), ...fails.writing(409, 422) },
});

const refundRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/refund",
  operationId: "refundReservation",
  tags: TAGS,
  summary: "Gives money of a contract back; above the account's second limit another manager approves",
  security,
  middleware: writing,
  request: {
    params: reservationParams,
    headers: idempotent,
    body: jsonRequest(messages.refundBody, "How much, how and why", { amount: "1.00", reason: "goodwill" }),
  },
  responses: {
    200: json(messages.refundAnswer, "It is given back"),
    202: json(messages.refundAnswer, "It waits for another manager"),
    ...fails.writing(404, 409, 422),
  },
});

const waitingRoute = createRoute({
  method: "get",
  path: "/refunds",
  operationId: "listWaitingRefunds",
  tags: TAGS,
  summary: "The refunds that wait for a second person, the oldest first",
  security,
  responses: { 200: json(messages.refundList, "Those that wait"), ...fails.reading() },
});

const decisionAnswers = {
  200: json(messages.refundAnswer, "What became of it"),
  ...fails.writing(404, 409, 422),
};

const approveRoute = createRoute({
  method: "post",
  path: "/refunds/{id}/approve",
  operationId: "approveRefund",
  tags: TAGS,
  summary: "Approves a refund that another manager asked for: it is given back",
  security,
  request: { params: messages.idParams, headers: idempotent },
  responses: decisionAnswers,
});

const declineRoute = createRoute({
  method: "post",
  path: "/refunds/{id}/decline",
  operationId: "declineRefund",
  tags: TAGS,
  summary: "Declines a refund that waits",
  security,
  request: { params: messages.idParams, headers: idempotent },
  responses: decisionAnswers,
});

function registerLists({ routes }: Interface): void {
  routes.openapi(documentsRoute, async (c) => {
    const query = c.req.valid("query");
    const listed = await listOfficeDocuments(staffRequest(c), {
      text: query.q,
      bookingId: query.reservation_id,
      form: query.document_kind,
      status: query.invoice_status,
      isPaid: query.payment_status && query.payment_status === "paid",
      dateFrom: query.date_from,
      dateTo: query.date_to,
      branchCode: query.rental_location_code,
      after: query.after,
      pageSize: query.page_size,
    });
    type Row = Parameters<typeof messages.fromAnyDocument>[0];
    return answerOffice(
      c,
      listed,
      (page, writes) => pageOf((row: Row) => messages.fromAnyDocument(row, page.codes, writes))(page, writes),
      200,
    );
  });
  routes.openapi(documentRoute, async (c) => {
    const read = await readOfficeDocument(staffRequest(c), c.req.valid("param").id);
    return answerOffice(
      c,
      read,
      ({ document, codes }, writes) => ({ document: messages.fromAnyDocument(document, codes, writes) }),
      200,
    );
  });
  routes.openapi(chargesRoute, async (c) => {
    const query = c.req.valid("query");
    const listed = await listOfficeCharges(staffRequest(c), {
      text: query.q,
      bookingId: query.reservation_id,
      method: query.payment_method_id,
      virtual: query.virtual,
      dateFrom: query.date_from,
      dateTo: query.date_to,
      branchCode: query.rental_location_code,
      after: query.after,
      pageSize: query.page_size,
    });
    return answerOffice(c, listed, pageOf(fromChargeDocument), 200);
  });
}

function registerRegister({ routes }: Interface): void {
  routes.openapi(registerRoute, async (c) => {
    const { date, rental_location_code: branchCode } = c.req.valid("query");
    const read = await readRegister(staffRequest(c), { date, branchCode });
    return answerOffice(c, read, messages.fromRegister, 200);
  });
  routes.openapi(closeRoute, async (c) => {
    const body = c.req.valid("json");
    const decimals = await decimalsOf(c);
    const countedCents = parseAmount(body.counted, decimals);
    const takenOutCents = parseAmount(body.taken_out ?? "0", decimals);
    const openingCents = parseAmount(body.opening ?? "0", decimals);
    if (countedCents === undefined) return tooFine(c, "counted");
    if (takenOutCents === undefined) return tooFine(c, "taken_out");
    if (openingCents === undefined) return tooFine(c, "opening");
    const { rental_location_code: branchCode, date, note } = body;
    const wanted = { branchCode, date, countedCents, takenOutCents, openingCents, note };
    const closed = await closeCash(officeWrite(c, c.req.valid("header")["idempotency-key"]), wanted);
    return answerOffice(c, closed, (one, writes) => ({ closing: messages.fromClosing(one, writes) }), 201);
  });
}

function registerRefunds({ routes }: Interface): void {
  routes.openapi(refundRoute, async (c) => {
    const body = c.req.valid("json");
    const cents = body.amount === undefined ? undefined : parseAmount(body.amount, await decimalsOf(c));
    if (body.amount !== undefined && cents === undefined) return tooFine(c, "amount");
    const wanted = {
      cents,
      method: body.payment_method_id,
      reason: body.reason,
      externalOperationNumber: body.external_operation_number,
    };
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const made = await refundReservation(write, c.req.valid("param").id, wanted);
    if (!made.ok) return refused(c, made.error);
    handBackToken(c, made.value.freshToken);
    const answer = messages.fromRefundAnswer(made.value.value, await writingOf(c));
    return answer.refund.state === "waiting" ? c.json(answer, 202) : c.json(answer, 200);
  });
  routes.openapi(waitingRoute, async (c) => {
    const listed = await listWaitingRefunds(staffRequest(c));
    return answerOffice(
      c,
      listed,
      (rows, writes) => ({ data: rows.map((one) => messages.fromRefund(one, writes)), total: rows.length, next: null }),
      200,
    );
  });
  for (const [route, isApproved] of [
    [approveRoute, true],
    [declineRoute, false],
  ] as const)
    routes.openapi(route, async (c) => {
      const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
      const decided = await decideRefund(write, c.req.valid("param").id, isApproved);
      return answerOffice(c, decided, messages.fromRefundAnswer, 200);
    });
}

/** Registers papers and money: what there is, the register of the day, refunds. */
export function registerMoneyRoutes(office: Interface): void {
  registerLists(office);
  registerRegister(office);
  registerRefunds(office);
}

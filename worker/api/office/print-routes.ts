import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import type { Result } from "#domain/result.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { Failure } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, optionalJsonRequest } from "#worker/api/openapi.ts";
import {
  answerEInvoice,
  answerPdf,
  eInvoiceQuery,
  eInvoiceResponse,
  pdfResponse,
  registerPdfRoute,
} from "#worker/api/pdf-responses.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareNoStepUp } from "#worker/api/step-up.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { printContract, readContractTexts } from "#worker/usecases/printing/print-contract.ts";
import { printDocument } from "#worker/usecases/printing/print-document.ts";
import { printChargeReceipt } from "#worker/usecases/printing/print-receipt.ts";
import { readEInvoice } from "#worker/usecases/printing/read-e-invoice.ts";
import type { PrintedFile, PrintoutReader, PrintRefusal } from "#worker/usecases/printing/read-printable.ts";
import { createReturnRecordText } from "#worker/usecases/printing/return-record.ts";
import { answerExcessDecimals, getCurrencyDecimals } from "./answers.ts";
import {
  contractTextQuery,
  contractTextsAnswer,
  returnRecordAnswer,
  toUnsavedHandOver,
} from "./contract-text-messages.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { returnRecordBody, toReturnToQuote } from "./hand-over-messages.ts";
import { idParams } from "./money-messages.ts";
import { officeFailureResponses, officeOptionalBodyMiddlewares, officeSecurity } from "./office-api.ts";
import { reservationParams } from "./request-messages.ts";

const TAGS = ["Printing"];
const numbered = z.object({ id: z.int().min(1).meta({ example: 1 }) });
const answered = { 200: pdfResponse, ...officeFailureResponses.reading(404) };

const documentRoute: RouteConfig = {
  method: "get",
  path: "/documents/{id}.pdf",
  operationId: "printDocument",
  tags: TAGS,
  summary: "Download a document",
  security: officeSecurity,
  request: { params: numbered },
  responses: answered,
};

const receiptRoute: RouteConfig = {
  method: "get",
  path: "/charges/{id}.pdf",
  operationId: "printReceipt",
  tags: TAGS,
  summary: "Download a payment receipt",
  security: officeSecurity,
  request: { params: numbered },
  responses: answered,
};

const contractRoute = createRoute({
  method: "get",
  path: "/reservations/{id}/contract.pdf",
  operationId: "printContract",
  tags: TAGS,
  summary: "Download a contract",
  security: officeSecurity,
  request: { params: reservationParams },
  responses: answered,
});

const contractTextRoute = createRoute({
  method: "get",
  path: "/reservations/{id}/contract",
  operationId: "showContractText",
  tags: TAGS,
  summary: "The text of a contract, which the customer signs",
  security: officeSecurity,
  description:
    "With `unit_id` or `reference`, only the text of this hand-over, as the contract will contain it once recorded.",
  request: { params: reservationParams, query: contractTextQuery },
  responses: {
    200: jsonContent(contractTextsAnswer, "Its parts: deliveries, signed exchanges and returns"),
    ...officeFailureResponses.reading(404, 409),
  },
});

const returnRecordRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/return-record",
  operationId: "previewReturnRecord",
  tags: TAGS,
  summary: "The text of a return, which the customer signs",
  description: "Contains the return as typed, with what it charges. Stores nothing.",
  ...declareNoStepUp("money", "Stores nothing"),
  security: officeSecurity,
  middleware: officeOptionalBodyMiddlewares,
  request: {
    params: reservationParams,
    body: optionalJsonRequest(returnRecordBody, "The return", { kilometres: 41_500, fuel_eighths: 8 }),
  },
  responses: {
    200: jsonContent(returnRecordAnswer, "Its text, with the time of the return"),
    ...officeFailureResponses.writing(404, 409),
  },
});

const eInvoiceRoute = createRoute({
  method: "get",
  path: "/documents/{id}/einvoice",
  operationId: "readEInvoice",
  tags: TAGS,
  summary: "Download the electronic invoice of a document",
  description:
    "UBL 2.1 (Peppol BIS Billing 3.0), XRechnung, CII, Factur-X (a PDF with its CII) or Facturae 3.2.2, signed if the account has a certificate. 409 einvoice_incomplete names what the format lacks.",
  security: officeSecurity,
  middleware: dropEmptyParameters,
  request: { params: idParams, query: eInvoiceQuery },
  responses: { 200: eInvoiceResponse, ...officeFailureResponses.reading(404, 409) },
});

/** Registers the routes that return documents, receipts and contracts as PDF, and electronic invoices. */
export function registerPrintRoutes(office: ApiRoutes): void {
  registerPdfRoute(office, documentRoute, async (c, id) => answer(c, await printDocument(getReader(c), id)));
  registerPdfRoute(office, receiptRoute, async (c, id) => answer(c, await printChargeReceipt(getReader(c), id)));
  office.routes.openapi(eInvoiceRoute, async (c) => {
    const { format } = c.req.valid("query");
    const read = await readEInvoice(getReader(c), c.req.valid("param").id, { format, now: c.get("now") });
    if (!read.ok) return answer(c, read);
    setFreshTokenHeader(c, read.value.freshToken);
    return answerEInvoice(c, read.value.value);
  });
  office.routes.openapi(contractRoute, async (c) =>
    answer(c, await printContract(getReader(c), { id: c.req.valid("param").id })),
  );
  office.routes.openapi(contractTextRoute, async (c) => {
    const handOver = toUnsavedHandOver(c.req.valid("query"), await getCurrencyDecimals(c), c.get("now"));
    if (handOver && "field" in handOver) return answerExcessDecimals(c, handOver.field);
    const read = await readContractTexts(getReader(c), { id: c.req.valid("param").id }, handOver);
    if (!read.ok) return answerRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    const data = read.value.value.map(({ isSigned, ...part }) => ({ ...part, is_signed: isSigned }));
    return c.json({ data }, 200);
  });
  registerReturnRecordRoute(office);
}

function registerReturnRecordRoute({ routes }: ApiRoutes): void {
  routes.openapi(returnRecordRoute, async (c) => {
    const { id } = c.req.valid("param");
    const returnRequest = toReturnToQuote(id, c.req.valid("json"), await getCurrencyDecimals(c));
    if ("field" in returnRequest) return answerExcessDecimals(c, returnRequest.field);
    const written = await createReturnRecordText(toStaffRequest(c), returnRequest);
    if (!written.ok) return answerRefusal(c, written.error);
    setFreshTokenHeader(c, written.value.freshToken);
    const { text, language, at } = written.value.value;
    return c.json({ data: [{ text, language, is_signed: false }], at }, 200);
  });
}

function getReader(c: Context<AppEnvironment>): PrintoutReader {
  return { kind: "staff", request: toStaffRequest(c) };
}

const documentNotFound: Failure = { status: 404, code: "document_not_found", message: "There is no such document" };
const chargeNotFound: Failure = { status: 404, code: "charge_not_found", message: "There is no such charge" };

async function answer(c: Context<AppEnvironment>, printed: Result<StaffAnswer<PrintedFile>, PrintRefusal>) {
  if (!printed.ok) return answerRefusal(c, printed.error);
  setFreshTokenHeader(c, printed.value.freshToken);
  return answerPdf(c, printed.value.value);
}

function answerRefusal(c: Context<AppEnvironment>, error: PrintRefusal) {
  if (error.kind === "documentNotFound") return toErrorResponse(c, documentNotFound);
  return error.kind === "chargeNotFound" ? toErrorResponse(c, chargeNotFound) : answerOfficeRefusal(c, error);
}

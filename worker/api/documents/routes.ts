import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type Cents, parseAmount } from "#domain/money.ts";
import type { Result } from "#domain/result.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failureResponses, invalidInput } from "#worker/api/failure.ts";
import { failureAnswer } from "#worker/api/failure-messages.ts";
import { writingOf } from "#worker/api/integration/room.ts";
import { closePaths, newInterface } from "#worker/api/interface.ts";
import { describeInterface, json } from "#worker/api/openapi.ts";
import { bodyCap, jsonBody } from "#worker/api/request-body.ts";
import { STAFF, signedIn } from "#worker/api/signed-in.ts";
import { creditDocument, issueDraft } from "#worker/usecases/documents/credit-document.ts";
import { invoiceContract } from "#worker/usecases/documents/invoice-contract.ts";
import {
  type ContractDocuments,
  readContractDocuments,
  readContractOfDocument,
} from "#worker/usecases/documents/read-contract-documents.ts";
import type { DocumentRefusal, StaffContext } from "#worker/usecases/documents/staff-context.ts";
import { enterCharge } from "#worker/usecases/payments/enter-charge.ts";
import { toDeskFailure } from "./errors.ts";
import * as messages from "./messages.ts";

/** Documents and charges at the context. The room shares the start of its addresses with others. */
const desk = newInterface(toErrorResponse, ["/v1/documents/*", "/v1/booking/:id/documents", "/v1/booking/:id/charges"]);
const { routes } = desk;
routes.openAPIRegistry.registerComponent("securitySchemes", "token", {
  type: "apiKey",
  in: "header",
  name: "Authorization",
  description: "The token of a member of staff's login. Past half of its life an answer carries a fresh one.",
});

const reading = [signedIn(STAFF, toErrorResponse)];
const writing = [bodyCap(toErrorResponse), signedIn(STAFF, toErrorResponse), jsonBody(toErrorResponse)];
const failed = failureResponses(json(failureAnswer, "The reason; a wrong field is named"));
const answered = { 200: json(messages.papersAnswer, "What the contract has on paper and in cash now"), ...failed };
const security = [{ token: [] }];
const { idPath: params } = messages;

function deskOf(c: Context<AppEnvironment>): StaffContext {
  return { tenant: c.var.tenant, staff: c.var.signedIn, now: c.var.now };
}

/** The papers as they are after what was done, also before: a repeated request is answered like the first. */
async function answer(
  c: Context<AppEnvironment>,
  done: Result<unknown, DocumentRefusal>,
  read: () => Promise<ContractDocuments | undefined>,
) {
  if (!done.ok) return toErrorResponse(c, toDeskFailure(done.error));
  const papers = await read();
  if (!papers) return toErrorResponse(c, toDeskFailure({ kind: "bookingNotFound" }));
  return c.json(messages.fromPapers(papers, await writingOf(c)), 200);
}

/** Minor units of an amount, or the answer that says that the currency has none so fine. */
async function centsOf(c: Context<AppEnvironment>, field: string, amount: string | undefined) {
  if (amount === undefined) return { cents: undefined };
  const { catalogue } = await c.var.tenant.snapshot();
  const cents = parseAmount(amount, catalogue.settings.currencyDecimals);
  if (cents === undefined)
    return { refusal: toErrorResponse(c, invalidInput([{ field, message: "is finer than the currency" }])) };
  return { cents: cents as Cents };
}

routes.openapi(
  createRoute({
    method: "get",
    path: "/v1/booking/{id}/documents",
    summary: "The documents and charges of a contract",
    security,
    middleware: reading,
    request: { params },
    responses: answered,
  }),
  async (c) =>
    answer(c, { ok: true, value: undefined }, () => readContractDocuments(deskOf(c), c.req.valid("param").id)),
);

routes.openapi(
  createRoute({
    method: "post",
    path: "/v1/booking/{id}/documents",
    summary: "Drafts or issues the next document of a contract: its invoice or bond, or the invoice of an advance",
    security,
    middleware: writing,
    request: { params, body: { ...json(messages.invoiceBody, "Which"), required: true } },
    responses: answered,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { request_id: requestId, advance, issued } = c.req.valid("json");
    const asked = await centsOf(c, "advance", advance);
    if (asked.refusal) return asked.refusal;
    const request = { requestId, bookingId: id, advanceCents: asked.cents, issued };
    return answer(c, await invoiceContract(deskOf(c), request), () => readContractDocuments(deskOf(c), id));
  },
);

routes.openapi(
  createRoute({
    method: "post",
    path: "/v1/booking/{id}/charges",
    summary: "Enters money of a contract: paid, given back, a deposit held, given back or kept",
    security,
    middleware: writing,
    request: { params, body: { ...json(messages.chargeBody, "The charge"), required: true } },
    responses: answered,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const body = c.req.valid("json");
    const asked = await centsOf(c, "amount", body.amount);
    if (asked.refusal) return asked.refusal;
    const request = {
      requestId: body.request_id,
      bookingId: id,
      kind: body.kind,
      cents: asked.cents ?? 0,
      method: body.payment_method_id,
      externalOperationNumber: body.external_operation_number,
      offlinePhysicalDeviceId: body.offline_physical_device_id,
    };
    return answer(c, await enterCharge(deskOf(c), request), () => readContractDocuments(deskOf(c), id));
  },
);

routes.openapi(
  createRoute({
    method: "post",
    path: "/v1/documents/{id}/issue",
    summary: "Issues a draft; what is issued already stays as it is",
    security,
    middleware: writing,
    request: { params, body: { ...json(messages.issueBody, "The request"), required: true } },
    responses: answered,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const request = { requestId: c.req.valid("json").request_id, documentId: id };
    return answer(c, await issueDraft(deskOf(c), request), () => readContractOfDocument(deskOf(c), id));
  },
);

routes.openapi(
  createRoute({
    method: "post",
    path: "/v1/documents/{id}/credit-note",
    summary: "Takes back a firm document, or a part of it, by a credit note",
    security,
    middleware: writing,
    request: { params, body: { ...json(messages.creditBody, "How much of it"), required: true } },
    responses: answered,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const { request_id: requestId, amount } = c.req.valid("json");
    const asked = await centsOf(c, "amount", amount);
    if (asked.refusal) return asked.refusal;
    const done = await creditDocument(deskOf(c), { requestId, documentId: id, cents: asked.cents });
    return answer(c, done, () => readContractOfDocument(deskOf(c), id));
  },
);

/** The OpenAPI document of documents and charges at the desk. */
export const describeDocuments = describeInterface(
  desk,
  { title: "Documents and charges at the desk", basePath: "/api", signed: false },
  "/v1/documents/openapi.json",
);
closePaths(desk);

export { routes as documentRoutes };

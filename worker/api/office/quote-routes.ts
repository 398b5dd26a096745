import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { QuoteChange } from "#domain/quotes/quotes.ts";
import type { Result } from "#domain/result.ts";
import { dropEmptyExceptDiscount } from "#worker/api/drop-empty-members.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { TranslatedFailure } from "#worker/api/failure.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import { type ApiRoutes, answerFailure } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest, optionalJsonRequest } from "#worker/api/openapi.ts";
import { answerPdf, pdfResponse } from "#worker/api/pdf-responses.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import {
  changeQuote,
  createQuote,
  declineQuote,
  duplicateQuote,
  listQuotes,
  type QuoteRefusal,
  readQuote,
} from "#worker/usecases/quotes/office-quotes.ts";
import { printQuote } from "#worker/usecases/quotes/print-quote.ts";
import type { QuoteAnswer } from "#worker/usecases/quotes/quote-answer.ts";
import { sendQuote } from "#worker/usecases/quotes/send-quote.ts";
import { answerExcessDecimals, answerOffice, createPageMapper, getCurrencyDecimals } from "./answers.ts";
import { customerDuplicateAnswer } from "./customer-messages.ts";
import { answerOfficeRefusal } from "./errors.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeOptionalBodyMiddlewares,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import * as messages from "./quote-messages.ts";
import { toReservationRequest } from "./request-messages.ts";
import { reservationHistoryAnswer } from "./reservation-messages.ts";
import { toSortedQuery } from "./sort-messages.ts";

const TAGS = ["Quotes"];
const conflictAnswer = customerDuplicateAnswer
  .extend(messages.quoteAnswer.partial().shape)
  .meta({ id: "QuoteConflict" });
const changed = {
  200: jsonContent(messages.quoteAnswer, "The current quote"),
  ...officeFailureResponses.writing(404, 422),
  409: jsonContent(conflictAnswer, "Conflict with the current state. See `code`"),
};
const created = {
  201: jsonContent(messages.quoteAnswer, "The new quote"),
  ...officeFailureResponses.writing(404, 422),
  409: jsonContent(customerDuplicateAnswer, "Conflict with the current state. See `code`"),
};

const listRoute = createRoute({
  method: "get",
  path: "/quotes",
  operationId: "listQuotes",
  tags: TAGS,
  summary: "List quotes",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.quotesQuery },
  responses: {
    200: jsonContent(messages.quoteList, "A page of quotes, newest first"),
    ...officeFailureResponses.reading(),
  },
});

const readRoute = createRoute({
  method: "get",
  path: "/quotes/{id}",
  operationId: "showQuote",
  tags: TAGS,
  summary: "Retrieve a quote",
  security: officeSecurity,
  request: { params: messages.quoteParams },
  responses: { 200: jsonContent(messages.quoteAnswer, "The quote"), ...officeFailureResponses.reading(404) },
});

const historyRoute = createRoute({
  method: "get",
  path: "/quotes/{id}/history",
  operationId: "showQuoteHistory",
  tags: TAGS,
  summary: "List changes of a quote",
  security: officeSecurity,
  request: { params: messages.quoteParams },
  responses: {
    200: jsonContent(reservationHistoryAnswer, "Changes, latest first"),
    ...officeFailureResponses.reading(404),
  },
});

const printRoute = createRoute({
  method: "get",
  path: "/quotes/{id}/quote.pdf",
  operationId: "printQuote",
  tags: TAGS,
  summary: "Download a quote",
  security: officeSecurity,
  request: { params: messages.quoteParams },
  responses: { 200: pdfResponse, ...officeFailureResponses.reading(404) },
});

const EXAMPLE = {
  ...{ date_from: "2030-06-10", time_from: "10:00", date_to: "2030-06-13", time_to: "10:00" },
  ...{ pickup_place: 1, return_place: 1, category_code: "ECON" },
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
  valid_until: "2030-06-01T18:00",
};

const createQuoteRoute = createRoute({
  method: "post",
  path: "/quotes",
  operationId: "createQuote",
  tags: TAGS,
  summary: "Create a quote",
  security: officeSecurity,
  middleware: [...officeWriteMiddlewares, dropEmptyExceptDiscount],
  request: { headers: idempotencyHeaders, body: jsonRequest(messages.newQuoteBody, "The quote", EXAMPLE) },
  responses: created,
});

const changeRoute = createRoute({
  method: "patch",
  path: "/quotes/{id}",
  operationId: "changeQuote",
  tags: TAGS,
  summary: "Update a draft or sent quote",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: messages.quoteParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.quoteChangeBody, "Changes", { expected_version: 1, notes: "Comes by ferry" }),
  },
  responses: changed,
});

const sendRoute = createRoute({
  method: "post",
  path: "/quotes/{id}/send",
  operationId: "sendQuote",
  tags: TAGS,
  summary: "Send a quote by mail, with the PDF and the link",
  security: officeSecurity,
  middleware: officeOptionalBodyMiddlewares,
  request: {
    params: messages.quoteParams,
    headers: idempotencyHeaders,
    body: optionalJsonRequest(messages.quoteSendBody, "Address", { email: "ana@example.com" }),
  },
  responses: changed,
});

const duplicateRoute = createRoute({
  method: "post",
  path: "/quotes/{id}/duplicate",
  operationId: "duplicateQuote",
  tags: TAGS,
  summary: "Create a new draft from a quote, at today's prices",
  security: officeSecurity,
  middleware: officeOptionalBodyMiddlewares,
  request: {
    params: messages.quoteParams,
    headers: idempotencyHeaders,
    body: optionalJsonRequest(messages.quoteDuplicateBody, "Differences from the original", {
      valid_until: "2030-06-05T18:00",
    }),
  },
  responses: created,
});

const declineRoute = createRoute({
  method: "post",
  path: "/quotes/{id}/decline",
  operationId: "declineQuote",
  tags: TAGS,
  summary: "Record that the customer declined a quote",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: messages.quoteParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.quoteDeclineBody, "Why", { reason: "Found a cheaper one" }),
  },
  responses: changed,
});

/** Registers the routes of quotes. */
export function registerQuoteRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const query = c.req.valid("query");
    const page = { ...toSortedQuery(query), pageSize: query.page_size };
    const listed = await listQuotes(toStaffRequest(c), { ...messages.toQuoteFilter(query), ...page });
    return answerOffice(c, listed, createPageMapper(messages.toQuoteMessage), 200);
  });
  routes.openapi(readRoute, async (c) => answer(c, await readQuote(toStaffRequest(c), c.req.valid("param").id), 200));
  routes.openapi(historyRoute, async (c) => {
    const read = await readQuote(toStaffRequest(c), c.req.valid("param").id);
    if (!read.ok) return refuseQuote(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    const writes = await loadMessageFormat(c);
    return c.json(
      { data: read.value.value.history.map((entry) => messages.toQuoteHistoryMessage(entry, writes)) },
      200,
    );
  });
  routes.openapi(printRoute, async (c) => {
    const printed = await printQuote({ kind: "staff", request: toStaffRequest(c) }, c.req.valid("param"));
    if (!printed.ok) return refuseQuote(c, printed.error);
    setFreshTokenHeader(c, printed.value.freshToken);
    return answerPdf(c, printed.value.value);
  });
  routes.openapi(createQuoteRoute, async (c) => {
    const { valid_until: validUntil, hold: holds, ...body } = c.req.valid("json");
    const request = toReservationRequest(body, await getCurrencyDecimals(c));
    if ("field" in request) return answerExcessDecimals(c, request.field);
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answer(c, await createQuote(write, request, { validUntil, holds }), 201);
  });
  routes.openapi(changeRoute, async (c) => {
    const { expected_version: expectedVersion, ...body } = c.req.valid("json");
    const change = messages.toQuoteChange(body, await getCurrencyDecimals(c));
    if ("field" in change) return answerExcessDecimals(c, change.field);
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const context = { id: c.req.valid("param").id, expectedVersion };
    return answer(c, await changeQuote(write, context, change, toTerms(body)), 200);
  });
  routes.openapi(sendRoute, async (c) => {
    const { expected_version: expectedVersion, email } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answer(c, await sendQuote(write, { id: c.req.valid("param").id, expectedVersion }, email), 200);
  });
  routes.openapi(duplicateRoute, async (c) => {
    const body = c.req.valid("json");
    const change: QuoteChange | { readonly field: string } = messages.toQuoteChange(body, await getCurrencyDecimals(c));
    if ("field" in change) return answerExcessDecimals(c, change.field);
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answer(c, await duplicateQuote(write, c.req.valid("param").id, change, toTerms(body)), 201);
  });
  routes.openapi(declineRoute, async (c) => {
    const { expected_version: expectedVersion, reason } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answer(c, await declineQuote(write, { id: c.req.valid("param").id, expectedVersion }, reason), 200);
  });
}

const toTerms = ({
  valid_until: validUntil,
  hold: holds,
}: Pick<Parameters<typeof messages.toQuoteChange>[0], "valid_until" | "hold">) => ({ validUntil, holds });

async function answer<Status extends 200 | 201>(
  c: Context<AppEnvironment>,
  result: Result<StaffAnswer<QuoteAnswer>, QuoteRefusal>,
  status: Status,
) {
  if (!result.ok) return refuseQuote(c, result.error);
  setFreshTokenHeader(c, result.value.freshToken);
  return c.json(messages.toQuoteDetailMessage(result.value.value, await loadMessageFormat(c)), status);
}

async function refuseQuote(c: Context<AppEnvironment>, refusal: QuoteRefusal) {
  switch (refusal.kind) {
    case "quoteNotFound":
      return toErrorResponse(c, QUOTE_NOT_FOUND);
    case "quoteClosed":
      return toErrorResponse(c, toQuoteClosed(refusal.status));
    case "quoteChanged": {
      const { message, code } = QUOTE_CHANGED;
      const current = messages.toQuoteDetailMessage(refusal.quote, await loadMessageFormat(c));
      return answerFailure(c, { error: message, code, ...current }, QUOTE_CHANGED);
    }
    default:
      return answerOfficeRefusal(c, refusal);
  }
}

const QUOTE_NOT_FOUND: TranslatedFailure = { status: 404, code: "quote_not_found", message: "Quote not found" };
const QUOTE_CHANGED = {
  status: 409,
  code: "changed_meanwhile",
  message: "expected_version: version conflict, the quote was modified",
} as const satisfies TranslatedFailure;

function toQuoteClosed(status: string): TranslatedFailure {
  return status === "expired"
    ? { status: 409, code: "quote_expired", message: "The quote has expired. Duplicate it" }
    : { status: 409, code: "quote_closed", message: `The quote is ${status}`, params: { status } };
}

import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createProblem } from "#domain/problems.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import {
  createInvalidFieldsFailure,
  createPermissionDeniedFailure,
  type Failure,
  failures,
} from "#worker/api/failure.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import { type ApiRoutes, answerFailure, type ErrorResponse } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { toFieldDetail } from "#worker/api/primitives.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import {
  type ExpenseRefusal,
  type ExpenseResult,
  listExpenses,
  readExpense,
  readExpenseHistory,
} from "#worker/usecases/reporting/expenses.ts";
import { changeExpense, enterExpense, removeExpense } from "#worker/usecases/reporting/write-expenses.ts";
import { getCurrencyDecimals, getToday } from "./answers.ts";
import * as messages from "./expense-messages.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import { resourceRemovalQuery, toResourceHistoryMessage } from "./resources/resource-messages.ts";
import { toSortedQuery } from "./sort-messages.ts";

const TAGS = ["Expenses"];
const conflict = { 409: jsonContent(messages.expenseConflictAnswer, "Conflict with the current state. See `code`") };

const listRoute = createRoute({
  method: "get",
  path: "/expenses",
  operationId: "listExpenses",
  tags: TAGS,
  summary: "List expenses with their total",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.expensesQuery },
  responses: { 200: jsonContent(messages.expenseList, "A page of the list"), ...officeFailureResponses.reading() },
});

const readRoute = createRoute({
  method: "get",
  path: "/expenses/{id}",
  operationId: "showExpense",
  tags: TAGS,
  summary: "Retrieve an expense",
  security: officeSecurity,
  request: { params: messages.expenseParams },
  responses: { 200: jsonContent(messages.expenseAnswer, "The current state"), ...officeFailureResponses.reading(404) },
});

const historyRoute = createRoute({
  method: "get",
  path: "/expenses/{id}/history",
  operationId: "showExpenseHistory",
  tags: TAGS,
  summary: "List changes of an expense",
  security: officeSecurity,
  request: { params: messages.expenseParams },
  responses: {
    200: jsonContent(messages.expenseHistoryAnswer, "Changes, latest first"),
    ...officeFailureResponses.reading(404),
  },
});

const enterRoute = createRoute({
  method: "post",
  path: "/expenses",
  operationId: "enterExpense",
  tags: TAGS,
  summary: "Create an expense",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.expenseBody, "The expense", {
      booking_item_reference: "AUTO-01",
      concept_id: 1,
      date: "2026-05-03",
      description: "Front brakes",
      reference: "F-2026/118",
      total_without_taxes: "180.00",
      discount: "18.00",
      tax_percent: "21.00",
    }),
  },
  responses: {
    201: jsonContent(messages.expenseAnswer, "The saved state"),
    ...officeFailureResponses.writing(404, 422),
    ...conflict,
  },
});

const changeRoute = createRoute({
  method: "patch",
  path: "/expenses/{id}",
  operationId: "changeExpense",
  tags: TAGS,
  summary: "Update an expense",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: messages.expenseParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.expenseChangeBody, "What changes", {
      expected_version: 1,
      total_without_taxes: "190.00",
      tax_percent: "21.00",
    }),
  },
  responses: {
    200: jsonContent(messages.expenseAnswer, "The saved state"),
    ...officeFailureResponses.writing(404, 422),
    ...conflict,
  },
});

const takeBackRoute = createRoute({
  method: "delete",
  path: "/expenses/{id}",
  operationId: "takeBackExpense",
  tags: TAGS,
  summary: "Delete an expense",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { params: messages.expenseParams, headers: idempotencyHeaders, query: resourceRemovalQuery },
  responses: { 204: { description: "Deleted" }, ...officeFailureResponses.reading(404, 422), ...conflict },
});

/** Registers the routes that list, create, change and void vehicle expenses. */
export function registerExpenseRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const query = c.req.valid("query");
    const listed = await listExpenses(toStaffRequest(c), {
      ...messages.toExpenseFilter(query, await getToday(c)),
      ...toSortedQuery(query),
      pageSize: query.page_size,
    });
    if (!listed.ok) return answerExpenseRefusal(c, listed.error);
    setFreshTokenHeader(c, listed.value.freshToken);
    const { rows, total, sums, next } = listed.value.value;
    const decimals = await getCurrencyDecimals(c);
    const data = rows.map((row) => messages.toOfficeExpenseMessage(row, decimals));
    return c.json({ data, total, summary: messages.toExpenseSumsMessage(sums, decimals), next: next ?? null }, 200);
  });
  routes.openapi(readRoute, async (c) =>
    answerExpense(c, await readExpense(toStaffRequest(c), c.req.valid("param").id), 200),
  );
  routes.openapi(historyRoute, async (c) => {
    const read = await readExpenseHistory(toStaffRequest(c), c.req.valid("param").id);
    if (!read.ok) return answerExpenseRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    return c.json(toResourceHistoryMessage(read.value.value, await loadMessageFormat(c)), 200);
  });
  registerWrites(routes);
}

function registerWrites(routes: ApiRoutes["routes"]): void {
  routes.openapi(enterRoute, async (c) => {
    const { booking_item_reference: vehicleReference, concept_id: conceptId, date, ...rest } = c.req.valid("json");
    const { vehicle_service_id: vehicleServiceId, ...body } = rest;
    const decimals = await getCurrencyDecimals(c);
    const tooPreciseAmounts = messages.findTooPreciseAmounts(body, decimals);
    if (tooPreciseAmounts.length > 0) return tooFine(c, tooPreciseAmounts);
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const expenseData = {
      ...messages.toExpenseInput(body, decimals),
      vehicleReference,
      conceptId,
      date,
      vehicleServiceId,
    };
    return answerExpense(c, await enterExpense(write, expenseData), 201);
  });
  routes.openapi(changeRoute, async (c) => {
    const { expected_version: expectedVersion, ...body } = c.req.valid("json");
    const decimals = await getCurrencyDecimals(c);
    const tooPreciseAmounts = messages.findTooPreciseAmounts(body, decimals);
    if (tooPreciseAmounts.length > 0) return tooFine(c, tooPreciseAmounts);
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const change = { expectedVersion, input: messages.toExpenseInput(body, decimals) };
    return answerExpense(c, await changeExpense(write, c.req.valid("param").id, change), 200);
  });
  routes.openapi(takeBackRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { expected_version: expectedVersion } = c.req.valid("query");
    const removalResult = await removeExpense(write, c.req.valid("param").id, expectedVersion);
    if (!removalResult.ok) return answerExpenseRefusal(c, removalResult.error);
    setFreshTokenHeader(c, removalResult.value.freshToken);
    return c.body(null, 204);
  });
}

async function answerExpense<Status extends 200 | 201>(
  c: Context<AppEnvironment>,
  result: Awaited<ExpenseResult<Parameters<typeof messages.toOfficeExpenseMessage>[0]>>,
  status: Status,
) {
  if (!result.ok) return answerExpenseRefusal(c, result.error);
  setFreshTokenHeader(c, result.value.freshToken);
  return c.json({ expense: messages.toOfficeExpenseMessage(result.value.value, await getCurrencyDecimals(c)) }, status);
}

function tooFine(c: Context<AppEnvironment>, fields: readonly string[]) {
  return toErrorResponse(c, createInvalidFieldsFailure(fields.map((field) => createProblem(field, "too_fine"))));
}

const EXPENSE_CHANGED_FAILURE = {
  status: 409,
  code: "changed_meanwhile",
  message: "expected_version: version conflict, the resource was modified",
} as const;

/** Returns the refusal of an expense request. */
export async function answerExpenseRefusal(
  c: Context<AppEnvironment>,
  refusal: ExpenseRefusal,
): Promise<ErrorResponse> {
  if (refusal.kind !== "expenseChanged") return toErrorResponse(c, toFailure(refusal));
  const { message, code } = EXPENSE_CHANGED_FAILURE;
  const detail = [{ field: "expected_version", message: "is not the version any more" }];
  const expense = messages.toOfficeExpenseMessage(refusal.expense, await getCurrencyDecimals(c));
  return answerFailure(c, { error: message, code, detail, expense }, EXPENSE_CHANGED_FAILURE);
}

function toFailure(refusal: Exclude<ExpenseRefusal, { readonly kind: "expenseChanged" }>): Failure {
  switch (refusal.kind) {
    case "rightMissing":
      return createPermissionDeniedFailure(refusal.right);
    case "branchOfOthers":
    case "keyReused":
      return failures[refusal.kind];
    case "expenseNotFound":
      return { status: 404, code: "expense_not_found", message: "There is no such expense" };
    case "problems":
      return createInvalidFieldsFailure(refusal.problems);
    case "expenseKnown":
      return {
        status: 409,
        code: "expense_known",
        message:
          "reference: this paper is entered for the vehicle and the day already; duplicate_confirmed: it is another",
        detail: [
          toFieldDetail(createProblem("reference", "entered_already")),
          ...(refusal.id === undefined ? [] : [{ field: "id", message: String(refusal.id) }]),
        ],
      };
    default:
      return failures[refusal.kind];
  }
}

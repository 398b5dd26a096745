import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { createProblem } from "#domain/problems.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidFieldsFailure } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { getCurrencyDecimals } from "#worker/api/office/answers.ts";
import {
  idempotencyHeaders,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "#worker/api/office/office-api.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { createGatewayClient } from "#worker/api/payments/gateway-client.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareNoStepUp } from "#worker/api/step-up.ts";
import { checkAccountSetup, testGatewayConfiguration } from "#worker/usecases/catalogue/resources/check-account.ts";
import { readOpeningWeek, writeOpeningWeek } from "#worker/usecases/catalogue/resources/opening-week.ts";
import { previewPrices, readPriceTable, writePriceTable } from "#worker/usecases/catalogue/resources/price-table.ts";
import {
  accountSetupAnswer,
  gatewayTestAnswer,
  gatewayTestParams,
  toGatewayTestMessage,
  toSetupStepMessage,
} from "./account-messages.ts";
import * as weekMessages from "./opening-week-messages.ts";
import * as messages from "./price-table-messages.ts";
import { toResourceErrorResponse } from "./resource-errors.ts";

const PRICES: Resource = getResource("prices");
const HOURS: Resource = getResource("opening-hours");
const TABLE_EXAMPLE = {
  brackets: [
    { from_days: 1, to_days: 6 },
    { from_days: 7, to_days: null },
  ],
  rows: [{ category_code: "ECON", prices: ["45.00", "38.00"] }],
};

const readRoute = createRoute({
  method: "get",
  path: "/prices/table",
  operationId: "showPriceTable",
  tags: ["Prices"],
  summary: "Retrieve prices as a table",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.priceTableQuery },
  responses: { 200: jsonContent(messages.priceTableAnswer, "The table"), ...officeFailureResponses.reading() },
});

const writeRoute = createRoute({
  method: "put",
  path: "/prices/table",
  operationId: "writePriceTable",
  tags: ["Prices"],
  summary: "Replace rows of the price table",
  security: officeSecurity,
  middleware: [dropEmptyParameters, ...officeWriteMiddlewares],
  request: {
    query: messages.priceTableQuery,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.priceTableChangeBody, "The rows that change", { expected_version: 1, ...TABLE_EXAMPLE }),
  },
  responses: {
    200: jsonContent(messages.priceTableAnswer, "The table as it is now"),
    ...officeFailureResponses.writing(422),
    409: jsonContent(messages.priceTableConflictAnswer, "The prices have changed. Contains the current table"),
  },
});

const previewRoute = createRoute({
  method: "post",
  path: "/prices/preview",
  operationId: "previewPrices",
  tags: ["Prices"],
  summary: "Preview a price table",
  security: officeSecurity,
  middleware: [dropEmptyParameters, ...officeWriteMiddlewares],
  request: {
    query: messages.priceTableQuery,
    body: jsonRequest(messages.pricePreviewBody, "The table, and the dates", {
      ...TABLE_EXAMPLE,
      dates: [{ date_from: "2030-06-10", date_to: "2030-06-17" }],
    }),
  },
  responses: {
    200: jsonContent(messages.pricePreviewAnswer, "Each category on each of the dates"),
    ...officeFailureResponses.writing(),
  },
});

const readWeekRoute = createRoute({
  method: "get",
  path: "/opening-hours/week",
  operationId: "showOpeningWeek",
  tags: ["Company"],
  summary: "Retrieve the opening hours of a branch's week",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: weekMessages.openingWeekQuery },
  responses: { 200: jsonContent(weekMessages.openingWeekAnswer, "The week"), ...officeFailureResponses.reading() },
});

const writeWeekRoute = createRoute({
  method: "put",
  path: "/opening-hours/week",
  operationId: "writeOpeningWeek",
  tags: ["Company"],
  summary: "Replace the opening hours of a branch's week",
  security: officeSecurity,
  middleware: [dropEmptyParameters, ...officeWriteMiddlewares],
  request: {
    query: weekMessages.openingWeekQuery,
    headers: idempotencyHeaders,
    body: jsonRequest(weekMessages.openingWeekBody, "All times of the week", {
      expected_version: 1,
      times: [{ weekday: 1, opens: "08:00", closes: "20:00" }],
    }),
  },
  responses: {
    200: jsonContent(weekMessages.openingWeekAnswer, "The week as it is now"),
    ...officeFailureResponses.writing(422),
    409: jsonContent(weekMessages.openingWeekConflictAnswer, "The hours have changed. Contains the current week"),
  },
});

const dryRunRoute = createRoute({
  method: "post",
  path: "/settings/dry-run",
  operationId: "checkSettings",
  tags: ["Settings"],
  summary: "Check the setup of the account",
  security: officeSecurity,
  responses: {
    200: jsonContent(accountSetupAnswer, "Missing settings. An empty list means none"),
    ...officeFailureResponses.reading(),
  },
});

const gatewayTestRoute = createRoute({
  method: "post",
  path: "/gateways/{method}/test",
  operationId: "testGateway",
  ...declareNoStepUp("access", "A check changes nothing"),
  tags: ["Access"],
  summary: "Check a payment gateway",
  security: officeSecurity,
  request: { params: gatewayTestParams },
  responses: { 200: jsonContent(gatewayTestAnswer, "Result of the check"), ...officeFailureResponses.reading(404) },
});

function toPriceTableKey({
  season,
  sales_channel: channel,
}: {
  season?: number | undefined;
  sales_channel?: string | undefined;
}) {
  return { seasonId: season ?? null, channel: channel ?? null };
}

function notAmounts(c: Context<AppEnvironment>, fields: readonly string[]) {
  return toErrorResponse(c, createInvalidFieldsFailure(fields.map((field) => createProblem(field, "money"))));
}

/** Registers the routes of the price table, its preview, and the checks of the account's configuration. */
export function registerPriceAndSetupRoutes({ routes }: ApiRoutes): void {
  routes.openapi(readRoute, async (c) => {
    const read = await readPriceTable(toStaffRequest(c), toPriceTableKey(c.req.valid("query")));
    if (!read.ok) return toResourceErrorResponse(c, PRICES, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    return c.json({ table: messages.toPriceTableMessage(read.value.value, await getCurrencyDecimals(c)) }, 200);
  });
  routes.openapi(writeRoute, async (c) => {
    const body = c.req.valid("json");
    const decimals = await getCurrencyDecimals(c);
    const { table, wrong } = messages.toSubmittedPriceTable(body, decimals);
    if (wrong.length > 0) return notAmounts(c, wrong);
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const key = toPriceTableKey(c.req.valid("query"));
    const writeResult = await writePriceTable(write, { key, expectedVersion: body.expected_version, table });
    if (!writeResult.ok) return toResourceErrorResponse(c, PRICES, writeResult.error);
    setFreshTokenHeader(c, writeResult.value.freshToken);
    return c.json({ table: messages.toPriceTableMessage(writeResult.value.value, decimals) }, 200);
  });
  routes.openapi(previewRoute, async (c) => {
    const body = c.req.valid("json");
    const decimals = await getCurrencyDecimals(c);
    const { table, wrong } = messages.toSubmittedPriceTable(body, decimals);
    if (wrong.length > 0) return notAmounts(c, wrong);
    const key = toPriceTableKey(c.req.valid("query"));
    const previewed = await previewPrices(toStaffRequest(c), {
      key,
      table,
      dates: messages.toPreviewDates(body.dates),
    });
    if (!previewed.ok) return toResourceErrorResponse(c, PRICES, previewed.error);
    setFreshTokenHeader(c, previewed.value.freshToken);
    return c.json(messages.toPricePreviewMessage(previewed.value.value, decimals), 200);
  });
  routes.openapi(readWeekRoute, async (c) => {
    const read = await readOpeningWeek(toStaffRequest(c), c.req.valid("query").rental_location_code);
    if (!read.ok) return toResourceErrorResponse(c, HOURS, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    return c.json({ week: weekMessages.toOpeningWeekMessage(read.value.value) }, 200);
  });
  routes.openapi(writeWeekRoute, async (c) => {
    const { expected_version: expectedVersion, times } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const branchCode = c.req.valid("query").rental_location_code;
    const outcome = await writeOpeningWeek(write, { branchCode, expectedVersion, times });
    if (!outcome.ok) return toResourceErrorResponse(c, HOURS, outcome.error);
    setFreshTokenHeader(c, outcome.value.freshToken);
    return c.json({ week: weekMessages.toOpeningWeekMessage(outcome.value.value) }, 200);
  });
  routes.openapi(dryRunRoute, async (c) => {
    const checked = await checkAccountSetup(toStaffRequest(c));
    if (!checked.ok) return toResourceErrorResponse(c, getResource("settings"), checked.error);
    setFreshTokenHeader(c, checked.value.freshToken);
    const { obstacles, steps } = checked.value.value;
    const data = obstacles.map(({ blockedFunction, ...one }) => ({ keeps_from: blockedFunction, ...one }));
    return c.json({ data, steps: steps.map(toSetupStepMessage) }, 200);
  });
  routes.openapi(gatewayTestRoute, async (c) => {
    const tested = await testGatewayConfiguration(
      toStaffRequest(c),
      c.req.valid("param").method,
      createGatewayClient(c.env),
    );
    if (!tested.ok) return toResourceErrorResponse(c, getResource("gateways"), tested.error);
    setFreshTokenHeader(c, tested.value.freshToken);
    return c.json(toGatewayTestMessage(tested.value.value), 200);
  });
}

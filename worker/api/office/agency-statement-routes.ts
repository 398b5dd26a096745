import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { payAgencyCommissions, readAgencyStatement } from "#worker/usecases/contracts/agents/agency-statement.ts";
import { exportList } from "#worker/usecases/operations/export-list.ts";
import * as messages from "./agency-statement-messages.ts";
import { answerOffice } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { toExportTable } from "./export-table-messages.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  toOfficeWrite,
} from "./office-api.ts";
import { answerTableFile, createTableResponses, TABLE_FORMATS } from "./table-files.ts";

const TAGS = ["Money"];
const FILES = { csv: "exportAgencyStatement", xlsx: "exportAgencyStatementWorkbook" } as const;

const statementRoute = createRoute({
  method: "get",
  path: "/agencies/{id}/statement",
  operationId: "showAgencyStatement",
  tags: TAGS,
  summary: "Retrieve an agency's statement of a period",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { params: messages.agencyParams, query: messages.agencyStatementQuery },
  responses: {
    200: jsonContent(messages.agencyStatementAnswer, "Reservations by return, with their sums"),
    ...officeFailureResponses.reading(404),
  },
});

const payRoute = createRoute({
  method: "post",
  path: "/agencies/{id}/statement/pay",
  operationId: "payAgencyCommissions",
  ...declareStepUp("money"),
  tags: TAGS,
  summary: "Record that commissions of an agency were paid, or revert it",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: messages.agencyParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.agencyPaymentBody, "Reservations and date", {
      reservation_ids: [12, 15],
      date: "2026-11-20",
    }),
  },
  responses: {
    200: jsonContent(messages.agencyPaymentAnswer, "The reservations as they are now"),
    ...officeFailureResponses.writing(409, 422),
  },
});

/** Registers the routes of statements for agencies: their sales and commissions in a period. */
export function registerAgencyStatementRoutes({ routes }: ApiRoutes): void {
  routes.openapi(statementRoute, async (c) => {
    const { date_from: dateFrom, date_to: dateTo } = c.req.valid("query");
    const period = { agencyId: c.req.valid("param").id, dateFrom, dateTo };
    return answerOffice(
      c,
      await readAgencyStatement(toStaffRequest(c), period),
      messages.toAgencyStatementMessage,
      200,
    );
  });
  routes.openapi(payRoute, async (c) => {
    const { reservation_ids: bookingIds, date } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const payment = { agencyId: c.req.valid("param").id, bookingIds, date };
    return answerOffice(c, await payAgencyCommissions(write, payment), messages.toStatementLinesMessage, 200);
  });
  for (const format of TABLE_FORMATS) {
    const route = createRoute({
      method: "get",
      path: `/agencies/{id}/statement.${format}`,
      operationId: FILES[format],
      ...declareStepUp("people"),
      tags: TAGS,
      summary: "Export an agency's statement as a table",
      security: officeSecurity,
      middleware: [dropEmptyParameters],
      request: { params: messages.agencyParams, query: messages.agencyStatementTableQuery },
      responses: createTableResponses(format, 404),
    });
    routes.openapi(route, async (c) => {
      const { date_from: dateFrom, date_to: dateTo, decimal_mark: mark } = c.req.valid("query");
      const period = { agencyId: c.req.valid("param").id, dateFrom, dateTo };
      const listed = await exportList(toStaffRequest(c), "agency-statement", () =>
        listStatementRows(readAgencyStatement(toStaffRequest(c), period)),
      );
      if (!listed.ok) return answerOfficeRefusal(c, listed.error);
      setFreshTokenHeader(c, listed.value.freshToken);
      const messageFormat = await loadMessageFormat(c);
      const rows = listed.value.value.rows.map((row) => messages.toStatementLineMessage(row, messageFormat));
      return answerTableFile(c, "statement", format, {
        table: toExportTable(messages.AGENCY_STATEMENT_COLUMNS, rows, messageFormat),
        mark,
      });
    });
  }
}

async function listStatementRows(reading: ReturnType<typeof readAgencyStatement>) {
  const read = await reading;
  return read.ok
    ? { ...read, value: { ...read.value, value: { rows: read.value.value.lines, next: undefined } } }
    : read;
}

import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { loadWriting } from "#worker/api/integration/room.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { returnFreshToken } from "#worker/api/signed-in.ts";
import { stepUp } from "#worker/api/step-up.ts";
import { payAgencyCommissions, readAgencyStatement } from "#worker/usecases/contracts/agents/agency-statement.ts";
import { exportList } from "#worker/usecases/operations/export-list.ts";
import * as messages from "./agency-statement-messages.ts";
import { answerOffice } from "./answers.ts";
import { toTableContent } from "./book-table-messages.ts";
import { refused } from "./errors.ts";
import { creationMiddlewares, fails, idempotent, officeWrite, security, staffRequest } from "./room.ts";
import { answerTable, TABLE_FORMATS, tableResponses } from "./table-files.ts";

const TAGS = ["Money"];
const FILES = { csv: "exportAgencyStatement", xlsx: "exportAgencyStatementWorkbook" } as const;

const statementRoute = createRoute({
  method: "get",
  path: "/agencies/{id}/statement",
  operationId: "showAgencyStatement",
  tags: TAGS,
  summary: "Retrieve an agency's statement of a period",
  security,
  middleware: [dropEmptyParameters],
  request: { params: messages.agencyParams, query: messages.statementQuery },
  responses: { 200: json(messages.statementAnswer, "Reservations by return, with their sums"), ...fails.reading(404) },
});

const payRoute = createRoute({
  method: "post",
  path: "/agencies/{id}/statement/pay",
  operationId: "payAgencyCommissions",
  ...stepUp("money"),
  tags: TAGS,
  summary: "Record that commissions of an agency were paid, or revert it",
  security,
  middleware: creationMiddlewares,
  request: {
    params: messages.agencyParams,
    headers: idempotent,
    body: jsonRequest(messages.payBody, "Reservations and date", { reservation_ids: [12, 15], date: "2026-11-20" }),
  },
  responses: { 200: json(messages.paidAnswer, "The reservations as they are now"), ...fails.writing(409, 422) },
});

/** Registers the routes of statements for agencies: their sales and commissions in a period. */
export function registerAgencyStatementRoutes({ routes }: Interface): void {
  routes.openapi(statementRoute, async (c) => {
    const { date_from: dateFrom, date_to: dateTo } = c.req.valid("query");
    const period = { agencyId: c.req.valid("param").id, dateFrom, dateTo };
    return answerOffice(c, await readAgencyStatement(staffRequest(c), period), messages.toAgencyStatementMessage, 200);
  });
  routes.openapi(payRoute, async (c) => {
    const { reservation_ids: bookingIds, date } = c.req.valid("json");
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const payment = { agencyId: c.req.valid("param").id, bookingIds, date };
    return answerOffice(c, await payAgencyCommissions(write, payment), messages.toStatementLinesMessage, 200);
  });
  for (const format of TABLE_FORMATS) {
    const route = createRoute({
      method: "get",
      path: `/agencies/{id}/statement.${format}`,
      operationId: FILES[format],
      ...stepUp("people"),
      tags: TAGS,
      summary: "Export an agency's statement as a table",
      security,
      middleware: [dropEmptyParameters],
      request: { params: messages.agencyParams, query: messages.statementTableQuery },
      responses: tableResponses(format, 404),
    });
    routes.openapi(route, async (c) => {
      const { date_from: dateFrom, date_to: dateTo, decimal_mark: mark } = c.req.valid("query");
      const period = { agencyId: c.req.valid("param").id, dateFrom, dateTo };
      const listed = await exportList(staffRequest(c), "agency-statement", () =>
        listStatementRows(readAgencyStatement(staffRequest(c), period)),
      );
      if (!listed.ok) return refused(c, listed.error);
      returnFreshToken(c, listed.value.freshToken);
      const writing = await loadWriting(c);
      const rows = listed.value.value.rows.map((row) => messages.toStatementLineMessage(row, writing));
      return answerTable(c, "statement", format, {
        table: toTableContent(messages.STATEMENT_COLUMNS, rows, writing),
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

import { createRoute } from "@hono/zod-openapi";
import { REPORT_NAMES, type ReportName } from "#domain/reporting/reports.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidFieldsFailure } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareConditionalStepUp } from "#worker/api/step-up.ts";
import { readReport } from "#worker/usecases/reporting/reports.ts";
import { getCurrencyDecimals } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { officeFailureResponses, officeSecurity } from "./office-api.ts";
import * as messages from "./report-messages.ts";
import { answerTableFile, TABLE_CONTENT_SCHEMAS } from "./table-files.ts";

const reportRoute = createRoute({
  method: "get",
  path: "/reports/{name}",
  operationId: "showReport",
  ...declareConditionalStepUp("people", "A table by customer names people. Other reports are sums."),
  tags: ["Reports"],
  summary: "Show a report",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { params: messages.managementReportParams, query: messages.managementReportQuery },
  responses: {
    200: {
      description: "The report, or with .csv or .xlsx its table",
      content: { ...jsonContent(messages.reportAnswer, "").content, ...TABLE_CONTENT_SCHEMAS },
    },
    ...officeFailureResponses.reading(),
  },
});

/** Registers the routes of reports. */
export function registerReportRoutes({ routes }: ApiRoutes): void {
  routes.openapi(reportRoute, async (c) => {
    const [asked = "", extension] = c.req.valid("param").name.split(".");
    const name = REPORT_NAMES.find((report): report is ReportName => report === asked) ?? "revenue";
    const { from, to, by, group, compare, decimal_mark: mark } = c.req.valid("query");
    const reportProblem = messages.findReportProblem(name, { from, to, group });
    if (reportProblem) return toErrorResponse(c, createInvalidFieldsFailure([reportProblem]));
    const reportRequest = {
      report: name,
      from,
      to,
      by,
      group,
      isCompared: compare !== undefined,
      isExported: extension !== undefined,
    };
    const read = await readReport(toStaffRequest(c), reportRequest);
    if (!read.ok) return answerOfficeRefusal(c, read.error);
    const report = messages.toReportMessage({ name, by, group }, read.value.value, await getCurrencyDecimals(c));
    setFreshTokenHeader(c, read.value.freshToken);
    if (extension === undefined) return c.json(report, 200);
    const file = { table: messages.toReportTable(report), mark };
    return answerTableFile(c, name, extension === "csv" ? "csv" : "xlsx", file) as never;
  });
}

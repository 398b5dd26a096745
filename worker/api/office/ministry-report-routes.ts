import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { addMinistryReportData } from "#worker/usecases/ministry-reports/complete-ministry-report.ts";
import { readMinistryLists, readMunicipalities } from "#worker/usecases/ministry-reports/office-lists.ts";
import {
  listMinistryReports,
  readMinistryReports,
  recordManualAnnulment,
  resendRefusedReport,
  testMinistryConnectionAsStaff,
} from "#worker/usecases/ministry-reports/office-ministry-reports.ts";
import { answerOffice } from "./answers.ts";
import * as lists from "./ministry-report-list-messages.ts";
import * as messages from "./ministry-report-messages.ts";
import {
  idempotencyHeaders,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import { reservationParams } from "./request-messages.ts";
import { reservationConflictAnswer } from "./reservation-messages.ts";

const tags = ["MinistryReports"];

const showRoute = createRoute({
  method: "get",
  path: "/reservations/{id}/ses",
  operationId: "showMinistryReports",
  tags,
  summary: "Retrieve the reports of a reservation to SES.HOSPEDAJES",
  security: officeSecurity,
  request: { params: reservationParams },
  responses: {
    200: jsonContent(messages.ministryReportList, "Its reports to the ministry"),
    ...officeFailureResponses.reading(404),
  },
});

const completeRoute = createRoute({
  method: "patch",
  path: "/reservations/{id}/ses",
  operationId: "completeMinistryReports",
  tags,
  summary: "Update renter and driver data for the authorities",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: reservationParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.ministryReportCompletionBody, "The missing data", {
      expected_version: 1,
      driver_date_of_birth: "1984-05-17",
    }),
  },
  responses: {
    200: jsonContent(messages.ministryReportList, "Its reports to the ministry as they are now"),
    ...officeFailureResponses.writing(404, 422),
    409: jsonContent(reservationConflictAnswer, "Conflict with the current state. See `code`"),
  },
});

const listRoute = createRoute({
  method: "get",
  path: "/ministry-reports",
  operationId: "listMinistryReports",
  tags,
  summary: "List reports to the ministry",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.ministryReportsQuery },
  responses: {
    200: jsonContent(messages.ministryReportPage, "A page of the list"),
    ...officeFailureResponses.reading(),
  },
});

const againRoute = createRoute({
  method: "post",
  path: "/ministry-reports/{id}/again",
  operationId: "sendMinistryReportAgain",
  tags,
  summary: "Resend a rejected report",
  security: officeSecurity,
  request: { params: reservationParams, headers: idempotencyHeaders },
  responses: {
    200: jsonContent(messages.ministryReportList, "Reports about its reservation"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const annulledRoute = createRoute({
  method: "post",
  path: "/ministry-reports/{id}/annulled",
  operationId: "noteMinistryReportAnnulled",
  tags,
  summary: "Mark a report as cancelled manually",
  security: officeSecurity,
  request: { params: reservationParams, headers: idempotencyHeaders },
  responses: {
    200: jsonContent(messages.ministryReportList, "Reports about its reservation"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const tryRoute = createRoute({
  method: "get",
  path: "/ministry-reports/connection",
  operationId: "tryMinistryReports",
  tags,
  summary: "Test the connection to SES.HOSPEDAJES",
  security: officeSecurity,
  responses: {
    200: jsonContent(messages.connectionTestAnswer, "Whether it works"),
    ...officeFailureResponses.reading(),
  },
});

const listsRoute = createRoute({
  method: "get",
  path: "/ministry-reports/lists",
  operationId: "showMinistryReportLists",
  tags,
  summary: "Retrieve the ministry's code lists and their mapping",
  security: officeSecurity,
  responses: { 200: jsonContent(lists.ministryListsAnswer, "The lists"), ...officeFailureResponses.reading() },
});

const refreshRoute = createRoute({
  method: "post",
  path: "/ministry-reports/lists/refresh",
  operationId: "refreshMinistryReportLists",
  tags,
  summary: "Fetch code and municipality lists",
  security: officeSecurity,
  responses: {
    200: jsonContent(lists.ministryListsAnswer, "The lists, with those that could not be fetched"),
    ...officeFailureResponses.writing(),
  },
});

const municipalitiesRoute = createRoute({
  method: "get",
  path: "/ministry-reports/municipalities",
  operationId: "listMunicipalities",
  tags,
  summary: "List municipalities of a province",
  security: officeSecurity,
  request: { query: lists.municipalitiesQuery },
  responses: {
    200: jsonContent(lists.municipalitiesAnswer, "The municipalities. Empty if not fetched"),
    ...officeFailureResponses.reading(),
  },
});

/** Registers the routes that show and fix reports to the ministry. */
export function registerMinistryReportRoutes({ routes }: ApiRoutes): void {
  routes.openapi(showRoute, async (c) =>
    answerOffice(
      c,
      await readMinistryReports(toStaffRequest(c), c.req.valid("param").id),
      messages.toMinistryReportsMessage,
      200,
    ),
  );
  routes.openapi(completeRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const completionResult = await addMinistryReportData(
      write,
      c.req.valid("param").id,
      messages.toMinistryReportCompletion(c.req.valid("json")),
    );
    return answerOffice(c, completionResult, messages.toMinistryReportsMessage, 200);
  });
  routes.openapi(listRoute, async (c) => {
    const { state, after, page_size: pageSize } = c.req.valid("query");
    const page = await listMinistryReports(toStaffRequest(c), { state, after, pageSize });
    return answerOffice(c, page, messages.toMinistryReportPageMessage, 200);
  });
  routes.openapi(tryRoute, async (c) => {
    const tried = await testMinistryConnectionAsStaff(toStaffRequest(c));
    return answerOffice(c, tried, (problem) => ({ works: problem === undefined, problem: problem ?? null }), 200);
  });
  routes.openapi(listsRoute, async (c) =>
    answerOffice(c, await readMinistryLists(toStaffRequest(c)), lists.toMinistryReportListsMessage, 200),
  );
  routes.openapi(refreshRoute, async (c) =>
    answerOffice(c, await readMinistryLists(toStaffRequest(c), true), lists.toMinistryReportListsMessage, 200),
  );
  routes.openapi(municipalitiesRoute, async (c) => {
    const read = await readMunicipalities(toStaffRequest(c), c.req.valid("query").province);
    return answerOffice(c, read, lists.toMunicipalitiesMessage, 200);
  });
  routes.openapi(againRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(
      c,
      await resendRefusedReport(write, c.req.valid("param").id),
      messages.toMinistryReportsMessage,
      200,
    );
  });
  routes.openapi(annulledRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(
      c,
      await recordManualAnnulment(write, c.req.valid("param").id),
      messages.toMinistryReportsMessage,
      200,
    );
  });
}

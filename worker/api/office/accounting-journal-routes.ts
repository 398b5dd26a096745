import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { Interface } from "#worker/api/interface.ts";
import { returnFreshToken } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { exportJournal } from "#worker/usecases/reporting/export-journal.ts";
import { accountingJournalQuery, toAccountingJournalRequest } from "./accounting-journal-messages.ts";
import { getToday } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { officeFailureResponses, officeSecurity, toStaffRequest } from "./office-api.ts";

const journalRoute = createRoute({
  method: "get",
  ...declareStepUp("people"),
  path: "/journal",
  operationId: "exportJournal",
  tags: ["Money"],
  summary: "Export the general journal of a period",
  description: "As CSV, or as DATEV file (EXTF bookings). The same period gives the same bytes.",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: accountingJournalQuery },
  responses: {
    200: { description: "The journal", content: { "text/csv": { schema: { type: "string" as const } } } },
    ...officeFailureResponses.reading(),
  },
});

/** Registers the route of the accounting export. */
export function registerJournalExportRoutes({ routes }: Interface): void {
  routes.openapi(journalRoute, async (c) => {
    const request = toAccountingJournalRequest(c.req.valid("query"), await getToday(c));
    const exported = await exportJournal(toStaffRequest(c), request);
    if (!exported.ok) return answerOfficeRefusal(c, exported.error);
    returnFreshToken(c, exported.value.freshToken);
    const isDatev = request.format === "datev";
    const name = isDatev ? `EXTF_Buchungsstapel_${request.dateFrom}` : `journal-${request.dateFrom}-${request.dateTo}`;
    c.header("Content-Disposition", `attachment; filename="${name}.csv"`);
    c.header("Content-Type", `text/csv; charset=${isDatev ? "windows-1252" : "utf-8"}`);
    return c.body(exported.value.value, 200);
  });
}

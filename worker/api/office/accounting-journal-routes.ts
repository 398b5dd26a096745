import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { exportJournal } from "#worker/usecases/reporting/export-journal.ts";
import { accountingJournalQuery, toAccountingJournalRequest } from "./accounting-journal-messages.ts";
import { getToday } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { officeFailureResponses, officeSecurity } from "./office-api.ts";

const FILE_TEXT = { type: "string" as const };

const journalRoute = createRoute({
  method: "get",
  ...declareStepUp("people"),
  path: "/journal",
  operationId: "exportJournal",
  tags: ["Money"],
  summary: "Export the general journal of a period",
  description: "As CSV, or as file for DATEV (EXTF bookings), A3 or ContaPlus. The same period gives the same bytes.",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: accountingJournalQuery },
  responses: {
    200: {
      description: "The journal. Files for A3 and ContaPlus are plain text",
      content: { "text/csv": { schema: FILE_TEXT }, "text/plain": { schema: FILE_TEXT } },
    },
    ...officeFailureResponses.reading(),
  },
});

/** Registers the route of the accounting export. */
export function registerJournalExportRoutes({ routes }: ApiRoutes): void {
  routes.openapi(journalRoute, async (c) => {
    const request = toAccountingJournalRequest(c.req.valid("query"), await getToday(c));
    const exported = await exportJournal(toStaffRequest(c), request);
    if (!exported.ok) return answerOfficeRefusal(c, exported.error);
    setFreshTokenHeader(c, exported.value.freshToken);
    const [name, type] = describeFile(request);
    c.header("Content-Disposition", `attachment; filename="${name}"`);
    c.header("Content-Type", type);
    return c.body(exported.value.value, 200);
  });
}

// A3 and ContaPlus expect these file names.
function describeFile({ format, dateFrom, dateTo }: ReturnType<typeof toAccountingJournalRequest>) {
  switch (format) {
    case "csv":
      return [`journal-${dateFrom}-${dateTo}.csv`, "text/csv; charset=utf-8"] as const;
    case "datev":
      return [`EXTF_Buchungsstapel_${dateFrom}.csv`, "text/csv; charset=windows-1252"] as const;
    case "a3":
      return ["SUENLACE.DAT", "text/plain; charset=us-ascii"] as const;
    case "contaplus":
      return ["XDIARIO.TXT", "text/plain; charset=us-ascii"] as const;
  }
}

import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { exportSecurityEvents } from "#worker/usecases/access/list-security-events.ts";
import { listCommissions } from "#worker/usecases/contracts/agents/commissions.ts";
import { listMinistryReports } from "#worker/usecases/ministry-reports/office-ministry-reports.ts";
import { listTasks } from "#worker/usecases/office/notes.ts";
import { exportList } from "#worker/usecases/operations/export-list.ts";
import { listPendingRefunds } from "#worker/usecases/payments/read-refund.ts";
import { listTaxRecords } from "#worker/usecases/tax-records/office-records.ts";
import { toCommissionMessage, toCommissionSearch } from "./commission-messages.ts";
import { answerOfficeRefusal } from "./errors.ts";
import * as messages from "./further-table-messages.ts";
import { toListedMinistryReportMessage } from "./ministry-report-messages.ts";
import { toTaskMessage, toTaskSearch } from "./note-messages.ts";
import { officeSecurity } from "./office-api.ts";
import { toRefundMessage } from "./refund-messages.ts";
import { toSecurityEventFilters, toSecurityEventMessage } from "./security-messages.ts";
import { createTableResponses, OPERATION_ID_SUFFIXES, TABLE_FORMATS, type TableFormat } from "./table-files.ts";
import { answerRowsAsTableFile } from "./table-routes.ts";
import { toListedTaxRecordMessage } from "./tax-record-messages.ts";

const NAMES = {
  tasks: { operation: "exportTasks", tag: "Attention" },
  "ministry-reports": { operation: "exportMinistryReports", tag: "MinistryReports" },
  refunds: { operation: "exportWaitingRefunds", tag: "Money" },
  "tax-records": { operation: "exportTaxRecords", tag: "Tax records" },
  commissions: { operation: "exportCommissions", tag: "Money" },
  "security-events": { operation: "exportSecurityEvents", tag: "Security" },
} as const;
type List = keyof typeof NAMES;

function defineTableRoute<Name extends List>(list: Name, format: TableFormat) {
  return createRoute({
    method: "get",
    path: `/${list}.${format}`,
    operationId: `${NAMES[list].operation}${OPERATION_ID_SUFFIXES[format]}`,
    ...declareStepUp("people"),
    tags: [NAMES[list].tag],
    summary: `Export ${list.replace("-", " ")} as a table`,
    security: officeSecurity,
    middleware: [dropEmptyParameters],
    request: { query: messages.furtherTableExportQueries[list] as (typeof messages.furtherTableExportQueries)[Name] },
    responses: createTableResponses(format),
  });
}

/** Registers the tables of tasks, refunds, commissions, reports, tax records and security events. */
export function registerFurtherTableRoutes({ routes }: ApiRoutes): void {
  for (const format of TABLE_FORMATS) {
    routes.openapi(defineTableRoute("tasks", format), async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const listed = await exportList(toStaffRequest(c), "tasks", (page) =>
        listTasks(toStaffRequest(c), { ...toTaskSearch(query), ...page }),
      );
      if (!listed.ok) return answerOfficeRefusal(c, listed.error);
      const file = { name: "tasks", format, mark, columns: messages.TASK_COLUMNS, fromRow: toTaskMessage };
      return answerRowsAsTableFile(c, listed.value, file);
    });
    routes.openapi(defineTableRoute("ministry-reports", format), async (c) => {
      const { decimal_mark: mark, state } = c.req.valid("query");
      const listed = await exportList(toStaffRequest(c), "ministry-reports", (page) =>
        listMinistryReports(toStaffRequest(c), { state, ...page }),
      );
      if (!listed.ok) return answerOfficeRefusal(c, listed.error);
      const columns = messages.MINISTRY_REPORT_COLUMNS;
      const file = { name: "ministry-reports", format, mark, columns, fromRow: toListedMinistryReportMessage };
      return answerRowsAsTableFile(c, listed.value, file);
    });
    routes.openapi(defineTableRoute("refunds", format), async (c) => {
      const listed = await exportList(toStaffRequest(c), "refunds", (page) =>
        listPendingRefunds(toStaffRequest(c), page),
      );
      if (!listed.ok) return answerOfficeRefusal(c, listed.error);
      const { decimal_mark: mark } = c.req.valid("query");
      const file = { name: "refunds", format, mark, columns: messages.REFUND_COLUMNS, fromRow: toRefundMessage };
      return answerRowsAsTableFile(c, listed.value, file);
    });
    routes.openapi(defineTableRoute("tax-records", format), async (c) => {
      const { decimal_mark: mark, state } = c.req.valid("query");
      const listed = await exportList(toStaffRequest(c), "tax_records", (page) =>
        listTaxRecords(toStaffRequest(c), { state, ...page }),
      );
      if (!listed.ok) return answerOfficeRefusal(c, listed.error);
      const columns = messages.TAX_RECORD_COLUMNS;
      const file = { name: "tax-records", format, mark, columns, fromRow: toListedTaxRecordMessage };
      return answerRowsAsTableFile(c, listed.value, file);
    });
    routes.openapi(defineTableRoute("commissions", format), async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const listed = await exportList(toStaffRequest(c), "commissions", (page) =>
        listCommissions(toStaffRequest(c), { ...toCommissionSearch(query), ...page }),
      );
      if (!listed.ok) return answerOfficeRefusal(c, listed.error);
      const columns = messages.COMMISSION_COLUMNS;
      const file = { name: "commissions", format, mark, columns, fromRow: toCommissionMessage };
      return answerRowsAsTableFile(c, listed.value, file);
    });
    routes.openapi(defineTableRoute("security-events", format), async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const read = await exportSecurityEvents(toStaffRequest(c), toSecurityEventFilters(query));
      if (!read.ok) return answerOfficeRefusal(c, read.error);
      const { value, freshToken } = read.value;
      const listed = { value: { rows: value.events }, freshToken };
      const columns = messages.SECURITY_EVENT_COLUMNS;
      const file = { name: "security-events", format, mark, columns, fromRow: toSecurityEventMessage };
      return answerRowsAsTableFile(c, listed, file);
    });
  }
}

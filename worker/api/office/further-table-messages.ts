import { z } from "zod";
import { type CommissionListMessage, commissionsQuery } from "./commission-messages.ts";
import { type TableColumns, tableQueryFields } from "./export-table-messages.ts";
import { type MinistryReportPageMessage, ministryReportsQuery } from "./ministry-report-messages.ts";
import { type TaskListMessage, tasksQuery } from "./note-messages.ts";
import type { RefundListMessage } from "./refund-messages.ts";
import { type SecurityEventsMessage, securityExportQuery } from "./security-messages.ts";
import { type TaxRecordListMessage, taxRecordsQuery } from "./tax-record-messages.ts";

const PAGING = { page_size: true, after: true } as const;

/** Query parameters of each table: the filters of its list, and the options of the format. */
export const furtherTableExportQueries = {
  tasks: tasksQuery.omit(PAGING).extend(tableQueryFields),
  "ministry-reports": ministryReportsQuery.omit(PAGING).extend(tableQueryFields),
  refunds: z.object(tableQueryFields),
  "tax-records": taxRecordsQuery.omit(PAGING).extend(tableQueryFields),
  commissions: commissionsQuery.omit(PAGING).extend(tableQueryFields),
  "security-events": securityExportQuery.extend(tableQueryFields),
} as const;

export const TASK_COLUMNS: TableColumns<TaskListMessage["data"][number]> = [
  ["id", ({ id }) => id, "number"],
  ["text", ({ text }) => text],
  ["due_date", ({ due_date: date }) => date, "date"],
  ["overdue", ({ overdue }) => String(overdue)],
  ["assignee", ({ assignee }) => assignee],
  ["reservation_id", ({ reservation_id: id }) => id, "number"],
  ["customer_id", ({ customer_id: id }) => id, "number"],
  ["done", ({ done }) => String(done)],
  ["done_at", ({ done_at: at }) => at],
  ["done_by", ({ done_by: by }) => by],
  ["author", ({ author }) => author],
  ["created", ({ created }) => created],
];

export const MINISTRY_REPORT_COLUMNS: TableColumns<MinistryReportPageMessage["data"][number]> = [
  ["id", ({ id }) => id, "number"],
  ["reservation_id", ({ reservation_id: id }) => id, "number"],
  ["customer", ({ customer }) => customer],
  ["rental_location_code", ({ rental_location_code: code }) => code],
  ["kind", ({ kind }) => kind],
  ["state", ({ state }) => state],
  ["code", ({ code }) => code],
  ["error", ({ error }) => error],
  ["attempts", ({ attempts }) => attempts, "number"],
  ["created_at", ({ created_at: at }) => at],
  ["answered_at", ({ answered_at: at }) => at],
];

export const REFUND_COLUMNS: TableColumns<RefundListMessage["data"][number]> = [
  ["id", ({ id }) => id, "number"],
  ["reservation_id", ({ reservation_id: id }) => id, "number"],
  ["state", ({ state }) => state],
  ["amount", ({ amount }) => amount, "number"],
  ["payment_method_id", ({ payment_method_id: method }) => method],
  ["reason", ({ reason }) => reason],
  ["requested_by", ({ requested_by: by }) => by],
  ["requested_at", ({ requested_at: at }) => at],
];

export const TAX_RECORD_COLUMNS: TableColumns<TaxRecordListMessage["data"][number]> = [
  ["id", ({ id }) => id, "number"],
  ["kind", ({ kind }) => kind],
  ["issuer", ({ issuer }) => issuer],
  ["number", ({ number }) => number],
  ["date", ({ date }) => date, "date"],
  ["total", ({ total }) => total, "number"],
  ["customer_full_name", ({ customer_full_name: name }) => name],
  ["document_id", ({ document_id: id }) => id, "number"],
  ["reservation_id", ({ reservation_id: id }) => id, "number"],
  ["state", ({ state }) => state],
  ["code", ({ code }) => code],
  ["description", ({ description }) => description],
  ["csv", ({ csv }) => csv],
  ["position", ({ position }) => position, "number"],
  ["hash", ({ hash }) => hash],
  ["generated_at", ({ generated_at: at }) => at],
  ["sent_at", ({ sent_at: at }) => at],
];

export const COMMISSION_COLUMNS: TableColumns<CommissionListMessage["data"][number]> = [
  ["reservation_id", ({ reservation_id: id }) => id, "number"],
  ["kind", ({ kind }) => kind],
  ["status", ({ status }) => status],
  ["customer_fullname", ({ customer_fullname: name }) => name],
  ["date_from", ({ date_from: date }) => date, "date"],
  ["date_to", ({ date_to: date }) => date, "date"],
  ["rental_location_code", ({ rental_location_code: code }) => code],
  ["agent_id", ({ agent_id: id }) => id, "number"],
  ["agent_name", ({ agent_name: name }) => name],
  ["agent_comission_base_amount", ({ agent_comission_base_amount: amount }) => amount, "number"],
  ["agent_comission_total", ({ agent_comission_total: amount }) => amount, "number"],
  ["agent_comission_prepaid_amount", ({ agent_comission_prepaid_amount: amount }) => amount, "number"],
  ["due", ({ due }) => due, "number"],
  ["agent_comission_paid", ({ agent_comission_paid: isPaid }) => String(isPaid)],
  ["agent_comission_payment_date", ({ agent_comission_payment_date: date }) => date, "date"],
];

export const SECURITY_EVENT_COLUMNS: TableColumns<SecurityEventsMessage["data"][number]> = [
  ["id", ({ id }) => id, "number"],
  ["at", ({ at }) => at],
  ["last_at", ({ last_at: at }) => at],
  ["kind", ({ kind }) => kind],
  ["user_id", ({ user_id: id }) => id, "number"],
  ["user_name", ({ user_name: name }) => name],
  ["network", ({ network }) => network],
  ["detail", ({ detail }) => JSON.stringify(detail)],
  ["count", ({ count }) => count, "number"],
];

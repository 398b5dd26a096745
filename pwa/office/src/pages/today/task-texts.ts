import { formatDay, formatKilometres, formatMoney } from "../../account.ts";
import { formatEInvoiceFieldNames } from "../../desk/e-invoice-fields.ts";
import { formatGatewayProblem } from "../../desk/problem-texts.ts";
import { t, tOr } from "../../texts.ts";
import { formatTaxSendingProblem } from "../money/tax-record.ts";
import { isRetainedByAgent, isTransferNoShow, type TaskKindAndParams } from "./task-resolutions.ts";

/** Facts of each kind of task, in the order of the placeholders of its text. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  overdue: ["to"],
  shortage: ["missing", "code", "from"],
  extra_shortage: ["missing", "code", "from"],
  transfer_shortage: ["missing", "vehicle", "from"],
  no_show: ["from"],
  unconfirmed_import: ["from"],
  paid_unconfirmed: ["paid"],
  paid_too_late: ["paid"],
  overpaid: ["paid", "total"],
  refund_due: ["paid", "fee"],
  deposit_held: ["held"],
  refund_waiting: ["amount", "reason"],
  refund_at_gateway: ["amount", "order", "problem"],
  card_hold: ["amount", "end", "problem"],
  document_incomplete: ["total", "missing"],
  document_not_integrated: ["number", "error"],
  einvoice_incomplete: ["number", "missing"],
  tax_records_unsent: ["count", "issuer", "problem"],
  tax_record_refused: ["number", "code", "description"],
  tax_record_flawed: ["number", "code", "description"],
  tax_chain_broken: ["count", "number", "fault"],
  ministry_report_late: ["what"],
  ministry_report_refused: ["what", "error"],
  ministry_report_to_annul: ["what"],
  payment_mismatch: ["order", "outcome", "amount", "gateway"],
  suspicious_hold: ["units", "days", "holds"],
  vehicle_due: [],
  reopened: [],
  do_not_rent: ["reason"],
  quote_sold_out: ["name", "quote", "from"],
  task_overdue: ["task", "due"],
  backup_overdue: ["hours"],
  drill_overdue: ["days"],
  nearly_full: ["percent"],
  certificate_expiring: ["until"],
  security_alert: ["event", "count"],
  webhook_failing: ["host", "problem"],
  field_work_refused: ["operation", "author", "code"],
  field_work_held: ["operation", "author", "code"],
  check_in_to_review: ["operation", "author", "code"],
  device_work_missing: ["count", "user"],
};

type Params = TaskKindAndParams["params"];

const AMOUNTS: ReadonlySet<string> = new Set(["paid", "total", "fee", "held", "amount", "retained"]);
const MONEY_KINDS: Readonly<Record<string, string>> = { payment: "charge", deposit_taken: "deposit_received" };

// Form labels of required customer fields with other names.
const FIELD_TEXT_KEYS: Readonly<Record<string, string>> = { address_street: "address_street_address" };
const getFieldLabel = (name: string) => tOr(`field.${FIELD_TEXT_KEYS[name] ?? name}`, name);

/** Returns the text of the money that a check-in record couldn't book, or an empty string. */
export function formatUnbookedMoney(params: Params): string {
  const amounts = Object.entries(params).flatMap(([name, amount]) => {
    const kind = name.startsWith("unbooked_") ? name.slice("unbooked_".length) : undefined;
    return kind ? [`${tOr(`moneyKind.${MONEY_KINDS[kind] ?? kind}`, kind)} ${formatMoney(String(amount))}`] : [];
  });
  return amounts.length === 0 ? "" : t("notBooked", { 0: amounts.join(", ") });
}

/** Returns the text of a vehicle's due dates, and of the reading at which its service is due. */
export function formatVehicleDueDates(params: Params): string {
  return Object.entries(params)
    .map(([what, value]) =>
      what === "service_units"
        ? t("due.at", { 0: formatKilometres(Number(value)) })
        : tOr(`due.${what}`, what).replace("{0}", formatDay(String(value))),
    )
    .join("; ");
}

type Formatter = (fact: string) => string;

/** Formatter of each fact, by the fact's name. Others are names, codes and numbers that are shown as they are. */
const FORMATTERS: Readonly<Record<string, Formatter>> = {
  from: formatTaskMoment,
  to: formatTaskMoment,
  event: (fact) => tOr(`alert.${fact}`, fact),
  outcome: (fact) => tOr(`outcome.${fact}`, fact),
  what: (fact) => tOr(`told.${fact}`, fact),
  fault: (fact) => tOr(`taxFault.${fact}`, fact),
  operation: formatWorkCodes,
  due: formatDay,
};

/** Formatters of facts whose name means something else in one kind of task. */
const KIND_FORMATTERS: Readonly<Record<string, Formatter>> = {
  "document_incomplete missing": (fact) => fact.split(", ").map(getFieldLabel).join(", "),
  "einvoice_incomplete missing": (fact) => formatEInvoiceFieldNames(fact.split(", ")),
  "tax_records_unsent problem": formatTaxSendingProblem,
  "card_hold end": formatDay,
  "certificate_expiring until": formatDay,
  "card_hold problem": (fact) => formatGatewayProblem("cardHoldWhy", fact),
  "refund_at_gateway problem": (fact) => formatGatewayProblem("refundWhy", fact),
  "payment_mismatch gateway": (fact) => tOr(`option.${fact}`, fact),
  "webhook_failing problem": (fact) => tOr(`webhookWhy.${fact}`, fact),
  "ministry_report_late what": (fact) => tOr(`field.${fact}`, fact),
  "field_work_refused code": formatWorkCodes,
  "field_work_held code": formatWorkCodes,
  "check_in_to_review code": formatWorkCodes,
};

/** Returns a fact of a task in the user's language. */
export function formatTaskParam(kind: string, name: string, fact: string): string {
  if (fact === "") return "";
  if (AMOUNTS.has(name)) return formatMoney(fact);
  const format = KIND_FORMATTERS[`${kind} ${name}`] ?? FORMATTERS[name];
  return format?.(fact) ?? fact;
}

function formatWorkCodes(codes: string): string {
  return codes
    .split(", ")
    .map((code) => tOr(`work.${code}`, code))
    .join("; ");
}

function formatTaskMoment(text: string): string {
  return /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}/.test(text) ? `${formatDay(text)}, ${text.slice(11, 16)}` : text;
}

/** Returns the text of a task in the user's language. Undefined if the kind is unknown. */
export function formatTaskReason(task: TaskKindAndParams): string | undefined {
  const { kind, params } = task;
  const names = isRetainedByAgent(task) ? ["retained"] : FACTS[kind];
  if (!names) return undefined;
  const values = names.map((name) => formatTaskParam(kind, name, String(params[name] ?? "")));
  if (kind === "vehicle_due") values.push(formatVehicleDueDates(params));
  if (kind === "field_work_refused" || kind === "field_work_held") values.push(formatUnbookedMoney(params));
  const template = getTemplate(task);
  return template?.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index)] ?? "");
}

function getTemplate(task: TaskKindAndParams): string | undefined {
  const { kind, params } = task;
  if (kind === "security_alert" && params["count"] === undefined) return "{0}";
  if (params["outcome"] === "refund_exceeds_paid") return tOr("waits.refundExceedsPaid", "");
  if (isTransferNoShow(task)) return tOr("waits.missedTrip", "");
  return tOr(`waits.${isRetainedByAgent(task) ? "keptTooMuch" : kind}`, "") || undefined;
}

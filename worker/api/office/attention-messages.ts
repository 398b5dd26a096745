import { z } from "zod";
import { fromCivilMinute } from "#domain/dates.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { ATTENTION_KINDS, type AttentionItem } from "#domain/operations/attention.ts";
import { formatCursor } from "#domain/reporting/page-cursor.ts";
import { reasonParams } from "#worker/api/failure-messages.ts";
import { type MessageFormat, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { integerTextSchema, textLineSchema } from "#worker/api/primitives.ts";
import {
  createCursorField,
  createMultiValueCursorParser,
  parseCursorNumber,
  parseCursorText,
} from "./cursor-messages.ts";

const item = z
  .object({
    id: z.string(),
    kind: z.enum(ATTENTION_KINDS),
    at: timestampTextSchema,
    params: reasonParams.meta({ description: "Facts of the task by name. Amounts are decimal strings" }),
    why: z.string().meta({ description: "English message for developers" }),
    reservation_id: z.int().nullable(),
    rental_location_code: z.string().nullable(),
    customer_fullname: z.string().nullable(),
    customer_phone: z.string().nullable(),
    vehicles: z.string().nullable().meta({ description: "Plates of vehicles that should be back. Null without any" }),
    link: z.string().meta({ description: "API path that resolves the task" }),
    dismissible: z.boolean().meta({ description: "Whether the task can be dismissed" }),
  })
  .meta({ id: "AttentionItem" });

export const attentionAnswer = z.object({
  data: z.array(item),
  total: z.int(),
  next: z.string().nullable(),
  counts: z.record(z.string(), z.int()).meta({ description: "How many of each kind" }),
});
export type AttentionMessage = z.output<typeof attentionAnswer>;

export const attentionParams = z.object({ id: textLineSchema(120).meta({ example: "payment_mismatch-1-mismatch" }) });

export const attentionListQuery = z.object({
  kind: z.enum(ATTENTION_KINDS).optional().meta({ description: "Tasks of this kind only" }),
  page_size: integerTextSchema(200, 1).optional().meta({ description: "All tasks by default" }),
  after: createCursorField(createMultiValueCursorParser({ at: parseCursorNumber, id: parseCursorText })).optional(),
});

/** Filter and page of the tasks to answer. All by default. */
type AttentionFilter = z.output<typeof attentionListQuery>;

/** Converts pending tasks, newest first, to a page. `counts` in the result covers all tasks. */
export function toAttentionMessage(
  items: readonly AttentionItem[],
  messageFormat: MessageFormat,
  { kind: wantedKind, page_size: size = items.length, after }: AttentionFilter = {},
): z.output<typeof attentionAnswer> {
  const matching = items.filter(({ kind }) => wantedKind === undefined || kind === wantedKind);
  const left = matching.filter(({ at, id }) => !after || at < after.at || (at === after.at && id > after.id));
  const page = left.slice(0, size);
  const last = page.length < left.length ? page.at(-1) : undefined;
  const counts: Record<string, number> = {};
  for (const { kind } of items) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    data: page.map((item) => ({
      id: item.id,
      kind: item.kind,
      at: messageFormat.timestamp(item.at),
      params: toTaskParams(item, messageFormat.decimals),
      why: getTaskText(item, messageFormat.decimals),
      reservation_id: item.bookingId,
      rental_location_code: item.branchCode,
      customer_fullname: item.customer,
      customer_phone: item.phone,
      vehicles: item.vehicles,
      link: getTaskLink(item),
      dismissible: item.canBeDone,
    })),
    total: matching.length,
    next: last ? formatCursor(last.at, last.id) : null,
    counts,
  };
}

const AMOUNT_FACTS: ReadonlySet<string> = new Set(["paid", "total", "fee", "held", "amount"]);

type Fact = string | number;
type Params = Record<string, Fact>;

/** Facts of a task that the response has under another name or in another form. */
const RENAMED_FACTS: Readonly<Record<string, (fact: Fact, decimals: number) => Params>> = {
  moment: (fact) => ({ from: formatTaskInstant(fact) }),
  url: (fact) => ({ host: extractHost(fact) }),
  unbooked: (fact, decimals) => toUnbookedParams(String(fact), decimals),
  isTransfer: (fact) => ({ is_transfer: fact }),
  serviceUnits: (fact) => ({ service_units: fact }),
};

/** Returns the facts of a task for the response. Amounts have the account's decimals, and secrets are omitted. */
function toTaskParams({ kind, facts }: AttentionItem, decimals: number): Params {
  if (kind === "overpaid" && Number(facts["total"]) < 0)
    return { retained: toAmount(-Number(facts["total"]) as Cents, decimals) };
  const isRestored = facts["event"] === "database_restored";
  const params = Object.entries(facts).map(([name, fact]): Params => {
    if (fact === null || (isRestored && name === "count")) return {};
    if (AMOUNT_FACTS.has(name)) return { [name]: toAmount(fact as Cents, decimals) };
    return RENAMED_FACTS[name]?.(fact, decimals) ?? { [name]: fact };
  });
  return Object.assign({}, ...params);
}

// Converts the money that staff took in field work but that isn't booked, stored as `payment 4900, deposit_taken
// 30000`.
function toUnbookedParams(unbooked: string, decimals: number): Record<string, string> {
  const entries = unbooked.split(", ").filter((text) => text !== "");
  return Object.fromEntries(
    entries.map((text) => {
      const [kind = "", cents = "0"] = text.split(" ");
      return [`unbooked_${kind}`, toAmount(Number(cents) as Cents, decimals)];
    }),
  );
}

function getTaskText({ kind, facts }: AttentionItem, decimals: number): string {
  const amount = (name: string) => toAmount((facts[name] as Cents | null) ?? 0, decimals);
  switch (kind) {
    case "overdue":
      return `should be back since ${facts["to"]}`;
    case "shortage":
    case "extra_shortage":
      return `${facts["missing"]} of ${facts["code"]} are missing from ${formatTaskInstant(facts["moment"])} on`;
    case "transfer_shortage":
      return `${facts["missing"]} trips have no ${facts["vehicle"]}, the first from ${formatTaskInstant(facts["moment"])} on`;
    case "no_show":
      return facts["isTransfer"] === 1
        ? `who drives it says that nobody came at ${facts["from"]}`
        : `nobody came for it at ${facts["from"]}`;
    case "do_not_rent":
      return `the company doesn't rent to its customer: ${facts["reason"]}`;
    case "unconfirmed_import":
      return `it is not confirmed, and nothing ends its hold: its vehicles are taken from ${facts["from"]}`;
    case "paid_unconfirmed":
      return `${amount("paid")} is paid and it is not confirmed`;
    case "paid_too_late":
      return `${amount("paid")} was paid after its hold or its end`;
    case "overpaid":
      // A negative total means that the agent retained more commission than the reservation still justifies.
      if (Number(facts["total"]) < 0)
        return `its agent has kept ${toAmount(-Number(facts["total"]), decimals)} too much`;
      return `${amount("paid")} is paid of ${amount("total")}`;
    case "refund_due":
      return `it is cancelled, ${amount("paid")} is paid and ${amount("fee")} is kept`;
    case "deposit_held":
      return `it is over and ${amount("held")} of its deposit is still held`;
    case "refund_waiting":
      return `${amount("amount")} waits for another manager to be given back: ${facts["reason"]}`;
    case "refund_at_gateway":
      return `${amount("amount")} of order ${facts["order"]} is not given back: ${facts["problem"]}`;
    case "card_hold":
      return `${amount("amount")} are held on a card until ${facts["end"]}: ${facts["problem"]}`;
    case "document_incomplete":
      return `its invoice of ${amount("total")} waits: the customer lacks ${facts["missing"]}`;
    case "document_not_integrated":
      return `the accounting system did not book ${facts["number"]}: ${facts["error"]}`;
    case "einvoice_incomplete":
      return `the electronic invoice of ${facts["number"]} lacks ${facts["missing"]}`;
    case "tax_records_unsent":
      return `${facts["count"]} invoices of ${facts["issuer"]} are not sent to the tax agency yet${facts["problem"] === null ? "" : `: ${facts["problem"]}`}`;
    case "tax_record_refused":
      return `the tax agency refused ${facts["number"]}: ${facts["code"]} ${facts["description"]}; put it right and amend its record`;
    case "tax_record_flawed":
      return `the tax agency took ${facts["number"]} with an error: ${facts["code"]} ${facts["description"]}`;
    case "tax_chain_broken":
      return `${facts["count"]} faults in the chain of tax records, the first at ${facts["number"]}: ${facts["fault"]}`;
    case "ministry_report_late":
      return `its ${facts["what"]} is not reported to SES.HOSPEDAJES yet, and 24 hours are the law`;
    case "ministry_report_refused":
      return `SES.HOSPEDAJES refused its ${facts["what"]}: ${facts["error"]}`;
    case "ministry_report_to_annul":
      return `its ${facts["what"]} is at SES.HOSPEDAJES by a name that nobody knows; annul it on the ministry's own pages`;
    case "reopened":
      return "it is open again and waits for its right collection";
    case "payment_mismatch":
      return `a gateway says of order ${facts["order"]}: ${facts["outcome"]}`;
    case "suspicious_hold":
      return `${facts["units"]} for ${facts["days"]} days, unpaid, of a visitor who holds ${facts["holds"]}; POST /api/v1/office/holds/end ends them`;
    case "quote_sold_out":
      return `${facts["name"]} accepted quote ${facts["quote"]}, but the vehicle is sold out from ${facts["from"]} on`;
    case "task_overdue":
      return `due on ${facts["due"]}: ${facts["task"]}`;
    case "vehicle_due":
      return `it is due: ${listReportsDue(facts).join("; ")}`;
    case "backup_overdue":
      return `the last whole backup is ${facts["hours"]} hours old${facts["problem"] ? ` (${facts["problem"]})` : ""}`;
    case "drill_overdue":
      return `no backup was restored and examined for ${facts["days"]} days: npm run restore`;
    case "nearly_full":
      return `the database is ${facts["percent"]} % full`;
    case "certificate_expiring":
      return `the certificate that signs e-invoices is valid until ${facts["until"]}: upload the next one`;
    case "security_alert":
      // A database restore is one deliberate action, so its count isn't shown.
      return facts["event"] === "database_restored"
        ? "database_restored"
        : `${facts["event"]}, ${facts["count"]} within an hour`;
    case "webhook_failing":
      return `the webhook to ${extractHost(facts["url"])} is not heard: ${facts["problem"]}`;
    case "device_work_missing":
      return `${facts["count"]} operations of ${facts["user"]}'s device haven't arrived`;
    case "field_work_refused":
    case "field_work_held":
    case "check_in_to_review":
      return `${facts["operation"]} by ${facts["author"]}: ${facts["code"]}${formatUnbookedAmount(facts["unbooked"], decimals)}`;
  }
}

// The URL after the host may contain a secret of the partner.
function extractHost(url: string | number | null | undefined): string {
  return /^\w+:\/\/([^/?#]+)/.exec(String(url))?.[1] ?? "";
}

function listReportsDue(facts: AttentionItem["facts"]): readonly string[] {
  const { serviceUnits, ...days } = facts;
  return [
    ...Object.entries(days).flatMap(([what, day]) => (day === null ? [] : [`${what} ${day}`])),
    ...(serviceUnits === null ? [] : [`service at ${serviceUnits}`]),
  ];
}

// Formats the money that staff took in field work but that isn't booked, stored as `payment 4900, deposit_taken 30000`.
function formatUnbookedAmount(money: string | number | null | undefined, decimals: number): string {
  if (!money) return "";
  const amounts = String(money).replace(/\d+/g, (cents) => toAmount(Number(cents) as Cents, decimals));
  return `; not booked: ${amounts}`;
}

function formatTaskInstant(minute: string | number | null | undefined): string {
  const { date, time } = fromCivilMinute(Number(minute));
  return `${date} ${time}`;
}

const PLACES: Readonly<Partial<Record<AttentionItem["kind"], string>>> = {
  shortage: "/api/v1/office/planning",
  extra_shortage: "/api/v1/office/extras",
  device_work_missing: "/api/v1/booking/check-in-operations",
  security_alert: "/api/v1/office/security-events",
  certificate_expiring: "/api/v1/office/signing-certificate",
};

/** API path of the list with the record that staff must change to resolve the task. */
const LISTS: Readonly<Partial<Record<AttentionItem["kind"], string>>> = {
  transfer_shortage: "transfer-vehicles",
  quote_sold_out: "quotes",
  vehicle_due: "vehicles",
  document_incomplete: "documents",
  einvoice_incomplete: "documents",
};

function getTaskLink({ kind, bookingId, resource, facts }: AttentionItem): string {
  if (kind.startsWith("field_work")) return `/api/v1/booking/check-in-operations/${resource}`;
  if (kind === "webhook_failing") return `/api/v1/office/webhooks/${resource}`;
  if (kind.startsWith("tax_")) return "/api/v1/office/tax-records";
  const place = PLACES[kind];
  if (place !== undefined) return place;
  const list = LISTS[kind];
  if (list !== undefined) return `/api/v1/office/${list}/${encodeURIComponent(resource)}`;
  if (kind === "task_overdue" && bookingId === null) return `/api/v1/office/customers/${facts["customer"]}`;
  if (kind === "refund_waiting") return "/api/v1/office/refunds";
  if (kind === "refund_at_gateway") return `/api/v1/office/gateway-refunds?reservation_id=${bookingId}`;
  if (kind.startsWith("document_")) return `/api/v1/office/documents/${resource}`;
  return bookingId === null ? "/api/v1/operations" : `/api/v1/office/reservations/${bookingId}`;
}

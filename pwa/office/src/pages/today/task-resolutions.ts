import type { Right } from "#domain/access/rights.ts";
import { decodeUrlComponent } from "#shared/decode-url.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { AttentionMessage } from "#worker/api/office/attention-messages.ts";
import { getActionRight } from "../../desk/action-rights.ts";
import { linkTo, linkToWithQuery } from "../../route.ts";
import type { TextKey } from "../../texts.ts";

/** A pending task in the office API. */
export type AttentionTask = Immutable<AttentionMessage["data"][number]>;

/** A way to resolve a task: a link, shown to users with the required right. */
export interface TaskResolution {
  readonly text: TextKey;
  readonly href: string;
  readonly right?: Right;
}

// Reservation actions that resolve a task, most likely first. `money` opens the payment form.
const RESOLVING_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  overdue: ["collect", "extend"],
  no_show: ["no-show", "deliver"],
  do_not_rent: ["confirm", "cancel"],
  unconfirmed_import: ["confirm", "cancel"],
  paid_unconfirmed: ["confirm"],
  paid_too_late: ["confirm", "refund"],
  overpaid: ["refund"],
  refund_due: ["refund"],
  deposit_held: ["money"],
  document_incomplete: ["change"],
  reopened: ["collect"],
  suspicious_hold: ["cancel"],
};

const MISSED_TRIP: readonly string[] = ["no-show", "change"];

// Kinds of tasks about tax records, with the filter of the list that opens for them.
const RECORDS: Readonly<Record<string, { readonly state?: string }>> = {
  tax_records_unsent: { state: "waiting" },
  tax_record_refused: { state: "refused" },
  tax_record_flawed: { state: "accepted_with_errors" },
  tax_chain_broken: {},
};

/** Returns the branch group of a shortage. */
export function getShortageBranchGroup({ id, kind }: AttentionTask): number | undefined {
  const group = kind.endsWith("shortage") ? /-(\d+):/.exec(id)?.[1] : undefined;
  return group === undefined ? undefined : Number(group);
}

/** Whether the task is about a payment that the reservation contains twice, so that one of them can be refunded. */
const isPaidTwice = ({ kind, params }: TaskKindAndParams) => kind === "payment_mismatch" && params["is_recorded"] === 1;

const seeHowMany = (list: string) => (): readonly TaskResolution[] => [
  { text: "seeHowMany", href: linkTo("list", list) },
];

// Resolutions outside of a reservation.
const PLACES: Readonly<Record<string, (item: AttentionTask) => readonly TaskResolution[]>> = {
  shortage: ({ params }) => {
    const from = String(params["from"] ?? "").slice(0, 10);
    return [
      { text: "seeInPlanning", href: linkToWithQuery({ from, category: String(params["code"] ?? "") }, "planning") },
    ];
  },
  extra_shortage: seeHowMany("extras"),
  transfer_shortage: seeHowMany("transfer-vehicles"),
  vehicle_due: ({ link }) => [
    { text: "vehicleDo.due", href: linkTo("fleet", getVehicleReference(link), "due"), right: "manage" },
  ],
  device_work_missing: () => [{ text: "seeDevices", href: "/checkin/#/office", right: "manage" }],
  webhook_failing: ({ link }) => [
    { text: "lookAtWebhook", href: linkTo("list", "webhooks", /(\d+)$/.exec(link)?.[1] ?? "") },
  ],
  document_not_integrated: seeDocument,
  einvoice_incomplete: seeDocument,
  card_hold: ({ reservation_id: id }) =>
    id === null ? [] : [{ text: "seeCardHold", href: linkTo("reservations", id), right: "hand_over" }],
  quote_sold_out: ({ link }) => [{ text: "openQuote", href: linkTo("quotes", /(\d+)$/.exec(link)?.[1] ?? "") }],
  // A task of a reservation already links to the reservation.
  task_overdue: ({ reservation_id: id, params }) =>
    id === null ? [{ text: "openCustomer", href: linkTo("customers", String(params["customer"] ?? "")) }] : [],
  refund_at_gateway: () => [{ text: "lookAtRefunds", href: linkTo("money", "refunds") }],
  ministry_report_to_annul: () => [
    { text: "seeMinistryReports", href: linkToWithQuery({ state: "refused" }, "ministry-reports") },
  ],
  ministry_report_late: ministryReportMendings,
  ministry_report_refused: ministryReportMendings,
  tax_records_unsent: recordMendings,
  tax_record_refused: recordMendings,
  tax_record_flawed: recordMendings,
  tax_chain_broken: recordMendings,
};

function seeDocument({ params }: AttentionTask): readonly TaskResolution[] {
  return [{ text: "seeDocument", href: linkToWithQuery({ q: String(params["number"] ?? "") }, "money", "documents") }];
}

/** Code and facts of a task, from which its text is made. */
export type TaskKindAndParams = Pick<AttentionTask, "kind" | "params">;

/** Whether an agent has retained more than the price. That money can't be refunded. */
export const isRetainedByAgent = ({ kind, params }: TaskKindAndParams) => kind === "overpaid" && "retained" in params;

/** Whether the task is about a customer who may have missed a transfer trip. */
export const isTransferNoShow = ({ kind, params }: TaskKindAndParams) =>
  kind === "no_show" && params["is_transfer"] === 1;

/** Lists the resolutions of a task, in addition to the link to its reservation. */
export function listTaskResolutions(item: AttentionTask): readonly TaskResolution[] {
  const { kind, reservation_id: id } = item;
  const place = PLACES[kind];
  if (place) return place(item);
  if (id === null) return [];
  if (isRetainedByAgent(item)) return [{ text: "nameAgent", href: linkTo("reservations", id) }];
  const actions = isTransferNoShow(item)
    ? MISSED_TRIP
    : isPaidTwice(item)
      ? ["refund"]
      : (RESOLVING_ACTIONS[kind] ?? []);
  return actions.map((action) => ({
    text: action === "money" ? "takeMoney" : (`do.${action}` as TextKey),
    href: linkTo("reservations", id, action),
    right: getActionRight(action),
  }));
}

const getVehicleReference = (link: string) => decodeUrlComponent(/vehicles\/(.+)$/.exec(link)?.[1] ?? "");

function recordMendings({ id, kind }: AttentionTask): readonly TaskResolution[] {
  const amend = kind.startsWith("tax_record_") ? /-(\d+)-/.exec(id)?.[1] : undefined;
  const text = amend === undefined ? "lookAtRecords" : "taxDo.amend";
  return [{ text, href: linkToWithQuery({ ...RECORDS[kind], amend }, "money", "taxRecords") }];
}

// Missing data is added at the reservation. General problems are shown with the reports.
function ministryReportMendings({ reservation_id: id }: AttentionTask): readonly TaskResolution[] {
  const ministryReportsLink: TaskResolution = { text: "seeMinistryReports", href: linkTo("ministry-reports") };
  return id === null
    ? [ministryReportsLink]
    : [{ text: "fillIn", href: linkTo("reservations", id) }, ministryReportsLink];
}

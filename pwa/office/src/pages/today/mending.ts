import type { Right } from "#domain/access/rights.ts";
import { decoded } from "#shared/decoded.ts";
import { getRequiredRight } from "../../desk/move-rights.ts";
import { linkTo, linkWith } from "../../route.ts";
import type { TextKey } from "../../texts.ts";

/** What waits for a person, as the office tells it. */
export interface Item {
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly why: string;
  readonly reservation_id: number | null;
  readonly rental_location_code: string | null;
  readonly customer_fullname: string | null;
  readonly customer_phone: string | null;
  /** Plates of what should be back. */
  readonly vehicles: string | null;
  readonly link: string;
  readonly dismissible: boolean;
}

/** What mends an item: a place to go to, for who may do there what is to be done. */
export interface TaskResolution {
  readonly text: TextKey;
  readonly href: string;
  readonly right?: Right;
}

// The move of the reservation that mends what waits, the likeliest first; `money` is entered beside its payments.
const RESOLVING_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  overdue: ["collect", "extend"],
  no_show: ["no-show", "deliver"],
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

// Which of the records for the tax agency wait.
const RECORDS: Readonly<Record<string, { readonly state?: string }>> = {
  tax_records_unsent: { state: "waiting" },
  tax_record_refused: { state: "refused" },
  tax_record_flawed: { state: "accepted_with_errors" },
  tax_chain_broken: {},
};

/** The branch group at which something is missing. */
export function getMissingGroup({ id, kind }: Item): number | undefined {
  const group = kind.endsWith("shortage") ? /-(\d+):/.exec(id)?.[1] : undefined;
  return group === undefined ? undefined : Number(group);
}

const seeHowMany = (list: string) => (): readonly TaskResolution[] => [
  { text: "seeHowMany", href: linkTo("list", list) },
];

// Where what is no move of a reservation is mended.
const PLACES: Readonly<Record<string, (item: Item) => readonly TaskResolution[]>> = {
  shortage: ({ why }) => {
    const from = /\d{4}-\d{2}-\d{2}/.exec(why)?.[0];
    const category = /of (.+) are/.exec(why)?.[1];
    return [{ text: "seeInPlanning", href: linkWith({ from, category }, "planning") }];
  },
  extra_shortage: seeHowMany("extras"),
  transfer_shortage: seeHowMany("transfer-vehicles"),
  vehicle_due: ({ link }) => [
    { text: "vehicleDo.due", href: linkTo("fleet", getVehicleReference(link), "due"), right: "manage" },
  ],
  webhook_failing: ({ link }) => [
    { text: "lookAtWebhook", href: linkTo("list", "webhooks", /(\d+)$/.exec(link)?.[1] ?? "") },
  ],
  refund_at_gateway: () => [{ text: "lookAtRefunds", href: linkTo("money", "refunds") }],
  communication_to_annul: () => [{ text: "seeCommunications", href: linkWith({ state: "refused" }, "communications") }],
  communication_late: communicationMendings,
  communication_refused: communicationMendings,
  tax_records_unsent: recordMendings,
  tax_record_refused: recordMendings,
  tax_record_flawed: recordMendings,
  tax_chain_broken: recordMendings,
};

/** What an agent has kept beyond the price is no money that could go back. */
export const isRetainedByAgent = ({ kind, why }: Pick<Item, "kind" | "why">) =>
  kind === "overpaid" && why.startsWith("its agent");

/** Nobody hands a transfer over: its customer did not come, or comes later. */
export const isMissedTrip = ({ kind, why }: Pick<Item, "kind" | "why">) =>
  kind === "no_show" && why.startsWith("who drives it");

/** Where each item is mended, beside its reservation. */
export function listResolutions(item: Item): readonly TaskResolution[] {
  const { kind, reservation_id: id } = item;
  const place = PLACES[kind];
  if (place) return place(item);
  if (id === null) return [];
  if (isRetainedByAgent(item)) return [{ text: "nameAgent", href: linkTo("reservations", id) }];
  const moves = isMissedTrip(item) ? MISSED_TRIP : (RESOLVING_ACTIONS[kind] ?? []);
  return moves.map((move) => ({
    text: move === "money" ? "takeMoney" : (`do.${move}` as TextKey),
    href: linkTo("reservations", id, move),
    right: getRequiredRight(move),
  }));
}

const getVehicleReference = (link: string) => decoded(/vehicles\/(.+)$/.exec(link)?.[1] ?? "");

function recordMendings({ id, kind }: Item): readonly TaskResolution[] {
  const amend = kind.startsWith("tax_record_") ? /-(\d+)-/.exec(id)?.[1] : undefined;
  const text = amend === undefined ? "lookAtRecords" : "taxDo.amend";
  return [{ text, href: linkWith({ ...RECORDS[kind], amend }, "money", "taxRecords") }];
}

// What is missing is filled in at the reservation; what all of them lack, at the communications.
function communicationMendings({ reservation_id: id }: Item): readonly TaskResolution[] {
  const there: TaskResolution = { text: "seeCommunications", href: linkTo("communications") };
  return id === null ? [there] : [{ text: "fillIn", href: linkTo("reservations", id) }, there];
}

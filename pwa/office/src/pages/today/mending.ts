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
  readonly can_be_done: boolean;
}

/** What mends an item: a place to go to. */
export interface Mending {
  readonly text: TextKey;
  readonly href: string;
}

// The move of the reservation that mends what waits, the likeliest first; `money` is entered beside its payments.
const MOVES: Readonly<Record<string, readonly string[]>> = {
  overdue: ["collect", "extend"],
  no_show: ["no-show", "deliver"],
  paid_unconfirmed: ["confirm"],
  paid_too_late: ["confirm", "refund"],
  overpaid: ["refund"],
  owed_back: ["refund"],
  deposit_held: ["money"],
  document_incomplete: ["change"],
  reopened: ["collect"],
  suspicious_hold: ["cancel"],
};

// Which of the records for the tax agency wait.
const RECORDS: Readonly<Record<string, { readonly state?: string }>> = {
  tax_records_unsent: { state: "waiting" },
  tax_record_refused: { state: "refused" },
  tax_record_flawed: { state: "accepted_with_errors" },
  tax_chain_broken: {},
};

/** The branch group at which something is missing. */
export function groupOf({ id, kind }: Item): number | undefined {
  const group = kind.endsWith("shortage") ? /-(\d+):/.exec(id)?.[1] : undefined;
  return group === undefined ? undefined : Number(group);
}

// Where it is said how many there are.
const LISTS: Readonly<Record<string, string>> = {
  extra_shortage: "extras",
  transfer_shortage: "transfer-vehicles",
};

/** Where each item is mended, beside its reservation. */
export function mendingsOf({ id: item, kind, why, reservation_id: id }: Item): readonly Mending[] {
  if (kind === "shortage") {
    const from = /\d{4}-\d{2}-\d{2}/.exec(why)?.[0];
    const category = /of (.+) are/.exec(why)?.[1];
    return [{ text: "seeInPlanning", href: linkWith({ from, category }, "planning") }];
  }
  const list = LISTS[kind];
  if (list) return [{ text: "seeHowMany", href: linkTo("list", list) }];
  const records = RECORDS[kind];
  if (records) {
    const amend = kind.startsWith("tax_record_") ? /-(\d+)-/.exec(item)?.[1] : undefined;
    const text = amend === undefined ? "lookAtRecords" : "taxDo.amend";
    return [{ text, href: linkWith({ ...records, amend }, "money", "taxRecords") }];
  }
  if (kind === "refund_at_gateway") return [{ text: "lookAtRefunds", href: linkTo("money", "refunds") }];
  if (kind === "communication_to_annul")
    return [{ text: "seeCommunications", href: linkWith({ state: "refused" }, "communications") }];
  if (kind.startsWith("communication_")) return communicationMendings(id);
  if (id === null) return [];
  return (MOVES[kind] ?? []).map((move) => ({
    text: move === "money" ? "takeMoney" : (`do.${move}` as TextKey),
    href: linkTo("reservations", id, move),
  }));
}

// What is missing is filled in at the reservation; what all of them lack, at the communications.
function communicationMendings(id: number | null): readonly Mending[] {
  const there: Mending = { text: "seeCommunications", href: linkTo("communications") };
  return id === null ? [there] : [{ text: "fillIn", href: linkTo("reservations", id) }, there];
}

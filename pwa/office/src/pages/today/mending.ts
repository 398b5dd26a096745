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
  readonly link: string;
  readonly can_be_done: boolean;
}

/** What mends an item: a place to go to. */
export interface Mending {
  readonly text: TextKey;
  readonly href: string;
}

// The move of the reservation that mends what waits, the likeliest first.
const MOVES: Readonly<Record<string, readonly string[]>> = {
  overdue: ["collect", "extend"],
  no_show: ["no-show", "deliver"],
  paid_unconfirmed: ["confirm"],
  paid_too_late: ["confirm", "refund"],
  overpaid: ["refund"],
  owed_back: ["refund"],
  document_incomplete: ["change"],
  reopened: ["collect"],
  suspicious_hold: ["cancel"],
};

/** Where each item is mended, beside its reservation. */
export function mendingsOf({ kind, why, reservation_id: id }: Item): readonly Mending[] {
  if (kind === "shortage") {
    const from = /\d{4}-\d{2}-\d{2}/.exec(why)?.[0];
    const category = /of (\S+) are/.exec(why)?.[1];
    return [{ text: "seeInPlanning", href: linkWith({ from, category }, "planning") }];
  }
  if (id === null) return [];
  return (MOVES[kind] ?? []).map((move) => ({
    text: `do.${move}` as TextKey,
    href: linkTo("reservations", id, move),
  }));
}

// What the server says of an item, and what of it is told in the person's language.
const WHY: Readonly<Record<string, RegExp>> = {
  overdue: /since (\S+ \S+)/,
  shortage: /^(\d+) of (\S+) are missing from (\S+ \S+)/,
  no_show: /at (\S+ \S+)/,
  paid_unconfirmed: /^(\S+) is paid/,
  paid_too_late: /^(\S+) was paid/,
  overpaid: /^(\S+) is paid of (\S+)/,
  owed_back: /cancelled, (\S+) is paid and (\S+) is kept/,
  refund_waiting: /^(\S+) waits for another manager to be given back: (.*)/,
  document_incomplete: /invoice of (\S+) waits: the customer lacks (.*)/,
  reopened: /(?:)/,
  payment_mismatch: /order (\S+): (.*)/,
  suspicious_hold: /^(\d+) for (\d+) days, unpaid, of a visitor who holds (\d+)/,
  backup_overdue: /is (\d+) hours old/,
  drill_overdue: /for (\d+) days/,
  nearly_full: /is (\d+) %/,
  security_alert: /^(\S+), (\d+)/,
  field_work_refused: /^(\S+) by (.*): (\S+)/,
  field_work_held: /^(\S+) by (.*): (\S+)/,
  field_work_to_look_at: /^(\S+) by (.*): (\S+)/,
};

/** What an item says beside its kind, in parts; undefined where its words are not known. */
export function partsOfWhy({ kind, why }: Pick<Item, "kind" | "why">): readonly string[] | undefined {
  return WHY[kind]?.exec(why)?.slice(1);
}

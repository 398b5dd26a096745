import { dayText, kilometres, money } from "../../account.ts";
import { t, tOr } from "../../texts.ts";
import { problemText } from "../money/tax.ts";
import { type Item, isMissedTrip, isRetainedByAgent } from "./mending.ts";
import { splitTaskReason } from "./why.ts";

const MONEY_KINDS: Readonly<Record<string, string>> = { payment: "charge", deposit_taken: "deposit_received" };

/** Money that is in no book, as the server says it: `payment 49.00, deposit_taken 300.00`; empty for none. */
export function unbookedText(storedText: string): string {
  if (storedText === "") return "";
  const each = storedText.split(", ").map((text) => {
    const [kind = "", amount = ""] = text.split(" ");
    return `${tOr(`moneyKind.${MONEY_KINDS[kind] ?? kind}`, kind)} ${money(amount)}`;
  });
  return t("notBooked", { 0: each.join(", ") });
}

/** What a vehicle is due for, and by when: `insurance 2027-05-03`, or `service at 15000` of kilometres. */
export function dueText(due: string): string {
  const [, what = "", when = ""] = /^(.*) (\S+)$/.exec(due) ?? [];
  if (what === "service at") return t("due.at", { 0: kilometres(Number(when)) });
  return tOr(`due.${what}`, what).replace("{0}", dayText(when));
}

// Where the words of a kind's parts stand.
const REASON_TEXT_PREFIXES: Readonly<Record<string, string>> = {
  communication_to_annul: "told",
  webhook_failing: "webhookWhy",
};

// Which parts of a kind are amounts: those of yen have no point to be known by.
const AMOUNTS: Readonly<Record<string, readonly number[]>> = {
  paid_unconfirmed: [0],
  paid_too_late: [0],
  overpaid: [0, 1],
  refund_due: [0, 1],
  deposit_held: [0],
  refund_waiting: [0],
  refund_at_gateway: [0],
  document_incomplete: [0],
};

// What an invoice asks of its customer, where forms call it otherwise.
const FIELD_TEXT_KEYS: Readonly<Record<string, string>> = { address_street: "address_street_address" };
const getFieldLabel = (name: string) => tOr(`field.${FIELD_TEXT_KEYS[name] ?? name}`, name);

/** A part of what an item says, in the person's language. */
export function formatReasonPart(kind: string, at: number, part: string): string {
  if (AMOUNTS[kind]?.includes(at) && part !== "") return money(part);
  if (kind === "document_incomplete") return part.split(", ").map(getFieldLabel).join(", ");
  // What keeps records from being sent is the last thing that their item says.
  if (kind === "tax_records_unsent" && at === 2 && part !== "") return problemText(part);
  if (kind === "security_alert" && at === 0) return tOr(`alert.${part}`, part);
  if (kind === "vehicle_due") return part.split("; ").map(dueText).join("; ");
  if (REASON_TEXT_PREFIXES[kind]) return tOr(`${REASON_TEXT_PREFIXES[kind]}.${part}`, part);
  return kind.startsWith("field_work") ? workText(at, part) : partText(part);
}

// What was done, and all that is odd about it; who did it, and the money that is in no book.
function workText(at: number, part: string): string {
  if (at === 3) return unbookedText(part);
  if (at === 1) return partText(part);
  return part
    .split(", ")
    .map((code) => tOr(`work.${code}`, code))
    .join("; ");
}

function partText(part: string): string {
  if (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}/.test(part)) return `${dayText(part)}, ${part.slice(11, 16)}`;
  return tOr(`outcome.${part}`, tOr(`field.${part}`, tOr(`taxFault.${part}`, part)));
}

/** What an item says beside its kind, in the person's language; undefined where its words are not known. */
export function formatTaskReason(item: Pick<Item, "kind" | "why">): string | undefined {
  const parts = splitTaskReason(item);
  if (!parts) return undefined;
  const filled = (_: string, at: string) => formatReasonPart(item.kind, Number(at), parts[Number(at)] ?? "");
  return formatReasonTemplate(item, parts).replace(/\{(\d)\}/g, filled);
}

function formatReasonTemplate(item: Pick<Item, "kind" | "why">, parts: readonly (string | undefined)[]): string {
  if (item.kind === "security_alert" && !parts[1]) return "{0}";
  if (isMissedTrip(item)) return tOr("waits.missedTrip", item.why);
  return tOr(`waits.${isRetainedByAgent(item) ? "keptTooMuch" : item.kind}`, item.why);
}

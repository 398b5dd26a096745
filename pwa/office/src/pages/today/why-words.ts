import { dayText, kilometres, money } from "../../account.ts";
import { t, tOr } from "../../texts.ts";

const MONEY_KINDS: Readonly<Record<string, string>> = { payment: "charge", deposit_taken: "deposit_received" };

/** Money that is in no book, as the server says it: `payment 49.00, deposit_taken 300.00`; empty for none. */
export function unbookedText(said: string): string {
  if (said === "") return "";
  const each = said.split(", ").map((one) => {
    const [kind = "", amount = ""] = one.split(" ");
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

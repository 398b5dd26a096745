import { readSentence } from "#domain/catalogue/resources/problems.ts";
import { categoryName, money } from "../account.ts";
import type { Answer } from "../api.ts";
import { type TextKey, t, tOr } from "../texts.ts";
import { sentence } from "./problem-words.ts";
import type { Reason } from "./quote.ts";

type MessageTranslation = readonly [RegExp, TextKey];

// The server says why in English: here each of its sentences in the person's language, what it names kept.
const SENTENCES: readonly MessageTranslation[] = [
  [/the pickup is in the past/, "why.pickupPast"],
  [/the return is in the past/, "why.returnPast"],
  [/the return must be after the pickup|the return is not after the pickup/, "why.returnBefore"],
  [/the return is not later than agreed/, "why.notLater"],
  [/the return is not earlier than agreed/, "why.notEarlier"],
  [/the shortest rental is (\d+) days/, "why.shortest"],
  [/the longest rental is (\d+) days/, "why.longest"],
  [/the branch is closed at the pickup time/, "why.closedPickup"],
  [/the branch is closed at the return time/, "why.closedReturn"],
  [/is closed (?:on|for)/, "why.closedDay"],
  [/there are no pickups on (\S+)/, "why.noPickups"],
  [/there are no returns on (\S+)/, "why.noReturns"],
  [/product (\S+) is not sold from (\S+) to (\S+)/, "why.stopSale"],
  [/is booked at least (\d+) minutes before/, "why.notice"],
  [/is booked at most (\d+) days before/, "why.horizon"],
  [/product (\S+) has no price/, "why.noPrice"],
  [/there is no product (\S+)/, "why.noCategory"],
  [/there is no extra (\S+)/, "why.noExtra"],
  [/the extra says none for a rental/, "why.amountNeeded"],
  [/must be more than nothing|is too much$/, "problem.money"],
  [/extra (\S+) can be taken (\d+) times at most/, "why.mostExtras"],
  [/stays as it is: the contract is in progress/, "why.inProgress"],
  [/is at least (\d+): so many went out/, "why.unitsGone"],
  [/the trip is in the past/, "why.tripPast"],
  [/the return must depart after/, "why.tripReturn"],
  [/the trip was driven already/, "why.tripDriven"],
  [/does not drive from (.+) to (.+)/, "why.noWay"],
  [/there is no transfer from point/, "why.noTransfer"],
  [/is less than what the (?:reservation|transfer) costs beside/, "why.priceTooLow"],
  [/places for so many people/, "why.tooMany"],
  [/at least one adult or child must travel/, "why.nobody"],
  [/vehicle (\S+) is not sold any more/, "why.vehicleGone"],
  [/is more than the contract costs/, "why.feeTooHigh"],
  [/is required: no vehicle is assigned/, "why.vehicleNeeded"],
  [/is the vehicle that is out/, "why.sameVehicle"],
  [/km that (\S+) showed last/, "why.kilometres"],
  [/others rely on the (\S+) that/, "why.relied"],
  [/the inspection of (.+) ends before it is back/, "why.inspectionEnds"],
  [/the insurance of (.+) ends before it is back/, "why.insuranceEnds"],
  [/there is no promotion code (\S+)/, "why.noCode"],
  [/promotion/i, "why.promotion"],
  [/driver/i, "why.driverAge"],
  [/(?:is required|Required|expected string, received undefined)/, "problem.missing"],
  [/must be an amount/, "problem.money"],
  [/is finer than the currency/, "why.tooFine"],
  [/is entered already/, "why.enteredAlready"],
  [/is more than it costs/, "why.keptTooMuch"],
  [/is nobody's without an agent/, "why.keptByNobody"],
  [/(\d+) is settled already/, "why.settledAlready"],
  [/(\d+) is not settled/, "why.notSettled"],
  [/(\d+) is not done yet/, "why.notDone"],
  [/is still to come/, "why.toCome"],
  [/must be a date/, "problem.date"],
  [/must be a time/, "problem.time"],
  [/has an account that is not proved: merge the other way/, "why.mergeOther"],
  [/e-?mail/i, "problem.email"],
  [/must be a whole number|must be at (?:least|most)/, "why.number"],
];

/**
 * A sentence of the server's in the person's language; the sentence itself where it is none of those that are known.
 */
export function translateServerMessage(message: string): string {
  for (const [pattern, key] of SENTENCES) {
    const match = pattern.exec(message);
    if (match) return t(key, Object.fromEntries(match.slice(1).map((text, index) => [String(index), text])));
  }
  const problem = readSentence("", message);
  return problem ? sentence(problem) : message;
}

const RULES: Readonly<Record<string, TextKey>> = {
  "its vehicles are back": "rule.back",
  "its pickup time has not passed": "rule.notYet",
  "who drove has said that they came": "rule.came",
  "it is not early any more": "rule.notEarly",
  "all its vehicles are handed over": "rule.handedOver",
  "the vehicle that it names is not out": "rule.notOut",
};

/** Why something was refused, by its code first. */
export function translateReason({ code, message }: Reason): string {
  if (code === "move_not_allowed") {
    const rule = Object.keys(RULES).find((rule) => message.includes(rule));
    const key = rule === undefined ? undefined : RULES[rule];
    return t(key ?? "refused.move_not_allowed");
  }
  if (code === "sold_out" && message.includes("those trips")) return t("refused.soldOutTrips");
  if (code === "sold_out")
    return t("refused.sold_out", { what: categoryName(/enough of (\S+)/.exec(message)?.[1] ?? "") });
  return tOr(`refused.${code}`, translateServerMessage(message));
}

/** What is wrong with a field, and with the whole. */
export interface Refused {
  readonly fields: Readonly<Record<string, string>>;
  readonly notice: string;
}

interface Detail {
  readonly field: string;
  readonly message: string;
}

/** Why a quote was refused as a whole: a reason for each field that its answer names, else one. */
export function listReasons(answer: Answer): readonly Reason[] {
  const { fields, notice } = refusedBy(answer);
  const named = Object.entries(fields).map(([field, message]) => ({ code: "", message, field }));
  return named.length > 0 ? named : [{ code: "", message: notice }];
}

/** Why an answer is a refusal: a sentence for each field that it names, one for the rest. */
export function refusedBy({ status, body }: Answer): Refused {
  const code = String(body["code"] ?? "");
  const detail = (body["detail"] ?? []) as readonly Detail[];
  const message = String(body["error"] ?? "");
  if (code === "permission_denied") {
    const right = detail.find(({ field }) => field === "right")?.message ?? "";
    return { fields: {}, notice: t("refused.permission_denied", { right: tOr(`right.${right}`, right) }) };
  }
  if (code === "discount_limit_exceeded")
    return {
      fields: {},
      notice: t("refused.discount_limit_exceeded", { amount: money(/[\d.]+\d/.exec(message)?.[0] ?? "0") }),
    };
  if (status === 400 && detail.length > 0) {
    const fields = Object.fromEntries(
      detail.map(({ field, message: fieldMessage }) => [field, translateServerMessage(fieldMessage)]),
    );
    return { fields, notice: t("fixFields") };
  }
  const reasonText = translateReason({ code, message });
  return { fields: {}, notice: reasonText || t("failed") };
}

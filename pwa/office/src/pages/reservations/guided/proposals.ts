import { parseAmount, toAmount } from "#domain/amount-text.ts";
import { type DeskChargeAmount, type PaymentSource, suggestDeskCharges } from "#domain/check-in/settlement.ts";
import { addDays, type CivilDate } from "#domain/dates.ts";
import type { EarlyReturnRequest } from "#worker/api/office/request-messages.ts";
import { account } from "../../../account.ts";
import type { FormValues } from "../../../desk/fields.ts";
import type { Reservation, ReservationDetail } from "../../../desk/reservation.ts";
import { parseTypedAmount } from "../../../desk/typed-amount.ts";
import { t } from "../../../texts.ts";
import { translateGuided as g } from "./texts.ts";

/** Kinds of money at the desk, in the order of the page. */
export type MoneyKind = DeskChargeAmount["kind"];

/** Money to record with a hand-over or a return, as it is shown and typed. */
export interface MoneyLine {
  readonly kind: MoneyKind;
  readonly amount: string;
}

/** Way to secure the deposit that isn't a payment method. */
export const CARD_HOLD = "card_hold";

const decimals = () => account.value.currency_decimals;
const toText = (cents: number) => toAmount(cents, decimals());

/** Converts an amount with a sign to minor units. */
export function toCents(amount: string): number {
  const cents = parseAmount(amount.replace(/^-/, ""), decimals()) ?? 0;
  return amount.startsWith("-") ? -cents : cents;
}

/** Proposes the money of a hand-over: the pending amount and the unsecured deposit. */
export function proposeHandOverMoney(due: string, deposit: string): readonly MoneyLine[] {
  const lines: readonly MoneyLine[] = [
    { kind: "payment", amount: due },
    { kind: "deposit_taken", amount: deposit },
  ];
  return lines.filter(({ amount }) => toCents(amount || "0") > 0);
}

/** What pays the amount due at a return. A card hold is captured after the return is recorded. */
export type ReturnPaymentSource = PaymentSource | typeof CARD_HOLD;

/**
 * Proposes payments and deposit returns, so that no deposit and no debt remain after a return. Leaves out the
 * amount that a capture of the card holds will pay. `heldOnCard` is the amount of the holds.
 */
export function proposeReturnMoney(
  { due, deposit_held: held }: { readonly due: string; readonly deposit_held: string },
  paidFrom: ReturnPaymentSource,
  heldOnCard = "0",
): readonly MoneyLine[] {
  const captured = paidFrom === CARD_HOLD ? getCapturedCents(due, heldOnCard) : 0;
  const amounts = { openCents: toCents(due) - captured, heldCents: toCents(held), depositOpenCents: 0 };
  const payer = paidFrom === CARD_HOLD ? "customer" : paidFrom;
  const suggested = suggestDeskCharges({ isReturn: true }, { ...amounts, owedCents: 0, excessCents: 0 }, payer);
  return suggested.map(({ kind, amountCents }) => ({ kind, amount: toText(amountCents) }));
}

const getCapturedCents = (due: string, heldOnCard: string) => Math.min(Math.max(0, toCents(due)), toCents(heldOnCard));

/** Returns how much of an amount due the card holds pay. */
export const proposeCaptureAfterReturn = (due: string, heldOnCard: string): string =>
  toText(getCapturedCents(due, heldOnCard));

/** Returns what a return adds to the price, with a minus sign if it becomes lower. */
export const getAddedCost = (before: string, after: string): string => toText(toCents(after) - toCents(before));

/** Returns the payment method with which a deposit was collected. */
export function getDepositMethod(charges: ReservationDetail["charges"]): string {
  return charges.find(({ source_doc: source }) => source === "deposit_received")?.payment_method_id ?? "";
}

export const toAmountFieldName = (kind: MoneyKind) => `${kind}.amount`;
export const toMethodFieldName = (kind: MoneyKind) => `${kind}.method`;
export const toNumberFieldName = (kind: MoneyKind) => `${kind}.number`;

/** Returns the typed amount of a line, or the proposed one. */
export const getLineAmount = ({ kind, amount }: MoneyLine, values: FormValues) =>
  String(values[toAmountFieldName(kind)] ?? amount);

/** Returns the typed method of a line, or the proposed one. */
export const getLineMethod = ({ kind }: MoneyLine, values: FormValues, proposed: string) =>
  String(values[toMethodFieldName(kind)] ?? proposed);

/** Builds the payments and deposit movements of a request. Omits lines without an amount and a card hold. */
export function buildCharges(
  lines: readonly MoneyLine[],
  values: FormValues,
  getProposed: (kind: MoneyKind) => string,
) {
  return lines.flatMap((line) => {
    const amount = parseTypedAmount(getLineAmount(line, values));
    const method = getLineMethod(line, values, getProposed(line.kind));
    if (amount === "" || toCents(amount) === 0 || method === CARD_HOLD) return [];
    const number = String(values[toNumberFieldName(line.kind)] ?? "").trim();
    return [
      {
        kind: line.kind,
        amount,
        payment_method_id: method,
        external_operation_number: number || undefined,
      },
    ];
  });
}

/** Returns the amount of a card hold for the deposit, or undefined if the deposit is secured in another way. */
export function getHoldAmount(lines: readonly MoneyLine[], values: FormValues): string | undefined {
  const deposit = lines.find(({ kind }) => kind === "deposit_taken");
  if (!deposit || getLineMethod(deposit, values, "") !== CARD_HOLD) return undefined;
  const amount = parseTypedAmount(getLineAmount(deposit, values));
  return toCents(amount || "0") > 0 ? amount : undefined;
}

/** Describes what a card hold sends when the step is left. */
export const getHoldHint = (email: string | null) => (email ? g("holdSends", { email }) : g("holdCopies"));

/** Problem of a money field: an unreadable amount, one without a method, or more than the amount due. */
export type MoneyProblem = "money" | "method" | "more_than_due";

// Kinds of money that pay the amount due.
const PAYS_DUE: readonly MoneyKind[] = ["payment", "deposit_kept"];

function isMoreThanDue(lines: readonly MoneyLine[], values: FormValues): boolean {
  const paying = lines.filter(({ kind }) => PAYS_DUE.includes(kind));
  const sum = (getAmount: (line: MoneyLine) => string) =>
    paying.reduce((cents, line) => cents + toCents(getAmount(line) || "0"), 0);
  return sum((line) => parseTypedAmount(getLineAmount(line, values))) > sum(({ amount }) => amount);
}

/** Returns the problem of each wrong money field. */
export function findMoneyProblems(
  lines: readonly MoneyLine[],
  values: FormValues,
  getProposed: (kind: MoneyKind) => string,
): Readonly<Record<string, MoneyProblem>> {
  const isTooMuch = isMoreThanDue(lines, values);
  const problems = lines.flatMap((line): (readonly [string, MoneyProblem])[] => {
    const amount = parseTypedAmount(getLineAmount(line, values));
    if (amount === "") return [];
    if (parseAmount(amount, decimals()) === undefined) return [[toAmountFieldName(line.kind), "money"]];
    const isTooHighHold =
      getLineMethod(line, values, getProposed(line.kind)) === CARD_HOLD && toCents(amount) > toCents(line.amount);
    if ((line.kind === "payment" && isTooMuch) || isTooHighHold)
      return [[toAmountFieldName(line.kind), "more_than_due"]];
    const isUnpaid = toCents(amount) > 0 && getLineMethod(line, values, getProposed(line.kind)) === "";
    return isUnpaid ? [[toMethodFieldName(line.kind), "method"]] : [];
  });
  return Object.fromEntries(problems);
}

const translateMoneyProblem: Readonly<Record<MoneyProblem, () => string>> = {
  money: () => t("problem.money"),
  method: () => g("methodOrNoAmount"),
  more_than_due: () => g("moreThanDue"),
};

/** Translates problems of money fields. */
export const translateMoneyProblems = (
  problems: Readonly<Record<string, MoneyProblem>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(problems).map(([name, problem]) => [name, translateMoneyProblem[problem]()]));

/** Lists what is still missing before the hand-over if the typed amounts are collected with it. */
export function listMissingAfterPayments(
  missing: ReservationDetail["missing"],
  lines: readonly MoneyLine[],
  values: FormValues,
  isSigned = false,
): ReservationDetail["missing"] {
  const covers = (kind: MoneyKind) => {
    const line = lines.find((line) => line.kind === kind);
    if (!line) return false;
    const method = String(values[toMethodFieldName(kind)] ?? "");
    const amount = parseTypedAmount(getLineAmount(line, values));
    return method !== "" && method !== CARD_HOLD && amount !== "" && toCents(amount) >= toCents(line.amount);
  };
  const isCovered: Readonly<Record<string, boolean>> = {
    payment: covers("payment"),
    deposit: covers("deposit_taken"),
    signature: isSigned,
  };
  return missing.filter((check) => !isCovered[check]);
}

/** Damage as typed, with its price. */
export interface PricedDamage {
  readonly part: string;
  readonly kind: string;
  readonly severity: string;
  readonly note: string;
  /** Extra that prices the damage. Empty if it isn't charged. */
  readonly code: string;
  /** Typed price. Empty for that of the extra. */
  readonly amount: string;
}

/** Builds the surcharges of damage with a price. `damage` is the index of the damage in the list. */
export function buildSurcharges(damages: readonly PricedDamage[]) {
  return damages.flatMap(({ code, amount, note }, damage) => {
    if (code === "") return [];
    const surchargeAmount = parseTypedAmount(amount);
    const text = note.trim();
    return [{ code, damage, amount: surchargeAmount || undefined, text: text || undefined }];
  });
}

/** Whether a hand-over is more than a day before the planned pickup. */
export function isEarlyHandOver(
  { date_from: day, time_from: time }: Pick<Reservation, "date_from" | "time_from">,
  now: { readonly date: CivilDate; readonly time: string },
): boolean {
  return `${addDays(now.date, 1)} ${now.time}` < `${day} ${time}`;
}

/** Splits the time of an early return into date and time. Empty without a time, so that the server uses its own. */
export const toEarlyReturnTime = (at: string | undefined): Pick<EarlyReturnRequest, "date_to" | "time_to"> =>
  at === undefined ? {} : { date_to: at.slice(0, 10), time_to: at.slice(11, 16) };

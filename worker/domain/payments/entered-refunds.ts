import type { Cents } from "#domain/money.ts";

/** Refund that staff entered by hand, for a gateway's payments of one contract. No message has confirmed it yet. */
export interface EnteredRefund {
  /** Id of the charge that records the refund. */
  readonly id: number;
  readonly cents: Cents;
  /** Number of the operation at the gateway, as staff typed it. */
  readonly number: string | null;
}

/**
 * Result of the comparison of a reported refund with those entered by hand. `same`: the refund is in the books already.
 * `otherNumber`: presumably the same, staff check the number. `otherAmount`: the same number with another amount.
 */
export interface EnteredRefundMatch {
  readonly kind: "same" | "otherNumber" | "otherAmount";
  readonly chargeId: number;
}

/** Refund as a gateway reported it. */
export interface ReportedRefund {
  readonly cents: Cents;
  /** Numbers of the refund that staff may have entered. */
  readonly numbers: readonly string[];
}

const fold = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();

/**
 * Finds the refund that staff entered for a reported one: by its number, then by the amount. Each entered refund is
 * confirmed once, so two equal refunds at the bank need two entries.
 */
export function matchEnteredRefund(
  entered: readonly EnteredRefund[],
  { cents, numbers }: ReportedRefund,
): EnteredRefundMatch | undefined {
  const known = new Set(numbers.map(fold).filter(Boolean));
  const hasNumber = ({ number }: EnteredRefund) => fold(number ?? "") !== "";
  const refundsByNumber = entered.filter((refund) => hasNumber(refund) && known.has(fold(refund.number ?? "")));
  const equal = entered.filter((refund) => refund.cents === cents);
  const same = refundsByNumber.find((refund) => refund.cents === cents) ?? equal.find((refund) => !hasNumber(refund));
  if (same) return { kind: "same", chargeId: same.id };
  if (refundsByNumber[0]) return { kind: "otherAmount", chargeId: refundsByNumber[0].id };
  return equal[0] && { kind: known.size === 0 ? "same" : "otherNumber", chargeId: equal[0].id };
}

/**
 * Finds the next entered refund that the reported ones confirm, up to the amount that isn't in the books. A total
 * without its parts confirms each entered refund that it can contain.
 */
export function matchNextEnteredRefund(
  entered: readonly EnteredRefund[],
  reported: readonly { readonly id: string; readonly cents: Cents }[],
  maxCents: Cents,
): EnteredRefundMatch | undefined {
  const fitting = entered.filter(({ cents }) => cents <= maxCents);
  if (reported.length === 0) {
    const contained = fitting.find(({ cents }) => cents === maxCents) ?? fitting[0];
    return contained && { kind: "same", chargeId: contained.id };
  }
  const matches = reported.map(({ id, cents }) => matchEnteredRefund(fitting, { cents, numbers: [id] }));
  return matches.find((match) => match?.kind === "same") ?? matches.find((match) => match?.kind === "otherNumber");
}

/** Whether the gateway itself already reported a refund of this amount, so that entering it would count it twice. */
export function isRefundReported(
  reported: readonly { readonly method: string; readonly cents: Cents }[],
  refund: { readonly method: string; readonly cents: Cents },
): boolean {
  return reported.some(({ method, cents }) => method === refund.method && cents === refund.cents);
}

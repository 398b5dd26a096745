import type { RentalBooking } from "#domain/bookings/bookings.ts";
import type { CancellationTerm } from "#domain/catalogue/catalogue.ts";
import { type CivilMinute, toCivilMinute } from "#domain/dates.ts";
import { applyRate, type Cents, divideRounded } from "#domain/money.ts";
import type { ActionTime } from "./contract.ts";

const MINUTES_PER_HOUR = 60;

/** Cancellation fee of a contract, in minor units, and the amount to refund. */
export interface CancellationSums {
  readonly feeCents: Cents;
  readonly toRefundCents: Cents;
}

/** Data that decides the cancellation fee of a rental or a transfer. */
export type CancellableContract = Pick<RentalBooking, "status" | "totalPaidCents" | "salesChannel" | "days"> & {
  readonly period: Pick<RentalBooking["period"], "dateFrom" | "timeFrom">;
  readonly totals: Pick<RentalBooking["totals"], "totalCents" | "itemCents">;
};

/**
 * Returns the fee of a cancellation or a no-show by the account's terms (docs/interfaces/rules.md#cancellation). Terms
 * of the contract's sales channel take precedence. Of the matching terms, the one with the fewest hours applies. The
 * fee never exceeds the contract's total. An unpaid pending booking costs nothing.
 */
export function calculateCancellationFee(
  terms: readonly CancellationTerm[],
  occasion: CancellationTerm["occasion"],
  contract: CancellableContract,
  { civil }: Pick<ActionTime, "civil">,
): Cents {
  if (contract.status === "pending_confirmation" && contract.totalPaidCents <= 0) return 0;
  const minutesUntilPickup = toCivilMinute(contract.period.dateFrom, contract.period.timeFrom) - civil;
  const [term] = listApplicableCancellationTerms(terms, occasion, contract.salesChannel)
    .filter(({ hoursBefore }) => hoursBefore === undefined || minutesUntilPickup < hoursBefore * MINUTES_PER_HOUR)
    .sort((a, b) => (a.hoursBefore ?? 0) - (b.hoursBefore ?? 0));
  return term ? Math.min(computeFee(term, contract), contract.totals.totalCents) : 0;
}

/** Returns the terms of the contract's channel, or the general ones. */
export function listApplicableCancellationTerms(
  terms: readonly CancellationTerm[],
  occasion: CancellationTerm["occasion"],
  salesChannel: string | undefined,
): readonly CancellationTerm[] {
  const occasionTerms = terms.filter((term) => term.occasion === occasion);
  const channelTerms = occasionTerms.filter((term) => term.salesChannel === salesChannel);
  return channelTerms.length > 0 ? channelTerms : occasionTerms.filter((term) => term.salesChannel === undefined);
}

/**
 * Returns the local minute until which a cancellation costs nothing: the pickup, unless terms set an earlier one.
 * Undefined if it always costs something.
 */
export function getFreeCancellationEnd(
  terms: readonly CancellationTerm[],
  { salesChannel, period }: Pick<CancellableContract, "salesChannel" | "period">,
): CivilMinute | undefined {
  const costly = listApplicableCancellationTerms(terms, "cancellation", salesChannel).filter(
    ({ feeValue }) => feeValue > 0,
  );
  if (costly.some(({ hoursBefore }) => hoursBefore === undefined)) return undefined;
  const hours = Math.max(0, ...costly.map(({ hoursBefore = 0 }) => hoursBefore));
  return toCivilMinute(period.dateFrom, period.timeFrom) - hours * MINUTES_PER_HOUR;
}

/** Fee of a cancellation up to a local minute. */
export interface CancellationStep {
  readonly until: CivilMinute;
  readonly feeCents: Cents;
}

/** Lists the fees of a cancellation until the pickup, from a local minute on. Terms with the same fee are one step. */
export function listCancellationSteps(
  terms: readonly CancellationTerm[],
  contract: CancellableContract,
  civil: CivilMinute,
): readonly CancellationStep[] {
  const pickup = toCivilMinute(contract.period.dateFrom, contract.period.timeFrom);
  const hours = listApplicableCancellationTerms(terms, "cancellation", contract.salesChannel).map(
    ({ hoursBefore = 0 }) => hoursBefore,
  );
  return [...new Set([...hours, 0])]
    .sort((a, b) => b - a)
    .map((hoursBefore) => pickup - hoursBefore * MINUTES_PER_HOUR)
    .filter((until) => until > civil)
    .map((until) => ({ until, feeCents: calculateCancellationFee(terms, "cancellation", contract, { civil: until }) }))
    .filter(({ feeCents }, index, steps) => feeCents !== steps[index + 1]?.feeCents);
}

function computeFee({ feeType, feeValue }: CancellationTerm, { totals, days }: CancellableContract): Cents {
  switch (feeType) {
    case "percentage":
      return applyRate(totals.totalCents, feeValue);
    case "days":
      return divideRounded(totals.itemCents * Math.min(feeValue, days), days);
    case "amount":
      return feeValue;
  }
}

/** Returns the refund after subtracting the fee. */
export function calculateCancellationSums(
  { totalPaidCents }: Pick<RentalBooking, "totalPaidCents">,
  feeCents: Cents,
): CancellationSums {
  return { feeCents, toRefundCents: Math.max(0, totalPaidCents - feeCents) };
}

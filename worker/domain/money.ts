import { Decimal } from "decimal.js";
import { parseAmount, rescaleAmount, toAmount } from "./amount-text.ts";

export { parseAmount, rescaleAmount, toAmount };

/** Amount in the currency's minor units, always an integer. */
export type Cents = number;

/** Rate in hundredths of a percent: 2100 is 21 %. */
export type BasisPoints = number;

const FULL_RATE_BASIS_POINTS = 10_000;

/**
 * Returns `amount * factor / divisor`, rounded half up (away from zero) once. Exact: uses integers if the
 * product is a safe integer, because Decimal is too slow for hundreds of amounts. Otherwise uses Decimal.
 */
function scale(amount: number, factor: number, divisor: number): Cents {
  const product = amount * factor;
  if (!Number.isSafeInteger(product) || !Number.isSafeInteger(divisor) || divisor <= 0) {
    const exact = new Decimal(amount).times(factor).dividedBy(divisor);
    return exact.toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber();
  }
  const remainder = product % divisor;
  const quotient = (product - remainder) / divisor;
  return 2 * Math.abs(remainder) < divisor ? quotient : quotient + Math.sign(product);
}

/** Applies a rate to an amount, rounded half up to the minor unit. */
export function applyRate(amount: Cents, rate: BasisPoints): Cents {
  return scale(amount, rate, FULL_RATE_BASIS_POINTS);
}

/** Removes the tax from an amount, rounded half up once (docs/interfaces/rules.md#prices). */
export function getNetAmount(amount: Cents, vat: BasisPoints): Cents {
  return scale(amount, FULL_RATE_BASIS_POINTS, FULL_RATE_BASIS_POINTS + vat);
}

/** Divides an amount equally, rounded half up to the minor unit. */
export function divideRounded(amount: Cents, parts: number): Cents {
  return scale(amount, 1, parts);
}

/** Returns the part `amount * part / whole`, rounded half up to the minor unit. `whole` isn't zero. */
export function prorate(amount: Cents, part: Cents, whole: Cents): Cents {
  return scale(amount, part, whole);
}

/**
 * Splits an amount by weights without losing a cent. Shares are rounded down, and the remaining units go to the largest
 * remainders, earliest first among equals. Throws if the weights add up to zero, unless there is nothing to split.
 */
export function splitAmount(amount: Cents, weights: readonly number[]): Cents[] {
  const totalWeight = weights.reduce((sum, weight) => sum.plus(weight), new Decimal(0));
  if (amount === 0) return weights.map(() => 0);
  if (totalWeight.isZero()) throw new RangeError(`an amount of ${amount} has nothing to be split by`);
  const exact = weights.map((weight) => new Decimal(amount).times(weight).dividedBy(totalWeight));
  const shares = exact.map((share) => share.floor().toNumber());
  const remainderCents = amount - sumCents(shares);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share.minus(share.floor()) }))
    .sort((a, b) => b.remainder.comparedTo(a.remainder) || a.index - b.index);
  for (const { index } of byRemainder.slice(0, remainderCents)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

export function sumCents(amounts: readonly Cents[]): Cents {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Formats a rate for the API: `2100` is `"21.00"`. */
export function formatRateAsPercent(rate: BasisPoints): string {
  return toAmount(rate, 2);
}

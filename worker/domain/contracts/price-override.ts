import type { Cents } from "#domain/money.ts";

interface PricedUnits {
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly itemCents: Cents;
}

/**
 * Changes the lines of a booking to match a manual total. The first product absorbs it, so that all totals stay sums
 * of their parts. Splits a line if its units can't share it evenly. Undefined if the first product costs less than the
 * reduction.
 */
export function applyPriceDifferenceToLines<Line extends PricedUnits>(
  lines: readonly Line[],
  differenceCents: Cents,
): readonly Line[] | undefined {
  const [first, ...rest] = lines;
  if (!first) return undefined;
  const itemCents = first.itemCents + differenceCents;
  return itemCents < 0 ? undefined : [...divided(first, itemCents), ...rest];
}

function divided<Line extends PricedUnits>(line: Line, itemCents: Cents): readonly Line[] {
  const { quantity } = line;
  const unitCents = Math.floor(itemCents / quantity);
  const dearer = itemCents - unitCents * quantity;
  const part = (units: number, cents: Cents): Line[] =>
    units === 0 ? [] : [{ ...line, quantity: units, unitCents: cents, itemCents: cents * units }];
  return [...part(quantity - dearer, unitCents), ...part(dearer, unitCents + 1)];
}

import { type Cents, sumCents } from "#domain/money.ts";

interface PricedUnits {
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly itemCents: Cents;
}

/**
 * Changes the lines of a booking to match a manual total. Products absorb the difference, so that all totals stay sums
 * of their parts. Splits a line if its units can't share it evenly. Undefined if the products cost less than the
 * reduction.
 */
export function overridePrice<Line extends PricedUnits>(
  lines: readonly Line[],
  differenceCents: Cents,
): readonly Line[] | undefined {
  const itemCents = sumCents(lines.map((line) => line.itemCents));
  const requestedCents = itemCents + differenceCents;
  if (requestedCents < 0 || lines.length === 0) return undefined;
  const [first, ...rest] = lines;
  if (!first) return undefined;
  const othersCents = sumCents(rest.map((line) => line.itemCents));
  // The first product absorbs it. If its price is too low, all products get one price.
  if (requestedCents < othersCents) return undefined;
  return [...divided(first, requestedCents - othersCents), ...rest];
}

function divided<Line extends PricedUnits>(line: Line, itemCents: Cents): readonly Line[] {
  const { quantity } = line;
  const unitCents = Math.floor(itemCents / quantity);
  const dearer = itemCents - unitCents * quantity;
  const part = (units: number, cents: Cents): Line[] =>
    units === 0 ? [] : [{ ...line, quantity: units, unitCents: cents, itemCents: cents * units }];
  return [...part(quantity - dearer, unitCents), ...part(dearer, unitCents + 1)];
}

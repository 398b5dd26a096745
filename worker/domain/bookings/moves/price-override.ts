import { type Cents, sumCents } from "#domain/money.ts";

interface PricedUnits {
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly itemCents: Cents;
}

/**
 * The lines of a booking whose total is another by hand: the products bear the difference, so that every sum stays the
 * sum of its parts. Where the units cannot share it out evenly a line is divided. Undefined where the products cost
 * less than what is to be taken off.
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
  // The first product bears it; where it costs too little, all of them at one price.
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

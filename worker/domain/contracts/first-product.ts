import { sumCents } from "#domain/money.ts";
import type { Contract, ContractUnit } from "./contract.ts";

type Line = Contract["lines"][number];
type Units = Pick<Contract, "units">;

/**
 * Returns the first product of a contract and its units. A product has several lines if its price was split by hand.
 */
export function groupFirstProductLines(lines: readonly Line[]) {
  const [first] = lines;
  const own = lines.filter(({ categoryCode }) => categoryCode === first?.categoryCode);
  return {
    code: first?.categoryCode,
    quantity: sumCents(own.map(({ quantity }) => quantity)),
    lines: own,
    others: lines.filter((line) => !own.includes(line)),
  };
}

/**
 * Distributes a number of units over a product's lines. Removes from the last lines, and only units that haven't been
 * delivered. Adds to the last line. Returns counts in line order, 0 for an emptied line.
 */
export function distributeUnitsOverLines(contract: Units, lines: readonly Line[], quantity: number): readonly number[] {
  let change = quantity - sumCents(lines.map(({ quantity }) => quantity));
  const spread = lines.toReversed().map((line) => {
    const step = Math.max(change, -countUndelivered(contract, line));
    change -= step;
    return line.quantity + step;
  });
  return spread.toReversed();
}

function countUndelivered({ units }: Units, { id, quantity }: Line): number {
  return quantity - units.filter(({ lineId, deliveredAt }) => lineId === id && deliveredAt !== undefined).length;
}

/** Counts a product's delivered units, returned or not. */
export function countDeliveredUnits({ units }: Units, lines: readonly Line[]): number {
  return (
    sumCents(lines.map(({ quantity }) => quantity)) - sumCents(lines.map((line) => countUndelivered({ units }, line)))
  );
}

/**
 * Returns the units that stay in a reduced line: delivered ones first, then those with an assigned vehicle. Undefined
 * if all stay.
 */
export function listRemainingLineUnitIds(
  { units }: Units,
  line: Line,
  quantity: number,
): readonly number[] | undefined {
  if (quantity >= line.quantity) return undefined;
  const rank = ({ deliveredAt, reference }: ContractUnit) => {
    if (deliveredAt !== undefined) return 0;
    return reference === undefined ? 2 : 1;
  };
  const own = units.filter(({ lineId }) => lineId === line.id);
  const inOrder = own.toSorted((contractUnit, other) => rank(contractUnit) - rank(other) || contractUnit.id - other.id);
  return inOrder.slice(0, quantity).map(({ id }) => id);
}

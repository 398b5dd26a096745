import { sumCents } from "#domain/money.ts";
import type { Contract, ContractUnit } from "./contract.ts";

type Line = Contract["lines"][number];
type Units = Pick<Contract, "units">;

/** The first product of a contract and its units: several lines where its price was divided by hand. */
export function getFirstProduct(lines: readonly Line[]) {
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
 * So many units over the lines of a product: fewer leave its last lines, and only where they wait for their vehicle;
 * more join the last of them. The same order as the lines', 0 where nothing is left of one.
 */
export function spreadUnits(contract: Units, lines: readonly Line[], quantity: number): readonly number[] {
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

/** The units that went out of a product, back or not. */
export function countDelivered({ units }: Units, lines: readonly Line[]): number {
  return (
    sumCents(lines.map(({ quantity }) => quantity)) - sumCents(lines.map((line) => countUndelivered({ units }, line)))
  );
}

/**
 * The units that a line keeps of fewer than it has: those that went out, then those that have a vehicle. Undefined
 * where it keeps all.
 */
export function unitsThatStay({ units }: Units, line: Line, quantity: number): readonly number[] | undefined {
  if (quantity >= line.quantity) return undefined;
  const rank = ({ deliveredAt, reference }: ContractUnit) => {
    if (deliveredAt !== undefined) return 0;
    return reference === undefined ? 2 : 1;
  };
  const own = units.filter(({ lineId }) => lineId === line.id);
  const inOrder = own.toSorted((contractUnit, other) => rank(contractUnit) - rank(other) || contractUnit.id - other.id);
  return inOrder.slice(0, quantity).map(({ id }) => id);
}

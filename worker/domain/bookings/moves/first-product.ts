import { sumOf } from "#domain/money.ts";

interface LineOfProduct {
  readonly categoryCode: string;
  readonly quantity: number;
}

/** The first product of a contract and its units: several lines where its price was divided by hand. */
export function firstProductOf<Line extends LineOfProduct>(lines: readonly Line[]) {
  const [first] = lines;
  const own = lines.filter(({ categoryCode }) => categoryCode === first?.categoryCode);
  return {
    code: first?.categoryCode,
    quantity: sumOf(own.map(({ quantity }) => quantity)),
    lines: own,
    others: lines.filter((line) => !own.includes(line)),
  };
}

/** So many units over the lines of a product: fewer leave its last lines, more join the last of them. */
export function spreadUnits(lines: readonly Pick<LineOfProduct, "quantity">[], units: number): readonly number[] {
  let left = units;
  const spread = lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    const taken = isLast ? left : Math.min(line.quantity, left);
    left -= taken;
    return taken;
  });
  return spread.filter((quantity) => quantity > 0);
}

import { type Cents, sumCents } from "#domain/money.ts";
import { type AppliedDiscount, applyDiscountToLinesAndExtras } from "./discounts.ts";

/** Change of a contract's discount by extras sold during field work. Contains only lines and extras that change. */
export interface DiscountChange {
  /** Amount added to the discount. */
  readonly addedCents: Cents;
  /** Part of it that lines absorb. */
  readonly addedLineCents: Cents;
  readonly lines: readonly DiscountedLine[];
  readonly extras: readonly { readonly code: string; readonly discountCents: Cents; readonly addedCents: Cents }[];
}

interface DiscountedLine {
  readonly lineId: number;
  readonly unitIds: readonly number[];
  readonly itemCents: Cents;
  readonly discountCents: Cents;
  readonly addedCents: Cents;
}

interface PricedExtra {
  readonly code: string;
  readonly quantity: number;
  readonly unitCents: Cents;
}

interface DiscountedContract {
  readonly discount: AppliedDiscount | undefined;
  readonly lines: readonly (Omit<PricedExtra, "code"> & Pick<DiscountedLine, "lineId" | "unitIds" | "discountCents">)[];
  readonly extras: readonly (PricedExtra & { readonly discountCents: Cents })[];
}

const UNCHANGED: DiscountChange = { addedCents: 0, addedLineCents: 0, lines: [], extras: [] };

/** Recalculates a contract's discount for extras sold during field work, as a change in the office would. */
export function discountSoldExtras(
  { discount, lines, extras }: DiscountedContract,
  soldExtras: readonly PricedExtra[],
): DiscountChange {
  // A transfer has no lines.
  if (!discount || soldExtras.length === 0 || lines.length === 0) return UNCHANGED;
  const quantities = new Map<string, number>();
  for (const { code, quantity } of soldExtras) quantities.set(code, (quantities.get(code) ?? 0) + quantity);
  const booked = new Set(extras.map(({ code }) => code));
  const added = new Map(soldExtras.filter(({ code }) => !booked.has(code)).map((extra) => [extra.code, extra]));
  const allExtras = [
    ...extras.map((extra) => ({ ...extra, quantity: extra.quantity + (quantities.get(extra.code) ?? 0) })),
    ...[...added.values()].map(({ code, unitCents }) => ({
      ...{ code, unitCents, quantity: quantities.get(code) ?? 0, discountCents: 0 },
    })),
  ];
  const discounted = applyDiscountToLinesAndExtras(lines, allExtras, discount);
  const changedLines = discounted.lines.flatMap(({ lineId, unitIds, itemCents, discountCents }, index) => {
    const addedCents = discountCents - (lines[index]?.discountCents ?? 0);
    return addedCents === 0 ? [] : [{ lineId, unitIds, itemCents, discountCents, addedCents }];
  });
  const changedExtras = discounted.extras.flatMap(({ code, discountCents }, index) => {
    const addedCents = discountCents - (allExtras[index]?.discountCents ?? 0);
    return addedCents === 0 ? [] : [{ code, discountCents, addedCents }];
  });
  const addedLineCents = sumCents(changedLines.map(({ addedCents }) => addedCents));
  return {
    addedCents: addedLineCents + sumCents(changedExtras.map(({ addedCents }) => addedCents)),
    addedLineCents,
    lines: changedLines,
    extras: changedExtras,
  };
}

import { type BasisPoints, type Cents, prorate, sumCents } from "#domain/money.ts";
import type { DocumentItem } from "./items.ts";

/** Base and total of an amount at a tax rate. */
export interface TaxRateAmount {
  readonly vat: BasisPoints;
  readonly subtotalCents: Cents;
  readonly totalCents: Cents;
}

/** Remaining base and total by tax rate. */
export type TaxRateBalances = ReadonlyMap<BasisPoints, Omit<TaxRateAmount, "vat">>;

/** Adds up amounts by tax rate. Credited amounts are negative. */
export function getTaxRateBalances(amounts: readonly TaxRateAmount[]): TaxRateBalances {
  return new Map(
    [...Map.groupBy(amounts, ({ vat }) => vat)].map(([vat, rateItems]) => [
      vat,
      {
        subtotalCents: sumCents(rateItems.map(({ subtotalCents }) => subtotalCents)),
        totalCents: sumCents(rateItems.map(({ totalCents }) => totalCents)),
      },
    ]),
  );
}

/** Returns the amounts with the opposite sign. */
export function negateAmounts(amounts: readonly TaxRateAmount[]): TaxRateAmount[] {
  return amounts.map(({ vat, subtotalCents, totalCents }) => {
    return { vat, subtotalCents: -subtotalCents, totalCents: -totalCents };
  });
}

/**
 * Sets base and tax of items in proportion to the remaining base and tax of their rate. The last items of a
 * rate get its whole rest, and no item gets more than is left. Rounding each item separately would miss the
 * total. The items' totals stay.
 */
export function assignRateTaxesToItems(items: readonly DocumentItem[], balances: TaxRateBalances): DocumentItem[] {
  const settled = [...items];
  for (const [vat, rateItems] of Map.groupBy(items.entries(), ([, item]) => item.vat)) {
    const totalCents = sumCents(rateItems.map(([, item]) => item.totalCents));
    const target = findBase(totalCents, balances.get(vat));
    if (target === undefined) continue;
    let diff = target - sumCents(rateItems.map(([, item]) => item.subtotalCents));
    const descendingItems = rateItems.toSorted(([, a], [, b]) => Math.abs(b.totalCents) - Math.abs(a.totalCents));
    for (const [index, item] of descendingItems) {
      const changed = shiftBase(item, diff);
      settled[index] = changed;
      diff -= changed.subtotalCents - item.subtotalCents;
    }
  }
  return settled;
}

// Returns the base of an amount at a rate. Undefined if the amount exceeds the remaining total.
function findBase(cents: Cents, left: Omit<TaxRateAmount, "vat"> | undefined): Cents | undefined {
  if (!left || Math.abs(cents) > Math.abs(left.totalCents)) return undefined;
  // A product and its discount or advance of the same total leave no base.
  if (cents === 0) return 0;
  const leftCents = Math.abs(left.totalCents);
  const leftBase = Math.min(leftCents, Math.max(0, left.subtotalCents * Math.sign(left.totalCents)));
  return Math.sign(cents) * prorate(leftBase, Math.abs(cents), leftCents);
}

// Moves cents between base and tax, neither of them below zero.
function shiftBase(item: DocumentItem, diff: Cents): DocumentItem {
  const [lowest, highest] = item.totalCents < 0 ? [item.totalCents, 0] : [0, item.totalCents];
  const subtotalCents = Math.min(highest, Math.max(lowest, item.subtotalCents + diff));
  const change = subtotalCents - item.subtotalCents;
  return {
    ...item,
    unitWithoutTaxesCents: item.unitWithoutTaxesCents + (Math.abs(item.quantity) === 1 ? change : 0),
    totalWithoutTaxesCents: item.totalWithoutTaxesCents + change,
    subtotalCents,
    taxesCents: item.totalCents - subtotalCents,
  };
}

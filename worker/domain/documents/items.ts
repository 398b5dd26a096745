import { applyRate, type BasisPoints, type Cents, sumCents, withoutTaxes } from "#domain/money.ts";

/**
 * One line of a document, every amount in minor units; `subtotal` is what remains of `totalWithoutTaxes` after the
 * discount.
 */
export interface DocumentItem {
  readonly concept: string;
  readonly quantity: number;
  readonly vat: BasisPoints;
  /** One unit, taxes included. */
  readonly unitCents: Cents;
  readonly unitWithoutTaxesCents: Cents;
  readonly totalWithoutTaxesCents: Cents;
  readonly subtotalCents: Cents;
  readonly taxesCents: Cents;
  readonly totalCents: Cents;
  readonly externalCode: string | undefined;
}

export interface ItemTerms {
  readonly concept: string;
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly vat: BasisPoints;
  /** Of the document. */
  readonly discount?: BasisPoints;
  readonly externalCode?: string | undefined;
}

/** What items come to, together or of one rate. */
export interface ItemSums {
  readonly totalWithoutTaxesCents: Cents;
  readonly discountCents: Cents;
  readonly subtotalCents: Cents;
  readonly taxesCents: Cents;
  readonly totalCents: Cents;
}

export interface RateTax extends ItemSums {
  readonly vat: BasisPoints;
}

/** A document has room for five (docs/interfaces/integration.md: vat_1 to vat_5). */
export const MAX_TAX_RATES = 5;

/**
 * An item as it is written. Taxes are taken out of its total once, so that the total is exactly what was agreed and
 * every sum of items adds up to the cent.
 */
export function itemise({ concept, quantity, unitCents, vat, discount = 0, externalCode }: ItemTerms): DocumentItem {
  const fullCents = unitCents * quantity;
  const totalCents = fullCents - applyRate(fullCents, discount);
  const subtotalCents = withoutTaxes(totalCents, vat);
  return {
    concept,
    quantity,
    vat,
    unitCents,
    unitWithoutTaxesCents: withoutTaxes(unitCents, vat),
    totalWithoutTaxesCents: withoutTaxes(fullCents, vat),
    subtotalCents,
    taxesCents: totalCents - subtotalCents,
    totalCents,
    externalCode,
  };
}

/** The same amounts with the other sign, as a credit note has them. */
export function negated(item: DocumentItem): DocumentItem {
  return {
    ...item,
    unitCents: -item.unitCents,
    unitWithoutTaxesCents: -item.unitWithoutTaxesCents,
    totalWithoutTaxesCents: -item.totalWithoutTaxesCents,
    subtotalCents: -item.subtotalCents,
    taxesCents: -item.taxesCents,
    totalCents: -item.totalCents,
  };
}

type Summed = Pick<DocumentItem, "totalWithoutTaxesCents" | "subtotalCents" | "taxesCents" | "totalCents">;

/** What the items come to. */
export function addUpItems(items: readonly Summed[]): ItemSums {
  const totalWithoutTaxesCents = sumCents(items.map((item) => item.totalWithoutTaxesCents));
  const subtotalCents = sumCents(items.map((item) => item.subtotalCents));
  return {
    totalWithoutTaxesCents,
    discountCents: totalWithoutTaxesCents - subtotalCents,
    subtotalCents,
    taxesCents: sumCents(items.map((item) => item.taxesCents)),
    totalCents: sumCents(items.map((item) => item.totalCents)),
  };
}

/** What the items come to by tax rate, the highest rate first. */
export function taxesByRate(items: readonly (Summed & Pick<DocumentItem, "vat">)[]): RateTax[] {
  return [...Map.groupBy(items, ({ vat }) => vat)]
    .sort(([a], [b]) => b - a)
    .map(([vat, ofRate]) => ({ vat, ...addUpItems(ofRate) }));
}

import { applyRate, type BasisPoints, type Cents, getNetAmount, sumCents } from "#domain/money.ts";

/** Line of a document, in minor units. `subtotalCents` is `totalWithoutTaxesCents` after the discount. */
export interface DocumentItem {
  readonly concept: string;
  /** Concept in the customer's language, if it differs. Issued with the item. */
  readonly printedConcept?: string | null | undefined;
  readonly quantity: number;
  readonly vat: BasisPoints;
  /** Price of one unit, taxes included. */
  readonly unitCents: Cents;
  readonly unitWithoutTaxesCents: Cents;
  readonly totalWithoutTaxesCents: Cents;
  readonly subtotalCents: Cents;
  readonly taxesCents: Cents;
  readonly totalCents: Cents;
  readonly externalCode: string | undefined;
  /** Contract of an item of a collective document. */
  readonly bookingId?: number | undefined;
}

/** Agreed data of an item, from which its amounts are calculated. */
export interface NewDocumentItem {
  readonly concept: string;
  readonly printedConcept?: string | null | undefined;
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly vat: BasisPoints;
  /** Discount of the document. */
  readonly discount?: BasisPoints;
  readonly externalCode?: string | undefined;
}

/** Totals of items, overall or for one rate. */
export interface ItemSums {
  readonly totalWithoutTaxesCents: Cents;
  readonly discountCents: Cents;
  readonly subtotalCents: Cents;
  readonly taxesCents: Cents;
  readonly totalCents: Cents;
}

/** Totals of the items with one tax rate. */
export interface TaxRateSums extends ItemSums {
  readonly vat: BasisPoints;
}

/** A document allows five rates (docs/interfaces/integration.md: vat_1 to vat_5). */
export const MAX_TAX_RATES = 5;

/**
 * Calculates an item's amounts. Tax is extracted from its total once, so that the total is exactly as agreed and all
 * sums match to the cent.
 */
export function calculateItem({ discount = 0, ...terms }: NewDocumentItem): DocumentItem {
  const { concept, printedConcept, quantity, unitCents, vat, externalCode } = terms;
  const fullCents = unitCents * quantity;
  const totalCents = fullCents - applyRate(fullCents, discount);
  const subtotalCents = getNetAmount(totalCents, vat);
  return {
    concept,
    ...(printedConcept && { printedConcept }),
    quantity,
    vat,
    unitCents,
    unitWithoutTaxesCents: getNetAmount(unitCents, vat),
    totalWithoutTaxesCents: getNetAmount(fullCents, vat),
    subtotalCents,
    taxesCents: totalCents - subtotalCents,
    totalCents,
    externalCode,
  };
}

/** Returns the amounts with the opposite sign, for a credit note. */
export function negateItem(item: DocumentItem): DocumentItem {
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

/** Adds up items. */
export function sumItems(items: readonly Summed[]): ItemSums {
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

/** Adds up items by tax rate, highest first. */
export function sumTaxesByRate(items: readonly (Summed & Pick<DocumentItem, "vat">)[]): TaxRateSums[] {
  return [...Map.groupBy(items, ({ vat }) => vat)]
    .sort(([a], [b]) => b - a)
    .map(([vat, ofRate]) => ({ vat, ...sumItems(ofRate) }));
}

import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { type BasisPoints, type Cents, sumCents } from "#domain/money.ts";
import { formatDate } from "#domain/money-notation.ts";
import { createDiscountItemsByRate } from "./contract-items.ts";
import type { NewDocumentItem } from "./items.ts";
import { getDocumentTexts } from "./texts.ts";

/** Price data of a transfer. */
export interface TransferPriceParts {
  readonly vat: BasisPoints;
  readonly trips: readonly {
    readonly date: string;
    readonly time: string;
    readonly origin: string;
    readonly destination: string;
    readonly cents: Cents;
  }[];
  readonly extras: readonly (NewDocumentItem & { readonly discountCents: Cents })[];
  /** Discount of the transfer, including the parts of its extras. */
  readonly discountCents: Cents;
  readonly supplements: readonly { readonly concept: string; readonly cents: Cents }[];
}

/** Returns every part of a transfer as an item of its invoice. Together they equal its price. */
export function createTransferItems(
  { language, country }: { readonly language: PlatformLanguage; readonly country: string },
  { vat, trips, extras, supplements, discountCents }: TransferPriceParts,
  totalCents: Cents,
): NewDocumentItem[] {
  const texts = getDocumentTexts(language);
  const item = (concept: string, unitCents: Cents): NewDocumentItem => ({ concept, quantity: 1, unitCents, vat });
  const items = [
    ...trips.map(({ date, time, origin, destination, cents }) =>
      item(`${texts.transfer} ${origin} – ${destination}, ${formatDate(date, language, country)} ${time}`, cents),
    ),
    ...extras.map(({ concept, quantity, unitCents, vat: extraVat }) => ({
      concept,
      quantity,
      unitCents,
      vat: extraVat,
    })),
    ...supplements.map(({ concept, cents }) => item(concept, cents)),
    ...createDiscountItemsByRate(texts.discount, [
      { vat, discountCents: discountCents - sumCents(extras.map((extra) => extra.discountCents)) },
      ...extras,
    ]).filter(({ unitCents }) => unitCents !== 0),
  ];
  const rest = totalCents - sumCents(items.map(({ unitCents, quantity }) => unitCents * quantity));
  return [...items, ...(rest === 0 ? [] : [item(texts.difference, rest)])];
}

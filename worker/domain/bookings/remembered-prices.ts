import type { Catalogue, Category } from "#domain/catalogue/catalogue.ts";
import { type ExtraPrice, type PricedTerms, type ProductPrice, priceExtra, priceProduct } from "./pricing.ts";

/** Of one catalogue; whose prices were asked for first go first. */
const MOST_TERMS = 300;

type Prices = Map<string, ProductPrice | undefined>;

interface Remembered {
  readonly products: Map<string, Prices>;
  readonly extras: Map<string, readonly ExtraPrice[]>;
}

// A catalogue never changes: what is computed of it holds until it is read anew, and goes with it.
const remembered = new WeakMap<Catalogue, Remembered>();

/**
 * What products cost on given terms, each computed once for a catalogue: searches ask for the same days again and
 * again. Undefined where no tariff covers one of the days.
 */
export function pricesFor(catalogue: Catalogue, terms: PricedTerms): (category: Category) => ProductPrice | undefined {
  const prices = pricesOf(catalogue, keyOf(terms));
  return (category) => {
    const known = prices.get(category.code);
    if (known || prices.has(category.code)) return known;
    const price = priceProduct(catalogue, terms, category);
    prices.set(category.code, price);
    return price;
  };
}

/** What each extra costs for so many days, in the account's order, computed once for a catalogue. */
export function extraPricesFor(catalogue: Catalogue, terms: Pick<PricedTerms, "days">): readonly ExtraPrice[] {
  const { extras } = rememberedOf(catalogue);
  return found(extras, String(terms.days), () =>
    [...catalogue.extras.values()].map((extra) => priceExtra(terms, extra)),
  );
}

function pricesOf(catalogue: Catalogue, key: string): Prices {
  return found(rememberedOf(catalogue).products, key, () => new Map());
}

function rememberedOf(catalogue: Catalogue): Remembered {
  const known = remembered.get(catalogue) ?? { products: new Map(), extras: new Map() };
  remembered.set(catalogue, known);
  return known;
}

function found<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  if (known.size > MOST_TERMS) known.delete(known.keys().next().value ?? "");
  return value;
}

// All that a price depends on beside the catalogue.
function keyOf({ period, days, bookedOn, salesChannel, promotionCode }: PricedTerms): string {
  return JSON.stringify([period.dateFrom, days, bookedOn, salesChannel, promotionCode]);
}

import type { Catalogue, Category } from "#domain/catalogue/catalogue.ts";
import { type ExtraPrice, type PricedTerms, type ProductPrice, priceExtra, priceProduct } from "./pricing.ts";

/** Of one catalogue; whose prices were asked for first go first. */
const MAX_CACHED_TERMS = 300;

type Prices = Map<string, ProductPrice | undefined>;

interface PriceCache {
  readonly products: Map<string, Prices>;
  readonly extras: Map<string, readonly ExtraPrice[]>;
}

// A catalogue never changes: what is computed of it holds until it is read anew, and goes with it.
const priceCaches = new WeakMap<Catalogue, PriceCache>();

/**
 * What products cost on given terms, each computed once for a catalogue: searches ask for the same days again and
 * again. Undefined where no tariff covers one of the days.
 */
export function pricesFor(catalogue: Catalogue, terms: PricedTerms): (category: Category) => ProductPrice | undefined {
  const prices = getCachedPrices(catalogue, toCacheKey(terms));
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
  const { extras } = getPriceCache(catalogue);
  return getOrCreate(extras, String(terms.days), () =>
    [...catalogue.extras.values()].map((extra) => priceExtra(terms, extra)),
  );
}

function getCachedPrices(catalogue: Catalogue, key: string): Prices {
  return getOrCreate(getPriceCache(catalogue).products, key, () => new Map());
}

function getPriceCache(catalogue: Catalogue): PriceCache {
  const known = priceCaches.get(catalogue) ?? { products: new Map(), extras: new Map() };
  priceCaches.set(catalogue, known);
  return known;
}

function getOrCreate<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  if (known.size > MAX_CACHED_TERMS) known.delete(known.keys().next().value ?? "");
  return value;
}

// All that a price depends on beside the catalogue.
function toCacheKey({ period, days, bookedOn, salesChannel, promotionCode }: PricedTerms): string {
  return JSON.stringify([period.dateFrom, days, bookedOn, salesChannel, promotionCode]);
}

import type { Catalogue, Category } from "#domain/catalogue/catalogue.ts";
import {
  type ExtraPrice,
  groupDaysBySeason,
  type PricedTerms,
  type ProductPrice,
  priceExtra,
  priceProduct,
  type SeasonDays,
} from "./pricing.ts";

/** Maximum number of cached terms per catalogue. The oldest entries are dropped first. */
const MAX_CACHED_TERMS = 300;

type Prices = Map<string, ProductPrice | undefined>;

interface PriceCache {
  readonly products: Map<string, Prices>;
  readonly extras: Map<string, readonly ExtraPrice[]>;
}

// A catalogue never changes, so computed prices stay valid until the catalogue is reloaded, and are freed with it.
const priceCaches = new WeakMap<Catalogue, PriceCache>();

/**
 * Returns product prices for the given terms, computed once per catalogue, because searches often repeat the same days.
 * Undefined if a day has no tariff.
 */
export function createPriceLookup(
  catalogue: Catalogue,
  terms: PricedTerms,
): (category: Category) => ProductPrice | undefined {
  const prices = getCachedPrices(catalogue, toCacheKey(terms));
  let seasonDays: SeasonDays | undefined;
  return (category) => {
    const known = prices.get(category.code);
    if (known || prices.has(category.code)) return known;
    seasonDays ??= groupDaysBySeason(catalogue, terms);
    const price = priceProduct(catalogue, terms, category, seasonDays);
    prices.set(category.code, price);
    return price;
  };
}

/** Returns the price of each extra for a number of days, in the account's order. Computed once per catalogue. */
export function listExtraPrices(catalogue: Catalogue, terms: Pick<PricedTerms, "days">): readonly ExtraPrice[] {
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

// Returns a key of everything except the catalogue that affects a price.
function toCacheKey({ period, days, bookedOn, salesChannel, promotionCode }: PricedTerms): string {
  return JSON.stringify([period.dateFrom, days, bookedOn, salesChannel, promotionCode]);
}

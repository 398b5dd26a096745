import type { Catalogue, Category } from "#domain/catalogue/catalogue.ts";
import { countFreeExtras, countFreeVehicles, type RentalStock } from "./availability.ts";
import { createPriceLookup, listExtraPrices } from "./cached-prices.ts";
import type { BookingDraft } from "./draft.ts";
import type { ExtraPrice, ProductPrice } from "./pricing.ts";
import type { SoldOut } from "./refusals.ts";
import type { AgreedRentalTerms } from "./rental-terms.ts";
import { listBrokenSellingRules } from "./selling-rules.ts";

/** Categories and extras for agreed rental terms, with their free units. */
export interface Availability {
  readonly terms: AgreedRentalTerms;
  readonly products: readonly (ProductPrice & {
    /** Units that are free for the rental. 0 if it isn't sold. */
    readonly freeUnits: number;
    readonly stockUnits: number;
    readonly takenUnits: number;
  })[];
  readonly extras: readonly (ExtraPrice & { readonly freeUnits: number })[];
}

/** Returns every product with a price, free or not, and every extra, in the account's order. */
export function findAvailability(catalogue: Catalogue, terms: AgreedRentalTerms, stock: RentalStock): Availability {
  const getPrice = createPriceLookup(catalogue, terms);
  return {
    terms,
    products: [...catalogue.categories.values()]
      .filter((category) => category.webPublic)
      .flatMap((category) => getPrice(category) ?? [])
      .map((price) => {
        const free = countFreeVehicles(stock, price.category);
        const stockUnits = stock.categoryUnits.get(price.category.code) ?? 0;
        const freeUnits = isSellable(catalogue, terms, price.category) ? free : 0;
        return { ...price, freeUnits, stockUnits, takenUnits: stockUnits - free };
      }),
    extras: listExtraPrices(catalogue, terms).map((price) => ({
      ...price,
      freeUnits: countFreeExtras(stock, price.extra, terms.pickupBranch.branchGroupId),
    })),
  };
}

function isSellable(catalogue: Catalogue, terms: AgreedRentalTerms, category: Category): boolean {
  return listBrokenSellingRules(catalogue, terms, category).length === 0;
}

/** Returns the first product or extra of a draft that needs more units than are free. */
export function findDraftShortage({ terms, lines, extras }: BookingDraft, stock: RentalStock): SoldOut | undefined {
  const line = lines.find(({ category, quantity }) => quantity > countFreeVehicles(stock, category));
  if (line) return { kind: "soldOut", resource: "category", code: line.category.code };
  const storageId = terms.pickupBranch.branchGroupId;
  const extra = extras.find(({ extra, quantity }) => quantity > countFreeExtras(stock, extra, storageId));
  return extra && { kind: "soldOut", resource: "extra", code: extra.extra.code };
}

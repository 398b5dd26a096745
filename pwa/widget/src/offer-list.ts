import type { CategoryTraits, ListedProduct } from "./model.ts";

export type SortOrder = "offered" | "price" | "size";

/** Order and filters of the list of offers. */
export interface ListChoice {
  readonly sort: SortOrder;
  readonly gearbox?: CategoryTraits["gearbox"];
  readonly seats?: number;
}

/** Values that a visitor can filter by. Empty if filtering makes no difference. */
export interface ListFilters {
  readonly gearboxes: readonly NonNullable<CategoryTraits["gearbox"]>[];
  readonly seats: readonly number[];
}

const GEARBOXES = ["manual", "automatic"] as const;

/** Returns the filters that distinguish the offers. */
export function findDistinguishingFilters(offers: readonly ListedProduct[]): ListFilters {
  const gearboxes = GEARBOXES.filter((gearbox) => offers.some(({ traits }) => traits?.gearbox === gearbox));
  const seats = [...new Set(offers.flatMap((offer) => offer.seats ?? []))].sort((a, b) => a - b);
  return { gearboxes: gearboxes.length > 1 ? gearboxes : [], seats: seats.slice(1) };
}

/** Returns the offers that match the filters, in the chosen order, sold-out ones last. */
export function filterAndSortOffers(
  offers: readonly ListedProduct[],
  { sort, gearbox, seats }: ListChoice,
): readonly ListedProduct[] {
  const chosen = offers.filter(
    (offer) => (!gearbox || offer.traits?.gearbox === gearbox) && (!seats || (offer.seats ?? 0) >= seats),
  );
  const compare: Readonly<Record<SortOrder, (a: ListedProduct, b: ListedProduct) => number>> = {
    offered: () => 0,
    price: (a, b) => Number(a.price) - Number(b.price),
    size: (a, b) => (b.seats ?? 0) - (a.seats ?? 0),
  };
  return chosen.sort((a, b) => Number(b.isAvailable) - Number(a.isAvailable) || compare[sort](a, b));
}

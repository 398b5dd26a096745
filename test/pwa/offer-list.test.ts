import { describe, expect, test } from "vitest";
import type { CategoryTraits, ListedProduct } from "../../pwa/widget/src/model.ts";
import { filterAndSortOffers, findDistinguishingFilters } from "../../pwa/widget/src/offer-list.ts";

const createListedProduct = (
  id: string,
  price: string,
  seats: number | null,
  gearbox: CategoryTraits["gearbox"],
  isAvailable = true,
) =>
  ({
    ...{ id, price, seats, isAvailable },
    traits: { gearbox },
  }) as ListedProduct;

const OFFERS = [
  createListedProduct("gone", "10.00", 5, "manual", false),
  createListedProduct("van", "90.00", 9, "manual"),
  createListedProduct("small", "100.00", 4, "manual"),
  createListedProduct("automatic", "95.50", 5, "automatic"),
];
const arrange = (choice: Parameters<typeof filterAndSortOffers>[1]) =>
  filterAndSortOffers(OFFERS, choice).map(({ id }) => id);

describe("the list of offers", () => {
  test("lists sold out vehicles after the others, whatever the chosen order", () => {
    expect(arrange({ sort: "offered" })).toEqual(["van", "small", "automatic", "gone"]);
    expect(arrange({ sort: "price" })).toEqual(["van", "automatic", "small", "gone"]);
    expect(arrange({ sort: "size" })).toEqual(["van", "automatic", "small", "gone"]);
  });

  test("filters the vehicles on offer by gearbox and seats", () => {
    expect(arrange({ sort: "price", gearbox: "automatic" })).toEqual(["automatic"]);
    expect(arrange({ sort: "price", seats: 5 })).toEqual(["van", "automatic", "gone"]);
    expect(arrange({ sort: "price", seats: 9, gearbox: "automatic" })).toEqual([]);
  });

  test("shows a filter only if the vehicles on offer differ in it", () => {
    expect(findDistinguishingFilters(OFFERS)).toEqual({ gearboxes: ["manual", "automatic"], seats: [5, 9] });
    expect(
      findDistinguishingFilters([
        createListedProduct("boat", "1.00", null, null),
        createListedProduct("van", "1.00", 9, "manual"),
      ]),
    ).toEqual({
      gearboxes: [],
      seats: [],
    });
  });
});

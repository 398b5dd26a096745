import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Cart,
  type CartChange,
  type CartView,
  changeCart,
  findCartChangeRefusal,
  findPromotionCodeRefusal,
  quoteCart,
  setOrRemoveChoice,
} from "#domain/bookings/carts.ts";
import type { Choice } from "#domain/bookings/draft.ts";
import { findPromotionCodeProblem } from "#domain/bookings/promotion.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import {
  CATALOGUE_NOW,
  createCatalogue,
  createCategory,
  createExtra,
  createPeriod,
  createPromotionCode,
  createRentalRequest,
  createResolvedRentalTerms,
  createSettings,
  createTariff,
} from "#support/catalogue.ts";

const PERIOD = createPeriod("2026-06-01", "2026-06-04");

const createCart = (changes: Partial<Cart> = {}, promotionCode?: string): Cart => ({
  freeAccessId: "cart",
  search: {
    rental: createRentalRequest(PERIOD, { promotionCode }),
    ...{ familyId: undefined, categoryCode: undefined, numberOfAdults: undefined, numberOfChildren: undefined },
    visit: {},
  },
  products: [],
  extras: [],
  ...changes,
});

const CODES = [
  createPromotionCode(),
  createPromotionCode({ code: "ONLYB", categoryCode: "B" }),
  createPromotionCode({ code: "GONE", rentalTo: "2026-05-31" as CivilDate }),
];

const createShopCatalogue = (
  settings: Parameters<typeof createSettings>[0] = {},
  parts: Parameters<typeof createCatalogue>[0] = {},
) =>
  createCatalogue({
    settings: createSettings(settings),
    categories: [createCategory(), createCategory({ code: "B" }), createCategory({ code: "HIDDEN", webPublic: false })],
    tariffs: [
      createTariff(5000),
      createTariff(8000, { categoryCode: "B" }),
      createTariff(1, { categoryCode: "HIDDEN" }),
    ],
    extras: [createExtra(), createExtra({ id: 2, code: "TENT", limitPer: "vehicle", maxQuantity: 2 })],
    promotionCodes: CODES,
    ...parts,
  });

const choose = (code: string, quantity: number): Choice => ({ code, quantity });

function getView(cart: Cart, catalogue: Catalogue = createShopCatalogue()): CartView {
  const quoted = quoteCart(catalogue, cart, CATALOGUE_NOW);
  if (!quoted.ok) throw new Error(quoted.error.field);
  return { ...quoted.value, cart, catalogue, shortage: undefined, availability: undefined };
}

describe("choices in a cart", () => {
  test.each<{
    name: string;
    change: CartChange;
    isMany: boolean;
    products: readonly Choice[];
    extras: readonly Choice[];
  }>([
    {
      name: "replaces the product",
      change: { kind: "product", choice: choose("B", 1) },
      isMany: false,
      products: [choose("B", 1)],
      extras: [choose("SEAT", 1)],
    },
    {
      name: "adds a product if several are allowed",
      change: { kind: "product", choice: choose("B", 1) },
      isMany: true,
      products: [choose("A", 1), choose("B", 1)],
      extras: [choose("SEAT", 1)],
    },
    {
      name: "sets the quantity of a product",
      change: { kind: "product", choice: choose("A", 3) },
      isMany: true,
      products: [choose("A", 3)],
      extras: [choose("SEAT", 1)],
    },
    {
      name: "removes a product by quantity zero",
      change: { kind: "product", choice: choose("A", 0) },
      isMany: true,
      products: [],
      extras: [choose("SEAT", 1)],
    },
    {
      name: "adds an extra",
      change: { kind: "extra", choice: choose("TENT", 1) },
      isMany: false,
      products: [choose("A", 1)],
      extras: [choose("SEAT", 1), choose("TENT", 1)],
    },
    {
      name: "sets the quantity of an extra",
      change: { kind: "extra", choice: choose("SEAT", 2) },
      isMany: false,
      products: [choose("A", 1)],
      extras: [choose("SEAT", 2)],
    },
    {
      name: "removes an extra by quantity zero",
      change: { kind: "extra", choice: choose("SEAT", 0) },
      isMany: false,
      products: [choose("A", 1)],
      extras: [],
    },
  ])("applies a change to the chosen products and extras of a cart: $name", ({ change, isMany, products, extras }) => {
    const cart = createCart({ products: [choose("A", 1)], extras: [choose("SEAT", 1)] });
    const catalogue = createShopCatalogue({ multipleProductsSelection: isMany });
    expect(changeCart(cart, change, catalogue)).toEqual({ ...cart, products, extras });
  });

  test("keeps the last choice of each product code in a cart, and drops choices without units", () => {
    const choices = fc.array(
      fc.record({ code: fc.constantFrom("A", "B", "C"), quantity: fc.integer({ min: -1, max: 3 }) }),
    );
    fc.assert(
      fc.property(choices, (cartChoices) => {
        const chosen = cartChoices.reduce<readonly Choice[]>(setOrRemoveChoice, []);
        const last = new Map(cartChoices.map(({ code, quantity }) => [code, quantity]));
        expect(new Map(chosen.map(({ code, quantity }) => [code, quantity]))).toEqual(
          new Map([...last].filter(([, quantity]) => quantity > 0)),
        );
        expect(new Set(chosen.map(({ code }) => code)).size).toBe(chosen.length);
      }),
    );
  });
});

describe("the promotion code of a cart", () => {
  test.each<{
    name: string;
    known: string | undefined;
    searched: string | undefined;
    removes: boolean;
    code: string | undefined;
  }>([
    {
      name: "stays in a search without a code",
      known: "WELCOME10",
      searched: undefined,
      removes: false,
      code: "WELCOME10",
    },
    {
      name: "is replaced by a search with another code",
      known: "WELCOME10",
      searched: "ONLYB",
      removes: false,
      code: "ONLYB",
    },
    {
      name: "is removed by a search that removes it",
      known: "WELCOME10",
      searched: undefined,
      removes: true,
      code: undefined,
    },
    { name: "is set by a search", known: undefined, searched: "ONLYB", removes: false, code: "ONLYB" },
  ])(
    "keeps, replaces or removes a cart's promotion code in a new search: $name",
    ({ known, searched, removes, code }) => {
      const change = { kind: "search", search: createCart({}, searched).search, removesCode: removes } as const;
      expect(changeCart(createCart({}, known), change, createShopCatalogue()).search.rental.promotionCode).toBe(code);
    },
  );

  test.each([
    [undefined, 3],
    [7, 7],
  ])("keeps a cart's agent in a new search unless it names another: %s", (agentId, kept) => {
    const cart = createCart();
    const known = { ...cart, search: { ...cart.search, agentId: 3 } };
    const change = { kind: "search", search: { ...cart.search, agentId } } as const;
    expect(changeCart(known, change, createShopCatalogue()).search.agentId).toBe(kept);
  });

  test("sets and removes a cart's promotion code", () => {
    const set = changeCart(createCart(), { kind: "promotionCode", code: "WELCOME10" }, createShopCatalogue());
    expect(set.search.rental.promotionCode).toBe("WELCOME10");
    const removed = changeCart(set, { kind: "promotionCode", code: undefined }, createShopCatalogue());
    expect(removed.search.rental.promotionCode).toBeUndefined();
  });

  test.each<{ code: string; product: string | undefined; channel?: string; dropped?: string; idle?: string }>([
    { code: "WELCOME10", product: "A" },
    { code: "welcome10", product: "A" },
    { code: "NONE", product: "A", dropped: "no_promotion", idle: "no_promotion" },
    { code: "GONE", product: "A", dropped: "promotion_dates", idle: "promotion_dates" },
    { code: "ONLYB", product: "B" },
    { code: "ONLYB", product: "A", idle: "promotion_product" },
    { code: "ONLYB", product: undefined },
  ])(
    "checks the promotion code $code with product $product: dropped for $dropped, without effect for $idle",
    ({ code, product, dropped, idle }) => {
      const cart = createCart({ products: product === undefined ? [] : [choose(product, 1)] }, code);
      const view = getView(cart);
      expect(view.refusedCode?.reason.code).toBe(dropped);
      expect(findPromotionCodeRefusal(view)?.reason.code).toBe(idle);
      expect(findCartChangeRefusal(view, { kind: "promotionCode", code })?.kind).toBe(idle && "invalid");
      expect(findCartChangeRefusal(view, { kind: "promotionCode", code: undefined })).toBeUndefined();
    },
  );

  test("rejects a promotion code of another sales channel, and returns the category that a code is for", () => {
    const catalogue = createShopCatalogue(
      {},
      { promotionCodes: [...CODES, createPromotionCode({ code: "SHOP", salesChannel: "WEB" } as never)] },
    );
    const terms = createResolvedRentalTerms(catalogue, PERIOD);
    const check = (code: string, categories: readonly string[]) =>
      findPromotionCodeProblem(catalogue, terms, code, categories);
    expect(check("ONLYB", ["A"])?.reason).toMatchObject({ code: "promotion_product" });
    expect(check("ONLYB", ["A", "B"])).toBeUndefined();
    expect(check("ONLYB", [])).toBeUndefined();
    expect(check("ONLYB", ["A"])?.inLanguages?.["es"]).toContain("Coche pequeño");
  });
});

describe("a change of a cart is accepted or refused for", () => {
  const cases: readonly {
    name: string;
    products: readonly Choice[];
    change: CartChange;
    problem: string | undefined;
  }[] = [
    {
      name: "an unknown product",
      products: [],
      change: { kind: "product", choice: choose("Z", 1) },
      problem: "product no_product",
    },
    {
      name: "a product that isn't public",
      products: [],
      change: { kind: "product", choice: choose("HIDDEN", 1) },
      problem: "product no_product",
    },
    {
      name: "as many vehicles as visitors may take",
      products: [choose("A", 5)],
      change: { kind: "product", choice: choose("A", 5) },
      problem: undefined,
    },
    {
      name: "more vehicles",
      products: [choose("A", 6)],
      change: { kind: "product", choice: choose("A", 6) },
      problem: "quantity call_us",
    },
    {
      name: "a removal although there are too many",
      products: [choose("A", 6)],
      change: { kind: "product", choice: choose("A", 0) },
      problem: undefined,
    },
    {
      name: "an unknown extra",
      products: [],
      change: { kind: "extra", choice: choose("Z", 1) },
      problem: "extra no_extra",
    },
    {
      name: "as many extras as sold",
      products: [],
      change: { kind: "extra", choice: choose("SEAT", 3) },
      problem: undefined,
    },
    {
      name: "more extras than sold",
      products: [],
      change: { kind: "extra", choice: choose("SEAT", 4) },
      problem: "quantity max_extra",
    },
    {
      name: "extras of each vehicle",
      products: [choose("A", 2)],
      change: { kind: "extra", choice: choose("TENT", 4) },
      problem: undefined,
    },
    {
      name: "more extras than for each vehicle",
      products: [choose("A", 2)],
      change: { kind: "extra", choice: choose("TENT", 5) },
      problem: "quantity max_extra",
    },
    { name: "a new search", products: [], change: { kind: "search", search: createCart().search }, problem: undefined },
  ];

  test.each(cases)("returns the problem of a cart change: $name: $problem", ({ products, change, problem }) => {
    const wrongChange = findCartChangeRefusal(
      getView(createCart({ products }), createShopCatalogue({ visitorUnits: 5 })),
      change,
    );
    expect(
      wrongChange?.kind === "invalid" ? `${wrongChange.field} ${wrongChange.reason.code}` : wrongChange?.kind,
    ).toBe(problem);
  });

  test("reports a shortage only of the changed item", () => {
    const shortage = { kind: "soldOut", resource: "category", code: "A" } as const;
    const view = { ...getView(createCart({ products: [choose("A", 1)] })), shortage };
    expect(findCartChangeRefusal(view, { kind: "product", choice: choose("A", 1) })).toBe(shortage);
    expect(findCartChangeRefusal(view, { kind: "product", choice: choose("B", 1) })).toBeUndefined();
    expect(findCartChangeRefusal(view, { kind: "extra", choice: choose("SEAT", 1) })).toBeUndefined();
    const extraShortage = { ...shortage, resource: "extra", code: "SEAT" } as const;
    const change = { kind: "extra", choice: choose("SEAT", 1) } as const;
    expect(findCartChangeRefusal({ ...view, shortage: extraShortage }, change)).toBe(extraShortage);
  });
});

describe("the quote of a cart", () => {
  test.each<{
    name: string;
    products: readonly Choice[];
    isMany: boolean;
    soldProducts: readonly string[];
    dropped: string | undefined;
  }>([
    {
      name: "keeps the only product",
      products: [choose("A", 1)],
      isMany: false,
      soldProducts: ["A"],
      dropped: undefined,
    },
    {
      name: "keeps only the last product if the account no longer allows several",
      products: [choose("A", 1), choose("B", 1)],
      isMany: false,
      soldProducts: ["B"],
      dropped: undefined,
    },
    {
      name: "keeps all products that are sold",
      products: [choose("A", 1), choose("B", 1)],
      isMany: true,
      soldProducts: ["A", "B"],
      dropped: undefined,
    },
    {
      name: "drops a product that isn't sold",
      products: [choose("Z", 1)],
      isMany: false,
      soldProducts: [],
      dropped: "Z",
    },
    {
      name: "drops only that product",
      products: [choose("A", 1), choose("HIDDEN", 1)],
      isMany: true,
      soldProducts: ["A"],
      dropped: "HIDDEN",
    },
  ])("drops discontinued products from a cart's quote: $name", ({ products, isMany, soldProducts, dropped }) => {
    const { draft, refusedProduct } = getView(
      createCart({ products }),
      createShopCatalogue({ multipleProductsSelection: isMany }),
    );
    expect([draft.lines.map(({ category }) => category.code), refusedProduct?.code]).toEqual([soldProducts, dropped]);
  });

  test("drops extras that no longer exist from a cart's quote, and limits the others, per vehicle if set so", () => {
    const extras = [choose("SEAT", 9), choose("TENT", 9), choose("GONE", 1)];
    const list = (products: readonly Choice[]) =>
      getView(createCart({ products, extras })).draft.extras.map(({ extra, quantity }) => [extra.code, quantity]);
    expect(list([choose("A", 1)])).toEqual([
      ["SEAT", 3],
      ["TENT", 2],
    ]);
    expect(list([choose("A", 3)])).toEqual([
      ["SEAT", 3],
      ["TENT", 6],
    ]);
  });

  test("refuses the quote of a cart with an impossible period", () => {
    const cart = createCart();
    const search = { ...cart.search, rental: createRentalRequest(createPeriod("2026-06-04", "2026-06-01")) };
    expect(quoteCart(createShopCatalogue(), { ...cart, search }, CATALOGUE_NOW)).toMatchObject({
      ok: false,
      error: { field: "dateTo" },
    });
  });
});

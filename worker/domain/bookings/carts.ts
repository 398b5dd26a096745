import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { sumCents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { type BookingDraft, type Choice, draftBooking, getMaxExtraQuantity } from "./draft.ts";
import { findWrongCode } from "./promotion.ts";
import type { CheckoutError, InvalidInput, SoldOut } from "./refusals.ts";
import { agreeTerms, type CivilNow, type RentalRequest, type RentalTerms } from "./rental-terms.ts";
import type { Availability } from "./search.ts";
import { listBrokenRules } from "./selling-rules.ts";

/** What a visitor looks for, and what narrows the search. */
export interface CartSearch {
  readonly rental: RentalRequest;
  readonly familyId: number | undefined;
  /**
   * Whether the website leaves the visitor no other family, and no other branch; carts from before have no word of it.
   */
  readonly isFamilyFixed?: boolean | undefined;
  readonly isBranchFixed?: boolean | undefined;
  readonly categoryCode: string | undefined;
  /** For how many days, where the visitor said that and no day of the return. */
  readonly durationDays?: number | undefined;
  /** That of the engine key it came with: beside it only public ones may be named. */
  readonly ownChannel?: string | undefined;
  readonly numberOfAdults: number | undefined;
  readonly numberOfChildren: number | undefined;
  /** Where the visitor came from, as the website says. */
  readonly visit: Readonly<Record<string, string>>;
}

/**
 * A live shopping cart: what was chosen, never what it costs; prices are computed on every read
 * (docs/interfaces/rules.md#carts).
 */
export interface Cart {
  readonly freeAccessId: string;
  readonly search: CartSearch;
  readonly products: readonly Choice[];
  readonly extras: readonly Choice[];
}

export type CartChange =
  | { readonly kind: "search"; readonly search: CartSearch }
  | { readonly kind: "product"; readonly choice: Choice }
  | { readonly kind: "extra"; readonly choice: Choice }
  /** Without a code: none any more. */
  | { readonly kind: "promotionCode"; readonly code: string | undefined };

/**
 * The cart after a change. A product takes the place of the one before, unless the account lets visitors choose
 * several; a quantity of 0 takes a product or extra out; a new search keeps the promotion code unless it brings one.
 */
export function changeCart(cart: Cart, change: CartChange, { settings }: Pick<Catalogue, "settings">): Cart {
  switch (change.kind) {
    case "search": {
      const promotionCode = change.search.rental.promotionCode ?? cart.search.rental.promotionCode;
      return { ...cart, search: { ...change.search, rental: { ...change.search.rental, promotionCode } } };
    }
    case "product":
      return { ...cart, products: withChoice(settings.multipleProductsSelection ? cart.products : [], change.choice) };
    case "extra":
      return { ...cart, extras: withChoice(cart.extras, change.choice) };
    case "promotionCode": {
      const rental = { ...cart.search.rental, promotionCode: change.code };
      return { ...cart, search: { ...cart.search, rental } };
    }
  }
}

/** The choices with one of them set; a quantity of 0 takes it out. */
export function withChoice(choices: readonly Choice[], choice: Choice): readonly Choice[] {
  const others = choices.filter(({ code }) => code !== choice.code);
  return choice.quantity > 0 ? [...others, choice] : others;
}

/** Why a change cannot be made; undefined when it can. */
export function findWrongChange(view: CartView, change: CartChange): InvalidInput | SoldOut | undefined {
  switch (change.kind) {
    case "search":
      return undefined;
    case "product":
      return findWrongProduct(view, change.choice) ?? getCartShortage(view, change.choice);
    case "extra":
      return findWrongExtra(view, change.choice) ?? getCartShortage(view, change.choice);
    case "promotionCode": {
      const { catalogue, draft, refusedCode } = view;
      if (change.code === undefined) return undefined;
      return refusedCode ?? findWrongCode(catalogue, draft.terms, change.code, getCategoryCodes(draft));
    }
  }
}

// Only of what the change is about: it mends what else is short.
function getCartShortage({ shortage }: CartView, { code }: Choice): SoldOut | undefined {
  return shortage?.code === code ? shortage : undefined;
}

function findWrongProduct({ catalogue, draft }: CartView, { code, quantity }: Choice): InvalidInput | undefined {
  const category = catalogue.categories.get(code);
  if (!category?.webPublic) return invalid("product", `there is no product ${code}`);
  const { visitorUnits } = catalogue.settings;
  if (countVehicles(draft.lines) > visitorUnits && quantity > 0)
    return invalid("quantity", `please call us for more than ${visitorUnits} vehicles`);
  return quantity > 0 ? listBrokenRules(catalogue, draft.terms, category)[0] : undefined;
}

function findWrongExtra({ catalogue, draft }: CartView, { code, quantity }: Choice): InvalidInput | undefined {
  const extra = catalogue.extras.get(code);
  if (!extra) return invalid("extra", `there is no extra ${code}`);
  const maxQuantity = getMaxExtraQuantity(extra, countVehicles(draft.lines));
  return quantity > maxQuantity
    ? invalid("quantity", `extra ${code} can be taken ${maxQuantity} times at most`)
    : undefined;
}

function invalid(field: InvalidInput["field"], reason: string): InvalidInput {
  return { kind: "invalid", field, reason };
}

/** What a cart would be as a booking, and why its promotion code or its product left it, if they did. */
export interface CartQuote {
  readonly draft: BookingDraft;
  readonly refusedCode: InvalidInput | undefined;
  readonly refusedProduct: ProductNotSold | undefined;
}

type ProductNotSold = Extract<CheckoutError, { readonly kind: "productNotSold" }>;

/** A view and the version of the cart that it is of: who checks out says which one was seen. */
export type Versioned<View> = View & { readonly version: number };

/** A cart as of now: what it would be as a booking, and what else could be chosen. */
export interface CartView extends CartQuote {
  readonly cart: Cart;
  /** What is chosen and not free, where that was asked for. */
  readonly shortage: SoldOut | undefined;
  /** Where it was asked for. */
  readonly availability: Availability | undefined;
  readonly catalogue: Catalogue;
}

/**
 * What a cart would be as a booking now. What is not sold any more has left the cart, and a promotion code that does
 * not hold; refused where its period or places cannot be.
 */
export function quoteCart(catalogue: Catalogue, cart: Cart, now: CivilNow): Result<CartQuote, InvalidInput> {
  const { rental, ownChannel } = cart.search;
  const isOneBranch = catalogue.settings.pickupReturnPlacesSameRentalLocation;
  const agreed = agreeTerms(catalogue, rental, now, { isStaff: false, keepsPickup: false, ownChannel, isOneBranch });
  if (!agreed.ok) return err(agreed.error);
  const { promotionCode } = rental;
  const refusedCode =
    promotionCode === undefined ? undefined : findWrongCode(catalogue, agreed.value, promotionCode, []);
  const terms = refusedCode ? { ...agreed.value, promotionCode: undefined } : agreed.value;
  const drafted = draftCart(catalogue, cart, terms);
  return drafted.ok ? ok({ ...drafted.value, refusedCode }) : drafted;
}

function draftCart(
  catalogue: Catalogue,
  cart: Cart,
  terms: RentalTerms,
): Result<Omit<CartQuote, "refusedCode">, InvalidInput> {
  // Of what was chosen while there could be several, the last stays.
  const products = catalogue.settings.multipleProductsSelection ? cart.products : cart.products.slice(-1);
  return draftChosen(catalogue, cart, terms, products);
}

function draftChosen(
  catalogue: Catalogue,
  cart: Cart,
  terms: RentalTerms,
  products: readonly Choice[],
): Result<Omit<CartQuote, "refusedCode">, InvalidInput> {
  const extras = cart.extras.flatMap(({ code, quantity }) => {
    const extra = catalogue.extras.get(code);
    return extra ? [{ code, quantity: Math.min(quantity, getMaxExtraQuantity(extra, countVehicles(products))) }] : [];
  });
  const drafted = draftBooking(catalogue, terms, products, extras);
  if (drafted.ok) return ok({ draft: drafted.value, refusedProduct: undefined });
  const unavailableProduct =
    products.find((product) => !draftBooking(catalogue, terms, [product], []).ok) ?? products[0];
  if (!unavailableProduct) return drafted;
  const without = draftChosen(
    catalogue,
    cart,
    terms,
    products.filter((product) => product !== unavailableProduct),
  );
  const { reason } = drafted.error;
  const refusedProduct = { kind: "productNotSold", code: unavailableProduct.code, reason } as const;
  return without.ok ? ok({ ...without.value, refusedProduct }) : without;
}

/** Why the promotion code of a cart lowers nothing of it: it was dropped, or is another product's. */
export function findIdleCode({ catalogue, draft, refusedCode }: CartView): InvalidInput | undefined {
  if (refusedCode) return refusedCode;
  const { promotionCode } = draft.terms;
  return promotionCode === undefined
    ? undefined
    : findWrongCode(catalogue, draft.terms, promotionCode, getCategoryCodes(draft));
}

const countVehicles = (choices: readonly { readonly quantity: number }[]) =>
  sumCents(choices.map(({ quantity }) => quantity));

const getCategoryCodes = ({ lines }: BookingDraft) => lines.map(({ category }) => category.code);

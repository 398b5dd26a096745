import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { sumCents } from "#domain/money.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { GrantedDiscount } from "./discounts.ts";
import { applyDiscountToDraft, type BookingDraft, type Choice, draftBooking, getMaxExtraQuantity } from "./draft.ts";
import { findPromotionCodeProblem } from "./promotion.ts";
import type { CheckoutError, InvalidInput, SoldOut } from "./refusals.ts";
import { type AgreedRentalTerms, type CivilNow, type RentalRequest, resolveRentalTerms } from "./rental-terms.ts";
import type { Availability } from "./search.ts";
import { listBrokenSellingRules } from "./selling-rules.ts";

/** Search criteria of a visitor, and its restrictions. */
export interface CartSearch {
  readonly rental: RentalRequest;
  readonly familyId: number | undefined;
  /** Whether the website fixes the family and the branch. Absent in older carts. */
  readonly isFamilyFixed?: boolean | undefined;
  readonly isBranchFixed?: boolean | undefined;
  readonly categoryCode: string | undefined;
  /** Number of days if the visitor gave a duration without a return date. */
  readonly durationDays?: number | undefined;
  /** Channel of the engine key. Only public channels may be named in addition. */
  readonly ownChannel?: string | undefined;
  readonly numberOfAdults: number | undefined;
  readonly numberOfChildren: number | undefined;
  /** Number of vehicles that the website sent. The platform only returns it. Absent in older carts. */
  readonly numberOfProducts?: number | undefined;
  /** Agent who referred the visitor, as sent by the website. Absent in older carts. */
  readonly agentId?: number | undefined;
  /** Source of the visit, as sent by the website. */
  readonly visit: Readonly<Record<string, string>>;
}

/**
 * Active shopping cart. Stores the choices without prices, which are computed on every read
 * (docs/interfaces/rules.md#carts).
 */
export interface Cart {
  readonly freeAccessId: string;
  readonly search: CartSearch;
  readonly products: readonly Choice[];
  readonly extras: readonly Choice[];
}

export type CartChange =
  /** `removesCode`: removes the current promotion code. Without a code, it stays. */
  | { readonly kind: "search"; readonly search: CartSearch; readonly removesCode?: boolean }
  | { readonly kind: "product"; readonly choice: Choice }
  | { readonly kind: "extra"; readonly choice: Choice }
  /** Sets the promotion code. If `code` is undefined, removes the current one. */
  | { readonly kind: "promotionCode"; readonly code: string | undefined };

/**
 * Applies a change to the cart. A product replaces the previous one unless the account allows several. Quantity 0
 * removes a product or extra. A new search keeps the promotion code unless it has its own or an empty one, and the
 * agent unless it names another.
 */
export function changeCart(cart: Cart, change: CartChange, { settings }: Pick<Catalogue, "settings">): Cart {
  switch (change.kind) {
    case "search": {
      const storedCode = change.removesCode ? undefined : cart.search.rental.promotionCode;
      const promotionCode = change.search.rental.promotionCode ?? storedCode;
      const agentId = change.search.agentId ?? cart.search.agentId;
      return { ...cart, search: { ...change.search, agentId, rental: { ...change.search.rental, promotionCode } } };
    }
    case "product":
      return {
        ...cart,
        products: setOrRemoveChoice(settings.multipleProductsSelection ? cart.products : [], change.choice),
      };
    case "extra":
      return { ...cart, extras: setOrRemoveChoice(cart.extras, change.choice) };
    case "promotionCode": {
      const rental = { ...cart.search.rental, promotionCode: change.code };
      return { ...cart, search: { ...cart.search, rental } };
    }
  }
}

/** Sets one of the choices. Quantity 0 removes it. */
export function setOrRemoveChoice(choices: readonly Choice[], choice: Choice): readonly Choice[] {
  const others = choices.filter(({ code }) => code !== choice.code);
  return choice.quantity > 0 ? [...others, choice] : others;
}

/** Returns why a change isn't possible. Undefined if it is. */
export function findCartChangeRefusal(view: CartView, change: CartChange): InvalidInput | SoldOut | undefined {
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
      return refusedCode ?? findPromotionCodeProblem(catalogue, draft.terms, change.code, getCategoryCodes(draft));
    }
  }
}

// Only the changed item counts. The change may fix other shortages.
function getCartShortage({ shortage }: CartView, { code }: Choice): SoldOut | undefined {
  return shortage?.code === code ? shortage : undefined;
}

function findWrongProduct({ catalogue, draft }: CartView, { code, quantity }: Choice): InvalidInput | undefined {
  const category = catalogue.categories.get(code);
  if (!category?.webPublic) return invalid("product", createReason("no_product", code));
  const { visitorUnits } = catalogue.settings;
  if (countVehicles(draft.lines) > visitorUnits && quantity > 0)
    return invalid("quantity", createReason("call_us", visitorUnits));
  return quantity > 0 ? listBrokenSellingRules(catalogue, draft.terms, category)[0] : undefined;
}

function findWrongExtra({ catalogue, draft }: CartView, { code, quantity }: Choice): InvalidInput | undefined {
  const extra = catalogue.extras.get(code);
  if (!extra) return invalid("extra", createReason("no_extra", code));
  const maxQuantity = getMaxExtraQuantity(extra, countVehicles(draft.lines));
  return quantity > maxQuantity ? invalid("quantity", createReason("max_extra", code, maxQuantity)) : undefined;
}

function invalid(field: InvalidInput["field"], reason: Reason): InvalidInput {
  return { kind: "invalid", field, reason };
}

/** Booking preview of a cart, with the reasons why its promotion code or product was dropped. */
export interface CartQuote {
  readonly draft: BookingDraft;
  readonly refusedCode: InvalidInput | undefined;
  readonly refusedProduct: ProductNotSold | undefined;
}

type ProductNotSold = Extract<CheckoutError, { readonly kind: "productNotSold" }>;

/** View and its cart version. Checkout requests state the version that was seen. */
export type WithCartVersion<View> = View & { readonly version: number };

/** Current cart: its booking preview and the other available choices. */
export interface CartView extends CartQuote {
  readonly cart: Cart;
  /** Shortage among the chosen items, if requested. */
  readonly shortage: SoldOut | undefined;
  /** Other available products and extras. Set if requested. */
  readonly availability: Availability | undefined;
  readonly catalogue: Catalogue;
}

/**
 * Returns the booking preview of a cart, with the discount of a signed-in customer. Drops products that are no longer
 * sold and promotion codes that don't apply. Rejects impossible periods and places.
 */
export function quoteCart(
  catalogue: Catalogue,
  cart: Cart,
  now: CivilNow,
  discount?: GrantedDiscount,
): Result<CartQuote, InvalidInput> {
  const { rental, ownChannel } = cart.search;
  const isOneBranch = catalogue.settings.pickupReturnPlacesSameRentalLocation;
  const agreed = resolveRentalTerms(catalogue, rental, now, {
    isStaff: false,
    keepsPickup: false,
    ownChannel,
    isOneBranch,
  });
  if (!agreed.ok) return err(agreed.error);
  const { promotionCode } = rental;
  const refusedCode =
    promotionCode === undefined ? undefined : findPromotionCodeProblem(catalogue, agreed.value, promotionCode, []);
  const terms = refusedCode ? { ...agreed.value, promotionCode: undefined } : agreed.value;
  const drafted = draftCart(catalogue, cart, terms);
  if (!drafted.ok) return drafted;
  const { draft, refusedProduct } = drafted.value;
  return ok({
    draft: discount ? applyDiscountToDraft(catalogue, draft, discount) : draft,
    refusedProduct,
    refusedCode,
  });
}

function draftCart(
  catalogue: Catalogue,
  cart: Cart,
  terms: AgreedRentalTerms,
): Result<Omit<CartQuote, "refusedCode">, InvalidInput> {
  // If several products were chosen while that was allowed, only the last one stays.
  const products = catalogue.settings.multipleProductsSelection ? cart.products : cart.products.slice(-1);
  return draftChosen(catalogue, cart, terms, products);
}

function draftChosen(
  catalogue: Catalogue,
  cart: Cart,
  terms: AgreedRentalTerms,
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

/** Returns why a cart's promotion code has no effect: it was dropped, or it belongs to another product. */
export function findPromotionCodeRefusal({ catalogue, draft, refusedCode }: CartView): InvalidInput | undefined {
  if (refusedCode) return refusedCode;
  const { promotionCode } = draft.terms;
  return promotionCode === undefined
    ? undefined
    : findPromotionCodeProblem(catalogue, draft.terms, promotionCode, getCategoryCodes(draft));
}

const countVehicles = (choices: readonly { readonly quantity: number }[]) =>
  sumCents(choices.map(({ quantity }) => quantity));

const getCategoryCodes = ({ lines }: BookingDraft) => lines.map(({ category }) => category.code);

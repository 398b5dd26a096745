import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Result, refuse } from "#domain/result.ts";
import { type BookingDraft, type Choice, draftBooking } from "./draft.ts";
import { holdsFor } from "./pricing.ts";
import type { InvalidInput } from "./refusals.ts";
import { agreeTerms, type CivilNow, type RentalRequest, type RentalTerms } from "./rental-terms.ts";
import type { Availability } from "./search.ts";

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
  | { readonly kind: "promotionCode"; readonly code: string };

/**
 * The cart after a change. A product takes the place of the one before, because a website books one category at a time;
 * a quantity of 0 takes a product or extra out; a new search keeps the promotion code unless it brings one.
 */
export function changeCart(cart: Cart, change: CartChange): Cart {
  switch (change.kind) {
    case "search": {
      const promotionCode = change.search.rental.promotionCode ?? cart.search.rental.promotionCode;
      return { ...cart, search: { ...change.search, rental: { ...change.search.rental, promotionCode } } };
    }
    case "product":
      return { ...cart, products: change.choice.quantity > 0 ? [change.choice] : [] };
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
export function findWrongChange(
  catalogue: Catalogue,
  terms: RentalTerms,
  change: CartChange,
): InvalidInput | undefined {
  if (change.kind === "product") {
    const { code } = change.choice;
    return catalogue.categories.get(code)?.webPublic ? undefined : invalid("product", `there is no product ${code}`);
  }
  if (change.kind === "extra") {
    const { code, quantity } = change.choice;
    const extra = catalogue.extras.get(code);
    if (!extra) return invalid("extra", `there is no extra ${code}`);
    return quantity > extra.maxQuantity
      ? invalid("quantity", `extra ${code} can be taken ${extra.maxQuantity} times at most`)
      : undefined;
  }
  return change.kind === "promotionCode" ? findWrongCode(catalogue, terms, change.code) : undefined;
}

function findWrongCode(
  { promotionCodes }: Catalogue,
  { bookedOn, days, period }: RentalTerms,
  code: string,
): InvalidInput | undefined {
  const promotion = promotionCodes.get(code.toUpperCase());
  if (!promotion) return invalid("promotionCode", `there is no promotion code ${code}`);
  return holdsFor(promotion, { bookedOn, days, dateFrom: period.dateFrom })
    ? undefined
    : invalid("promotionCode", `promotion code ${code} does not hold for these dates`);
}

function invalid(field: InvalidInput["field"], reason: string): InvalidInput {
  return { kind: "invalid", field, reason };
}

/** A cart as of now: what it would be as a booking, and what else could be chosen. */
export interface CartView {
  readonly cart: Cart;
  readonly draft: BookingDraft;
  /** Where it was asked for. */
  readonly availability: Availability | undefined;
  readonly catalogue: Catalogue;
}

/**
 * What a cart would be as a booking now. What is not sold any more has left the cart; refused where its period or
 * places cannot be.
 */
export function quoteCart(catalogue: Catalogue, cart: Cart, now: CivilNow): Result<BookingDraft, InvalidInput> {
  const terms = agreeTerms(catalogue, cart.search.rental, now);
  if (!terms.ok) return refuse(terms.error);
  const products = cart.products.filter(({ code }) => catalogue.categories.get(code)?.webPublic);
  const extras = cart.extras.flatMap(({ code, quantity }) => {
    const extra = catalogue.extras.get(code);
    return extra ? [{ code, quantity: Math.min(quantity, extra.maxQuantity) }] : [];
  });
  const drafted = draftBooking(catalogue, terms.value, products, extras);
  return drafted.ok || products.length === 0 ? drafted : draftBooking(catalogue, terms.value, [], extras);
}

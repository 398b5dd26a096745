import type { RentalStock } from "#domain/bookings/availability.ts";
import {
  type Cart,
  type CartChange,
  type CartQuote,
  type CartSearch,
  type CartView,
  changeCart,
  findCartChangeRefusal,
  quoteCart,
  type WithCartVersion,
} from "#domain/bookings/carts.ts";
import type { CheckoutError, InvalidInput } from "#domain/bookings/refusals.ts";
import { findAvailability, findDraftShortage } from "#domain/bookings/search.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result } from "#domain/result.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { type CartKindOperations, type CartViewOptions, createLiveCart } from "./live-carts.ts";
import { findCachedRentalStock, readRentalStock } from "./read-stock.ts";
import { toStockQueryInput } from "./search-availability.ts";

/** Creates a cart for a search that the account accepts. */
export function createRentalCart(
  tenant: Tenant,
  search: CartSearch,
  { freeAccessId, ...options }: CartViewOptions & { readonly freeAccessId: string },
): Promise<Result<WithCartVersion<CartView>, CheckoutError>> {
  return createLiveCart(rentalCartOperations, tenant, { freeAccessId, search, products: [], extras: [] }, options);
}

/** Carts of the vehicle rental engine. */
export const rentalCartOperations: CartKindOperations<Cart, CartChange, CartView> = {
  openCartObject: (tenant, id) => tenant.cart(id),
  change: changeCart,
  view: viewCart,
  toStorableCart: ({ cart }) => cart,
  predictStorableCart: (catalogue, cart, now) => {
    const quoted = quoteCart(catalogue, cart, toCivilNow(catalogue.settings.timezone, now));
    return quoted.ok ? removeRefusedCode(cart, quoted.value.refusedCode) : undefined;
  },
  predictChangedCart: predictCartChange,
  findChangeRefusal: findCartChangeRefusal,
};

function predictCartChange(
  tenant: Tenant,
  cart: Cart,
  change: CartChange,
  { now, checksStock = false, catalogue }: CartViewOptions & { readonly catalogue: Catalogue },
): Cart | undefined {
  const stock = checksStock
    ? findCachedRentalStock(tenant, catalogue, toStockQueryInput(catalogue, cart.search.rental, now))
    : undefined;
  if (checksStock && !stock) return undefined;
  const quoted = quoteCart(catalogue, cart, toCivilNow(catalogue.settings.timezone, now));
  if (!quoted.ok) return undefined;
  const view = toCartView(catalogue, cart, quoted.value, { stock, checksStock });
  return findCartChangeRefusal(view, change) ? undefined : view.cart;
}

function removeRefusedCode(cart: Cart, refusedCode: InvalidInput | undefined): Cart {
  if (refusedCode === undefined) return cart;
  return { ...cart, search: { ...cart.search, rental: { ...cart.search.rental, promotionCode: undefined } } };
}

async function viewCart(
  tenant: Tenant,
  cart: Cart,
  { now, withAvailability, checksStock = false, discount }: CartViewOptions,
): Promise<Result<CartView, CheckoutError>> {
  const { rental } = cart.search;
  const { catalogue, stock } =
    withAvailability || checksStock
      ? await readRentalStock(tenant, (current) => toStockQueryInput(current, rental, now))
      : { ...(await readWithFreshCatalogue(tenant, () => [])), stock: undefined };
  const quoted = quoteCart(catalogue, cart, toCivilNow(catalogue.settings.timezone, now), discount);
  if (!quoted.ok) return quoted;
  const view = toCartView(catalogue, cart, quoted.value, { stock, checksStock });
  const { terms } = view.draft;
  return ok({
    ...view,
    availability: withAvailability && stock ? findAvailability(catalogue, terms, stock) : undefined,
  });
}

function toCartView(
  catalogue: Catalogue,
  cart: Cart,
  quote: CartQuote,
  { stock, checksStock }: { readonly stock: RentalStock | undefined; readonly checksStock: boolean },
): CartView {
  const shortage = checksStock && stock ? findDraftShortage(quote.draft, stock) : undefined;
  return {
    ...quote,
    cart: removeRefusedCode(cart, quote.refusedCode),
    shortage,
    availability: undefined,
    catalogue,
  };
}

import {
  type Cart,
  type CartChange,
  type CartSearch,
  type CartView,
  changeCart,
  findWrongChange,
  quoteCart,
} from "#domain/bookings/carts.ts";
import type { EngineRefusal } from "#domain/bookings/refusals.ts";
import { findAvailability } from "#domain/bookings/search.ts";
import { ok, type Result } from "#domain/result.ts";
import { stockQuery, toStock } from "#worker/store/bookings/stock.ts";
import { readFresh } from "#worker/store/catalogue/read-fresh.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { type CartEngine, type CartViewOptions, createLiveCart } from "./live-carts.ts";
import { toStockQuestion } from "./search-availability.ts";

/** Begins a cart for a search that the account accepts. */
export function createCart(
  tenant: Tenant,
  search: CartSearch,
  { freeAccessId, ...options }: CartViewOptions & { readonly freeAccessId: string },
): Promise<Result<CartView, EngineRefusal>> {
  return createLiveCart(rentalCarts, tenant, { freeAccessId, search, products: [], extras: [] }, options);
}

/** The carts of the vehicle-rental engine. */
export const rentalCarts: CartEngine<Cart, CartChange, CartView> = {
  object: (tenant, id) => tenant.cart(id),
  change: changeCart,
  view: viewCart,
  findWrongChange: ({ catalogue, draft }, change) => findWrongChange(catalogue, draft.terms, change),
};

async function viewCart(
  tenant: Tenant,
  cart: Cart,
  { now, withAvailability }: CartViewOptions,
): Promise<Result<CartView, EngineRefusal>> {
  const { rental } = cart.search;
  const { catalogue, rows } = await readFresh(tenant, (current) =>
    withAvailability ? [stockQuery(tenant.db, toStockQuestion(current, rental, now))] : [],
  );
  const draft = quoteCart(catalogue, cart, civilNow(catalogue.settings.timezone, now));
  if (!draft.ok) return draft;
  const availability = withAvailability
    ? findAvailability(catalogue, draft.value.terms, toStock(rows[0] ?? [], toStockQuestion(catalogue, rental, now)))
    : undefined;
  return ok({ cart, draft: draft.value, availability, catalogue });
}

import {
  type Cart,
  type CartChange,
  type CartSearch,
  type CartView,
  changeCart,
  findWrongChange,
  quoteCart,
} from "#domain/carts.ts";
import type { EngineRefusal } from "#domain/refusals.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { findAvailability } from "#domain/search.ts";
import { readFresh } from "../store/fresh-reading.ts";
import { stockQuery, toStock } from "../store/stock.ts";
import { civilNow } from "../tenancy/clock.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { toStockQuestion } from "./search-availability.ts";

/** When, and whether what else could be chosen is asked for: it costs the reading of the stock. */
interface Wanted {
  readonly now: number;
  readonly withAvailability: boolean;
}

const ATTEMPTS = 3;

/** Begins a cart for a search that the account accepts. */
export async function createCart(
  tenant: Tenant,
  search: CartSearch,
  { freeAccessId, ...wanted }: Wanted & { readonly freeAccessId: string },
): Promise<Result<CartView, EngineRefusal>> {
  const cart: Cart = { freeAccessId, search, products: [], extras: [] };
  const viewed = await viewCart(tenant, cart, wanted);
  if (!viewed.ok) return viewed;
  await tenant.cart(freeAccessId).create(cart, viewed.value.catalogue.settings.cartIdleMinutes * 60_000);
  return viewed;
}

/** A living cart with today's prices and availability. */
export async function readCart(tenant: Tenant, id: string, wanted: Wanted): Promise<Result<CartView, EngineRefusal>> {
  const kept = await tenant.cart(id).read();
  return kept ? viewCart(tenant, kept.cart, wanted) : refuse({ kind: "cartNotFound" });
}

/** Changes a living cart, whoever else does at the same time, and answers it as it is then. A change that is refused leaves it as it was. */
export async function changeLiveCart(
  tenant: Tenant,
  id: string,
  change: CartChange,
  wanted: Wanted,
): Promise<Result<CartView, EngineRefusal>> {
  const object = tenant.cart(id);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const kept = await object.read();
    if (!kept) return refuse({ kind: "cartNotFound" });
    const changed = changeCart(kept.cart, change);
    const viewed = await viewChange(tenant, changed, change, wanted);
    if (!viewed.ok) return viewed;
    const saved = await object.save(changed, kept.version);
    if (saved === "saved") return viewed;
    if (saved !== "changed") return refuse({ kind: saved === "gone" ? "cartNotFound" : "cartBusy" });
  }
  return refuse({ kind: "cartBusy" });
}

async function viewChange(tenant: Tenant, changed: Cart, change: CartChange, wanted: Wanted) {
  const viewed = await viewCart(tenant, changed, wanted);
  const wrong = viewed.ok ? findWrongChange(viewed.value.catalogue, change) : undefined;
  return wrong ? refuse(wrong) : viewed;
}

async function viewCart(
  tenant: Tenant,
  cart: Cart,
  { now, withAvailability }: Wanted,
): Promise<Result<CartView, EngineRefusal>> {
  const { rental } = cart.search;
  const { catalogue, rows } = await readFresh(tenant, (current) =>
    withAvailability ? [stockQuery(tenant.db, toStockQuestion(current, rental, now))] : [],
  );
  const draft = quoteCart(catalogue, cart, civilNow(catalogue.settings.timezone, now));
  if (!draft.ok) return draft;
  const availability = withAvailability
    ? findAvailability(catalogue, draft.value.terms, toStock(rows[0] ?? []))
    : undefined;
  return ok({ cart, draft: draft.value, availability, catalogue });
}

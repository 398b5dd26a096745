import type { EngineRefusal } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type Result, refuse } from "#domain/result.ts";
import type { LiveCart } from "#worker/carts/shopping-cart.ts";
import type { CartObject } from "#worker/tenancy/cart-objects.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { isCartId } from "./cart-ids.ts";

/** When, and whether what else could be chosen is asked for: it costs the reading of the stock. */
export interface CartViewOptions {
  readonly now: number;
  readonly withAvailability: boolean;
  /** Whether what is chosen has to be free. */
  readonly checksStock?: boolean;
}

/** What tells one engine's carts from the other's. */
export interface CartEngine<C extends LiveCart, Change, View> {
  object(tenant: Tenant, id: string): CartObject<C>;
  change(cart: C, change: Change, catalogue: Catalogue): C;
  /** The cart with today's prices; refused where it cannot be. */
  view(tenant: Tenant, cart: C, options: CartViewOptions): Promise<Result<View, EngineRefusal>>;
  /** The cart as it is to be kept: without what does not hold. */
  kept(view: View): C;
  /** The same by the catalogue alone; undefined where the account does not accept the cart. */
  foresee(catalogue: Catalogue, cart: C, now: number): C | undefined;
  /** Why the change that led to the view cannot be made. */
  findWrongChange(view: View, change: Change): EngineRefusal | undefined;
}

// Each round lets one of those who change it at once through: so many wait for their turn.
const ATTEMPTS = 25;
const FIRST_VERSION = 1;

/**
 * Begins a cart that the account accepts. Its object begins beside the reading of the database, not after it: an id that
 * is never told is nobody's cart, and ends by itself.
 */
export async function createLiveCart<C extends LiveCart, Change, View>(
  engine: CartEngine<C, Change, View>,
  tenant: Tenant,
  cart: C,
  options: CartViewOptions,
): Promise<Result<View, EngineRefusal>> {
  const object = engine.object(tenant, cart.freeAccessId);
  const { catalogue } = await tenant.snapshot();
  const idleMilliseconds = catalogue.settings.cartIdleMinutes * 60_000;
  const foreseen = engine.foresee(catalogue, cart, options.now);
  const [viewed] = await Promise.all([
    engine.view(tenant, cart, options),
    foreseen && object.create(foreseen, idleMilliseconds),
  ]);
  if (!viewed.ok) return viewed;
  const kept = engine.kept(viewed.value);
  if (!foreseen) await object.create(kept, idleMilliseconds);
  else if (JSON.stringify(foreseen) !== JSON.stringify(kept)) await object.save(kept, FIRST_VERSION);
  return viewed;
}

/** A living cart with today's prices and availability. */
export async function readLiveCart<C extends LiveCart, Change, View>(
  engine: CartEngine<C, Change, View>,
  tenant: Tenant,
  id: string,
  options: CartViewOptions,
): Promise<Result<View, EngineRefusal>> {
  const kept = (await isCartId(tenant, id)) ? await engine.object(tenant, id).read() : undefined;
  return kept ? engine.view(tenant, kept.cart, options) : refuse({ kind: "cartNotFound" });
}

/**
 * Changes a living cart, whoever else does at the same time, and answers it as it is then. A change that is refused
 * leaves it as it was.
 */
export async function changeLiveCart<C extends LiveCart, Change, View>(
  engine: CartEngine<C, Change, View>,
  tenant: Tenant,
  id: string,
  change: Change,
  options: CartViewOptions,
): Promise<Result<View, EngineRefusal>> {
  if (!(await isCartId(tenant, id))) return refuse({ kind: "cartNotFound" });
  const object = engine.object(tenant, id);
  const { catalogue } = await tenant.snapshot();
  const attempt = async (): Promise<Result<View, EngineRefusal> | undefined> => {
    const kept = await object.read();
    if (!kept) return refuse({ kind: "cartNotFound" });
    const changed = engine.change(kept.cart, change, catalogue);
    const viewed = await viewChange(engine, tenant, changed, change, options);
    if (!viewed.ok) return viewed;
    const saved = await object.save(engine.kept(viewed.value), kept.version);
    if (saved === "saved") return viewed;
    return saved === "changed" ? undefined : refuse({ kind: saved === "gone" ? "cartNotFound" : "cartBusy" });
  };
  return withRetry(attempt, { attempts: ATTEMPTS, whenExhausted: () => refuse({ kind: "cartBusy" }) });
}

async function viewChange<C extends LiveCart, Change, View>(
  engine: CartEngine<C, Change, View>,
  tenant: Tenant,
  changed: C,
  change: Change,
  options: CartViewOptions,
): Promise<Result<View, EngineRefusal>> {
  const viewed = await engine.view(tenant, changed, options);
  const wrong = viewed.ok ? engine.findWrongChange(viewed.value, change) : undefined;
  return wrong ? refuse(wrong) : viewed;
}

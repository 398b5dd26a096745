import type { Versioned } from "#domain/bookings/carts.ts";
import type { EngineRefusal } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import type { KeptCart, LiveCart } from "#worker/carts/shopping-cart.ts";
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

interface ChangeOptions extends CartViewOptions {
  /** The version that the change was decided on, where it says so: another one is not changed. */
  readonly seenVersion?: number | undefined;
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
 * Begins a cart that the account accepts. Its object begins beside the reading of the database, not after it: an id
 * that is never told is nobody's cart, and ends by itself.
 */
export async function createLiveCart<C extends LiveCart, Change, View extends object>(
  engine: CartEngine<C, Change, View>,
  tenant: Tenant,
  cart: C,
  options: CartViewOptions,
): Promise<Result<Versioned<View>, EngineRefusal>> {
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
  const isOther = foreseen && JSON.stringify(foreseen) !== JSON.stringify(kept);
  if (!foreseen) await object.create(kept, idleMilliseconds);
  if (isOther) await object.save(kept, FIRST_VERSION);
  const version = isOther ? FIRST_VERSION + 1 : FIRST_VERSION;
  remember(engine, tenant, { cart: kept, version });
  return ok({ ...viewed.value, version });
}

/**
 * A living cart with today's prices and availability. What the isolate saw of it last is viewed while its object is
 * asked, and told where the object still has that version.
 */
export async function readLiveCart<C extends LiveCart, Change, View extends object>(
  engine: CartEngine<C, Change, View>,
  tenant: Tenant,
  id: string,
  options: CartViewOptions,
): Promise<Result<Versioned<View>, EngineRefusal>> {
  const seen = rememberedCart<C>(engine, tenant, id);
  if (!seen && !(await isCartId(tenant, id))) return refuse({ kind: "cartNotFound" });
  const [kept, viewed] = await Promise.all([
    engine.object(tenant, id).read(),
    seen && engine.view(tenant, seen.cart, options),
  ]);
  if (!kept) return refuse({ kind: "cartNotFound" });
  const { version } = kept;
  const isSeen = version === seen?.version;
  if (!isSeen) remember(engine, tenant, kept);
  const now = viewed && isSeen ? viewed : await engine.view(tenant, kept.cart, options);
  return now.ok ? ok({ ...now.value, version }) : now;
}

/**
 * Changes a living cart, whoever else does at the same time unless the change names a version, and answers it as it is
 * then. A change that is refused leaves it as it was.
 */
export async function changeLiveCart<C extends LiveCart, Change, View extends object>(
  engine: CartEngine<C, Change, View>,
  tenant: Tenant,
  id: string,
  change: Change,
  { seenVersion, ...options }: ChangeOptions,
): Promise<Result<Versioned<View>, EngineRefusal>> {
  const seen = rememberedCart<C>(engine, tenant, id);
  if (!seen && !(await isCartId(tenant, id))) return refuse({ kind: "cartNotFound" });
  const isWanted = (version: number) => seenVersion === undefined || version === seenVersion;
  const object = engine.object(tenant, id);
  const { catalogue } = await tenant.snapshot();
  const changeFrom = async (kept: KeptCart<C>): Promise<Result<Versioned<View>, EngineRefusal> | undefined> => {
    const changed = engine.change(kept.cart, change, catalogue);
    const viewed = await viewChange(engine, tenant, changed, change, options);
    if (!viewed.ok) return viewed;
    const cart = engine.kept(viewed.value);
    const saved = await object.save(cart, kept.version);
    if (saved === "changed") return undefined;
    if (saved !== "saved") return refuse({ kind: saved === "gone" ? "cartNotFound" : "cartBusy" });
    const version = kept.version + 1;
    remember(engine, tenant, { cart, version });
    return ok({ ...viewed.value, version });
  };
  // The version that is saved proves what was remembered; what it refuses is asked of the cart as it is.
  const atOnce = seen && isWanted(seen.version) ? await changeFrom(seen) : undefined;
  if (atOnce?.ok) return atOnce;
  const attempt = async () => {
    const kept = await object.read();
    if (!kept) return refuse<EngineRefusal>({ kind: "cartNotFound" });
    if (!isWanted(kept.version)) return refuse<EngineRefusal>({ kind: "cartChanged" });
    return atOnce && kept.version === seen?.version ? atOnce : changeFrom(kept);
  };
  return withRetry(attempt, { attempts: ATTEMPTS, whenExhausted: () => refuse({ kind: "cartBusy" }) });
}

// What this isolate saw last of each cart, as text, the least lately seen first: its id is one that the account gave.
// Only the object says what a cart is.
const seenCarts = new WeakMap<object, Map<string, { readonly text: string; readonly version: number }>>();
const MOST_SEEN = 1000;

function remember<C extends LiveCart>(engine: object, { name }: Tenant, { cart, version }: KeptCart<C>): void {
  const carts = seenCarts.get(engine) ?? new Map();
  seenCarts.set(engine, carts);
  const key = `${name}/${cart.freeAccessId}`;
  carts.delete(key);
  carts.set(key, { text: JSON.stringify(cart), version });
  if (carts.size > MOST_SEEN) carts.delete(carts.keys().next().value ?? "");
}

function rememberedCart<C extends LiveCart>(engine: object, { name }: Tenant, id: string): KeptCart<C> | undefined {
  const seen = seenCarts.get(engine)?.get(`${name}/${id}`);
  return seen && { cart: JSON.parse(seen.text) as C, version: seen.version };
}

async function viewChange<C extends LiveCart, Change, View extends object>(
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

import type { WithCartVersion } from "#domain/bookings/carts.ts";
import type { GrantedDiscount } from "#domain/bookings/discounts.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { RentalOrTransferCart, StoredCart } from "#worker/carts/shopping-cart.ts";
import type { CartObject } from "#worker/tenancy/cart-objects.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { isCartId } from "./cart-ids.ts";

/** Time, and whether to include other available products, which requires reading the stock. */
export interface CartViewOptions {
  readonly now: number;
  readonly withAvailability: boolean;
  /** Whether the chosen products must be available. */
  readonly checksStock?: boolean;
  /** Own discount of the signed-in customer. */
  readonly discount?: GrantedDiscount | undefined;
}

interface ChangeOptions extends CartViewOptions {
  /** Expected version of the cart, if given. A cart with another version isn't changed. */
  readonly seenVersion?: number | undefined;
}

/** Operations in which rental carts and transfer carts differ. */
export interface CartKindOperations<C extends RentalOrTransferCart, Change, View> {
  /** Returns the Durable Object of a cart. */
  openCartObject(tenant: Tenant, id: string): CartObject<C>;
  change(cart: C, change: Change, catalogue: Catalogue): C;
  /** Returns the cart with current prices. Refuses an impossible cart. */
  view(tenant: Tenant, cart: C, options: CartViewOptions): Promise<Result<View, CheckoutError>>;
  /** Returns the cart to store, without invalid parts. */
  toStorableCart(view: View): C;
  /** Returns the cart to store based on the catalogue alone. Undefined if the account doesn't accept the cart. */
  predictStorableCart(catalogue: Catalogue, cart: C, now: number): C | undefined;
  /**
   * Returns the changed cart to store, based on the catalogue and on what the isolate has cached. Undefined if that
   * doesn't suffice, or refuses the change.
   */
  predictChangedCart(
    tenant: Tenant,
    cart: C,
    change: Change,
    options: CartViewOptions & { readonly catalogue: Catalogue },
  ): C | undefined;
  /** Returns why a change isn't possible, by the view of the changed cart. */
  findChangeRefusal(view: View, change: Change): CheckoutError | undefined;
}

// Maximum attempts to save a cart. Of several concurrent changes, one succeeds in each round, so this many can run at
// once.
const ATTEMPTS = 25;
const FIRST_VERSION = 1;

/**
 * Creates a cart that the account accepts. Its object starts in parallel with the database read. If the id is never
 * returned, the unused cart expires.
 */
export async function createLiveCart<C extends RentalOrTransferCart, Change, View extends object>(
  engine: CartKindOperations<C, Change, View>,
  tenant: Tenant,
  cart: C,
  options: CartViewOptions,
): Promise<Result<WithCartVersion<View>, CheckoutError>> {
  const object = engine.openCartObject(tenant, cart.freeAccessId);
  const { catalogue } = await tenant.snapshot();
  const idleMilliseconds = catalogue.settings.cartIdleMinutes * 60_000;
  const predictedCart = engine.predictStorableCart(catalogue, cart, options.now);
  const [viewed] = await Promise.all([
    engine.view(tenant, cart, options),
    predictedCart && object.create(predictedCart, idleMilliseconds),
  ]);
  if (!viewed.ok) return viewed;
  const storedCart = engine.toStorableCart(viewed.value);
  const isOther = predictedCart && JSON.stringify(predictedCart) !== JSON.stringify(storedCart);
  if (!predictedCart) await object.create(storedCart, idleMilliseconds);
  if (isOther) await object.save(storedCart, FIRST_VERSION);
  const version = isOther ? FIRST_VERSION + 1 : FIRST_VERSION;
  cacheCart(engine, tenant, { cart: storedCart, version });
  return ok({ ...viewed.value, version });
}

/**
 * Returns a cart with current prices and availability. Views the isolate's cached copy while reading the object, and
 * uses it if the version matches.
 */
export async function readLiveCart<C extends RentalOrTransferCart, Change, View extends object>(
  engine: CartKindOperations<C, Change, View>,
  tenant: Tenant,
  id: string,
  options: CartViewOptions,
): Promise<Result<WithCartVersion<View>, CheckoutError>> {
  const cachedCart = getCachedCart<C>(engine, tenant, id);
  if (!cachedCart && !(await isCartId(tenant, id))) return err({ kind: "cartNotFound" });
  const [storedCart, viewed] = await Promise.all([
    engine.openCartObject(tenant, id).read(),
    cachedCart && engine.view(tenant, cachedCart.cart, options),
  ]);
  if (!storedCart) return err({ kind: "cartNotFound" });
  const { version } = storedCart;
  const isCacheCurrent = version === cachedCart?.version;
  if (!isCacheCurrent) cacheCart(engine, tenant, storedCart);
  const now = viewed && isCacheCurrent ? viewed : await engine.view(tenant, storedCart.cart, options);
  return now.ok ? ok({ ...now.value, version }) : now;
}

/**
 * Changes a cart and returns its new state. Concurrent changes are merged unless the change names a version. A refused
 * change leaves the cart unchanged, or restores it if the isolate expected it to be possible.
 */
export async function changeLiveCart<C extends RentalOrTransferCart, Change, View extends object>(
  engine: CartKindOperations<C, Change, View>,
  tenant: Tenant,
  id: string,
  change: Change,
  { seenVersion, ...options }: ChangeOptions,
): Promise<Result<WithCartVersion<View>, CheckoutError>> {
  const cachedCart = getCachedCart<C>(engine, tenant, id);
  if (!cachedCart && !(await isCartId(tenant, id))) return err({ kind: "cartNotFound" });
  const isExpectedVersion = (version: number) => seenVersion === undefined || version === seenVersion;
  const object = engine.openCartObject(tenant, id);
  const { catalogue } = await tenant.snapshot();
  const changeFrom = async (
    storedCart: StoredCart<C>,
  ): Promise<Result<WithCartVersion<View>, CheckoutError> | undefined> => {
    const changed = engine.change(storedCart.cart, change, catalogue);
    const viewed = await viewChange(engine, tenant, changed, change, options);
    if (!viewed.ok) return viewed;
    const cart = engine.toStorableCart(viewed.value);
    const saveResult = await object.save(cart, storedCart.version);
    if (saveResult === "changed") return undefined;
    if (saveResult !== "saved") return err({ kind: saveResult === "gone" ? "cartNotFound" : "cartBusy" });
    const version = storedCart.version + 1;
    cacheCart(engine, tenant, { cart, version });
    return ok({ ...viewed.value, version });
  };
  const expectedCart = cachedCart && isExpectedVersion(cachedCart.version) ? cachedCart : undefined;
  const prediction = expectedCart && predictCart(engine, tenant, expectedCart.cart, change, { ...options, catalogue });
  if (expectedCart && prediction) {
    const view = () => viewChange(engine, tenant, prediction.changed, change, options);
    const confirmed = await savePredictedCart(engine, tenant, {
      storedCart: expectedCart,
      cart: prediction.cart,
      view,
    });
    if (confirmed) return confirmed;
  }
  // A successful save confirms the cached cart. A refusal is checked against the current cart.
  const immediateResult = expectedCart && !prediction ? await changeFrom(expectedCart) : undefined;
  if (immediateResult?.ok) return immediateResult;
  const attempt = async () => {
    const storedCart = await object.read();
    if (!storedCart) return err<CheckoutError>({ kind: "cartNotFound" });
    if (!isExpectedVersion(storedCart.version)) return err<CheckoutError>({ kind: "cartChanged" });
    return immediateResult && storedCart.version === cachedCart?.version ? immediateResult : changeFrom(storedCart);
  };
  return withRetry(attempt, { attempts: ATTEMPTS, whenExhausted: () => err({ kind: "cartBusy" }) });
}

function predictCart<C extends RentalOrTransferCart, Change, View>(
  engine: CartKindOperations<C, Change, View>,
  tenant: Tenant,
  cart: C,
  change: Change,
  options: CartViewOptions & { readonly catalogue: Catalogue },
): { readonly changed: C; readonly cart: C } | undefined {
  const changed = engine.change(cart, change, options.catalogue);
  const foreseen = engine.predictChangedCart(tenant, changed, change, options);
  return foreseen && { changed, cart: foreseen };
}

// Saves the cart while the database confirms the change (decision 0008). If the database refuses it, saves the former
// cart again. Returns undefined if another isolate changed the cart.
async function savePredictedCart<C extends RentalOrTransferCart, Change, View extends object>(
  engine: CartKindOperations<C, Change, View>,
  tenant: Tenant,
  {
    storedCart,
    cart,
    view,
  }: {
    readonly storedCart: StoredCart<C>;
    readonly cart: C;
    readonly view: () => Promise<Result<View, CheckoutError>>;
  },
): Promise<Result<WithCartVersion<View>, CheckoutError> | undefined> {
  const object = engine.openCartObject(tenant, cart.freeAccessId);
  const [viewed, saveResult] = await Promise.all([view(), object.save(cart, storedCart.version)]);
  if (saveResult === "changed") return undefined;
  if (saveResult !== "saved") return err({ kind: saveResult === "gone" ? "cartNotFound" : "cartBusy" });
  const version = storedCart.version + 1;
  const rightCart = viewed.ok ? engine.toStorableCart(viewed.value) : storedCart.cart;
  const isRight = JSON.stringify(rightCart) === JSON.stringify(cart);
  if (!isRight && (await object.save(rightCart, version)) !== "saved") return viewed.ok ? undefined : viewed;
  const lastVersion = isRight ? version : version + 1;
  cacheCart(engine, tenant, { cart: rightCart, version: lastVersion });
  return viewed.ok ? ok({ ...viewed.value, version: lastVersion }) : viewed;
}

// Last known state of each cart in this isolate, as text, least recently used first. Contains only ids created by the
// account. The object remains the source of truth.
const cartCache = new WeakMap<object, Map<string, { readonly text: string; readonly version: number }>>();
const MAX_CACHED_CARTS = 1000;

function cacheCart<C extends RentalOrTransferCart>(
  engine: object,
  { name }: Tenant,
  { cart, version }: StoredCart<C>,
): void {
  const carts = cartCache.get(engine) ?? new Map();
  cartCache.set(engine, carts);
  const key = `${name}/${cart.freeAccessId}`;
  carts.delete(key);
  carts.set(key, { text: JSON.stringify(cart), version });
  if (carts.size > MAX_CACHED_CARTS) carts.delete(carts.keys().next().value ?? "");
}

function getCachedCart<C extends RentalOrTransferCart>(
  engine: object,
  { name }: Tenant,
  id: string,
): StoredCart<C> | undefined {
  const cachedCart = cartCache.get(engine)?.get(`${name}/${id}`);
  return cachedCart && { cart: JSON.parse(cachedCart.text) as C, version: cachedCart.version };
}

async function viewChange<C extends RentalOrTransferCart, Change, View extends object>(
  engine: CartKindOperations<C, Change, View>,
  tenant: Tenant,
  changed: C,
  change: Change,
  options: CartViewOptions,
): Promise<Result<View, CheckoutError>> {
  const viewed = await engine.view(tenant, changed, options);
  const problem = viewed.ok ? engine.findChangeRefusal(viewed.value, change) : undefined;
  return problem ? err(problem) : viewed;
}

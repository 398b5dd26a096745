import type { KeptCart, LiveCart, PlacementState, ShoppingCart } from "#worker/carts/shopping-cart.ts";

export type { LiveCart };

/** A live cart of this account, see `ShoppingCart`; each call is a round trip to its object. */
export interface CartObject<C extends LiveCart> {
  create(cart: C, idleMilliseconds: number): Promise<void>;
  read(): Promise<KeptCart<C> | undefined>;
  save(cart: C, version: number): Promise<"saved" | "changed" | "placing" | "gone">;
  beginPlacement(): Promise<PlacementState<C> | undefined>;
  releasePlacement(): Promise<void>;
  finishPlacement(answer: string): Promise<string>;
}

/** Opens the object of a cart by its name, under which it keeps what it was created with: a cart of that engine. */
export function openCart<C extends LiveCart>(env: Cloudflare.Env, account: string, name: string): CartObject<C> {
  const carts = env.SHOPPING_CARTS as DurableObjectNamespace<ShoppingCart>;
  const object = carts.get(carts.idFromName(`t/${account}/${name}`));
  return {
    create: async (cart, idleMilliseconds) => object.create(account, cart, idleMilliseconds),
    read: async () => (await object.read(account)) as KeptCart<C> | undefined,
    save: async (cart, version) => object.save(account, cart, version),
    beginPlacement: async () => (await object.beginPlacement(account)) as PlacementState<C> | undefined,
    releasePlacement: async () => object.releasePlacement(account),
    finishPlacement: async (answer) => object.finishPlacement(account, answer),
  };
}

import type { LiveCart, PlacementState, ShoppingCart, StoredCart } from "#worker/carts/shopping-cart.ts";
import { countPendingCall, type Meter } from "#worker/store/database.ts";
import { type Jurisdiction, restrictNamespace } from "./bindings.ts";

export type { LiveCart };

/** Active cart of this account, see `ShoppingCart`. Each call is a round trip to its object. */
export interface CartObject<C extends LiveCart> {
  create(cart: C, idleMilliseconds: number): Promise<void>;
  read(): Promise<StoredCart<C> | undefined>;
  save(cart: C, version: number): Promise<"saved" | "changed" | "placing" | "gone">;
  beginPlacement(seenVersion: number | undefined): Promise<PlacementState<C> | undefined>;
  releasePlacement(): Promise<void>;
  finishPlacement(answer: string): Promise<string>;
}

interface OpenedCart {
  readonly account: string;
  readonly name: string;
  readonly meter: Meter;
  readonly jurisdiction: Jurisdiction | undefined;
}

/** Opens a cart's object by its name. The object keeps the engine of its creation. */
export function openCart<C extends LiveCart>(
  env: Cloudflare.Env,
  { account, name, meter, jurisdiction }: OpenedCart,
): CartObject<C> {
  const carts = restrictNamespace(env.SHOPPING_CARTS as DurableObjectNamespace<ShoppingCart>, jurisdiction);
  const object = carts.get(carts.idFromName(`t/${account}/${name}`));
  const counted = async <T>(call: Promise<T>): Promise<T> => {
    meter.objectCalls += 1;
    return countPendingCall(meter, call);
  };
  return {
    create: async (cart, idleMilliseconds) => counted(object.create(account, cart, idleMilliseconds)),
    read: async () => counted(object.read(account) as Promise<StoredCart<C> | undefined>),
    save: async (cart, version) => counted(object.save(account, cart, version)),
    beginPlacement: async (seenVersion) =>
      counted(object.beginPlacement(account, seenVersion) as Promise<PlacementState<C> | undefined>),
    releasePlacement: async () => counted(object.releasePlacement(account)),
    finishPlacement: async (answer) => counted(object.finishPlacement(account, answer)),
  };
}

import type { CartCheckoutState, RentalOrTransferCart, ShoppingCart, StoredCart } from "#worker/carts/shopping-cart.ts";
import { type DatabaseUsageMeter, measureCallDepth } from "#worker/store/database.ts";
import { isTransientDatabaseError } from "#worker/store/failures.ts";
import { type Jurisdiction, restrictNamespace } from "./bindings.ts";

export type { RentalOrTransferCart };

/**
 * Active cart of this account, see `ShoppingCart`. Each call is a round trip to its object, repeated after a temporary
 * failure. All calls are safe to repeat.
 */
export interface CartObject<C extends RentalOrTransferCart> {
  create(cart: C, idleMilliseconds: number): Promise<void>;
  read(): Promise<StoredCart<C> | undefined>;
  save(cart: C, version: number): Promise<"saved" | "changed" | "placing" | "gone">;
  beginPlacement(seenVersion: number | undefined): Promise<CartCheckoutState<C> | undefined>;
  releasePlacement(): Promise<void>;
  finishPlacement(answer: string): Promise<string>;
}

interface OpenedCart {
  readonly account: string;
  readonly name: string;
  readonly meter: DatabaseUsageMeter;
  readonly jurisdiction: Jurisdiction | undefined;
}

/** Opens a cart's object by its name. The object stays a rental cart or a transfer cart, as it was created. */
export function openCartObject<C extends RentalOrTransferCart>(
  env: Cloudflare.Env,
  { account, name, meter, jurisdiction }: OpenedCart,
): CartObject<C> {
  const carts = restrictNamespace(env.SHOPPING_CARTS as DurableObjectNamespace<ShoppingCart>, jurisdiction);
  const id = carts.idFromName(`t/${account}/${name}`);
  const counted = <T>(call: (object: DurableObjectStub<ShoppingCart>) => Promise<T>): Promise<T> =>
    repeated(() => {
      meter.objectCalls += 1;
      // A stub that has failed stays broken, so each attempt has its own.
      return measureCallDepth(meter, call(carts.get(id)));
    });
  return {
    create: (cart, idleMilliseconds) => counted(async (object) => object.create(account, cart, idleMilliseconds)),
    read: () => counted(async (object) => object.read(account) as Promise<StoredCart<C> | undefined>),
    save: (cart, version) => {
      const changeId = crypto.randomUUID();
      return counted(async (object) => object.save(account, cart, version, changeId));
    },
    beginPlacement: (seenVersion) =>
      counted(
        async (object) => object.beginPlacement(account, seenVersion) as Promise<CartCheckoutState<C> | undefined>,
      ),
    releasePlacement: () => counted(async (object) => object.releasePlacement(account)),
    finishPlacement: (answer) => counted(async (object) => object.finishPlacement(account, answer)),
  };
}

const ATTEMPTS = 3;
const FIRST_WAIT_MS = 30;

// Repeats a call after a temporary fault. An overloaded object isn't called again, because that would add load.
async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransientDatabaseError(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * FIRST_WAIT_MS * 2 ** attempt));
    }
  }
}

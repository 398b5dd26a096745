import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { Faults } from "./faults.ts";
import type { Timeline } from "./timeline.ts";

/** What a cart's object keeps when its process is killed. */
interface Kept {
  storage: DatabaseSync;
  alarm: number | undefined;
}

/** The storage of all carts: it outlives every Worker. */
export type CartStorage = Map<string, Kept>;

interface CartInstance {
  alarm(): Promise<void>;
}

export type CartClass = new (context: unknown, env: unknown) => CartInstance;

/** The carts of one Worker: objects in its memory, on a storage that stays. */
export function cartNamespace(
  {
    timeline,
    faults,
    storage,
  }: { readonly timeline: Timeline; readonly faults: Faults; readonly storage: CartStorage },
  newCart: { readonly Cart: CartClass; readonly isAlive: () => boolean; readonly now: () => number },
) {
  const instances = new Map<string, CartInstance>();
  const instanceOf = (name: string) => {
    const known = instances.get(name);
    if (known) return known;
    const kept = storage.get(name) ?? { storage: new DatabaseSync(":memory:"), alarm: undefined };
    storage.set(name, kept);
    const made = new newCart.Cart({ storage: storageOf(name, kept) }, {});
    instances.set(name, made);
    return made;
  };
  const ring = (name: string): void => {
    const kept = storage.get(name);
    if (!kept || kept.alarm === undefined || !newCart.isAlive()) return;
    // The machine's clock was put back meanwhile.
    if (kept.alarm > newCart.now()) ringAt(name, kept.alarm);
    else {
      kept.alarm = undefined;
      void instanceOf(name).alarm();
    }
  };
  const ringAt = (name: string, at: number): void => timeline.plan(at - newCart.now(), () => ring(name));
  const storageOf = (name: string, kept: Kept) => ({
    sql: {
      exec: (sql: string, ...values: SQLInputValue[]) => {
        const rows = kept.storage.prepare(sql).all(...values);
        return { toArray: () => rows };
      },
    },
    setAlarm: async (at: number) => {
      kept.alarm = at;
      ringAt(name, at);
    },
    deleteAll: async () => {
      kept.storage.close();
      kept.storage = new DatabaseSync(":memory:");
    },
  });
  // What was to ring while no Worker lived rings in this one.
  for (const [name, { alarm }] of storage) if (alarm !== undefined) ringAt(name, alarm);
  const stub = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method: string) =>
          (...values: unknown[]) =>
            faults.through("cart", () =>
              Reflect.apply(Reflect.get(instanceOf(name), method), instanceOf(name), values),
            ),
      },
    );
  return { idFromName: (name: string) => name, get: stub };
}

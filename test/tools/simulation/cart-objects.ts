import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { FaultyNetwork } from "./faults.ts";
import type { Timeline } from "./timeline.ts";

/** Data of a cart object that survives a process kill. */
interface CartObjectState {
  storage: DatabaseSync;
  alarm: number | undefined;
}

/** Storage of all carts, which survives every Worker. */
export type CartStorage = Map<string, CartObjectState>;

interface CartInstance {
  alarm(): Promise<void>;
}

export type CartClass = new (context: unknown, env: unknown) => CartInstance;

/** Provides the cart objects of one Worker: in its memory, on persistent storage. */
export function createCartNamespace(
  {
    timeline,
    faults,
    storage,
  }: { readonly timeline: Timeline; readonly faults: FaultyNetwork; readonly storage: CartStorage },
  newCart: { readonly Cart: CartClass; readonly isAlive: () => boolean; readonly now: () => number },
) {
  const instances = new Map<string, CartInstance>();
  const getInstance = (name: string) => {
    const known = instances.get(name);
    if (known) return known;
    const objectState = storage.get(name) ?? { storage: new DatabaseSync(":memory:"), alarm: undefined };
    storage.set(name, objectState);
    const newInstance = new newCart.Cart({ storage: createObjectStorage(name, objectState) }, {});
    instances.set(name, newInstance);
    return newInstance;
  };
  const fireAlarm = (name: string): void => {
    const objectState = storage.get(name);
    if (!objectState || objectState.alarm === undefined || !newCart.isAlive()) return;
    // The machine's clock was set back since.
    if (objectState.alarm > newCart.now()) scheduleAlarm(name, objectState.alarm);
    else {
      objectState.alarm = undefined;
      void getInstance(name).alarm();
    }
  };
  const scheduleAlarm = (name: string, at: number): void =>
    timeline.schedule(at - newCart.now(), () => fireAlarm(name));
  const createObjectStorage = (name: string, objectState: CartObjectState) => ({
    sql: {
      exec: (sql: string, ...values: SQLInputValue[]) => {
        const rows = objectState.storage.prepare(sql).all(...values);
        return { toArray: () => rows };
      },
    },
    setAlarm: async (at: number) => {
      objectState.alarm = at;
      scheduleAlarm(name, at);
    },
    deleteAll: async () => {
      objectState.storage.close();
      objectState.storage = new DatabaseSync(":memory:");
    },
  });
  // Alarms missed while no Worker was running fire in this one.
  for (const [name, { alarm }] of storage) if (alarm !== undefined) scheduleAlarm(name, alarm);
  const stub = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method: string) =>
          (...values: unknown[]) =>
            faults.call("cart", () => Reflect.apply(Reflect.get(getInstance(name), method), getInstance(name), values)),
      },
    );
  return { idFromName: (name: string) => name, get: stub };
}

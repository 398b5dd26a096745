import type { Random } from "#scripts/demo/random.ts";
import type { KnownValues } from "./known-values.ts";

/** A unit that the app could hand over. */
export interface FuzzUnit {
  readonly bookingId: number;
  readonly unitId: number;
  readonly version: number;
  readonly vehicle: string | undefined;
}

/** Data of an account before the first request. */
export interface InitialState {
  readonly known: KnownValues;
  readonly units: readonly FuzzUnit[];
  readonly customer: { readonly username: string; readonly password: string; readonly token: string };
  /** Emails sent by the platform: the latest text by recipient. */
  readonly mailbox: ReadonlyMap<string, string>;
}

export const RENTAL_ENGINE_PATH = "/api/booking/frontend";
export const TRANSFER_ENGINE_PATH = "/api/booking-transfer/frontend";
export const PAYMENT_PATHS = ["/reserva/pagar", "/book/pay", "/transfer/pagar", "/reserva-transfer/pagar"];
export const CHECK_IN_OPERATIONS_PATH = "/api/v1/booking/check-in-operations";
export const CHECK_IN_FILE_PATH = "/api/v1/booking/{id}/check-in-files/{hash}";
export const FUZZ_PASSWORD = "Fuzz-2026-secret!";

const MAX_STORED_VALUES = 200;

class Pool<T> {
  readonly #items: T[] = [];

  add(item: T | undefined): void {
    if (item === undefined) return;
    this.#items.push(item);
    if (this.#items.length > MAX_STORED_VALUES) this.#items.shift();
  }

  draw(random: Random): T | undefined {
    return this.#items.length === 0 ? undefined : random.pick(this.#items);
  }

  /** Takes a value that is valid once. */
  take(): T | undefined {
    return this.#items.pop();
  }
}

/** Data created by requests, collected from responses and used by later requests. */
export type AccountState = ReturnType<typeof createAccountState>;

export function createAccountState(initial: InitialState) {
  const createEnginePools = () => ({
    [RENTAL_ENGINE_PATH]: new Pool<string>(),
    [TRANSFER_ENGINE_PATH]: new Pool<string>(),
  });
  return {
    ...initial,
    references: new Pool<string>(),
    carts: createEnginePools(),
    filledCarts: createEnginePools(),
    bookings: createEnginePools(),
    transfers: new Pool<number>(),
    payments: new Pool<string>(),
    notices: new Pool<Readonly<Record<string, string>>>(),
    conflicts: new Pool<string>(),
    people: new Pool<string>(),
    sessions: new Pool<string>(),
    files: new Pool<{ readonly id: number; readonly hash: string }>(),
    /** Units handed over, by resource id. */
    unitsOut: new Set<number>(),
  };
}

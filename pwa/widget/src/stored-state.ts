import type { SearchValues } from "./model.ts";

type Fields = Readonly<Record<string, string>>;

/** State of a tab that survives a reload: cart, search and last reservation. */
export interface StoredTabState {
  readonly cart?: string | undefined;
  readonly search?: SearchValues | undefined;
  readonly reservation?: string;
  /** Cart and search of the last reservation. */
  readonly bookedCart?: string;
  readonly bookedSearch?: SearchValues;
  readonly details?: Fields | undefined;
  /** Reservation with a started payment. If unpaid, the payment is offered again. */
  readonly paying?: string;
  /** Unsent values of a contract form. */
  readonly contract?: { readonly reservation: string; readonly fields: Fields } | undefined;
}

/** Customer signed in at a company. Shared by all widgets of the company in this tab. */
export interface StoredSignIn {
  readonly token?: string | undefined;
  readonly name?: string | undefined;
}

const memoryStore = new Map<string, string>();

/** Stores a change under a key. If the browser blocks storage, it's held in memory until a reload. */
export function saveTabState<Kept extends object = StoredTabState>(key: string, change: Kept): void {
  const text = JSON.stringify({ ...readTabState(key), ...change });
  memoryStore.set(key, text);
  try {
    sessionStorage.setItem(key, text);
  } catch {}
}

/**
 * Records in this browser that a cart was booked, for other tabs with the same cart. Stores the reservation's number,
 * once known, but not its link.
 */
export function saveBookedCart(key: string, cart: string, number: number | "" = ""): void {
  try {
    localStorage.setItem(`${key} booked`, `${cart} ${number}`);
  } catch {}
}

/** Returns the number of the reservation if this browser last booked that cart. Empty if the number isn't known. */
export function findBookedReservationNumber(key: string, cart: string | undefined): string | undefined {
  try {
    const [booked, number] = (localStorage.getItem(`${key} booked`) ?? "").split(" ");
    return cart && cart === booked ? number : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the stored state of a key. Empty if unreadable. */
export function readTabState<Kept extends object = StoredTabState>(key: string): Partial<Kept> {
  try {
    const storedValue: unknown = JSON.parse(memoryStore.get(key) ?? sessionStorage.getItem(key) ?? "{}");
    return typeof storedValue === "object" && storedValue !== null ? storedValue : {};
  } catch {
    return {};
  }
}

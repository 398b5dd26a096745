import type { Search } from "./model.ts";

type Fields = Readonly<Record<string, string>>;

/** What a tab keeps over a reload: the cart, the search it is of, and the reservation that was made last. */
export interface StoredState {
  readonly cart?: string | undefined;
  readonly search?: Search | undefined;
  readonly reservation?: string;
  readonly details?: Fields | undefined;
  /** The reservation whose payment was begun: unpaid, it is asked for again. */
  readonly paying?: string;
  /** What was typed for the contract of a reservation and is not sent yet. */
  readonly contract?: { readonly reservation: string; readonly fields: Fields } | undefined;
}

/** Who is signed in at a company, whichever of its shops. */
export interface SignedIn {
  readonly token?: string | undefined;
  readonly name?: string | undefined;
}

const memoryStore = new Map<string, string>();

/**
 * Keeps a change under a key. A browser that keeps nothing for a website throws: then the page keeps it, till a reload.
 */
export function saveState<Kept extends object = StoredState>(key: string, change: Kept): void {
  const text = JSON.stringify({ ...recall(key), ...change });
  memoryStore.set(key, text);
  try {
    sessionStorage.setItem(key, text);
  } catch {}
}

/** What the tab remembers under a key; nothing where it is unreadable. */
export function recall<Kept extends object = StoredState>(key: string): Partial<Kept> {
  try {
    const storedValue: unknown = JSON.parse(memoryStore.get(key) ?? sessionStorage.getItem(key) ?? "{}");
    return typeof storedValue === "object" && storedValue !== null ? storedValue : {};
  } catch {
    return {};
  }
}

import type { Search } from "./model.ts";

/** What a tab keeps over a reload: the cart, the search it is of, and the reservation that was made last. */
export interface Remembered {
  readonly cart?: string | undefined;
  readonly search?: Search | undefined;
  readonly reservation?: string;
  readonly details?: Readonly<Record<string, string>> | undefined;
  /** The reservation whose payment was begun: unpaid, it is asked for again. */
  readonly paying?: string;
}

// A browser that keeps nothing for a website throws: then a reload begins anew, and nothing else is lost.
export function remember(key: string, change: Remembered): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ ...recall(key), ...change }));
  } catch {}
}

/** What the tab remembers under a key; nothing where it is unreadable. */
export function recall(key: string): Remembered {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

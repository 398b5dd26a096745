/** Reads from local storage, available synchronously. Returns null if storage is blocked. */
export function readLocal(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Writes to local storage. `null` deletes the entry. */
export function writeLocal(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // The browser blocks storage, or it is full.
  }
}

const SINGLE_KEYS_STORAGE_KEY = "office single keys";

/** Whether one letter alone does something where nobody types: yes, until this browser is told otherwise. */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(SINGLE_KEYS_STORAGE_KEY) !== "off";
  } catch {
    return true;
  }
}

/** Keeps what was chosen in this browser; where it keeps nothing, the keys stay. */
export function keepSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(SINGLE_KEYS_STORAGE_KEY);
    else localStorage.setItem(SINGLE_KEYS_STORAGE_KEY, "off");
  } catch {
    // A browser that keeps nothing.
  }
}

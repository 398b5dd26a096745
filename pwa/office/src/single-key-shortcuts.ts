const SINGLE_KEYS_STORAGE_KEY = "office single keys";

/** Whether single-letter shortcuts are enabled. Default is yes. */
export function areSingleKeyShortcutsEnabled(): boolean {
  try {
    return localStorage.getItem(SINGLE_KEYS_STORAGE_KEY) !== "off";
  } catch {
    return true;
  }
}

/** Stores the setting in the browser. Without storage, shortcuts stay enabled. */
export function saveSingleKeyShortcutsEnabled(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(SINGLE_KEYS_STORAGE_KEY);
    else localStorage.setItem(SINGLE_KEYS_STORAGE_KEY, "off");
  } catch {
    // The browser blocks storage.
  }
}

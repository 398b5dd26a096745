export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = "office theme";

/** Returns the chosen theme of this device. */
export function readTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(STORAGE_KEY)) ?? "auto";
  } catch {
    return "auto";
  }
}

/** Applies a theme and stores it on this device. */
export function saveTheme(theme: Theme): void {
  applyThemeToPage(theme);
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // The browser blocks storage.
  }
}

/** Applies a theme. `auto` follows the system. */
export function applyThemeToPage(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}

/** Applies the theme that the user chose on any device. */
export function applyUserTheme(theme: "light" | "dark" | null | undefined): void {
  if (theme !== undefined) saveTheme(theme ?? "auto");
}

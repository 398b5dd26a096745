import { signal } from "@preact/signals";
import { resolveLocale } from "#shared/locale.ts";
import { LANGUAGES, type Language, loadTexts } from "../i18n/texts.ts";
import { readLocal, writeLocal } from "./local-storage.ts";

export type Theme = "auto" | "light" | "dark";

const stored = (name: string) => readLocal(`checkin.${name}`);
const THEMES: readonly Theme[] = ["auto", "light", "dark"];

export const theme = signal<Theme>(THEMES.find((theme) => theme === stored("theme")) ?? "auto");
export const language = signal<Language>(preferred());

/** Country of the company, from the settings, which load after these preferences. */
export const country = signal("ES");
export const getLocale = () => resolveLocale(language.value, country.value);

function preferred(): Language {
  const wishes = [stored("language"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const understood = wishes.map((preference) => LANGUAGES.find((language) => language === preference));
  return understood.find((item) => item !== undefined) ?? "en";
}

export function chooseTheme(next: Theme): void {
  theme.value = next;
  writeLocal("checkin.theme", next);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.value;
}

export async function chooseLanguage(next: Language): Promise<void> {
  await loadTexts(next);
  language.value = next;
  writeLocal("checkin.language", next);
  document.documentElement.lang = next;
}

import { signal } from "@preact/signals";
import { LANGUAGES, type Language, loadTexts } from "../i18n/texts.ts";
import { recallSmall, rememberSmall } from "./small.ts";

export type Theme = "auto" | "light" | "dark";

const stored = (name: string) => recallSmall(`checkin.${name}`);
const THEMES: readonly Theme[] = ["auto", "light", "dark"];

export const theme = signal<Theme>(THEMES.find((one) => one === stored("theme")) ?? "auto");
export const language = signal<Language>(preferred());

/** Dates and amounts by a country's habits: English is British here. */
const LOCALES: Readonly<Record<Language, string>> = { es: "es-ES", ca: "ca-ES", en: "en-GB", de: "de-DE" };
export const locale = () => LOCALES[language.value];

function preferred(): Language {
  const wishes = [stored("language"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const understood = wishes.map((wish) => LANGUAGES.find((one) => one === wish));
  return understood.find((one) => one !== undefined) ?? "en";
}

export function chooseTheme(next: Theme): void {
  theme.value = next;
  rememberSmall("checkin.theme", next);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme.value;
}

export async function chooseLanguage(next: Language): Promise<void> {
  await loadTexts(next);
  language.value = next;
  rememberSmall("checkin.language", next);
  document.documentElement.lang = next;
}

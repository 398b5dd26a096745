import { signal } from "@preact/signals";
import type { TextKey, Texts } from "./en.ts";

export const LANGUAGES = ["es", "ca", "en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
export type { TextKey };

const LOADERS: Readonly<Record<Language, () => Promise<{ readonly default: Texts }>>> = {
  es: () => import("./es.ts"),
  ca: () => import("./ca.ts"),
  en: () => import("./en.ts"),
  de: () => import("./de.ts"),
};

const texts = signal<Texts | undefined>(undefined);

/** Each language is a file of its own: a phone loads one. */
export async function loadTexts(language: Language): Promise<void> {
  texts.value = (await LOADERS[language]()).default;
}

/** A text in the language of the person, with `{name}` replaced by the value of that name. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const text = texts.value?.[key] ?? "";
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** A text whose key is made from a word that the server sent; the word itself where the app does not know it. */
export function tOr(key: string, word: string): string {
  const found = (texts.value as Readonly<Record<string, string>> | undefined)?.[key];
  return found ?? word;
}

import { isolated } from "#shared/locale.ts";
import type { Offer } from "./model.ts";
import { en, type Texts } from "./texts/en.ts";

export type { Texts };

const LANGUAGES = ["es", "ca", "en", "de", "fr", "it", "pt", "nl"] as const;
export type WidgetLanguage = (typeof LANGUAGES)[number];

// English is part of the script, because it replaces missing texts.
const loadedTexts = new Map<WidgetLanguage, Texts>([["en", en]]);

/** Returns the texts of a language, if they are loaded. */
export const findTexts = (language: WidgetLanguage): Texts | undefined => loadedTexts.get(language);

/** Loads the texts of a language from a company's address. Returns English texts if that fails. */
export async function loadTexts(origin: string, language: WidgetLanguage): Promise<Texts> {
  const known = findTexts(language);
  if (known) return known;
  const response = await fetch(`${origin}/widget/texts/${language}.json`).catch(() => undefined);
  if (!response?.ok) return en;
  const table = await response.json().catch(() => undefined);
  if (!table) return en;
  // The browser may have kept a file from before the script's last change.
  const texts: Texts = { ...en, ...table };
  loadedTexts.set(language, texts);
  return texts;
}

/** Returns the first supported language of the preferences, by its first two letters. Falls back to English. */
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): WidgetLanguage {
  const known = wishes.map((preference) => preference?.trim().slice(0, 2).toLowerCase() ?? "");
  const supported = known.map((preference) => LANGUAGES.find((language) => language === preference));
  return supported.find((language) => language !== undefined) ?? "en";
}

/** Fills the placeholders of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => isolated(String(values[name] ?? "")));
}

/** Formats seats and doors. Unknown doors are omitted. */
export function factsText({ seats, doors }: Pick<Offer, "seats" | "doors">, texts: Texts): string {
  if (seats === null) return "";
  return doors === null ? fill(texts.seats, { seats }) : fill(texts.facts, { seats, doors });
}

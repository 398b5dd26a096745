import { isolated } from "#shared/locale.ts";
import type { Offer } from "./model.ts";
import { ca } from "./texts/ca.ts";
import { de } from "./texts/de.ts";
import { en, type Texts } from "./texts/en.ts";
import { es } from "./texts/es.ts";

export type { Texts };

export const languages: Readonly<Record<string, Texts>> = { es, ca, en, de };

/** Returns the first supported language of the preferences, by its first two letters. Falls back to English. */
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): string {
  const known = wishes.map((preference) => preference?.trim().slice(0, 2).toLowerCase() ?? "");
  return known.find((preference) => Object.hasOwn(languages, preference)) ?? "en";
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

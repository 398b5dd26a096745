import { isolateRightToLeft } from "#shared/locale.ts";
import type { ListedProduct, PricedTrip } from "./model.ts";
import { en, type Texts } from "./texts/en.ts";

export type { Texts };

const LANGUAGES = ["es", "ca", "en", "de", "fr", "it", "pt", "nl"] as const;
export type WidgetLanguage = (typeof LANGUAGES)[number];

// English is part of the script, because it replaces missing texts.
const loadedTexts = new Map<WidgetLanguage, Texts>([["en", en]]);

/** Returns the texts of a language, if they are loaded. */
export const findTexts = (language: WidgetLanguage): Texts | undefined => loadedTexts.get(language);

/** Loads the texts of a language from the first address that has them. Returns English texts if none has. */
export async function loadTexts(origins: readonly string[], language: WidgetLanguage): Promise<Texts> {
  const known = findTexts(language);
  if (known) return known;
  for (const origin of origins) {
    const table = await fetchTable(`${origin}/widget/texts/${language}.json`);
    if (!table) continue;
    // A cached file may be older than the script and lack texts. English replaces them.
    const texts: Texts = { ...en, ...table };
    loadedTexts.set(language, texts);
    return texts;
  }
  return en;
}

// Timeout of the texts. The widget shows nothing before, and English texts afterwards.
const TEXTS_TIMEOUT_MS = 20_000;

async function fetchTable(address: string): Promise<Partial<Texts> | undefined> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TEXTS_TIMEOUT_MS) });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the first supported language of the preferences, by its first two letters. Falls back to English. */
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): WidgetLanguage {
  const known = wishes.map((preference) => preference?.trim().slice(0, 2).toLowerCase() ?? "");
  const supported = known.map((preference) => LANGUAGES.find((language) => language === preference));
  return supported.find((language) => language !== undefined) ?? "en";
}

/** Fills the placeholders of a text. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => isolateRightToLeft(String(values[name] ?? "")));
}

/** Appends the length of a rental to a text. Transfers have none. */
export function appendRentalLength(text: string, { days }: Pick<PricedTrip, "days">, texts: Texts): string {
  return days === null ? text : `${text} · ${formatDays(days, texts)}`;
}

/** Formats a number of days. */
export const formatDays = (days: number, texts: Texts) =>
  days === 1 ? texts.oneDay : fillPlaceholders(texts.days, { n: days });

/** Formats seats and doors. Unknown doors are omitted. */
export function formatSeatsAndDoors({ seats, doors }: Pick<ListedProduct, "seats" | "doors">, texts: Texts): string {
  if (seats === null) return "";
  return doors === null ? fillPlaceholders(texts.seats, { seats }) : fillPlaceholders(texts.facts, { seats, doors });
}

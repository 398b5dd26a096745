import { createTexts, LANGUAGES, type Language } from "#shared/i18n.ts";
import type { DeskKey } from "./i18n/desk/en.ts";
import type { TextKey as OfficeKey } from "./i18n/en.ts";

export type TextKey = OfficeKey | DeskKey;

export const { t, tOr, loadTexts } = createTexts<TextKey>({
  es: () => both(import("./i18n/es.ts"), import("./i18n/desk/es.ts")),
  ca: () => both(import("./i18n/ca.ts"), import("./i18n/desk/ca.ts")),
  en: () => both(import("./i18n/en.ts"), import("./i18n/desk/en.ts")),
  de: () => both(import("./i18n/de.ts"), import("./i18n/desk/de.ts")),
});

type Table<Key extends string> = Promise<{ readonly default: Readonly<Record<Key, string>> }>;

// What the lists and forms say, and what the desk says.
async function both(office: Table<OfficeKey>, desk: Table<DeskKey>) {
  const [one, other] = await Promise.all([office, desk]);
  return { default: { ...one.default, ...other.default } };
}

/** The first of the wanted languages that the office speaks. */
export function chooseLanguage(wanted: readonly (string | null | undefined)[]): Language {
  return LANGUAGES.find((one) => one === wanted.find((other) => LANGUAGES.some((known) => known === other))) ?? "en";
}

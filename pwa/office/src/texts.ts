import { createTexts, LANGUAGES, type Language } from "#shared/i18n.ts";
import type { TextKey } from "./i18n/en.ts";

export const { t, tOr, loadTexts } = createTexts<TextKey>({
  es: () => import("./i18n/es.ts"),
  ca: () => import("./i18n/ca.ts"),
  en: () => import("./i18n/en.ts"),
  de: () => import("./i18n/de.ts"),
});

/** The first of the wanted languages that the office speaks. */
export function chooseLanguage(wanted: readonly (string | null | undefined)[]): Language {
  return LANGUAGES.find((one) => one === wanted.find((other) => LANGUAGES.some((known) => known === other))) ?? "en";
}

import { createTexts, LANGUAGES } from "#shared/i18n.ts";
import type { ImportKey } from "../../i18n/imports/en.ts";

const texts = createTexts<ImportKey>({
  es: () => import("../../i18n/imports/es.ts"),
  ca: () => import("../../i18n/imports/ca.ts"),
  en: () => import("../../i18n/imports/en.ts"),
  de: () => import("../../i18n/imports/de.ts"),
});

/** Import texts, loaded only on this page. */
export const translateImport = texts.t;
export const translateImportOr = texts.tOr;

/** Loads the texts in the language of the page. */
export function loadImportTexts(): Promise<void> {
  return texts.loadTexts(LANGUAGES.find((language) => language === document.documentElement.lang) ?? "en");
}

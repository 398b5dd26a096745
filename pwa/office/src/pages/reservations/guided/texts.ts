import { createTexts, LANGUAGES } from "#shared/i18n.ts";
import type { GuidedKey } from "../../../i18n/guided/en.ts";

const texts = createTexts<GuidedKey>({
  es: () => import("../../../i18n/guided/es.ts"),
  ca: () => import("../../../i18n/guided/ca.ts"),
  en: () => import("../../../i18n/guided/en.ts"),
  de: () => import("../../../i18n/guided/de.ts"),
});

/** Texts of the guided hand-over and return, loaded with them. */
export const translateGuided = texts.t;

/** Loads the texts in the language of the page. */
export function loadGuidedTexts(): Promise<void> {
  return texts.loadTexts(LANGUAGES.find((language) => language === document.documentElement.lang) ?? "en");
}

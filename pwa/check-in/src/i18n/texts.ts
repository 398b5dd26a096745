import { createTexts } from "#shared/i18n.ts";
import type { TextKey } from "./en.ts";

export { LANGUAGES, type Language } from "#shared/i18n.ts";
export type { TextKey };

export const { loadTexts, t, tOr } = createTexts<TextKey>({
  es: () => import("./es.ts"),
  ca: () => import("./ca.ts"),
  en: () => import("./en.ts"),
  de: () => import("./de.ts"),
});

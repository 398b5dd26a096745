import { createTexts, LANGUAGES, type Language } from "#shared/i18n.ts";
import type { BackKey } from "./i18n/back/en.ts";
import type { DeskKey } from "./i18n/desk/en.ts";
import type { TextKey as OfficeKey } from "./i18n/en.ts";
import type { LawKey } from "./i18n/law/en.ts";

export type TextKey = OfficeKey | DeskKey | BackKey | LawKey;

export const { t, tOr, loadTexts } = createTexts<TextKey>({
  es: () =>
    all(import("./i18n/es.ts"), import("./i18n/desk/es.ts"), import("./i18n/back/es.ts"), import("./i18n/law/es.ts")),
  ca: () =>
    all(import("./i18n/ca.ts"), import("./i18n/desk/ca.ts"), import("./i18n/back/ca.ts"), import("./i18n/law/ca.ts")),
  en: () =>
    all(import("./i18n/en.ts"), import("./i18n/desk/en.ts"), import("./i18n/back/en.ts"), import("./i18n/law/en.ts")),
  de: () =>
    all(import("./i18n/de.ts"), import("./i18n/desk/de.ts"), import("./i18n/back/de.ts"), import("./i18n/law/de.ts")),
});

type Table<Key extends string> = Promise<{ readonly default: Readonly<Record<Key, string>> }>;

// What the lists and forms say, what the desk says, the fleet, the customers and the money, and what the law has.
async function all(office: Table<OfficeKey>, desk: Table<DeskKey>, back: Table<BackKey>, law: Table<LawKey>) {
  const [one, other, third, fourth] = await Promise.all([office, desk, back, law]);
  return { default: { ...one.default, ...other.default, ...third.default, ...fourth.default } };
}

/** The first of the wanted languages that the office speaks. */
export function chooseLanguage(wanted: readonly (string | null | undefined)[]): Language {
  return LANGUAGES.find((one) => one === wanted.find((other) => LANGUAGES.some((known) => known === other))) ?? "en";
}

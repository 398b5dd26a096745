/** A language the platform itself speaks to people. */
export const SPOKEN_LANGUAGES = ["es", "ca", "en", "de"] as const;
export type SpokenLanguage = (typeof SPOKEN_LANGUAGES)[number];

/** The first of the wishes that the platform speaks, else English. */
export function spokenLanguage(...wishes: readonly (string | undefined)[]): SpokenLanguage {
  const understood = wishes.map((wish) => SPOKEN_LANGUAGES.find((language) => language === wish));
  return understood.find((language) => language !== undefined) ?? "en";
}

const NAMES = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** Whether two small letters are a language's (ISO 639-1). */
export function isLanguage(code: unknown): code is string {
  return typeof code === "string" && /^[a-z]{2}$/.test(code) && NAMES.of(code) !== undefined;
}

/** `texts[language]`, and `name` in the account's default language. */
export type Translations = Readonly<Record<string, string>>;

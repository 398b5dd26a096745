/** A language the platform itself speaks to people. */
export const SPOKEN_LANGUAGES = ["es", "ca", "en", "de"] as const;
export type SpokenLanguage = (typeof SPOKEN_LANGUAGES)[number];

/** The first of the wishes that the platform speaks, else English. */
export function spokenLanguage(...wishes: readonly (string | undefined)[]): SpokenLanguage {
  const understood = wishes.map((wish) => SPOKEN_LANGUAGES.find((language) => language === wish));
  return understood.find((language) => language !== undefined) ?? "en";
}

/** `texts[language]`, and `name` in the account's default language. */
export type Translations = Readonly<Record<string, string>>;

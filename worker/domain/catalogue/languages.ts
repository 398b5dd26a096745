/** A language the platform itself speaks to people. */
export type SpokenLanguage = "es" | "ca" | "en" | "de";

const SPOKEN: readonly SpokenLanguage[] = ["es", "ca", "en", "de"];

/** The first of the wishes that the platform speaks, else English. */
export function spokenLanguage(...wishes: readonly (string | undefined)[]): SpokenLanguage {
  const understood = wishes.map((wish) => SPOKEN.find((language) => language === wish));
  return understood.find((language) => language !== undefined) ?? "en";
}

/** `texts[language]`, and `name` in the account's default language. */
export type Translations = Readonly<Record<string, string>>;

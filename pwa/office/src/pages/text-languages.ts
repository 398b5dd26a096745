import type { Account } from "../account.ts";

/** The languages that a text is translated into: the company's beside its own, and those in which it is said by now. */
export function listTextLanguages(
  { languages, default_language: own }: Pick<Account, "languages" | "default_language">,
  translations: Readonly<Record<string, string>> = {},
): readonly string[] {
  return [...new Set([...languages.filter((language) => language !== own), ...Object.keys(translations)])];
}

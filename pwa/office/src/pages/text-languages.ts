import type { Account } from "../account.ts";

/** The languages that a text is translated into: the company's beside its own, and those in which it is said by now. */
export function languagesOfTexts(
  { languages, default_language: own }: Pick<Account, "languages" | "default_language">,
  said: Readonly<Record<string, string>> = {},
): readonly string[] {
  return [...new Set([...languages.filter((one) => one !== own), ...Object.keys(said)])];
}

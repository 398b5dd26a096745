import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import type { Account } from "../account.ts";

/** Lists the translation languages: the company's other languages, and those that already have a text. */
export function listTextLanguages(
  { languages, default_language: own }: Pick<Account, "languages" | "default_language">,
  translations: Readonly<Record<string, string>> = {},
): readonly string[] {
  return [...new Set([...languages.filter((language) => language !== own), ...Object.keys(translations)])];
}

/** Lists the languages of a customer: the company's languages, and those in which customers read texts. */
export const listCustomerLanguages = ({ languages }: Pick<Account, "languages">): readonly string[] => [
  ...new Set([...languages, ...PLATFORM_LANGUAGES]),
];

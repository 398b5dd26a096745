import type { SpokenLanguage } from "#domain/catalogue/languages.ts";
import { ca } from "./ca.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import type { ContractWords } from "./words.ts";

export type { ContractWords };

const WORDS: Readonly<Record<SpokenLanguage, ContractWords>> = { es, ca, en, de };

/** The words of contracts in a language of the platform. */
export function contractWords(language: SpokenLanguage): ContractWords {
  return WORDS[language];
}

import type { SpokenLanguage } from "#domain/catalogue/languages.ts";
import { ca } from "./ca.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import type { ContractTexts } from "./texts.ts";

export type { ContractTexts };

const WORDS: Readonly<Record<SpokenLanguage, ContractTexts>> = { es, ca, en, de };

/** The words of contracts in a language of the platform. */
export function contractTexts(language: SpokenLanguage): ContractTexts {
  return WORDS[language];
}

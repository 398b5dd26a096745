import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { ca } from "./ca.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { nl } from "./nl.ts";
import { pt } from "./pt.ts";
import type { ContractTexts } from "./texts.ts";

export type { ContractTexts };

const TEXTS: Readonly<Record<PlatformLanguage, ContractTexts>> = { es, ca, en, de, fr, it, pt, nl };

/** Returns the contract texts in a supported language. */
export function getContractTexts(language: PlatformLanguage): ContractTexts {
  return TEXTS[language];
}

import { z } from "zod";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { listCountryNames } from "#domain/countries.ts";
import type { Visitor } from "#worker/api/booking-engine/shared/messages.ts";

type TypeNames = readonly [passport: string, identityCard: string, residencePermit: string];
const DOCUMENT_TYPES: Readonly<Record<string, TypeNames>> = {
  en: ["Passport", "Identity card", "Residence permit"],
  es: ["Pasaporte", "DNI", "NIE"],
  ca: ["Passaport", "DNI", "NIE"],
  de: ["Reisepass", "Personalausweis", "Aufenthaltstitel"],
  fr: ["Passeport", "Carte d'identité", "Titre de séjour"],
  it: ["Passaporto", "Carta d'identità", "Permesso di soggiorno"],
  pt: ["Passaporte", "Cartão de cidadão", "Título de residência"],
  nl: ["Paspoort", "Identiteitskaart", "Verblijfsvergunning"],
} satisfies Record<PlatformLanguage, TypeNames>;

const labelled = z.object({ id: z.string(), label: z.string() });
export const labelledChoicesAnswer = z.array(labelled);
export type LabelledChoicesMessage = z.output<typeof labelledChoicesAnswer>;
export const countriesAnswer = z.array(z.object({ code: z.string(), name: z.string() }));
export type CountriesMessage = z.output<typeof countriesAnswer>;

/**
 * Lists identity document types in the visitor's language, or in English if the platform doesn't support the language.
 */
export function listDocumentTypes(visitor: Visitor): z.output<typeof labelledChoicesAnswer> {
  const labels = DOCUMENT_TYPES[visitor.language] ?? DOCUMENT_TYPES["en"] ?? [];
  return labels.map((label, index) => ({ id: String(index + 1), label }));
}

/** Lists licence classes of the European Union. */
export function listLicenceClasses(): z.output<typeof labelledChoicesAnswer> {
  return ["AM", "A1", "A2", "A", "B", "B+E", "C1", "C", "D1", "D"].map((label, index) => ({
    id: String(index + 1),
    label,
  }));
}

/** Lists countries by two-letter code, named and sorted in the visitor's language. */
export function listNationalities(visitor: Visitor): z.output<typeof countriesAnswer> {
  return [...listCountryNames(visitor.language)];
}

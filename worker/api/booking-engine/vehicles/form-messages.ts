import { z } from "zod";
import type { Visitor } from "#worker/api/booking-engine/shared/messages.ts";

const DOCUMENT_TYPES: Readonly<Record<string, readonly [string, string, string]>> = {
  en: ["Passport", "Identity card", "Residence permit"],
  es: ["Pasaporte", "DNI", "NIE"],
  ca: ["Passaport", "DNI", "NIE"],
  de: ["Reisepass", "Personalausweis", "Aufenthaltstitel"],
};

const labelled = z.object({ id: z.string(), label: z.string() });
export const labelledAnswer = z.array(labelled);
export const countriesAnswer = z.array(z.object({ code: z.string(), name: z.string() }));

/** Kinds of identity documents, in the visitor's language where it is one of the platform's. */
export function toDocumentTypes(visitor: Visitor): z.output<typeof labelledAnswer> {
  const labels = DOCUMENT_TYPES[visitor.language] ?? DOCUMENT_TYPES["en"] ?? [];
  return labels.map((label, index) => ({ id: String(index + 1), label }));
}

/** Licences as the European Union names them. */
export function toLicenseTypes(): z.output<typeof labelledAnswer> {
  return ["AM", "A1", "A2", "A", "B", "B+E", "C1", "C", "D1", "D"].map((label, index) => ({
    id: String(index + 1),
    label,
  }));
}

const COUNTRIES =
  "AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PS PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS YE ZA ZM ZW".split(
    " ",
  );

/** Countries by their two-letter code, named in the visitor's language and sorted in it. */
export function toNationalities(visitor: Visitor): z.output<typeof countriesAnswer> {
  const names = new Intl.DisplayNames([visitor.language, "en"], { type: "region" });
  const sorted = new Intl.Collator(visitor.language);
  return COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) =>
    sorted.compare(a.name, b.name),
  );
}

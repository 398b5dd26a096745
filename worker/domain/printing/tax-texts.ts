import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { TaxExemption, TaxQualification } from "#domain/catalogue/tax-operation.ts";
import type { TaxTerritory } from "#domain/catalogue/tax-territories.ts";

/** Special tax treatment of an operation. */
export type TaxOperation = TaxQualification | TaxExemption;

/** Names of taxes that differ from the language's term for VAT. */
const TAX_NAMES: Readonly<Record<TaxTerritory, string | undefined>> = {
  iva: undefined,
  igic: "IGIC",
  ipsi: "IPSI",
};

/** Countries without VAT, with a sales tax or a goods and services tax. */
const WITHOUT_VAT: ReadonlySet<string> = new Set(["US", "CA", "AU", "NZ", "SG", "MY", "IN", "JP", "HK", "MO", "PR"]);

/** Articles of Ley 37/1992 on IVA. The other taxes have separate laws. */
const ARTICLES: Readonly<Partial<Record<TaxOperation, string>>> = {
  E1: "20",
  E2: "21",
  E3: "22",
  E4: "23–24",
  E5: "25",
};

interface TaxTexts {
  /** Tax name for countries without VAT. */
  readonly tax: string;
  readonly exempt: string;
  readonly law: string;
  readonly notSubject: string;
  readonly reverseCharge: string;
}

const TEXTS: Readonly<Record<PlatformLanguage, TaxTexts>> = {
  es: {
    tax: "Impuesto",
    exempt: "operación exenta",
    law: "art. {articles} de la Ley 37/1992",
    notSubject: "operación no sujeta",
    reverseCharge: "inversión del sujeto pasivo",
  },
  ca: {
    tax: "Impost",
    exempt: "operació exempta",
    law: "art. {articles} de la Llei 37/1992",
    notSubject: "operació no subjecta",
    reverseCharge: "inversió del subjecte passiu",
  },
  en: {
    tax: "Tax",
    exempt: "exempt",
    law: "art. {articles} of the Spanish Law 37/1992",
    notSubject: "operation not subject to tax",
    reverseCharge: "reverse charge",
  },
  de: {
    tax: "Steuer",
    exempt: "steuerfrei",
    law: "Art. {articles} des spanischen Gesetzes 37/1992",
    notSubject: "nicht steuerbar",
    reverseCharge: "Steuerschuldnerschaft des Leistungsempfängers",
  },
  fr: {
    tax: "Taxe",
    exempt: "opération exonérée",
    law: "art. {articles} de la loi espagnole 37/1992",
    notSubject: "opération non soumise",
    reverseCharge: "autoliquidation",
  },
  it: {
    tax: "Imposta",
    exempt: "operazione esente",
    law: "art. {articles} della legge spagnola 37/1992",
    notSubject: "operazione non soggetta",
    reverseCharge: "inversione contabile",
  },
  pt: {
    tax: "Imposto",
    exempt: "operação isenta",
    law: "art. {articles} da Lei espanhola 37/1992",
    notSubject: "operação não sujeita",
    reverseCharge: "autoliquidação",
  },
  nl: {
    tax: "Belasting",
    exempt: "vrijgesteld",
    law: "art. {articles} van de Spaanse wet 37/1992",
    notSubject: "niet belastbaar",
    reverseCharge: "btw verlegd",
  },
};

/** Returns the tax name for a company's documents. Undefined if it's the language's term for VAT. */
export function getTaxName(country: string, territory: TaxTerritory, language: PlatformLanguage): string | undefined {
  return WITHOUT_VAT.has(country) ? TEXTS[language].tax : TAX_NAMES[territory];
}

/** Returns the legally required text for an operation. Undefined for normal taxation. */
export function getTaxOperationText(
  operation: TaxOperation,
  territory: TaxTerritory,
  language: PlatformLanguage,
): string | undefined {
  const { exempt, law, notSubject, reverseCharge } = TEXTS[language];
  if (operation === "S1") return undefined;
  if (operation === "S2") return reverseCharge;
  if (operation === "N1" || operation === "N2") return notSubject;
  const articles = territory === "iva" ? ARTICLES[operation] : undefined;
  return articles === undefined ? exempt : `${exempt} (${law.replace("{articles}", articles)})`;
}

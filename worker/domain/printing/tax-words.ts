import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { Exemption, Qualification } from "#domain/tax-records/records.ts";
import type { Territory } from "#domain/tax-records/territories.ts";

/** What the law says of an operation that is not taxed as usual. */
export type TaxOperation = Qualification | Exemption;

/** What a company's tax is called on its papers where it is not the VAT of the language. */
const TAX_NAMES: Readonly<Record<Territory, string | undefined>> = {
  iva: undefined,
  igic: "IGIC",
  ipsi: "IPSI",
};

/** Countries whose tax on sales is no VAT: sales taxes, and taxes on goods and services that nobody calls one. */
const WITHOUT_VAT: ReadonlySet<string> = new Set(["US", "CA", "AU", "NZ", "SG", "MY", "IN", "JP", "HK", "MO", "PR"]);

/** Of Ley 37/1992, the law on IVA; the laws of the other taxes have articles of their own. */
const ARTICLES: Readonly<Partial<Record<TaxOperation, string>>> = {
  E1: "20",
  E2: "21",
  E3: "22",
  E4: "23–24",
  E5: "25",
};

interface TaxTexts {
  /** Of a country whose tax is no VAT. */
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
    notSubject: "not subject to it",
    reverseCharge: "reverse charge",
  },
  de: {
    tax: "Steuer",
    exempt: "steuerfrei",
    law: "Art. {articles} des spanischen Gesetzes 37/1992",
    notSubject: "nicht steuerbar",
    reverseCharge: "Steuerschuldnerschaft des Leistungsempfängers",
  },
};

/** What the tax is called on papers of a company; undefined where it is the VAT of the language. */
export function getTaxName(country: string, territory: Territory, language: PlatformLanguage): string | undefined {
  return WITHOUT_VAT.has(country) ? TEXTS[language].tax : TAX_NAMES[territory];
}

/** What an invoice has to say of an operation; undefined where it is taxed as usual. */
export function operationText(
  operation: TaxOperation,
  territory: Territory,
  language: PlatformLanguage,
): string | undefined {
  const { exempt, law, notSubject, reverseCharge } = TEXTS[language];
  if (operation === "S1") return undefined;
  if (operation === "S2") return reverseCharge;
  if (operation === "N1" || operation === "N2") return notSubject;
  const articles = territory === "iva" ? ARTICLES[operation] : undefined;
  return articles === undefined ? exempt : `${exempt} (${law.replace("{articles}", articles)})`;
}

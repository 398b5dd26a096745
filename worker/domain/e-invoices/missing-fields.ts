import { toThreeLetterCountryCode } from "#domain/countries.ts";
import { getTaxCategory } from "./categories.ts";
import type { EInvoice, EInvoiceParty } from "./e-invoice.ts";
import type { EInvoiceFormat } from "./formats.ts";

/** Fields that an electronic invoice can lack, by API name. Those of the company start with `company_`. */
export const EINVOICE_FIELDS = [
  "document_kind",
  "company_name",
  "company_document_id",
  "company_address_street",
  "company_address_zip",
  "company_address_city",
  "company_address_state",
  "company_address_country",
  "company_email",
  "company_phone_number",
  "name",
  "document_id",
  "address_street",
  "address_zip",
  "address_city",
  "address_state",
  "address_country",
  "endpoint",
  "buyer_reference",
  "accounting_office",
  "managing_body",
  "processing_unit",
  "currency",
  "serie",
  "tax_rate_code",
  "tax_only_credit",
] as const;
export type EInvoiceField = (typeof EINVOICE_FIELDS)[number];

/**
 * Returns what an invoice lacks for a format: data of the seller or buyer, or something that the format can't express.
 */
export function listMissingFormatFields(format: EInvoiceFormat, invoice: EInvoice): EInvoiceField[] {
  const lacks = { ...lacksForAll(invoice), ...LACKS[format](invoice) };
  return EINVOICE_FIELDS.filter((field) => lacks[field]);
}

type Lacks = Partial<Record<EInvoiceField, boolean>>;

const LACKS: Readonly<Record<EInvoiceFormat, (invoice: EInvoice) => Lacks>> = {
  ubl: (invoice) => ({ ...lacksForEuropean(invoice), ...lacksForPeppol(invoice) }),
  xrechnung: (invoice) => ({ ...lacksForEuropean(invoice), ...lacksForGermany(invoice) }),
  cii: lacksForEuropean,
  facturx: lacksForEuropean,
  facturae: lacksForFacturae,
};

function lacksForAll({ seller, buyer, taxes, territory }: EInvoice): Lacks {
  return {
    company_name: !seller.name.trim(),
    company_document_id: seller.taxId === undefined,
    company_address_country: !isKnownCountry(seller),
    name: !buyer.name.trim(),
    // A rate or tax above zero is only possible in the territory's own tax category of that rate.
    tax_rate_code: taxes.some(
      ({ category, rate, taxCents }) => category !== getTaxCategory(territory, rate) && (taxCents !== 0 || rate !== 0),
    ),
  };
}

const isKnownCountry = ({ country }: EInvoiceParty) => toThreeLetterCountryCode(country) !== undefined;

// Rules BR-08 to BR-11, BR-CO-9, BR-O-11 and BR-CO-17 of EN 16931.
function lacksForEuropean({ buyer, taxes, currencyDecimals }: EInvoice): Lacks {
  const isMixed = taxes.some(({ category }) => category === "O") && taxes.some(({ category }) => category !== "O");
  const needsVatNumber = taxes.some(({ category }) => category === "AE" || category === "K");
  return {
    address_country: !isKnownCountry(buyer),
    document_id: needsVatNumber && buyer.vatNumber === undefined,
    currency: currencyDecimals > 2,
    ...(isMixed && { tax_rate_code: true }),
    // The format computes tax from its base, so it can't express a credit of tax without a base.
    tax_only_credit: taxes.some(({ baseCents, taxCents }) => baseCents === 0 && taxCents !== 0),
  };
}

function lacksForPeppol({ seller, buyer, details, reservation }: EInvoice): Lacks {
  return {
    company_document_id: seller.endpoint === undefined,
    endpoint: buyer.endpoint === undefined || buyer.endpoint.scheme === "EM",
    buyer_reference: !details.buyer_reference && reservation === undefined,
  };
}

// Rules BR-DE-2 to BR-DE-9 and BR-DE-15 of the German profile.
function lacksForGermany({ seller, buyer, details }: EInvoice): Lacks {
  return {
    company_email: !seller.email,
    company_phone_number: !/\d.*\d.*\d/.test(seller.phone ?? ""),
    company_address_zip: !seller.zip,
    company_address_city: !seller.city,
    address_zip: !buyer.zip,
    address_city: !buyer.city,
    endpoint: getGermanEndpoint(buyer) === undefined,
    buyer_reference: !details.buyer_reference,
  };
}

/** Returns the electronic address of a seller or buyer in the German profile, which also allows e-mail. */
export function getGermanEndpoint({ endpoint, email }: EInvoiceParty): EInvoiceParty["endpoint"] {
  return endpoint ?? (email ? { scheme: "EM", id: email } : undefined);
}

// Maximum lengths of the schema of Facturae 3.2.2. It has no shorter form of these texts, so a longer one is missing.
const FACTURAE_LENGTHS = {
  number: 20,
  reference: 20,
  taxId: 30,
  companyName: 80,
  personName: 40,
  street: 80,
  city: 50,
  state: 20,
} as const;

const fits = (kind: keyof typeof FACTURAE_LENGTHS, text: string): boolean => [...text].length <= FACTURAE_LENGTHS[kind];

/**
 * Returns first name and surnames of a person for Facturae. Without known parts, the first word is the first name.
 * Undefined without a surname.
 */
export function splitPersonName({ name, nameParts }: EInvoiceParty): readonly [string, string] | undefined {
  if (nameParts) return nameParts;
  const [first = "", ...surnames] = name.trim().split(/\s+/);
  return surnames.length === 0 ? undefined : [first, surnames.join(" ")];
}

/** Returns the town of an address in Facturae, which has one field for postcode and town abroad. */
export function getFacturaeTown({ country, zip, city }: EInvoiceParty): string {
  return country === "ES" ? (city ?? "") : [zip, city].filter(Boolean).join(" ");
}

/** Returns the province of an address in Facturae. One in Spain has a longer name than the schema allows. */
export function getFacturaeProvince({ country, state = "" }: EInvoiceParty): string {
  return country === "ES" && /^santa cruz de tenerife$/i.test(state.trim()) ? "Sta. Cruz Tenerife" : state;
}

function fitsFacturaeName(party: EInvoiceParty): boolean {
  if (!party.isPerson) return fits("companyName", party.name);
  return (splitPersonName(party) ?? [party.name]).every((part) => fits("personName", part));
}

// Whether Facturae can contain a buyer. A person needs a first name and a surname.
function canBeFacturaeBuyer(buyer: EInvoiceParty): boolean {
  const isComplete = buyer.isPerson ? splitPersonName(buyer) !== undefined : buyer.name.trim() !== "";
  return isComplete && fitsFacturaeName(buyer);
}

function fitsFacturaeNumbers({ serie, number, preceding }: EInvoice): boolean {
  const names = [serie, String(number ?? ""), ...preceding.map((corrected) => corrected.serie ?? "")];
  return names.every((name) => fits("number", name));
}

function lacksForFacturae(invoice: EInvoice): Lacks {
  const { seller, buyer, details } = invoice;
  const lacksAddress = (party: EInvoiceParty) => ({
    street: !party.street || !fits("street", party.street),
    zip: !party.zip || (party.country === "ES" && !/^\d{5}$/.test(party.zip)),
    city: !party.city || !fits("city", getFacturaeTown(party)),
    state: !party.state || !fits("state", getFacturaeProvince(party)),
  });
  const [own, other] = [lacksAddress(seller), lacksAddress(buyer)];
  const { accounting_office, managing_body, processing_unit, buyer_reference } = details;
  const isAdministration = Boolean(accounting_office || managing_body || processing_unit);
  return {
    company_name: !seller.name.trim() || !fitsFacturaeName(seller),
    company_document_id: seller.taxId === undefined || !fits("taxId", seller.taxId),
    company_address_street: own.street,
    company_address_zip: own.zip,
    company_address_city: own.city,
    company_address_state: own.state,
    name: !canBeFacturaeBuyer(buyer),
    document_id: (buyer.taxId ?? "").length < 3 || !fits("taxId", buyer.taxId ?? ""),
    address_street: other.street,
    address_zip: other.zip,
    address_city: other.city,
    address_state: other.state,
    address_country: !isKnownCountry(buyer),
    // Facturae writes the due amount with two decimals, so it can't express a currency with more.
    currency: invoice.currencyDecimals > 2,
    buyer_reference: !fits("reference", buyer_reference ?? ""),
    serie: !fitsFacturaeNumbers(invoice),
    accounting_office: isAdministration && !accounting_office,
    managing_body: isAdministration && !managing_body,
    processing_unit: isAdministration && !processing_unit,
  };
}

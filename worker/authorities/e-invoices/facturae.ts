import type { Territory } from "#domain/catalogue/tax-territories.ts";
import { threeLetters } from "#domain/countries.ts";
import type { CreditReason } from "#domain/documents/credit-reasons.ts";
import { needsReason } from "#domain/e-invoices/categories.ts";
import { type EInvoice, getOperationDate, type InvoiceLine, type Party } from "#domain/e-invoices/e-invoice.ts";
import type { EInvoiceDetails } from "#domain/e-invoices/formats.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { leaf, node } from "#worker/authorities/xml.ts";
import { getRate, getUnitPrice } from "./amounts.ts";

const NAMESPACE = "http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml";

type Child = string | undefined | false;

/**
 * Writes an invoice as Facturae 3.2.2 without signature (`signFacturae`). Elements in the schema's order. A credit note
 * keeps its negative amounts and corrects by differences.
 */
export function facturaeXml(invoice: EInvoice): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${node(
    // In the order of canonical XML, which signatures cover.
    `fe:Facturae xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:fe="${NAMESPACE}"`,
    headerXml(invoice),
    node(
      "Parties",
      node("SellerParty", ...partyXml(invoice.seller)),
      node("BuyerParty", ...partyXml(invoice.buyer, invoice.details)),
    ),
    node("Invoices", invoiceXml(invoice)),
  )}`;
}

const amount = ({ currencyDecimals }: EInvoice, cents: Cents) => toAmount(cents, currencyDecimals);
const total = (name: string, invoice: EInvoice, cents: Cents) =>
  node(name, leaf("TotalAmount", amount(invoice, cents)));

function headerXml(invoice: EInvoice): string {
  const { seller, serie, number, totalCents, dueCents } = invoice;
  return node(
    "FileHeader",
    leaf("SchemaVersion", "3.2.2"),
    leaf("Modality", "I"),
    leaf("InvoiceIssuerType", "EM"),
    node(
      "Batch",
      leaf("BatchIdentifier", shorten(`${seller.taxId ?? ""}${number ?? ""}${serie}`, 70)),
      leaf("InvoicesCount", "1"),
      total("TotalInvoicesAmount", invoice, totalCents),
      total("TotalOutstandingAmount", invoice, dueCents),
      total("TotalExecutableAmount", invoice, dueCents),
      leaf("InvoiceCurrencyCode", invoice.currency),
    ),
  );
}

const shorten = (text: string, length: number) => [...text].slice(0, length).join("");

// Countries of the European Union. Facturae distinguishes residents of Spain (R), of another Union country (U), and
// others (E).
const UNION = "AT BE BG CY CZ DE DK EE FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");

function partyXml(party: Party, details: EInvoiceDetails = {}): readonly Child[] {
  const residence = party.country === "ES" ? "R" : UNION.includes(party.country ?? "") ? "U" : "E";
  return [
    node(
      "TaxIdentification",
      leaf("PersonTypeCode", party.isPerson ? "F" : "J"),
      leaf("ResidenceTypeCode", residence),
      leaf("TaxIdentificationNumber", shorten(party.taxId ?? "", 30)),
    ),
    centresXml(party, details),
    party.isPerson ? personXml(party) : companyXml(party),
  ];
}

// Roles of the common directory of Spanish administrations (DIR3): 01 accounts, 02 manages, 03 pays.
function centresXml(party: Party, { accounting_office, managing_body, processing_unit }: EInvoiceDetails): Child {
  const centres = [
    ["01", accounting_office],
    ["02", managing_body],
    ["03", processing_unit],
  ] as const;
  if (centres.some(([, code]) => !code)) return undefined;
  return node(
    "AdministrativeCentres",
    ...centres.map(([role, code]) =>
      node("AdministrativeCentre", leaf("CentreCode", code), leaf("RoleTypeCode", role), addressXml(party)),
    ),
  );
}

function companyXml(party: Party): string {
  return node("LegalEntity", leaf("CorporateName", shorten(party.name, 80)), addressXml(party), ...contactXml(party));
}

function personXml(party: Party): string {
  const [name = "", ...surnames] = party.name.trim().split(/\s+/);
  return node(
    "Individual",
    leaf("Name", shorten(name, 40)),
    leaf("FirstSurname", shorten(surnames.join(" ") || name, 40)),
    addressXml(party),
    ...contactXml(party),
  );
}

function addressXml({ street, zip, city, state, country }: Party): string {
  const parts = [leaf("Province", shorten(state ?? "", 20)), leaf("CountryCode", threeLetters(country))];
  const address = leaf("Address", shorten(street ?? "", 80));
  return country === "ES"
    ? node("AddressInSpain", address, leaf("PostCode", zip), leaf("Town", shorten(city ?? "", 50)), ...parts)
    : node(
        "OverseasAddress",
        address,
        leaf("PostCodeAndTown", shorten([zip, city].filter(Boolean).join(" "), 50)),
        ...parts,
      );
}

function contactXml({ phone, email }: Party): readonly Child[] {
  const telephone = phone && phone.length <= 15 ? phone : undefined;
  const mail = email && email.length <= 60 ? email : undefined;
  return telephone || mail ? [node("ContactDetails", leaf("Telephone", telephone), leaf("ElectronicMail", mail))] : [];
}

const LANGUAGE = "es";

function invoiceXml(invoice: EInvoice): string {
  const { lines, taxes, period, language } = invoice;
  return node(
    "Invoice",
    node(
      "InvoiceHeader",
      leaf("InvoiceNumber", String(invoice.number ?? "")),
      leaf("InvoiceSeriesCode", invoice.serie || undefined),
      leaf("InvoiceDocumentType", invoice.form === "simplified" ? "FA" : "FC"),
      leaf("InvoiceClass", invoice.form === "credit_note" ? "OR" : "OO"),
      correctiveXml(invoice),
    ),
    node(
      "InvoiceIssueData",
      leaf("IssueDate", invoice.date),
      leaf(
        "OperationDate",
        getOperationDate({ ...invoice, referenceDates: period && `${period.from} - ${period.to}` }),
      ),
      period && node("InvoicingPeriod", leaf("StartDate", period.from), leaf("EndDate", period.to)),
      leaf("InvoiceCurrencyCode", invoice.currency),
      leaf("TaxCurrencyCode", invoice.currency),
      leaf("LanguageName", language ?? LANGUAGE),
      leaf("InvoiceDescription", invoice.concept || undefined),
      leaf("ReceiverTransactionReference", invoice.details.buyer_reference?.slice(0, 20)),
    ),
    node("TaxesOutputs", ...taxes.map((tax) => taxXml(invoice, tax.baseCents, tax.taxCents, getRate(tax) ?? "0.00"))),
    totalsXml(invoice),
    node("Items", ...lines.map((line) => lineXml(invoice, line))),
    installmentXml(invoice),
    reasonsXml(invoice),
    recordXml(invoice),
  );
}

const TAXES: Readonly<Record<Territory, string>> = { iva: "01", ipsi: "02", igic: "03" };

function taxXml(invoice: EInvoice, baseCents: Cents, taxCents: Cents, rate: string): string {
  return node(
    "Tax",
    leaf("TaxTypeCode", TAXES[invoice.territory]),
    leaf("TaxRate", rate),
    total("TaxableBase", invoice, baseCents),
    total("TaxAmount", invoice, taxCents),
  );
}

// Codes and texts of the schema.
const DISCOUNT = ["83", "Base imponible modificada por descuentos y bonificaciones"] as const;
const UNPAID = [
  "85",
  "Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso",
] as const;
const REASONS: Readonly<Record<CreditReason, readonly [string, string]>> = {
  correction: DISCOUNT,
  insolvency: UNPAID,
  bad_debt: UNPAID,
  other: ["10", "Detalle Operación"],
};

function correctiveXml({ form, preceding: [corrected], creditReason, date }: EInvoice): Child {
  if (form !== "credit_note") return undefined;
  const [code, text] = REASONS[creditReason ?? "correction"];
  const day = corrected?.date ?? date;
  return node(
    "Corrective",
    leaf("InvoiceNumber", corrected?.number === null ? undefined : corrected && String(corrected.number)),
    leaf("InvoiceSeriesCode", corrected?.serie?.slice(0, 20) || undefined),
    leaf("ReasonCode", code),
    leaf("ReasonDescription", text),
    node("TaxPeriod", leaf("StartDate", `${day.slice(0, 7)}-01`), leaf("EndDate", getMonthEnd(day))),
    leaf("CorrectionMethod", "02"),
    leaf("CorrectionMethodDescription", "Rectificación por diferencias"),
    leaf("InvoiceIssueDate", corrected?.date ?? undefined),
  );
}

function getMonthEnd(day: string): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function totalsXml(invoice: EInvoice): string {
  const { netCents, taxCents, totalCents, paidCents, dueCents } = invoice;
  const sum = (name: string, cents: Cents) => leaf(name, amount(invoice, cents));
  return node(
    "InvoiceTotals",
    sum("TotalGrossAmount", netCents),
    sum("TotalGrossAmountBeforeTaxes", netCents),
    sum("TotalTaxOutputs", taxCents),
    sum("TotalTaxesWithheld", 0),
    sum("InvoiceTotal", totalCents),
    sum("TotalOutstandingAmount", dueCents),
    paidCents !== 0 && sum("TotalPaymentsOnAccount", paidCents),
    sum("TotalExecutableAmount", dueCents),
  );
}

function lineXml(invoice: EInvoice, line: InvoiceLine): string {
  const { concept, quantity, netCents, taxCents, category } = line;
  const tax = invoice.taxes.find((subtotal) => subtotal.category === category && subtotal.rate === line.rate);
  return node(
    "InvoiceLine",
    leaf("ItemDescription", concept),
    leaf("Quantity", String(quantity)),
    leaf("UnitOfMeasure", "01"),
    leaf("UnitPriceWithoutTax", getUnitPrice(line, invoice)),
    leaf("TotalCost", amount(invoice, netCents)),
    leaf("GrossAmount", amount(invoice, netCents)),
    node("TaxesOutputs", taxXml(invoice, netCents, taxCents, getRate(line) ?? "0.00")),
    needsReason(category) &&
      node(
        "SpecialTaxableEvent",
        // 01: exempt. 02: not subject to the tax.
        leaf("SpecialTaxableEventCode", category === "O" || category === "AE" ? "02" : "01"),
        leaf("SpecialTaxableEventReason", tax?.reason ?? concept),
      ),
  );
}

function installmentXml(invoice: EInvoice): Child {
  const { dueCents, form, dueDate, date, iban } = invoice;
  if (dueCents <= 0 || form === "credit_note") return undefined;
  return node(
    "PaymentDetails",
    node(
      "Installment",
      leaf("InstallmentDueDate", dueDate ?? date),
      leaf("InstallmentAmount", toAmount(dueCents, invoice.currencyDecimals)),
      // 04: transfer. 13: as agreed.
      leaf("PaymentMeans", iban ? "04" : "13"),
      iban && node("AccountToBeCredited", leaf("IBAN", iban)),
    ),
  );
}

const MAX_REFERENCE_LENGTH = 250;

function reasonsXml({ taxes }: EInvoice): Child {
  const reasons = [...new Set(taxes.flatMap(({ reason }) => reason ?? []))];
  if (reasons.length === 0) return undefined;
  return node(
    "LegalLiterals",
    ...reasons.map((reason) => leaf("LegalReference", shorten(reason, MAX_REFERENCE_LENGTH))),
  );
}

function recordXml({ recordUrl }: EInvoice): Child {
  return recordUrl && node("AdditionalData", leaf("InvoiceAdditionalInformation", recordUrl));
}

import type { TaxTerritory } from "#domain/catalogue/tax-territories.ts";
import { toThreeLetterCountryCode } from "#domain/countries.ts";
import type { CreditReason } from "#domain/documents/credit-reasons.ts";
import { needsExemptionReason } from "#domain/e-invoices/categories.ts";
import {
  type EInvoice,
  type EInvoiceParty,
  getRentalEndBeforeIssue,
  type InvoiceLine,
} from "#domain/e-invoices/e-invoice.ts";
import type { EInvoiceDetails } from "#domain/e-invoices/formats.ts";
import { getFacturaeProvince, getFacturaeTown, splitPersonName } from "#domain/e-invoices/missing-fields.ts";
import { type Cents, toAmount } from "#domain/money.ts";
import { writeElement, writeTextElement } from "#worker/authorities/xml.ts";
import { formatTaxRate, formatUnitPrice } from "./amounts.ts";

const NAMESPACE = "http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml";

type Child = string | undefined | false;

/**
 * Writes an invoice as Facturae 3.2.2 without signature (`signFacturae`). Elements in the schema's order. A credit note
 * keeps its negative amounts and corrects by differences.
 */
export function writeFacturaeXml(invoice: EInvoice): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${writeElement(
    // In the order of canonical XML, which signatures cover.
    `fe:Facturae xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:fe="${NAMESPACE}"`,
    headerXml(invoice),
    writeElement(
      "Parties",
      writeElement("SellerParty", ...partyXml(invoice.seller)),
      writeElement("BuyerParty", ...partyXml(invoice.buyer, invoice.details)),
    ),
    writeElement("Invoices", invoiceXml(invoice)),
  )}`;
}

const amount = ({ currencyDecimals }: EInvoice, cents: Cents) => toAmount(cents, currencyDecimals);
// The schema requires two decimals here, also of a currency without decimals.
const toTwoDecimals = (text: string) => (text.includes(".") ? text : `${text}.00`);
const total = (name: string, invoice: EInvoice, cents: Cents) =>
  writeElement(name, writeTextElement("TotalAmount", amount(invoice, cents)));

function headerXml(invoice: EInvoice): string {
  const { seller, serie, number, totalCents, dueCents } = invoice;
  return writeElement(
    "FileHeader",
    writeTextElement("SchemaVersion", "3.2.2"),
    writeTextElement("Modality", "I"),
    writeTextElement("InvoiceIssuerType", "EM"),
    writeElement(
      "Batch",
      writeTextElement("BatchIdentifier", `${seller.taxId ?? ""}${number ?? ""}${serie}`),
      writeTextElement("InvoicesCount", "1"),
      total("TotalInvoicesAmount", invoice, totalCents),
      total("TotalOutstandingAmount", invoice, dueCents),
      total("TotalExecutableAmount", invoice, dueCents),
      writeTextElement("InvoiceCurrencyCode", invoice.currency),
    ),
  );
}

// Countries of the European Union. Facturae distinguishes residents of Spain (R), of another Union country (U), and
// others (E).
const UNION = "AT BE BG CY CZ DE DK EE FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");

function partyXml(party: EInvoiceParty, details: EInvoiceDetails = {}): readonly Child[] {
  const residence = party.country === "ES" ? "R" : UNION.includes(party.country ?? "") ? "U" : "E";
  return [
    writeElement(
      "TaxIdentification",
      writeTextElement("PersonTypeCode", party.isPerson ? "F" : "J"),
      writeTextElement("ResidenceTypeCode", residence),
      writeTextElement("TaxIdentificationNumber", party.taxId ?? ""),
    ),
    centresXml(party, details),
    party.isPerson ? personXml(party) : companyXml(party),
  ];
}

// Roles of the common directory of Spanish administrations (DIR3): 01 accounts, 02 manages, 03 pays.
function centresXml(
  party: EInvoiceParty,
  { accounting_office, managing_body, processing_unit }: EInvoiceDetails,
): Child {
  const centres = [
    ["01", accounting_office],
    ["02", managing_body],
    ["03", processing_unit],
  ] as const;
  if (centres.some(([, code]) => !code)) return undefined;
  return writeElement(
    "AdministrativeCentres",
    ...centres.map(([role, code]) =>
      writeElement(
        "AdministrativeCentre",
        writeTextElement("CentreCode", code),
        writeTextElement("RoleTypeCode", role),
        addressXml(party),
      ),
    ),
  );
}

function companyXml(party: EInvoiceParty): string {
  return writeElement(
    "LegalEntity",
    writeTextElement("CorporateName", party.name),
    addressXml(party),
    ...contactXml(party),
  );
}

function personXml(party: EInvoiceParty): string {
  const [name, surname] = splitPersonName(party) ?? [party.name, party.name];
  return writeElement(
    "Individual",
    writeTextElement("Name", name),
    writeTextElement("FirstSurname", surname),
    addressXml(party),
    ...contactXml(party),
  );
}

function addressXml(party: EInvoiceParty): string {
  const { street, zip, country } = party;
  const parts = [
    writeTextElement("Province", getFacturaeProvince(party)),
    writeTextElement("CountryCode", toThreeLetterCountryCode(country)),
  ];
  const address = writeTextElement("Address", street ?? "");
  return country === "ES"
    ? writeElement(
        "AddressInSpain",
        address,
        writeTextElement("PostCode", zip),
        writeTextElement("Town", getFacturaeTown(party)),
        ...parts,
      )
    : writeElement("OverseasAddress", address, writeTextElement("PostCodeAndTown", getFacturaeTown(party)), ...parts);
}

const MAX_PHONE_LENGTH = 15;
const MAX_MAIL_LENGTH = 60;

// Omits contacts that are too long for the schema, because shortened ones would reach another person.
function contactXml({ phone, email }: EInvoiceParty): readonly Child[] {
  const digits = phone && phone.length > MAX_PHONE_LENGTH ? phone.replaceAll(/[^\d+]/g, "") : phone;
  const telephone = digits && digits.length <= MAX_PHONE_LENGTH ? digits : undefined;
  const mail = email && email.length <= MAX_MAIL_LENGTH ? email : undefined;
  return telephone || mail
    ? [
        writeElement(
          "ContactDetails",
          writeTextElement("Telephone", telephone),
          writeTextElement("ElectronicMail", mail),
        ),
      ]
    : [];
}

const LANGUAGE = "es";

function invoiceXml(invoice: EInvoice): string {
  const { lines, taxes, period, language } = invoice;
  return writeElement(
    "Invoice",
    writeElement(
      "InvoiceHeader",
      writeTextElement("InvoiceNumber", String(invoice.number ?? "")),
      writeTextElement("InvoiceSeriesCode", invoice.serie || undefined),
      writeTextElement("InvoiceDocumentType", invoice.form === "simplified" ? "FA" : "FC"),
      writeTextElement("InvoiceClass", invoice.form === "credit_note" ? "OR" : "OO"),
      correctiveXml(invoice),
    ),
    writeElement(
      "InvoiceIssueData",
      writeTextElement("IssueDate", invoice.date),
      writeTextElement(
        "OperationDate",
        getRentalEndBeforeIssue({ ...invoice, referenceDates: period && `${period.from} - ${period.to}` }),
      ),
      period &&
        writeElement(
          "InvoicingPeriod",
          writeTextElement("StartDate", period.from),
          writeTextElement("EndDate", period.to),
        ),
      writeTextElement("InvoiceCurrencyCode", invoice.currency),
      writeTextElement("TaxCurrencyCode", invoice.currency),
      writeTextElement("LanguageName", language ?? LANGUAGE),
      writeTextElement("InvoiceDescription", invoice.concept || undefined),
      writeTextElement("ReceiverTransactionReference", invoice.details.buyer_reference),
    ),
    writeElement(
      "TaxesOutputs",
      ...taxes.map((tax) => taxXml(invoice, tax.baseCents, tax.taxCents, formatTaxRate(tax) ?? "0.00")),
    ),
    totalsXml(invoice),
    writeElement("Items", ...lines.map((line) => lineXml(invoice, line))),
    installmentXml(invoice),
    reasonsXml(invoice),
    recordXml(invoice),
  );
}

const TAXES: Readonly<Record<TaxTerritory, string>> = { iva: "01", ipsi: "02", igic: "03" };

function taxXml(invoice: EInvoice, baseCents: Cents, taxCents: Cents, rate: string): string {
  return writeElement(
    "Tax",
    writeTextElement("TaxTypeCode", TAXES[invoice.territory]),
    writeTextElement("TaxRate", rate),
    total("TaxableBase", invoice, baseCents),
    total("TaxAmount", invoice, taxCents),
  );
}

// Facturae's reasons for a correction: code and prescribed text.
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
  return writeElement(
    "Corrective",
    writeTextElement("InvoiceNumber", corrected?.number === null ? undefined : corrected && String(corrected.number)),
    writeTextElement("InvoiceSeriesCode", corrected?.serie || undefined),
    writeTextElement("ReasonCode", code),
    writeTextElement("ReasonDescription", text),
    writeElement(
      "TaxPeriod",
      writeTextElement("StartDate", `${day.slice(0, 7)}-01`),
      writeTextElement("EndDate", getMonthEnd(day)),
    ),
    writeTextElement("CorrectionMethod", "02"),
    writeTextElement("CorrectionMethodDescription", "Rectificación por diferencias"),
    writeTextElement("InvoiceIssueDate", corrected?.date ?? undefined),
  );
}

function getMonthEnd(day: string): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function totalsXml(invoice: EInvoice): string {
  const { netCents, taxCents, totalCents, paidCents, dueCents } = invoice;
  const sum = (name: string, cents: Cents) => writeTextElement(name, amount(invoice, cents));
  return writeElement(
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
  return writeElement(
    "InvoiceLine",
    writeTextElement("ItemDescription", concept),
    writeTextElement("Quantity", String(quantity)),
    writeTextElement("UnitOfMeasure", "01"),
    writeTextElement("UnitPriceWithoutTax", formatUnitPrice(line, invoice)),
    writeTextElement("TotalCost", amount(invoice, netCents)),
    writeTextElement("GrossAmount", amount(invoice, netCents)),
    writeElement("TaxesOutputs", taxXml(invoice, netCents, taxCents, formatTaxRate(line) ?? "0.00")),
    needsExemptionReason(category) &&
      writeElement(
        "SpecialTaxableEvent",
        // 01: exempt. 02: not subject to the tax.
        writeTextElement("SpecialTaxableEventCode", category === "O" || category === "AE" ? "02" : "01"),
        writeTextElement("SpecialTaxableEventReason", tax?.reason ?? concept),
      ),
  );
}

function installmentXml(invoice: EInvoice): Child {
  const { dueCents, form, dueDate, date, iban } = invoice;
  if (dueCents <= 0 || form === "credit_note") return undefined;
  return writeElement(
    "PaymentDetails",
    writeElement(
      "Installment",
      writeTextElement("InstallmentDueDate", dueDate ?? date),
      writeTextElement("InstallmentAmount", toTwoDecimals(amount(invoice, dueCents))),
      // 04: transfer. 13: as agreed.
      writeTextElement("PaymentMeans", iban ? "04" : "13"),
      iban && writeElement("AccountToBeCredited", writeTextElement("IBAN", iban)),
    ),
  );
}

function reasonsXml({ taxes }: EInvoice): Child {
  const reasons = [...new Set(taxes.flatMap(({ reason }) => reason ?? []))];
  if (reasons.length === 0) return undefined;
  return writeElement("LegalLiterals", ...reasons.map((reason) => writeTextElement("LegalReference", reason)));
}

function recordXml({ recordUrl }: EInvoice): Child {
  return recordUrl && writeElement("AdditionalData", writeTextElement("InvoiceAdditionalInformation", recordUrl));
}

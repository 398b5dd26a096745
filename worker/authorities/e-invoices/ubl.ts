import type {
  EInvoice,
  EInvoiceParty,
  InvoiceLine,
  TaxCategoryAndRate,
  TaxSubtotal,
} from "#domain/e-invoices/e-invoice.ts";
import { getGermanEndpoint } from "#domain/e-invoices/missing-fields.ts";
import { formatDocumentNumber } from "#domain/printing/documents.ts";
import { getPrintTexts } from "#domain/printing/texts.ts";
import { writeAttributedElement, writeElement, writeTextElement } from "#worker/authorities/xml.ts";
import { createAmountFormatter, formatQuantity, formatTaxRate, formatUnitPrice, isOutsideTaxScope } from "./amounts.ts";

type Profile = "ubl" | "xrechnung";

const CUSTOMIZATIONS: Readonly<Record<Profile, string>> = {
  ubl: "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0",
  xrechnung: "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0",
};
const PROFILE = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const SCHEMAS = "urn:oasis:names:specification:ubl:schema:xsd";

const cbc = (name: string, text: string | undefined) => writeTextElement(`cbc:${name}`, text || undefined);
const cac = (name: string, ...children: readonly (string | undefined | false)[]) =>
  writeElement(`cac:${name}`, ...children);

/**
 * Writes an invoice as UBL 2.1: Peppol BIS Billing 3.0, or the German XRechnung 3.0. Elements in the schema's order.
 */
export function writeUblXml(invoice: EInvoice, profile: Profile): string {
  const isCredit = invoice.form === "credit_note";
  const root = isCredit ? "CreditNote" : "Invoice";
  const spaces = `xmlns="${SCHEMAS}:${root}-2" xmlns:cac="${SCHEMAS}:CommonAggregateComponents-2" xmlns:cbc="${SCHEMAS}:CommonBasicComponents-2"`;
  const { period, recordUrl, details, reservation } = invoice;
  const type = cbc(`${root}TypeCode`, getEInvoiceTypeCode(invoice, profile));
  return `<?xml version="1.0" encoding="UTF-8"?>${writeElement(
    `${root} ${spaces}`,
    cbc("CustomizationID", CUSTOMIZATIONS[profile]),
    cbc("ProfileID", PROFILE),
    cbc("ID", invoice.name),
    cbc("IssueDate", invoice.date),
    !isCredit && cbc("DueDate", invoice.dueDate),
    type,
    cbc("Note", invoice.concept),
    cbc("DocumentCurrencyCode", invoice.currency),
    cbc("BuyerReference", details.buyer_reference ?? reservation),
    period && cac("InvoicePeriod", cbc("StartDate", period.from), cbc("EndDate", period.to)),
    ...precedingXml(invoice),
    recordUrl &&
      cac(
        "AdditionalDocumentReference",
        cbc("ID", "VERI*FACTU"),
        cac("Attachment", cac("ExternalReference", cbc("URI", recordUrl))),
      ),
    cac("AccountingSupplierParty", partyXml(invoice, invoice.seller, profile, true)),
    cac("AccountingCustomerParty", partyXml(invoice, invoice.buyer, profile, false)),
    deliveryXml(invoice, profile),
    paymentXml(invoice),
    termsXml(invoice),
    taxXml(invoice, profile),
    totalsXml(invoice),
    ...invoice.lines.map((line, index) => lineXml(invoice, line, index)),
  )}`;
}

/** Returns the code of a document's type. Germany doesn't use the code of an advance. */
export function getEInvoiceTypeCode({ form, isAdvance }: EInvoice, profile: Profile | "cii"): string {
  if (form === "credit_note") return "381";
  return isAdvance && profile !== "xrechnung" ? "386" : "380";
}

function precedingXml({ preceding }: EInvoice): readonly string[] {
  return preceding.flatMap(({ serie, number, date }) => {
    const name = formatDocumentNumber({ serie, number });
    const reference = name && cac("InvoiceDocumentReference", cbc("ID", name), cbc("IssueDate", date ?? undefined));
    return reference ? [cac("BillingReference", reference)] : [];
  });
}

function partyXml(invoice: EInvoice, party: EInvoiceParty, profile: Profile, isSeller: boolean): string {
  const { name, street, city, zip, state, country, vatNumber, taxId, phone, email } = party;
  const endpoint = profile === "xrechnung" ? getGermanEndpoint(party) : party.endpoint;
  const hasVat = vatNumber !== undefined && !isOutsideTaxScope(invoice);
  const registration = hasVat
    ? cac("PartyTaxScheme", cbc("CompanyID", vatNumber), cac("TaxScheme", cbc("ID", "VAT")))
    : isSeller && cac("PartyTaxScheme", cbc("CompanyID", taxId), cac("TaxScheme", cbc("ID", "TAX")));
  return cac(
    "Party",
    endpoint && writeAttributedElement("cbc:EndpointID", { schemeID: endpoint.scheme }, endpoint.id),
    cac("PartyName", cbc("Name", name)),
    cac(
      "PostalAddress",
      cbc("StreetName", street),
      cbc("CityName", city),
      cbc("PostalZone", zip),
      cbc("CountrySubentity", state),
      cac("Country", cbc("IdentificationCode", country)),
    ),
    registration,
    cac("PartyLegalEntity", cbc("RegistrationName", name), (isSeller || !hasVat) && cbc("CompanyID", taxId)),
    Boolean(phone || email) &&
      cac("Contact", isSeller && cbc("Name", name), cbc("Telephone", phone), cbc("ElectronicMail", email)),
  );
}

// A supply within the Union names its destination and day (BR-IC-11 and BR-IC-12), in Germany with town and postcode
// (BR-DE-10 and BR-DE-11).
function deliveryXml({ taxes, period, date, buyer }: EInvoice, profile: Profile): string | undefined {
  if (taxes.every(({ category }) => category !== "K")) return undefined;
  const town = profile === "xrechnung" && [cbc("CityName", buyer.city), cbc("PostalZone", buyer.zip)];
  const country = cac("Country", cbc("IdentificationCode", buyer.country));
  return cac(
    "Delivery",
    cbc("ActualDeliveryDate", period?.to ?? date),
    cac("DeliveryLocation", cac("Address", ...(town || []), country)),
  );
}

/** Codes of payment means: a SEPA transfer, or as agreed. */
export const PAYMENT_MEANS_CODES = { transfer: "58", agreed: "ZZZ" } as const;

function paymentXml({ iban, form }: EInvoice): string {
  if (!iban || form === "credit_note") return cac("PaymentMeans", cbc("PaymentMeansCode", PAYMENT_MEANS_CODES.agreed));
  return cac(
    "PaymentMeans",
    cbc("PaymentMeansCode", PAYMENT_MEANS_CODES.transfer),
    cac("PayeeFinancialAccount", cbc("ID", iban)),
  );
}

/** Returns how a credit note is settled, and when an invoice without a due date is paid (BR-CO-25). */
export function getPaymentTermsText({ form, dueDate, preceding, language, date }: EInvoice): string | undefined {
  const texts = getPrintTexts(language);
  const [corrected] = preceding;
  if (form === "credit_note") return `${texts.corrects} ${(corrected && formatDocumentNumber(corrected)) ?? ""}`.trim();
  return dueDate === undefined ? `${texts.dueDate} ${date}` : undefined;
}

function termsXml(invoice: EInvoice): string | undefined {
  const text = getPaymentTermsText(invoice);
  return text && cac("PaymentTerms", cbc("Note", text));
}

const money = (invoice: EInvoice) => {
  const write = createAmountFormatter(invoice);
  return (name: string, cents: number) =>
    writeAttributedElement(`cbc:${name}`, { currencyID: invoice.currency }, write(cents));
};

function categoryXml(name: string, kind: TaxCategoryAndRate | TaxSubtotal, rate = formatTaxRate(kind)): string {
  return cac(
    name,
    cbc("ID", kind.category),
    cbc("Percent", rate),
    "reasonCode" in kind && cbc("TaxExemptionReasonCode", kind.reasonCode),
    "reason" in kind && cbc("TaxExemptionReason", kind.reason),
    cac("TaxScheme", cbc("ID", "VAT")),
  );
}

function taxXml(invoice: EInvoice, profile: Profile): string {
  const amount = money(invoice);
  // Germany requires a rate also outside the scope of the tax (BR-DE-14).
  const formatRate = (tax: TaxSubtotal) => formatTaxRate(tax) ?? (profile === "xrechnung" ? "0.00" : undefined);
  return cac(
    "TaxTotal",
    amount("TaxAmount", invoice.taxCents),
    ...invoice.taxes.map((tax) =>
      cac(
        "TaxSubtotal",
        amount("TaxableAmount", tax.baseCents),
        amount("TaxAmount", tax.taxCents),
        categoryXml("TaxCategory", tax, formatRate(tax)),
      ),
    ),
  );
}

function totalsXml(invoice: EInvoice): string {
  const amount = money(invoice);
  return cac(
    "LegalMonetaryTotal",
    amount("LineExtensionAmount", invoice.netCents),
    amount("TaxExclusiveAmount", invoice.netCents),
    amount("TaxInclusiveAmount", invoice.totalCents),
    invoice.paidCents !== 0 && amount("PrepaidAmount", invoice.paidCents),
    amount("PayableAmount", invoice.dueCents),
  );
}

function lineXml(invoice: EInvoice, line: InvoiceLine, index: number): string {
  const isCredit = invoice.form === "credit_note";
  return cac(
    isCredit ? "CreditNoteLine" : "InvoiceLine",
    cbc("ID", String(index + 1)),
    writeAttributedElement(
      isCredit ? "cbc:CreditedQuantity" : "cbc:InvoicedQuantity",
      { unitCode: INVOICE_LINE_UNIT_CODE },
      formatQuantity(line, invoice),
    ),
    money(invoice)("LineExtensionAmount", line.netCents),
    cac("Item", cbc("Name", line.concept), categoryXml("ClassifiedTaxCategory", line)),
    cac(
      "Price",
      writeAttributedElement("cbc:PriceAmount", { currencyID: invoice.currency }, formatUnitPrice(line, invoice)),
    ),
  );
}

/** One unit, in the list of UN/ECE recommendation 20. */
export const INVOICE_LINE_UNIT_CODE = "C62";

import type {
  EInvoice,
  EInvoiceParty,
  InvoiceLine,
  TaxCategoryAndRate,
  TaxSubtotal,
} from "#domain/e-invoices/e-invoice.ts";
import { formatDocumentNumber } from "#domain/printing/documents.ts";
import { writeAttributedElement, writeElement, writeTextElement } from "#worker/authorities/xml.ts";
import { createAmountFormatter, formatQuantity, formatTaxRate, formatUnitPrice, isOutsideTaxScope } from "./amounts.ts";
import { getEInvoiceTypeCode, getPaymentTermsText, INVOICE_LINE_UNIT_CODE, PAYMENT_MEANS_CODES } from "./ubl.ts";

const GUIDELINE = "urn:cen.eu:en16931:2017";
const UNECE = "urn:un:unece:uncefact:data:standard";
const NAMESPACES = `xmlns:rsm="${UNECE}:CrossIndustryInvoice:100" xmlns:ram="${UNECE}:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="${UNECE}:UnqualifiedDataType:100" xmlns:qdt="${UNECE}:QualifiedDataType:100"`;

const text = (name: string, content: string | undefined) => writeTextElement(`ram:${name}`, content || undefined);
const group = (name: string, ...children: readonly (string | undefined | false)[]) =>
  writeElement(`ram:${name}`, ...children);

/** Writes an invoice as Cross Industry Invoice in the profile EN 16931, the XML of Factur-X and ZUGFeRD. */
export function writeCiiXml(invoice: EInvoice): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${writeElement(
    `rsm:CrossIndustryInvoice ${NAMESPACES}`,
    writeElement(
      "rsm:ExchangedDocumentContext",
      group("GuidelineSpecifiedDocumentContextParameter", text("ID", GUIDELINE)),
    ),
    writeElement(
      "rsm:ExchangedDocument",
      text("ID", invoice.name),
      text("TypeCode", getEInvoiceTypeCode(invoice, "cii")),
      group("IssueDateTime", dateXml(invoice.date)),
      group("IncludedNote", text("Content", invoice.concept)),
    ),
    writeElement(
      "rsm:SupplyChainTradeTransaction",
      ...invoice.lines.map((line, index) => lineXml(invoice, line, index)),
      agreementXml(invoice),
      deliveryXml(invoice),
      settlementXml(invoice),
    ),
  )}`;
}

const DATE_FORMAT = { format: "102" };

function dateXml(date: string): string | undefined {
  return writeAttributedElement("udt:DateTimeString", DATE_FORMAT, date.replaceAll("-", ""));
}

function lineXml(invoice: EInvoice, line: InvoiceLine, index: number): string {
  const write = createAmountFormatter(invoice);
  return group(
    "IncludedSupplyChainTradeLineItem",
    group("AssociatedDocumentLineDocument", text("LineID", String(index + 1))),
    group("SpecifiedTradeProduct", text("Name", line.concept)),
    group(
      "SpecifiedLineTradeAgreement",
      group("NetPriceProductTradePrice", text("ChargeAmount", formatUnitPrice(line, invoice))),
    ),
    group(
      "SpecifiedLineTradeDelivery",
      writeAttributedElement("ram:BilledQuantity", { unitCode: INVOICE_LINE_UNIT_CODE }, formatQuantity(line, invoice)),
    ),
    group(
      "SpecifiedLineTradeSettlement",
      group("ApplicableTradeTax", text("TypeCode", "VAT"), ...categoryXml(line)),
      group("SpecifiedTradeSettlementLineMonetarySummation", text("LineTotalAmount", write(line.netCents))),
    ),
  );
}

const categoryXml = (kind: TaxCategoryAndRate) => [
  text("CategoryCode", kind.category),
  text("RateApplicablePercent", formatTaxRate(kind)),
];

function agreementXml(invoice: EInvoice): string {
  const { details, reservation, recordUrl, seller, buyer } = invoice;
  return group(
    "ApplicableHeaderTradeAgreement",
    text("BuyerReference", details.buyer_reference ?? reservation),
    group("SellerTradeParty", ...partyXml(invoice, seller, true)),
    group("BuyerTradeParty", ...partyXml(invoice, buyer, false)),
    recordUrl &&
      group(
        "AdditionalReferencedDocument",
        text("IssuerAssignedID", "VERI*FACTU"),
        text("URIID", recordUrl),
        text("TypeCode", "916"),
      ),
  );
}

function partyXml(invoice: EInvoice, party: EInvoiceParty, isSeller: boolean) {
  const { name, taxId, vatNumber, phone, email, endpoint } = party;
  const hasVat = vatNumber !== undefined && !isOutsideTaxScope(invoice);
  const registration = (scheme: string, id: string | undefined) =>
    group("SpecifiedTaxRegistration", writeAttributedElement("ram:ID", { schemeID: scheme }, id));
  return [
    text("Name", name),
    (isSeller || !hasVat) && taxId !== undefined && group("SpecifiedLegalOrganization", text("ID", taxId)),
    Boolean(phone || email) &&
      group(
        "DefinedTradeContact",
        isSeller && text("PersonName", name),
        phone && group("TelephoneUniversalCommunication", text("CompleteNumber", phone)),
        email && group("EmailURIUniversalCommunication", text("URIID", email)),
      ),
    group(
      "PostalTradeAddress",
      text("PostcodeCode", party.zip),
      text("LineOne", party.street),
      text("CityName", party.city),
      text("CountryID", party.country),
      text("CountrySubDivisionName", party.state),
    ),
    endpoint &&
      group(
        "URIUniversalCommunication",
        writeAttributedElement("ram:URIID", { schemeID: endpoint.scheme }, endpoint.id),
      ),
    hasVat ? registration("VA", vatNumber) : isSeller && registration("FC", taxId),
  ] as const;
}

// A supply within the Union names its destination and day (BR-IC-11 and BR-IC-12).
function deliveryXml({ taxes, buyer, period, date }: EInvoice): string {
  if (taxes.every(({ category }) => category !== "K")) return group("ApplicableHeaderTradeDelivery");
  return group(
    "ApplicableHeaderTradeDelivery",
    group("ShipToTradeParty", group("PostalTradeAddress", text("CountryID", buyer.country))),
    group("ActualDeliverySupplyChainEvent", group("OccurrenceDateTime", dateXml(period?.to ?? date))),
  );
}

function settlementXml(invoice: EInvoice): string {
  const { currency, iban, form, period, dueDate, preceding } = invoice;
  const isTransfer = Boolean(iban) && form !== "credit_note";
  const terms = getPaymentTermsText(invoice);
  const due = form === "credit_note" ? undefined : dueDate;
  return group(
    "ApplicableHeaderTradeSettlement",
    text("InvoiceCurrencyCode", currency),
    group(
      "SpecifiedTradeSettlementPaymentMeans",
      text("TypeCode", isTransfer ? PAYMENT_MEANS_CODES.transfer : PAYMENT_MEANS_CODES.agreed),
      isTransfer && group("PayeePartyCreditorFinancialAccount", text("IBANID", iban)),
    ),
    ...invoice.taxes.map((tax) => taxXml(invoice, tax)),
    period &&
      group(
        "BillingSpecifiedPeriod",
        group("StartDateTime", dateXml(period.from)),
        group("EndDateTime", dateXml(period.to)),
      ),
    group(
      "SpecifiedTradePaymentTerms",
      text("Description", terms),
      due !== undefined && group("DueDateDateTime", dateXml(due)),
    ),
    totalsXml(invoice),
    ...preceding.map((document) => {
      const name = formatDocumentNumber(document);
      const day = document.date?.replaceAll("-", "");
      return (
        name &&
        group(
          "InvoiceReferencedDocument",
          text("IssuerAssignedID", name),
          day && group("FormattedIssueDateTime", writeAttributedElement("qdt:DateTimeString", DATE_FORMAT, day)),
        )
      );
    }),
  );
}

function taxXml(invoice: EInvoice, tax: TaxSubtotal): string {
  const write = createAmountFormatter(invoice);
  return group(
    "ApplicableTradeTax",
    text("CalculatedAmount", write(tax.taxCents)),
    text("TypeCode", "VAT"),
    text("ExemptionReason", tax.reason),
    text("BasisAmount", write(tax.baseCents)),
    text("CategoryCode", tax.category),
    text("ExemptionReasonCode", tax.reasonCode),
    text("RateApplicablePercent", formatTaxRate(tax)),
  );
}

function totalsXml(invoice: EInvoice): string {
  const write = createAmountFormatter(invoice);
  return group(
    "SpecifiedTradeSettlementHeaderMonetarySummation",
    text("LineTotalAmount", write(invoice.netCents)),
    text("TaxBasisTotalAmount", write(invoice.netCents)),
    writeAttributedElement("ram:TaxTotalAmount", { currencyID: invoice.currency }, write(invoice.taxCents)),
    text("GrandTotalAmount", write(invoice.totalCents)),
    invoice.paidCents !== 0 && text("TotalPrepaidAmount", write(invoice.paidCents)),
    text("DuePayableAmount", write(invoice.dueCents)),
  );
}

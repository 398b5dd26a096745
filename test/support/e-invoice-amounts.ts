import type { XmlElement } from "#domain/xml.ts";

/** Returns all elements of a name, in the document's order. */
export function findAll(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)]);
}

/** Returns the text of the first element of a name. */
export function readText(element: XmlElement, name: string): string | undefined {
  return findAll(element, name)[0]?.text;
}

/** Whether an element has no content. */
export function hasEmptyElements(element: XmlElement): boolean {
  if (element.children.length === 0) return element.text.trim() === "";
  return element.children.some(hasEmptyElements);
}

interface Amounts {
  readonly lines: readonly { readonly net: number; readonly price: number; readonly quantity: number }[];
  readonly bases: readonly number[];
  readonly taxes: readonly number[];
  readonly lineTotal: number;
  readonly net: number;
  readonly tax: number;
  readonly total: number;
  readonly paid: number;
  readonly due: number;
}

const cents = (text: string | undefined) => Math.round(Number(text ?? "0") * 100);
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Returns the arithmetic rules of EN 16931 that an invoice in UBL, CII or Facturae breaks. For two decimals. */
export function listBrokenAmountRules(root: XmlElement): readonly string[] {
  const { lines, bases, taxes, lineTotal, net, tax, total, paid, due } = readAmounts(root);
  const checks: Readonly<Record<string, boolean>> = {
    "BR-CO-10": sum(lines.map((line) => line.net)) === lineTotal,
    "BR-CO-13": lineTotal === net,
    "BR-CO-14": sum(taxes) === tax,
    "BR-CO-15": net + tax === total,
    "BR-CO-16": total - paid === due,
    "BR-S-08": sum(bases) === net,
    "BR-27": lines.every(({ price }) => price >= 0),
    R120: lines.every((line) => Math.abs(line.price * line.quantity * 100 - line.net) < 0.5),
  };
  return Object.keys(checks).filter((rule) => !checks[rule]);
}

function readAmounts(root: XmlElement): Amounts {
  if (root.name === "CrossIndustryInvoice") return readCii(root);
  return root.name === "Facturae" ? readFacturae(root) : readUbl(root);
}

function readUbl(root: XmlElement): Amounts {
  const [totals = root] = findAll(root, "LegalMonetaryTotal");
  const [taxTotal = root] = findAll(root, "TaxTotal");
  const lines = [...findAll(root, "InvoiceLine"), ...findAll(root, "CreditNoteLine")];
  const subtotals = findAll(root, "TaxSubtotal");
  return {
    lines: lines.map((line) => ({
      net: cents(readText(line, "LineExtensionAmount")),
      price: Number(readText(line, "PriceAmount")),
      quantity: Number(readText(line, "InvoicedQuantity") ?? readText(line, "CreditedQuantity")),
    })),
    bases: subtotals.map((subtotal) => cents(readText(subtotal, "TaxableAmount"))),
    taxes: subtotals.map((subtotal) => cents(readText(subtotal, "TaxAmount"))),
    lineTotal: cents(readText(totals, "LineExtensionAmount")),
    net: cents(readText(totals, "TaxExclusiveAmount")),
    tax: cents(readText(taxTotal, "TaxAmount")),
    total: cents(readText(totals, "TaxInclusiveAmount")),
    paid: cents(readText(totals, "PrepaidAmount")),
    due: cents(readText(totals, "PayableAmount")),
  };
}

function readCii(root: XmlElement): Amounts {
  const [totals = root] = findAll(root, "SpecifiedTradeSettlementHeaderMonetarySummation");
  const subtotals = findAll(root, "ApplicableTradeTax").filter((tax) => findAll(tax, "BasisAmount").length > 0);
  return {
    lines: findAll(root, "IncludedSupplyChainTradeLineItem").map((line) => ({
      net: cents(readText(line, "LineTotalAmount")),
      price: Number(readText(line, "ChargeAmount")),
      quantity: Number(readText(line, "BilledQuantity")),
    })),
    bases: subtotals.map((subtotal) => cents(readText(subtotal, "BasisAmount"))),
    taxes: subtotals.map((subtotal) => cents(readText(subtotal, "CalculatedAmount"))),
    lineTotal: cents(readText(totals, "LineTotalAmount")),
    net: cents(readText(totals, "TaxBasisTotalAmount")),
    tax: cents(readText(totals, "TaxTotalAmount")),
    total: cents(readText(totals, "GrandTotalAmount")),
    paid: cents(readText(totals, "TotalPrepaidAmount")),
    due: cents(readText(totals, "DuePayableAmount")),
  };
}

function readFacturae(root: XmlElement): Amounts {
  const [totals = root] = findAll(root, "InvoiceTotals");
  // The first ones are the invoice's, the others those of its lines.
  const [outputs] = findAll(root, "TaxesOutputs");
  const parts = outputs ? findAll(outputs, "Tax") : [];
  const amountIn = (part: XmlElement, name: string) => cents(findAll(part, name)[0]?.children[0]?.text);
  return {
    lines: findAll(root, "InvoiceLine").map((line) => ({
      net: cents(readText(line, "GrossAmount")),
      price: Number(readText(line, "UnitPriceWithoutTax")),
      quantity: Number(readText(line, "Quantity")),
    })),
    bases: parts.map((part) => amountIn(part, "TaxableBase")),
    taxes: parts.map((part) => amountIn(part, "TaxAmount")),
    lineTotal: cents(readText(totals, "TotalGrossAmount")),
    net: cents(readText(totals, "TotalGrossAmountBeforeTaxes")),
    tax: cents(readText(totals, "TotalTaxOutputs")),
    total: cents(readText(totals, "InvoiceTotal")),
    paid: cents(readText(totals, "TotalPaymentsOnAccount")),
    due: cents(readText(totals, "TotalExecutableAmount")),
  };
}

import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { TaxTerritory } from "#domain/catalogue/tax-territories.ts";
import type { DocumentItem, TaxRateSums } from "#domain/documents/items.ts";
import type { Cents } from "#domain/money.ts";
import {
  formatAmountWithoutCurrency,
  formatDate,
  formatMoney,
  formatRate,
  getColonWithSpacing,
  type MoneyNotation,
} from "#domain/money-notation.ts";
import type { Letterhead, Printout, PrintoutBlock, PrintoutLabelledValue } from "./printout.ts";
import { getTaxName, getTaxOperationText, type TaxOperation } from "./tax-texts.ts";
import { getPrintTexts, type PrintTexts } from "./texts.ts";

/** Printed document types. */
export type PrintedDocumentKind = "invoice" | "simplifiedInvoice" | "advanceInvoice" | "creditNote" | "internalBond";

/** Printed types of documents with taxes. */
export type InvoiceKind = Exclude<PrintedDocumentKind, "internalBond">;

/** Returns the printed type of an invoice or credit note. */
export function getInvoiceKind(document: {
  readonly invoiceType: "invoice" | "payment";
  readonly invoiceMode: string;
  readonly isFull: boolean;
}): InvoiceKind {
  if (document.invoiceType === "payment") return "creditNote";
  if (document.invoiceMode === "reservation_retainer") return "advanceInvoice";
  return document.isFull ? "invoice" : "simplifiedInvoice";
}

/** Issuer or customer of a document: name, tax id and address, if known. */
export interface PrintedParty {
  readonly name: string;
  readonly taxId: string | undefined;
  readonly address: readonly string[];
}

/** Referenced document. */
interface OtherDocument {
  readonly serie: string | null;
  readonly number: number | null;
  readonly date: string | null;
}

/** Contract of a collective document. */
export interface PrintedContractReference {
  readonly bookingId: number;
  readonly referenceDetail: string | null;
  readonly referenceDates: string | null;
}

/** Document for printing, independent of its storage. */
export interface DocumentToPrint {
  readonly kind: PrintedDocumentKind;
  readonly isDraft: boolean;
  readonly serie: string | undefined;
  readonly number: number | undefined;
  /** Date of issue. Undefined for a draft. */
  readonly date: string | undefined;
  /** Time of the last write, epoch ms. */
  readonly at: number;
  readonly bookingId: number | undefined;
  readonly corrects: OtherDocument | undefined;
  /** Simplified invoices that the document replaces. */
  readonly replaces: readonly OtherDocument[];
  readonly vehicle: string | undefined;
  readonly period: string | undefined;
  readonly agency: string | undefined;
  readonly customer: PrintedParty;
  /** Last day to pay. */
  readonly dueDate?: string | undefined;
  /** Contracts of a collective document. Items are printed below their contract. */
  readonly contracts?: readonly PrintedContractReference[];
  readonly items: readonly (Pick<DocumentItem, "concept" | "quantity" | "unitCents" | "vat" | "totalCents"> & {
    readonly bookingId?: number | null | undefined;
  })[];
  readonly taxes: readonly (Pick<TaxRateSums, "vat" | "subtotalCents" | "taxesCents"> & {
    /** Set if this rate is exempt, not subject to the tax, or owed by the customer. */
    readonly operation?: TaxOperation | undefined;
  })[];
  readonly totalCents: Cents;
  /** Paid amount. Undefined if it isn't printed. */
  readonly paidCents: Cents | undefined;
  /** Amount credited by credit notes, included in `paidCents`. */
  readonly creditedCents?: Cents;
  /** Amount kept by an agent. */
  readonly agentCents?: Cents;
  /** Legally required code to scan, with the texts above and below. */
  readonly legalRecord?: { readonly address: string; readonly above: string; readonly below: string } | undefined;
}

/** Issuer and format of a printout. */
export interface PrintoutSettings {
  readonly letterhead: Letterhead;
  readonly issuer: PrintedParty;
  readonly language: PlatformLanguage;
  readonly money: Omit<MoneyNotation, "language">;
  /** Country of the company, and its tax territory. */
  readonly country: string;
  readonly territory: TaxTerritory;
}

/** Creates a document's printout. A draft has no number and is marked on each page. */
export function createDocumentPrintout(document: DocumentToPrint, printing: PrintoutSettings): Printout {
  const { language, letterhead } = printing;
  const texts = withTaxNamed(printing);
  const money = { ...printing.money, language };
  const name = texts[document.kind];
  const number = document.isDraft ? undefined : formatDocumentNumber(document);
  return {
    title: [name, number].filter(Boolean).join(" "),
    language,
    country: printing.country,
    at: document.at,
    letterhead,
    stamp: document.isDraft ? texts.draft : undefined,
    words: texts,
    blocks: [
      { kind: "title", text: name, facts: headFacts(document, number, texts, printing) },
      ...(document.legalRecord ? [{ kind: "record" as const, ...document.legalRecord }] : []),
      { kind: "parties", parties: formatParties(document, printing, texts) },
      ...referenceFacts(document, texts, printing),
      itemTable(document, texts, money, printing),
      { kind: "sums", sums: formatSums(document, texts, money) },
      ...(document.kind === "internalBond" ? [] : [small(taxNote(document, texts, printing))]),
    ],
  };
}

// A document stores its period as one text: `2026-05-03 10:00 - 2026-05-06 10:00`.
function datesIn(text: string, { language, country }: PrintoutSettings): string {
  return text.replace(/\d{4}-\d{2}-\d{2}/g, (date) => formatDate(date, language, country)).replace(" - ", " – ");
}

function withTaxNamed({ country, territory, language }: PrintoutSettings): PrintTexts {
  const texts = getPrintTexts(language);
  const name = getTaxName(country, territory, language);
  return name === undefined ? texts : { ...texts, rate: name, tax: name };
}

// Returns the note that prices include tax, with reasons for untaxed parts (art. 6.1.j and 6.1.m of the invoicing
// rules).
function taxNote({ taxes }: DocumentToPrint, texts: PrintTexts, { language, territory }: PrintoutSettings): string {
  const reasons = taxes.flatMap(({ vat, operation }) => {
    const reason = operation && getTaxOperationText(operation, territory, language);
    return reason === undefined
      ? []
      : [`${texts.tax} ${formatRate(vat, language)}${getColonWithSpacing(language)} ${reason}.`];
  });
  return [texts.taxesIncluded, ...reasons].join(" ");
}

const small = (text: string): PrintoutBlock => ({ kind: "paragraph", text, isSmall: true });

/** Formats a document's name: its series and number. */
export function formatDocumentNumber({
  serie,
  number,
}: {
  readonly serie?: string | null | undefined;
  readonly number?: number | null | undefined;
}) {
  return number === undefined || number === null ? undefined : [serie, number].filter(Boolean).join("/");
}

function headFacts(
  { date, dueDate, bookingId, corrects, replaces, isDraft }: DocumentToPrint,
  number: string | undefined,
  texts: PrintTexts,
  { language, country }: PrintoutSettings,
): readonly PrintoutLabelledValue[] {
  const formatReference = (otherDocument: OtherDocument) =>
    [formatDocumentNumber(otherDocument), otherDocument.date && formatDate(otherDocument.date, language, country)]
      .filter(Boolean)
      .join(" · ");
  return [
    ...fact(texts.number, isDraft ? texts.draft : number),
    ...fact(texts.date, date && formatDate(date, language, country)),
    ...fact(texts.dueDate, dueDate && dueDate !== date && formatDate(dueDate, language, country)),
    ...fact(texts.contract, bookingId && String(bookingId)),
    ...fact(texts.corrects, corrects && formatReference(corrects)),
    ...fact(texts.replaces, replaces.map(formatReference).join(", ")),
  ];
}

const fact = (label: string, value: string | number | false | undefined): readonly PrintoutLabelledValue[] =>
  value ? [{ label, value: String(value) }] : [];

/** Returns the lines of an issuer or customer: name, tax id and address. */
export function listPartyLines(
  { name, taxId, address }: PrintedParty,
  texts: Pick<PrintTexts, "taxId">,
): readonly string[] {
  return [name, ...(taxId ? [`${texts.taxId} ${taxId}`] : []), ...address];
}

function formatParties({ customer }: DocumentToPrint, { issuer }: PrintoutSettings, texts: PrintTexts) {
  return [
    { title: texts.issuer, lines: listPartyLines(issuer, texts) },
    { title: texts.customer, lines: listPartyLines(customer, texts) },
  ];
}

function referenceFacts(
  { vehicle, period, agency }: DocumentToPrint,
  texts: PrintTexts,
  printing: PrintoutSettings,
): readonly PrintoutBlock[] {
  const facts = [
    ...fact(texts.period, period && datesIn(period, printing)),
    ...fact(texts.vehicle, vehicle),
    ...fact(texts.agency, agency),
  ];
  return facts.length === 0 ? [] : [{ kind: "facts", facts }];
}

function itemTable(
  { kind, items, contracts = [] }: DocumentToPrint,
  texts: PrintTexts,
  money: MoneyNotation,
  printing: PrintoutSettings,
): PrintoutBlock {
  const hasRate = kind !== "internalBond";
  // Prices include tax. A line costs its price times quantity, minus the discount.
  const discounts = items.map(({ unitCents, quantity, totalCents }) => unitCents * quantity - totalCents);
  const hasDiscount = discounts.some((discount) => discount !== 0);
  const columns = [
    { title: texts.concept, align: "left" as const },
    { title: texts.quantity, align: "right" as const },
    { title: texts.price, align: "right" as const },
    ...(hasDiscount ? [{ title: texts.discount, align: "right" as const }] : []),
    ...(hasRate ? [{ title: texts.rate, align: "right" as const }] : []),
    { title: `${texts.amount} (${money.currency})`, align: "right" as const },
  ];
  const rows = items.map((item, index) => [
    item.concept,
    String(item.quantity),
    formatAmountWithoutCurrency(item.unitCents, money),
    ...(hasDiscount ? [discounts[index] ? formatAmountWithoutCurrency(-discounts[index], money) : ""] : []),
    ...(hasRate ? [formatRate(item.vat, money.language)] : []),
    formatAmountWithoutCurrency(item.totalCents, money),
  ]);
  let sum = 0;
  const lines = items.flatMap(({ bookingId, totalCents }, index) => {
    const isFirst = items[index - 1]?.bookingId !== bookingId;
    const contract = isFirst ? contracts.find((part) => part.bookingId === bookingId) : undefined;
    const heading = contract && {
      row: columns.map((_, column) => (column === 0 ? nameContract(contract, texts, printing) : "")),
      carried: formatAmountWithoutCurrency(sum, money),
    };
    sum += totalCents;
    return [
      ...(heading ? [heading] : []),
      { row: rows[index] ?? [], carried: formatAmountWithoutCurrency(sum, money) },
    ];
  });
  return { kind: "table", columns, rows: lines.map(({ row }) => row), carried: lines.map(({ carried }) => carried) };
}

function nameContract(
  { bookingId, referenceDetail, referenceDates }: PrintedContractReference,
  texts: PrintTexts,
  printing: PrintoutSettings,
): string {
  return [`${texts.contract} ${bookingId}`, referenceDetail, referenceDates && datesIn(referenceDates, printing)]
    .filter(Boolean)
    .join(" · ");
}

function formatSums(document: DocumentToPrint, texts: PrintTexts, money: MoneyNotation) {
  const sum = (label: string, cents: Cents, isStrong = false) => ({
    label,
    value: formatMoney(cents, money),
    isStrong,
  });
  const { taxes, totalCents, paidCents, creditedCents = 0, agentCents = 0 } = document;
  return [
    ...taxes.flatMap(({ vat, subtotalCents, taxesCents }) => [
      sum(`${texts.base} ${formatRate(vat, money.language)}`, subtotalCents),
      sum(`${texts.tax} ${formatRate(vat, money.language)}`, taxesCents),
    ]),
    sum(texts.total, totalCents, true),
    ...(paidCents === undefined
      ? []
      : [
          sum(texts.paid, paidCents - creditedCents),
          ...(creditedCents === 0 ? [] : [sum(texts.credited, creditedCents)]),
          ...(agentCents === 0 ? [] : [sum(texts.paidToAgent, agentCents)]),
          sum(texts.pending, totalCents - paidCents - agentCents),
        ]),
  ];
}

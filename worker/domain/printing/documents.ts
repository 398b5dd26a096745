import type { SpokenLanguage } from "#domain/catalogue/languages.ts";
import type { DocumentItem, TaxOfRate } from "#domain/documents/items.ts";
import type { Cents } from "#domain/money.ts";
import type { Territory } from "#domain/tax-records/territories.ts";
import { dateText, type MoneyNotation, moneyText, numberText, rateText } from "./notation.ts";
import type { Block, Fact, Letterhead, Printout } from "./printout.ts";
import { operationText, type TaxOperation, taxNameOf } from "./tax-words.ts";
import { type PrintTexts, printTexts } from "./texts.ts";

/** What a document is called. */
export type PrintedKind = "invoice" | "simplifiedInvoice" | "advanceInvoice" | "creditNote" | "internalBond";

/** Somebody on a document: name, tax id and address, as far as they are known. */
export interface PrintedParty {
  readonly name: string;
  readonly taxId: string | undefined;
  readonly address: readonly string[];
}

/** Another document that one is about. */
interface OtherDocument {
  readonly serie: string | null;
  readonly number: number | null;
  readonly date: string | null;
}

/** A document as it is printed: plain data, whatever wrote it. */
export interface DocumentToPrint {
  readonly kind: PrintedKind;
  readonly isDraft: boolean;
  readonly serie: string | undefined;
  readonly number: number | undefined;
  /** The day of issue; of a draft there is none. */
  readonly date: string | undefined;
  /** When it was last written, epoch ms. */
  readonly at: number;
  readonly bookingId: number | undefined;
  readonly corrects: OtherDocument | undefined;
  /** The simplified invoices that it stands in place of. */
  readonly replaces: readonly OtherDocument[];
  readonly vehicle: string | undefined;
  readonly period: string | undefined;
  readonly agency: string | undefined;
  readonly customer: PrintedParty;
  readonly items: readonly Pick<DocumentItem, "concept" | "quantity" | "unitCents" | "vat" | "totalCents">[];
  readonly taxes: readonly (Pick<TaxOfRate, "vat" | "subtotalCents" | "taxesCents"> & {
    /** Where what is of this rate is exempt, not subject to the tax, or owed by the customer. */
    readonly operation?: TaxOperation | undefined;
  })[];
  readonly totalCents: Cents;
  /** Undefined where nothing is said of it. */
  readonly paidCents: Cents | undefined;
  /** What credit notes took off it; `paidCents` has it in it. */
  readonly creditedCents?: Cents;
  /** What an agent kept of it. */
  readonly agentCents?: Cents;
  /** What a law wants at its start: a code to scan, with the words above and below it. */
  readonly legalRecord?: { readonly address: string; readonly above: string; readonly below: string } | undefined;
}

/** Whose paper it is and how it is written. */
export interface Printing {
  readonly letterhead: Letterhead;
  readonly issuer: PrintedParty;
  readonly language: SpokenLanguage;
  readonly money: Omit<MoneyNotation, "language">;
  /** Where the company is; and whose tax it owes. */
  readonly country: string;
  readonly territory: Territory;
}

/** A document as blocks; a draft bears no number and says on each page what it is. */
export function documentPrintout(document: DocumentToPrint, printing: Printing): Printout {
  const { language, letterhead } = printing;
  const words = withTaxNamed(printing);
  const money = { ...printing.money, language };
  const name = words[document.kind];
  const number = document.isDraft ? undefined : numberOf(document);
  return {
    title: [name, number].filter(Boolean).join(" "),
    language,
    country: printing.country,
    at: document.at,
    letterhead,
    stamp: document.isDraft ? words.draft : undefined,
    words,
    blocks: [
      { kind: "title", text: name, facts: headFacts(document, number, words, printing) },
      ...(document.legalRecord ? [{ kind: "record" as const, ...document.legalRecord }] : []),
      { kind: "parties", parties: partiesOf(document, printing, words) },
      ...referenceFacts(document, words, printing),
      itemTable(document, words, money),
      { kind: "sums", sums: sumsOf(document, words, money) },
      ...(document.kind === "internalBond" ? [] : [small(taxNote(document, words, printing))]),
    ],
  };
}

// A document keeps its period as one text: `2026-05-03 10:00 - 2026-05-06 10:00`.
function datesIn(text: string, { language, country }: Printing): string {
  return text.replace(/\d{4}-\d{2}-\d{2}/g, (date) => dateText(date, language, country)).replace(" - ", " – ");
}

function withTaxNamed({ country, territory, language }: Printing): PrintTexts {
  const words = printTexts(language);
  const name = taxNameOf(country, territory, language);
  return name === undefined ? words : { ...words, rate: name, tax: name };
}

// Beside that prices have their taxes: why some of it has none (art. 6.1.j and 6.1.m of the invoicing rules).
function taxNote({ taxes }: DocumentToPrint, words: PrintTexts, { language, territory }: Printing): string {
  const reasons = taxes.flatMap(({ vat, operation }) => {
    const reason = operation && operationText(operation, territory, language);
    return reason === undefined ? [] : [`${words.tax} ${rateText(vat, language)}: ${reason}.`];
  });
  return [words.taxesIncluded, ...reasons].join(" ");
}

const small = (text: string): Block => ({ kind: "paragraph", text, isSmall: true });

/** How a document is named: its series and its number in it. */
export function numberOf({
  serie,
  number,
}: {
  readonly serie?: string | null | undefined;
  readonly number?: number | null | undefined;
}) {
  return number === undefined || number === null ? undefined : [serie, number].filter(Boolean).join("/");
}

function headFacts(
  { date, bookingId, corrects, replaces, isDraft }: DocumentToPrint,
  number: string | undefined,
  words: PrintTexts,
  { language, country }: Printing,
): readonly Fact[] {
  const named = (one: OtherDocument) =>
    [numberOf(one), one.date && dateText(one.date, language, country)].filter(Boolean).join(" · ");
  return [
    ...fact(words.number, isDraft ? words.draft : number),
    ...fact(words.date, date && dateText(date, language, country)),
    ...fact(words.contract, bookingId && String(bookingId)),
    ...fact(words.corrects, corrects && named(corrects)),
    ...fact(words.replaces, replaces.map(named).join(", ")),
  ];
}

const fact = (label: string, value: string | number | undefined): readonly Fact[] =>
  value ? [{ label, value: String(value) }] : [];

/** A party's lines under its title: the name first. */
export function partyLines(
  { name, taxId, address }: PrintedParty,
  words: Pick<PrintTexts, "taxId">,
): readonly string[] {
  return [name, ...(taxId ? [`${words.taxId} ${taxId}`] : []), ...address];
}

function partiesOf({ customer }: DocumentToPrint, { issuer }: Printing, words: PrintTexts) {
  return [
    { title: words.issuer, lines: partyLines(issuer, words) },
    { title: words.customer, lines: partyLines(customer, words) },
  ];
}

function referenceFacts(
  { vehicle, period, agency }: DocumentToPrint,
  words: PrintTexts,
  printing: Printing,
): readonly Block[] {
  const facts = [
    ...fact(words.period, period && datesIn(period, printing)),
    ...fact(words.vehicle, vehicle),
    ...fact(words.agency, agency),
  ];
  return facts.length === 0 ? [] : [{ kind: "facts", facts }];
}

function itemTable({ kind, items }: DocumentToPrint, words: PrintTexts, money: MoneyNotation): Block {
  const hasRate = kind !== "internalBond";
  // Prices with taxes: what a line costs is its price times its quantity, less this.
  const discounts = items.map(({ unitCents, quantity, totalCents }) => unitCents * quantity - totalCents);
  const hasDiscount = discounts.some((discount) => discount !== 0);
  let sum = 0;
  const carried = items.map(({ totalCents }) => {
    sum += totalCents;
    return numberText(sum, money);
  });
  return {
    kind: "table",
    columns: [
      { title: words.concept, align: "left" },
      { title: words.quantity, align: "right" },
      { title: words.price, align: "right" },
      ...(hasDiscount ? [{ title: words.discount, align: "right" } as const] : []),
      ...(hasRate ? [{ title: words.rate, align: "right" } as const] : []),
      { title: `${words.amount} (${money.currency})`, align: "right" },
    ],
    rows: items.map((item, index) => [
      item.concept,
      String(item.quantity),
      numberText(item.unitCents, money),
      ...(hasDiscount ? [discounts[index] ? numberText(-discounts[index], money) : ""] : []),
      ...(hasRate ? [rateText(item.vat, money.language)] : []),
      numberText(item.totalCents, money),
    ]),
    carried,
  };
}

function sumsOf(document: DocumentToPrint, words: PrintTexts, money: MoneyNotation) {
  const sum = (label: string, cents: Cents, isStrong = false) => ({ label, value: moneyText(cents, money), isStrong });
  const { taxes, totalCents, paidCents, creditedCents = 0, agentCents = 0 } = document;
  return [
    ...taxes.flatMap(({ vat, subtotalCents, taxesCents }) => [
      sum(`${words.base} ${rateText(vat, money.language)}`, subtotalCents),
      sum(`${words.tax} ${rateText(vat, money.language)}`, taxesCents),
    ]),
    sum(words.total, totalCents, true),
    ...(paidCents === undefined
      ? []
      : [
          sum(words.paid, paidCents - creditedCents),
          ...(creditedCents === 0 ? [] : [sum(words.credited, creditedCents)]),
          ...(agentCents === 0 ? [] : [sum(words.paidToAgent, agentCents)]),
          sum(words.pending, totalCents - paidCents - agentCents),
        ]),
  ];
}

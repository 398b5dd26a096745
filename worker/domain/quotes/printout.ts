import type { StorableDraft } from "#domain/bookings/draft.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { type CivilMinute, fromCivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { formatDate, formatMoney, type MoneyNotation } from "#domain/money-notation.ts";
import { listPartyLines, type PrintoutSettings } from "#domain/printing/documents.ts";
import { describeIncludedKilometres } from "#domain/printing/included-kilometres.ts";
import type { Printout, PrintoutBlock, PrintoutLabelledValue } from "#domain/printing/printout.ts";
import { getPrintTexts } from "#domain/printing/texts.ts";
import { getQuoteTexts } from "./texts.ts";

/** Conditions in the customer's language, or in the company's if they aren't translated. */
export interface QuoteTerms {
  readonly language: PlatformLanguage;
  readonly text: string;
}

/** Returns the heading of the conditions, which names their language if the reader uses another. */
export function getQuoteConditionsHeading({ language: written }: QuoteTerms, language: PlatformLanguage): string {
  const heading = getQuoteTexts(language).terms;
  if (written === language) return heading;
  const name = new Intl.DisplayNames([language], { type: "language" }).of(written) ?? written;
  return `${heading} (${name})`;
}

/** Quote with the data that its customer sees. */
export interface ShownQuote {
  readonly number: string;
  readonly customer: { readonly name: string; readonly documentId: string | undefined };
  /** Time until which the quote is valid, in the account's time zone, `yyyy-mm-dd hh:mm`. */
  readonly validUntil: string;
  readonly offer: StorableDraft;
  /** Kilometres per day that the price includes. Undefined if unlimited. */
  readonly kilometresPerDay: number | undefined;
  /** Local minute until which a cancellation is free. Undefined if it never is. */
  readonly freeCancellationEnd: CivilMinute | undefined;
  /** Conditions of the company. Undefined if it has none. */
  readonly terms: QuoteTerms | undefined;
  /** Last change, epoch ms. */
  readonly at: number;
}

/** Language and formats of a quote. */
export interface QuoteNotation {
  readonly language: PlatformLanguage;
  readonly country: string;
  readonly money: Omit<MoneyNotation, "language">;
  /** Names of places, categories and extras in the customer's language. */
  readonly names: QuoteNames;
}

/** Functions that return names in the quote's language, or the given name if there's no translation. */
export interface QuoteNames {
  readonly place: (id: number, name: string) => string;
  readonly category: (code: string, name: string) => string;
  readonly extra: (code: string, name: string) => string;
}

interface QuoteRow {
  readonly name: string;
  readonly quantity: string;
  readonly amount: string;
}

/** Content of a quote as text, shared by its page and its PDF. */
export interface QuoteContent {
  readonly facts: readonly PrintoutLabelledValue[];
  readonly rows: readonly QuoteRow[];
  readonly total: string;
  readonly deposit: string | undefined;
}

/** Formats what a quote offers. Prices are list prices, and the discount is a separate row. */
export function formatQuoteContent(
  {
    offer,
    validUntil,
    kilometresPerDay,
    freeCancellationEnd,
  }: Omit<ShownQuote, "number" | "customer" | "terms" | "at">,
  { language, country, money, names }: QuoteNotation,
): QuoteContent {
  const texts = getQuoteTexts(language);
  const { terms, lines, extras, totals, discount } = offer;
  const { period } = terms;
  const kilometres = describeIncludedKilometres({ kilometresPerDay, days: terms.days }, language);
  const moment = (date: string, time: string) => `${formatDate(date, language, country)} ${time}`;
  const amount = (cents: Cents) => formatMoney(cents, { ...money, language });
  const [date = "", time = ""] = validUntil.split(" ");
  const cancellation = freeCancellationEnd === undefined ? undefined : fromCivilMinute(freeCancellationEnd);
  const supplementsCents = totals.totalCents - totals.itemCents - totals.extrasCents;
  const row = (name: string, cents: Cents, quantity = "") => ({ name, quantity, amount: amount(cents) });
  const place = ({ id, name }: { readonly id: number; readonly name: string }) => names.place(id, name);
  return {
    facts: [
      {
        label: texts.pickup,
        value: `${moment(period.dateFrom, period.timeFrom)} · ${place(terms.pickupPlace)}`,
      },
      { label: texts.return, value: `${moment(period.dateTo, period.timeTo)} · ${place(terms.returnPlace)}` },
      { label: texts.days, value: String(terms.days) },
      ...(kilometres ? [kilometres] : []),
      ...(cancellation === undefined
        ? []
        : [{ label: texts.freeCancellation, value: moment(cancellation.date, cancellation.time) }]),
      { label: texts.validUntil, value: moment(date, time) },
    ],
    rows: [
      ...lines.map(({ category, quantity, unitCents }) =>
        row(names.category(category.code, category.name), unitCents * quantity, String(quantity)),
      ),
      ...extras.map(({ extra, quantity, unitCents }) =>
        row(names.extra(extra.code, extra.name), unitCents * quantity, String(quantity)),
      ),
      ...(supplementsCents === 0 ? [] : [row(texts.supplements, supplementsCents)]),
      ...(discount && discount.amountCents > 0 ? [row(texts.discount, -discount.amountCents)] : []),
    ],
    total: amount(totals.totalCents),
    deposit: totals.totalDepositCents > 0 ? amount(totals.totalDepositCents) : undefined,
  };
}

/** Creates the printout of a quote. */
export function createQuotePrintout(quote: ShownQuote, printing: PrintoutSettings, names: QuoteNames): Printout {
  const { language, country, letterhead, issuer, money } = printing;
  const [texts, words] = [getQuoteTexts(language), getPrintTexts(language)];
  const { facts, rows, total, deposit } = formatQuoteContent(quote, { language, country, money, names });
  const { name, documentId } = quote.customer;
  return {
    title: `${texts.quote} ${quote.number}`,
    language,
    country,
    at: quote.at,
    letterhead,
    stamp: undefined,
    words,
    blocks: [
      { kind: "title", text: texts.quote, facts: [{ label: words.number, value: quote.number }] },
      {
        kind: "parties",
        parties: [
          { title: words.issuer, lines: listPartyLines(issuer, words) },
          { title: words.customer, lines: listPartyLines({ name, taxId: documentId, address: [] }, words) },
        ],
      },
      { kind: "facts", facts },
      {
        kind: "table",
        columns: [
          { title: words.concept, align: "left" },
          { title: words.quantity, align: "right" },
          { title: words.amount, align: "right" },
        ],
        rows: rows.map((row) => [row.name, row.quantity, row.amount]),
        carried: undefined,
      },
      {
        kind: "sums",
        sums: [
          { label: texts.total, value: total, isStrong: true },
          ...(deposit === undefined ? [] : [{ label: texts.deposit, value: deposit, isStrong: false }]),
        ],
      },
      { kind: "paragraph", text: `${texts.taxesIncluded} ${texts.priceNote}`, isSmall: true },
      ...(quote.terms
        ? [
            { kind: "heading", text: getQuoteConditionsHeading(quote.terms, language), isSmall: true } as const,
            ...quote.terms.text.split("\n").filter(Boolean).map(toTermBlock),
          ]
        : []),
    ],
  };
}

// Conditions may contain headings, as in contracts.
function toTermBlock(line: string): PrintoutBlock {
  return line.startsWith("## ")
    ? { kind: "heading", text: line.slice(3), isSmall: true }
    : { kind: "paragraph", text: line, isSmall: true };
}

import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { getFreeCancellationEnd } from "#domain/contracts/cancellation.ts";
import { toCivilMinute } from "#domain/dates.ts";
import { createQuotePrintout, type QuoteNames, type ShownQuote } from "#domain/quotes/printout.ts";
import { formatQuoteNumber } from "#domain/quotes/quotes.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { Database, QueryResults } from "#worker/store/database.ts";
import { branchIssuersQuery, generalConditionsQuery, letterheadQuery } from "#worker/store/printing/letterhead.ts";
import { fromQuoteRow, type QuoteIdentifier, type QuoteRow, quoteQueries } from "#worker/store/quotes/quotes.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { pickContractTerms } from "#worker/usecases/printing/print-contract.ts";
import {
  createPrintoutFileName,
  type PrintedFile,
  type PrintoutReader,
  readPrintableData,
} from "#worker/usecases/printing/read-printable.ts";
import { createPrintoutSettings } from "#worker/usecases/shared/printing-context.ts";

/** Returns the queries for a quote's layout: letterhead, issuers and general conditions. */
export function quotePrintoutQueries(db: Database) {
  return [letterheadQuery(db), branchIssuersQuery(db), generalConditionsQuery(db)] as const;
}

type Layout = QueryResults<ReturnType<typeof quotePrintoutQueries>>;

/** Returns the language that the platform supports for a quote's customer. */
export function getQuoteLanguage(quote: Pick<QuoteRow, "customerLanguage">, { settings }: Catalogue): PlatformLanguage {
  return pickPlatformLanguage(quote.customerLanguage, settings.defaultLanguage);
}

/** Returns the catalogue's names in a language. Falls back to the names as quoted. */
export function getNamesInQuoteLanguage(
  { places, categories, extras }: Catalogue,
  language: PlatformLanguage,
): QuoteNames {
  return {
    place: (id, name) => places.get(id)?.names[language] ?? name,
    category: (code, name) => categories.get(code)?.names[language] ?? name,
    extra: (code, name) => extras.get(code)?.names[language] ?? name,
  };
}

/** Returns a quote as its customer sees it. */
export function toPrintedQuote(
  quote: QuoteRow,
  { settings, categories, cancellationTerms }: Catalogue,
  terms: Layout[2],
  language: PlatformLanguage,
): ShownQuote {
  const { date, time } = toCivilNow(settings.timezone, quote.validUntil);
  const changed = toCivilNow(settings.timezone, quote.lastUpdate);
  const lastChange = toCivilMinute(changed.date, changed.time);
  const picked = pickContractTerms(terms, language, settings.defaultLanguage);
  const freeEnd = getFreeCancellationEnd(cancellationTerms, quote.offer.terms);
  return {
    number: formatQuoteNumber(quote),
    customer: {
      name: `${quote.customerName} ${quote.customerSurname}`.trim(),
      documentId: quote.customerDocumentId ?? undefined,
    },
    validUntil: `${date} ${time}`,
    offer: quote.offer,
    kilometresPerDay: categories.get(quote.categoryCode ?? "")?.kilometresPerDay,
    freeCancellationEnd: freeEnd !== undefined && freeEnd > lastChange ? freeEnd : undefined,
    terms: picked && { language: picked.language, text: picked.terms },
    at: quote.lastUpdate,
  };
}

/** Prints a quote as PDF in its customer's language. */
export function printQuotePdf(
  tenant: Tenant,
  catalogue: Catalogue,
  quote: QuoteRow,
  [letterhead, issuers, terms]: Layout,
): Promise<Uint8Array<ArrayBuffer>> {
  const language = getQuoteLanguage(quote, catalogue);
  const issuer = issuers.find(({ code }) => code === quote.branchCode);
  const printing = createPrintoutSettings(catalogue, letterhead, issuer, language);
  const printedQuote = toPrintedQuote(quote, catalogue, terms, language);
  return tenant.print(createQuotePrintout(printedQuote, printing, getNamesInQuoteLanguage(catalogue, language)));
}

/** Returns the file name of a quote's PDF. */
export const getQuoteFileName = (quote: QuoteRow) => createPrintoutFileName(formatQuoteNumber(quote));

/** Prints a quote for staff of its branches, or for anyone with its link. */
export async function printQuote(
  reader: PrintoutReader,
  name: QuoteIdentifier,
): Promise<Result<StaffAnswer<PrintedFile>, OfficeRefusal | { readonly kind: "quoteNotFound" }>> {
  const read = await readPrintableData(
    reader,
    ({ db }) => [...quoteQueries(db, name), ...quotePrintoutQueries(db)] as const,
  );
  if (!read.ok) return read;
  const { tenant, catalogue, rows, freshToken, canRead } = read.value;
  const [[row], , ...layout] = rows;
  if (!row || !canRead({ branchCodes: [row.branchCode, row.returnBranchCode], freeAccessId: row.freeAccessId }))
    return err({ kind: "quoteNotFound" });
  const quote = fromQuoteRow(row);
  const body = await printQuotePdf(tenant, catalogue, quote, layout);
  return ok({ value: { name: getQuoteFileName(quote), body }, freshToken });
}

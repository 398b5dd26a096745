import type { BookingStatus, ContractData, NewBooking } from "#domain/bookings/bookings.ts";
import { getKnownContractData, pickReusableContractData } from "#domain/bookings/contract-data.ts";
import type { StorableDraft } from "#domain/bookings/draft.ts";
import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import {
  decidePaymentOptions,
  getAmountToPay,
  listOfferedOnlineMethods,
  type PaymentPart,
} from "#domain/payments/payments.ts";
import {
  formatQuoteContent,
  getQuoteConditionsHeading,
  type QuoteContent,
  type QuoteTerms,
} from "#domain/quotes/printout.ts";
import {
  decideQuoteAction,
  formatQuoteNumber,
  getQuoteStatus,
  type QuoteClosed,
  type QuoteStatus,
} from "#domain/quotes/quotes.ts";
import { QUOTE_ACCEPTANCE_FIELDS, type QuoteAcceptanceField } from "#domain/quotes/texts.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { setPayerAndInvoicingStatements } from "#worker/store/bookings/billing.ts";
import { catchSoldOut, newBookingStatements } from "#worker/store/bookings/bookings.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import {
  type CustomerRow,
  quoteCustomerQueries,
  quoteDoNotRentQuery,
  quotePayerQuery,
} from "#worker/store/contracts/customers.ts";
import { isDuplicateInColumns, isTransientDatabaseError } from "#worker/store/failures.ts";
import { isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import { payableBookingQuery } from "#worker/store/payments/payments.ts";
import {
  acceptQuoteStatement,
  addQuoteHistoryStatement,
  fromQuoteRow,
  type QuoteRow,
  quoteQueries,
  updateQuoteColumnsStatement,
} from "#worker/store/quotes/quotes.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { createSaleHistoryDetail } from "#worker/usecases/contracts/create-once.ts";
import { toBookingCustomer } from "#worker/usecases/contracts/known-customer.ts";
import { findReservationUrl } from "#worker/usecases/payments/reservation-url.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { getNamesInQuoteLanguage, getQuoteLanguage, quotePrintoutQueries, toPrintedQuote } from "./print-quote.ts";

/** Quote with the data that the customer's page of the quote shows. */
export interface QuotePageData {
  readonly language: PlatformLanguage;
  readonly company: string;
  readonly currency: string;
  readonly decimals: number;
  readonly number: string;
  readonly version: number;
  readonly status: QuoteStatus;
  readonly customer: string;
  readonly content: QuoteContent;
  /** Conditions with their heading. Undefined if the company has none. */
  readonly terms: (QuoteTerms & { readonly heading: string }) | undefined;
  /** Contract data that isn't known yet. */
  readonly missingFields: readonly QuoteAcceptanceField[];
  readonly reservation: QuoteReservation | undefined;
}

/** Reservation made from a quote, and how it can be paid now. */
export interface QuoteReservation {
  readonly id: number;
  readonly freeAccessId: string;
  readonly status: BookingStatus;
  readonly payments: readonly { readonly part: PaymentPart; readonly method: string; readonly amountCents: number }[];
  /** Page to see, change and cancel the reservation. Absent if no known page shows it. */
  readonly url: string | undefined;
}

export type QuotePageRefusal = SoldOut | QuoteClosed | { readonly kind: "quoteNotFound" | "quoteOutdated" };

/** Customer data entered at acceptance. */
export type QuoteAcceptanceDetails = Readonly<Partial<Record<QuoteAcceptanceField, string | undefined>>>;

/** Reads the quote of a link. */
export async function readQuotePage(
  tenant: Tenant,
  freeAccessId: string,
  now: number,
): Promise<QuotePageData | undefined> {
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    () =>
      [
        ...quoteQueries(tenant.db, { freeAccessId }),
        ...quotePrintoutQueries(tenant.db),
        payableBookingQuery(tenant.db, { freeAccessId }),
        ...quoteCustomerQueries(tenant.db, freeAccessId),
      ] as const,
  );
  const [[row], , , , terms, [booking], [customer], [last]] = rows;
  if (!row) return undefined;
  const quote = fromQuoteRow(row);
  const { settings } = catalogue;
  const language = getQuoteLanguage(quote, catalogue);
  const printedQuote = toPrintedQuote(quote, catalogue, terms, language);
  const payable = booking && { ...booking, expiresAt: booking.expiresAt ?? undefined };
  return {
    language,
    company: settings.accountName,
    currency: settings.currency,
    decimals: settings.currencyDecimals,
    number: formatQuoteNumber(quote),
    version: quote.version,
    status: getQuoteStatus(quote, now),
    customer: printedQuote.customer.name,
    content: formatQuoteContent(printedQuote, {
      language,
      country: settings.countryCode,
      money: { currency: settings.currency, decimals: settings.currencyDecimals },
      names: getNamesInQuoteLanguage(catalogue, language),
    }),
    terms: printedQuote.terms && {
      ...printedQuote.terms,
      heading: getQuoteConditionsHeading(printedQuote.terms, language),
    },
    missingFields: listMissingFields(quote, toKnownContractData(catalogue, { quote, customer, last }, now)),
    reservation:
      payable && quote.status === "accepted"
        ? {
            ...{ id: payable.id, freeAccessId, status: payable.status },
            payments: listPayments(catalogue, payable, now),
            url: await findReservationUrl(tenant, { kind: "rental", freeAccessId, language, websitePage: null }),
          }
        : undefined,
  };
}

function listPayments(
  { settings }: Catalogue,
  payable: Parameters<typeof decidePaymentOptions>[1],
  now: number,
): QuoteReservation["payments"] {
  const [method] = listOfferedOnlineMethods(settings);
  if (method === undefined) return [];
  const options = decidePaymentOptions(settings, payable, now);
  return (["deposit", "total", "pending"] as const).flatMap((part) => {
    const amountCents = getAmountToPay(options, payable, part);
    return amountCents === undefined ? [] : [{ part, method, amountCents }];
  });
}

interface ReturningCustomer {
  readonly quote: QuoteRow;
  readonly customer: CustomerRow | undefined;
  readonly last: { readonly contractData: ContractData } | undefined;
}

// Data of a returning customer that is still valid, as on the website.
function toKnownContractData(
  { settings }: Catalogue,
  { quote, customer, last }: ReturningCustomer,
  at: number,
): ContractData {
  if (!customer) return {};
  const known = getKnownContractData(customer, last?.contractData, toCivilNow(settings.timezone, at).date);
  return pickReusableContractData(known, quote.request.contractData);
}

function listMissingFields(quote: QuoteRow, knownData: ContractData): readonly QuoteAcceptanceField[] {
  const known: Readonly<Record<string, string | null | undefined>> = {
    ...knownData,
    ...quote.request.contractData,
    customer_email: quote.customerEmail,
    customer_phone: quote.customerPhone,
    customer_document_id: quote.customerDocumentId,
  };
  return QUOTE_ACCEPTANCE_FIELDS.filter((name) => !known[name]);
}

/** Version that the customer saw, and the data they added. */
interface Acceptance {
  readonly now: number;
  readonly expectedVersion?: number | undefined;
  readonly details: QuoteAcceptanceDetails;
}

/**
 * Accepts a quote: makes its reservation at the quoted price, once. The reservation takes over the quote's link, so a
 * second one violates the database's uniqueness and answers the first.
 */
export async function acceptQuoteByCustomer(
  tenant: Tenant,
  freeAccessId: string,
  acceptance: Acceptance,
): Promise<Result<{ readonly reservationId: number }, QuotePageRefusal>> {
  const isWorthRetrying = (error: unknown) =>
    isTransientDatabaseError(error) ||
    isBookingVersionConflict(error) ||
    isDuplicateInColumns(error, "bookings.free_access_id");
  return withRetry(() => tryAccepting(tenant, freeAccessId, acceptance), { attempts: ATTEMPTS, isWorthRetrying });
}

/** Maximum attempts to accept a quote. Only one of many concurrent ones succeeds, and the others read its result. */
const ATTEMPTS = 5;

async function tryAccepting(
  tenant: Tenant,
  freeAccessId: string,
  { now, expectedVersion, details }: Acceptance,
): Promise<Result<{ readonly reservationId: number }, QuotePageRefusal>> {
  const { db } = tenant;
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    () =>
      [
        ...quoteQueries(db, { freeAccessId }),
        ...quoteCustomerQueries(db, freeAccessId),
        quotePayerQuery(db, freeAccessId),
        quoteDoNotRentQuery(db, freeAccessId, {
          documentId: details.customer_document_id,
          email: details.customer_email,
        }),
      ] as const,
  );
  const [[row], , [customer], [last], [payer], [mark]] = rows;
  if (!row) return err({ kind: "quoteNotFound" });
  const quote = fromQuoteRow(row);
  if (quote.bookingId !== null) return ok({ reservationId: quote.bookingId });
  const decided = decideQuoteAction(quote, "accept", now);
  if (!decided.ok) return decided;
  if (expectedVersion !== undefined && expectedVersion !== quote.version) return err({ kind: "quoteOutdated" });
  const known = {
    customer: customer && toBookingCustomer(customer),
    contractData: toKnownContractData(catalogue, { quote, customer, last }, now),
  };
  const isRefused = typeof mark?.reason === "string" && !quote.request.isDoNotRentConfirmed;
  const booking = {
    ...toNewBooking(catalogue, quote, known, details, now),
    // If the customer is marked as do-not-rent, the office must confirm the reservation.
    ...(isRefused && { status: "pending_confirmation" as const, expiresAt: undefined }),
  };
  const { billing } = quote.request;
  const [guest, item, ...parts] = newBookingStatements(db, booking);
  const saveResult = await catchSoldOut<unknown[]>(() =>
    db.batch([
      guest,
      item,
      acceptQuoteStatement(db, quote, now),
      ...parts,
      ...setPayerAndInvoicingStatements(
        db,
        { freeAccessId },
        {
          ...billing,
          // A payer who was merged into another customer is replaced, and an erased one left out.
          ...(billing?.customerId != null && { customerId: payer?.id ?? null }),
        },
      ),
      addQuoteHistoryStatement(db, freeAccessId, { at: now, actor: "visitor", event: "accepted" }),
      ...quoteQueries(db, { freeAccessId }),
    ]),
  );
  if (!saveResult.ok) {
    await noteSoldOut(tenant, quote, saveResult.error, now);
    return saveResult;
  }
  const [written] = saveResult.value.at(-2) as Awaited<ReturnType<typeof quoteQueries>[0]>;
  if (!written?.bookingId) throw new Error("a quote was accepted and has no reservation");
  return ok({ reservationId: written.bookingId });
}

// Entries that were removed from the catalogue can't be named any more. Their prices stay.
function withKnownNames({ offers, salesChannels, driverAgeRules }: Catalogue, offer: StorableDraft): StorableDraft {
  const { terms, lines } = offer;
  const { salesChannel, driverAgeRule } = terms;
  return {
    ...offer,
    terms: {
      ...terms,
      salesChannel: salesChannel !== undefined && salesChannels.has(salesChannel) ? salesChannel : undefined,
      driverAgeRule: driverAgeRules.find(({ id }) => id === driverAgeRule?.id),
    },
    lines: lines.map((line) => ({ ...line, offer: offers.find(({ id }) => id === line.offer?.id) })),
  };
}

function toNewBooking(
  catalogue: Catalogue,
  quote: QuoteRow,
  known: { readonly customer: NewBooking["customer"] | undefined; readonly contractData: ContractData },
  details: QuoteAcceptanceDetails,
  at: number,
): NewBooking {
  const { request, offer } = quote;
  const { customer_email: email, customer_phone: phone, customer_document_id: documentId, ...data } = details;
  const { settings } = catalogue;
  return {
    draft: withKnownNames(catalogue, offer),
    freeAccessId: quote.freeAccessId,
    status: request.status,
    expiresAt: request.status === "pending_confirmation" ? at + settings.holdMinutes * 60_000 : undefined,
    createdBy: "staff",
    actor: "visitor",
    agency: undefined,
    agentId: request.agentId,
    requestFingerprint: undefined,
    customer: {
      ...known.customer,
      name: quote.customerName,
      surname: quote.customerSurname,
      email: quote.customerEmail ?? email,
      phone: quote.customerPhone ?? phone,
      documentId: quote.customerDocumentId ?? documentId,
      id: known.customer?.id,
    },
    customerLanguage: quote.customerLanguage,
    contractData: { ...known.contractData, ...toContractData(data), ...request.contractData },
    comments: request.comments,
    priceOverride: request.priceOverride && {
      differenceCents: offer.differenceCents,
      reason: request.priceOverride.reason,
    },
    creationDetail: createSaleHistoryDetail(request, { discount: offer.discount, isShort: false }),
    at,
  };
}

function toContractData(data: QuoteAcceptanceDetails): ContractData {
  return Object.fromEntries(Object.entries(data).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

// Records on the quote that it's sold out, which creates a task for the office. Nothing is recorded if the quote was
// changed concurrently.
async function noteSoldOut(tenant: Tenant, quote: QuoteRow, { code }: SoldOut, at: number): Promise<void> {
  const { db } = tenant;
  try {
    await db.batch([
      updateQuoteColumnsStatement(db, quote, { soldOutAt: at, lastUpdate: at }),
      addQuoteHistoryStatement(db, quote.freeAccessId, { at, actor: "visitor", event: "sold_out", detail: { code } }),
    ]);
  } catch (error) {
    if (!isBookingVersionConflict(error)) throw error;
  }
}

/** Declines a quote by its link. Safe to repeat. */
export async function declineQuoteByCustomer(
  tenant: Tenant,
  freeAccessId: string,
  { now, reason }: { readonly now: number; readonly reason: string | undefined },
): Promise<Result<undefined, QuotePageRefusal>> {
  return withRetry(() => tryDeclining(tenant, freeAccessId, now, reason), {
    attempts: ATTEMPTS,
    isWorthRetrying: (error) => isTransientDatabaseError(error) || isBookingVersionConflict(error),
  });
}

async function tryDeclining(
  { db }: Tenant,
  freeAccessId: string,
  at: number,
  reason: string | undefined,
): Promise<Result<undefined, QuotePageRefusal>> {
  const [[row]] = await db.batch([...quoteQueries(db, { freeAccessId })]);
  if (!row) return err({ kind: "quoteNotFound" });
  if (row.status === "declined") return ok(undefined);
  const quote = fromQuoteRow(row);
  const decided = decideQuoteAction(quote, "decline", at);
  if (!decided.ok) return decided;
  await db.batch([
    updateQuoteColumnsStatement(db, quote, {
      ...{ status: decided.value, declineReason: reason ?? null, decidedAt: at, soldOutAt: null, lastUpdate: at },
    }),
    addQuoteHistoryStatement(db, freeAccessId, {
      ...{ at, actor: "visitor", event: "declined" },
      detail: reason === undefined ? {} : { reason },
    }),
  ]);
  return ok(undefined);
}

import {
  getDocumentsLinkedInMail,
  getMailKindForHistoryEntry,
  isMailSentOncePerBooking,
  isMailSentToBranch,
  sanitizeNameForMail,
} from "#domain/bookings/booking-mails.ts";
import type { BookingMailKind } from "#domain/catalogue/booking-mail-kinds.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { type CivilDate, fromCivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { sumCents } from "#domain/money.ts";
import { formatDate, formatMoney } from "#domain/money-notation.ts";
import { getPaymentLinkUrl } from "#domain/payments/payment-links.ts";
import { decidePaymentOptions, needsDecisionOnLatePayment } from "#domain/payments/payments.ts";
import { getInvoiceKind, type InvoiceKind } from "#domain/printing/documents.ts";
import { describeIncludedKilometres } from "#domain/printing/included-kilometres.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { type BookingMail, writeBookingMail } from "#worker/mail/booking-mail.ts";
import {
  type BookedTrip,
  type BookingMailData,
  findPendingNotifications,
  type MailedDepositReturn,
  type MailedDocument,
  type MailedInvoice,
  type MailedPaymentLink,
  type MailedRefund,
  type MailRecipient,
  type NewMail,
  type PendingHistoryEntry,
  saveBookingMails,
  type UpcomingEventMail,
} from "#worker/store/operations/booking-mails.ts";
import { saveDevelopmentMail } from "#worker/store/operations/mailbox.ts";
import { toCivilNow, toEpochInstant } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import type { MailAttachment } from "#worker/usecases/mails/send-mails.ts";
import { findReservationUrl } from "#worker/usecases/payments/reservation-url.ts";
import { describeTransfer } from "./described-transfer.ts";
import { localizeBooking } from "./localized-booking.ts";
import { createPickupGuide, createReservationIcalAttachment } from "./pickup-guide.ts";

const HOUR = 3_600_000;
/**
 * Maximum age of history entries that customers are notified about. After a cron outage of a day, entries are still
 * sent.
 */
const MAX_NEWS_AGE_MS = 48 * HOUR;
/** After this time, an undelivered mail is useless. */
export const MAIL_EXPIRES_AFTER_MS = 48 * HOUR;
const MAX_LINKS = 5;
const MAX_PAYMENT_WAIT_MS = 10 * 60_000;

/** Mail to write about a booking. */
export interface BookingMailToWrite {
  readonly booking: BookingMailData;
  readonly kind: BookingMailKind;
  readonly historyId: number;
  readonly link?: MailedPaymentLink | null;
  /** Invoice that the mail is about. Other mails are about the booking's newest document. */
  readonly invoice?: MailedInvoice | null;
  readonly refund?: MailedRefund | null;
  /** Whether only the customer gets it, because the branch got it before. */
  readonly isForCustomer?: boolean;
  /** Deposits that were returned by the event. */
  readonly deposits?: readonly MailedDepositReturn[];
}

/**
 * Returns a document's electronic invoice as attachments if its customer gets one, and its PDF if `withPdf`
 * is set.
 */
export type AttachInvoice = (
  tenant: Tenant,
  documentId: number,
  request: { readonly now: number; readonly withPdf: boolean },
) => Promise<readonly MailAttachment[]>;

/**
 * Creates the mails for a booking's events, to its customer and branch, each once. They are stored in the batch that
 * advances the history cursor, and `resendMails` sends them. Returns their number.
 */
export async function enqueueDueBookingMails(
  tenant: Tenant,
  now: number,
  attachInvoice?: AttachInvoice,
): Promise<number> {
  const { catalogue } = await tenant.snapshot();
  const { settings } = catalogue;
  const clock = toCivilNow(settings.timezone, now);
  const until = fromCivilMinute(toCivilMinute(clock.date, clock.time) + settings.reminderHours * 60);
  const { last, entries, pickups, holds } = await findPendingNotifications(tenant.db, {
    now,
    civilNow: `${clock.date} ${clock.time}`,
    pickupsUntil: `${until.date} ${until.time}`,
    holdsUntil: now + settings.holdReminderMinutes * 60_000,
  });
  const reportedReturns = new Set(
    entries.filter(({ wasReportedToCustomer }) => wasReportedToCustomer === 1).map(({ bookingId }) => bookingId),
  );
  const canMail = (bookingId: number, kind: BookingMailKind) =>
    !settings.mailsOff.includes(kind) && !(kind === "collected" && reportedReturns.has(bookingId));
  const candidateMails: BookingMailToWrite[] = [
    ...entries
      .filter(({ at }) => at > now - MAX_NEWS_AGE_MS)
      .flatMap((entry) => {
        const isInvoicedAgain = isLastReturn(entry, entries) && isCorrected(entry);
        const detail = JSON.parse(entry.detail);
        const { historyId, link, invoice, refund, deposits } = entry;
        const isDepositReturned = deposits.length > 0;
        const kind = getMailKindForHistoryEntry({
          ...entry,
          isInvoicedAgain,
          detail,
          isDepositReturned,
          canMail: (mailKind) => canMail(entry.bookingId, mailKind),
        });
        // For a collective invoice, only the entry of its first contract contains the invoice and causes a
        // mail.
        const isReportedElsewhere = detail.document === "collective" && invoice === null;
        if (!kind || isReportedElsewhere) return [];
        const dueMail = {
          booking: entry,
          kind,
          historyId: isMailSentOncePerBooking(kind) ? 0 : historyId,
          link,
          invoice,
          refund,
          deposits,
          isForCustomer: detail.emailVerified === true,
        };
        const isCustomerOmitted = isDepositReturned && isOnlyForPayer(dueMail);
        return [dueMail, ...(isCustomerOmitted ? [{ ...dueMail, kind: "deposit_returned" as const }] : [])];
      }),
    ...pickups.map((booking) => ({ booking, kind: "reminder" as const, historyId: 0 })),
    ...holds.map((booking) => ({ booking, kind: "hold_ending" as const, historyId: 0 })),
  ];
  const dueMails = candidateMails
    .filter(({ booking, kind }) => canMail(booking.bookingId, kind))
    .filter(
      (dueMail, index, sendableMails) =>
        isFirst(dueMail, index, sendableMails) &&
        !isInConfirmation(dueMail, sendableMails) &&
        !isInReturnMail(dueMail, sendableMails),
    );
  const mails = await Promise.all(
    dueMails.flatMap((dueMail) => createBookingMails(tenant, catalogue, dueMail, { now, attachInvoice })),
  );
  const lastId = entries.at(-1)?.historyId ?? last;
  if (mails.length > 0 || lastId > last) await saveBookingMails(tenant.db, mails, { lastHistoryId: lastId, now });
  return mails.length;
}

// If a customer pays before the request's mail is written, both events lead to the same confirmation mail.
const isFirst = (
  { booking, kind, historyId }: BookingMailToWrite,
  index: number,
  sendableMails: readonly BookingMailToWrite[],
) =>
  sendableMails.findIndex(
    (dueMail) =>
      dueMail.booking.bookingId === booking.bookingId && dueMail.kind === kind && dueMail.historyId === historyId,
  ) === index;

// Whether a payment needs no mail of its own, because the confirmation mail shows it.
const isInConfirmation = (
  { booking: { bookingId, status }, kind }: BookingMailToWrite,
  sendableMails: readonly BookingMailToWrite[],
) =>
  kind === "payment_received" &&
  status === "confirmed" &&
  sendableMails.some((other) => other.booking.bookingId === bookingId && other.kind === "confirmed");

// Whether the return's mail shows the deposit, so that it needs no second mail. Card holds aren't shown there.
const isInReturnMail = (
  { booking: { bookingId }, kind, deposits = [] }: BookingMailToWrite,
  sendableMails: readonly BookingMailToWrite[],
) =>
  kind === "deposit_returned" &&
  deposits.every(({ method }) => method !== null) &&
  sendableMails.some((other) => other.booking.bookingId === bookingId && other.kind === "collected");

const isCorrected = ({ wasReportedToCustomer, documents: [latest] }: PendingHistoryEntry) =>
  wasReportedToCustomer === 1 && latest?.invoiceType === "invoice";

// Whether no later return of the contract is among the entries, so that several vehicles of a reopened contract cause
// one mail.
const isLastReturn = ({ bookingId, historyId }: PendingHistoryEntry, entries: readonly PendingHistoryEntry[]) =>
  !entries.some((entry) => entry.bookingId === bookingId && entry.event === "collected" && entry.historyId > historyId);

const findMailedDocument = ({ booking: { documents }, invoice }: BookingMailToWrite) => invoice ?? documents[0];

const isCollective = ({ invoice }: BookingMailToWrite) => (invoice?.bookingIds.length ?? 0) > 0;

const isRequested = ({ invoice }: BookingMailToWrite) => invoice?.isRequested === 1;

// Another customer than the booking's, who pays the document and gets it instead.
function findPayer(dueMail: BookingMailToWrite) {
  return getDocumentsLinkedInMail(dueMail.kind).invoices
    ? (findMailedDocument(dueMail)?.payer ?? undefined)
    : undefined;
}

// Whether only another payer gets the mail, so that the contract's customer doesn't see its contents.
const isOnlyForPayer = (dueMail: BookingMailToWrite) =>
  isCollective(dueMail) || (dueMail.kind === "invoiced" && findPayer(dueMail) !== undefined);

interface Addressee {
  readonly recipient: MailRecipient;
  readonly address: string;
  readonly language: PlatformLanguage;
}

function listAddressees({ defaultLanguage }: Catalogue["settings"], dueMail: BookingMailToWrite): readonly Addressee[] {
  const { booking, kind } = dueMail;
  const payer = findPayer(dueMail);
  const pick = (language?: string | null) => pickPlatformLanguage(language ?? undefined, defaultLanguage);
  const toAddressee = (recipient: MailRecipient, address: string | null | undefined, language?: string | null) =>
    address ? [{ recipient, address, language: pick(language) }] : [];
  return [
    ...(booking.isUnverified || isOnlyForPayer(dueMail)
      ? []
      : toAddressee("customer", booking.customerEmail, booking.customerLanguage)),
    ...(isMailSentToBranch(kind) && !dueMail.isForCustomer ? toAddressee("branch", booking.branchEmail) : []),
    ...toAddressee("payer", payer?.email, payer?.language),
  ];
}

/** Writes a mail to the customer and, for some kinds, to the branch or to the payer of an invoice. */
export function createBookingMails(
  tenant: Tenant,
  catalogue: Catalogue,
  mailToWrite: BookingMailToWrite,
  { now, attachInvoice }: { readonly now: number; readonly attachInvoice: AttachInvoice | undefined },
): readonly Promise<NewMail>[] {
  const { settings } = catalogue;
  const { booking, kind } = mailToWrite;
  const uselessAt = Math.min(now + MAIL_EXPIRES_AFTER_MS, lateAt(settings.timezone, mailToWrite));
  return listAddressees(settings, mailToWrite).map(async ({ recipient, address, language }) => {
    const addressee = { recipient, language };
    const facts = await createRecipientFacts(tenant, catalogue, mailToWrite, addressee, now);
    const composedMail = writeBookingMail(recipient === "payer" ? "invoiced" : kind, facts, language);
    const isAbout = { bookingId: booking.bookingId, kind, historyId: mailToWrite.historyId, recipient };
    const mailContext = { company: settings.accountName, near: getNearMail(mailToWrite), identity: isAbout };
    const calendar = facts.guide?.hasCalendar
      ? [createReservationIcalAttachment(tenant.name, catalogue, booking, facts, language)]
      : [];
    const attachments = [
      ...calendar,
      ...(await attachInvoices(tenant, mailToWrite, recipient, { now, attachInvoice })),
    ];
    const attached = attachments.length > 0 && { attachments };
    const addressed = { ...composedMail, ...mailContext, recipient: address, ...attached };
    const sealed = await encryptSecret(tenant.masterKey, tenant.name, JSON.stringify(addressed));
    if (DEVELOPMENT_BUILD) await saveDevelopmentMail(tenant.db, { sentAt: now, recipient: address, ...composedMail });
    const mail = {
      sealed,
      subject: composedMail.subject,
      nextAt: getSendTime(kind, booking, now),
      uselessAt,
      createdAt: now,
    };
    return { ...isAbout, address, mail };
  });
}

// Attaches the document, if it's addressed to the customer who gets the mail. A document for another payer isn't sent
// to the contract's customer. A payer has no access to the reservation, so that the mail contains the PDF instead of a
// link.
async function attachInvoices(
  tenant: Tenant,
  dueMail: BookingMailToWrite,
  recipient: MailRecipient,
  { now, attachInvoice }: { readonly now: number; readonly attachInvoice: AttachInvoice | undefined },
): Promise<readonly MailAttachment[]> {
  const document = findMailedDocument(dueMail);
  if (!document || !attachInvoice || !getDocumentsLinkedInMail(dueMail.kind).invoices) return [];
  const needsPdf = recipient === "payer" || isRequested(dueMail);
  const isAddressee = needsPdf || (recipient === "customer" && document.isOwn === 1);
  return isAddressee ? attachInvoice(tenant, document.id, { now, withPdf: needsPdf }) : [];
}

async function createRecipientFacts(
  tenant: Tenant,
  catalogue: Catalogue,
  dueMail: BookingMailToWrite,
  { recipient, language }: { readonly recipient: MailRecipient; readonly language: PlatformLanguage },
  now: number,
): Promise<BookingMail> {
  const { ownUrl } = tenant;
  const { booking, kind } = dueMail;
  const document = findMailedDocument(dueMail);
  const facts = {
    ...createBookingMailContent(catalogue, booking, language, now),
    ...getMailBrand(tenant, catalogue),
    documentKind: document && getMailedInvoiceKind(document),
  };
  const { customerName, customerSurname } = booking;
  if (recipient === "payer") {
    const invoice = createInvoiceMailContent(catalogue, dueMail, language);
    return {
      ...facts,
      invoice,
      person: sanitizeNameForMail(findPayer(dueMail)?.name ?? ""),
      links: [],
      page: undefined,
    };
  }
  if (recipient === "branch") {
    const customer = sanitizeNameForMail(`${customerName} ${customerSurname}`);
    return { ...facts, person: "", customer, links: [], page: undefined };
  }
  return {
    ...facts,
    person: sanitizeNameForMail(customerName),
    guide: createPickupGuide(catalogue, booking, { kind, language, now }),
    ...(isRequested(dueMail) && { invoice: createInvoiceMailContent(catalogue, dueMail, language) }),
    paymentLink: describePaymentLink(catalogue, dueMail, language),
    refunded: describeRefund(catalogue, dueMail, language),
    ...describeDepositReturns(catalogue, dueMail, language),
    links: createLinks(ownUrl, dueMail),
    page: await findReservationPage(tenant, booking, language),
  };
}

/**
 * Returns number and amounts of an invoice of a month or of several contracts, or of a document that staff mailed.
 * Undefined for others.
 */
export function createInvoiceMailContent(
  { settings: { currency, currencyDecimals: decimals, countryCode } }: Catalogue,
  { invoice }: Pick<BookingMailToWrite, "invoice">,
  language: PlatformLanguage,
): BookingMail["invoice"] {
  if (!invoice) return undefined;
  const { bookingIds, dueDate, totalCents, pendingCents, invoiceType } = invoice;
  const isCredit = invoiceType === "payment";
  const money = (cents: number) => formatMoney(cents, { currency, decimals, language });
  return {
    number: nameDocument(invoice),
    reservations: bookingIds.join(", "),
    dueDate: dueDate === null || isCredit ? undefined : formatDate(dueDate, language, countryCode),
    total: money(totalCents),
    pending: isCredit ? undefined : money(Math.max(0, pendingCents)),
  };
}

/** Returns the type of a document in its mail. */
export const getMailedInvoiceKind = (document: MailedDocument): InvoiceKind =>
  getInvoiceKind({ ...document, isFull: document.isFull === 1 });

const nameDocument = ({ serie, number }: Pick<MailedInvoice, "serie" | "number">) =>
  [serie, number].filter(Boolean).join("/");

// If the customer is paying, the confirmation follows in minutes and replaces the mail about the request.
function getSendTime(kind: BookingMailKind, { payingUntil }: BookingMailData, now: number): number {
  const isPaying = kind === "request_received" && payingUntil !== null && payingUntil > now;
  return isPaying ? Math.min(payingUntil, now + MAX_PAYMENT_WAIT_MS) : now;
}

// A notice of an upcoming event is useless after it, for example a reminder after the pickup or a hold's end after its
// expiry.
function lateAt(timezone: string, { kind, booking }: BookingMailToWrite): number {
  if (kind === "hold_ending") return booking.expiresAt ?? Number.POSITIVE_INFINITY;
  if (kind !== "reminder") return Number.POSITIVE_INFINITY;
  return toEpochInstant(timezone, toCivilMinute(booking.dateFrom as CivilDate, booking.timeFrom as TimeText));
}

function getNearMail({ kind, booking }: BookingMailToWrite): UpcomingEventMail | undefined {
  const { bookingId, dateFrom, timeFrom, expiresAt } = booking;
  if (kind === "reminder") return { bookingId, kind, at: `${dateFrom} ${timeFrom}` };
  return kind === "hold_ending" ? { bookingId, kind, at: String(expiresAt) } : undefined;
}

function describePaymentLink(
  { settings: { currency, currencyDecimals: decimals } }: Catalogue,
  { kind, link }: BookingMailToWrite,
  language: PlatformLanguage,
): BookingMail["paymentLink"] {
  if (kind !== "payment_link" || !link) return undefined;
  return { amount: formatMoney(link.cents, { currency, decimals, language }), isHold: link.purpose === "hold" };
}

function describeRefund(
  { settings: { currency, currencyDecimals: decimals } }: Catalogue,
  { kind, refund }: BookingMailToWrite,
  language: PlatformLanguage,
): BookingMail["refunded"] {
  if (kind !== "refunded" || !refund) return undefined;
  return { amount: formatMoney(refund.cents, { currency, decimals, language }), method: refund.method };
}

// Returns the returned deposits that a mail shows: all in the mail about the return, else those of its event.
function describeDepositReturns(
  { settings: { currency, currencyDecimals: decimals } }: Catalogue,
  { kind, booking, deposits = [] }: BookingMailToWrite,
  language: PlatformLanguage,
): Pick<BookingMail, "depositReturn" | "returnedDeposits"> {
  const money = (cents: number) => formatMoney(cents, { currency, decimals, language });
  const shown = kind === "collected" ? booking.depositReturns : deposits;
  const isHold = deposits.every(({ method }) => method === null);
  return {
    depositReturn:
      kind === "deposit_returned" && deposits.length > 0
        ? { amount: money(sumCents(deposits.map(({ cents }) => cents))), isHold }
        : undefined,
    returnedDeposits: shown.map(({ cents, method }) => ({ amount: money(cents), method })),
  };
}

// A mail with a payment link only links to the payment's page. Other mails link to documents.
function createLinks(ownUrl: string, { booking, kind, link }: BookingMailToWrite): BookingMail["links"] {
  if (kind !== "payment_link") return createDocumentLinks(ownUrl, booking, kind);
  return link ? [{ kind: "payment", name: "", url: getPaymentLinkUrl(ownUrl, link.token) }] : [];
}

// Links with the unguessable id. They contain no user input.
function createDocumentLinks(ownUrl: string, booking: BookingMailData, kind: BookingMailKind): BookingMail["links"] {
  const root = `${ownUrl}/api/v1/web-customer/reservations/${booking.freeAccessId}`;
  const { contract, invoices } = getDocumentsLinkedInMail(kind);
  return [
    ...(contract && booking.isRental ? [{ kind: "contract" as const, name: "", url: `${root}/contract.pdf` }] : []),
    ...(invoices ? booking.documents.filter(({ payer }) => payer === null) : [])
      .slice(0, MAX_LINKS)
      .map((document) => ({
        kind: getMailedInvoiceKind(document),
        name: nameDocument(document),
        url: `${root}/documents/${document.id}.pdf`,
      })),
  ];
}

/** Returns the page of a reservation for mails. Undefined if no known page shows it. */
export const findReservationPage = (
  tenant: Pick<Tenant, "ownUrl" | "snapshot">,
  { isRental, ...booking }: Pick<BookingMailData, "isRental" | "freeAccessId" | "websitePage">,
  language: PlatformLanguage,
): Promise<string | undefined> =>
  findReservationUrl(tenant, { ...booking, kind: isRental ? "rental" : "transfer", language });

// Returns the credited amount and the amount paid to an agent, if there are any. A mail about a cancellation shows the
// fee instead, also if it's zero, so that the customer knows that nothing is owed.
function coveredParts(
  { status, creditedCents, agentKeptCents, feeCents, cancellationReason }: BookingMailData,
  money: (cents: number) => string,
) {
  const isCancelled = status === "cancelled";
  const part = (cents: number, isShown: boolean) => (isShown && cents > 0 ? money(cents) : undefined);
  return {
    credited: part(creditedCents, !isCancelled),
    paidToAgent: part(agentKeptCents, !isCancelled),
    fee: isCancelled && cancellationReason !== "expired" ? money(feeCents) : undefined,
  };
}

/** Returns the facts of a booking for mails in a language. */
export function createBookingMailContent(
  catalogue: Catalogue,
  booking: BookingMailData,
  language: PlatformLanguage,
  now: number,
): Omit<BookingMail, "links" | "page" | "person" | "customer" | "guide" | "logo"> {
  const { currency, currencyDecimals: decimals, timezone, countryCode } = catalogue.settings;
  const money = (cents: number) => formatMoney(cents, { currency, decimals, language });
  const moment = (date: string, time: string) => `${formatDate(date, language, countryCode)} ${time}`;
  const isCancelled = booking.status === "cancelled";
  const { pickupPlace, returnPlace, vehicles, extras, trips } = localizeBooking(catalogue, booking, language);
  // Credited amounts and amounts kept by an agent aren't owed.
  const owedCents =
    (isCancelled ? booking.feeCents : booking.totalCents - booking.agentKeptCents) - booking.creditedCents;
  const refundCents = Math.max(0, booking.paidCents - owedCents);
  const isPaidTooLate = needsDecisionOnLatePayment({ ...booking, isOwedBack: isCancelled && refundCents > 0 });
  const isHeld = booking.status === "pending_confirmation" && booking.expiresAt !== null && booking.expiresAt > now;
  const holdEnd = isHeld ? toCivilNow(timezone, booking.expiresAt) : undefined;
  return {
    company: catalogue.settings.accountName,
    reservation: booking.bookingId,
    pickup: `${moment(booking.dateFrom, booking.timeFrom)}, ${pickupPlace}`,
    return: `${moment(booking.dateTo, booking.timeTo)}, ${returnPlace}`,
    isTransfer: !booking.isRental,
    products: vehicles,
    kilometres: describeKilometres(catalogue, booking, language),
    trips: trips.length > 1 ? trips.map(({ trip, route }) => `${describeTripTimes(trip, moment)}, ${route}`) : [],
    extras,
    transfer: describeTransfer(booking),
    discount: booking.discountCents > 0 ? money(-booking.discountCents) : undefined,
    total: money(booking.totalCents),
    ...coveredParts(booking, money),
    paid: money(booking.paidCents),
    pending: isCancelled || isPaidTooLate ? undefined : money(Math.max(0, owedCents - booking.paidCents)),
    refund: refundCents > 0 ? money(refundCents) : undefined,
    holdUntil: holdEnd && moment(holdEnd.date, holdEnd.time),
    isExpired: isCancelled && booking.cancellationReason === "expired",
    isPaidTooLate,
    isOpen: booking.status === "pending_confirmation" || booking.status === "confirmed",
    isPayable: isPayable(catalogue, booking, now),
  };
}

// Returns the kilometres that the price includes, by category if they differ. Undefined for a transfer, or if they are
// unlimited.
function describeKilometres(
  { categories }: Catalogue,
  { products, days }: BookingMailData,
  language: PlatformLanguage,
): BookingMail["kilometres"] {
  const described = products.flatMap((product) => {
    if (!("code" in product)) return [];
    const category = categories.get(product.code);
    const kilometres = describeIncludedKilometres({ kilometresPerDay: category?.kilometresPerDay, days }, language);
    return [{ name: category?.names[language] ?? product.name, kilometres }];
  });
  const values = new Set(described.map(({ kilometres }) => kilometres?.value));
  const [first] = described;
  if (values.size < 2) return first?.kilometres;
  const parts = described.flatMap(({ name, kilometres }) => (kilometres ? [{ ...kilometres, name }] : []));
  return parts[0] && { label: parts[0].label, value: parts.map(({ name, value }) => `${name} ${value}`).join(", ") };
}

// Returns departure and arrival of a trip, with the date of the arrival if it's on another day.
function describeTripTimes(
  { date, time, minutes }: BookedTrip,
  moment: (date: string, time: string) => string,
): string {
  const arrival = fromCivilMinute(toCivilMinute(date as CivilDate, time as TimeText) + minutes);
  return `${moment(date, time)} – ${arrival.date === date ? arrival.time : moment(arrival.date, arrival.time)}`;
}

function isPayable({ settings }: Catalogue, booking: BookingMailData, now: number): boolean {
  const { totalCents, creditedCents, agentKeptCents, paidCents: totalPaidCents, expiresAt } = booking;
  const owed = { totalCents: totalCents - creditedCents - agentKeptCents, totalPaidCents };
  const options = decidePaymentOptions(settings, { ...booking, ...owed, expiresAt: expiresAt ?? undefined }, now);
  return Object.values(options).includes(true);
}

import { findSecondsUntilRetry } from "#domain/access/attempts.ts";
import { sanitizeNameForMail } from "#domain/bookings/booking-mails.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { normalizeOrCleanEmail } from "#domain/identity.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { writeReservationLinkMail } from "#worker/mail/reservation-link-mail.ts";
import { recordAttemptQueries, toAttemptCounts } from "#worker/store/access/attempts.ts";
import { enqueueMail } from "#worker/store/mails/outgoing-mails.ts";
import { type BookingMailData, bookingMailDataQuery } from "#worker/store/operations/booking-mails.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import {
  createTooManyAttemptsRefusal,
  type TooManyAttempts,
  toUserAttemptSource,
} from "#worker/usecases/access/limit-attempts.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import { encryptOutgoingMail, sendOutgoingMail } from "#worker/usecases/mails/send-mails.ts";
import { findListedPage } from "#worker/usecases/payments/reservation-url.ts";
import { createBookingMailContent, findReservationPage } from "./booking-mails.ts";
import { createReservationIcalAttachment } from "./pickup-guide.ts";

const USELESS_MILLISECONDS = 3_600_000;
const OPEN: ReadonlySet<string> = new Set(["confirmed", "in_progress"]);
const AGREED: ReadonlySet<string> = new Set([...OPEN, "done"]);

/** File of a booking for its customer. `id` of an invoice or credit note. */
export interface CustomerDownload {
  readonly kind: "contract" | "invoice" | "credit_note" | "calendar";
  readonly id: number | undefined;
  readonly name: string;
}

/** Lists the files that a booking's customer may download. Undefined for an unknown id. */
export async function listCustomerDownloads(
  tenant: Tenant,
  freeAccessId: string,
): Promise<readonly CustomerDownload[] | undefined> {
  const [row] = await bookingMailDataQuery(tenant.db, { freeAccessId });
  if (!row) return undefined;
  const { status, isRental, documents } = row.mailed;
  const plain = (kind: "contract" | "calendar"): CustomerDownload => ({ kind, id: undefined, name: "" });
  return [
    ...(isRental === 1 && AGREED.has(status) ? [plain("contract")] : []),
    ...documents.map(
      ({ id, invoiceType, serie, number }): CustomerDownload => ({
        kind: invoiceType === "payment" ? "credit_note" : "invoice",
        id,
        name: [serie, number].filter(Boolean).join("/"),
      }),
    ),
    ...(OPEN.has(status) ? [plain("calendar")] : []),
  ];
}

/** Creates the calendar file of a confirmed booking in its customer's language. Undefined if there is none. */
export async function createReservationIcal(
  tenant: Tenant,
  freeAccessId: string,
  now: number,
): Promise<{ readonly name: string; readonly text: string } | undefined> {
  const [[row], { catalogue }] = await Promise.all([
    bookingMailDataQuery(tenant.db, { freeAccessId }),
    tenant.snapshot(),
  ]);
  if (!row || !OPEN.has(row.mailed.status)) return undefined;
  const language = pickPlatformLanguage(row.mailed.customerLanguage, catalogue.settings.defaultLanguage);
  const facts = createBookingMailContent(catalogue, row.mailed, language, now);
  const { name, base64 } = createReservationIcalAttachment(tenant.name, catalogue, row.mailed, facts, language);
  return { name, text: Buffer.from(base64, "base64").toString() };
}

/** Reservation that a customer looks for, as typed. */
export interface RequestedBookingLink {
  readonly number: number;
  readonly email: string;
  /** Page of the website on which it was requested. */
  readonly page: string | undefined;
}

/**
 * Mails the link of a reservation to its customer, if number and email belong together. Attempts are counted per email
 * and network. Returns the sending, to run after the response, so that its duration doesn't reveal a match.
 */
export async function requestBookingLink(
  tenant: Tenant,
  { number, email, page }: RequestedBookingLink,
  { now, address }: { readonly now: number; readonly address: string | undefined },
): Promise<Result<() => Promise<void>, TooManyAttempts>> {
  const attemptSource = await toUserAttemptSource(tenant, email, address);
  const [, attempts] = await tenant.db.batch(recordAttemptQueries(tenant.db, "forgotten", attemptSource, now));
  const wait = findSecondsUntilRetry("forgotten", toAttemptCounts(attempts), now);
  if (wait !== undefined) return err(createTooManyAttemptsRefusal(wait));
  return ok(async () => {
    const [[row], { catalogue }] = await Promise.all([bookingMailDataQuery(tenant.db, number), tenant.snapshot()]);
    if (!row || !isOwn(row.mailed, email)) return;
    const websitePage = (await findListedPage(tenant, page)) ?? row.mailed.websitePage;
    await sendLink(tenant, catalogue, { ...row.mailed, websitePage }, now);
  });
}

const fold = (email: string) => normalizeOrCleanEmail(email).toLowerCase();

function isOwn({ customerEmail, isUnverified }: BookingMailData, email: string): boolean {
  return customerEmail !== null && !isUnverified && fold(customerEmail) === fold(email);
}

// Websites that need a key show reservations on their own pages.
async function sendLink(tenant: Tenant, catalogue: Catalogue, booking: BookingMailData, now: number): Promise<void> {
  const { accountName: company, defaultLanguage } = catalogue.settings;
  const language = pickPlatformLanguage(booking.customerLanguage, defaultLanguage);
  const link = await findReservationPage(tenant, booking, language);
  if (link === undefined || booking.customerEmail === null) return;
  const person = sanitizeNameForMail(booking.customerName);
  const content = { ...getMailBrand(tenant, catalogue), person, reservation: booking.bookingId, link };
  const composedMail = writeReservationLinkMail(content, language);
  const mail = { ...composedMail, recipient: booking.customerEmail, company };
  const id = await enqueueMail(tenant.db, await encryptOutgoingMail(tenant, mail, now, now + USELESS_MILLISECONDS));
  if (id !== undefined) await sendOutgoingMail(tenant, id, mail, now);
}

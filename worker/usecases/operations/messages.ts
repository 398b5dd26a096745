import { canAccessBranch } from "#domain/access/sessions.ts";
import { sanitizeNameForMail } from "#domain/bookings/booking-mails.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import {
  createMessageLinks,
  getCustomOrDefaultTemplate,
  type MessageLinks,
  type TemplateText,
} from "#domain/operations/message-templates.ts";
import { type CustomerMessageText, MESSAGE_TEMPLATES, type MessageTemplate } from "#domain/operations/message-text.ts";
import { fillPlaceholders, isMailValidForStatus, type MessagePlaceholderValues } from "#domain/operations/messages.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { writeCustomerMessageMail } from "#worker/mail/message-mail.ts";
import {
  bookingCustomerPhoneQuery,
  type MessageTemplateRow,
  messageTemplatesQuery,
} from "#worker/store/contracts/message-templates.ts";
import {
  type CustomerMailRow,
  customerMailQuery,
  newCustomerMailStatements,
  resendCustomerMailStatements,
} from "#worker/store/contracts/messages.ts";
import type { QueryResults } from "#worker/store/database.ts";
import type { OutgoingMail } from "#worker/store/mails/outgoing-mails.ts";
import {
  type BookingMailData,
  bookingMailDataQuery,
  type MailedInvoice,
  mailedDocumentQuery,
  type NewMail,
} from "#worker/store/operations/booking-mails.ts";
import { saveDevelopmentMail } from "#worker/store/operations/mailbox.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import { encryptOutgoingMail } from "#worker/usecases/mails/send-mails.ts";
import { type CustomerMailAnswer, toCustomerMailAnswer } from "#worker/usecases/office/message-answers.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { type OfficeReadBackContext, runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import {
  type AttachInvoice,
  type BookingMailToWrite,
  createBookingMailContent,
  createBookingMails,
  findReservationPage,
  MAIL_EXPIRES_AFTER_MS,
} from "./booking-mails.ts";
import { createDocumentMail } from "./document-mails.ts";
import { toBranchSignature } from "./pickup-guide.ts";

/** Message of staff: a template, or a text of their own. Texts replace those of the template. */
export interface RequestedMessage {
  readonly template: MessageTemplate | undefined;
  readonly subject: string | undefined;
  readonly text: string | undefined;
}

const toLanguage = ({ settings }: Catalogue, { customerLanguage }: BookingMailData) =>
  pickPlatformLanguage(customerLanguage, settings.defaultLanguage);

function toFacts(
  catalogue: Catalogue,
  booking: BookingMailData,
  language: PlatformLanguage,
  now: number,
): MessagePlaceholderValues {
  const facts = createBookingMailContent(catalogue, booking, language, now);
  return {
    name: sanitizeNameForMail(booking.customerName),
    number: String(booking.bookingId),
    company: facts.company,
    vehicle: facts.products,
    pickup: addAddress(facts.pickup, facts.transfer?.trips[0]?.origin),
    return: addAddress(facts.return, facts.transfer?.trips.at(-1)?.destination),
  };
}

// Adds the address at an end of a transfer, if the customer stated one.
const addAddress = (place: string, end: { readonly address: string } | undefined) =>
  end?.address ? `${place}, ${end.address}` : place;

/** Fills the placeholders of a message. */
export function fillMessagePlaceholders(
  { subject, text }: CustomerMessageText,
  facts: MessagePlaceholderValues,
): CustomerMessageText {
  return { subject: fillPlaceholders(subject, facts), text: fillPlaceholders(text, facts) };
}

const missing = (field: string) => err({ kind: "invalid", field, reason: createReason("missing") } as const);

// A template completes what the staff member didn't write.
function toText(
  { template, subject, text }: RequestedMessage,
  language: PlatformLanguage,
  own: readonly MessageTemplateRow[],
  isTransfer: boolean,
): Result<CustomerMessageText, OfficeRefusal> {
  const base = template && getCustomOrDefaultTemplate(template, language, own, { isTransfer });
  const messageText = { subject: subject ?? base?.subject, text: text ?? base?.text };
  if (messageText.subject === undefined) return missing("subject");
  return messageText.text === undefined
    ? missing("text")
    : ok({ subject: messageText.subject, text: messageText.text });
}

// An unverified address only gets the verification mail.
const getAddress = ({ customerEmail, isUnverified }: BookingMailData) => (isUnverified ? null : customerEmail) || null;

interface MessageMail extends CustomerMessageText {
  readonly id: number;
  readonly address: string;
}

async function createMessageMail(
  tenant: Tenant,
  { id, address, ...message }: MessageMail,
  {
    catalogue,
    booking,
    now,
  }: { readonly catalogue: Catalogue; readonly booking: BookingMailData; readonly now: number },
): Promise<OutgoingMail> {
  const brand = getMailBrand(tenant, catalogue);
  const language = toLanguage(catalogue, booking);
  const page = await findReservationPage(tenant, booking, language);
  const signed = { ...message, page, branch: toBranchSignature(catalogue, booking, language) };
  const composedMail = writeCustomerMessageMail(signed, brand, language);
  const mailIdentity = { bookingId: booking.bookingId, kind: "message", historyId: id, recipient: "customer" } as const;
  if (DEVELOPMENT_BUILD) await saveDevelopmentMail(tenant.db, { sentAt: now, recipient: address, ...composedMail });
  const mail = { ...composedMail, recipient: address, company: brand.company, identity: mailIdentity };
  return { ...(await encryptOutgoingMail(tenant, mail, now, now + MAIL_EXPIRES_AFTER_MS)), nextAt: now };
}

function answerMessage({ tenant, now }: OfficeWrite) {
  return {
    readBack: (id: string) => [customerMailQuery(tenant.db, Number(id))] as const,
    answer: (
      [[found]]: QueryResults<readonly [ReturnType<typeof customerMailQuery>]>,
      { staff }: Pick<OfficeReadBackContext, "staff">,
    ): Result<CustomerMailAnswer, OfficeRefusal> =>
      found && canAccessBranch(staff, found.branchCode, found.returnBranchCode)
        ? ok(toCustomerMailAnswer(found.message, now))
        : err({ kind: "messageNotFound" }),
  };
}

/** Queues a mail of staff to a reservation's customer in the customer's language, once per key. */
export async function sendCustomerMessage(
  write: OfficeWrite,
  bookingId: number,
  requested: RequestedMessage,
): Promise<Result<StaffAnswer<CustomerMailAnswer>, OfficeRefusal>> {
  const { tenant, now } = write;
  return runOfficeWriteOnce(write, {
    ...answerMessage(write),
    right: "hand_over",
    content: { message: bookingId, requested },
    read: () => [bookingMailDataQuery(tenant.db, bookingId), messageTemplatesQuery(tenant.db)] as const,
    decide: async ({ rows: [[found], own], staff, catalogue, actor, at }) => {
      if (!found || !canAccessBranch(staff, found.branchCode, found.returnBranchCode))
        return err({ kind: "reservationNotFound" });
      const { mailed, nextMailId: id } = found;
      const language = toLanguage(catalogue, mailed);
      const text = toText(requested, language, own, !mailed.isRental);
      if (!text.ok) return text;
      const address = getAddress(mailed);
      if (address === null) return missing("customer.email");
      const message = fillMessagePlaceholders(text.value, toFacts(catalogue, mailed, language, now));
      const mail = await createMessageMail(tenant, { id, address, ...message }, { catalogue, booking: mailed, now });
      const row = { id, bookingId, address, body: message.text };
      return ok({ resource: String(id), statements: newCustomerMailStatements(tenant.db, row, mail, { actor, at }) });
    },
  });
}

/** Queues a mail to a customer again with today's data, once per key. A mail that is still queued stays as it is. */
export async function resendCustomerMail(
  write: OfficeWrite,
  id: number,
  attachInvoice: AttachInvoice,
): Promise<Result<StaffAnswer<CustomerMailAnswer>, OfficeRefusal>> {
  const { tenant, now } = write;
  const { db } = tenant;
  return runOfficeWriteOnce(write, {
    ...answerMessage(write),
    right: "hand_over",
    content: { resendMessage: id },
    read: () => {
      const mail = { mailId: id };
      return [customerMailQuery(db, id), bookingMailDataQuery(db, mail), mailedDocumentQuery(db, mail)] as const;
    },
    decide: async ({ rows: [[found], [booking], [document]], staff, catalogue, actor, at }) => {
      if (!found || !canAccessBranch(staff, found.branchCode, found.returnBranchCode))
        return err({ kind: "messageNotFound" });
      const { message } = found;
      if (toCustomerMailAnswer(message, now).status === "queued") return ok({ resource: String(id), statements: [] });
      const content = { booking: booking?.mailed, document: document?.document };
      const rewritten = await rewriteMail({ tenant, catalogue, now, attachInvoice }, message, content);
      if (!rewritten.ok) return rewritten;
      const statements = resendCustomerMailStatements(db, message, rewritten.value, { actor, at });
      return ok({ resource: String(id), statements });
    },
  });
}

interface RewriteContext {
  readonly tenant: Tenant;
  readonly catalogue: Catalogue;
  readonly now: number;
  readonly attachInvoice: AttachInvoice;
}

type RewrittenBooking = BookingMailData &
  Required<Pick<BookingMailToWrite, "link" | "invoice" | "refund" | "deposits">>;

type RewrittenMail = Pick<NewMail, "address" | "mail">;

const rewriteDocumentMail = async (
  { tenant, catalogue, now, attachInvoice }: RewriteContext,
  { historyId }: CustomerMailRow,
  document: MailedInvoice | null | undefined,
): Promise<RewrittenMail | undefined> =>
  document ? createDocumentMail(tenant, catalogue, { historyId, document }, { now, attachInvoice }) : undefined;

// A message of staff keeps its text. Other mails are written again.
interface MailContent {
  readonly booking: RewrittenBooking | undefined;
  /** Document that is sent without a reservation. */
  readonly document: MailedInvoice | null | undefined;
}

async function rewriteMail(
  context: RewriteContext,
  message: CustomerMailRow,
  { booking, document }: MailContent,
): Promise<Result<RewrittenMail, OfficeRefusal>> {
  const customerEmail = booking ? getAddress(booking) : null;
  if (message.recipient === "customer" && customerEmail === null) return missing("customer.email");
  const rewritten = booking
    ? await rewriteBookingMail(context, message, { ...booking, customerEmail })
    : await rewriteDocumentMail(context, message, document);
  return rewritten && rewritten.mail.uselessAt > context.now ? ok(rewritten) : err({ kind: "messageOutdated" });
}

async function rewriteBookingMail(
  { tenant, catalogue, now, attachInvoice }: RewriteContext,
  { id, kind, historyId, recipient: addressee, subject, body }: CustomerMailRow,
  booking: RewrittenBooking,
): Promise<RewrittenMail | undefined> {
  if (kind !== "message") {
    if (!isMailValidForStatus(kind, booking.status)) return undefined;
    const { link, invoice, refund, deposits } = booking;
    const due = { booking: { ...booking, branchEmail: null }, kind, historyId, link, invoice, refund, deposits };
    const mails = await Promise.all(createBookingMails(tenant, catalogue, due, { now, attachInvoice }));
    return mails.find(({ recipient }) => recipient === addressee);
  }
  const { customerEmail: address } = booking;
  if (subject === null || body === null || address === null) return undefined;
  const message = { id, address, subject, text: body };
  return { address, mail: await createMessageMail(tenant, message, { catalogue, booking, now }) };
}

/** Template filled for a reservation, with links that send it by phone. */
export type PreviewedTemplate = TemplateText & { readonly links: MessageLinks };

/** Returns the templates of messages as they would be sent for a reservation. One round trip. */
export async function previewMessageTemplates(
  request: StaffRequest,
  bookingId: number,
): Promise<Result<StaffAnswer<readonly PreviewedTemplate[]>, OfficeRefusal>> {
  const { db } = request.tenant;
  const read = await readAsStaff(
    request,
    () =>
      [
        bookingMailDataQuery(db, bookingId),
        messageTemplatesQuery(db),
        bookingCustomerPhoneQuery(db, bookingId),
      ] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const refused = findMissingRightRefusal(staff, "see");
  if (refused) return refused;
  const [[found], own, [phone]] = rows;
  if (!found || !canAccessBranch(staff, found.branchCode, found.returnBranchCode))
    return err({ kind: "reservationNotFound" });
  const language = toLanguage(catalogue, found.mailed);
  const facts = toFacts(catalogue, found.mailed, language, request.now);
  const value = MESSAGE_TEMPLATES.map((id) => {
    const template = getCustomOrDefaultTemplate(id, language, own, { isTransfer: !found.mailed.isRental });
    const filled = fillMessagePlaceholders(template, facts);
    return {
      ...template,
      ...filled,
      links: createMessageLinks(phone?.prefix ?? null, phone?.number ?? null, filled.text),
    };
  });
  return ok({ value, freshToken });
}

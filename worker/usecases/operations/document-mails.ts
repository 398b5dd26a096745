import { sanitizeNameForMail } from "#domain/bookings/booking-mails.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { type BookingMail, writeBookingMail } from "#worker/mail/booking-mail.ts";
import type { MailedInvoice, NewMail } from "#worker/store/operations/booking-mails.ts";
import { saveDevelopmentMail } from "#worker/store/operations/mailbox.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { getMailBrand } from "#worker/usecases/mails/mail-brand.ts";
import { encryptOutgoingMail } from "#worker/usecases/mails/send-mails.ts";
import {
  type AttachInvoice,
  createInvoiceMailContent,
  getMailedInvoiceKind,
  MAIL_EXPIRES_AFTER_MS,
} from "./booking-mails.ts";

/** Empty reservation facts for the mail of a document without a reservation. */
const NO_RESERVATION = {
  reservation: undefined,
  ...{ pickup: "", return: "", products: "", total: "", paid: "", links: [] },
  ...{ isTransfer: false, isExpired: false, isPaidTooLate: false, isOpen: false, isPayable: false },
  ...{ paidToAgent: undefined, credited: undefined, pending: undefined, fee: undefined, refund: undefined },
  ...{ holdUntil: undefined, page: undefined },
} satisfies Partial<BookingMail>;

interface DocumentMailToWrite {
  /** Number of the mail, part of its identity. */
  readonly historyId: number;
  readonly document: MailedInvoice;
}

/** Writes the mail of a document without a reservation to its payer. Undefined if the payer has no address. */
export async function createDocumentMail(
  tenant: Tenant,
  catalogue: Catalogue,
  { historyId, document }: DocumentMailToWrite,
  { now, attachInvoice }: { readonly now: number; readonly attachInvoice: AttachInvoice },
): Promise<NewMail | undefined> {
  const { payer, id: documentId } = document;
  if (payer === null) return undefined;
  const { settings } = catalogue;
  const { email: address } = payer;
  const language = pickPlatformLanguage(payer.language ?? undefined, settings.defaultLanguage);
  const facts = {
    ...NO_RESERVATION,
    ...getMailBrand(tenant, catalogue),
    person: sanitizeNameForMail(payer.name ?? ""),
    documentKind: getMailedInvoiceKind(document),
    invoice: createInvoiceMailContent(catalogue, { invoice: document }, language),
  };
  const composedMail = writeBookingMail("invoiced", facts, language);
  const identity = { bookingId: null, documentId, kind: "invoiced", historyId, recipient: "payer" } as const;
  const attachments = await attachInvoice(tenant, documentId, { now, withPdf: true });
  if (DEVELOPMENT_BUILD) await saveDevelopmentMail(tenant.db, { sentAt: now, recipient: address, ...composedMail });
  const addressed = { ...composedMail, recipient: address, company: settings.accountName, identity, attachments };
  const outgoing = await encryptOutgoingMail(tenant, addressed, now, now + MAIL_EXPIRES_AFTER_MS);
  return { ...identity, address, mail: { ...outgoing, nextAt: now } };
}

import type { BookingMailKind } from "#domain/catalogue/booking-mail-kinds.ts";
import { isolateRightToLeft } from "#domain/text-direction.ts";
import type { BookingStatus } from "./bookings.ts";

/** Entry of a booking's history, with its detail. */
export interface HistoryEntryForMail {
  readonly event: string;
  readonly status: BookingStatus;
  readonly paidAfterExpiry: boolean;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Whether the booking's latest document is an invoice that wasn't sent with the return mail. */
  readonly isInvoicedAgain: boolean;
  /** Whether the event returned a deposit to the customer, or released it on the card. */
  readonly isDepositReturned: boolean;
  /** Whether a mail of this kind can be sent: enabled, and not sent yet if it's about the return. */
  readonly canMail: (kind: BookingMailKind) => boolean;
}

/** Mails that depend only on the event. */
const BY_EVENT: Readonly<Record<string, BookingMailKind>> = {
  confirmed: "confirmed",
  revived: "confirmed",
  paid: "payment_received",
  refunded: "refunded",
  cancelled: "cancelled",
  no_show: "cancelled",
  expired: "cancelled",
  extended: "changed",
  early_return: "changed",
  exchanged: "changed",
  delivered: "delivered",
};

/** Returns the mail for a history entry. Undefined if the entry sends none. */
export function getMailKindForHistoryEntry(entry: HistoryEntryForMail): BookingMailKind | undefined {
  const kind = getMailKindForEvent(entry);
  const isUnreported = kind === undefined || !entry.canMail(kind);
  return isUnreported && entry.isDepositReturned ? "deposit_returned" : kind;
}

function getMailKindForEvent({
  event,
  status,
  paidAfterExpiry,
  detail,
  isInvoicedAgain,
}: HistoryEntryForMail): BookingMailKind | undefined {
  if (event === "created") return getCreationMail(status, paidAfterExpiry);
  // With several vehicles, the return mail is sent after the last one is back.
  if (event === "collected") return status === "done" ? getReturnMail(isInvoicedAgain) : undefined;
  // A bank moved the money after a dispute or a failed refund: neither a customer's payment nor a company's refund.
  if (detail["reinstated"] === true || detail["disputed"] === true) return undefined;
  if (detail["emailVerified"] === true) return getCreationMail(status, paidAfterExpiry);
  return event === "changed" ? getChangeMail(detail) : BY_EVENT[event];
}

// If the booking was cancelled, started or paid too late before this mail was sent, the mail for that event suffices.
function getCreationMail(status: BookingStatus, paidAfterExpiry: boolean): BookingMailKind | undefined {
  if (status === "confirmed") return "confirmed";
  return status === "pending_confirmation" && !paidAfterExpiry ? "request_received" : undefined;
}

// The return mail is sent once. A reopened contract gets a mail with its correct invoice.
const getReturnMail = (isInvoicedAgain: boolean): BookingMailKind => (isInvoicedAgain ? "invoiced" : "collected");

// Agents, notes and tasks are internal. The amount kept by the agent is relevant because it changes the amount due. A
// discount that changes the price also changes the total.
const UNREPORTED_FIELDS: ReadonlySet<string> = new Set(["agent", "note", "task", "discount"]);

function getChangeMail({
  charge,
  paymentLink,
  send,
  document,
  issued,
  before,
  after,
}: HistoryEntryForMail["detail"]): BookingMailKind | undefined {
  if (charge === "charge") return "payment_received";
  if (charge === "payment") return "refunded";
  // A link is mailed only if staff asked for it.
  if (paymentLink !== undefined) return send === true ? "payment_link" : undefined;
  if (document !== undefined && issued === true) return "invoiced";
  const is = toMembers(after);
  const changed = Object.entries(toMembers(before)).filter(
    ([name, was]) => !UNREPORTED_FIELDS.has(name) && was !== is[name],
  );
  return changed.length > 0 ? "changed" : undefined;
}

function toMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const SINGLE_MAILS: ReadonlySet<BookingMailKind> = new Set([
  "request_received",
  "confirmed",
  "reminder",
  "hold_ending",
  "delivered",
  "collected",
]);

/** Whether a mail is sent only once per booking, even if the history repeats the event. */
export function isMailSentOncePerBooking(kind: BookingMailKind): boolean {
  return SINGLE_MAILS.has(kind);
}

const CUSTOMER_ONLY_MAILS: ReadonlySet<BookingMailKind> = new Set([
  "refunded",
  "deposit_returned",
  "reminder",
  "hold_ending",
  "delivered",
  "collected",
  "invoiced",
  "payment_link",
]);

/** Whether the branch gets the mail too. Branches get no mail about their own actions. */
export function isMailSentToBranch(kind: BookingMailKind): boolean {
  return !CUSTOMER_ONLY_MAILS.has(kind);
}

/** Returns the documents linked in a mail. */
export function getDocumentsLinkedInMail(kind: BookingMailKind): {
  readonly contract: boolean;
  readonly invoices: boolean;
} {
  return {
    contract: kind === "confirmed" || kind === "delivered" || kind === "collected",
    invoices: kind === "collected" || kind === "invoiced",
  };
}

const MAX_NAME_LENGTH = 60;

/**
 * Sanitizes a typed name for use in a mail. Allows only letters, spaces, hyphens and apostrophes, so that it can't
 * contain links or change the text direction. Empty if it has other characters.
 */
export function sanitizeNameForMail(name: string): string {
  return /^[\p{L}\p{M}' ’-]+$/u.test(name) && name.length <= MAX_NAME_LENGTH ? isolateRightToLeft(name.trim()) : "";
}

const MAX_PLACE_LENGTH = 120;
// 9 digits are a telephone number, which devices turn into a link, also in groups or another script. A comma with a
// space separates a house number from a postcode.
const PHONE_NUMBER = /\p{Nd}(?:(?:[ ./()+-]|,(?! ))*\p{Nd}){8}/u;

/**
 * Sanitizes a typed address or flight for use in a mail. Separates the words at each dot, so that none can be a link.
 * Empty if it's long, or contains a telephone number or characters that an address doesn't need.
 */
export function sanitizePlaceForMail(place: string): string {
  const spaced = place.replaceAll(/\.(?=\S)/g, ". ").trim();
  const isSafe =
    /^[\p{L}\p{M}\p{N} .,;'’"#/ºª°()&+-]+$/u.test(spaced) &&
    spaced.length <= MAX_PLACE_LENGTH &&
    !PHONE_NUMBER.test(place);
  return isSafe ? isolateRightToLeft(spaced) : "";
}

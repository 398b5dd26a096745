import { isolated } from "#domain/direction.ts";
import type { BookingStatus } from "./bookings.ts";

/** What customers and branches are told of a booking's life (docs/interfaces/rules.md#mails). */
export type BookingMailKind =
  | "request_received"
  | "confirmed"
  | "changed"
  | "cancelled"
  | "payment_received"
  | "reminder"
  | "hold_ending"
  | "delivered"
  | "collected"
  | "invoiced";

/** An entry of a booking's history, with what it says. */
export interface MailedEntry {
  readonly event: string;
  readonly status: BookingStatus;
  readonly detail: Readonly<Record<string, unknown>>;
  /** What was issued last of it is an invoice, which the customer was not told of at the return. */
  readonly isInvoicedAgain: boolean;
}

/** What is told of an entry whatever else it says. */
const BY_EVENT: Readonly<Record<string, BookingMailKind>> = {
  confirmed: "confirmed",
  revived: "confirmed",
  cancelled: "cancelled",
  no_show: "cancelled",
  expired: "cancelled",
  paid: "payment_received",
  extended: "changed",
  early_return: "changed",
  exchanged: "changed",
  delivered: "delivered",
};

/** The mail that an entry of the history is told by; undefined where it is nobody's business. */
export function getEntryMail({ event, status, detail, isInvoicedAgain }: MailedEntry): BookingMailKind | undefined {
  if (event === "created") return status === "pending_confirmation" ? "request_received" : getCreationMail(status);
  // Of several vehicles, the return is told when the last is back.
  if (event === "collected") return status === "done" ? getReturnMail(isInvoicedAgain) : undefined;
  return event === "changed" ? getChangeMail(detail) : BY_EVENT[event];
}

// What was cancelled or driven before anybody could be told, is told by that.
function getCreationMail(status: BookingStatus): BookingMailKind | undefined {
  return status === "confirmed" ? "confirmed" : undefined;
}

// That it is back is told once; of a contract that was opened again its right invoice.
const getReturnMail = (isInvoicedAgain: boolean): BookingMailKind => (isInvoicedAgain ? "invoiced" : "collected");

// Who brought the customer is the company's own business; what they have kept changes what is still to pay.
const UNREPORTED_FIELDS: ReadonlySet<string> = new Set(["agent"]);

function getChangeMail({
  charge,
  document,
  issued,
  before,
  after,
}: MailedEntry["detail"]): BookingMailKind | undefined {
  if (charge === "charge") return "payment_received";
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

/** Whether a mail is sent once in a booking's life, however often its history says so. */
export function isSentOnlyOnce(kind: BookingMailKind): boolean {
  return SINGLE_MAILS.has(kind);
}

const CUSTOMER_ONLY_MAILS: ReadonlySet<BookingMailKind> = new Set([
  "reminder",
  "hold_ending",
  "delivered",
  "collected",
  "invoiced",
]);

/** Whether the branch is told too: what it does itself it knows. */
export function isForBranch(kind: BookingMailKind): boolean {
  return !CUSTOMER_ONLY_MAILS.has(kind);
}

/** The papers that a mail links. */
export function getLinkedDocuments(kind: BookingMailKind): { readonly contract: boolean; readonly invoices: boolean } {
  return {
    contract: kind === "confirmed" || kind === "delivered" || kind === "collected",
    invoices: kind === "collected" || kind === "invoiced",
  };
}

const MAX_NAME_LENGTH = 60;

/**
 * A name that somebody typed as it may stand in a mail: letters, spaces, hyphens and apostrophes alone, so that it can
 * carry no link, and turns nothing around it; empty where it has others.
 */
export function nameForMail(name: string): string {
  return /^[\p{L}\p{M}' ’-]+$/u.test(name) && name.length <= MAX_NAME_LENGTH ? isolated(name.trim()) : "";
}

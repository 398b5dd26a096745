import { and, eq, inArray, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { BookingStatus, ContractData } from "#domain/bookings/bookings.ts";
import type { BookingMailKind } from "#domain/catalogue/booking-mail-kinds.ts";
import type { PlaceAddress } from "#domain/catalogue/map-address.ts";
import type { Travellers } from "#domain/catalogue/transfers.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";
import { isEmailUnconfirmedSql } from "#worker/store/bookings/unconfirmed-email.ts";
import { selectWebsitePage } from "#worker/store/bookings/website-page.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { insertMailIfStatement, type OutgoingMail } from "#worker/store/mails/outgoing-mails.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { documents } from "#worker/store/schema/documents.ts";
import { bookingMails, mailCursor, outgoingMails } from "#worker/store/schema/outgoing-mails.ts";

/** Booking data for mails. */
export interface BookingMailData {
  readonly bookingId: number;
  readonly status: BookingStatus;
  readonly customerName: string;
  readonly customerSurname: string;
  readonly customerEmail: string | null;
  readonly customerLanguage: string;
  /** Whether a user with an unverified address created it. Such an address only gets the verification mail. */
  readonly isUnverified: 0 | 1;
  readonly branchEmail: string | null;
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
  readonly pickupPlaceId: number | null;
  readonly pickupPlace: string;
  readonly returnPlaceId: number | null;
  readonly returnPlace: string;
  readonly products: readonly BookedProduct[];
  readonly totalCents: number;
  /** Prepayment agreed when booking. */
  readonly bookingAmountCents: number;
  /** Discount included in the total. */
  readonly discountCents: number;
  readonly creditedCents: number;
  readonly agentKeptCents: number;
  readonly paidCents: number;
  readonly feeCents: number;
  readonly expiresAt: number | null;
  readonly cancellationReason: string | null;
  readonly paidAfterExpiry: boolean;
  readonly freeAccessId: string;
  /** Page of the website that made it, if listed then. */
  readonly websitePage: string | null;
  readonly isRental: 0 | 1;
  readonly version: number;
  /** Time of the booking's last change, epoch ms. */
  readonly lastUpdate: number;
  readonly days: number;
  readonly itemCents: number;
  readonly depositCents: number;
  readonly salesChannel: string | null;
  readonly branchCode: string;
  readonly branch: BranchMailData | null;
  readonly pickupAddress: PlaceAddress | null;
  readonly returnAddress: PlaceAddress | null;
  readonly extras: readonly BookedExtra[];
  /** Passengers of a transfer, and what its customer stated about addresses, flights and luggage. Null for a rental. */
  readonly transfer: (Travellers & { readonly data: ContractData }) | null;
  /** End of the last payment that was started and not finished, in epoch ms. */
  readonly payingUntil: number | null;
  /** Returned deposits by payment method, without released card holds. */
  readonly depositReturns: readonly MailedDepositReturn[];
  /** Firm invoices and credit notes, newest first. */
  readonly documents: readonly MailedDocument[];
}

/** Issued document that a mail to the customer or payer names. */
export interface MailedDocument {
  readonly id: number;
  readonly invoiceType: "invoice" | "payment";
  readonly invoiceMode: string;
  readonly isFull: 0 | 1;
  /** Whether the booking's customer is the document's recipient. */
  readonly isOwn: 0 | 1;
  /** Customer who gets the document instead of the booking's customer. Null if there's none or without an email. */
  readonly payer: { readonly email: string; readonly name: string | null; readonly language: string | null } | null;
  readonly serie: string | null;
  readonly number: number;
}

/**
 * Document that a mail is about: the invoice of a month or of several contracts that a history entry names, or a
 * document that staff mail.
 */
export interface MailedInvoice extends MailedDocument {
  readonly dueDate: string | null;
  readonly totalCents: number;
  readonly pendingCents: number;
  /** Contracts of a collective invoice. Empty for the other documents. */
  readonly bookingIds: readonly number[];
  /** Whether staff mailed the document, instead of an event. */
  readonly isRequested?: 1;
}

/** Payment link with the unguessable part of its address. */
export interface MailedPaymentLink {
  readonly token: string;
  readonly purpose: "payment" | "hold";
  readonly cents: number;
}

/** Refund that a history entry reports. */
export interface MailedRefund {
  readonly cents: number;
  readonly method: PaymentMethod;
}

/** Deposit that was returned to the customer. Without a method if it was held on a card and released. */
export interface MailedDepositReturn {
  readonly cents: number;
  readonly method: PaymentMethod | null;
}

/** Branch of the pickup. */
export interface BranchMailData extends PlaceAddress {
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
}

/** Booked products: vehicles of a category, or a transfer's vehicle and trips. */
export type BookedProduct =
  | { readonly code: string; readonly name: string; readonly quantity: number }
  | { readonly vehicleId: number; readonly name: string }
  | BookedTrip;

/** Trip of a transfer. */
export interface BookedTrip {
  readonly date: string;
  readonly time: string;
  /** Duration in minutes. */
  readonly minutes: number;
  readonly originId: number;
  readonly origin: string;
  readonly destinationId: number;
  readonly destination: string;
}

/** Extra of a rental by its code, or of a transfer by its id. */
export type BookedExtra = { readonly name: string; readonly quantity: number } & (
  | { readonly code: string }
  | { readonly id: number }
);

/** History entry of which the customer or branch hasn't been notified yet. */
export interface PendingHistoryEntry extends BookingMailData {
  readonly historyId: number;
  readonly event: string;
  /** Time of the history entry, epoch ms. */
  readonly at: number;
  readonly detail: string;
  /**
   * Whether the customer was already notified of an earlier return, before the contract was reopened and collected
   * again.
   */
  readonly wasReportedToCustomer: 0 | 1;
  /** Payment link that the entry is about. */
  readonly link: MailedPaymentLink | null;
  readonly invoice: MailedInvoice | null;
  readonly refund: MailedRefund | null;
  /** Deposits that the entry returned. */
  readonly deposits: readonly MailedDepositReturn[];
}

const IS_UNVERIFIED = isEmailUnconfirmedSql("booking");
const WHO = sql`'bookingId', booking.id, 'status', booking.status, 'customerName', booking.customer_name, 'customerEmail', booking.customer_email,
  'customerLanguage', booking.customer_language, 'isUnverified', ${IS_UNVERIFIED}, 'branchEmail', (SELECT email FROM branches WHERE code = booking.branch_code),
  'dateFrom', booking.date_from, 'timeFrom', booking.time_from, 'dateTo', booking.date_to, 'timeTo', booking.time_to`;
const PAYER = sql`(SELECT json_object('email', email, 'name', full_name, 'language', language) FROM customers AS payer
  WHERE payer.id = documents.customer_id AND (documents.booking_id IS NULL OR documents.customer_id IS NOT booking.customer_id)
    AND coalesce(email, '') <> '')`;
// Documents from before the form was stored: a full invoice contains the customer's tax id and address.
const IS_FULL = sql`coalesce(form = 'full', coalesce(customer_document_id, '') <> '' AND coalesce(customer_address_street, '') <> '')`;
const DOCUMENT = sql`'id', id, 'invoiceType', invoice_type, 'invoiceMode', invoice_mode, 'isFull', ${IS_FULL}, 'isOwn', documents.customer_id IS booking.customer_id, 'payer', ${PAYER}, 'serie', serie, 'number', number`;
const WHAT = sql`'$.pickupPlaceId', booking.pickup_place_id, '$.pickupPlace', booking.pickup_place, '$.returnPlaceId', booking.return_place_id, '$.returnPlace', booking.return_place,
  '$.products', json(CASE booking.kind WHEN 'transfer' THEN (SELECT json_group_array(json(part) ORDER BY position) FROM (
      SELECT 0 AS position, json_object('vehicleId', transfer_vehicle_id, 'name', vehicle_name) AS part FROM transfer_bookings WHERE booking_id = booking.id
      UNION ALL SELECT position, json_object('date', date, 'time', time, 'minutes', minutes, 'originId', origin_point_id, 'origin', origin_name,
        'destinationId', destination_point_id, 'destination', destination_name) FROM transfer_trips WHERE booking_id = booking.id))
    ELSE (SELECT json_group_array(json_object('code', category_code, 'name', item_description, 'quantity', quantity)) FROM booking_lines WHERE booking_id = booking.id) END),
  '$.totalCents', booking.total_cents, '$.creditedCents', booking.credited_cents, '$.agentKeptCents', booking.agent_commission_prepaid_cents, '$.paidCents', booking.total_paid_cents, '$.feeCents', booking.cancellation_fee_cents, '$.expiresAt', booking.expires_at,
  '$.freeAccessId', booking.free_access_id, '$.isRental', booking.kind = 'rental', '$.customerSurname', booking.customer_surname,
  '$.documents', (SELECT json_group_array(json_object(${DOCUMENT}) ORDER BY id DESC)
    FROM documents WHERE documents.booking_id = booking.id AND documents.kind = 'invoice' AND invoice_status = 'invoice')`;

const ADDRESS = sql`'street', address_street_address, 'zip', address_zip, 'city', address_city, 'latitude', address_lat, 'longitude', address_lng`;
const HOW = sql`'$.cancellationReason', booking.cancellation_reason, '$.paidAfterExpiry', json(iif(booking.paid_after_expiry, 'true', 'false')),
  '$.version', booking.version, '$.lastUpdate', booking.last_update, '$.days', booking.days, '$.itemCents', booking.item_cents,
  '$.depositCents', booking.total_deposit_cents, '$.salesChannel', booking.sales_channel_code, '$.branchCode', booking.branch_code,
  '$.branch', (SELECT json_object('name', name, 'phone', phone_number, 'email', email, ${ADDRESS}) FROM branches WHERE code = booking.branch_code),
  '$.pickupAddress', (SELECT json_object(${ADDRESS}) FROM pickup_places WHERE id = booking.pickup_place_id),
  '$.returnAddress', (SELECT json_object(${ADDRESS}) FROM pickup_places WHERE id = booking.return_place_id),
  '$.extras', json(CASE booking.kind WHEN 'transfer' THEN (SELECT json_group_array(json_object('id', transfer_extra_id, 'name', name, 'quantity', quantity)) FROM transfer_booking_extras WHERE booking_id = booking.id)
    ELSE (SELECT json_group_array(json_object('code', extra_code, 'name', extra_description, 'quantity', quantity)) FROM booking_extras WHERE booking_id = booking.id) END),
  '$.transfer', json((SELECT json_object('adults', adults, 'children', children, 'infants', infants, 'data', json(booking.contract_data))
    FROM transfer_bookings WHERE booking_id = booking.id)),
  '$.payingUntil', (SELECT max(expires_at) FROM payment_intents WHERE booking_id = booking.id AND state = 'pending')`;

const ENTRY = sql`'historyId', entry.id, 'event', entry.event, 'at', entry.at, 'detail', entry.detail,
  'wasReportedToCustomer', EXISTS (SELECT 1 FROM booking_mails WHERE booking_id = booking.id AND kind = 'collected' AND history_id = 0), `;

const LINK = sql`(SELECT json_object('token', token, 'purpose', purpose, 'cents', amount_cents) FROM payment_links WHERE id = entry.detail ->> 'paymentLink')`;

// The office's entries contain `cents`, those of gateways `amount_cents`.
const REFUND = sql`json(iif(entry.event = 'refunded' OR entry.detail ->> 'charge' = 'payment', json_object('cents',
    coalesce(entry.detail ->> 'amount_cents', entry.detail ->> 'cents'), 'method', entry.detail ->> 'payment_method_id'), 'null'))`;

// Returned deposits without the retained part, which is a separate charge.
const depositReturns = (condition: SQL) =>
  sql`(SELECT json_group_array(json_object('cents', cents, 'method', method) ORDER BY method) FROM (
      SELECT sum(amount_cents) AS cents, payment_method_id AS method FROM charges
      WHERE charges.booking_id = booking.id AND source_doc = 'deposit_returned' AND deposit_kept = 0 AND ${condition} GROUP BY payment_method_id))`;

// Charges of an operation, by their ids, because several operations can have the time of an entry.
const IS_OPERATION_CHARGE = sql`charges.created_at = entry.at AND charges.uid IN (SELECT charge.value ->> 'chargeId'
  FROM check_in_operations AS operation, json_each(operation.operation, '$.charges') AS charge WHERE operation.op_id = entry.detail ->> 'op_id')`;

// Deposits that an entry returned. A released card hold counts only if it was authorised. A held operation
// has two entries with the same time, of which the one with the check-in state doesn't count.
const DEPOSITS = sql`json(CASE
    WHEN entry.detail ->> 'charge' = 'deposit_returned'
      THEN json_array(json_object('cents', entry.detail ->> 'cents', 'method', entry.detail ->> 'payment_method_id'))
    WHEN entry.detail ->> 'cardHoldReleased' IS NOT NULL
      THEN (SELECT json_group_array(json_object('cents', hold.amount_cents, 'method', NULL)) FROM payment_holds AS hold
        JOIN payment_intents AS intent ON intent.id = hold.intent_id WHERE hold.id = entry.detail ->> 'cardHoldReleased' AND intent.state = 'held')
    WHEN entry.detail ->> 'op_id' IS NOT NULL AND entry.detail ->> 'check_in' IS NULL THEN ${depositReturns(IS_OPERATION_CHARGE)}
    ELSE '[]' END)`;

const INVOICE_MEMBERS = sql`${DOCUMENT}, 'dueDate', due_date, 'totalCents', documents.total_cents,
    'pendingCents', documents.total_cents - documents.total_paid_cents - documents.agent_commission_prepaid_cents,
    'bookingIds', (SELECT json_group_array(booking_id ORDER BY booking_id) FROM document_contracts AS part WHERE part.document_id = documents.id)`;

// Document that staff mailed.
const requestedDocument = (id: SQL) =>
  sql`(SELECT json_object(${INVOICE_MEMBERS}, 'isRequested', 1) FROM documents WHERE documents.id = ${id})`;

// Invoice of a month or of several contracts that an entry reports. A collective invoice belongs to the entry of its
// first contract, so that its payer gets one mail.
const INVOICE = sql`json((SELECT json_object(${INVOICE_MEMBERS})
  FROM booking_documents AS of_booking JOIN documents ON documents.id = of_booking.document_id
  WHERE entry.detail ->> 'document' IN ('month', 'collective') AND of_booking.booking_id = booking.id AND documents.created_at = entry.at
    AND documents.invoice_type = 'invoice' AND documents.invoice_status = 'invoice'
    AND iif(entry.detail ->> 'document' = 'month', documents.uid = 'month:' || booking.id || ':' || (entry.detail ->> 'month'),
      documents.booking_id IS NULL AND booking.id = (SELECT min(booking_id) FROM document_contracts AS part WHERE part.document_id = documents.id))
  ORDER BY documents.id DESC LIMIT 1))`;

// Split, because D1 allows 32 function arguments. The local runtime allows more.
const bookingWith = (more: SQL) =>
  sql`json_set(json_set(json_set(json_object(${more}${WHO}), ${WHAT}), ${HOW}), '$.bookingAmountCents', booking.booking_amount_cents, '$.discountCents', booking.discount_cents,
    '$.websitePage', ${selectWebsitePage("booking")}, '$.depositReturns', json(${depositReturns(sql`true`)}))`;
const booking = bookingWith(sql``);

const MAX_ENTRIES_PER_RUN = 50;

// Condition that a customer's mail before an event is due: enabled, not sent yet, and with a verified address. A
// booking without address would otherwise take the place of others every minute.
function isNotificationDue(kind: "reminder" | "hold_ending"): SQL {
  const name = sql.raw(`'${kind}'`);
  return sql`coalesce(booking.customer_email, '') <> '' AND NOT ${IS_UNVERIFIED}
    AND NOT EXISTS (SELECT 1 FROM settings, json_each(settings.disabled_mails) AS off WHERE off.value = ${name})
    AND NOT EXISTS (SELECT 1 FROM booking_mails WHERE booking_id = booking.id AND kind = ${name} AND history_id = 0)`;
}

/** Reads the events without notification yet: the next history entries, and upcoming pickups and hold ends. */
export async function findPendingNotifications(
  db: Database,
  {
    now,
    pickupsUntil,
    civilNow,
    holdsUntil,
  }: { readonly now: number; readonly pickupsUntil: string; readonly civilNow: string; readonly holdsUntil: number },
) {
  const [[row]] = await db.batch([
    db
      .select({
        last: mailCursor.lastHistoryId,
        entries:
          toJsonList(sql`SELECT json_set(${bookingWith(ENTRY)}, '$.link', json(${LINK}), '$.invoice', ${INVOICE}, '$.refund', ${REFUND}, '$.deposits', ${DEPOSITS}) AS item
          FROM booking_history AS entry JOIN bookings AS booking ON booking.id = entry.booking_id
          WHERE entry.id > (SELECT last_history_id FROM mail_cursor WHERE id = 1) ORDER BY entry.id LIMIT ${sql.raw(String(MAX_ENTRIES_PER_RUN))}`).as(
            "entries",
          ),
        pickups: toJsonList(sql`SELECT ${booking} AS item FROM bookings AS booking INDEXED BY bookings_to_remind
          WHERE booking.status = 'confirmed' AND booking.date_from >= substr(${civilNow}, 1, 10) AND booking.date_from <= substr(${pickupsUntil}, 1, 10)
            AND booking.date_from || ' ' || booking.time_from > ${civilNow} AND booking.date_from || ' ' || booking.time_from <= ${pickupsUntil}
            AND booking.created_at <= ${now} + 1000 * (unixepoch(booking.date_from || ' ' || booking.time_from) - unixepoch(${pickupsUntil}))
            AND ${isNotificationDue("reminder")} LIMIT ${sql.raw(String(MAX_ENTRIES_PER_RUN))}`).as("pickups"),
        holds: toJsonList(sql`SELECT ${booking} AS item FROM bookings AS booking INDEXED BY bookings_expiring
          WHERE booking.expires_at IS NOT NULL AND booking.expires_at > ${now} AND booking.expires_at <= ${holdsUntil}
            AND booking.status = 'pending_confirmation' AND booking.created_at < booking.expires_at - 2 * (${holdsUntil} - ${now})
            AND ${isNotificationDue("hold_ending")} LIMIT ${sql.raw(String(MAX_ENTRIES_PER_RUN))}`).as("holds"),
      })
      .from(mailCursor),
  ]);
  return {
    last: row?.last ?? 0,
    entries: JSON.parse(row?.entries ?? "[]") as readonly PendingHistoryEntry[],
    pickups: JSON.parse(row?.pickups ?? "[]") as readonly BookingMailData[],
    holds: JSON.parse(row?.holds ?? "[]") as readonly BookingMailData[],
  };
}

function toJsonList(rows: SQL) {
  return sql<string>`(SELECT json_group_array(json(item)) FROM (${rows}))`;
}

/** Identifies a booking for its mail: by id, unguessable id, or the id of a mail about it. */
type MailedName = number | { readonly mailId: number } | { readonly freeAccessId: string };

function toBookingId(name: MailedName): SQL {
  if (typeof name === "number") return sql`${name}`;
  return "mailId" in name
    ? sql`(SELECT booking_id FROM booking_mails WHERE id = ${name.mailId})`
    : sql`(SELECT id FROM bookings WHERE free_access_id = ${name.freeAccessId})`;
}

/**
 * Returns the query that reads a booking for a mail or its customer's page. Includes the payment link of a named mail.
 */
export function bookingMailDataQuery(db: Database, identifier: MailedName) {
  const mailId = typeof identifier === "object" && "mailId" in identifier ? identifier.mailId : 0;
  const bookingId = toBookingId(identifier);
  const historyId = sql`(SELECT history_id FROM booking_mails WHERE id = ${mailId})`;
  const fromEntry = (value: SQL) => sql`(SELECT ${value} FROM booking_history AS entry WHERE entry.id = ${historyId})`;
  return db
    .select({
      branchCode: bookings.branchCode,
      returnBranchCode: bookings.returnBranchCode,
      mailed:
        sql`(SELECT json_set(${booking}, '$.link', json(${fromEntry(LINK)}), '$.refund', json(${fromEntry(REFUND)}), '$.deposits', json(coalesce(${fromEntry(DEPOSITS)}, '[]')), '$.invoice',
            json(coalesce(${fromEntry(INVOICE)}, ${fromEntry(requestedDocument(sql`entry.detail ->> 'mailedDocument'`))})))
          FROM bookings AS booking WHERE booking.id = ${bookingId})`
          .mapWith(
            parseStoredJson<BookingMailData & Pick<PendingHistoryEntry, "link" | "invoice" | "refund" | "deposits">>,
          )
          .as("mailed"),
      nextMailId: sql<number>`(SELECT coalesce(max(id), 0) + 1 FROM booking_mails)`.as("next_mail_id"),
    })
    .from(bookings)
    .where(sql`${bookings.id} = ${bookingId}`);
}

/**
 * Returns the query that reads an invoice or credit note for its mail, by its id or the id of a mail about
 * it. Also reads the contract that lists the mail: the document's own, or the first of a collective invoice.
 * For a document without a contract, the contract's columns are null.
 */
export function mailedDocumentQuery(db: Database, identifier: number | { readonly mailId: number }) {
  const documentId =
    typeof identifier === "number"
      ? sql`${identifier}`
      : sql`(SELECT document_id FROM booking_mails WHERE id = ${identifier.mailId})`;
  return db
    .select({
      // The name of the contract's own column would be ambiguous.
      documentBranchCode: sql<string>`${documents.branchCode}`.as("document_branch_code"),
      isIssued: sql<0 | 1>`${documents.invoiceStatus} = 'invoice'`.as("is_issued"),
      // A simplified invoice has no customer.
      isForCustomer: sql<0 | 1>`${documents.bookingId} IS NOT NULL
        AND coalesce(${documents.customerId}, ${bookings.customerId}) IS ${bookings.customerId}`.as("is_for_customer"),
      branchCode: bookings.branchCode,
      returnBranchCode: bookings.returnBranchCode,
      mailed: sql`(SELECT json_set(${booking}, '$.invoice', json(${requestedDocument(documentId)}))
          FROM bookings AS booking WHERE booking.id = ${bookings.id})`
        .mapWith(parseStoredJson<BookingMailData & { readonly invoice: MailedInvoice }>)
        .as("mailed"),
      // Set for a document without a contract.
      document: sql`CASE WHEN ${bookings.id} IS NULL THEN
          (SELECT ${requestedDocument(documentId)} FROM (SELECT NULL AS customer_id) AS booking) END`
        .mapWith(parseStoredJson<MailedInvoice | null>)
        .as("mailed_document"),
      nextMailId: sql<number>`(SELECT coalesce(max(id), 0) + 1 FROM booking_mails)`.as("next_mail_id"),
      nextHistoryId: sql<number>`(SELECT coalesce(max(id), 0) + 1 FROM booking_history)`.as("next_history_id"),
    })
    .from(documents)
    .leftJoin(
      bookings,
      sql`${bookings.id} = coalesce(${documents.bookingId},
        (SELECT min(part.booking_id) FROM document_contracts AS part WHERE part.document_id = ${documents.id}))`,
    )
    .where(and(sql`${documents.id} = ${documentId}`, eq(documents.kind, "invoice")));
}

/** Recipient of a mail. A payer gets invoices that are addressed to another customer than the booking's. */
export type MailRecipient = "customer" | "branch" | "payer";

/** Identity of a mail: subject and recipient. */
export interface MailIdentity {
  /** Null for the mail of a document without a booking. */
  readonly bookingId: number | null;
  readonly documentId?: number;
  readonly kind: BookingMailKind | "message";
  /** History entry of the mail. 0 for a mail that is sent once per booking. */
  readonly historyId: number;
  readonly recipient: MailRecipient;
}

/** Mail about to be stored, with its identity. */
export interface NewMail extends MailIdentity {
  readonly address: string;
  readonly mail: OutgoingMail;
}

/** Stores mails that weren't created yet and advances the cursor, in one batch. A concurrent run adds nothing. */
export async function saveBookingMails(
  db: Database,
  mails: readonly NewMail[],
  { lastHistoryId, now }: { readonly lastHistoryId: number; readonly now: number },
): Promise<void> {
  const statements: Query[] = mails.flatMap(({ mail, ...references }) => [
    db
      .insert(bookingMails)
      .select(
        sql`${selectRowToInsert(bookingMails, { ...references, uselessAt: mail.uselessAt, at: now, subject: mail.subject })}`,
      )
      .onConflictDoNothing(),
    insertMailIfStatement(db, mail, sql`changes() = 1`),
  ]);
  await db.batch([
    db.update(mailCursor).set({ lastHistoryId: sql`max(last_history_id, ${lastHistoryId})` }),
    ...statements,
  ]);
}

/** Returns the statement that records the result of a booking's mail: sent, or the error. */
export function recordMailResultStatement(
  db: Database,
  mail: MailIdentity,
  result: { readonly sentAt: number } | { readonly lastError: string },
): Query {
  return db
    .update(bookingMails)
    .set({ lastError: null, ...result })
    .where(matchesMail(mail));
}

function matchesMail({ bookingId, documentId = 0, kind, historyId, recipient }: MailIdentity) {
  return and(
    bookingId === null ? eq(bookingMails.documentId, documentId) : eq(bookingMails.bookingId, bookingId),
    eq(bookingMails.kind, kind),
    eq(bookingMails.historyId, historyId),
    eq(bookingMails.recipient, recipient),
  );
}

/** Mail about an upcoming event: the pickup of a confirmed booking, or the end of an unconfirmed booking's hold. */
export interface UpcomingEventMail {
  readonly bookingId: number;
  readonly kind: "reminder" | "hold_ending";
  /** Local time of the pickup, or the hold's end in epoch ms. */
  readonly at: string;
}

/** Mail about a requested or confirmed booking whose sending was delayed. */
export interface DelayedNotification {
  readonly bookingId: number;
  readonly kind: "request_received" | "confirmed";
}

/** Mail whose reason is checked again before it's sent. */
export type ConditionalMail = UpcomingEventMail | DelayedNotification;

/**
 * Returns the mails that still apply: the upcoming event is unchanged, or the status of the booking still is as
 * announced.
 */
export async function filterStillRelevantMails(
  db: Database,
  mails: readonly ConditionalMail[],
): Promise<ReadonlySet<ConditionalMail>> {
  if (mails.length === 0) return new Set();
  const ids = mails.map(({ bookingId }) => bookingId);
  const { id, status, paidAfterExpiry, expiresAt, dateFrom, timeFrom } = bookings;
  const [rows] = await db.batch([
    db.select({ id, status, paidAfterExpiry, expiresAt, dateFrom, timeFrom }).from(bookings).where(inArray(id, ids)),
  ]);
  const isSo = (mail: ConditionalMail) => {
    const booking = rows.find((row) => row.id === mail.bookingId);
    const isPending = booking?.status === "pending_confirmation";
    switch (mail.kind) {
      case "request_received":
        return isPending && booking?.paidAfterExpiry === false;
      case "confirmed":
        return booking !== undefined && booking.status !== "cancelled";
      case "hold_ending":
        return isPending && String(booking.expiresAt) === mail.at;
      case "reminder":
        return booking?.status === "confirmed" && `${booking.dateFrom} ${booking.timeFrom}` === mail.at;
    }
  };
  return new Set(mails.filter(isSo));
}

/** Deletes an unsent mail and the record that it was created. It's created again if its reason becomes valid again. */
export async function cancelQueuedMail(db: Database, mailId: number, mail: MailIdentity): Promise<void> {
  await db.batch([
    db.delete(outgoingMails).where(eq(outgoingMails.id, mailId)),
    db.delete(bookingMails).where(matchesMail(mail)),
  ]);
}

/** Whether a mail may be pending: for history entries, or an upcoming pickup or hold end. `now` is epoch ms in SQL. */
export function hasPendingNotificationsSql(now: SQL | Placeholder): SQL {
  const setting = (column: string) => sql.raw(`(SELECT ${column} FROM settings WHERE id = 1)`);
  // One more day, because the account's UTC offset isn't known here.
  const lastPickup = sql`date(${now} / 1000 + 3600 * (24 + ${setting("reminder_hours")}), 'unixepoch')`;
  return sql`coalesce((SELECT max(id) FROM booking_history) > (SELECT last_history_id FROM mail_cursor WHERE id = 1), 0)
    OR EXISTS (SELECT 1 FROM bookings AS booking INDEXED BY bookings_to_remind WHERE status = 'confirmed'
      AND date_from >= date(${now} / 1000 - 86400, 'unixepoch') AND date_from <= ${lastPickup} AND ${isNotificationDue("reminder")})
    OR EXISTS (SELECT 1 FROM bookings AS booking INDEXED BY bookings_expiring WHERE expires_at IS NOT NULL AND expires_at > ${now}
      AND expires_at <= ${now} + 60000 * ${setting("hold_reminder_minutes")} AND ${isNotificationDue("hold_ending")})`;
}

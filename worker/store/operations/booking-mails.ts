import { and, eq, inArray, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { BookingMailKind } from "#domain/bookings/booking-mails.ts";
import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { newRow } from "#worker/store/new-rows.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { bookingMails, mailCursor, outgoingMails } from "#worker/store/schema/outgoing-mails.ts";
import { insertMailQuery, type OutgoingMail } from "./outgoing-mails.ts";

/** A booking as its mails tell it. */
export interface MailedBooking {
  readonly bookingId: number;
  readonly status: BookingStatus;
  readonly customerName: string;
  readonly customerSurname: string;
  readonly customerEmail: string | null;
  readonly customerLanguage: string;
  /** Somebody made it who registered with an address that is not proved: it gets no mail but the one that proves it. */
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
  readonly products: readonly MailedPart[];
  readonly totalCents: number;
  readonly creditedCents: number;
  readonly agentKeptCents: number;
  readonly paidCents: number;
  readonly feeCents: number;
  readonly expiresAt: number | null;
  readonly cancellationReason: string | null;
  readonly paidAfterExpiry: boolean;
  readonly freeAccessId: string;
  readonly isRental: 0 | 1;
  /** Its firm invoices and credit notes, the latest first. */
  readonly documents: readonly {
    readonly id: number;
    readonly isCredit: 0 | 1;
    readonly serie: string | null;
    readonly number: number;
  }[];
}

/** What is rented, as it was agreed: vehicles of a category; of a transfer its vehicle, then its trips. */
export type MailedPart =
  | { readonly code: string; readonly name: string; readonly quantity: number }
  | { readonly vehicleId: number; readonly name: string }
  | {
      readonly date: string;
      readonly time: string;
      readonly originId: number;
      readonly origin: string;
      readonly destinationId: number;
      readonly destination: string;
    };

/** An entry of the history that is still to be told. */
export interface PendingHistoryEntry extends MailedBooking {
  readonly historyId: number;
  readonly event: string;
  /** Epoch ms. */
  readonly at: number;
  readonly detail: string;
  /** The customer was told that the last vehicle is back: it was taken back once more. */
  readonly wasToldBack: 0 | 1;
}

const IS_UNVERIFIED = sql`EXISTS (SELECT 1 FROM users WHERE users.customer_id = booking.made_by_customer_id AND unverified_since IS NOT NULL)`;
const WHO = sql`'bookingId', booking.id, 'status', booking.status, 'customerName', booking.customer_name, 'customerEmail', booking.customer_email,
  'customerLanguage', booking.customer_language, 'isUnverified', ${IS_UNVERIFIED}, 'branchEmail', (SELECT email FROM branches WHERE code = booking.branch_code),
  'dateFrom', booking.date_from, 'timeFrom', booking.time_from, 'dateTo', booking.date_to, 'timeTo', booking.time_to`;
const WHAT = sql`'$.pickupPlaceId', booking.pickup_place_id, '$.pickupPlace', booking.pickup_place, '$.returnPlaceId', booking.return_place_id, '$.returnPlace', booking.return_place,
  '$.products', json(CASE booking.kind WHEN 'transfer' THEN (SELECT json_group_array(json(part) ORDER BY position) FROM (
      SELECT 0 AS position, json_object('vehicleId', transfer_vehicle_id, 'name', vehicle_name) AS part FROM transfer_bookings WHERE booking_id = booking.id
      UNION ALL SELECT position, json_object('date', date, 'time', time, 'originId', origin_point_id, 'origin', origin_name,
        'destinationId', destination_point_id, 'destination', destination_name) FROM transfer_trips WHERE booking_id = booking.id))
    ELSE (SELECT json_group_array(json_object('code', category_code, 'name', item_description, 'quantity', quantity)) FROM booking_lines WHERE booking_id = booking.id) END),
  '$.totalCents', booking.total_cents, '$.creditedCents', booking.credited_cents, '$.agentKeptCents', booking.agent_commission_prepaid_cents, '$.paidCents', booking.total_paid_cents, '$.feeCents', booking.cancellation_fee_cents, '$.expiresAt', booking.expires_at,
  '$.freeAccessId', booking.free_access_id, '$.isRental', booking.kind = 'rental', '$.customerSurname', booking.customer_surname,
  '$.documents', (SELECT json_group_array(json_object('id', id, 'isCredit', invoice_type = 'payment', 'serie', serie, 'number', number) ORDER BY id DESC)
    FROM documents WHERE documents.booking_id = booking.id AND documents.kind = 'invoice' AND invoice_status = 'invoice')`;

const HOW = sql`'$.cancellationReason', booking.cancellation_reason, '$.paidAfterExpiry', json(iif(booking.paid_after_expiry, 'true', 'false'))`;

const ENTRY = sql`'historyId', entry.id, 'event', entry.event, 'at', entry.at, 'detail', entry.detail,
  'wasToldBack', EXISTS (SELECT 1 FROM booking_mails WHERE booking_id = booking.id AND kind = 'collected' AND history_id = 0), `;

// In parts, because D1 takes 32 arguments of a function; the local runtime takes more.
const bookingWith = (more: SQL) => sql`json_set(json_set(json_object(${more}${WHO}), ${WHAT}), ${HOW})`;
const booking = bookingWith(sql``);

const MAX_ENTRIES_PER_RUN = 50;

// What is near is the customer's alone. Who cannot be told would be in the way of those who can, minute for minute.
function isNotificationDue(kind: "reminder" | "hold_ending"): SQL {
  const name = sql.raw(`'${kind}'`);
  return sql`coalesce(booking.customer_email, '') <> '' AND NOT ${IS_UNVERIFIED}
    AND NOT EXISTS (SELECT 1 FROM settings, json_each(settings.disabled_mails) AS off WHERE off.value = ${name})
    AND NOT EXISTS (SELECT 1 FROM booking_mails WHERE booking_id = booking.id AND kind = ${name} AND history_id = 0)`;
}

/** What is to be told now: the next entries of the history, the pickups and the ends of holds that are near. */
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
        entries: toJsonList(sql`SELECT ${bookingWith(ENTRY)} AS item
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
    pickups: JSON.parse(row?.pickups ?? "[]") as readonly MailedBooking[],
    holds: JSON.parse(row?.holds ?? "[]") as readonly MailedBooking[],
  };
}

function toJsonList(rows: SQL) {
  return sql<string>`(SELECT json_group_array(json(item)) FROM (${rows}))`;
}

/** What a mail tells to whom: by it, it is known. */
export interface MailIdentity {
  readonly bookingId: number;
  readonly kind: BookingMailKind;
  /** 0: told once in the booking's life. */
  readonly historyId: number;
  readonly recipient: "customer" | "branch";
}

/** A mail about to be kept: what it tells to whom, and the mail itself. */
export interface NewMail extends MailIdentity {
  readonly address: string;
  readonly mail: OutgoingMail;
}

/**
 * Keeps mails that were not told yet, and moves the cursor on, in one batch: whoever else does the same at the same
 * moment adds nothing.
 */
export async function keepBookingMails(
  db: Database,
  mails: readonly NewMail[],
  { last, now }: { readonly last: number; readonly now: number },
): Promise<void> {
  const statements: Query[] = mails.flatMap(({ mail, ...told }) => [
    db
      .insert(bookingMails)
      .select(sql`${newRow(bookingMails, { ...told, uselessAt: mail.uselessAt, at: now })}`)
      .onConflictDoNothing(),
    insertMailQuery(db, mail, sql`changes() = 1`),
  ]);
  await db.batch([db.update(mailCursor).set({ lastHistoryId: sql`max(last_history_id, ${last})` }), ...statements]);
}

/** Says what became of a mail of a booking: that it went out, or why it did not. */
export function recordMailResult(
  db: Database,
  mail: MailIdentity,
  became: { readonly sentAt: number } | { readonly lastError: string },
): Query {
  return db
    .update(bookingMails)
    .set({ lastError: null, ...became })
    .where(matchesMail(mail));
}

function matchesMail({ bookingId, kind, historyId, recipient }: MailIdentity) {
  return and(
    eq(bookingMails.bookingId, bookingId),
    eq(bookingMails.kind, kind),
    eq(bookingMails.historyId, historyId),
    eq(bookingMails.recipient, recipient),
  );
}

/** What a mail says to be near: the pickup of a confirmed booking, or the end of the hold of one that is not. */
export interface NearMail {
  readonly bookingId: number;
  readonly kind: "reminder" | "hold_ending";
  /** The civil time of the pickup, or the epoch ms at which the hold ends. */
  readonly at: string;
}

/** What a late mail says a booking came to: that it was asked for, or is confirmed. */
export interface DelayedNotification {
  readonly bookingId: number;
  readonly kind: "request_received" | "confirmed";
}

/** What has to be so still when a mail goes out. */
export type ToHold = NearMail | DelayedNotification;

/** Those of which what is near is so still, at the same time, and late news that nothing has overtaken. */
export async function filterStillRelevant(db: Database, mails: readonly ToHold[]): Promise<ReadonlySet<ToHold>> {
  if (mails.length === 0) return new Set();
  const ids = mails.map(({ bookingId }) => bookingId);
  const { id, status, expiresAt, dateFrom, timeFrom } = bookings;
  const [rows] = await db.batch([
    db.select({ id, status, expiresAt, dateFrom, timeFrom }).from(bookings).where(inArray(id, ids)),
  ]);
  const isSo = (mail: ToHold) => {
    const booking = rows.find((row) => row.id === mail.bookingId);
    const isPending = booking?.status === "pending_confirmation";
    switch (mail.kind) {
      case "request_received":
        return isPending;
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

/** Forgets a mail that was not sent, and that it was told: it is written anew where what it says is so again. */
export async function takeBack(db: Database, mailId: number, mail: MailIdentity): Promise<void> {
  await db.batch([
    db.delete(outgoingMails).where(eq(outgoingMails.id, mailId)),
    db.delete(bookingMails).where(matchesMail(mail)),
  ]);
}

/**
 * Whether there may be a mail to write: something of the history is untold, or a pickup or the end of a hold is near.
 * `now` as SQL, epoch ms.
 */
export function mailsToWrite(now: SQL | Placeholder): SQL {
  const setting = (column: string) => sql.raw(`(SELECT ${column} FROM settings WHERE id = 1)`);
  // A day more: how far the account's clock is ahead is not known here.
  const lastPickup = sql`date(${now} / 1000 + 3600 * (24 + ${setting("reminder_hours")}), 'unixepoch')`;
  return sql`coalesce((SELECT max(id) FROM booking_history) > (SELECT last_history_id FROM mail_cursor WHERE id = 1), 0)
    OR EXISTS (SELECT 1 FROM bookings AS booking INDEXED BY bookings_to_remind WHERE status = 'confirmed'
      AND date_from >= date(${now} / 1000 - 86400, 'unixepoch') AND date_from <= ${lastPickup} AND ${isNotificationDue("reminder")})
    OR EXISTS (SELECT 1 FROM bookings AS booking INDEXED BY bookings_expiring WHERE expires_at IS NOT NULL AND expires_at > ${now}
      AND expires_at <= ${now} + 60000 * ${setting("hold_reminder_minutes")} AND ${isNotificationDue("hold_ending")})`;
}

import { count, max, sum } from "drizzle-orm";
import { UNCHANGED_GUEST_CONDITION } from "#worker/store/bookings/guests.ts";
import type { Database } from "#worker/store/database.ts";
import { UNEXPECTED_OUTCOMES_TEXT } from "#worker/store/payments/payment-statements.ts";
import { erasures } from "#worker/store/schema/ministry-reports.ts";
import { purgeLog } from "#worker/store/schema/upkeep.ts";

const DAY = 24 * 3_600_000;
const YEAR = 365;
/** Rows deleted per kind at once. A nightly batch stays far below D1's limits. */
const MAX_ROWS_PER_RUN = 500;

/** Kind of data that expires, with the statements that delete it. The last statement counts the deleted rows. */
interface RetentionTask {
  readonly kind: string;
  /** Retention in days. */
  readonly days: number;
  readonly statements: (now: number) => readonly string[];
}

// Times are numbers from our code, so they can be part of the SQL text.

/** Returns SQL that deletes a limited number of a table's rows by key. */
const some = (table: string, key: string, where: string) =>
  `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${MAX_ROWS_PER_RUN})`;

// Selects reservations whose hold expired unpaid, without payments, documents or field work. Uses the creation time,
// because deleting a line changes the last update.
const expiredHolds = (
  before: number,
) => `SELECT id FROM bookings WHERE status = 'cancelled' AND cancellation_reason = 'expired'
  AND total_paid_cents = 0 AND created_at < ${before} AND date_to < date(${before} / 1000, 'unixepoch')
  AND NOT EXISTS (SELECT 1 FROM charges WHERE booking_id = bookings.id) AND NOT EXISTS (SELECT 1 FROM booking_documents WHERE booking_id = bookings.id)
  AND NOT EXISTS (SELECT 1 FROM check_in_operations WHERE booking_id = bookings.id) AND NOT EXISTS (SELECT 1 FROM check_in_files WHERE booking_id = bookings.id)
  AND NOT EXISTS (SELECT 1 FROM vehicle_damages WHERE booking_id = bookings.id) AND NOT EXISTS (SELECT 1 FROM ledger_entries WHERE booking_id = bookings.id)
  AND NOT EXISTS (SELECT 1 FROM payment_intents WHERE booking_id = bookings.id AND state IN ('held', 'paid'))
  AND NOT EXISTS (SELECT 1 FROM payment_holds WHERE booking_id = bookings.id AND intent_id IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM payment_notifications JOIN payment_intents ON payment_intents.id = intent_id
    WHERE booking_id = bookings.id AND outcome IN ${UNEXPECTED_OUTCOMES_TEXT}) ORDER BY id LIMIT 100`;
const BOOKING_TABLES = [
  "transfer_booking_extras",
  "transfer_booking_supplements",
  "transfer_trips",
  "transfer_bookings",
  "booking_billing",
  "accepted_shortages",
  "booking_mails",
  "notes",
  "office_tasks",
  "ministry_reports",
  "booking_history",
  "stock_allocations",
  "booking_extras",
  "booking_units",
  "booking_lines",
  "payment_holds",
  "payment_intents",
  "payment_links",
];

// Users who registered, never verified their address and booked nothing.
const unproved = (before: number) => `SELECT id FROM users WHERE kind = 'customer' AND unverified_since < ${before}
  AND NOT EXISTS (SELECT 1 FROM bookings WHERE bookings.customer_id = users.customer_id)
  AND NOT EXISTS (SELECT 1 FROM booking_billing WHERE booking_billing.customer_id = users.customer_id)
  AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.customer_id = users.customer_id)`;

/** Kinds of expiring data and their retention (docs/data.md#how-long). */
export const RETENTION_TASKS: readonly RetentionTask[] = [
  {
    // RD 933/2021, art. 5.3: three years from the end of the service, and no longer.
    kind: "ministry_reports",
    days: 3 * YEAR,
    statements: (now) => [
      some(
        "ministry_reports",
        "id",
        `booking_id IN (SELECT id FROM bookings WHERE date_to < date(${now} / 1000, 'unixepoch', '-3 years'))`,
      ),
    ],
  },
  {
    kind: "expired_holds",
    days: 400,
    statements: (now) => {
      const oldExpiredHolds = expiredHolds(now - 400 * DAY);
      return [
        `DELETE FROM payment_notifications WHERE intent_id IN (SELECT id FROM payment_intents WHERE booking_id IN (${oldExpiredHolds}))`,
        "PRAGMA defer_foreign_keys = on",
        `DELETE FROM customers WHERE id IN (SELECT customer_id FROM bookings WHERE id IN (${oldExpiredHolds})) AND ${UNCHANGED_GUEST_CONDITION}`,
        ...BOOKING_TABLES.map((table) => `DELETE FROM ${table} WHERE booking_id IN (${oldExpiredHolds})`),
        `DELETE FROM bookings WHERE id IN (${oldExpiredHolds})`,
      ];
    },
  },
  {
    kind: "histories",
    days: 6 * YEAR,
    statements: (now) => [
      // Deletes history entries after six years, if the contract has ended. The contract's other data stays.
      some(
        "booking_history",
        "id",
        `at < ${now - 6 * YEAR * DAY} AND event <> 'created' AND (SELECT status IN ('done', 'cancelled') FROM bookings WHERE id = booking_id)`,
      ),
    ],
  },
  {
    kind: "vehicle_histories",
    days: 6 * YEAR,
    statements: (now) => [some("vehicle_history", "id", `at < ${now - 6 * YEAR * DAY}`)],
  },
  {
    kind: "payment_attempts",
    days: 400,
    statements: (now) => {
      const oldExpiredHolds = `SELECT id FROM payment_intents WHERE state IN ('denied', 'expired') AND created_at < ${now - 400 * DAY}
        AND NOT EXISTS (SELECT 1 FROM payment_notifications WHERE intent_id = payment_intents.id AND outcome IN ${UNEXPECTED_OUTCOMES_TEXT})
        AND NOT EXISTS (SELECT 1 FROM payment_holds WHERE intent_id = payment_intents.id)
        ORDER BY id LIMIT ${MAX_ROWS_PER_RUN}`;
      return [
        `DELETE FROM payment_notifications WHERE intent_id IN (${oldExpiredHolds})`,
        `DELETE FROM payment_intents WHERE id IN (${oldExpiredHolds})`,
      ];
    },
  },
  {
    kind: "unknown_notifications",
    days: 400,
    statements: (now) => [
      some("payment_notifications", "id", `outcome = 'unknown_order' AND received_at < ${now - 400 * DAY}`),
      some("payment_events", "event_id", `received_at < ${now - 400 * DAY}`),
    ],
  },
  {
    kind: "refused_work",
    days: 400,
    statements: (now) => {
      const oldExpiredHolds = `SELECT op_id FROM check_in_operations WHERE state = 'dismissed' AND needs_review = 0 AND resolved_at < ${now - 400 * DAY}
        AND NOT EXISTS (SELECT 1 FROM vehicle_damages WHERE vehicle_damages.op_id = check_in_operations.op_id) ORDER BY op_id LIMIT 100`;
      return [
        `DELETE FROM check_in_operation_files WHERE op_id IN (${oldExpiredHolds})`,
        `DELETE FROM check_in_operations WHERE op_id IN (${oldExpiredHolds})`,
      ];
    },
  },
  {
    kind: "sessions",
    days: 30,
    statements: (now) => [
      some(
        "user_sessions",
        "id",
        `expires_at < ${now - 30 * DAY} AND (erase_at IS NULL OR erase_at < ${now - 400 * DAY})`,
      ),
    ],
  },
  {
    kind: "unproved_customers",
    days: 30,
    statements: (now) => {
      const oldExpiredHolds = `${unproved(now - 30 * DAY)} ORDER BY id LIMIT ${MAX_ROWS_PER_RUN}`;
      return [
        "PRAGMA defer_foreign_keys = on",
        `DELETE FROM customers WHERE id IN (SELECT customer_id FROM users WHERE id IN (${oldExpiredHolds}))`,
        `DELETE FROM users WHERE id IN (${oldExpiredHolds})`,
      ];
    },
  },
  {
    kind: "networks",
    days: 180,
    statements: (now) => [
      `UPDATE bookings SET visitor_network = NULL WHERE id IN (SELECT id FROM bookings INDEXED BY bookings_by_visitor
        WHERE visitor_network IS NOT NULL AND created_at < ${now - 7 * DAY} LIMIT ${MAX_ROWS_PER_RUN})`,
      `DELETE FROM user_networks WHERE last_at < ${now - 180 * DAY}`,
    ],
  },
  {
    kind: "requests",
    days: 30,
    statements: (now) => [
      `DELETE FROM access_attempts WHERE window_ends_at < ${now - DAY}`,
      `DELETE FROM password_resets WHERE expires_at < ${now - DAY}`,
      `DELETE FROM email_verifications WHERE expires_at < ${now - DAY}`,
      `DELETE FROM signature_nonces WHERE expires_at < ${now}`,
      some("office_requests", "request_key", `at < ${now - 30 * DAY}`),
      some("document_requests", "request_id", `at < ${now - 400 * DAY}`),
    ],
  },
  {
    kind: "told_mails",
    days: 400,
    statements: (now) => [`DELETE FROM booking_mails WHERE at < ${now - 400 * DAY}`],
  },
  {
    // Keeps an event while a delivery of it is pending, up to 60 days.
    kind: "webhook_events",
    days: 30,
    statements: (now) => [
      some(
        "webhook_events",
        "id",
        `at < ${now - 30 * DAY} AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = webhook_events.id AND state = 'waiting' AND created_at > ${now - 60 * DAY})`,
      ),
    ],
  },
  {
    kind: "security_events",
    days: 400,
    statements: (now) => [some("security_events", "id", `last_at < ${now - 400 * DAY}`)],
  },
  {
    kind: "rejected_requests",
    days: 90,
    statements: (now) => [some("rejected_requests", "id", `day < date(${now} / 1000, 'unixepoch', '-90 days')`)],
  },
  {
    kind: "deletions",
    days: 6 * YEAR,
    statements: (now) => [some("deletions", "id", `at < ${now - 6 * YEAR * DAY}`)],
  },
];

/**
 * Deletes expired data of one kind in one batch and records the number. Returns the number of rows affected by the last
 * statement.
 */
export async function deleteExpiredData(
  db: Database,
  { kind, statements }: RetentionTask,
  now: number,
): Promise<number> {
  const { $client } = db;
  const note = $client
    .prepare("INSERT INTO deletions (kind, at, count) SELECT ?1, ?2, changes() WHERE changes() > 0")
    .bind(kind, now);
  const results = await $client.batch([...statements(now).map((text) => $client.prepare(text)), note]);
  return results.at(-2)?.meta.changes ?? 0;
}

/** Returns the queries for the deletions of each kind, and the number of erased persons. */
export function deletionTotalsQueries(db: Database) {
  return [
    db
      .select({
        kind: purgeLog.kind,
        lastAt: max(purgeLog.at).mapWith(Number),
        count: sum(purgeLog.count).mapWith(Number),
      })
      .from(purgeLog)
      .groupBy(purgeLog.kind),
    db.select({ people: count() }).from(erasures),
  ] as const;
}

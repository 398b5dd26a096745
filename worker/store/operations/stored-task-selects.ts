import { type SQL, sql } from "drizzle-orm";
import type { AttentionKind } from "#domain/operations/attention.ts";
import {
  getCustomerIdentityColumns,
  isDoNotRentSql,
  selectDoNotRentReason,
} from "#worker/store/bookings/do-not-rent.ts";
import { isCardHoldActionStuckSql } from "#worker/store/payments/card-holds.ts";
import { isGatewayRefundStuckSql } from "#worker/store/payments/gateway-refunds.ts";
import { UNEXPECTED_OUTCOMES_SQL } from "#worker/store/payments/payment-statements.ts";
import { isCancellationRefundDueSql, selectTotalOwedCents } from "#worker/store/payments/refunds-due.ts";
import { selectNoShowTransfers } from "#worker/store/transfers/missed-trips.ts";
import { listTaxRecordSelects, listUnreportedRentalSelects } from "./legal-attention.ts";
import { EMPTY_BOOKING_JOIN_SQL, type TaskSelect } from "./task-select.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

const OWED_CENTS = selectTotalOwedCents("booking");
const RETAINED_CENTS = sql`booking.cancellation_fee_cents - booking.credited_cents`;
const money = sql`'paid', booking.total_paid_cents, 'total', ${OWED_CENTS}, 'fee', ${RETAINED_CENTS}`;
const period = sql`'from', booking.date_from || ' ' || booking.time_from, 'to', booking.date_to || ' ' || booking.time_to`;

const OUT = sql`(SELECT group_concat(coalesce(vehicle.plate, vehicle.reference), ', ') FROM booking_units AS unit JOIN vehicles AS vehicle
  ON vehicle.reference = unit.vehicle_reference WHERE unit.booking_id = booking.id AND unit.delivered_at IS NOT NULL AND unit.collected_at IS NULL)`;

const HOLD_IS_SHORT = sql`one.expires_at < unixepoch(booking.date_to || ' ' || booking.time_to) * 1000`;
const BOOKING_IS_OVER = sql`booking.status IN ('done', 'cancelled')`;

/**
 * Number of units times days that one visitor holds without payment before a task is created: two months of one
 * vehicle.
 */
const SUSPICIOUS_UNIT_DAYS = sql.raw("60");
/** All branch codes. They let SQLite read an index by branch and day only up to today. */
const BRANCHES = sql`(SELECT code FROM branches)`;
const UNITS = sql`(SELECT sum(quantity) FROM booking_lines WHERE booking_id = booking.id)`;
/** Days before the pickup in which a changed reservation of a do-not-rent customer needs a manager. */
const WATCHED_DAYS = sql.raw("7");
const visitorHoldCount = sql`(SELECT count(*) FROM bookings AS other INDEXED BY bookings_by_visitor WHERE other.visitor_network = booking.visitor_network
  AND other.status = 'pending_confirmation' AND other.total_paid_cents = 0)`;

/**
 * Returns the SQL of all task kinds except stock shortages. `civilNow` is the account's local time as
 * `yyyy-mm-dd hh:mm`, `at` is epoch ms.
 */
export function listStoredTaskSelects(civilNow: string, at: number): readonly TaskSelect[] {
  const updated = sql`booking.last_update`;
  return [
    {
      kind: "overdue",
      from: sql`bookings AS booking INDEXED BY bookings_to_collect WHERE booking.status = 'in_progress' AND booking.reopened_at IS NULL
        AND booking.kind = 'rental' AND booking.return_branch_code IN ${BRANCHES} AND booking.date_to <= substr(${civilNow}, 1, 10)
        AND booking.date_to || ' ' || booking.time_to < ${civilNow}`,
      at: sql`unixepoch(booking.date_to || ' ' || booking.time_to) * 1000`,
      vehicles: OUT,
      facts: period,
    },
    {
      kind: "no_show",
      // Rentals not picked up after the account's waiting time, and transfers that the driver reported as missed.
      from: sql`(SELECT late.id FROM bookings AS late INDEXED BY bookings_to_remind WHERE late.status = 'confirmed' AND late.kind = 'rental'
        AND late.date_from <= substr(${civilNow}, 1, 10)
        AND datetime(late.date_from || ' ' || late.time_from, '+' || (SELECT no_show_minutes FROM settings WHERE id = 1) || ' minutes') < datetime(${civilNow})
        UNION ALL SELECT id FROM (${selectNoShowTransfers(civilNow)})) AS missing CROSS JOIN bookings AS booking ON booking.id = missing.id`,
      at: sql`unixepoch(booking.date_from || ' ' || booking.time_from) * 1000`,
      facts: sql`${period}, 'isTransfer', booking.kind = 'transfer'`,
    },
    {
      kind: "do_not_rent",
      // Includes confirmed reservations that their customer or agency changed after the last entry by staff.
      from: sql`(SELECT id FROM bookings INDEXED BY bookings_not_done WHERE status = 'pending_confirmation' AND status <> 'done'
        UNION ALL SELECT soon.id FROM bookings AS soon INDEXED BY bookings_to_remind WHERE soon.status = 'confirmed'
          AND soon.date_from BETWEEN substr(${civilNow}, 1, 10) AND date(substr(${civilNow}, 1, 10), '+' || ${WATCHED_DAYS} || ' days')
          AND EXISTS (SELECT 1 FROM booking_history AS entry WHERE entry.booking_id = soon.id AND entry.event = 'changed'
            AND entry.actor NOT LIKE 'staff:%' AND NOT EXISTS (SELECT 1 FROM booking_history AS later
              WHERE later.booking_id = soon.id AND later.id > entry.id AND later.actor LIKE 'staff:%'))) AS watched
        CROSS JOIN bookings AS booking ON booking.id = watched.id WHERE ${isDoNotRentSql(getCustomerIdentityColumns("booking"))}`,
      at: sql`booking.created_at`,
      facts: sql`'reason', ${selectDoNotRentReason(getCustomerIdentityColumns("booking"))}, ${period}`,
    },
    {
      kind: "unconfirmed_import",
      // Imported requests without an expiry. They use stock until staff decide.
      from: sql`bookings AS booking INDEXED BY bookings_without_hold_expiry WHERE booking.status = 'pending_confirmation' AND booking.expires_at IS NULL
        AND booking.total_paid_cents = 0 AND booking.date_to >= substr(${civilNow}, 1, 10)`,
      at: sql`booking.created_at`,
      order: sql`booking.date_to`,
      facts: period,
    },
    {
      kind: "paid_unconfirmed",
      from: sql`bookings AS booking WHERE booking.status = 'pending_confirmation' AND booking.total_paid_cents > 0 AND booking.paid_after_expiry = 0`,
      at: updated,
      facts: money,
    },
    {
      kind: "paid_too_late",
      // Listed until the booking is confirmed or refunded.
      from: sql`bookings AS booking WHERE booking.paid_after_expiry = 1 AND (booking.status = 'pending_confirmation' OR (${isCancellationRefundDueSql("booking")}))`,
      at: updated,
      facts: money,
    },
    {
      kind: "overpaid",
      from: sql`bookings AS booking WHERE booking.status <> 'cancelled' AND booking.total_paid_cents > ${OWED_CENTS}`,
      at: updated,
      facts: money,
    },
    {
      kind: "refund_due",
      from: sql`bookings AS booking INDEXED BY bookings_refund_due WHERE booking.paid_after_expiry = 0 AND ${isCancellationRefundDueSql("booking")}`,
      at: updated,
      order: sql`booking.id`,
      facts: money,
    },
    {
      kind: "deposit_held",
      from: sql`bookings AS booking INDEXED BY bookings_deposit_held WHERE booking.status IN ('done', 'cancelled') AND booking.deposit_held_cents > 0`,
      at: updated,
      order: sql`booking.id`,
      facts: sql`'held', booking.deposit_held_cents`,
    },
    {
      kind: "refund_waiting",
      from: sql`refund_requests AS one JOIN bookings AS booking ON booking.id = one.booking_id WHERE one.state = 'waiting'`,
      at: sql`one.requested_at`,
      resource: sql`one.id`,
      state: sql`one.state`,
      facts: sql`'amount', one.amount_cents, 'reason', one.reason`,
    },
    {
      kind: "refund_at_gateway",
      from: sql`gateway_refunds AS one INDEXED BY gateway_refunds_open JOIN bookings AS booking ON booking.id = one.booking_id
        WHERE one.state IN ('waiting', 'sent', 'refused') AND (${isGatewayRefundStuckSql(at)})`,
      at: sql`one.requested_at`,
      resource: sql`one.id`,
      state: sql`one.state || '-' || coalesce(one.sent_at, 0)`,
      facts: sql`'amount', one.amount_cents, 'problem', coalesce(one.problem, 'no_answer'),
        'order', (SELECT order_reference FROM payment_intents AS intent WHERE intent.id = one.intent_id)`,
    },
    {
      kind: "card_hold",
      // Listed two days before the hold's end, from the start if the rental is longer than the hold, after the rental,
      // or after a failed request.
      from: sql`payment_holds AS one JOIN bookings AS booking ON booking.id = one.booking_id
        WHERE one.status = 'authorised' AND (one.expires_at <= ${at + 2 * DAY} OR ${HOLD_IS_SHORT} OR ${BOOKING_IS_OVER} OR (${isCardHoldActionStuckSql(at)}))`,
      at: sql`coalesce(one.action_at, one.last_update)`,
      resource: sql`one.id`,
      state: sql`coalesce(one.action_state, '') || iif(one.expires_at <= ${at}, 'expired', iif(one.expires_at <= ${at + 2 * DAY}, 'ending', '')) || iif(${BOOKING_IS_OVER}, 'over', '')`,
      facts: sql`'amount', one.amount_cents, 'end', date(one.expires_at / 1000, 'unixepoch'), 'problem', CASE WHEN ${isCardHoldActionStuckSql(at)} THEN coalesce(one.problem, 'no_answer')
        WHEN ${BOOKING_IS_OVER} THEN 'rental_over' WHEN one.expires_at <= ${at} THEN 'expired' WHEN one.expires_at <= ${at + 2 * DAY} THEN 'ending' ELSE 'shorter_than_rental' END`,
    },
    {
      kind: "document_incomplete",
      from: sql`documents AS one INDEXED BY documents_incomplete JOIN bookings AS booking ON booking.id = one.booking_id
        WHERE one.missing IS NOT NULL AND one.invoice_status = 'draft'`,
      at: sql`one.last_update`,
      resource: sql`one.id`,
      state: sql`one.total_cents`,
      facts: sql`'document', one.id, 'total', one.total_cents, 'missing', (SELECT group_concat(value, ', ') FROM json_each(one.missing))`,
    },
    {
      kind: "document_not_integrated",
      from: sql`documents AS one INDEXED BY documents_not_integrated LEFT JOIN bookings AS booking ON booking.id = one.booking_id
        WHERE one.integration_error IS NOT NULL`,
      at: sql`one.last_update`,
      resource: sql`one.id`,
      state: sql`one.last_update`,
      branch: sql`one.branch_code`,
      facts: sql`'document', one.id, 'number', ltrim(coalesce(one.serie, '') || '/' || one.number, '/'), 'total', one.total_cents, 'error', one.integration_error`,
    },
    {
      kind: "einvoice_incomplete",
      from: sql`einvoice_checks AS one JOIN documents AS document ON document.id = one.document_id LEFT JOIN bookings AS booking ON booking.id = document.booking_id
        WHERE one.missing IS NOT NULL`,
      at: sql`unixepoch(document.date) * 1000`,
      resource: sql`one.document_id`,
      state: sql`(SELECT group_concat(value, '.') FROM json_each(one.missing))`,
      branch: sql`document.branch_code`,
      facts: sql`'document', document.id, 'number', document.serie || '/' || document.number, 'missing', (SELECT group_concat(value, ', ') FROM json_each(one.missing))`,
    },
    {
      kind: "reopened",
      from: sql`bookings AS booking WHERE booking.reopened_at IS NOT NULL`,
      at: sql`booking.reopened_at`,
      facts: period,
    },
    selectFieldWork("field_work_refused", sql`one.state = 'conflict'`, UNBOOKED),
    selectFieldWork("field_work_held", sql`one.state = 'held'`, UNBOOKED),
    selectFieldWork("check_in_to_review", sql`one.needs_review = 1`),
    {
      // Work may arrive late and in any order, so only devices that were silent for hours are listed.
      kind: "device_work_missing",
      from: sql`(SELECT device_id, user_id, last_seen_at, last_seq, received, max(0, last_seq - received + repeated) AS missing,
          coalesce(report ->> '$.waiting', 0) AS waiting FROM check_in_devices) AS one
        JOIN users AS user ON user.id = one.user_id ${EMPTY_BOOKING_JOIN_SQL}
        WHERE max(one.missing, one.waiting) > 0 AND one.last_seen_at < ${at - 4 * HOUR}`,
      at: sql`one.last_seen_at`,
      resource: sql`one.device_id`,
      state: sql`one.last_seq || '.' || one.received || '.' || one.waiting`,
      facts: sql`'count', max(one.missing, one.waiting), 'user', user.full_name`,
    },
    {
      kind: "payment_mismatch",
      from: sql`payment_notifications AS one LEFT JOIN payment_intents AS intent ON intent.id = one.intent_id
        LEFT JOIN bookings AS booking ON booking.id = intent.booking_id WHERE one.outcome IN ${UNEXPECTED_OUTCOMES_SQL}`,
      at: sql`one.received_at`,
      resource: sql`one.id`,
      state: sql`one.outcome`,
      facts: sql`'order', one.order_reference, 'outcome', CASE WHEN one.outcome = 'second_payment' AND one.kind = 'held' THEN 'second_hold'
        WHEN one.outcome = 'mismatch' AND one.kind = 'other' THEN 'unexpected' ELSE one.outcome END, 'amount', one.amount_cents, 'gateway', one.method,
        'is_recorded', iif(one.outcome = 'second_payment' AND one.auth_code = intent.paid_code, 1, NULL)`,
    },
    {
      kind: "suspicious_hold",
      from: sql`bookings AS booking INDEXED BY bookings_expiring WHERE booking.expires_at IS NOT NULL AND booking.status = 'pending_confirmation' AND booking.created_by = 'engine'
        AND booking.total_paid_cents = 0 AND (${UNITS} * booking.days >= ${SUSPICIOUS_UNIT_DAYS} OR ${visitorHoldCount} >= (SELECT visitor_holds FROM settings WHERE id = 1))`,
      at: sql`booking.created_at`,
      facts: sql`'units', ${UNITS}, 'days', booking.days, 'holds', max(1, ${visitorHoldCount}), ${period}`,
    },
    {
      kind: "quote_sold_out",
      from: sql`quotes AS one INDEXED BY quotes_sold_out ${EMPTY_BOOKING_JOIN_SQL} WHERE one.sold_out_at IS NOT NULL AND one.status IN ('draft', 'sent')`,
      at: sql`one.sold_out_at`,
      resource: sql`one.id`,
      state: sql`one.sold_out_at`,
      facts: sql`'quote', 'Q' || one.year || '-' || printf('%04d', one.sequence), 'name', trim(one.customer_name || ' ' || one.customer_surname),
        'from', one.date_from || ' ' || one.time_from`,
      branch: sql`one.branch_code`,
    },
    {
      kind: "task_overdue",
      from: sql`office_tasks AS one INDEXED BY office_tasks_open LEFT JOIN bookings AS booking ON booking.id = one.booking_id
        LEFT JOIN customers AS person ON person.id = one.customer_id
        WHERE one.done_at IS NULL AND one.due_date < substr(${civilNow}, 1, 10)`,
      at: sql`unixepoch(one.due_date) * 1000`,
      resource: sql`one.id`,
      state: sql`one.version`,
      facts: sql`'task', one.text, 'due', one.due_date, 'assignee', (SELECT full_name FROM users WHERE id = one.assignee_id),
        'customer', person.id`,
      branch: sql`coalesce(booking.branch_code, person.branch_code)`,
    },
    selectDueVehicles(civilNow),
    ...createMaintenanceSelects(at),
    ...listTaxRecordSelects(at),
    ...listUnreportedRentalSelects(at),
    {
      kind: "security_alert",
      from: sql`security_events AS one ${EMPTY_BOOKING_JOIN_SQL} WHERE one.last_at > ${at - 7 * DAY} AND (one.kind IN ('locked_out', 'role_changed', 'second_factor_removed', 'database_restored')
        OR (one.kind = 'key_changed' AND one.detail ->> 'what' <> 'made') OR (one.kind = 'sign_in_failed' AND one.count >= 20) OR one.kind = 'bad_signature')`,
      at: sql`one.last_at`,
      resource: sql`one.id`,
      state: sql`one.count`,
      facts: sql`'event', one.kind, 'count', one.count, 'user', one.user_id`,
    },
    {
      kind: "certificate_expiring",
      from: sql`account_secrets AS one ${EMPTY_BOOKING_JOIN_SQL} WHERE one.name = 'signing_certificate' AND one.expires_at < ${at + 30 * DAY}`,
      at: sql`one.expires_at`,
      resource: sql`one.name`,
      state: sql`one.expires_at`,
      facts: sql`'until', strftime('%Y-%m-%d', one.expires_at / 1000, 'unixepoch')`,
    },
    {
      kind: "webhook_failing",
      // Only longer failures are listed, because short ones are retried automatically.
      from: sql`webhooks AS one LEFT JOIN webhook_states AS state ON state.webhook_id = one.id ${EMPTY_BOOKING_JOIN_SQL}
        WHERE one.disabled_at IS NOT NULL OR (one.active = 1 AND state.failing_since < ${at - HOUR})`,
      at: sql`coalesce(unixepoch(one.disabled_at) * 1000, state.failing_since)`,
      resource: sql`one.id`,
      state: sql`coalesce(one.disabled_at, state.failing_since)`,
      facts: sql`'url', one.url, 'problem', coalesce(one.disabled_reason, 'no_answer')`,
    },
  ];
}

// Dates are listed two weeks ahead, which leaves time for an appointment at a workshop. Kilometres are listed the
// distance of a typical rental ahead.
const BEFORE = sql.raw("'+14 days'");
const AGO = sql.raw("'-14 days'");
const KILOMETRES_BEFORE = sql.raw("500");

function selectDueVehicles(civilNow: string): TaskSelect {
  const first = sql`min(coalesce(inspection_due, '9999'), coalesce(insured_until, '9999'), coalesce(service_due, '9999'))`;
  const soon = sql`date(${civilNow}, ${BEFORE})`;
  const near = (day: SQL) => sql`CASE WHEN one.${day} <= ${soon} THEN one.${day} END`;
  const remainingUnits = sql`one.service_due_units - one.usage_units`;
  const atUnits = sql`CASE WHEN ${remainingUnits} <= ${KILOMETRES_BEFORE} THEN one.service_due_units END`;
  const marked = (day: SQL) => sql`coalesce(${near(day)} || iif(one.${day} < substr(${civilNow}, 1, 10), '~', ''), '')`;
  const [inspection, insurance, service] = [sql`inspection_due`, sql`insured_until`, sql`service_due`].map(near);
  return {
    kind: "vehicle_due",
    from: sql`vehicles AS one ${EMPTY_BOOKING_JOIN_SQL} WHERE one.id IN (
      SELECT id FROM vehicles INDEXED BY vehicles_due WHERE active = 1 AND coalesce(inspection_due, insured_until, service_due) IS NOT NULL AND ${first} <= ${soon}
      UNION SELECT id FROM vehicles INDEXED BY vehicles_due_by_usage WHERE active = 1 AND service_due_units IS NOT NULL AND service_due_units - usage_units <= ${KILOMETRES_BEFORE})`,
    // Start of the task.
    at: sql`unixepoch(min(coalesce(${inspection}, '9999-12-31'), coalesce(${insurance}, '9999-12-31'), coalesce(${service}, '9999-12-31'),
      iif(${atUnits} IS NULL, '9999-12-31', date(${civilNow}, ${BEFORE}))), ${AGO}) * 1000`,
    resource: sql`one.reference`,
    // A task that was marked as done reappears once one of the dates or the kilometres is overdue.
    state: sql`${marked(sql`inspection_due`)} || '.' || ${marked(sql`insured_until`)} || '.' || ${marked(sql`service_due`)} || '.'
      || coalesce(${atUnits} || iif(${remainingUnits} <= 0, '~', ''), '')`,
    facts: sql`'inspection', ${inspection}, 'insurance', ${insurance}, 'service', ${service},
      'serviceUnits', ${atUnits}`,
    branch: sql`one.branch_code`,
    vehicles: sql`coalesce(one.plate, one.reference)`,
  };
}

// Maintenance of the account's data, independent of branches.
function createMaintenanceSelects(at: number): readonly TaskSelect[] {
  const from = (condition: SQL) => sql`upkeep AS one ${EMPTY_BOOKING_JOIN_SQL} WHERE ${condition}`;
  const day = sql`${Math.floor(at / DAY)}`;
  // SQLite doesn't treat a bound number as an integer, so a division with it would leave a fraction.
  const since = (moment: SQL, divisor: number) => sql`CAST((${at} - ${moment}) / ${divisor} AS INTEGER)`;
  return [
    {
      kind: "backup_overdue",
      from: from(sql`coalesce(one.backed_up_at, one.since) < ${at - 1.5 * DAY}`),
      at: sql`coalesce(one.backed_up_at, one.since)`,
      resource: sql`'account'`,
      state: day,
      facts: sql`'hours', ${since(sql`coalesce(one.backed_up_at, one.since)`, HOUR)}, 'problem', one.backup_problem`,
    },
    {
      kind: "drill_overdue",
      from: from(sql`coalesce(one.backup_verified_at, one.since) < ${at - 35 * DAY}`),
      at: sql`coalesce(one.backup_verified_at, one.since)`,
      resource: sql`'account'`,
      state: day,
      facts: sql`'days', ${since(sql`coalesce(one.backup_verified_at, one.since)`, DAY)}`,
    },
    {
      kind: "nearly_full",
      from: from(sql`one.size_bytes >= 7000000000`),
      at: sql`one.purged_at`,
      resource: sql`'account'`,
      state: sql`one.size_bytes / 100000000`,
      facts: sql`'percent', one.size_bytes / 100000000`,
    },
  ];
}

// Money collected in field work that wasn't applied, unless other work recorded that money later.
const UNBOOKED = sql`(SELECT group_concat(value ->> 'kind' || ' ' || (value ->> 'amountCents'), ', ') FROM json_each(one.operation, '$.charges')
  WHERE NOT EXISTS (SELECT 1 FROM charges WHERE uid = value ->> 'chargeId'))`;

// Names of the staff who reported the work. If work to review was reported before, includes the earlier author, so that
// the office can contact both.
const AUTHORS = sql`coalesce(one.author || ', ' || CASE WHEN one.needs_review = 1 THEN one.by_name END, one.author)`;

function selectFieldWork(kind: AttentionKind, which: SQL, unbooked = sql`NULL`): TaskSelect {
  return {
    kind,
    from: sql`check_in_operations AS one JOIN bookings AS booking ON booking.id = one.booking_id WHERE ${which}`,
    at: sql`one.received_at`,
    resource: sql`one.op_id`,
    state: sql`one.state`,
    facts: sql`'code', coalesce((SELECT group_concat(code, ', ') FROM (SELECT DISTINCT value ->> 'code' AS code FROM json_each(one.warnings))), one.code), 'author', ${AUTHORS}, 'operation', one.kind,
      'unbooked', ${unbooked}`,
  };
}

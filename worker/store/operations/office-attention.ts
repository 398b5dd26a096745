import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { refundStuck } from "#worker/store/payments/gateway-refunds.ts";
import { attentionDone } from "#worker/store/schema/bookings.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { stockShortages } from "./stock-attention.ts";

/** What kinds of things wait for a person. */
export const ATTENTION_KINDS = [
  "overdue",
  "shortage",
  "no_show",
  "paid_unconfirmed",
  "paid_too_late",
  "overpaid",
  "owed_back",
  "refund_waiting",
  "refund_at_gateway",
  "document_incomplete",
  "reopened",
  "field_work_refused",
  "field_work_held",
  "field_work_to_look_at",
  "payment_mismatch",
  "suspicious_hold",
  "backup_overdue",
  "drill_overdue",
  "nearly_full",
  "security_alert",
  "tax_records_unsent",
  "tax_record_refused",
  "tax_record_flawed",
  "tax_chain_broken",
  "communication_late",
  "communication_refused",
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** Something that waits, by what it is about; `state` moves where that changes. */
export interface WaitingItem {
  readonly kind: AttentionKind;
  readonly resource: string;
  readonly state: string;
  /** Epoch ms, but for the kinds of `ON_THE_ACCOUNTS_CLOCK`. */
  readonly at: number;
  readonly bookingId: number | null;
  readonly branchCode: string | null;
  readonly returnBranchCode: string | null;
  /** What the sentence about it needs. */
  readonly facts: Readonly<Record<string, string | number | null>>;
}

/** Kinds whose `at` is what the account's own clock shows, counted as if it were UTC. */
export const ON_THE_ACCOUNTS_CLOCK: ReadonlySet<AttentionKind> = new Set(["overdue", "no_show", "shortage"]);

const MOST_OF_A_KIND = 200;

/** A kind of thing: its rows with the alias `one`, each a booking or something with one beside it. */
interface Source {
  readonly kind: AttentionKind;
  readonly from: SQL;
  readonly at: SQL;
  readonly resource?: SQL;
  readonly state?: SQL;
  readonly booking?: SQL;
  readonly facts: SQL;
}

const money = sql`'paid', booking.total_paid_cents, 'total', booking.total_cents - booking.credited_cents, 'fee', booking.cancellation_fee_cents`;
const period = sql`'from', booking.date_from || ' ' || booking.time_from, 'to', booking.date_to || ' ' || booking.time_to`;

/** So many days of vehicles somebody holds unpaid before a person should look at it: two months of one vehicle. */
const SUSPICIOUS_UNIT_DAYS = sql.raw("60");
const UNITS = sql`(SELECT sum(quantity) FROM booking_lines WHERE booking_id = booking.id)`;
const ofOneVisitor = sql`(SELECT count(*) FROM bookings AS other INDEXED BY bookings_by_visitor WHERE other.visitor_network = booking.visitor_network
  AND other.status = 'pending_confirmation' AND other.total_paid_cents = 0)`;

function sources(civilNow: string, at: number): readonly Source[] {
  const updated = sql`booking.last_update`;
  return [
    {
      kind: "overdue",
      from: sql`bookings AS booking INDEXED BY bookings_to_collect WHERE booking.status = 'in_progress' AND booking.reopened_at IS NULL
        AND booking.kind = 'rental' AND booking.date_to || ' ' || booking.time_to < ${civilNow}`,
      at: sql`unixepoch(booking.date_to || ' ' || booking.time_to) * 1000`,
      facts: period,
    },
    {
      kind: "shortage",
      from: sql`(${stockShortages(at)}) AS one LEFT JOIN bookings AS booking ON 0`,
      at: sql`one.moment * 60000`,
      resource: sql`one.branch_group_id || ':' || one.code`,
      state: sql`one.missing`,
      facts: sql`'category', one.code, 'group', one.branch_group_id, 'missing', one.missing, 'moment', one.moment`,
    },
    {
      kind: "no_show",
      from: sql`bookings AS booking INDEXED BY bookings_to_deliver WHERE booking.status = 'confirmed' AND booking.kind = 'rental'
        AND booking.date_from <= substr(${civilNow}, 1, 10)
        AND datetime(booking.date_from || ' ' || booking.time_from, '+' || (SELECT no_show_minutes FROM settings WHERE id = 1) || ' minutes') < datetime(${civilNow})`,
      at: sql`unixepoch(booking.date_from || ' ' || booking.time_from) * 1000`,
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
      from: sql`bookings AS booking WHERE booking.paid_after_expiry = 1`,
      at: updated,
      facts: money,
    },
    {
      kind: "overpaid",
      from: sql`bookings AS booking WHERE booking.status <> 'cancelled' AND booking.total_paid_cents > booking.total_cents - booking.credited_cents`,
      at: updated,
      facts: money,
    },
    {
      kind: "owed_back",
      from: sql`bookings AS booking WHERE booking.status = 'cancelled' AND booking.total_paid_cents > booking.cancellation_fee_cents`,
      at: updated,
      facts: money,
    },
    {
      kind: "refund_waiting",
      from: sql`refund_requests AS one JOIN bookings AS booking ON booking.id = one.booking_id WHERE one.state = 'waiting'`,
      at: sql`one.asked_at`,
      resource: sql`one.id`,
      state: sql`one.state`,
      facts: sql`'amount', one.amount_cents, 'reason', one.reason`,
    },
    {
      kind: "refund_at_gateway",
      from: sql`gateway_refunds AS one INDEXED BY gateway_refunds_open JOIN bookings AS booking ON booking.id = one.booking_id
        WHERE one.state IN ('waiting', 'sent', 'refused') AND (${refundStuck(at)})`,
      at: sql`one.asked_at`,
      resource: sql`one.id`,
      state: sql`one.state || '-' || coalesce(one.sent_at, 0)`,
      facts: sql`'amount', one.amount_cents, 'problem', coalesce(one.problem, 'no_answer'),
        'order', (SELECT order_reference FROM payment_intents AS intent WHERE intent.id = one.intent_id)`,
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
      kind: "reopened",
      from: sql`bookings AS booking WHERE booking.reopened_at IS NOT NULL`,
      at: sql`booking.reopened_at`,
      facts: period,
    },
    fieldWork("field_work_refused", sql`one.state = 'conflict'`),
    fieldWork("field_work_held", sql`one.state = 'held'`),
    fieldWork("field_work_to_look_at", sql`one.needs_look = 1`),
    {
      kind: "payment_mismatch",
      from: sql`payment_notifications AS one LEFT JOIN payment_intents AS intent ON intent.id = one.intent_id
        LEFT JOIN bookings AS booking ON booking.id = intent.booking_id WHERE one.outcome IN ('mismatch', 'unknown_order', 'second_payment')`,
      at: sql`one.received_at`,
      resource: sql`one.id`,
      state: sql`one.outcome`,
      facts: sql`'order', one.order_reference, 'outcome', one.outcome, 'amount', one.amount_cents`,
    },
    {
      kind: "suspicious_hold",
      from: sql`bookings AS booking INDEXED BY bookings_expiring WHERE booking.expires_at IS NOT NULL AND booking.status = 'pending_confirmation' AND booking.created_by = 'engine'
        AND booking.total_paid_cents = 0 AND (${UNITS} * booking.days >= ${SUSPICIOUS_UNIT_DAYS} OR ${ofOneVisitor} >= (SELECT visitor_holds FROM settings WHERE id = 1))`,
      at: sql`booking.created_at`,
      facts: sql`'units', ${UNITS}, 'days', booking.days, 'holds', max(1, ${ofOneVisitor}), ${period}`,
    },
    ...keeping(at),
    ...taxRecords(at),
    ...communications(at),
    {
      kind: "security_alert",
      from: sql`security_events AS one LEFT JOIN bookings AS booking ON 0 WHERE one.last_at > ${at - 7 * DAY} AND (one.kind IN ('locked_out', 'role_changed', 'second_factor_removed')
        OR (one.kind = 'key_changed' AND one.detail ->> 'what' <> 'made') OR (one.kind = 'sign_in_failed' AND one.count >= 20) OR one.kind = 'bad_signature')`,
      at: sql`one.last_at`,
      resource: sql`one.id`,
      state: sql`one.count`,
      facts: sql`'event', one.kind, 'count', one.count, 'user', one.user_id`,
    },
  ];
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

// Of the account itself, not of a branch: what keeps its data.
function keeping(at: number): readonly Source[] {
  const from = (condition: SQL) => sql`upkeep AS one LEFT JOIN bookings AS booking ON 0 WHERE ${condition}`;
  const day = sql`${at} / 86400000`;
  return [
    {
      kind: "backup_overdue",
      from: from(sql`coalesce(one.backed_up_at, one.since) < ${at - 1.5 * DAY}`),
      at: sql`coalesce(one.backed_up_at, one.since)`,
      resource: sql`'account'`,
      state: day,
      facts: sql`'hours', (${at} - coalesce(one.backed_up_at, one.since)) / 3600000, 'problem', one.backup_problem`,
    },
    {
      kind: "drill_overdue",
      from: from(sql`coalesce(one.drilled_at, one.since) < ${at - 35 * DAY}`),
      at: sql`coalesce(one.drilled_at, one.since)`,
      resource: sql`'account'`,
      state: day,
      facts: sql`'days', (${at} - coalesce(one.drilled_at, one.since)) / 86400000`,
    },
    {
      kind: "nearly_full",
      from: from(sql`one.size_bytes >= 7000000000`),
      at: sql`one.swept_at`,
      resource: sql`'account'`,
      state: sql`one.size_bytes / 100000000`,
      facts: sql`'percent', one.size_bytes / 100000000`,
    },
  ];
}

// A rental is communicated within 24 hours: at 20 a person looks at what is missing, or why the ministry has it not yet.
function communications(at: number): readonly Source[] {
  const late = at - 20 * 60 * MINUTE;
  const has = (
    kind: SQL,
    unit: SQL,
  ) => sql`EXISTS (SELECT 1 FROM communications AS told WHERE told.booking_id = booking.id AND told.kind = ${kind}
    AND ${unit} AND told.state IN ('accepted', 'dry'))`;
  const isOn = sql`(SELECT ses_mode FROM settings WHERE id = 1) = 'ses'`;
  return [
    {
      kind: "communication_late",
      from: sql`bookings AS booking LEFT JOIN booking_units AS one ON one.booking_id = booking.id AND one.delivered_at IS NOT NULL
        WHERE ${isOn} AND booking.kind = 'rental' AND (SELECT rental_register FROM branches WHERE code = booking.branch_code) = 'ses_hospedajes'
        AND booking.last_update > (SELECT since FROM communication_cursor WHERE id = 1)
        AND ((booking.status IN ('in_progress', 'done') AND one.delivered_at BETWEEN (SELECT since FROM communication_cursor WHERE id = 1) AND ${late} AND NOT ${has(sql`'AV'`, sql`told.unit_id = one.id`)})
          OR (booking.status = 'confirmed' AND booking.created_at BETWEEN (SELECT since FROM communication_cursor WHERE id = 1) AND ${late} AND NOT ${has(sql`'RV'`, sql`true`)}))`,
      at: sql`coalesce(one.delivered_at, booking.created_at)`,
      resource: sql`booking.id || ':' || coalesce(one.id, '')`,
      state: sql`booking.status`,
      facts: sql`'what', CASE WHEN one.id IS NULL THEN 'reservation' ELSE 'hand-over' END`,
    },
    {
      kind: "communication_refused",
      from: sql`communications AS one JOIN bookings AS booking ON booking.id = one.booking_id WHERE one.state = 'refused'`,
      at: sql`one.answered_at`,
      resource: sql`one.id`,
      state: sql`one.attempts`,
      facts: sql`'error', one.error, 'what', one.kind`,
    },
  ];
}

// What the tax agency does not have yet, and what it said of what it has. A later record that it took mends an earlier one;
// the clock's own errors need no mending.
function taxRecords(at: number): readonly Source[] {
  const waiting = (
    what: SQL,
  ) => sql`(SELECT ${what} FROM tax_records AS record JOIN tax_record_states AS said ON said.record_id = record.id
    WHERE record.chain = one.chain AND said.state = 'waiting')`;
  const said = (condition: SQL) => sql`tax_record_states AS said JOIN tax_records AS one ON one.id = said.record_id
    LEFT JOIN documents AS paper ON paper.id = one.document_id LEFT JOIN bookings AS booking ON booking.id = paper.booking_id WHERE ${condition}
    AND NOT EXISTS (SELECT 1 FROM tax_records AS later JOIN tax_record_states AS state ON state.record_id = later.id
      WHERE later.document_id = one.document_id AND later.id > one.id AND state.state = 'accepted')`;
  const of = { at: sql`said.answered_at`, resource: sql`one.id`, state: sql`said.state` };
  const facts = sql`'document', one.document_id, 'number', one.number, 'code', said.code, 'description', said.description`;
  return [
    {
      kind: "tax_records_unsent",
      from: sql`tax_chains AS one LEFT JOIN bookings AS booking ON 0 WHERE ${waiting(sql`min(record.generated_at)`)} < ${at - 5 * MINUTE}
        OR (one.failed_since IS NOT NULL AND ${waiting(sql`count(*)`)} > 0)`,
      at: waiting(sql`min(record.generated_at)`),
      resource: sql`one.issuer`,
      state: sql`coalesce(one.failed_since, 0)`,
      facts: sql`'count', ${waiting(sql`count(*)`)}, 'issuer', one.issuer, 'problem', one.problem`,
    },
    { kind: "tax_record_refused", from: said(sql`said.state = 'refused'`), ...of, facts },
    {
      kind: "tax_record_flawed",
      from: said(sql`said.state = 'accepted_with_errors' AND said.code NOT IN ('2004', '2009')`),
      ...of,
      facts,
    },
    {
      kind: "tax_chain_broken",
      from: sql`upkeep AS one LEFT JOIN bookings AS booking ON 0 WHERE one.tax_record_faults > 0`,
      at: sql`one.swept_at`,
      resource: sql`'account'`,
      state: sql`one.tax_record_faults`,
      facts: sql`'count', one.tax_record_faults, 'number', one.tax_record_fault ->> 'number', 'fault', one.tax_record_fault ->> 'fault'`,
    },
  ];
}

function fieldWork(kind: AttentionKind, which: SQL): Source {
  return {
    kind,
    from: sql`check_in_operations AS one JOIN bookings AS booking ON booking.id = one.booking_id WHERE ${which}`,
    at: sql`one.received_at`,
    resource: sql`one.op_id`,
    state: sql`one.state`,
    facts: sql`'code', coalesce((SELECT group_concat(value ->> 'code', ', ') FROM json_each(one.warnings)), one.code), 'author', one.author, 'operation', one.kind`,
  };
}

function rowsOf({ kind, from, at, resource, state, facts }: Source): SQL {
  const name = resource ?? sql`booking.id`;
  const version = state ?? sql`booking.version`;
  return sql`SELECT json_object('kind', ${sql.raw(`'${kind}'`)}, 'resource', CAST(${name} AS TEXT), 'state', CAST(${version} AS TEXT), 'at', ${at},
    'bookingId', booking.id, 'branchCode', booking.branch_code, 'returnBranchCode', booking.return_branch_code, 'facts', json_object(${facts})) AS item
    FROM ${from} ORDER BY ${at} DESC LIMIT ${sql.raw(String(MOST_OF_A_KIND))}`;
}

/**
 * All that waits for a person, a JSON text for each kind: D1 puts no more than a few SELECTs together. `civilNow` is the
 * account's clock as `yyyy-mm-dd hh:mm`.
 */
export function officeAttentionQueries(db: Database, civilNow: string, at: number) {
  const ofKind = Object.fromEntries(
    sources(civilNow, at).map((source) => [
      source.kind,
      sql<string>`(SELECT json_group_array(json(item)) FROM (${rowsOf(source)}))`.as(source.kind),
    ]),
  );
  return [db.select(ofKind).from(catalogueVersion), db.select().from(attentionDone)] as const;
}

export function toWaitingItems(rows: readonly Readonly<Record<string, unknown>>[]): readonly WaitingItem[] {
  return Object.values(rows[0] ?? {}).flatMap((items) => JSON.parse(String(items)) as WaitingItem[]);
}

/** Keeps that somebody has looked at an item; again is the same. */
export function attentionDoneStatement(
  db: Database,
  { item, userId, at }: { readonly item: string; readonly userId: number; readonly at: number },
) {
  return db.insert(attentionDone).values({ item, userId, at }).onConflictDoNothing();
}

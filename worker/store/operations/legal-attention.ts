import { type SQL, sql } from "drizzle-orm";
import { MANUAL_ANNULMENT_ERROR } from "#domain/ministry-reports/manual-annulment.ts";
import type { MinistryReportKind } from "#domain/ministry-reports/rental.ts";
import { isFullyReportedSql } from "#worker/store/ministry-reports/rentals.ts";
import { EMPTY_BOOKING_JOIN_SQL, type TaskSelect } from "./task-select.ts";

const MINUTE = 60_000;

/**
 * Returns the rentals not reported to the authorities at `at`, epoch ms. They must be reported within 24 hours. After
 * 20 hours, a task shows the missing data or the reason.
 */
export function listUnreportedRentalSelects(at: number): readonly TaskSelect[] {
  const late = at - 20 * 60 * MINUTE;
  const has = (kind: MinistryReportKind) =>
    sql`(${isFullyReportedSql(kind, { booking: "booking", states: sql`IN ('accepted', 'dry')` })})`;
  // A cancellation is reported within 24 hours too. The first condition selects the partial index.
  const unannulledBookings = sql`SELECT booking_id FROM ministry_reports WHERE state IN ('waiting', 'sent', 'annulling') AND state = 'annulling'`;
  const isOn = sql`(SELECT ses_mode FROM settings WHERE id = 1) = 'ses'`;
  return [
    {
      kind: "ministry_report_late",
      from: sql`bookings AS booking LEFT JOIN booking_units AS unit ON unit.booking_id = booking.id AND unit.delivered_at IS NOT NULL
        WHERE ${isOn} AND booking.kind = 'rental' AND (SELECT rental_register FROM branches WHERE code = booking.branch_code) = 'ses_hospedajes'
        AND booking.last_update > (SELECT since FROM ministry_report_cursor WHERE id = 1)
        AND ((booking.status IN ('in_progress', 'done') AND unit.delivered_at BETWEEN (SELECT since FROM ministry_report_cursor WHERE id = 1) AND ${late} AND NOT ${has("AV")})
          OR (booking.status = 'confirmed' AND booking.created_at BETWEEN (SELECT since FROM ministry_report_cursor WHERE id = 1) AND ${late} AND NOT ${has("RV")})
          OR (booking.status = 'cancelled' AND booking.cancelled_at <= ${late} AND booking.id IN (${unannulledBookings})))`,
      at: sql`coalesce(unit.delivered_at, booking.cancelled_at, booking.created_at)`,
      resource: sql`booking.id || ':' || coalesce(unit.id, '')`,
      state: sql`booking.status`,
      facts: sql`'what', CASE WHEN booking.status = 'cancelled' THEN 'cancellation' WHEN unit.id IS NULL THEN 'reservation' ELSE 'hand-over' END`,
    },
    {
      kind: "ministry_report_refused",
      from: sql`ministry_reports AS one JOIN bookings AS booking ON booking.id = one.booking_id WHERE one.state = 'refused'
        AND one.error IS NOT ${MANUAL_ANNULMENT_ERROR}`,
      at: sql`one.answered_at`,
      resource: sql`one.id`,
      state: sql`one.answered_at`,
      facts: sql`'error', one.error, 'what', one.kind`,
    },
    {
      kind: "ministry_report_to_annul",
      from: sql`ministry_reports AS one JOIN bookings AS booking ON booking.id = one.booking_id WHERE one.state = 'refused'
        AND one.error = ${MANUAL_ANNULMENT_ERROR}`,
      at: sql`one.answered_at`,
      resource: sql`one.id`,
      state: sql`one.answered_at`,
      facts: sql`'what', one.kind`,
    },
  ];
}

/**
 * Returns the tax records pending at `at`, epoch ms, and those with an error. A later accepted record resolves earlier
 * ones. Errors of our own scheduling need no correction.
 */
export function listTaxRecordSelects(at: number): readonly TaskSelect[] {
  // Starts from the few pending or failed states. The planner would start from all records.
  const pendingCondition = (
    selection: SQL,
  ) => sql`(SELECT ${selection} FROM tax_record_states AS said INDEXED BY tax_record_states_pending CROSS JOIN tax_records AS record ON record.id = said.record_id
    WHERE said.state = 'waiting' AND record.chain = one.chain)`;
  const latestMinistryReports = (
    condition: SQL,
  ) => sql`tax_record_states AS said INDEXED BY tax_record_states_failed CROSS JOIN tax_records AS one ON one.id = said.record_id
    LEFT JOIN documents AS document ON document.id = one.document_id LEFT JOIN bookings AS booking ON booking.id = document.booking_id
    WHERE said.state IN ('refused', 'accepted_with_errors') AND ${condition} AND NOT EXISTS (SELECT 1 FROM tax_records AS later JOIN tax_record_states AS state ON state.record_id = later.id
      WHERE later.document_id = one.document_id AND later.id > one.id AND state.state = 'accepted')`;
  const columns = { at: sql`said.answered_at`, resource: sql`one.id`, state: sql`said.state` };
  const facts = sql`'document', one.document_id, 'number', one.number, 'code', said.code, 'description', said.description`;
  return [
    {
      kind: "tax_records_unsent",
      from: sql`tax_chains AS one ${EMPTY_BOOKING_JOIN_SQL} WHERE ${pendingCondition(sql`min(record.generated_at)`)} < ${at - 5 * MINUTE}
        OR (one.failed_since IS NOT NULL AND ${pendingCondition(sql`count(*)`)} > 0)`,
      at: pendingCondition(sql`min(record.generated_at)`),
      resource: sql`one.issuer`,
      state: sql`coalesce(one.failed_since, 0)`,
      facts: sql`'count', ${pendingCondition(sql`count(*)`)}, 'issuer', one.issuer, 'problem', one.problem`,
    },
    { kind: "tax_record_refused", from: latestMinistryReports(sql`said.state = 'refused'`), ...columns, facts },
    {
      kind: "tax_record_flawed",
      from: latestMinistryReports(sql`said.state = 'accepted_with_errors' AND said.code NOT IN ('2004', '2009')`),
      ...columns,
      facts,
    },
    {
      kind: "tax_chain_broken",
      from: sql`upkeep AS one ${EMPTY_BOOKING_JOIN_SQL} WHERE one.tax_record_faults > 0`,
      at: sql`one.purged_at`,
      resource: sql`'account'`,
      state: sql`one.tax_record_faults`,
      facts: sql`'count', one.tax_record_faults, 'number', one.tax_record_fault ->> 'number', 'fault', one.tax_record_fault ->> 'fault'`,
    },
  ];
}

import { sql } from "drizzle-orm";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { AttentionSummary } from "#domain/operations/attention.ts";
import { findStockAndTransferShortages, type ShortageSources } from "#domain/operations/stock-shortages.ts";
import type { Database } from "#worker/store/database.ts";
import { UNEXPECTED_OUTCOMES_SQL } from "#worker/store/payments/payment-statements.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { selectCurrentStock, selectOverdueRentals } from "./stock-attention.ts";

/** Returns the query for the pending tasks at an instant (epoch ms): counts, and the latest of each kind. */
export function attentionSummaryQuery(db: Database, at: number) {
  return db
    .select({
      attention: sql<string>`json_object(
        'checkInRefused', (SELECT count(*) FROM check_in_operations WHERE state = 'conflict'),
        'checkInHeld', (SELECT count(*) FROM check_in_operations WHERE state = 'held'),
        'checkInToReview', (SELECT count(*) FROM check_in_operations WHERE needs_review = 1),
        'filesMissing', (SELECT count(*) FROM check_in_operation_files WHERE arrived = 0),
        'mailsUnsent', (SELECT count(*) FROM outgoing_mails),
        'documentsNotIntegrated', (SELECT count(*) FROM documents WHERE integration_error IS NOT NULL),
        'bookingsPaidTooLate', (SELECT count(*) FROM bookings WHERE paid_after_expiry = 1),
        'paymentsMismatching', (SELECT count(*) FROM payment_notifications WHERE outcome IN ${UNEXPECTED_OUTCOMES_SQL}),
        'overdue', (SELECT count(*) FROM (${selectOverdueRentals(at)})),
        'lastOverdue', (SELECT json_group_array(json_object('id', id, 'date', date_to, 'time', time_to)) FROM
          (${selectOverdueRentals(at)} ORDER BY date_to, time_to LIMIT 20)),
        'stock', ${selectCurrentStock(at)},
        'lastDocuments', (SELECT json_group_array(json_object('id', id, 'number', number, 'error', integration_error)) FROM
          (SELECT id, number, integration_error FROM documents WHERE integration_error IS NOT NULL ORDER BY last_update DESC LIMIT 20)),
        'lastBookings', (SELECT json_group_array(json_object('id', id, 'status', status, 'paid', total_paid_cents)) FROM
          (SELECT id, status, total_paid_cents FROM bookings WHERE paid_after_expiry = 1 ORDER BY last_update DESC LIMIT 20)),
        'lastPayments', (SELECT json_group_array(json_object('order', order_reference, 'method', method, 'outcome', outcome, 'amount', amount_cents)) FROM
          (SELECT order_reference, method, outcome, amount_cents FROM payment_notifications
            WHERE outcome IN ${UNEXPECTED_OUTCOMES_SQL} ORDER BY id DESC LIMIT 20)),
        'lastMails', (SELECT json_group_array(json_object('subject', subject, 'attempts', attempts, 'error', last_error)) FROM
          (SELECT subject, attempts, last_error FROM outgoing_mails ORDER BY id DESC LIMIT 20)))`.as("attention"),
    })
    .from(catalogueVersion);
}

export function toAttentionSummary(
  rows: readonly { readonly attention: string }[],
  catalogue: Catalogue,
): AttentionSummary {
  const { stock, ...attention } = JSON.parse(rows[0]?.attention ?? "{}") as AttentionSummary & {
    readonly stock: ShortageSources;
  };
  return { ...attention, shortages: findStockAndTransferShortages(stock, catalogue) };
}

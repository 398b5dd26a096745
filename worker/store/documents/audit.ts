import { sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";

const signed = "CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END";

/**
 * Returns the query that finds contracts with unbalanced money by reading all of them. Checks that charges match the
 * paid amount, that no charge is over-allocated, that issued documents match their allocations, and that a retained fee
 * has a document. An imported contract's document may be in its original system.
 */
export function unbalancedContractsQuery(db: Database) {
  return db
    .select({ id: bookings.id })
    .from(bookings)
    .where(sql`bookings.id IN (
      SELECT id FROM bookings AS one WHERE total_paid_cents <> (SELECT coalesce(sum(${sql.raw(signed)}), 0) FROM charges WHERE booking_id = one.id AND virtual = 0)
      UNION SELECT booking_id FROM charges WHERE booking_id IS NOT NULL AND virtual = 0
        AND amount_cents < abs(coalesce((SELECT sum(part.amount_cents) FROM charge_allocations AS part WHERE part.charge_id = charges.id), 0))
      UNION SELECT coalesce(booking_id, (SELECT min(booking_id) FROM document_contracts WHERE document_id = document.id)) FROM documents AS document
        WHERE (booking_id IS NOT NULL OR EXISTS (SELECT 1 FROM document_contracts WHERE document_id = document.id)) AND invoice_status = 'invoice' AND corrects_document_id IS NULL
        AND replaced_by_document_id IS NULL
        AND total_paid_cents <> coalesce((SELECT sum(amount_cents) FROM charge_allocations WHERE document_id = document.id), 0)
          + coalesce((SELECT sum(coalesce((SELECT sum(amount_cents) FROM charge_allocations WHERE document_id = note.id), 0) - note.total_cents + note.agent_commission_prepaid_cents)
            FROM documents AS note WHERE note.corrects_document_id = document.id AND note.invoice_status = 'invoice'), 0)
      UNION SELECT id FROM bookings AS kept WHERE status = 'cancelled' AND created_by <> 'import'
        AND min(total_paid_cents, cancellation_fee_cents - credited_cents) > 0 AND NOT EXISTS (SELECT 1 FROM booking_documents WHERE booking_id = kept.id))`)
    .limit(20);
}

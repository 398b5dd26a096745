import { eq, sql } from "drizzle-orm";
import type { DocumentKind } from "#domain/documents/draft.ts";
import type { Database } from "#worker/store/database.ts";
import { charges, documents } from "#worker/store/schema/documents.ts";

/** Report of an accounting system: the document was booked, or the error. */
export type AccountingOutcome = { readonly kind: "processed" } | { readonly kind: "error"; readonly message: string };

/**
 * Returns the statement that removes the error of the accounting system. The document appears as changed, so the system
 * reads it again.
 */
export function clearAccountingErrorStatement(db: Database, id: number, at: number) {
  return db
    .update(documents)
    .set({ integrationError: null, lastUpdate: at })
    .where(sql`${eq(documents.id, id)} AND integration_error IS NOT NULL`);
}

/**
 * Saves an accounting report for an issued document in one round trip. Returns the updated document, or undefined if
 * unknown. A booked document also marks the charges that it shows. Repeating a report changes nothing, and an error
 * doesn't revert a booking.
 */
export async function saveAccountingOutcome(
  db: Database,
  kind: DocumentKind,
  id: number,
  report: AccountingOutcome,
  at: number,
) {
  const isIssued = sql`id = ${id} AND kind = ${kind} AND invoice_status = 'invoice'`;
  const document =
    report.kind === "processed"
      ? db
          .update(documents)
          .set({ accountingProcessed: true, integrationError: null, lastUpdate: at })
          .where(sql`${isIssued} AND (accounting_processed = 0 OR integration_error IS NOT NULL)`)
      : db
          .update(documents)
          .set({ integrationError: report.message, lastUpdate: at })
          .where(sql`${isIssued} AND integration_error IS NOT ${report.message}`);
  const [, , rows] = await db.batch([
    document,
    db
      .update(charges)
      .set({ chargeAccountingProcessed: true, lastUpdate: at })
      .where(
        sql`document_id = ${id} AND charge_accounting_processed = 0
          AND EXISTS (SELECT 1 FROM documents WHERE ${isIssued} AND accounting_processed = 1)`,
      ),
    db
      .select({ status: documents.invoiceStatus, accountingProcessed: documents.accountingProcessed })
      .from(documents)
      .where(sql`${eq(documents.id, id)} AND ${eq(documents.kind, kind)}`),
  ]);
  return rows[0];
}

import { eq, sql } from "drizzle-orm";
import type { DocumentKind } from "#domain/documents/draft.ts";
import type { Database } from "#worker/store/database.ts";
import { charges, documents } from "#worker/store/schema/documents.ts";

/** What an accounting system says of a document: it was booked, or why it could not be. */
export type AccountingReport = { readonly kind: "processed" } | { readonly kind: "error"; readonly message: string };

/**
 * Keeps what the accounting says of a firm document, in one round trip; answers the document as it then is, undefined
 * where there is none. A booked document takes the charges along that are shown in it. Saying the same again changes
 * nothing, and an error leaves what was booked.
 */
export async function saveAccountingReport(
  db: Database,
  kind: DocumentKind,
  id: number,
  report: AccountingReport,
  at: number,
) {
  const isFirm = sql`id = ${id} AND kind = ${kind} AND invoice_status = 'invoice'`;
  const document =
    report.kind === "processed"
      ? db
          .update(documents)
          .set({ accountingProcessed: true, integrationError: null, lastUpdate: at })
          .where(sql`${isFirm} AND (accounting_processed = 0 OR integration_error IS NOT NULL)`)
      : db
          .update(documents)
          .set({ integrationError: report.message, lastUpdate: at })
          .where(sql`${isFirm} AND integration_error IS NOT ${report.message}`);
  const [, , rows] = await db.batch([
    document,
    db
      .update(charges)
      .set({ chargeAccountingProcessed: true, lastUpdate: at })
      .where(
        sql`document_id = ${id} AND charge_accounting_processed = 0
          AND EXISTS (SELECT 1 FROM documents WHERE ${isFirm} AND accounting_processed = 1)`,
      ),
    db
      .select({ status: documents.invoiceStatus, accountingProcessed: documents.accountingProcessed })
      .from(documents)
      .where(sql`${eq(documents.id, id)} AND ${eq(documents.kind, kind)}`),
  ]);
  return rows[0];
}

import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";

/**
 * Returns the query that counts the records that a merge moves from a customer to another one, and its issued
 * documents, which stay.
 */
export function customerMergePreviewQuery(db: Database, id: number) {
  // Also counts records of customers who were merged into this one before.
  const both = sql`customer_id IN (SELECT customers.id FROM customers WHERE customers.id = ${id} OR customers.merged_into_id = ${id})`;
  const own = sql`customer_id = ${id}`;
  const count = (table: string, where: SQL, name: string) =>
    sql<number>`(SELECT count(*) FROM ${sql.raw(table)} WHERE ${where})`.as(name);
  return db
    .select({
      reservations: count("bookings", own, "moved_bookings"),
      paidReservations: count("booking_billing", own, "moved_billing"),
      draftDocuments: count("documents", sql`${own} AND invoice_status = 'draft'`, "moved_drafts"),
      issuedDocuments: count("documents", sql`${own} AND invoice_status <> 'draft'`, "issued_documents"),
      quotes: count("quotes", own, "moved_quotes"),
      notes: count("notes", both, "moved_notes"),
      tasks: count("office_tasks", both, "moved_tasks"),
      files: count("customer_files", both, "moved_files"),
      users: count("users", sql`${own} AND active = 1`, "moved_users"),
    })
    .from(catalogueVersion);
}
export type CustomerMergePreview = Awaited<ReturnType<typeof customerMergePreviewQuery>>[number];

import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { documents, paidVersionGuards } from "#worker/store/schema/documents.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** Contract of an open document, and the amount that the contract still owes. */
export interface OwingContract {
  readonly bookingId: number;
  readonly version: number;
  readonly pendingCents: number;
}

// Amount due of a contract's part of a document: less its credit notes and the money already allocated.
const getPartPending = (total: SQL, bookingId: SQL) => sql`max(0, ${total}
  + (SELECT coalesce(sum(noted.total_cents - noted.agent_commission_prepaid_cents), 0) FROM booking_documents AS noted
    JOIN documents AS note ON note.id = noted.document_id
    WHERE note.corrects_document_id = documents.id AND note.invoice_status = 'invoice' AND noted.booking_id = ${bookingId})
  - (SELECT coalesce(sum(one.amount_cents), 0) FROM charge_allocations AS one JOIN charges ON charges.id = one.charge_id
    WHERE one.document_id = documents.id AND charges.booking_id = ${bookingId}))`;

const CONTRACTS = sql`(SELECT json_group_array(json_object('bookingId', part.booking_id, 'version', booking.version,
  'pendingCents', ${getPartPending(sql`part.total_cents - part.agent_commission_prepaid_cents`, sql`part.booking_id`)}) ORDER BY part.booking_id)
  FROM booking_documents AS part JOIN bookings AS booking ON booking.id = part.booking_id WHERE part.document_id = documents.id)`;

/** Returns the query for a document with its unpaid amount, in total and by contract. */
export function openDocumentQuery(db: Database, id: number) {
  return db
    .select({
      id: documents.id,
      kind: documents.kind,
      type: documents.invoiceType,
      status: documents.invoiceStatus,
      branchCode: documents.branchCode,
      salesChannelCode: documents.salesChannelCode,
      replacedBy: documents.replacedByDocumentId,
      totalPaidCents: documents.totalPaidCents,
      pendingCents:
        sql<number>`documents.total_cents - documents.total_paid_cents - documents.agent_commission_prepaid_cents`.as(
          "pending_cents",
        ),
      contracts: CONTRACTS.mapWith(parseStoredJson<readonly OwingContract[]>).as("contracts"),
    })
    .from(documents)
    .where(sql`documents.id = ${id}`);
}

/**
 * Returns the first statement of a batch based on a document's paid amount. If that has changed, the database refuses
 * the full batch as a version conflict.
 */
export function expectPaidAmountStatement(
  db: Database,
  { id, totalPaidCents }: { readonly id: number; readonly totalPaidCents: number },
) {
  return db.insert(paidVersionGuards).values({ documentId: id, totalPaidCents });
}

/** Filters for the statement of a customer's documents. */
export interface CustomerStatementSearch {
  readonly customerId: number;
  readonly userId: number;
  readonly dateFrom: string | undefined;
  readonly dateTo: string | undefined;
}

/** Maximum number of documents in a customer's statement. */
export const MAX_STATEMENT_ROWS = 1000;

/**
 * Returns the query for a customer's issued documents in the user's branches, oldest first. Reads one more than the
 * limit.
 */
export function customerStatementQuery(
  db: Database,
  { customerId, userId, dateFrom, dateTo }: CustomerStatementSearch,
) {
  return db
    .select({
      id: documents.id,
      date: documents.date,
      dueDate: documents.dueDate,
      serie: documents.serie,
      number: documents.number,
      concept: documents.concept,
      type: documents.invoiceType,
      totalCents: documents.totalCents,
      paidCents: sql<number>`documents.total_paid_cents + documents.agent_commission_prepaid_cents`.as("paid_cents"),
    })
    .from(documents)
    .where(
      sql`documents.customer_id IN (SELECT id FROM customers WHERE id = ${customerId} OR merged_into_id = ${customerId})
        AND documents.kind = 'invoice' AND documents.invoice_status = 'invoice' AND documents.replaced_by_document_id IS NULL
        AND documents.date BETWEEN ${dateFrom ?? "0000"} AND ${dateTo ?? "9999-12-31"}
        AND ${isInUserBranchesSql(userId, sql`+documents.branch_code`)}`,
    )
    .orderBy(sql`documents.date, documents.id`)
    .limit(MAX_STATEMENT_ROWS + 1);
}

export type CustomerStatementRow = Awaited<ReturnType<typeof customerStatementQuery>>[number];

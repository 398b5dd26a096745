import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { charge, document } from "#worker/store/reporting/document-lists.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { charges, documents } from "#worker/store/schema/documents.ts";

/** Which papers or charges the office looks for; what is absent narrows nothing. */
export interface PaperSearch {
  readonly text: string | undefined;
  readonly bookingId: number | undefined;
  readonly branchCode: string | undefined;
  /** Of whose branches. */
  readonly userId: number;
  /** The id of the last one before the page. */
  readonly after: number | undefined;
  readonly pageSize: number;
}

export interface DocumentSearch extends PaperSearch {
  readonly form: string | undefined;
  readonly status: "draft" | "invoice" | undefined;
  readonly isPaid: boolean | undefined;
  readonly dateFrom: string | undefined;
  readonly dateTo: string | undefined;
}

export interface ChargeSearch extends PaperSearch {
  readonly method: string | undefined;
  readonly virtual: boolean | undefined;
  /** Epoch ms, the last one not included. */
  readonly from: number | undefined;
  readonly until: number | undefined;
}

const when = <T>(value: T | undefined, condition: (value: T) => SQL): SQL[] =>
  value === undefined ? [] : [condition(value)];

function isOfUser(table: "documents" | "charges", { userId }: PaperSearch): SQL {
  const own = sql`(SELECT branch_code FROM user_branches WHERE user_id = ${userId})`;
  return sql`((SELECT all_branches FROM users WHERE id = ${userId}) = 1 OR ${sql.raw(table)}.branch_code IN ${own})`;
}

const inText = (column: string, text: string) =>
  sql`instr(lower(coalesce(${sql.raw(column)}, '')), ${text.toLowerCase()}) > 0`;

const PENDING = sql`documents.invoice_status = 'invoice' AND documents.total_cents > 0
  AND documents.total_paid_cents + documents.agent_commission_prepaid_cents < documents.total_cents`;

/** A page of documents, the latest made first, and how many there are. */
export function documentListQueries(db: Database, search: DocumentSearch) {
  const where = sql.join(
    [
      isOfUser("documents", search),
      ...when(
        search.text,
        (
          text,
        ) => sql`(${inText("documents.serie || '/' || documents.number", text)} OR ${inText("documents.customer_full_name", text)}
          OR ${inText("documents.customer_document_id", text)} OR ${inText("documents.concept", text)}
          OR CAST(documents.booking_id AS TEXT) = ${text})`,
      ),
      ...when(search.bookingId, (id) => sql`documents.booking_id = ${id}`),
      ...when(search.branchCode, (code) => sql`documents.branch_code = ${code}`),
      ...when(search.form, (form) => sql`documents.form = ${form}`),
      ...when(search.status, (status) => sql`documents.invoice_status = ${status}`),
      ...when(search.isPaid, (isPaid) =>
        isPaid ? sql`documents.invoice_status = 'invoice' AND NOT (${PENDING})` : PENDING,
      ),
      ...when(search.dateFrom, (date) => sql`documents.date >= ${date}`),
      ...when(search.dateTo, (date) => sql`documents.date <= ${date}`),
    ],
    sql` AND `,
  );
  return [
    db
      .select(document)
      .from(documents)
      .where(sql`${where} AND ${search.after === undefined ? sql`true` : sql`documents.id < ${search.after}`}`)
      .orderBy(sql`documents.id DESC`)
      .limit(search.pageSize + 1),
    db
      .select({ total: sql<number>`count(*)`.as("total") })
      .from(documents)
      .where(where),
  ] as const;
}

/** A page of charges, the latest entered first, and how many there are. */
export function chargeListQueries(db: Database, search: ChargeSearch) {
  const where = sql.join(
    [
      isOfUser("charges", search),
      ...when(
        search.text,
        (
          text,
        ) => sql`(${inText("charges.external_operation_number", text)} OR CAST(charges.booking_id AS TEXT) = ${text}
          OR EXISTS (SELECT 1 FROM bookings AS payer WHERE payer.id = charges.booking_id
            AND (${inText("payer.customer_name || ' ' || payer.customer_surname", text)} OR ${inText("payer.customer_document_id", text)})))`,
      ),
      ...when(search.bookingId, (id) => sql`charges.booking_id = ${id}`),
      ...when(search.branchCode, (code) => sql`charges.branch_code = ${code}`),
      ...when(search.method, (method) => sql`charges.payment_method_id = ${method}`),
      ...when(search.virtual, (virtual) => sql`charges.virtual = ${virtual ? 1 : 0}`),
      ...when(search.from, (at) => sql`charges.date >= ${at}`),
      ...when(search.until, (at) => sql`charges.date < ${at}`),
    ],
    sql` AND `,
  );
  return [
    db
      .select(charge)
      .from(charges)
      .leftJoin(documents, eq(documents.id, charges.documentId))
      .leftJoin(bookings, eq(bookings.id, charges.bookingId))
      .where(sql`${where} AND ${search.after === undefined ? sql`true` : sql`charges.id < ${search.after}`}`)
      .orderBy(sql`charges.id DESC`)
      .limit(search.pageSize + 1),
    db
      .select({ total: sql<number>`count(*)`.as("total") })
      .from(charges)
      .where(where),
  ] as const;
}

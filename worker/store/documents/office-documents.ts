import { eq, type SQL, sql } from "drizzle-orm";
import type { SortedPageRequest, SortField } from "#domain/reporting/list-sort.ts";
import type { Database } from "#worker/store/database.ts";
import { chargeColumns, documentColumns } from "#worker/store/reporting/document-lists.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { charges, documents } from "#worker/store/schema/documents.ts";
import {
  isOnSearchPageSql,
  type ListTextSearch,
  listTotalQuery,
  parseIdNumber,
  searchTotalQuery,
  selectIdsByText,
  selectMaintainedTotal,
} from "#worker/store/search.ts";
import { createSortedPageSql, type SortFieldSql } from "#worker/store/sorted-page.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** Filters for documents or charges. Absent filters don't apply. */
export interface DocumentOrChargeSearch {
  readonly text: string | undefined;
  readonly bookingId: number | undefined;
  /** Ids of the documents or charges to list. Absent for all. */
  readonly ids?: readonly number[] | undefined;
  readonly branchCode: string | undefined;
  /** User with access to the branches. */
  readonly userId: number;
  /** Last id of the previous page. */
  readonly after: number | undefined;
  readonly pageSize: number;
}

export interface DocumentSearch extends DocumentOrChargeSearch {
  readonly customerId: number | undefined;
  readonly form: string | undefined;
  readonly status: "draft" | "invoice" | undefined;
  readonly isPaid: boolean | undefined;
  readonly dateFrom: string | undefined;
  readonly dateTo: string | undefined;
  readonly sorted?: SortedPageRequest<SortField<"documents">> | undefined;
}

export interface ChargeSearch extends DocumentOrChargeSearch {
  readonly method: string | undefined;
  readonly virtual: boolean | undefined;
  /** Period of the charges in epoch ms, end excluded. */
  readonly from: number | undefined;
  readonly until: number | undefined;
  readonly sorted?: SortedPageRequest<SortField<"charges">> | undefined;
}

const DOCUMENT_COLUMNS: SortFieldSql<SortField<"documents">> = {
  id: sql`documents.id`,
  date: sql`documents.date`,
  number: sql`(coalesce(documents.serie, '') || '/' || printf('%012d', coalesce(documents.number, 0)))`,
  customer_fullname: sql`lower(coalesce(documents.customer_full_name, ''))`,
  total: sql`documents.total_cents`,
  total_pending: sql`(documents.total_cents - documents.total_paid_cents - documents.agent_commission_prepaid_cents)`,
  rental_location_code: sql`documents.branch_code`,
};

const CHARGE_COLUMNS: SortFieldSql<SortField<"charges">> = {
  id: sql`charges.id`,
  date: sql`charges.date`,
  amount: sql`charges.amount_cents`,
  payment_method_id: sql`charges.payment_method_id`,
  rental_location_code: sql`charges.branch_code`,
};

const when = <T>(value: T | undefined, condition: (value: T) => SQL): SQL[] =>
  value === undefined ? [] : [condition(value)];

/** Returns a subquery, without parentheses, that selects the text as contract number, or null if it isn't a number. */
const selectBookingId = (text: string) => sql`SELECT ${parseIdNumber(text) ?? null}`;

const PENDING = sql`documents.invoice_status = 'invoice' AND documents.total_cents > 0
  AND documents.total_cents > documents.total_paid_cents + documents.agent_commission_prepaid_cents`;

/**
 * Displayed form of a document. Documents of another system have no form, and a full one contains the customer's
 * complete data.
 */
export const DISPLAYED_DOCUMENT_FORM_SQL = sql<
  NonNullable<(typeof documents.$inferSelect)["form"]>
>`coalesce(documents.form,
  CASE WHEN documents.invoice_type = 'payment' THEN 'credit_note' WHEN documents.kind = 'internal_bond' THEN 'internal_bond'
    WHEN documents.customer_document_id <> '' AND documents.customer_address_street <> '' AND documents.customer_address_city <> '' THEN 'full'
    ELSE 'simplified' END)`;

// Selective filters use their index and return ids, because the lists are sorted by id.
function issued({ dateFrom, dateTo }: DocumentSearch): SQL[] {
  if (dateFrom === undefined && dateTo === undefined) return [];
  return [
    sql`documents.id IN (SELECT id FROM documents INDEXED BY documents_by_date WHERE date BETWEEN ${dateFrom ?? "0000"} AND ${dateTo ?? "9999-12-31"})`,
  ];
}

function charged({ from, until }: ChargeSearch): SQL[] {
  if (from === undefined && until === undefined) return [];
  return [
    sql`charges.id IN (SELECT id FROM charges INDEXED BY charges_by_day WHERE branch_code IN (SELECT code FROM branches)
      AND date >= ${from ?? 0} AND date < ${until ?? Number.MAX_SAFE_INTEGER})`,
  ];
}

function narrowedDocuments(search: DocumentSearch): SQL[] {
  return [
    ...when(
      search.bookingId,
      (id) => sql`documents.id IN (SELECT document_id FROM booking_documents WHERE booking_id = ${id})`,
    ),
    // A document paid by another customer belongs to both the payer and the contract's customer.
    ...when(
      search.customerId,
      (id) =>
        sql`documents.id IN (SELECT id FROM documents WHERE customer_id = ${id}
          UNION SELECT id FROM documents WHERE booking_id IN (SELECT id FROM bookings WHERE customer_id = ${id}))`,
    ),
    ...when(search.ids, (ids) => sql`documents.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
    ...when(search.branchCode, (code) => sql`+documents.branch_code = ${code}`),
    ...when(search.form, (form) => sql`${DISPLAYED_DOCUMENT_FORM_SQL} = ${form}`),
    ...when(search.status, (status) => sql`documents.invoice_status = ${status}`),
    ...when(search.isPaid, (isPaid) =>
      isPaid
        ? sql`documents.invoice_status = 'invoice' AND NOT (${PENDING})`
        : sql`documents.id IN (SELECT documents.id FROM documents INDEXED BY documents_unpaid WHERE ${PENDING})`,
    ),
    ...issued(search),
  ];
}

function narrowedCharges(search: ChargeSearch): SQL[] {
  return [
    ...when(search.bookingId, (id) => sql`charges.booking_id = ${id}`),
    ...when(search.ids, (ids) => sql`charges.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
    ...when(search.branchCode, (code) => sql`+charges.branch_code = ${code}`),
    ...when(search.method, (method) => sql`charges.payment_method_id = ${method}`),
    ...when(search.virtual, (virtual) => sql`charges.virtual = ${virtual ? 1 : 0}`),
    ...charged(search),
  ];
}

/** Returns the condition for matching documents, and their number. */
export function documentConditionAndTotal(db: Database, search: DocumentSearch) {
  return getPageQueries(db, search, {
    list: "documents",
    narrowed: narrowedDocuments(search),
    others: (text) => [
      sql`SELECT document_id AS id FROM booking_documents WHERE booking_id IN (${selectBookingId(text)})`,
    ],
    everything: selectMaintainedTotal("invoice", "internal_bond"),
    sorted:
      search.sorted && createSortedPageSql({ table: "documents", key: "id", columns: DOCUMENT_COLUMNS }, search.sorted),
  });
}

/** Returns the queries for a page of documents, newest first, and their number. */
export function documentListQueries(db: Database, search: DocumentSearch) {
  const { condition, total, order } = documentConditionAndTotal(db, search);
  return [
    db
      .select(documentColumns)
      .from(documents)
      .where(condition)
      .orderBy(...order)
      .limit(search.pageSize + 1),
    total,
  ] as const;
}

/** Returns the condition for matching charges, and their number. */
export function chargeConditionAndTotal(db: Database, search: ChargeSearch) {
  return getPageQueries(db, search, {
    list: "charges",
    narrowed: narrowedCharges(search),
    others: (text) => [sql`SELECT id FROM charges WHERE booking_id IN (${selectBookingId(text)})`],
    everything: selectMaintainedTotal("charges"),
    sorted:
      search.sorted && createSortedPageSql({ table: "charges", key: "id", columns: CHARGE_COLUMNS }, search.sorted),
  });
}

/** Returns the queries for a page of charges, last recorded first, and their number. */
export function chargeListQueries(db: Database, search: ChargeSearch) {
  const { condition, total, order } = chargeConditionAndTotal(db, search);
  return [
    db
      .select(chargeColumns)
      .from(charges)
      .leftJoin(documents, eq(documents.id, charges.documentId))
      .leftJoin(bookings, eq(bookings.id, charges.bookingId))
      .where(condition)
      .orderBy(...order)
      .limit(search.pageSize + 1),
    total,
  ] as const;
}

interface DocumentListQuery {
  readonly list: "documents" | "charges";
  readonly narrowed: readonly SQL[];
  /** Further subqueries for matches of a text. */
  readonly others: (text: string) => readonly SQL[];
  /** SQL for the maintained total of all branches. */
  readonly everything: SQL;
  readonly sorted: ReturnType<typeof createSortedPageSql> | undefined;
}

// Returns the condition, total and order of a list's page. A text search reads the index of texts. Otherwise the list
// itself is read.
function getPageQueries(
  db: Database,
  search: DocumentOrChargeSearch,
  { list, narrowed, others, everything, sorted }: DocumentListQuery,
) {
  const { text, userId, pageSize, after } = search;
  const where = sql.join([isInUserBranchesSql(userId, sql.raw(`+${list}.branch_code`)), ...narrowed], sql` AND `);
  const isAll = narrowed.length === 0;
  if (sorted !== undefined) {
    const ids = text === undefined ? [] : [sql.join([selectIdsByText(list, text), ...others(text)], sql` UNION ALL `)];
    const matches = ids.map((query) => sql`${sql.raw(list)}.id IN (SELECT id FROM (${query}))`);
    const all = sql.join([where, ...matches], sql` AND `);
    const total = listTotalQuery(db, { table: list, where: all, pageSize, maintainedTotal: undefined });
    return { condition: sql`${all} AND ${sorted.condition}`, total, order: sorted.order };
  }
  const order = [sql.raw(`${list}.id DESC`)];
  if (text !== undefined) {
    const searched: ListTextSearch = {
      ...{ list, text, where, others: others(text), pageSize },
      unlessEverywhere: isAll ? userId : undefined,
    };
    return { condition: isOnSearchPageSql(searched, after), total: searchTotalQuery(db, searched), order };
  }
  const maintainedTotal = isAll ? { total: everything, userId } : undefined;
  return {
    condition: after === undefined ? where : sql`${where} AND ${sql.raw(`${list}.id`)} < ${after}`,
    total: listTotalQuery(db, { table: list, where, pageSize, maintainedTotal }),
    order,
  };
}

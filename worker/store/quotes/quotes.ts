import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { StorableDraft } from "#domain/bookings/draft.ts";
import type { ReservationRequest } from "#domain/contracts/requests.ts";
import type { QuoteStatus } from "#domain/quotes/quotes.ts";
import type { SortedPageRequest, SortField } from "#domain/reporting/list-sort.ts";
import { listSearchTextVariants } from "#domain/search-text.ts";
import { selectStaffName } from "#worker/store/access/staff-name.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { quoteHistory, quotes } from "#worker/store/schema/quotes.ts";
import { getTotalCountLimit } from "#worker/store/search.ts";
import { createSortedPageSql, type SortFieldSql } from "#worker/store/sorted-page.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** Identifies a quote by its id, or by the unguessable id of its link. */
export type QuoteIdentifier = { readonly id: number } | { readonly freeAccessId: string };

const isNamed = (name: QuoteIdentifier): SQL =>
  "id" in name ? sql`quotes.id = ${name.id}` : sql`quotes.free_access_id = ${name.freeAccessId}`;

const selectQuotes = (db: Database) =>
  db
    .select({
      ...getTableColumns(quotes),
      createdByName: selectStaffName(sql`quotes.created_by`).as("created_by_name"),
      discountByName: selectStaffName(sql`(quotes.offer ->> '$.discount.by')`).as("discount_by_name"),
    })
    .from(quotes);

/** Returns the queries for one quote and its history. */
export function quoteQueries(db: Database, identifier: QuoteIdentifier) {
  return [
    selectQuotes(db).where(isNamed(identifier)),
    db
      .select({
        ...getTableColumns(quoteHistory),
        staffName: selectStaffName(sql`quote_history.actor`).as("staff_name"),
      })
      .from(quoteHistory)
      .where(sql`quote_history.quote_id = (SELECT id FROM quotes WHERE ${isNamed(identifier)})`)
      .orderBy(quoteHistory.id),
  ] as const;
}

/** Customer and agent that a quote's request names. */
export const selectQuoteRequestPeople = (id: number) => ({
  customerId: sql`(SELECT request ->> '$.customer.id' FROM quotes WHERE id = ${id})`,
  documentId: sql`(SELECT customer_document_id FROM quotes WHERE id = ${id})`,
  email: sql`(SELECT customer_email FROM quotes WHERE id = ${id})`,
  agentId: sql`(SELECT request ->> '$.agentId' FROM quotes WHERE id = ${id})`,
});

type SelectedQuote = Awaited<ReturnType<typeof quoteQueries>[0]>[number];
export type QuoteHistoryRow = Awaited<ReturnType<typeof quoteQueries>[1]>[number];

/** Stored quote with its request and prices. */
export interface QuoteRow extends Omit<SelectedQuote, "request" | "offer"> {
  readonly request: ReservationRequest;
  readonly offer: QuotedPrices;
}

/** Prices as quoted, and the manual price difference. */
export type QuotedPrices = StorableDraft & { readonly differenceCents: number };

/** Parses a stored quote. */
export function fromQuoteRow(row: SelectedQuote): QuoteRow {
  return {
    ...row,
    request: JSON.parse(row.request) as ReservationRequest,
    offer: JSON.parse(row.offer) as QuotedPrices,
  };
}

/** Filters for quotes. Absent filters don't apply. */
export interface QuoteSearch {
  readonly status: QuoteStatus | undefined;
  /** Any part of the number, name, mail, phone or document. */
  readonly text: string | undefined;
  readonly customerId: number | undefined;
  readonly after: number | undefined;
  readonly sorted?: SortedPageRequest<SortField<"quotes">> | undefined;
  readonly pageSize: number;
  readonly userId: number;
  /** Current time in epoch ms, which decides whether a quote has expired. */
  readonly at: number;
}

const SORTED: SortFieldSql<SortField<"quotes">> = {
  id: sql`quotes.id`,
  number: sql`(quotes.year * 1000000 + quotes.sequence)`,
  status: sql`quotes.status`,
  valid_until: sql`quotes.valid_until`,
  customer: sql`lower(trim(quotes.customer_name || ' ' || quotes.customer_surname))`,
  total_cost: sql`quotes.total_cents`,
};

/** Returns the queries for a page of quotes, newest first, and the number of matches up to the count limit. */
export function quoteListQueries(db: Database, search: QuoteSearch) {
  const { status, text, customerId, after, pageSize, userId, at } = search;
  const conditions = sql.join(
    [
      isInUserBranchesSql(userId, sql`quotes.branch_code`, sql`quotes.return_branch_code`),
      ...(status === undefined ? [] : [hasStatus(status, at)]),
      ...(text === undefined ? [] : [matchesText(text)]),
      ...(customerId === undefined ? [] : [sql`quotes.customer_id = ${customerId}`]),
    ],
    sql` AND `,
  );
  const limit = getTotalCountLimit(pageSize) + 1;
  const sorted = search.sorted && createSortedPageSql({ table: "quotes", key: "id", columns: SORTED }, search.sorted);
  const isBehind = sorted?.condition ?? (after === undefined ? sql`true` : sql`quotes.id < ${after}`);
  return [
    selectQuotes(db)
      .where(sql`${conditions} AND ${isBehind}`)
      .orderBy(...(sorted?.order ?? [sql`quotes.id DESC`]))
      .limit(pageSize + 1),
    db
      .select({ total: sql<number>`count(*)`.as("total") })
      .from(sql`(SELECT 1 FROM quotes WHERE ${conditions} LIMIT ${limit})`),
  ] as const;
}

function hasStatus(status: QuoteStatus, at: number): SQL {
  if (status === "accepted" || status === "declined") return sql`quotes.status = ${status}`;
  const expiry = sql`min(quotes.valid_until, quotes.pickup_at)`;
  if (status === "expired") return sql`quotes.status IN ('draft', 'sent') AND ${expiry} <= ${at}`;
  return sql`quotes.status = ${status} AND ${expiry} > ${at}`;
}

// Numbers are searched as shown, `Q2026-0042`.
function matchesText(text: string): SQL {
  const number = sql`'q' || quotes.year || '-' || printf('%04d', quotes.sequence)`;
  const forms = listSearchTextVariants(text).map(
    (form) => sql`instr(${number} || char(10) || quotes.search_text, ${form}) > 0`,
  );
  return sql`(${sql.join([...forms], sql` OR `)})`;
}

/** Content of a new quote. */
export type NewQuote = Omit<typeof quotes.$inferInsert, "id" | "sequence" | "searchText" | "request" | "offer"> & {
  readonly request: ReservationRequest;
  readonly offer: QuotedPrices;
};

type QuoteCustomer = Pick<
  typeof quotes.$inferInsert,
  "customerName" | "customerSurname" | "customerEmail" | "customerPhone" | "customerDocumentId"
>;

/** Returns the searched text of a quote, folded because SQLite folds English letters only. */
export function toQuoteSearchText(quote: QuoteCustomer): string {
  const parts = [
    `${quote.customerName} ${quote.customerSurname ?? ""}`,
    quote.customerEmail,
    quote.customerPhone,
    quote.customerDocumentId,
  ];
  return parts.flatMap((part) => (part ? listSearchTextVariants(part) : [])).join("\n");
}

/** Returns the statement that writes a new quote with the next number of its year. */
export function insertQuoteStatement(db: Database, quote: NewQuote): Query {
  const sequence = sql`(SELECT coalesce(max(sequence), 0) + 1 FROM quotes WHERE year = ${quote.year})`;
  return db.insert(quotes).select(
    selectRowToInsert(quotes, {
      ...quote,
      sequence,
      searchText: toQuoteSearchText(quote),
      request: JSON.stringify(quote.request),
      offer: JSON.stringify(quote.offer),
    }),
  );
}

type QuoteColumns = Partial<Omit<typeof quotes.$inferInsert, "id" | "version" | "request" | "offer">>;

/**
 * Returns the statement that changes a quote that was read with this version. The batch is refused if it has changed
 * (`isBookingVersionConflict`).
 */
export function updateQuoteColumnsStatement(
  db: Database,
  { id, version }: Pick<QuoteRow, "id" | "version">,
  columns: QuoteColumns & { readonly lastUpdate: number },
): Query {
  return db
    .update(quotes)
    .set({ ...columns, version: version + 1 })
    .where(sql`quotes.id = ${id}`);
}

/** Returns the statement that changes the content of a quote. */
export function changeQuoteContentStatement(
  db: Database,
  quote: Pick<QuoteRow, "id" | "version">,
  { offer, request, ...columns }: Omit<NewQuote, "freeAccessId" | "year" | "createdBy" | "createdAt">,
): Query {
  return db
    .update(quotes)
    .set({
      ...columns,
      searchText: toQuoteSearchText(columns),
      request: JSON.stringify(request),
      offer: JSON.stringify(offer),
      version: quote.version + 1,
    })
    .where(sql`quotes.id = ${quote.id}`);
}

/**
 * Returns the statement that marks a quote as accepted by the reservation that the batch creates with the quote's own
 * link.
 */
export function acceptQuoteStatement(
  db: Database,
  { id, version, freeAccessId }: Pick<QuoteRow, "id" | "version" | "freeAccessId">,
  at: number,
): Query {
  return db
    .update(quotes)
    .set({
      status: "accepted",
      bookingId: sql`(SELECT id FROM bookings WHERE free_access_id = ${freeAccessId})`,
      decidedAt: at,
      soldOutAt: null,
      lastUpdate: at,
      version: version + 1,
    })
    .where(sql`quotes.id = ${id}`);
}

/** Returns the statement that adds an entry to a quote's history. */
export function addQuoteHistoryStatement(
  db: Database,
  freeAccessId: string,
  entry: Pick<typeof quoteHistory.$inferInsert, "at" | "actor" | "event"> & { readonly detail?: object },
): Query {
  return db.insert(quoteHistory).select(
    selectRowToInsert(quoteHistory, {
      quoteId: sql`(SELECT id FROM quotes WHERE free_access_id = ${freeAccessId})`,
      at: entry.at,
      actor: entry.actor,
      event: entry.event,
      detail: JSON.stringify(entry.detail ?? {}),
    }),
  );
}

import { desc, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import { mergeConsent } from "#domain/access/consent.ts";
import type { MergeableCustomerField } from "#domain/access/merged-customer.ts";
import type { SortedPageRequest, SortField } from "#domain/reporting/list-sort.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowsToInsert, selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookingBilling, bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import { documents } from "#worker/store/schema/documents.ts";
import { customerHistory, customers, customerVersionGuards, users } from "#worker/store/schema/people.ts";
import { quotes } from "#worker/store/schema/quotes.ts";
import {
  emptyCountQuery,
  isFirstPageTotalExact,
  isOnSearchPageSql,
  listTotalQuery,
  searchTotalQuery,
  selectIdsByNumber,
  selectIdsByText,
  selectMaintainedTotal,
} from "#worker/store/search.ts";
import { createSortedPageSql, type SortFieldSql } from "#worker/store/sorted-page.ts";
import { isCustomerSharedWithOtherBranchesSql, isCustomerVisibleToUserSql } from "./customer-visibility.ts";
import { selectMatchingCustomerId } from "./matching-customers.ts";

export type CustomerRow = typeof customers.$inferSelect;
/** Customer fields to change. Absent fields stay unchanged. */
export type CustomerChange = Partial<
  Omit<CustomerRow, "id" | "fullName" | "version" | "mergedIntoId" | "createdAt" | "lastUpdate">
>;

/** Filters for customers. Absent filters don't apply. */
export interface CustomerSearch {
  /** Any part of the name, document, mail or phone. */
  readonly text: string | undefined;
  readonly customerType: CustomerRow["customerType"] | undefined;
  readonly branchCode: string | undefined;
  /** Ids of the customers to list. Absent for all. */
  readonly ids?: readonly number[] | undefined;
  /** User with access to the branches. */
  readonly userId: number;
  readonly after: number | undefined;
  readonly sorted?: SortedPageRequest<SortField<"customers">> | undefined;
  readonly pageSize: number;
}

const SORTED: SortFieldSql<SortField<"customers">> = {
  id: sql`customers.id`,
  full_name: sql`lower(customers.full_name)`,
  email: sql`lower(coalesce(customers.email, ''))`,
  document_id: sql`coalesce(customers.document_id, '')`,
  customer_type: sql`customers.customer_type`,
  rental_location_code: sql`coalesce(customers.branch_code, '')`,
};

// Returns the queries of a list that isn't in default order. Such a list reads all matches for each page.
function sortedListQueries(
  db: Database,
  { text, pageSize, sorted }: CustomerSearch & { readonly sorted: NonNullable<CustomerSearch["sorted"]> },
  where: SQL,
) {
  const { condition, order } = createSortedPageSql({ table: "customers", key: "id", columns: SORTED }, sorted);
  const matches =
    text === undefined ? [] : [selectIdsByText("customers", text), ...selectIdsByNumber("customers", text)];
  const ids = sql`SELECT id FROM (${sql.join(matches, sql` UNION ALL `)})`;
  const all = text === undefined ? where : sql`${where} AND customers.id IN (${ids})`;
  return [
    db
      .select()
      .from(customers)
      .where(sql`${all} AND ${condition}`)
      .orderBy(...order)
      .limit(pageSize + 1),
    listTotalQuery(db, { table: "customers", where: all, pageSize, maintainedTotal: undefined }),
  ] as const;
}

// Number of customers, for the list. The maintained total also counts merged customers.
const STORED_CUSTOMER_COUNT = sql`${selectMaintainedTotal("customers")} - (SELECT count(*) FROM customers WHERE merged_into_id IS NOT NULL)`;

/** Returns the queries for a page of customers, newest first, and their number. Excludes merged customers. */
export function customerListQueries(db: Database, search: CustomerSearch) {
  const { text, customerType, branchCode, ids, after, pageSize } = search;
  const isUnfiltered = customerType === undefined && branchCode === undefined && ids === undefined;
  const where = sql.join(
    [
      sql`customers.merged_into_id IS NULL`,
      isCustomerVisibleToUserSql(search.userId),
      ...(customerType === undefined ? [] : [sql`customers.customer_type = ${customerType}`]),
      ...(branchCode === undefined ? [] : [sql`customers.branch_code = ${branchCode}`]),
      ...(ids === undefined ? [] : [sql`customers.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`]),
    ],
    sql` AND `,
  );
  const page = (condition: SQL) =>
    db
      .select()
      .from(customers)
      .where(condition)
      .orderBy(desc(customers.id))
      .limit(pageSize + 1);
  if (search.sorted !== undefined) return sortedListQueries(db, { ...search, sorted: search.sorted }, where);
  if (text !== undefined) {
    const searched = {
      list: "customers",
      text,
      others: selectIdsByNumber("customers", text),
      where,
      pageSize,
    } as const;
    const total = isFirstPageTotalExact(search) ? emptyCountQuery(db) : searchTotalQuery(db, searched);
    return [page(isOnSearchPageSql(searched, after)), total] as const;
  }
  const maintainedTotal = isUnfiltered ? { total: STORED_CUSTOMER_COUNT, userId: search.userId } : undefined;
  return [
    page(after === undefined ? where : sql`${where} AND customers.id < ${after}`),
    maintainedTotal === undefined && isFirstPageTotalExact(search)
      ? emptyCountQuery(db)
      : listTotalQuery(db, { table: "customers", where, pageSize, maintainedTotal }),
  ] as const;
}

/**
 * Returns all queries for a customer for the office: itself, whether the user may access it, its payments and its
 * history.
 */
export function customerDetailQueries(db: Database, id: number, userId: number) {
  return [
    db
      .select({
        ...getTableColumns(customers),
        isOfUser: sql<number>`${isCustomerVisibleToUserSql(userId)}`.as("is_of_user"),
        isShared: sql<number>`coalesce(${isCustomerSharedWithOtherBranchesSql(userId)}, 0)`.as("is_shared"),
        contracts: sql<number>`(SELECT count(*) FROM bookings WHERE bookings.customer_id = customers.id)`.as(
          "contracts",
        ),
      })
      .from(customers)
      .where(eq(customers.id, id)),
    db
      .select({
        ...getTableColumns(customerHistory),
        staffName: sql<string | null>`${users.fullName}`.as("staff_name"),
      })
      .from(customerHistory)
      .leftJoin(users, sql`customer_history.actor = 'staff:' || users.id`)
      .where(eq(customerHistory.customerId, id))
      .orderBy(desc(customerHistory.id))
      .limit(200),
  ] as const;
}

/** Returns the query for the users of customers: whether they can sign in, and whether their address is verified. */
export function customerUserVerificationQuery(db: Database, ids: readonly number[]) {
  return db
    .select({
      customerId: users.customerId,
      isProved: sql<number>`${users.active} = 1 AND ${users.unverifiedSince} IS NULL`.as("is_proved"),
    })
    .from(users)
    .where(inArray(users.customerId, [...ids]));
}

/** Returns the query for the id of a new customer. */
export function nextCustomerIdQuery(db: Database) {
  return db.select({ id: NEXT_ID.as("next") }).from(customers);
}

const NEXT_ID = sql<number>`coalesce(max(id), 0) + 1`;

/**
 * Returns the query for an existing customer that matches the data, whether the user may see it, and the id of a new
 * one. A customer of other branches matches by document and name only.
 */
export function matchingCustomerQuery(db: Database, identity: TypedIdentity, userId: number) {
  const knownId = selectKnownCustomerId(identity, userId);
  const isVisible = sql<number>`EXISTS (SELECT 1 FROM customers AS known WHERE known.id = ${knownId}
    AND ${isCustomerVisibleToUserSql(userId, "known")})`;
  return db
    .select({
      known: knownId.as("known"),
      isVisible: isVisible.as("is_visible"),
      next: NEXT_ID.as("next"),
    })
    .from(customers);
}

type TypedIdentity = {
  readonly [Name in "documentId" | "email" | "name" | "surname"]?: string | null | undefined;
};

/** Selects the id of the existing customer that the typed data belongs to. Null without one. */
export const selectKnownCustomerId = ({ documentId, email, name, surname }: TypedIdentity, userId: number) =>
  selectMatchingCustomerId({
    documentId: sql`${documentId ?? null}`,
    email: sql`${email ?? null}`,
    fullName: sql`${`${name ?? ""} ${surname ?? ""}`.trim()}`,
    isVisible: isCustomerVisibleToUserSql(userId, "known"),
  });

/** History entry of an office action on a customer. */
export interface CustomerHistoryEntry {
  readonly customerId: number;
  readonly at: number;
  readonly actor: string;
  readonly event: (typeof customerHistory.$inferInsert)["event"];
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  readonly reason?: string | undefined;
}

function entryStatement(db: Database, { before, after, reason, ...entry }: CustomerHistoryEntry): Query {
  return db.insert(customerHistory).values({ ...entry, detail: JSON.stringify({ before, after, reason }) });
}

/** Returns the statements that add a customer and its history entry. */
export function insertCustomerStatements(
  db: Database,
  row: CustomerChange & Pick<CustomerRow, "id" | "name" | "createdAt" | "lastUpdate">,
  entry: CustomerHistoryEntry,
): readonly Query[] {
  return [db.insert(customers).select(selectRowsToInsert(customers, [row])), entryStatement(db, entry)];
}

/** Returns the statements that change a customer. The batch is refused if the version has changed. */
export function updateCustomerStatements(
  db: Database,
  change: CustomerChange,
  version: number,
  entry: CustomerHistoryEntry,
): readonly Query[] {
  return [
    expectCustomer(db, entry.customerId, version),
    db
      .update(customers)
      .set({ ...change, version: sql`version + 1`, lastUpdate: entry.at })
      .where(eq(customers.id, entry.customerId)),
    entryStatement(db, entry),
  ];
}

function expectCustomer(db: Database, customerId: number, version: number): Query {
  return db.insert(customerVersionGuards).values({ customerId, version });
}

/**
 * Returns the statements that merge two customers. Contracts, quotes, drafts and users move to `into`. Issued documents
 * keep their recipient.
 */
export function mergeCustomersStatements(
  db: Database,
  from: CustomerRow,
  into: CustomerRow,
  {
    merged,
    at,
    actor,
    reason,
  }: Pick<CustomerHistoryEntry, "at" | "actor" | "reason"> & {
    readonly merged: Pick<CustomerRow, MergeableCustomerField>;
  },
): readonly Query[] {
  const detail = JSON.stringify({ before: { customerId: from.id }, after: { customerId: into.id }, reason });
  return [
    expectCustomer(db, from.id, from.version),
    expectCustomer(db, into.id, into.version),
    db
      .insert(bookingHistory)
      .select(
        selectRowToInsert(
          bookingHistory,
          { bookingId: sql`id`, at, actor, event: "changed", detail },
          sql`FROM bookings WHERE customer_id = ${from.id}`,
        ),
      ),
    db
      .update(bookings)
      .set({ customerId: into.id, version: sql`version + 1`, lastUpdate: at })
      .where(eq(bookings.customerId, from.id)),
    db
      .update(documents)
      .set({ customerId: into.id, lastUpdate: at })
      .where(sql`customer_id = ${from.id} AND invoice_status = 'draft'`),
    db.update(bookingBilling).set({ customerId: into.id }).where(eq(bookingBilling.customerId, from.id)),
    db
      .update(quotes)
      .set({
        customerId: into.id,
        request: sql`json_replace(request, '$.customer.id', ${into.id})`,
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(eq(quotes.customerId, from.id)),
    ...mergeUsers(db, from.id, into.id, at),
    db
      .update(customers)
      .set({ mergedIntoId: into.id, version: sql`version + 1`, lastUpdate: at })
      .where(sql`id = ${from.id} OR merged_into_id = ${from.id}`),
    db
      .update(customers)
      .set({ ...merged, ...mergeConsent(from, into), version: sql`version + 1`, lastUpdate: at })
      .where(eq(customers.id, into.id)),
    entryStatement(db, { customerId: from.id, at, actor, event: "merged", after: { into: into.id }, reason }),
    entryStatement(db, { customerId: into.id, at, actor, event: "merged", before: { from: from.id }, reason }),
  ];
}

// A customer has one user. The one of `into` stays if it exists, and the other can no longer sign in.
function mergeUsers(db: Database, from: number, into: number, at: number): readonly Query[] {
  return [
    db
      .update(users)
      .set({ active: false, lastUpdate: at })
      .where(sql`customer_id = ${from} AND EXISTS (SELECT 1 FROM users AS theirs WHERE theirs.customer_id = ${into})`),
    db
      .update(users)
      .set({ customerId: into, lastUpdate: at })
      .where(
        sql`customer_id = ${from} AND NOT EXISTS (SELECT 1 FROM users AS theirs WHERE theirs.customer_id = ${into})`,
      ),
  ];
}

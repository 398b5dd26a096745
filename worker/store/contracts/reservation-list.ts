import { type SQL, sql } from "drizzle-orm";
import type { BookingStatus, ContractData } from "#domain/bookings/bookings.ts";
import type { ListViewName, SortedPageRequest, SortField } from "#domain/reporting/list-sort.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { selectAuthorisedCardHoldCents } from "#worker/store/payments/card-holds.ts";
import { isCancellationRefundDueSql } from "#worker/store/payments/refunds-due.ts";
import { contractColumns } from "#worker/store/reporting/contract-lists.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import {
  emptyCountQuery,
  exactTotalQuery,
  getTotalCountLimit,
  isFirstPageTotalExact,
  listTotalQuery,
  searchTotalQuery,
  selectContractIdsByVehicle,
  selectIdsByNumber,
  selectIdsByText,
  selectMaintainedTotal,
  splitSearchPage,
} from "#worker/store/search.ts";
import { createSortedPageSql, type SortFieldSql } from "#worker/store/sorted-page.ts";
import { selectNoShowTransfers } from "#worker/store/transfers/missed-trips.ts";
import { isAllBranchesUserSql, isInUserBranchesSql } from "#worker/store/user-branches.ts";
import { isContractSignedSql } from "./hand-over-facts.ts";

// The contract's texts are its largest data, so a rental's row contains only those that the list uses.
const LISTED_TEXTS = [
  ...["flight_company", "flight_number", "flight_time", "driver_document_id"],
  ...["driver_driving_license_number", "driver_driving_license_expiration_date"],
];
const LISTED_DATA = sql.raw(`CASE bookings.kind WHEN 'transfer' THEN bookings.contract_data
  ELSE json_object(${LISTED_TEXTS.map((name) => `'${name}', bookings.contract_data ->> '$.${name}'`).join(", ")}) END`);

// Whether a report of the moment exists about `trip` of `bookings`.
const hasTripReport = (moment: string, condition = "") =>
  sql.raw(`EXISTS (SELECT 1 FROM check_in_operations AS work WHERE work.booking_id = bookings.id
      AND work.state IN ('applied', 'accepted') AND work.operation ->> '$.trip.moment' = '${moment}'
      AND work.operation ->> '$.trip.position' = iif(trip.position = 2, 'return', 'outward')${condition})`);
// A no-show applies to the time agreed at that moment, until a later pickup.
const IS_MISSED = sql`${hasTripReport("nobody_came", " AND work.operation ->> '$.baseVersion' >= bookings.agreed_version")}
      AND NOT ${hasTripReport("picked_up")} AND NOT ${hasTripReport("dropped")}`;

const TRIPS = sql`CASE bookings.kind WHEN 'transfer' THEN (SELECT json_group_array(json_object('position', trip.position,
    'date', trip.date, 'time', trip.time, 'origin', trip.origin_name, 'destination', trip.destination_name,
    'isDropped', ${hasTripReport("dropped")}, 'isMissed', ${IS_MISSED}) ORDER BY trip.position)
  FROM transfer_trips AS trip WHERE trip.booking_id = bookings.id) ELSE '[]' END`;

interface ListedTrip {
  readonly position: number;
  readonly date: string;
  readonly time: string;
  readonly origin: string;
  readonly destination: string;
  /** 1 if its driver reported the drop-off. */
  readonly isDropped: number;
  /** 1 if its customer didn't come. */
  readonly isMissed: number;
}

const listColumns = {
  ...contractColumns,
  payerId: sql<number | null>`(SELECT customer_id FROM booking_billing WHERE booking_id = bookings.id)`.as("payer_id"),
  contractData: LISTED_DATA.mapWith(parseStoredJson<ContractData>).as("listed_data"),
  authorisedCents: selectAuthorisedCardHoldCents("bookings").as("authorised_cents"),
  isSigned: isContractSignedSql.as("is_signed"),
  trips: TRIPS.mapWith(parseStoredJson<readonly ListedTrip[]>).as("trips"),
};

const listedRowsQuery = (db: Database) => db.select(listColumns).from(bookings);
/** Reservation as a list selects it. */
export type ListedContractRow = Awaited<ReturnType<typeof listedRowsQuery>>[number];

/** End of a page: the last reservation, and its pickup if the list is sorted by it. */
export interface ReservationCursor {
  readonly id: number;
  /** Pickup date and time of the last row, `yyyy-mm-ddThh:mm`. */
  readonly pickup: string | undefined;
}

/** Filters for reservations. Absent filters don't apply. */
export interface ReservationSearch {
  /** Any part of the id, reference, name, document, phone, mail or plate. */
  readonly text: string | undefined;
  readonly status: BookingStatus | undefined;
  readonly kind: "rental" | "transfer" | undefined;
  /** First and last pickup date to list, both included. */
  readonly dateFrom: string | undefined;
  readonly dateTo: string | undefined;
  /** First and last return date to list, both included. */
  readonly returnFrom?: string | undefined;
  readonly returnTo?: string | undefined;
  readonly view?: ListViewName<"reservations"> | undefined;
  readonly branchCode: string | undefined;
  readonly categoryCode: string | undefined;
  readonly customerId: number | undefined;
  /** Ids of the reservations to list. Absent for all. */
  readonly ids?: readonly number[] | undefined;
  /** Whether to list only reservations that need attention. */
  readonly needsAttention: boolean;
  /** User with access to the branches. */
  readonly userId: number;
  readonly after: ReservationCursor | undefined;
  /** Sort other than the default. `after` doesn't apply to it. */
  readonly sorted?: SortedPageRequest<SortField<"reservations">> | undefined;
  readonly pageSize: number;
  /** Epoch ms, and the account's local time as `yyyy-mm-dd hh:mm`. */
  readonly at: number;
  readonly civilNow: string;
  /** Minutes after its pickup when a rental counts as a possible no-show. */
  readonly noShowMinutes: number;
}

/** User-defined part of a search. */
export type ReservationFilter = Omit<ReservationSearch, "userId" | "at" | "civilNow" | "noShowMinutes">;

/**
 * Whether a list is sorted by pickup: if it has dates and no other selective filter. With a start date the first pickup
 * comes first, with only an end date the last one.
 */
export function isSortedByPickup(filter: ReservationFilter): boolean {
  const { dateFrom, dateTo, customerId, needsAttention, text, sorted } = filter;
  const hasDays = dateFrom !== undefined || dateTo !== undefined;
  return hasDays && sorted === undefined && customerId === undefined && text === undefined && !needsAttention;
}

/**
 * Returns the queries for a page of reservations, by pickup or newest first, and for their total. The total's
 * query reads nothing if the page already contains all rows. A text search has a third query for other
 * matches, which may overlap with the first.
 */
export function reservationListQueries(db: Database, search: ReservationSearch) {
  return search.sorted === undefined ? defaultListQueries(db, search) : sortedListQueries(db, search, search.sorted);
}

function defaultListQueries(db: Database, search: ReservationSearch) {
  const { text, userId, after, pageSize } = search;
  const searchConditions = conditions(search);
  const isVisibleToUser = isInUserBranchesSql(userId, sql`+bookings.branch_code`, sql`+bookings.return_branch_code`);
  const where = sql.join([isVisibleToUser, ...searchConditions], sql` AND `);
  const page = db.select(listColumns).from(bookings);
  if (text !== undefined) {
    const unlessEverywhere = searchConditions.length === 0 ? userId : undefined;
    const searched = { list: "bookings", text, others: others(text), where, unlessEverywhere, pageSize } as const;
    const { ofTexts, ofOthers } = splitSearchPage(searched, after?.id);
    return [
      db
        .select(listColumns)
        .from(ofTexts.from)
        .crossJoin(bookings)
        .where(ofTexts.where)
        .orderBy(ofTexts.order)
        .limit(pageSize + 1),
      isFirstPageTotalExact(search) ? emptyCountQuery(db) : searchTotalQuery(db, searched),
      page
        .where(ofOthers)
        .orderBy(sql`bookings.id DESC`)
        .limit(pageSize + 1),
    ] as const;
  }
  const allConditions = sql.join([isVisibleToUser, ...conditions({ ...search, after: undefined })], sql` AND `);
  const maintainedTotal =
    searchConditions.length === 0 ? { total: selectMaintainedTotal("bookings", "transfers"), userId } : undefined;
  const total =
    maintainedTotal === undefined && !isShortView(search) && isFirstPageTotalExact(search)
      ? emptyCountQuery(db)
      : totalQuery(db, search, allConditions, maintainedTotal);
  if (search.needsAttention) return [pendingPageQuery(db, search, isVisibleToUser), total] as const;
  const direction = sql.raw(search.dateFrom === undefined ? "DESC" : "ASC");
  return [
    page
      .where(sql`${where} AND ${after === undefined ? sql`true` : isBehind(search, after)}`)
      .orderBy(
        ...(isSortedByPickup(search)
          ? [sql`${PICKUP} ${direction}`, sql`bookings.id ${direction}`]
          : [sql`bookings.id DESC`]),
      )
      .limit(pageSize + 1),
    total,
  ] as const;
}

// Amount still to be paid, negative for a refund, calculated like `getPendingCents`.
const PENDING = sql`(CASE WHEN bookings.status = 'cancelled'
  THEN min(0, bookings.cancellation_fee_cents - bookings.credited_cents - bookings.total_paid_cents)
  ELSE bookings.total_cents - bookings.credited_cents - bookings.total_paid_cents - bookings.agent_commission_prepaid_cents END)`;

const SORTED: SortFieldSql<SortField<"reservations">> = {
  id: sql`bookings.id`,
  date_from: sql`(bookings.date_from || 'T' || bookings.time_from)`,
  date_to: sql`(bookings.date_to || 'T' || bookings.time_to)`,
  customer_fullname: sql`lower(trim(bookings.customer_name || ' ' || bookings.customer_surname))`,
  status: sql`bookings.status`,
  rental_location_code: sql`bookings.branch_code`,
  days: sql`bookings.days`,
  total_cost: sql`bookings.total_cents`,
  total_paid: sql`bookings.total_paid_cents`,
  total_pending: PENDING,
  created: sql`bookings.created_at`,
};

// Returns the queries of a list that isn't in default order. Such a list reads all matches. The default order reads one
// page.
function sortedListQueries(
  db: Database,
  search: ReservationSearch,
  sorted: SortedPageRequest<SortField<"reservations">>,
) {
  const { text, userId, pageSize } = search;
  const list = { table: "bookings", key: "id", columns: SORTED } as const;
  const { condition, order } = createSortedPageSql(list, sorted);
  const where = sql.join(
    [
      isInUserBranchesSql(userId, sql`+bookings.branch_code`, sql`+bookings.return_branch_code`),
      ...conditions({ ...search, text: undefined, after: undefined }),
      ...(text === undefined ? [] : [matchesText(text)]),
    ],
    sql` AND `,
  );
  return [
    db
      .select(listColumns)
      .from(bookings)
      .where(sql`${where} AND ${condition}`)
      .orderBy(...order)
      .limit(pageSize + 1),
    totalQuery(db, search, where, undefined),
  ] as const;
}

// Views that the fleet limits, so counting all their rows is cheap. Today shows their totals.
const SHORT_VIEWS: ReadonlySet<ListViewName<"reservations"> | undefined> = new Set([
  "pickups_today",
  "returns_today",
  "out",
  "overdue",
]);

const isShortView = ({ view }: ReservationSearch) => SHORT_VIEWS.has(view);

function totalQuery(
  db: Database,
  search: ReservationSearch,
  where: SQL,
  maintainedTotal: Parameters<typeof listTotalQuery>[1]["maintainedTotal"],
) {
  return isShortView(search)
    ? exactTotalQuery(db, { table: "bookings", where })
    : listTotalQuery(db, { table: "bookings", where, pageSize: search.pageSize, maintainedTotal });
}

function matchesText(text: string): SQL {
  return sql`bookings.id IN (SELECT id FROM (${sql.join([selectIdsByText("bookings", text), ...others(text)], sql` UNION ALL `)}))`;
}

// Returns a page of the reservations that need attention. The subquery returns them in page order, so no sorting is
// needed.
function pendingPageQuery(db: Database, search: ReservationSearch, isVisibleToUser: SQL) {
  const rest = conditions({ ...search, needsAttention: false });
  const filters = sql.join([sql`bookings.id = waiting.id`, isVisibleToUser, ...rest], sql` AND `);
  return db
    .select(listColumns)
    .from(sql`(${needsAttentionCondition(search)}) AS waiting`)
    .crossJoin(bookings)
    .where(filters)
    .limit(search.pageSize + 1);
}

// As its index has it.
const PICKUP = sql`(bookings.date_from || 'T' || bookings.time_from)`;

// Returns the condition for rows after the previous page. In a date range, it uses the index to skip earlier rows.
function isBehind(search: ReservationSearch, { id, pickup }: ReservationCursor): SQL {
  if (!isSortedByPickup(search)) return sql`bookings.id < ${id}`;
  const at =
    pickup ?? sql`(SELECT last.date_from || 'T' || last.time_from FROM bookings AS last WHERE last.id = ${id})`;
  const [first, last] = getDayRange(search);
  return search.dateFrom === undefined
    ? sql`${PICKUP} BETWEEN ${first} AND min(${last}, ${at}) AND (${PICKUP}, bookings.id) < (${at}, ${id})`
    : sql`${PICKUP} BETWEEN max(${first}, ${at}) AND ${last} AND (${PICKUP}, bookings.id) > (${at}, ${id})`;
}

function getDayRange({ dateFrom, dateTo }: ReservationSearch): readonly [first: string, last: string] {
  return [dateFrom ?? "0000", `${dateTo ?? "9999-12-31"}T99`];
}

// Returns the conditions of the filters. Selective filters find ids by their own index, because the list is sorted by
// id. The plus sign keeps SQLite from using a column's index.
function conditions(search: ReservationSearch): readonly SQL[] {
  const { status, kind, branchCode, categoryCode, customerId, ids, needsAttention } = search;
  return [
    ...selected(ids),
    ...(customerId === undefined ? [] : [hasCustomer(customerId)]),
    ...(needsAttention ? [sql`bookings.id IN (${needsAttentionCondition(search)})`] : []),
    ...(status === undefined ? [] : [findsByStatus(search) ? byStatus(status) : sql`+bookings.status = ${status}`]),
    ...pickedUp(search),
    ...returned(search),
    ...(search.view === undefined ? [] : isInView(search.view, search)),
    ...(kind === undefined
      ? []
      : [kind === "transfer" && !isSortedByPickup(search) ? IS_TRANSFER : sql`bookings.kind = ${kind}`]),
    ...(branchCode === undefined ? [] : [isAtBranch(branchCode, search.view)]),
    ...(categoryCode === undefined ? [] : [hasCategory(categoryCode)]),
  ];
}

// The pickups and returns of a day are those at the branch. A one-way rental is in one of the two lists only.
function isAtBranch(code: string, view: ReservationSearch["view"]): SQL {
  if (view === "pickups_today") return sql`+bookings.branch_code = ${code}`;
  if (view === "returns_today") return sql`+bookings.return_branch_code = ${code}`;
  return sql`(+bookings.branch_code = ${code} OR +bookings.return_branch_code = ${code})`;
}

function selected(ids: ReservationSearch["ids"]): readonly SQL[] {
  return ids === undefined ? [] : [sql`bookings.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`];
}

function hasCategory(code: string): SQL {
  return sql`EXISTS (SELECT 1 FROM booking_lines AS line WHERE line.booking_id = bookings.id AND line.category_code = ${code})`;
}

function returned({ returnFrom, returnTo }: ReservationSearch): readonly SQL[] {
  return [
    ...(returnFrom === undefined ? [] : [sql`+bookings.date_to >= ${returnFrom}`]),
    ...(returnTo === undefined ? [] : [sql`+bookings.date_to <= ${returnTo}`]),
  ];
}

function isInView(view: ListViewName<"reservations">, { civilNow }: ReservationSearch): readonly SQL[] {
  const today = civilNow.slice(0, 10);
  switch (view) {
    case "upcoming":
      return [
        sql`+bookings.status IN ('pending_confirmation', 'confirmed') AND bookings.status <> 'done'
          AND +bookings.date_from >= ${today}`,
      ];
    case "pickups_today":
      return [
        sql`bookings.id IN (SELECT id FROM bookings WHERE ${PICKUP} BETWEEN ${today} AND ${`${today}T99`})
          AND +bookings.status <> 'cancelled'`,
      ];
    // A rental that wasn't picked up isn't a return. A transfer stays confirmed while it is driven.
    case "returns_today":
      return [
        sql`bookings.id IN (SELECT id FROM bookings WHERE return_branch_code IN (SELECT code FROM branches)
            AND date_to = ${today} AND kind = 'rental' AND status IN ('in_progress', 'done')
          UNION ALL SELECT booking_id FROM transfer_trips WHERE date = ${today} AND position = 2)
          AND +bookings.status <> 'cancelled'`,
      ];
    case "out":
      return [sql`bookings.status = 'in_progress' AND bookings.status <> 'done'`];
    case "overdue":
      return [sql`bookings.status = 'in_progress' AND bookings.date_to || ' ' || bookings.time_to < ${civilNow}`];
    case "unpaid":
      return [sql`+bookings.status IN ('confirmed', 'in_progress', 'done') AND ${PENDING} > 0`];
    case "no_vehicle":
      return [
        sql`bookings.status = 'confirmed' AND bookings.status <> 'done' AND bookings.kind = 'rental' AND EXISTS (
          SELECT 1 FROM booking_units AS unit WHERE unit.booking_id = bookings.id AND unit.vehicle_reference IS NULL)`,
      ];
    case "not_invoiced":
      return [sql`+bookings.status IN ('confirmed', 'in_progress', 'done') AND NOT EXISTS (${OPEN_INVOICES})`];
    case "pending_confirmation":
      return [sql`bookings.status = 'pending_confirmation' AND bookings.status <> 'done'`];
    case "attention":
      return [];
  }
}

// Documents of a contract, including collective documents of several contracts.
const OWN_DOCUMENTS = sql`(SELECT id FROM documents WHERE booking_id = bookings.id
  UNION ALL SELECT document_id FROM document_contracts WHERE booking_id = bookings.id)`;

// Returns the amount of a document that belongs to the contract.
const getContractCents = (document: "invoice" | "note") =>
  sql.raw(`coalesce((SELECT total_cents FROM document_contracts WHERE document_id = ${document}.id
    AND booking_id = bookings.id), ${document}.total_cents)`);

// Issued full invoices of a contract that aren't fully credited. Excludes simplified invoices, which can still be
// exchanged.
const OPEN_INVOICES = sql`SELECT 1 FROM documents AS invoice
  WHERE invoice.id IN ${OWN_DOCUMENTS} AND invoice.invoice_status = 'invoice' AND invoice.invoice_type = 'invoice'
    AND invoice.corrects_document_id IS NULL AND invoice.replaced_by_document_id IS NULL
    AND coalesce(invoice.form, 'full') <> 'simplified'
    AND ${getContractCents("invoice")} + coalesce((SELECT sum(${getContractCents("note")}) FROM documents AS note
      WHERE note.id IN ${OWN_DOCUMENTS} AND note.corrects_document_id = invoice.id
        AND note.invoice_status = 'invoice'), 0) <> 0`;

// Returns the condition for a status. Completed and other contracts have separate indexes, which list each status in id
// order.
function byStatus(status: BookingStatus): SQL {
  const isStatus = `bookings.status = '${status}'`;
  return sql.raw(status === "done" ? isStatus : `${isStatus} AND bookings.status <> 'done'`);
}

function findsByStatus({ dateFrom, dateTo, customerId, needsAttention, text }: ReservationSearch): boolean {
  return [dateFrom, dateTo, customerId, text].every((item) => item === undefined) && !needsAttention;
}

function isFiltered(search: ReservationSearch): boolean {
  const { status, kind, dateFrom, dateTo, branchCode, categoryCode, customerId, text, returnFrom, returnTo } = search;
  const filters = [status, kind, dateFrom, dateTo, branchCode, categoryCode, customerId, text, returnFrom, returnTo];
  return [...filters, search.view, search.sorted].some((item) => item !== undefined);
}

const IS_TRANSFER = sql`bookings.id IN (SELECT booking_id FROM transfer_bookings)`;

// Reservations of the customer, and those that the customer pays.
function hasCustomer(id: number): SQL {
  return sql`bookings.id IN (SELECT id FROM bookings INDEXED BY bookings_by_customer WHERE customer_id = ${id}
    UNION SELECT booking_id FROM booking_billing WHERE customer_id = ${id})`;
}

function pickedUp(search: ReservationSearch): readonly SQL[] {
  if (search.dateFrom === undefined && search.dateTo === undefined) return [];
  const [first, last] = getDayRange(search);
  // Only the first page of a list sorted by pickup uses the pickup's index. The plus sign prevents it
  // otherwise.
  const isOpen = isSortedByPickup(search) && search.after === undefined;
  return [sql`${isOpen ? PICKUP : sql`+${PICKUP}`} BETWEEN ${first} AND ${last}`];
}

// Returns subqueries that find reservations by a vehicle, a link or a number.
function others(text: string): readonly SQL[] {
  return [
    selectContractIdsByVehicle(text),
    sql`SELECT id FROM bookings WHERE free_access_id = ${text.trim()}`,
    ...selectIdsByNumber("bookings", text),
  ];
}

// Selects reservations that need attention: overdue, not picked up, missed, held without an end, paid but unconfirmed,
// overpaid or refund due, ended with a held deposit, or reopened. Each condition uses its own index, newest first. An
// import may contain thousands of refunds due. They are read in index order, and for users of all branches only as many
// as the page shows.
function needsAttentionCondition(search: ReservationSearch): SQL {
  const { civilNow, noShowMinutes, userId, after, pageSize } = search;
  const notCome = sql`datetime(${civilNow}, ${`-${noShowMinutes} minutes`})`;
  const enough = isFiltered(search)
    ? sql`-1`
    : sql`iif(${isAllBranchesUserSql(userId)}, ${getTotalCountLimit(pageSize) + 1}, -1)`;
  const before = after === undefined ? sql`` : sql` AND id < ${after.id}`;
  const few = (
    [
      ["bookings_paid_too_late", sql`paid_after_expiry = 1`],
      ["bookings_reopened", sql`reopened_at IS NOT NULL`],
      [
        "bookings_without_hold_expiry",
        sql`status = 'pending_confirmation' AND expires_at IS NULL AND total_paid_cents = 0 AND date_to >= substr(${civilNow}, 1, 10)`,
      ],
      ["bookings_paid_unconfirmed", sql`status = 'pending_confirmation' AND total_paid_cents > 0`],
      [
        "bookings_overpaid",
        sql`status <> 'cancelled' AND total_paid_cents > total_cents - credited_cents - agent_commission_prepaid_cents`,
      ],
      ["bookings_deposit_held", sql`status IN ('done', 'cancelled') AND deposit_held_cents > 0`],
      ["bookings_overdue", sql`status = 'in_progress' AND date_to || ' ' || time_to < ${civilNow}`],
      [
        "bookings_to_remind",
        sql`status = 'confirmed' AND kind = 'rental' AND (date_from, time_from) < (date(${notCome}), strftime('%H:%M', ${notCome}))`,
      ],
    ] as const
  ).map(([index, condition]) => sql`SELECT id FROM bookings INDEXED BY ${sql.raw(index)} WHERE ${condition}${before}`);
  const together = (queries: readonly SQL[]) => sql`SELECT id FROM (${sql.join([...queries], sql` UNION ALL `)})`;
  const missed = sql`SELECT id FROM (${selectNoShowTransfers(civilNow)}) WHERE TRUE${before}`;
  // D1 allows at most five queries in a compound SELECT.
  return sql`SELECT id FROM (${together(few.slice(0, 4))} UNION ALL ${together([...few.slice(4), missed])})
    UNION SELECT id FROM bookings INDEXED BY bookings_refund_due
    WHERE ${isCancellationRefundDueSql("bookings")}${before}
    ORDER BY id DESC LIMIT ${enough}`;
}

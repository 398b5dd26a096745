import { desc, getTableColumns, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import type { Contract } from "#domain/contracts/contract.ts";
import { fromBookingRows } from "#worker/store/bookings/bookings.ts";
import { contractExtrasQuery } from "#worker/store/bookings/contract-extras.ts";
import { selectExchangedVehiclesJson } from "#worker/store/bookings/exchange.ts";
import type { Database } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookingHistory, bookingLines, bookings, bookingUnits } from "#worker/store/schema/bookings.ts";
import { users } from "#worker/store/schema/people.ts";
import { selectContractTransfer, toContractTransfer } from "#worker/store/transfers/contract-transfer.ts";

const bookingIdParameter = sql.placeholder("bookingId");
const bookingIdByAccess = sql`(SELECT id FROM bookings WHERE free_access_id = ${sql.placeholder("freeAccessId")})`;

// D1 returns at most a hundred columns, so one that contracts don't need makes room.
const { visitorNetwork: _visitorNetwork, ...bookingColumns } = getTableColumns(bookings);
const contractColumns = {
  ...bookingColumns,
  // A bad debt's tax is credited contract by contract, also that of a collective invoice.
  isTaxRecovered: sql<0 | 1>`EXISTS (SELECT 1 FROM documents AS note WHERE note.booking_id = bookings.id
    AND note.invoice_status = 'invoice' AND note.credit_reason IN ('insolvency', 'bad_debt'))`.as("is_tax_recovered"),
};

/** Returns the reads of a contract whose id is any SQL expression. */
function queriesNamed(id: SQL | Placeholder) {
  return {
    booking: prepareQuery((db) => db.select(contractColumns).from(bookings).where(sql`${bookings.id} = ${id}`)),
    lines: prepareQuery((db) =>
      db.select().from(bookingLines).where(sql`${bookingLines.bookingId} = ${id}`).orderBy(bookingLines.id),
    ),
    extras: prepareQuery((db) => contractExtrasQuery(db, sql`${id}`)),
    units: prepareQuery((db) =>
      db
        .select({
          ...getTableColumns(bookingUnits),
          exchanged: sql<string>`${sql.raw(selectExchangedVehiclesJson("booking_units.id"))}`.as("exchanged"),
        })
        .from(bookingUnits)
        .where(sql`${bookingUnits.bookingId} = ${id}`)
        .orderBy(bookingUnits.id),
    ),
    transfer: selectContractTransfer(id),
  };
}

const byId = queriesNamed(bookingIdParameter);
const byFreeAccessId = queriesNamed(bookingIdByAccess);

/**
 * Returns the five queries for a contract for its actions, by its id or unguessable id. Run them in a batch and pass
 * the result to `toContract`.
 */
export function contractQueries(db: Database, identifier: number | { readonly freeAccessId: string }) {
  const { booking, lines, extras, units, transfer } = typeof identifier === "number" ? byId : byFreeAccessId;
  const values = typeof identifier === "number" ? { bookingId: identifier } : identifier;
  return [booking(db, values), lines(db, values), extras(db, values), units(db, values), transfer(db, values)] as const;
}

type Rows = Readonly<BatchResponse<[...ReturnType<typeof contractQueries>]>>;

/** Converts the contract for its actions. Undefined if the booking doesn't exist. */
export function toContract([rows, lines, extras, units, [transfer]]: Rows): Contract | undefined {
  const booking = fromBookingRows(rows, lines, extras);
  const row = rows[0];
  if (!booking || !row) return undefined;
  return {
    ...booking,
    kind: row.kind,
    transfer: toContractTransfer(transfer),
    branchGroupId: row.branchGroupId,
    returnBranchCode: row.returnBranchCode,
    agencyId: row.agencyId ?? undefined,
    driverAge: row.driverAge ?? undefined,
    customerType: row.customerType,
    units: units.map((unit) => ({
      id: unit.id,
      lineId: unit.bookingLineId,
      reference: unit.vehicleReference ?? undefined,
      deliveredAt: unit.deliveredAt ?? undefined,
      collectedAt: unit.collectedAt ?? undefined,
      deliveryKilometres: unit.deliveryUsageUnits ?? undefined,
      collectionKilometres: unit.collectionUsageUnits ?? undefined,
      reopened: unit.reopened,
      exchanged: JSON.parse(unit.exchanged) as Contract["units"][number]["exchanged"],
    })),
    cancellationFeeCents: row.cancellationFeeCents,
    priceDifferenceCents: row.priceDifferenceCents,
    priceReason: row.priceReason ?? undefined,
    reopenedAt: row.reopenedAt ?? undefined,
    isTaxRecovered: row.isTaxRecovered === 1,
    vatByLine: new Map(lines.map((line) => [line.id, line.vatBasisPoints])),
    vatByExtra: new Map(extras.map((extra) => [extra.id, extra.vatBasisPoints])),
  };
}

const MAX_HISTORY_ENTRIES = 500;

const historyNamed = (id: SQL | Placeholder) =>
  prepareQuery((db) =>
    db
      .select({
        ...getTableColumns(bookingHistory),
        staffName: sql<string | null>`${users.fullName}`.as("staff_name"),
        agencyName: sql<
          string | null
        >`(SELECT name FROM agencies WHERE booking_history.actor = 'agency:' || agencies.id)`.as("agency_name"),
      })
      .from(bookingHistory)
      .leftJoin(users, sql`booking_history.actor = 'staff:' || users.id`)
      .where(sql`${bookingHistory.bookingId} = ${id}`)
      .orderBy(desc(bookingHistory.id))
      .limit(MAX_HISTORY_ENTRIES),
  );

/** Returns the query for the history of a contract, newest first, with the names of staff and agencies. */
export const contractHistoryQuery = historyNamed(bookingIdParameter);

/** Returns the query for the history of a contract created in the same batch. */
export const newBookingHistoryQuery = historyNamed(bookingIdByAccess);

import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type {
  StoredBookingCharge,
  StoredDiscount,
  StoredExtra,
  StoredVehicleLine,
} from "#domain/reporting/extracted-contracts.ts";
import { selectStaffName } from "#worker/store/access/staff-name.ts";
import { selectContractExtras } from "#worker/store/bookings/contract-extras.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { branchGroups, salesChannels } from "#worker/store/schema/organization.ts";
import { agencies, agents } from "#worker/store/schema/people.ts";
import { createPageQuery, type ListDefinition } from "./list.ts";

// Related data of a contract, as JSON: one query with one row per contract. Lines are found through their units, which
// contain the quantity, so one index serves both.
const UNITS = sql`(SELECT json_group_array(json_array(unit.id, unit.vehicle_reference, item.plate, json_object('id', line.id,
  'itemId', line.category_code, 'description', line.item_description, 'quantity', line.quantity, 'unitBaseCents', line.item_unit_base_cents,
  'unitCents', line.item_unit_cents, 'itemCents', line.item_cents, 'depositUnitCents', line.product_deposit_unit_cents,
  'supplementUnitCents', json_array(line.category_supplement_1_unit_cents, line.category_supplement_2_unit_cents,
  line.category_supplement_3_unit_cents))))
  FROM booking_units AS unit CROSS JOIN booking_lines AS line ON line.id = unit.booking_line_id
  LEFT JOIN vehicles AS item ON item.reference = unit.vehicle_reference WHERE unit.booking_id = bookings.id)`;
const CONTRACT_EXTRAS = sql.raw(selectContractExtras("bookings.id"));
const EXTRAS = sql`(SELECT json_group_array(json_object('id', extra.id, 'extraId', extra.extra_code, 'description', extra.extra_description,
  'quantity', extra.quantity, 'unitCents', extra.extra_unit_cents, 'extraCents', extra.extra_cents, 'chargedOn', extra.charged_on))
  FROM ${CONTRACT_EXTRAS} AS extra)`;
// Skipped for a contract without payments.
const CHARGES = sql`CASE WHEN bookings.payment_status = 'none' THEN '[]' ELSE (SELECT json_group_array(json_object('id', charge.id, 'date', charge.date, 'type', charge.payment_type,
  'amountCents', charge.amount_cents, 'currency', charge.currency, 'method', charge.payment_method_id))
  FROM charges AS charge WHERE charge.booking_id = bookings.id AND charge.virtual = 0) END`;

// Contains the name of the user who gave the discount, because readers don't know user ids.
const DISCOUNT = sql`CASE WHEN bookings.discount IS NOT NULL THEN json_set(bookings.discount, '$.amountCents', bookings.discount_cents,
  '$.byName', ${selectStaffName(sql`(bookings.discount ->> 'by')`)}) END`;

type UnitRow = readonly [...StoredVehicleLine["units"][number], Omit<StoredVehicleLine, "units">];

function toUnitLines(json: unknown): readonly StoredVehicleLine[] {
  const byLine = Map.groupBy(parseStoredJson<readonly UnitRow[]>(json), ([, , , { id }]) => id);
  return [...byLine.values()].flatMap((rows) => {
    const [first] = rows;
    return first ? [{ ...first[3], units: rows.map(([id, reference, plate]) => [id, reference, plate] as const) }] : [];
  });
}

// Columns that aren't part of any response. They are left out because the contract's texts are its largest data.
const {
  requestFingerprint: _fingerprint,
  contractData: _contractData,
  cartId: _cart,
  visitorNetwork: _network,
  discount: _discount,
  ...columns
} = getTableColumns(bookings);

/** Columns of a contract, plus three with related data. */
export const contractColumns = {
  ...columns,
  lines: UNITS.mapWith(toUnitLines).as("lines"),
  extras: EXTRAS.mapWith(parseStoredJson<readonly StoredExtra[]>).as("extras"),
  appliedDiscount: DISCOUNT.mapWith(parseStoredJson<StoredDiscount>).as("applied_discount"),
  charges: CHARGES.mapWith(parseStoredJson<readonly StoredBookingCharge[]>).as("charges"),
};

// Columns that only the office shows. Left out of a partner's pages, because SQLite writes and the Worker parses each
// value of a hundred rows.
const {
  freeAccessId: _freeAccessId,
  version: _version,
  madeByCustomerId: _madeByCustomerId,
  expiresAt: _expiresAt,
  comments: _comments,
  driverAge: _driverAge,
  driverAgeRuleId: _driverAgeRuleId,
  promotionCode: _promotionCode,
  bookingAmountCents: _bookingAmountCents,
  cancelledAt: _cancelledAt,
  cancellationReason: _cancellationReason,
  paidAfterExpiry: _paidAfterExpiry,
  kind: _kind,
  priceDifferenceCents: _priceDifferenceCents,
  priceReason: _priceReason,
  discountCents: _discountCents,
  reopenedAt: _reopenedAt,
  agreedVersion: _agreedVersion,
  agreedWithAgency: _agreedWithAgency,
  depositHeldCents: _depositHeldCents,
  appliedDiscount: _appliedDiscount,
  ...partnerColumns
} = contractColumns;

const selectOfficeContracts = (db: Database) => db.select(contractColumns).from(bookings);
/** Contract as the office's queries select it. */
export type ContractRow = Awaited<ReturnType<typeof selectOfficeContracts>>[number];

const filters = {
  updatedFrom: (at) => sql`bookings.last_update >= ${at}`,
  dateFrom: (date) => sql`bookings.date_from >= ${date}`,
  dateTo: (date) => sql`bookings.date_from <= ${date}`,
  status: (status) => sql`bookings.status = ${status}`,
  branchCode: (code) => sql`bookings.branch_code = ${code}`,
  branchGroupId: (id) => sql`bookings.branch_group_id = ${id}`,
} satisfies ListDefinition<never>["filters"];

// Condition for rentals. Transfers are bookings without fleet vehicles, and reports only include their charges.
const isRental = sql`bookings.kind = 'rental'`;

/** Returns the query for the contracts for partners, with their lines, vehicles, extras and charges. */
export const partnerContractsPageQuery = createPageQuery({
  table: "bookings",
  key: "id",
  counter: "bookings",
  always: isRental,
  filters,
  rows: (db: Database, { where, order }) => db.select(partnerColumns).from(bookings).where(where).orderBy(order),
});

/** Returns the query for one contract for partners, by its id. */
export const partnerContractQuery = prepareQuery((db) =>
  db
    .select(partnerColumns)
    .from(bookings)
    .where(and(eq(bookings.id, sql.placeholder("id")), isRental)),
);

/**
 * Returns the query for the contracts for a page of the office, newest first, with the names of agencies and agents.
 * Names that repeat a lot are read separately.
 */
export const officeContractReportPageQuery = createPageQuery({
  table: "bookings",
  key: "id",
  isLatestFirst: true,
  counter: "bookings",
  always: isRental,
  filters,
  rows: (db: Database, { where, order }) =>
    db
      .select({
        ...partnerColumns,
        agencyName: sql<string | null>`${agencies.name}`.as("agency_name"),
        agentName: sql<string | null>`${agents.name}`.as("agent_name"),
      })
      .from(bookings)
      .leftJoin(agencies, eq(agencies.id, bookings.agencyId))
      .leftJoin(agents, eq(agents.id, bookings.agentId))
      .where(where)
      .orderBy(order),
});

/** Returns the query for the names of the branch groups and sales channels. A few rows for a full page. */
export const allBranchGroupNamesQuery = prepareQuery((db) =>
  db.select({ id: branchGroups.id, name: branchGroups.name }).from(branchGroups),
);
export const allSalesChannelsQuery = prepareQuery((db) => db.select().from(salesChannels));

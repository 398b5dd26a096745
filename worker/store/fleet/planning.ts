import { type SQL, sql } from "drizzle-orm";
import type { VehicleDueDates } from "#domain/catalogue/vehicle-dues.ts";
import { compareByCharCode } from "#worker/store/catalogue/vehicles.ts";
import type { Database } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";

/** Branches and dates to plan, in the account's time zone, end excluded. */
export interface PlanningQueryInput {
  readonly branchCodes: readonly string[];
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly categoryCode: string | undefined;
  /** Period in civil minutes. */
  readonly startsAt: number;
  readonly endsAt: number;
  /** Period in epoch ms. */
  readonly from: number;
  readonly until: number;
}

export interface PlannedVehicle extends VehicleDueDates {
  readonly reference: string;
  readonly name: string;
  readonly plate: string | null;
  readonly categoryCode: string;
  readonly branchCode: string;
  readonly branchGroupId: number;
  readonly isSold: 0 | 1;
  readonly needsCleaning: 0 | 1;
  readonly needsFuel: 0 | 1;
  /** Contract for which the vehicle is with a customer now. */
  readonly out: CurrentVehicleContract | null;
}

/** Contract of a vehicle that is with a customer. The customer's name is null if the user can't access the contract. */
export interface CurrentVehicleContract
  extends Omit<PlannedContract, "customer" | "reference" | "deliveredAt" | "collectedAt"> {
  readonly customer: string | null;
  readonly deliveredAt: number;
  /** Whether the vehicle is of another category than agreed, or another branch group than the contract's. */
  readonly isSubstitute: 0 | 1;
}

export interface PlannedContract {
  readonly id: number;
  readonly version: number;
  readonly status: "pending_confirmation" | "confirmed" | "in_progress" | "done";
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
  readonly customer: string;
  readonly branchCode: string;
  readonly returnBranchCode: string;
  readonly unitId: number;
  readonly reference: string | null;
  readonly categoryCode: string;
  /** Times when the unit's first vehicle was delivered and its last one returned, epoch ms. */
  readonly deliveredAt: number | null;
  readonly collectedAt: number | null;
}

/** Vehicle that was returned in an exchange, with its contract and the period of its use (epoch ms). */
export type ExchangedVehiclePeriod = Omit<PlannedContract, "reference" | "deliveredAt" | "collectedAt"> & {
  readonly reference: string;
  readonly outAt: number;
  readonly backAt: number;
};

export interface PlannedBlock {
  readonly id: number;
  readonly reference: string;
  readonly kind: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly reason: string;
  readonly version: number;
}

const CODES = sql`(SELECT value FROM json_each(${sql.placeholder("codes")}))`;
const isInCategory = (column: string): SQL =>
  sql`(${sql.placeholder("categoryCode")} IS NULL OR ${sql.raw(column)} = ${sql.placeholder("categoryCode")})`;

const BOOKING_JSON_FIELDS = sql`'id', booking.id, 'version', booking.version, 'status', booking.status, 'dateFrom', booking.date_from,
    'timeFrom', booking.time_from, 'dateTo', booking.date_to, 'timeTo', booking.time_to,
    'customer', trim(booking.customer_name || ' ' || booking.customer_surname), 'branchCode', booking.branch_code,
    'returnBranchCode', booking.return_branch_code`;

const OUT = sql`(SELECT json_object(${BOOKING_JSON_FIELDS}, 'unitId', unit.id, 'categoryCode', line.category_code, 'deliveredAt', unit.delivered_at,
    'isSubstitute', line.category_code <> vehicles.category_code OR booking.branch_group_id <> vehicles.branch_group_id)
  FROM booking_units AS unit INDEXED BY booking_units_out JOIN bookings AS booking ON booking.id = unit.booking_id
    JOIN booking_lines AS line ON line.id = unit.booking_line_id
  WHERE unit.vehicle_reference = vehicles.reference AND unit.delivered_at IS NOT NULL AND unit.collected_at IS NULL LIMIT 1)`;

const VEHICLES = sql`SELECT json_object('reference', reference, 'name', name, 'plate', plate, 'categoryCode', category_code, 'branchCode', branch_code,
    'branchGroupId', branch_group_id, 'isSold', sold_release_date IS NOT NULL AND sold_release_date < ${sql.placeholder("dateTo")}, 'out', json(${OUT}),
    'inspectionDue', inspection_due, 'insuredUntil', insured_until, 'needsCleaning', needs_cleaning, 'needsFuel', needs_fuel) AS vehicle
  FROM vehicles WHERE active = 1 AND branch_group_id IN (SELECT branch_group_id FROM branches WHERE code IN ${CODES})
    AND ${isInCategory("category_code")} AND (sold_release_date IS NULL OR sold_release_date > ${sql.placeholder("dateFrom")})
`;

// Selects units without a subquery around them, because SQLite would read their rows twice and unordered.
const selectUnits = (
  index: string,
  condition: SQL,
): SQL => sql`SELECT json_group_array(json_object(${BOOKING_JSON_FIELDS}, 'unitId', unit.id, 'reference', unit.vehicle_reference,
    'categoryCode', line.category_code, 'deliveredAt', unit.delivered_at, 'collectedAt', unit.collected_at))
  FROM bookings AS booking INDEXED BY ${sql.raw(index)} CROSS JOIN booking_units AS unit ON unit.booking_id = booking.id
    CROSS JOIN booking_lines AS line ON line.id = unit.booking_line_id
  WHERE ${condition} AND booking.date_to >= ${sql.placeholder("dateFrom")} AND booking.date_from < ${sql.placeholder("dateTo")}
    AND booking.status <> 'cancelled' AND booking.kind = 'rental' AND ${isInCategory("line.category_code")}`;

// Units that return to these branches. `LEAVING` has those that leave these branches and return elsewhere.
// They are few and have their own index. No unit is in both.
const COMING_BACK = selectUnits("bookings_by_return", sql`booking.return_branch_code IN ${CODES}`);
const LEAVING = selectUnits(
  "bookings_one_way",
  sql`booking.branch_code IN ${CODES} AND booking.return_branch_code <> booking.branch_code AND booking.return_branch_code NOT IN ${CODES}`,
);

// Exchanged vehicles, found by the time of their return, which is in the period or after it.
const EXCHANGED = sql`SELECT json_group_array(json_object(${BOOKING_JSON_FIELDS}, 'unitId', used.unit_id, 'reference', used.vehicle_reference,
    'categoryCode', vehicle.category_code, 'outAt', used.delivered_at, 'backAt', used.returned_at))
  FROM exchanged_vehicles AS used INDEXED BY exchanged_vehicles_by_return CROSS JOIN vehicles AS vehicle ON vehicle.reference = used.vehicle_reference
    CROSS JOIN bookings AS booking ON booking.id = used.booking_id
  WHERE used.returned_at > ${sql.placeholder("from")} AND used.delivered_at < ${sql.placeholder("until")}
    AND ${isInCategory("vehicle.category_code")} AND (booking.branch_code IN ${CODES} OR booking.return_branch_code IN ${CODES})`;

const BLOCKS = sql`SELECT json_object('id', block.id, 'reference', block.vehicle_reference, 'kind', block.kind, 'startsAt', block.starts_at,
    'endsAt', block.ends_at, 'reason', block.reason, 'version', block.version) AS block
  FROM vehicle_blocks AS block INDEXED BY vehicle_blocks_by_end JOIN vehicles AS vehicle ON vehicle.reference = block.vehicle_reference
  WHERE block.ends_at > ${sql.placeholder("startsAt")} AND block.starts_at < ${sql.placeholder("endsAt")}
    AND vehicle.branch_group_id IN (SELECT branch_group_id FROM branches WHERE code IN ${CODES}) AND ${isInCategory("vehicle.category_code")}`;

const selectJsonList = (rows: SQL, name: string) =>
  sql<string>`(SELECT json_group_array(json(${sql.raw(name)})) FROM (${rows}))`;

const planningQueries = prepareQuery((db) =>
  db
    .select({
      vehicles: selectJsonList(VEHICLES, "vehicle").as("vehicles"),
      comingBack: sql<string>`(${COMING_BACK})`.as("coming_back"),
      leaving: sql<string>`(${LEAVING})`.as("leaving"),
      exchanged: sql<string>`(${EXCHANGED})`.as("exchanged"),
      blocks: selectJsonList(BLOCKS, "block").as("blocks"),
    })
    .from(catalogueVersion),
);

/** Returns the query for the vehicles, contracts and blocks of a period, each as JSON. */
export function planningQuery(db: Database, { branchCodes, categoryCode, ...question }: PlanningQueryInput) {
  return planningQueries(db, {
    ...question,
    codes: JSON.stringify(branchCodes),
    categoryCode: categoryCode ?? null,
  });
}

/** Vehicles of the planning board with their contracts and blocks. */
export interface Planning {
  readonly vehicles: readonly PlannedVehicle[];
  readonly contracts: readonly PlannedContract[];
  readonly exchanged: readonly ExchangedVehiclePeriod[];
  readonly blocks: readonly PlannedBlock[];
}

export function toPlanning(rows: Awaited<ReturnType<typeof planningQuery>>): Planning {
  const [row] = rows;
  return {
    vehicles: (JSON.parse(row?.vehicles ?? "[]") as PlannedVehicle[]).sort((a, b) =>
      compareByCharCode(getSortKey(a), getSortKey(b)),
    ),
    contracts: [row?.comingBack, row?.leaving]
      .flatMap((units) => JSON.parse(units ?? "[]") as PlannedContract[])
      .sort((a, b) => compareByCharCode(getPickupTime(a), getPickupTime(b)) || a.id - b.id || a.unitId - b.unitId),
    exchanged: JSON.parse(row?.exchanged ?? "[]") as ExchangedVehiclePeriod[],
    blocks: JSON.parse(row?.blocks ?? "[]") as PlannedBlock[],
  };
}

// Returns the key to sort by category, plate and reference. The database would read each row twice to sort them.
function getSortKey({ categoryCode, plate, reference }: PlannedVehicle): string {
  return [categoryCode, plate ?? "", reference].join("\0");
}

const getPickupTime = ({ dateFrom, timeFrom }: PlannedContract) => `${dateFrom} ${timeFrom}`;

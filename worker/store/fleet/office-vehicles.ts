import { and, desc, eq, getTableColumns, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { VehicleState } from "#domain/catalogue/vehicle-states.ts";
import type { CivilMinute } from "#domain/dates.ts";
import type { SortedPageRequest, SortField } from "#domain/reporting/list-sort.ts";
import {
  unassignFromOtherCategoryStatements,
  unassignInvalidVehiclesStatements,
} from "#worker/store/bookings/invalid-assignments.ts";
import { isVehicleOutSql } from "#worker/store/catalogue/vehicles.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { vehicleDamages } from "#worker/store/schema/check-in.ts";
import { users } from "#worker/store/schema/people.ts";
import { fleetVersionGuards, vehicleBlocks, vehicleHistory, vehicles } from "#worker/store/schema/vehicles.ts";
import { listTotalQuery, selectIdsByText, selectMaintainedTotal } from "#worker/store/search.ts";
import { createSortedPageSql, type SortFieldSql } from "#worker/store/sorted-page.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

const IS_OUT = sql<number>`${sql.raw(isVehicleOutSql("vehicles"))}`;

function getStateSql(now: CivilMinute): SQL<VehicleState> {
  return sql<VehicleState>`CASE WHEN ${IS_OUT} THEN 'out' WHEN NOT vehicles.active THEN 'retired'
    WHEN EXISTS (SELECT 1 FROM vehicle_blocks AS block WHERE block.vehicle_reference = vehicles.reference
      AND block.starts_at <= ${now} AND block.ends_at > ${now}) THEN 'blocked' ELSE 'free' END`;
}

/** Filters for vehicles. Absent filters don't apply. */
export interface VehicleSearch {
  readonly text: string | undefined;
  readonly categoryCode: string | undefined;
  readonly branchCode: string | undefined;
  readonly branchGroupId: number | undefined;
  readonly active: boolean | undefined;
  readonly state: VehicleState | undefined;
  readonly userId: number;
  readonly after: string | undefined;
  readonly sorted?: SortedPageRequest<SortField<"vehicles">, string> | undefined;
  readonly pageSize: number;
}

const getSortColumns = (now: CivilMinute): SortFieldSql<SortField<"vehicles">> => ({
  reference: sql`vehicles.reference`,
  name: sql`lower(vehicles.name)`,
  stock_plate: sql`coalesce(vehicles.plate, '')`,
  category_code: sql`vehicles.category_code`,
  rental_location_code: sql`vehicles.branch_code`,
  usage_units: sql`coalesce(vehicles.usage_units, 0)`,
  state: getStateSql(now),
  inspection_due: sql`coalesce(vehicles.inspection_due, '')`,
  insured_until: sql`coalesce(vehicles.insured_until, '')`,
  service_due: sql`coalesce(vehicles.service_due, '')`,
});

/** Returns the queries for a page of vehicles by reference, and their number. */
export function officeVehiclesQueries(db: Database, search: VehicleSearch, now: CivilMinute) {
  const conditions: SQL[] = [
    isInUserBranchesSql(search.userId, sql`vehicles.branch_code`),
    ...(search.categoryCode === undefined ? [] : [sql`vehicles.category_code = ${search.categoryCode}`]),
    ...(search.branchCode === undefined ? [] : [sql`vehicles.branch_code = ${search.branchCode}`]),
    ...(search.branchGroupId === undefined ? [] : [sql`vehicles.branch_group_id = ${search.branchGroupId}`]),
    ...(search.active === undefined ? [] : [sql`vehicles.active = ${search.active ? 1 : 0}`]),
    ...(search.state === undefined ? [] : [sql`${getStateSql(now)} = ${search.state}`]),
    ...(search.text === undefined ? [] : [sql`vehicles.id IN (${selectIdsByText("vehicles", search.text)})`]),
  ];
  const where = sql.join(conditions, sql` AND `);
  const known = { total: selectMaintainedTotal("vehicles"), userId: search.userId };
  const { condition, order } = createSortedPageSql(
    { table: "vehicles", key: "reference", columns: getSortColumns(now) },
    search.sorted ?? { sort: { field: "reference", isDescending: false }, after: undefined },
  );
  return [
    db
      .select({ ...getTableColumns(vehicles), isOut: IS_OUT.as("is_out"), state: getStateSql(now).as("state") })
      .from(vehicles)
      .where(sql`${where} AND vehicles.reference > ${search.after ?? ""} AND ${condition}`)
      .orderBy(...(search.sorted ? order : [vehicles.reference]))
      .limit(search.pageSize + 1),
    listTotalQuery(db, {
      table: "vehicles",
      where,
      pageSize: search.pageSize,
      maintainedTotal: conditions.length === 1 ? known : undefined,
    }),
  ] as const;
}

/**
 * Returns all queries for a vehicle for the office: itself, its current and future blocks, its damage and its history.
 */
export function officeVehicleQueries(db: Database, reference: string, from: CivilMinute) {
  return [
    db
      .select({ ...getTableColumns(vehicles), isOut: IS_OUT.as("is_out"), state: getStateSql(from).as("state") })
      .from(vehicles)
      .where(eq(vehicles.reference, reference)),
    db
      .select()
      .from(vehicleBlocks)
      .where(and(eq(vehicleBlocks.vehicleReference, reference), gt(vehicleBlocks.endsAt, from)))
      .orderBy(vehicleBlocks.startsAt),
    db
      .select()
      .from(vehicleDamages)
      .where(and(eq(vehicleDamages.vehicleReference, reference), isNull(vehicleDamages.repairedAt)))
      .orderBy(vehicleDamages.id),
    db
      .select({ ...getTableColumns(vehicleHistory), staffName: sql<string | null>`${users.fullName}`.as("staff_name") })
      .from(vehicleHistory)
      .leftJoin(users, sql`vehicle_history.actor = 'staff:' || users.id`)
      .where(eq(vehicleHistory.vehicleReference, reference))
      .orderBy(desc(vehicleHistory.id))
      .limit(200),
  ] as const;
}

/** Returns the query for a block with its vehicle. */
export function vehicleBlockQuery(db: Database, id: number) {
  return db
    .select({ ...getTableColumns(vehicleBlocks), branchCode: vehicles.branchCode })
    .from(vehicleBlocks)
    .innerJoin(vehicles, eq(vehicles.reference, vehicleBlocks.vehicleReference))
    .where(eq(vehicleBlocks.id, id));
}

/** Returns the query for the next block's id. If two are created at once, only one gets it and the other retries. */
export function nextVehicleBlockIdQuery(db: Database) {
  return db.select({ id: sql<number>`coalesce(max(id), 0) + 1`.as("next_id") }).from(vehicleBlocks);
}

/** History entry of an office action on a vehicle. */
export interface VehicleHistoryEntry {
  readonly reference: string;
  readonly at: number;
  readonly actor: string;
  readonly event: (typeof vehicleHistory.$inferInsert)["event"];
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

function entryStatement(db: Database, { reference, before, after, ...entry }: VehicleHistoryEntry): Query {
  return db
    .insert(vehicleHistory)
    .values({ ...entry, vehicleReference: reference, detail: JSON.stringify({ before, after }) });
}

export type VehicleRow = typeof vehicles.$inferSelect;
export type NewVehicleRow = Omit<typeof vehicles.$inferInsert, "id">;

export function insertVehicleStatements(
  db: Database,
  row: NewVehicleRow,
  entry: VehicleHistoryEntry,
): readonly Query[] {
  return [db.insert(vehicles).select(selectRowsToInsert(vehicles, [row])), entryStatement(db, entry)];
}

/** Returns the statements that change a vehicle, and unassign it from contracts that can no longer have it. */
export function updateVehicleStatements(
  db: Database,
  row: Partial<VehicleRow>,
  version: number,
  entry: VehicleHistoryEntry,
): readonly Query[] {
  return [
    db.insert(fleetVersionGuards).values({ vehicleReference: entry.reference, version }),
    db
      .update(vehicles)
      .set({
        ...row,
        ...(row.branchCode !== undefined && { stateAt: entry.at }),
        ...(isReading(row) && { readAt: entry.at }),
        version: sql`version + 1`,
        lastUpdate: entry.at,
      })
      .where(eq(vehicles.reference, entry.reference)),
    ...(isLeaving(row) ? unassignInvalidVehiclesStatements(db, entry.reference, entry) : []),
    ...(row.categoryCode === undefined ? [] : unassignFromOtherCategoryStatements(db, entry.reference, entry)),
    entryStatement(db, entry),
  ];
}

// Whether the change may make the vehicle unavailable for contracts that it's assigned to.
function isLeaving({ active, soldReleaseDate }: Partial<VehicleRow>): boolean {
  return active === false || typeof soldReleaseDate === "string";
}

// Whether the change sets the vehicle's counter or fuel. Earlier readings that arrive later are ignored then.
function isReading({ usageUnits, usageAvailableFuel }: Partial<VehicleRow>): boolean {
  return usageUnits !== undefined || usageAvailableFuel !== undefined;
}

export type VehicleBlockRow = typeof vehicleBlocks.$inferSelect;

/** Returns the statements that block a vehicle and unassign it from contracts in that period. */
export function insertVehicleBlockStatements(
  db: Database,
  block: VehicleBlockRow,
  entry: VehicleHistoryEntry,
): readonly Query[] {
  return [
    db.insert(vehicleBlocks).values(block),
    ...unassignInvalidVehiclesStatements(db, block.vehicleReference, entry),
    entryStatement(db, entry),
  ];
}

/**
 * Returns the statements that change a block and unassign vehicles that it now conflicts with. The batch is refused if
 * the block's version isn't one lower.
 */
export function updateVehicleBlockStatements(
  db: Database,
  block: VehicleBlockRow,
  entry: VehicleHistoryEntry,
): readonly Query[] {
  const { id, ...columns } = block;
  return [
    db.insert(fleetVersionGuards).values({ blockId: id, version: block.version - 1 }),
    db.update(vehicleBlocks).set(columns).where(eq(vehicleBlocks.id, id)),
    ...unassignInvalidVehiclesStatements(db, block.vehicleReference, entry),
    entryStatement(db, entry),
  ];
}

export function deleteVehicleBlockStatements(db: Database, id: number, entry: VehicleHistoryEntry): readonly Query[] {
  return [db.delete(vehicleBlocks).where(eq(vehicleBlocks.id, id)), entryStatement(db, entry)];
}

/** Returns the statements that mark damage of the entry's vehicle as repaired at the entry's time. */
export function markDamageRepairedStatements(
  db: Database,
  damageId: number,
  entry: VehicleHistoryEntry,
): readonly Query[] {
  return [
    db
      .update(vehicleDamages)
      .set({ repairedAt: entry.at })
      .where(and(eq(vehicleDamages.id, damageId), eq(vehicleDamages.vehicleReference, entry.reference))),
    entryStatement(db, entry),
  ];
}

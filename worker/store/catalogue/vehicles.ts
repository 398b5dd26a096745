import { type SQL, sql } from "drizzle-orm";
import type { KnownDamage } from "#domain/check-in/day.ts";
import type { VehicleEngagement } from "#domain/check-in/vehicle-engagements.ts";
import type { Database } from "#worker/store/database.ts";
import { createFoldedTextSql } from "#worker/store/folded-text.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";

/** Vehicle as the check-in app gets it. The database returns it as one JSON text, which `fromVehicleRows` parses. */
export interface ListedVehicleRow {
  readonly reference: string;
  readonly name: string;
  readonly categoryCode: string;
  readonly plate: string | null;
  readonly alias: string | null;
  readonly brand: string | null;
  readonly model: string | null;
  readonly color: string | null;
  readonly fuel: string;
  readonly storageId: number;
  readonly branchCode: string;
  readonly kilometres: number;
  readonly fuelText: string | null;
  readonly parkingPlace: string | null;
  readonly keyNumber: string | null;
  readonly needsCleaning: 0 | 1;
  readonly needsFuel: 0 | 1;
  readonly inspectionDue: string | null;
  readonly insuredUntil: string | null;
  readonly isOut: 0 | 1;
  readonly damages: readonly KnownDamage[];
  readonly engagements: readonly VehicleEngagement[];
}

/** SQL condition that a vehicle is with a customer. `vehicleTable` is the alias of the vehicle's row. */
export const isVehicleOutSql = (vehicleTable: string) =>
  `EXISTS (SELECT 1 FROM booking_units AS out_unit INDEXED BY booking_units_out
    WHERE out_unit.vehicle_reference = ${vehicleTable}.reference AND out_unit.delivered_at IS NOT NULL AND out_unit.collected_at IS NULL)`;

/**
 * Returns a vehicle's JSON as SQL, without its blocks, which `currentVehicleBlocksQuery` reads.
 * `vehicleTable` is the alias of the vehicle's row. `isOut` replaces the SQL of `isVehicleOutSql` if the
 * query knows the answer.
 */
export function selectVehicleJson(vehicleTable: string, { isOut = isVehicleOutSql(vehicleTable) } = {}): SQL {
  // Split in two, because D1 allows 32 function arguments.
  const vehicle = `json_object('reference', ${vehicleTable}.reference, 'name', ${vehicleTable}.name, 'categoryCode', ${vehicleTable}.category_code,
    'plate', ${vehicleTable}.plate, 'alias', ${vehicleTable}.alias, 'brand', ${vehicleTable}.brand, 'model', ${vehicleTable}.model,
    'color', ${vehicleTable}.color, 'fuel', ${vehicleTable}.fuel, 'storageId', ${vehicleTable}.branch_group_id, 'branchCode', ${vehicleTable}.branch_code,
    'kilometres', ${vehicleTable}.usage_units, 'fuelText', ${vehicleTable}.usage_available_fuel,
    'isOut', ${isOut},
    'damages', (SELECT json_group_array(json_object('damageId', damage_id, 'part', part, 'kind', kind, 'severity', severity, 'x', x, 'y', y,
      'note', note, 'since', since, 'bookingId', booking_id, 'opId', op_id, 'photos', json(photos),
      'isCharged', json(CASE WHEN EXISTS (SELECT 1 FROM surcharges WHERE surcharges.booking_id = vehicle_damages.booking_id
        AND surcharges.damage_id = vehicle_damages.damage_id) THEN 'true' ELSE 'false' END)))
      FROM vehicle_damages WHERE vehicle_reference = ${vehicleTable}.reference AND repaired_at IS NULL))`;
  return sql`json_insert(${sql.raw(vehicle)}, ${sql.raw(`'$.parkingPlace', ${vehicleTable}.parking_place, '$.keyNumber', ${vehicleTable}.key_number,
    '$.needsCleaning', ${vehicleTable}.needs_cleaning, '$.needsFuel', ${vehicleTable}.needs_fuel, '$.inspectionDue', ${vehicleTable}.inspection_due, '$.insuredUntil', ${vehicleTable}.insured_until`)},
    '$.engagements', json(${toJsonSql(selectAssignments(`${vehicleTable}.reference`))}))`;
}

/** Vehicle search. `term` is part of the plate, alias or reference, by `squeezeText`. */
export interface VehicleQueryInput {
  readonly term: string | undefined;
  readonly categoryCodes: readonly string[] | undefined;
  readonly branchGroupId: number;
  /** Vehicles sold by this date are excluded. */
  readonly date: string;
}

/**
 * Returns the query for a branch group's active vehicles without placeholders, one row of JSON each, because the text
 * for a full group may exceed D1's limit.
 */
export function branchGroupVehiclesQuery(
  db: Database,
  { term, categoryCodes, branchGroupId, date }: VehicleQueryInput,
) {
  const codes = categoryCodes ? JSON.stringify(categoryCodes) : null;
  return readGroupVehicles(db, { term: term ?? null, codes, branchGroupId, date });
}

const TERM = sql.placeholder("term");
const CODES = sql.placeholder("codes");

const readGroupVehicles = prepareQuery((db) => {
  const texts = ["plate", "alias", "reference"].map((column) => `coalesce(item.${column}, '')`).join(" || '|' || ");
  const squeezed = [" ", "-", ".", "/"].reduce(
    (text, sign) => `replace(${text}, '${sign}', '')`,
    createFoldedTextSql("line"),
  );
  const matchesTerm = sql`instr((SELECT ${sql.raw(squeezed)} FROM (SELECT ${sql.raw(texts)} AS line)), ${TERM}) > 0`;
  return db
    .select({ vehicle: sql<string>`${selectVehicleJson("item")}`.as("vehicle") })
    .from(sql`vehicles AS item`)
    .where(
      sql`item.branch_group_id = ${sql.placeholder("branchGroupId")} AND item.active = 1 AND item.acquisition_mode <> 'virtual'
        AND (item.sold_release_date IS NULL OR item.sold_release_date > ${sql.placeholder("date")})
        AND (${CODES} IS NULL OR item.category_code IN (SELECT value FROM json_each(${CODES})))
        AND (${TERM} IS NULL OR ${matchesTerm})`,
    );
});

/** Current or future block with its vehicle. */
interface BlockRow {
  readonly reference: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * Returns the query for all current and future blocks. Only a few vehicles have any, so a lookup per vehicle would cost
 * more.
 */
export function currentVehicleBlocksQuery(db: Database, now: number) {
  return readCurrentBlocks(db, { endsAfter: minuteBefore(now) });
}

const readCurrentBlocks = prepareQuery((db) =>
  db
    .select({
      reference: sql<string>`vehicle_reference`.as("vehicle_reference"),
      startsAt: sql<number>`starts_at`.as("starts_at"),
      endsAt: sql<number>`ends_at`.as("ends_at"),
    })
    .from(sql`vehicle_blocks INDEXED BY vehicle_blocks_by_end`)
    .where(sql`ends_at > ${sql.placeholder("endsAfter")}`),
);

/** Blocks of `currentVehicleBlocksQuery` by vehicle. */
export type VehicleBlocks = ReadonlyMap<string, readonly VehicleEngagement[]>;

export function groupBlocksByVehicle(blocks: readonly BlockRow[]): VehicleBlocks {
  const byVehicle = Map.groupBy(blocks, ({ reference }) => reference);
  return new Map([...byVehicle].map(([reference, rows]) => [reference, rows.map(toEngagement)]));
}

function toEngagement({ startsAt, endsAt }: BlockRow): VehicleEngagement {
  return { kind: "blocked", startsAt, endsAt, bookingId: null };
}

/** Adds a vehicle's blocks before its assignments. */
export function addBlocksToVehicle(row: ListedVehicleRow, blocks: VehicleBlocks): ListedVehicleRow {
  return { ...row, engagements: [...(blocks.get(row.reference) ?? []), ...row.engagements] };
}

// Parses vehicles and adds their blocks. Sorts them by plate here, because SQLite would read them twice for that.
export function fromVehicleRows(
  rows: readonly { readonly vehicle: string }[],
  blocks: VehicleBlocks,
): readonly ListedVehicleRow[] {
  return rows
    .map(({ vehicle }) => addBlocksToVehicle(JSON.parse(vehicle) as ListedVehicleRow, blocks))
    .sort((a, b) => compareByCharCode(a.plate ?? "", b.plate ?? "") || compareByCharCode(a.reference, b.reference));
}

/** Compares two texts by character code, independent of language. */
export function compareByCharCode(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const PICKUP = "unixepoch(booking.date_from || ' ' || booking.time_from) / 60";
const RETURN = "unixepoch(booking.date_to || ' ' || booking.time_to) / 60";
const DAY_MINUTES = 1440;

/**
 * Returns a vehicle's blocks and assigned contracts as SQL for a JSON array. `reference` identifies the vehicle in the
 * outer statement.
 */
export function selectVehicleEngagementsJson(reference: string): SQL {
  return toJsonSql(sql`SELECT json_object('kind', 'blocked', 'startsAt', starts_at, 'endsAt', ends_at, 'bookingId', NULL) AS engagement
    FROM vehicle_blocks WHERE vehicle_reference = ${sql.raw(reference)}
    UNION ALL ${selectAssignments(reference)}`);
}

// Returns a civil minute that is in the past in every time zone.
const minuteBefore = (now: number) => Math.floor(now / 60_000) - DAY_MINUTES;

const toJsonSql = (engagements: SQL) => sql`(SELECT json_group_array(json(engagement)) FROM (${engagements}))`;

const selectAssignments = (reference: string) =>
  sql.raw(`SELECT json_object('kind', 'promised', 'startsAt', ${PICKUP}, 'endsAt', ${RETURN}, 'bookingId', booking.id) AS engagement
    FROM booking_units AS unit INDEXED BY booking_units_promised JOIN bookings AS booking ON booking.id = unit.booking_id
    WHERE unit.vehicle_reference = ${reference} AND unit.collected_at IS NULL AND unit.delivered_at IS NULL AND booking.status = 'confirmed'`);

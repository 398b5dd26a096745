import { gt, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { vehicleBlocks } from "#worker/store/schema/vehicles.ts";

/** A vehicle as check-in tells of it, in one JSON text: `fromVehicleRows` reads it. */
export interface VehicleRow {
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
  readonly isOut: 0 | 1;
  readonly damages: readonly DamageRow[];
}

export interface DamageRow {
  readonly damageId: string;
  readonly part: string;
  readonly kind: string;
  readonly severity: string;
  readonly x: number;
  readonly y: number;
  readonly note: string | null;
  readonly since: string;
  readonly bookingId: number | null;
  readonly photos: readonly string[];
}

/** The SQL of a vehicle's JSON; `item` is the alias of its row of vehicles. */
export function vehicleJson(item: string): string {
  return `json_object('reference', ${item}.reference, 'name', ${item}.name, 'categoryCode', ${item}.category_code,
    'plate', ${item}.plate, 'alias', ${item}.alias, 'brand', ${item}.brand, 'model', ${item}.model,
    'color', ${item}.color, 'fuel', ${item}.fuel, 'storageId', ${item}.branch_group_id, 'branchCode', ${item}.branch_code,
    'kilometres', ${item}.usage_units, 'fuelText', ${item}.usage_available_fuel,
    'isOut', EXISTS (SELECT 1 FROM booking_units AS out_unit INDEXED BY booking_units_out
      WHERE out_unit.vehicle_reference = ${item}.reference AND out_unit.delivered_at IS NOT NULL AND out_unit.collected_at IS NULL),
    'damages', (SELECT json_group_array(json_object('damageId', damage_id, 'part', part, 'kind', kind, 'severity', severity, 'x', x, 'y', y,
      'note', note, 'since', since, 'bookingId', booking_id, 'photos', json(photos)))
      FROM vehicle_damages WHERE vehicle_reference = ${item}.reference AND repaired_at IS NULL))`;
}

/**
 * What vehicles are looked for. `term` is a part of the plate, the alias or the reference, without spaces and dashes.
 */
export interface VehicleQuestion {
  readonly term: string | undefined;
  readonly categoryCodes: readonly string[] | undefined;
  readonly branchGroupId: number;
  /** Sold vehicles are not found from this day on. */
  readonly date: string;
}

/**
 * The vehicles of a branch group in use, a row of JSON each: the text of a whole group may be longer than D1 lets a
 * text be.
 */
export function vehiclesQuery(db: Database, { term, categoryCodes, branchGroupId, date }: VehicleQuestion) {
  const codes = categoryCodes ? JSON.stringify(categoryCodes) : null;
  const squeezed = (column: string) => sql.raw(`replace(replace(upper(coalesce(${column}, '')), ' ', ''), '-', '')`);
  const found = sql`(instr(${squeezed("item.plate")}, ${term ?? ""}) > 0 OR instr(${squeezed("item.alias")}, ${term ?? ""}) > 0
    OR instr(${squeezed("item.reference")}, ${term ?? ""}) > 0)`;
  return db
    .select({ vehicle: sql<string>`${sql.raw(vehicleJson("item"))}`.as("vehicle") })
    .from(sql`vehicles AS item`)
    .where(
      sql`item.branch_group_id = ${branchGroupId} AND item.active = 1
        AND (item.sold_release_date IS NULL OR item.sold_release_date > ${date})
        AND (${codes} IS NULL OR item.category_code IN (SELECT value FROM json_each(${codes})))
        AND (${term ?? null} IS NULL OR ${found})`,
    );
}

// In the order of their plates, which SQLite would read them twice for.
export function fromVehicleRows(rows: readonly { readonly vehicle: string }[]): readonly VehicleRow[] {
  return rows
    .map(({ vehicle }) => JSON.parse(vehicle) as VehicleRow)
    .sort((a, b) => compare(a.plate ?? "", b.plate ?? "") || compare(a.reference, b.reference));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** When each vehicle is blocked, now and later: from and until, civil minutes. */
export type Blocks = ReadonlyMap<string, readonly (readonly [number, number])[]>;

const DAY_MINUTES = 1440;

/** The account's blocks that may not have ended: any clock of the world is less than a day from `now`. */
export function blocksQuery(db: Database, now: number) {
  return db
    .select({
      reference: vehicleBlocks.vehicleReference,
      startsAt: vehicleBlocks.startsAt,
      endsAt: vehicleBlocks.endsAt,
    })
    .from(vehicleBlocks)
    .where(gt(vehicleBlocks.endsAt, Math.floor(now / 60_000) - DAY_MINUTES));
}

export function fromBlockRows(
  rows: readonly { readonly reference: string; readonly startsAt: number; readonly endsAt: number }[],
): Blocks {
  const blocks = new Map<string, (readonly [number, number])[]>();
  for (const { reference, startsAt, endsAt } of rows) {
    blocks.set(reference, [...(blocks.get(reference) ?? []), [startsAt, endsAt]]);
  }
  return blocks;
}

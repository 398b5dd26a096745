import { sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import { catalogueVersion } from "./schema/catalogue-version.ts";

/** A vehicle as check-in tells of it, in one JSON text: `fromVehicleJson` reads it. */
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
  /** The end of the block it is in, or the start of the next one and its end, civil minutes. */
  readonly blocks: readonly (readonly [number, number])[];
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

/** The SQL of a vehicle's JSON; `item` is the alias of its row of booking_items. */
export function vehicleJson(item: string): string {
  return `json_object('reference', ${item}.reference, 'name', ${item}.name, 'categoryCode', ${item}.category_code,
    'plate', ${item}.stock_plate, 'alias', ${item}.stock_reference, 'brand', ${item}.stock_brand, 'model', ${item}.stock_model,
    'color', ${item}.stock_color, 'fuel', ${item}.fuel, 'storageId', ${item}.rental_storage_id, 'branchCode', ${item}.rental_location_code,
    'kilometres', ${item}.usage_units, 'fuelText', ${item}.usage_available_fuel,
    'isOut', EXISTS (SELECT 1 FROM booking_line_resources AS out_unit INDEXED BY booking_line_resources_out
      WHERE out_unit.booking_item_reference = ${item}.reference AND out_unit.delivered_at IS NOT NULL AND out_unit.collected_at IS NULL),
    'blocks', (SELECT json_group_array(json_array(starts_at, ends_at)) FROM item_blocks
      WHERE booking_item_reference = ${item}.reference AND ends_at > unixepoch() / 60 - 1440),
    'damages', (SELECT json_group_array(json_object('damageId', damage_id, 'part', part, 'kind', kind, 'severity', severity, 'x', x, 'y', y,
      'note', note, 'since', since, 'bookingId', booking_id, 'photos', json(photos)) ORDER BY id)
      FROM vehicle_damages WHERE booking_item_reference = ${item}.reference AND repaired_at IS NULL))`;
}

/** What vehicles are looked for. `term` is a part of the plate, the alias or the reference, without spaces and dashes. */
export interface VehicleQuestion {
  readonly term: string | undefined;
  readonly categoryCodes: readonly string[] | undefined;
  readonly rentalStorageId: number;
  /** Sold vehicles are not found from this day on. */
  readonly date: string;
}

/** The vehicles of a branch group in use, as one row of one JSON text. */
export function vehiclesQuery(db: Database, { term, categoryCodes, rentalStorageId, date }: VehicleQuestion) {
  const codes = categoryCodes ? JSON.stringify(categoryCodes) : null;
  const squeezed = (column: string) => sql.raw(`replace(replace(upper(coalesce(${column}, '')), ' ', ''), '-', '')`);
  const found = sql`(instr(${squeezed("item.stock_plate")}, ${term ?? ""}) > 0 OR instr(${squeezed("item.stock_reference")}, ${term ?? ""}) > 0
    OR instr(${squeezed("item.reference")}, ${term ?? ""}) > 0)`;
  return db
    .select({
      vehicles:
        sql<string>`(SELECT json_group_array(json(${sql.raw(vehicleJson("item"))}) ORDER BY item.stock_plate, item.reference)
        FROM booking_items AS item WHERE item.rental_storage_id = ${rentalStorageId} AND item.active = 1
          AND (item.purchasable_sold_release_date IS NULL OR item.purchasable_sold_release_date > ${date})
          AND (${codes} IS NULL OR item.category_code IN (SELECT value FROM json_each(${codes})))
          AND (${term ?? null} IS NULL OR ${found}))`.as("vehicles"),
    })
    .from(catalogueVersion);
}

export function fromVehiclesRow(rows: readonly { readonly vehicles: string }[]): readonly VehicleRow[] {
  return JSON.parse(rows[0]?.vehicles ?? "[]") as VehicleRow[];
}

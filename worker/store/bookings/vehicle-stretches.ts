import { type SQL, sql } from "drizzle-orm";

/**
 * The stretches of contracts that a vehicle was given to, as SQL rows of `booking_id`, `exchange` (null for what a unit
 * has now), `since` (when it came in another's place, or was out until it was exchanged; else null), `delivered_at` and
 * `back_at`: what a unit has now came when the one before it went back.
 */
export const selectVehicleStretches = (reference: string | null): SQL => sql`SELECT unit.booking_id, NULL AS exchange,
    (SELECT max(before.returned_at) FROM exchanged_vehicles AS before WHERE before.unit_id = unit.id) AS since,
    unit.delivered_at, unit.collected_at AS back_at
  FROM booking_units AS unit INDEXED BY booking_units_by_vehicle WHERE unit.vehicle_reference = ${reference}
  UNION ALL SELECT used.booking_id, used.id, used.delivered_at, used.delivered_at, used.returned_at
  FROM exchanged_vehicles AS used INDEXED BY exchanged_vehicles_by_vehicle WHERE used.vehicle_reference = ${reference}`;

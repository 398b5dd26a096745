import { type SQL, sql } from "drizzle-orm";

/**
 * Selects the contract periods of a vehicle as rows of `booking_id`, `exchange`, `since`, `delivered_at` and `back_at`.
 * `exchange` is null for a unit's current vehicle. `since` is set if the vehicle replaced another or was out until it
 * was exchanged. A current vehicle's `since` is the return of the previous one.
 */
export const selectVehicleContractPeriods = (
  reference: string | null,
): SQL => sql`SELECT unit.booking_id, NULL AS exchange,
    (SELECT max(before.returned_at) FROM exchanged_vehicles AS before WHERE before.unit_id = unit.id) AS since,
    unit.delivered_at, unit.collected_at AS back_at
  FROM booking_units AS unit INDEXED BY booking_units_by_vehicle WHERE unit.vehicle_reference = ${reference}
  UNION ALL SELECT used.booking_id, used.id, used.delivered_at, used.delivered_at, used.returned_at
  FROM exchanged_vehicles AS used INDEXED BY exchanged_vehicles_by_vehicle WHERE used.vehicle_reference = ${reference}`;
